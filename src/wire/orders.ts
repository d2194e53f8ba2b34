/**
 * Orders: what the bodies of the control plane and of fixtures ask for, spelled as code spells it, with null for
 * what was left out.
 */
import type * as z from 'zod'
import { camelKeys } from './case.ts'
import type { ChargeCreate, PaymentOutcomesCreate } from './charge.ts'
import type { CouponCreate, PromotionCreate } from './coupon.ts'
import type { Checkout } from './subscription.ts'

export function couponOrder(body: z.output<typeof CouponCreate>) {
  const terms = {
    couponId: body.coupon_id,
    maxRedemptions: body.max_redemptions ?? null,
    expiresAt: body.expires_at ?? null,
    appliesToPlans: body.applies_to_plans ?? null,
    appliesToProducts: body.applies_to_products ?? null,
    stackable: body.stackable,
  }
  if (body.type === 'trial_extension') {
    const { type, value } = body
    return { ...terms, type, value, currency: null, duration: null, durationInMonths: null }
  }
  return { ...terms, ...amountOf(body), ...lastingOf(body) }
}

type LastingBody = Exclude<z.output<typeof CouponCreate>, { type: 'trial_extension' }>

function amountOf(body: LastingBody) {
  const { type, value } = body
  return type === 'fixed'
    ? { type, value, currency: body.currency }
    : { type, value, currency: null }
}

function lastingOf(body: LastingBody) {
  const { duration } = body
  return duration === 'repeating'
    ? { duration, durationInMonths: body.duration_in_months }
    : { duration, durationInMonths: null }
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
