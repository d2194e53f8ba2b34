/**
 * Coupons and promotions on the wire. Which fields go together is said by the shapes themselves, so that a document
 * made from them says it too. (Interface section 2)
 */
import * as z from 'zod'
import { strictObject } from 'zod'
import { COUPON_MONTHS_MAX, CouponDuration, CouponType, TRIAL_DAYS_MAX } from '../billing/coupon.ts'
import { AMOUNT_MAX, isExactPercent, PERCENT_DECIMALS } from '../billing/money.ts'
import { camelKeys } from './case.ts'
import {
  boundedInt,
  boundedList,
  ChosenId,
  Currency,
  CurrencyIn,
  InstantIn,
  InstantOut,
  Limit,
  objectFrom,
  Reference,
  sandbox,
} from './fields.ts'

const LISTED_MAX = 1000
const fieldsAssumed = { source: 'coupon-fields' }

/** The durations that the interface does not show. */
export const durationMembers = { once: 'coupon-durations', forever: 'coupon-durations' }

const Count = z.int().min(0).meta({
  description: 'How often it was redeemed; never given back.',
  source: 'redemption-count',
})

export const WireCoupon = objectFrom(fieldsAssumed.source, {
  coupon_id: z.string().meta({ description: 'Identifier chosen for the coupon.', source: '2' }),
  type: CouponType.meta({
    description: 'What `value` means.',
    source: '2',
    members: { trial_extension: 'coupon-types' },
  }),
  value: z.number().gt(0).meta({
    description: 'The percent, an amount of minor units, or days, by `type`.',
    source: '2',
  }),
  currency: Currency.nullable().describe('Of a fixed one, else null.'),
  duration: CouponDuration.nullable().meta({
    description: 'How long its discount lasts; null for a trial extension.',
    source: '2',
    members: durationMembers,
  }),
  duration_in_months: z.int().min(1).max(COUPON_MONTHS_MAX).nullable().meta({
    description: 'The months of a repeating one, else null.',
    source: '2',
  }),
  max_redemptions: Limit.nullable().describe('How often it can be redeemed; null without limit.'),
  expires_at: InstantOut.nullable().describe('From when on it cannot be redeemed; null for never.'),
  applies_to_plans: z.array(z.string()).nullable().describe('The plans it is limited to, or null.'),
  applies_to_products: z
    .array(z.string())
    .nullable()
    .describe('The products it is limited to, or null.'),
  stackable: z.boolean().meta({
    description: 'Whether it stands beside other stackable discounts.',
    source: 'stacking-needs-both',
  }),
  times_redeemed: Count,
}).meta({ id: 'Coupon', description: 'A rule for a discount.', source: '2' })

const Ids = (of: string) =>
  boundedList(Reference, LISTED_MAX, `identifiers of ${of}`).meta(fieldsAssumed)

export const couponRestrictions = {
  max_redemptions: Limit.optional().meta(fieldsAssumed),
  expires_at: InstantIn.optional().meta(fieldsAssumed),
  applies_to_plans: Ids('plans').optional(),
  applies_to_products: Ids('products').optional(),
  stackable: z
    .boolean()
    .default(false)
    .meta({ accepts: 'true or false', ...fieldsAssumed }),
}

const CouponId = ChosenId.meta({ description: 'Identifier chosen for the coupon.', source: '2' })

const types = `one of ${CouponType.options.join(', ')}`

const percentage = {
  coupon_id: CouponId,
  type: z.literal('percentage').meta({ accepts: types, source: '2' }),
  value: z
    .number()
    .min(1 / 10 ** PERCENT_DECIMALS)
    .max(100)
    .refine(isExactPercent)
    .meta({
      accepts: `a number above 0, at most 100, with at most ${PERCENT_DECIMALS} decimals`,
      description: `The percent, with at most ${PERCENT_DECIMALS} decimals.`,
      source: '2',
    }),
}

const fixed = {
  coupon_id: CouponId,
  type: z.literal('fixed').meta({ accepts: types, source: '2' }),
  value: boundedInt(1, AMOUNT_MAX, 'minor units').meta({
    description: 'The amount, in minor units.',
    source: 'fixed-value-unit',
  }),
  currency: CurrencyIn,
}

const durationNames = `one of ${CouponDuration.options.join(', ')}`

/** Once unless another is named: the documented tool creates coupons without naming a duration. */
const plain = {
  duration: z
    .enum(['once', 'forever'])
    .default('once')
    .meta({ accepts: durationNames, source: 'coupon-durations' }),
}

/** The fields that go with each duration. */
const byDuration = {
  once: plain,
  forever: plain,
  repeating: {
    duration: z.literal('repeating').meta({ accepts: durationNames, source: '2' }),
    duration_in_months: z
      .int()
      .min(1)
      .max(COUPON_MONTHS_MAX)
      .meta({ accepts: `an integer from 1 to ${COUPON_MONTHS_MAX}`, source: '2' }),
  },
} satisfies Record<CouponDuration, z.ZodRawShape>

const TrialExtension = strictObject({
  coupon_id: CouponId,
  type: z.literal('trial_extension').meta({ accepts: types, source: 'coupon-types' }),
  value: boundedInt(1, TRIAL_DAYS_MAX, 'days').meta({
    description: 'The days.',
    source: 'coupon-types',
  }),
  ...couponRestrictions,
}).meta({ id: 'TrialExtensionCreate' })

function couponOf<Shape extends z.ZodRawShape>(name: string, amount: Shape) {
  return z
    .discriminatedUnion('duration', [
      strictObject({ ...amount, ...byDuration.once, ...couponRestrictions }).meta({
        id: `${name}Create`,
      }),
      strictObject({ ...amount, ...byDuration.repeating, ...couponRestrictions }).meta({
        id: `Repeating${name}Create`,
      }),
    ])
    .meta({ id: `Any${name}Create` })
}

export const CouponCreate = z
  .discriminatedUnion('type', [
    couponOf('PercentageCoupon', percentage),
    couponOf('FixedCoupon', fixed),
    TrialExtension,
  ])
  .meta({ id: 'CouponCreate', source: '2' })

/** null clears a limit; a field that is absent stays as it is. */
export const CouponPatch = strictObject({
  max_redemptions: Limit.nullable().optional(),
  expires_at: InstantIn.nullable().optional(),
  applies_to_plans: Ids('plans').nullable().optional(),
  applies_to_products: Ids('products').nullable().optional(),
  stackable: z.boolean().optional(),
}).meta({ id: 'CouponPatch', ...fieldsAssumed })

export const WirePromotion = strictObject({
  code: z.string().meta({ description: 'What a customer types in.', source: '1' }),
  coupon_id: z.string().meta({ description: 'The coupon it stands for.', source: '1' }),
  starts_at: InstantOut.nullable().describe('From when on, or null.').meta(sandbox),
  expires_at: InstantOut.nullable().describe('Until when, or null.').meta(sandbox),
  max_redemptions: Limit.nullable().describe('How often, or null.').meta(sandbox),
  times_redeemed: Count,
}).meta({ id: 'Promotion', description: 'A code that stands for a coupon.', source: '1' })

export const PromotionCreate = strictObject({
  code: ChosenId,
  coupon_id: Reference.meta({ accepts: 'the identifier of a coupon' }),
  starts_at: InstantIn.optional(),
  expires_at: InstantIn.optional(),
  max_redemptions: Limit.optional(),
}).meta({ id: 'PromotionCreate', ...sandbox })

export const PromotionPatch = strictObject({
  starts_at: InstantIn.nullable().optional(),
  expires_at: InstantIn.nullable().optional(),
  max_redemptions: Limit.nullable().optional(),
}).meta({ id: 'PromotionPatch', ...sandbox })

/** A coupon to make; what its type or its duration has no use for is null. */
export function couponOrder(body: z.output<typeof CouponCreate>) {
  const terms = { currency: null, duration: null, durationInMonths: null }
  const limits = { maxRedemptions: null, expiresAt: null }
  const restrictions = { appliesToPlans: null, appliesToProducts: null }
  return { ...terms, ...limits, ...restrictions, ...camelKeys(body) }
}

/** A promotion to make. */
export function promotionOrder(body: z.output<typeof PromotionCreate>) {
  return { startsAt: null, expiresAt: null, maxRedemptions: null, ...camelKeys(body) }
}
