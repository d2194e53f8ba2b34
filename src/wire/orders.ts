/**
 * Orders: what the bodies of the control plane and of fixtures ask for, spelled as code spells it, with null for
 * what was left out.
 */
import type * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import { type CamelKeys, camelKeys } from './case.ts'
import type { CustomerCreate, PlanCreate, ProductCreate } from './catalog.ts'
import type { ChargeCreate, PaymentOutcomesCreate } from './charge.ts'
import type { CouponCreate, PromotionCreate } from './coupon.ts'
import type { SandboxCreate } from './sandbox.ts'
import { type SettingsPatch, settingNames } from './settings.ts'
import type { Checkout } from './subscription.ts'
import type { TokenRevoke } from './token.ts'

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

/** The settings that a patch names, under their names in code. */
export function settingsOrder(patch: SettingsPatch): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [settingNames.get(key) ?? key, value]),
  )
}

/** The changes that a patch names; what it leaves out stays as it is. */
export function patchOrder<Fields extends object>(patch: Fields): Patch<Fields> {
  return camelKeys(patch) as object as Patch<Fields>
}

/** A field that a patch leaves out is absent rather than undefined: JSON cannot write the latter. */
type Patch<Fields extends object> = {
  [Key in keyof CamelKeys<Fields>]: Exclude<CamelKeys<Fields>[Key], undefined>
}

export function revocationOrder(body: z.output<typeof TokenRevoke>) {
  return {
    familyId: 'family_id' in body ? body.family_id : null,
    refreshToken: 'refresh_token' in body ? body.refresh_token : null,
  }
}

/** A sandbox to make, under a chosen id or null for one that is generated. */
export function sandboxOrder(body: z.output<typeof SandboxCreate>, sandboxId: string | null) {
  return {
    sandboxId,
    fixture: 'fixture' in body ? (body.fixture ?? null) : null,
    now: 'now' in body ? (body.now ?? null) : null,
    settings: settingsOrder(body.settings ?? {}),
    startsRunning: false,
    from: 'from' in body ? body.from : null,
  }
}
