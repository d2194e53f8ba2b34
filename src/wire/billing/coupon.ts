/**
 * Coupons and promotions on the wire. Which fields go together is said by the shapes themselves, so that a document
 * made from them says it too. (Interface section 2)
 */
import * as z from 'zod'
import { discriminatedUnion, literal, number, strictObject, string } from 'zod'
import {
  COUPON_MONTHS_MAX,
  CouponDuration,
  CouponType,
  LISTED_MAX,
  TRIAL_DAYS_MAX,
} from '../../billing/coupon.ts'
import { AMOUNT_MAX, isExactPercent, PERCENT_DECIMALS } from '../../billing/money.ts'
import {
  boundedInt,
  boundedList,
  ChosenId,
  Currency,
  CurrencyIn,
  describedAs,
  Flag,
  InstantIn,
  InstantOut,
  inSandbox,
  Limit,
  Natural,
  named,
  objectFrom,
  Reference,
  referenceTo,
  sourced,
  Texts,
} from '../common/fields.ts'

const assumed = 'coupon-fields'
const unchanged = 'An absent field is unchanged; null removes a limit.'

/** The durations that the interface does not show. */
export const durationMembers = { once: 'coupon-durations', forever: 'coupon-durations' }

const Months = boundedInt(1, COUPON_MONTHS_MAX)

const Redeemed = sourced('redemption-count', Natural).describe(
  'The number of redemptions. It never decreases.',
)

export const WireCoupon = objectFrom(assumed, {
  coupon_id: sourced('2', string()).describe('The identifier of the coupon.'),
  type: CouponType.meta({
    description: 'The type of the coupon, which says what `value` means.',
    source: '2',
    members: { trial_extension: 'coupon-types' },
  }),
  value: sourced('2', number().gt(0)).describe(
    'The discount by `type`: a percentage, an amount in minor units, or days of trial.',
  ),
  currency: Currency.nullable().describe(
    'The ISO 4217 code of the currency of a `fixed` coupon; null for other types.',
  ),
  duration: CouponDuration.nullable().meta({
    description: 'How long the discount lasts; null for a trial extension.',
    source: '2',
    members: durationMembers,
  }),
  duration_in_months: sourced('2', Months.nullable()).describe(
    'How many months the discount of a `repeating` coupon lasts; null for other durations.',
  ),
  max_redemptions: Limit.nullable().describe(
    'How often the coupon can be redeemed; null without a limit.',
  ),
  expires_at: InstantOut.nullable().describe(
    'The instant from which the coupon cannot be redeemed; null where it does not expire.',
  ),
  applies_to_plans: Texts.nullable().describe(
    'The only plans that the coupon applies to, by identifier; null for all.',
  ),
  applies_to_products: Texts.nullable().describe(
    'The only products that the coupon applies to, by identifier; null for all.',
  ),
  stackable: sourced('stacking-needs-both', Flag).describe(
    'Whether the discount can be combined with other stackable discounts. If not, a new coupon replaces it.',
  ),
  times_redeemed: Redeemed,
}).meta(named('2', 'Coupon', 'A coupon: a rule for a discount or a longer trial.'))

const Ids = (of: string) =>
  sourced(assumed, boundedList(Reference, LISTED_MAX, `identifiers of ${of}`))

const limitFields = {
  max_redemptions: Limit,
  expires_at: InstantIn,
  applies_to_plans: Ids('plans'),
  applies_to_products: Ids('products'),
}

export const couponRestrictions = describedAs(WireCoupon, {
  ...objectFrom(assumed, limitFields).partial().shape,
  stackable: sourced(assumed, Flag.default(false)),
}).shape

const CouponId = sourced('2', ChosenId).describe('The identifier of the coupon, which you choose.')

const typed = <Type extends z.output<typeof CouponType>>(type: Type, source: string) =>
  literal(type).meta({
    accepts: `one of ${CouponType.options.join(', ')}`,
    description: `The type of the coupon: always \`${type}\`.`,
    source,
  })

const percentage = {
  coupon_id: CouponId,
  type: typed('percentage', '2'),
  value: number()
    .min(1 / 10 ** PERCENT_DECIMALS)
    .max(100)
    .refine(isExactPercent)
    .meta({
      accepts: `a number above 0, at most 100, with at most ${PERCENT_DECIMALS} decimals`,
      description: `The percentage to take off, with at most ${PERCENT_DECIMALS} decimals.`,
      source: '2',
    }),
}

const fixed = {
  coupon_id: CouponId,
  type: typed('fixed', '2'),
  value: sourced('fixed-value-unit', boundedInt(1, AMOUNT_MAX, 'minor units')).describe(
    'The amount to take off, in minor units.',
  ),
  currency: CurrencyIn.describe('The ISO 4217 code of the currency of the amount.'),
}

const lasts = 'How long the discount lasts: for one invoice, or for all of them.'

const durationNames = `one of ${CouponDuration.options.join(', ')}`

/** Once unless another is named: the documented tool creates coupons without naming a duration. */
const plain = {
  duration: z
    .enum(['once', 'forever'])
    .default('once')
    .meta({ accepts: durationNames, description: lasts, source: 'coupon-durations' }),
}

/** The fields that go with each duration. */
const byDuration = {
  once: plain,
  forever: plain,
  repeating: {
    duration: literal('repeating').meta({
      accepts: durationNames,
      description: 'How long the discount lasts: always `repeating`, for some months.',
      source: '2',
    }),
    duration_in_months: sourced('2', Months).describe('How many months the discount lasts.'),
  },
} satisfies Record<CouponDuration, z.ZodRawShape>

const TrialExtension = strictObject({
  coupon_id: CouponId,
  type: typed('trial_extension', 'coupon-types'),
  value: sourced(
    'coupon-types',
    boundedInt(1, TRIAL_DAYS_MAX, 'days').meta({ examples: [14] }),
  ).describe('The days to add to a trial.'),
  ...couponRestrictions,
}).meta({
  id: 'TrialExtensionCreate',
  description: 'A coupon to create that makes a trial longer.',
})

function couponOf<Shape extends z.ZodRawShape>(name: string, what: string, amount: Shape) {
  const once = strictObject({ ...amount, ...byDuration.once, ...couponRestrictions })
  const monthly = strictObject({ ...amount, ...byDuration.repeating, ...couponRestrictions })
  return discriminatedUnion('duration', [
    once.meta({ id: `${name}Create`, description: `${what}, once or forever.` }),
    monthly.meta({ id: `Repeating${name}Create`, description: `${what}, for some months.` }),
  ])
}

export const CouponCreate = discriminatedUnion('type', [
  couponOf('PercentageCoupon', 'A coupon to create that takes off a percentage', percentage),
  couponOf('FixedCoupon', 'A coupon to create that takes off an amount', fixed),
  TrialExtension,
]).meta(named('2', 'CouponCreate', 'The coupon to create.'))

export const CouponPatch = describedAs(WireCoupon, {
  max_redemptions: Limit.nullable().optional(),
  expires_at: InstantIn.nullable().optional(),
  applies_to_plans: Ids('plans').nullable().optional(),
  applies_to_products: Ids('products').nullable().optional(),
  stackable: Flag.optional(),
}).meta(named(assumed, 'CouponPatch', `The coupon with its changes. ${unchanged}`))

export const WirePromotion = strictObject({
  code: sourced('1', string()).describe('The code that customers enter.'),
  coupon_id: sourced('1', string()).describe(
    'The identifier of the coupon that the code stands for.',
  ),
  starts_at: sourced('sandbox', InstantOut.nullable()).describe(
    'The instant from which the code can be redeemed; null without a start.',
  ),
  expires_at: sourced('sandbox', InstantOut.nullable()).describe(
    'The instant from which the code can no longer be redeemed; null without an end.',
  ),
  max_redemptions: sourced('sandbox', Limit.nullable()).describe(
    'How often the code can be redeemed; null without a limit.',
  ),
  times_redeemed: Redeemed,
}).meta(named('1', 'Promotion', 'A promotion: a code that stands for a coupon.'))

export const PromotionCreate = describedAs(WirePromotion, {
  code: ChosenId,
  coupon_id: referenceTo('coupon'),
  starts_at: InstantIn.optional(),
  expires_at: InstantIn.optional(),
  max_redemptions: Limit.optional(),
}).meta(inSandbox('PromotionCreate', 'The promotion to create.'))

export const PromotionPatch = describedAs(WirePromotion, {
  starts_at: InstantIn.nullable().optional(),
  expires_at: InstantIn.nullable().optional(),
  max_redemptions: Limit.nullable().optional(),
}).meta(inSandbox('PromotionPatch', `The promotion with its changes. ${unchanged}`))
