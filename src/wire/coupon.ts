/**
 * Coupons and promotions on the wire. Which fields go together is said by the shapes themselves, so that a document
 * made from them says it too. (Interface section 2)
 */
import * as z from 'zod'
import { discriminatedUnion, literal, number, strictObject, string } from 'zod'
import { COUPON_MONTHS_MAX, CouponDuration, CouponType, TRIAL_DAYS_MAX } from '../billing/coupon.ts'
import { AMOUNT_MAX, isExactPercent, PERCENT_DECIMALS } from '../billing/money.ts'
import { camelKeys } from './case.ts'
import {
  boundedInt,
  boundedList,
  ChosenId,
  Currency,
  CurrencyIn,
  Flag,
  InstantIn,
  InstantOut,
  inSandbox,
  Limit,
  Natural,
  objectFrom,
  Reference,
  sandbox,
  sourced,
  Texts,
} from './fields.ts'

const LISTED_MAX = 1000
const assumed = 'coupon-fields'

/** The durations that the interface does not show. */
export const durationMembers = { once: 'coupon-durations', forever: 'coupon-durations' }

const Months = boundedInt(1, COUPON_MONTHS_MAX)

const Redeemed = sourced('redemption-count', Natural).describe(
  'How often it was redeemed; never given back.',
)

export const WireCoupon = objectFrom(assumed, {
  coupon_id: sourced('2', string()).describe('Identifier chosen for the coupon.'),
  type: CouponType.meta({
    description: 'What `value` means.',
    source: '2',
    members: { trial_extension: 'coupon-types' },
  }),
  value: sourced('2', number().gt(0)).describe(
    'The percent, an amount of minor units, or days, by `type`.',
  ),
  currency: Currency.nullable().describe('Of a fixed one, else null.'),
  duration: CouponDuration.nullable().meta({
    description: 'How long its discount lasts; null for a trial extension.',
    source: '2',
    members: durationMembers,
  }),
  duration_in_months: sourced('2', Months.nullable()).describe(
    'The months of a repeating one, else null.',
  ),
  max_redemptions: Limit.nullable().describe('How often it can be redeemed; null without limit.'),
  expires_at: InstantOut.nullable().describe('From when on it cannot be redeemed; null for never.'),
  applies_to_plans: Texts.nullable().describe('The plans it is limited to, or null.'),
  applies_to_products: Texts.nullable().describe('The products it is limited to, or null.'),
  stackable: sourced('stacking-needs-both', Flag).describe(
    'Whether it stands beside other stackable discounts.',
  ),
  times_redeemed: Redeemed,
}).meta({ id: 'Coupon', description: 'A rule for a discount.', source: '2' })

const Ids = (of: string) =>
  sourced(assumed, boundedList(Reference, LISTED_MAX, `identifiers of ${of}`))

const limits = {
  max_redemptions: Limit,
  expires_at: InstantIn,
  applies_to_plans: Ids('plans'),
  applies_to_products: Ids('products'),
}

export const couponRestrictions = {
  ...objectFrom(assumed, limits).partial().shape,
  stackable: sourced(assumed, Flag.default(false)).meta({ accepts: 'true or false' }),
}

const CouponId = sourced('2', ChosenId).describe('Identifier chosen for the coupon.')

const typed = <Type extends z.output<typeof CouponType>>(type: Type, source: string) =>
  literal(type).meta({ accepts: `one of ${CouponType.options.join(', ')}`, source })

const percentage = {
  coupon_id: CouponId,
  type: typed('percentage', '2'),
  value: number()
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
  type: typed('fixed', '2'),
  value: sourced('fixed-value-unit', boundedInt(1, AMOUNT_MAX, 'minor units')).describe(
    'The amount, in minor units.',
  ),
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
    duration: literal('repeating').meta({ accepts: durationNames, source: '2' }),
    duration_in_months: sourced('2', Months),
  },
} satisfies Record<CouponDuration, z.ZodRawShape>

const TrialExtension = strictObject({
  coupon_id: CouponId,
  type: typed('trial_extension', 'coupon-types'),
  value: sourced('coupon-types', boundedInt(1, TRIAL_DAYS_MAX, 'days')).describe('The days.'),
  ...couponRestrictions,
}).meta({ id: 'TrialExtensionCreate' })

function couponOf<Shape extends z.ZodRawShape>(name: string, amount: Shape) {
  const once = strictObject({ ...amount, ...byDuration.once, ...couponRestrictions })
  const monthly = strictObject({ ...amount, ...byDuration.repeating, ...couponRestrictions })
  return discriminatedUnion('duration', [
    once.meta({ id: `${name}Create` }),
    monthly.meta({ id: `Repeating${name}Create` }),
  ]).meta({ id: `Any${name}Create` })
}

export const CouponCreate = discriminatedUnion('type', [
  couponOf('PercentageCoupon', percentage),
  couponOf('FixedCoupon', fixed),
  TrialExtension,
]).meta({ id: 'CouponCreate', source: '2' })

/** null clears a limit; a field that is absent stays as it is. */
export const CouponPatch = strictObject({
  max_redemptions: Limit.nullable().optional(),
  expires_at: InstantIn.nullable().optional(),
  applies_to_plans: Ids('plans').nullable().optional(),
  applies_to_products: Ids('products').nullable().optional(),
  stackable: Flag.optional(),
}).meta({ id: 'CouponPatch', source: assumed })

export const WirePromotion = strictObject({
  code: sourced('1', string()).describe('What a customer types in.'),
  coupon_id: sourced('1', string()).describe('The coupon it stands for.'),
  starts_at: InstantOut.nullable().describe('From when on, or null.').meta(sandbox),
  expires_at: InstantOut.nullable().describe('Until when, or null.').meta(sandbox),
  max_redemptions: Limit.nullable().describe('How often, or null.').meta(sandbox),
  times_redeemed: Redeemed,
}).meta({ id: 'Promotion', description: 'A code that stands for a coupon.', source: '1' })

export const PromotionCreate = strictObject({
  code: ChosenId,
  coupon_id: Reference.meta({ accepts: 'the identifier of a coupon' }),
  starts_at: InstantIn.optional(),
  expires_at: InstantIn.optional(),
  max_redemptions: Limit.optional(),
}).meta(inSandbox('PromotionCreate'))

export const PromotionPatch = strictObject({
  starts_at: InstantIn.nullable().optional(),
  expires_at: InstantIn.nullable().optional(),
  max_redemptions: Limit.nullable().optional(),
}).meta(inSandbox('PromotionPatch'))

/** A coupon to make; what its type or its duration has no use for is null. */
export function couponOrder(body: z.output<typeof CouponCreate>) {
  const terms = { currency: null, duration: null, durationInMonths: null }
  const limits = { maxRedemptions: null, expiresAt: null }
  return { ...terms, ...limits, appliesToPlans: null, appliesToProducts: null, ...camelKeys(body) }
}
