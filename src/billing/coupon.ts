/**
 * Coupons and promotions: the rules that can be redeemed. Owns their shape and whether one can be redeemed now.
 * Does not own the discount that a redemption leaves behind (see discount).
 */
import * as z from 'zod'
import { Instant } from '../time/instant.ts'
import type { Plan } from './catalog.ts'
import { Id } from './id.ts'
import {
  AMOUNT_MAX,
  COUNT_MAX,
  Currency,
  isExactPercent,
  percentOf,
  roundHalfAway,
} from './money.ts'
import { type Refusal, refuse } from './refusal.ts'
import { rule } from './rule.ts'

export const CouponType = z.enum(['percentage', 'fixed', 'trial_extension'])
export const CouponDuration = z.enum(['once', 'repeating', 'forever'])

/** The most days of a trial, and of its extension. (Interface section 8 leaves them open) */
export const TRIAL_DAYS_MAX = 730

/** The most months of a repeating coupon. */
export const COUPON_MONTHS_MAX = 1200

/** The highest limit to redemptions. */
export const REDEMPTIONS_MAX = 1_000_000_000

const TimesRedeemed = z.int().min(0).max(COUNT_MAX)
const MaxRedemptions = z.int().positive().max(REDEMPTIONS_MAX).nullable()

/** Redemptions are refused at the limit, and no limit is set below them. */
const keepsLimit = [
  ({ maxRedemptions, timesRedeemed }: Pick<Redeemable, 'maxRedemptions' | 'timesRedeemed'>) =>
    maxRedemptions === null || timesRedeemed <= maxRedemptions,
  rule('was redeemed more often than its limit allows'),
] as const

/** What of a coupon says how much it takes off, and for how long. */
interface Terms {
  readonly type: z.infer<typeof CouponType>
  readonly value: number
  readonly duration: z.infer<typeof CouponDuration> | null
  readonly durationInMonths: number | null
}

/** Whether these terms go together: a value that can be computed with, and months exactly where they repeat. */
export function termsAgree({ type, value, duration, durationInMonths }: Terms): boolean {
  if ((duration === 'repeating') !== (durationInMonths !== null)) return false
  if ((duration === null) !== (type === 'trial_extension')) return false
  if (durationInMonths !== null && durationInMonths > COUPON_MONTHS_MAX) return false
  if (type === 'percentage') return value <= 100 && isExactPercent(value)
  const most = type === 'fixed' ? AMOUNT_MAX : TRIAL_DAYS_MAX
  return Number.isInteger(value) && value <= most
}

/** What these terms take off what is left of an amount: an amount of minor units. */
export function offOf(left: number, { type, value }: Pick<Terms, 'type' | 'value'>): number {
  return type === 'percentage' ? roundHalfAway(percentOf(left, value)) : Math.min(value, left)
}

/**
 * A rule for a discount. `value` is a percent (at most four decimals), an amount of minor units, or days, by type;
 * `duration` is null for a trial extension.
 */
export const Coupon = z
  .strictObject({
    couponId: Id,
    type: CouponType,
    value: z.number().positive(),
    currency: Currency.nullable(),
    duration: CouponDuration.nullable(),
    durationInMonths: z.int().positive().nullable(),
    maxRedemptions: MaxRedemptions,
    expiresAt: Instant.nullable(),
    appliesToPlans: z.array(z.string()).nullable(),
    appliesToProducts: z.array(z.string()).nullable(),
    stackable: z.boolean(),
    timesRedeemed: TimesRedeemed,
  })
  .refine(termsAgree, rule('has a value, a duration and months that do not go together'))
  .refine(
    ({ type, currency }) => (type === 'fixed') === (currency !== null),
    rule('has a currency exactly where it is fixed'),
  )
  .refine(...keepsLimit)
export type Coupon = z.infer<typeof Coupon>

/** A code with its own window and limit that stands for a coupon. */
export const Promotion = z
  .strictObject({
    code: Id,
    couponId: z.string(),
    startsAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    maxRedemptions: MaxRedemptions,
    timesRedeemed: TimesRedeemed,
  })
  .refine(...keepsLimit)
export type Promotion = z.infer<typeof Promotion>

/** The limits of a coupon or discount to plans and products. */
export interface Limits {
  readonly appliesToPlans: readonly string[] | null
  readonly appliesToProducts: readonly string[] | null
}

/** Whether the limits let a plan in; both lists must, where both are set. */
export function covers(limits: Limits, plan: Plan): boolean {
  const planIsIn = limits.appliesToPlans?.includes(plan.planId) ?? true
  const productIsIn = limits.appliesToProducts?.includes(plan.productId) ?? true
  return planIsIn && productIsIn
}

/** Whether a coupon is limited to some plans or products at all. */
export function isLimited(limits: Limits): boolean {
  return limits.appliesToPlans !== null || limits.appliesToProducts !== null
}

/** Why a coupon cannot be redeemed now in a currency, whatever it is redeemed for; null when it can. */
export function refuseCoupon(coupon: Coupon, currency: string, now: Instant): Refusal | null {
  if (coupon.type === 'fixed' && coupon.currency !== currency) {
    return refuse(
      'currency_mismatch',
      `coupon_id "${coupon.couponId}" takes off ${coupon.currency}; a coupon in ${currency} would be accepted.`,
      ['coupon-refusals', 'currency-match'],
    )
  }
  return refuseRedemption({ ...coupon, name: `coupon_id "${coupon.couponId}"` }, now)
}

/** Why a promotion cannot be redeemed now; null when it can. Its coupon is checked apart. */
export function refusePromotion(promotion: Promotion, now: Instant): Refusal | null {
  const name = `promotion_code "${promotion.code}"`
  const refusal = refuseRedemption({ ...promotion, name }, now)
  if (refusal !== null) return refusal
  if (promotion.startsAt !== null && now < promotion.startsAt) {
    return refuse(
      'coupon_not_applicable',
      `${name} starts at ${promotion.startsAt}; it is ${now}.`,
      ['coupon-refusals'],
    )
  }
  return null
}

/** Why a coupon cannot be redeemed for a plan, by its limits; null when it can. */
export function refusePlan(coupon: Coupon, plan: Plan): Refusal | null {
  if (covers(coupon, plan)) return null
  const plans = coupon.appliesToPlans === null ? '' : ` plans ${coupon.appliesToPlans.join(', ')}`
  const products =
    coupon.appliesToProducts === null ? '' : ` products ${coupon.appliesToProducts.join(', ')}`
  return refuse(
    'coupon_not_applicable',
    `coupon_id "${coupon.couponId}" applies to${plans}${products}; the plan is "${plan.planId}".`,
    ['coupon-refusals', 'coupon-fields'],
  )
}

interface Redeemable {
  readonly name: string
  readonly expiresAt: Instant | null
  readonly maxRedemptions: number | null
  readonly timesRedeemed: number
}

function refuseRedemption(rule: Redeemable, now: Instant): Refusal | null {
  if (rule.expiresAt !== null && now >= rule.expiresAt) {
    return refuse('coupon_expired', `${rule.name} expired at ${rule.expiresAt}; it is ${now}.`, [
      'coupon-refusals',
    ])
  }
  const most = rule.maxRedemptions ?? COUNT_MAX
  if (rule.timesRedeemed >= most) {
    return refuse(
      'coupon_exhausted',
      `${rule.name} was redeemed ${rule.timesRedeemed} times, the most its max_redemptions ${most} allows.`,
      ['coupon-refusals', 'redemption-count'],
    )
  }
  return null
}
