/**
 * Orders: what the bodies of the control plane and of fixtures ask for, spelled as code spells it, with null for
 * what was left out.
 */
import type { z } from 'zod'
import type { Settings } from '../../assumptions/register.ts'
import { camelKeys } from './case.ts'
import type { CustomerCreate, PlanCreate, ProductCreate } from './catalog.ts'
import type { ChargeCreate, PaymentOutcomesCreate } from './charge.ts'
import type { CouponCreate, PromotionCreate } from './coupon.ts'
import { type SettingsPatch, settingNames } from './settings.ts'
import type { Checkout } from './subscription.ts'

export function productOrder(body: z.output<typeof ProductCreate>) {
  return { productId: body.product_id ?? null, name: body.name }
}

export function planOrder(body: z.output<typeof PlanCreate>) {
  return { ...camelKeys(body), planId: body.plan_id ?? null }
}

export function customerOrder(body: z.output<typeof CustomerCreate>) {
  return {
    customerId: body.customer_id ?? null,
    name: body.name ?? null,
    email: body.email ?? null,
    currency: body.currency ?? null,
    paymentMethod: body.payment_method,
    balance: body.balance,
  }
}

export function couponOrder(body: z.output<typeof CouponCreate>) {
  return {
    couponId: body.coupon_id,
    type: body.type,
    value: body.value,
    currency: 'currency' in body ? body.currency : null,
    duration: 'duration' in body ? body.duration : null,
    durationInMonths: 'duration_in_months' in body ? body.duration_in_months : null,
    maxRedemptions: body.max_redemptions ?? null,
    expiresAt: body.expires_at ?? null,
    appliesToPlans: body.applies_to_plans ?? null,
    appliesToProducts: body.applies_to_products ?? null,
    stackable: body.stackable,
  }
}

export function promotionOrder(body: z.output<typeof PromotionCreate>) {
  return {
    code: body.code,
    couponId: body.coupon_id,
    startsAt: body.starts_at ?? null,
    expiresAt: body.expires_at ?? null,
    maxRedemptions: body.max_redemptions ?? null,
  }
}

export function checkoutOrder(body: z.output<typeof Checkout>) {
  return {
    customerId: body.customer_id,
    plan: body.plan,
    trialPeriodDays: body.trial_period_days ?? null,
    couponId: 'coupon_id' in body ? (body.coupon_id ?? null) : null,
    promotionCode: 'promotion_code' in body ? body.promotion_code : null,
  }
}

export function chargeOrder(body: z.output<typeof ChargeCreate>) {
  return { ...camelKeys(body), couponId: body.coupon_id ?? null }
}

export function scriptOrder(body: z.output<typeof PaymentOutcomesCreate>) {
  return {
    scope: {
      subscriptionId: 'subscription_id' in body ? (body.subscription_id ?? null) : null,
      customerId: 'customer_id' in body ? body.customer_id : null,
    },
    outcomes: 'outcomes' in body ? body.outcomes : null,
    always: 'always' in body ? body.always : null,
  }
}

/** The settings that a patch names, under their names in code. */
export function settingsOrder(patch: SettingsPatch): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [settingNames.get(key) ?? key, value]),
  )
}
