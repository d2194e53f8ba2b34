/**
 * Coupons and promotions: the rules that can be redeemed. Owns their shape and whether one can be redeemed now. Does
 * not own the discount after a redemption (see discount).
 */
import * as z from 'zod'
import { Instant } from '../time/instant.ts'
import type { Plan } from './catalog.ts'
import { Id } from './id.ts'
import {
  AMOUNT_MAX,
  COUNT_MAX,
  CurrencyCode,
  type Fraction,
  isExactPercent,
  percentOf,
} from './money.ts'
import { type BillingRefusal, refuse } from './refusal.ts'
import { rule } from './rule.ts'

/** The coupon types that reduce an amount. Only a trial extension does not. */
export const ReductionType = z.enum(['percentage', 'fixed'])
export const CouponType = z.enum([...ReductionType.options, 'trial_extension'])
export const CouponDuration = z.enum(['once', 'repeating', 'forever'])
export type CouponDuration = z.infer<typeof CouponDuration>

/** The most days of a trial, and of its extension. (Interface section 8 leaves them open) */
export const TRIAL_DAYS_MAX = 730

export const COUPON_MONTHS_MAX = 1200

export const REDEMPTIONS_MAX = 1_000_000_000

/** The fields with the reduction, by type: a percent, or an amount of minor units. */
export const reductions = {
  percentage: {
    type: z.literal('percentage'),
    value: z.number().positive().max(100).refine(isExactPercent),
  },
  fixed: { type: z.literal('fixed'), value: z.int().positive().max(AMOUNT_MAX) },
}

export const durations = {
  once: { duration: z.literal('once'), durationInMonths: z.null() },
  repeating: {
    duration: z.literal('repeating'),
    durationInMonths: z.int().positive().max(COUPON_MONTHS_MAX),
  },
  forever: { duration: z.literal('forever'), durationInMonths: z.null() },
} satisfies Record<CouponDuration, z.ZodRawShape>

const limitFields = {
  maxRedemptions: z.int().positive().max(REDEMPTIONS_MAX).nullable(),
  timesRedeemed: z.int().min(0).max(COUNT_MAX),
  expiresAt: Instant.nullable(),
}

/** The most plans or products that a coupon is limited to. */
export const LISTED_MAX = 1000
const Listed = z.array(z.string()).min(1).max(LISTED_MAX).nullable()
export const appliesTo = { appliesToPlans: Listed, appliesToProducts: Listed }

const couponFields = { couponId: Id, ...limitFields, ...appliesTo, stackable: z.boolean() }

/** Redemptions are refused at the limit, and no limit is set below them. */
const withinLimit = [
  ({ maxRedemptions, timesRedeemed }: Pick<Redeemable, 'maxRedemptions' | 'timesRedeemed'>) =>
    maxRedemptions === null || timesRedeemed <= maxRedemptions,
  rule('was redeemed more often than its limit allows'),
] as const

function couponsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.discriminatedUnion('duration', [
    z.strictObject({ ...couponFields, ...shape, ...durations.once }),
    z.strictObject({ ...couponFields, ...shape, ...durations.repeating }),
    z.strictObject({ ...couponFields, ...shape, ...durations.forever }),
  ])
}

/** A coupon whose redemption creates a discount. */
export const LastingCoupon = z.discriminatedUnion('type', [
  couponsOf({ ...reductions.percentage, currency: z.null() }),
  couponsOf({ ...reductions.fixed, currency: CurrencyCode }),
])
export type LastingCoupon = z.infer<typeof LastingCoupon>

const TrialExtension = z.strictObject({
  ...couponFields,
  type: z.literal('trial_extension'),
  value: z.int().positive().max(TRIAL_DAYS_MAX),
  currency: z.null(),
  duration: z.null(),
  durationInMonths: z.null(),
})
/** A coupon that moves the end of a trial or period by days. */
export type TrialExtension = z.infer<typeof TrialExtension>

/** A rule for a discount, or for more days. */
export const Coupon = z
  .discriminatedUnion('type', [LastingCoupon, TrialExtension])
  .refine(...withinLimit)
export type Coupon = z.infer<typeof Coupon>

/** A code for a coupon, with its own window and limit. */
export const Promotion = z
  .strictObject({ code: Id, couponId: z.string(), startsAt: Instant.nullable(), ...limitFields })
  .refine(...withinLimit)
  .refine(
    ({ startsAt, expiresAt }) => startsAt === null || expiresAt === null || startsAt < expiresAt,
    rule('does not start before it expires'),
  )
export type Promotion = z.infer<typeof Promotion>

/** The amount that a coupon or discount takes off. */
export interface Reduction {
  readonly type: z.infer<typeof ReductionType>
  readonly value: number
}

/** The exact value of a reduction of the rest of an amount, in minor units; never more than that rest. */
export function exactReduction(left: number, { type, value }: Reduction): Fraction {
  switch (type) {
    case 'percentage':
      return percentOf(left, value)
    case 'fixed':
      return { numerator: BigInt(Math.min(value, left)), denominator: 1n }
  }
}

/** The limits of a coupon or discount to plans and products. */
export type Limits = Pick<Coupon, 'appliesToPlans' | 'appliesToProducts'>

/** Whether the limits include a plan. If both lists are set, both must include it. */
export function covers(limits: Limits, plan: Plan): boolean {
  const planIsIn = limits.appliesToPlans?.includes(plan.planId) ?? true
  const productIsIn = limits.appliesToProducts?.includes(plan.productId) ?? true
  return planIsIn && productIsIn
}

export function isLimited(limits: Limits): boolean {
  return limits.appliesToPlans !== null || limits.appliesToProducts !== null
}

/** Why a coupon cannot be redeemed now in a currency, for any plan; null if it can. */
export function checkCoupon(coupon: Coupon, currency: string, now: Instant): BillingRefusal | null {
  if (coupon.type === 'fixed' && coupon.currency !== currency) {
    return refuse(
      'currency_mismatch',
      `coupon_id must be a coupon in ${currency}; "${coupon.couponId}" takes off ${coupon.currency}.`,
      ['coupon-refusals', 'currency-match'],
    )
  }
  return checkRedeemable({ ...coupon, name: `coupon_id "${coupon.couponId}"` }, now)
}

/** Why a promotion cannot be redeemed now; null if it can. Its coupon is checked separately. */
export function checkPromotion(promotion: Promotion, now: Instant): BillingRefusal | null {
  const name = `promotion_code "${promotion.code}"`
  const refusal = checkRedeemable({ ...promotion, name }, now)
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

/** Why a coupon's limits exclude a plan; null if they do not. */
export function checkCouponPlan(coupon: Coupon, plan: Plan): BillingRefusal | null {
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

function checkRedeemable(terms: Redeemable, now: Instant): BillingRefusal | null {
  if (terms.expiresAt !== null && now >= terms.expiresAt) {
    return refuse('coupon_expired', `${terms.name} expired at ${terms.expiresAt}; it is ${now}.`, [
      'coupon-refusals',
    ])
  }
  const most = terms.maxRedemptions ?? COUNT_MAX
  if (terms.timesRedeemed >= most) {
    return refuse(
      'coupon_exhausted',
      `${terms.name} was redeemed as often as its max_redemptions allows: ${most}.`,
      ['coupon-refusals', 'redemption-count'],
    )
  }
  return null
}
