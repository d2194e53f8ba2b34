/** Provider states about coupons: that one exists, or why one cannot be redeemed. */
import * as z from 'zod'
import { type Coupon, CouponDuration, CouponType, covers, isLimited } from '../../billing/coupon.ts'
import { CouponCreate, couponRestrictions } from '../../wire/billing/coupon.ts'
import { ChosenId, CurrencyIn } from '../../wire/common/fields.ts'
import { getRecord } from '../../world/engine.ts'
import type { World } from '../../world/world.ts'
import { makeSubscription } from './make-subscription.ts'
import { couponTerms, createIfMissing, perform, replaceRecord, usual } from './records.ts'
import { providerState } from './state.ts'

/** An expiry that lies in the past of any virtual time. */
const LONG_AGO = '1970-01-01T00:00:00.000Z'

const terms = {
  type: CouponType.optional().describe('What `value` means; percentage unless given.'),
  value: z.number().optional().meta({
    accepts:
      'a percent above 0 and at most 100, an amount of minor units, or a number of days, by type',
    description: 'The percent, an amount of minor units, or days, by `type`.',
  }),
  currency: CurrencyIn.optional().meta({
    accepts: 'the ISO 4217 code of a currency in use, such as USD, for a fixed coupon only',
  }),
  duration: CouponDuration.optional().meta({
    accepts: 'one of once, repeating, forever, and none for a trial extension',
    description: 'How long its discount lasts; once unless given.',
  }),
  duration_in_months: z.int().optional().meta({
    accepts: 'an integer from 1 to 1200, for a repeating coupon only',
    description: 'The months of a repeating one.',
  }),
}

const exists = providerState({
  name: 'a coupon exists',
  description:
    'There is such a coupon. With an identifier alone, one that is there stays as it is; else it has just these terms: 20 percent once unless given. Plans and products that it is limited to are made where they are not there.',
  params: z
    .strictObject({
      coupon_id: ChosenId.default(usual.couponId),
      ...terms,
      ...couponRestrictions,
      stackable: couponRestrictions.stackable.unwrap().optional(),
    })
    // What goes together in a coupon is said by the shape that creates one.
    .superRefine(({ coupon_id: id, ...given }, context) => {
      const result = CouponCreate.safeParse(couponTerms(id, given))
      for (const issue of result.error?.issues ?? []) {
        const fields = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path[0] ?? 'type']
        for (const field of fields) context.addIssue({ code: 'custom', path: [String(field)] })
      }
    }),
  example: { coupon_id: 'SPRING25', type: 'percentage', value: 25, duration: 'once' },
  operations: ['applyCoupon'],
  wordings: { 'the coupon {coupon_id} exists': {} },
  apply: async ({ world }, { coupon_id, ...given }) => {
    await replaceRecord(world, ['coupons', coupon_id], given)
    return { coupon_id }
  },
})

const expired = providerState({
  name: 'a coupon is expired',
  description:
    'The coupon can be redeemed no more since long ago; discounts that it left run on. Made where it is not there.',
  params: z.strictObject({ coupon_id: ChosenId.default('EXPIRED') }),
  example: { coupon_id: 'EXPIRED' },
  operations: ['applyCoupon'],
  wordings: { 'the coupon {coupon_id} is expired': {} },
  apply: async ({ world }, { coupon_id }) => {
    await createIfMissing(world, ['coupons', coupon_id])
    await perform(world, 'changeCoupon', { coupon_id, expires_at: LONG_AGO })
    return { coupon_id }
  },
})

const exhausted = providerState({
  name: 'a coupon is exhausted',
  description:
    'The coupon was redeemed as often as it may be: somebody else took the last redemption. Made where it is not there.',
  params: z.strictObject({ coupon_id: ChosenId.default('LAST1') }),
  example: { coupon_id: 'LAST1' },
  operations: ['applyCoupon'],
  wordings: { 'the coupon {coupon_id} is exhausted': {} },
  apply: async ({ world }, { coupon_id }) => {
    await createIfMissing(world, ['coupons', coupon_id])
    const coupon = getRecord(world.coupons, coupon_id)
    if (coupon.timesRedeemed === 0) await redeemElsewhere(world, coupon)
    const max_redemptions = Math.max(1, coupon.timesRedeemed)
    await perform(world, 'changeCoupon', { coupon_id, max_redemptions })
    return { coupon_id }
  },
})

const notApplicable = providerState({
  name: 'a coupon is not applicable',
  description:
    'The coupon is limited to other plans than the one named, or that of the subscription, or else `basic`. Made where it is not there.',
  params: z.strictObject({
    coupon_id: ChosenId.default('PROONLY'),
    subscription_id: ChosenId.optional().describe('Whose plan it is limited against.'),
    plan: ChosenId.optional().describe('The plan that it does not apply to.'),
  }),
  example: { coupon_id: 'PROONLY', plan: 'basic' },
  operations: ['applyCoupon'],
  wordings: {
    'the coupon {coupon_id} is not applicable': {},
    'the coupon {coupon_id} is not applicable to the subscription {subscription_id}': {},
  },
  apply: async (draft, { coupon_id, subscription_id, plan }) => {
    const isMissing =
      subscription_id !== undefined && !draft.world.subscriptions.has(subscription_id)
    const made = isMissing ? await makeSubscription(draft, { subscription_id, plan }) : {}
    const { world, named } = draft
    const taken = world.subscriptions.get(subscription_id ?? named.subscription_id ?? '')
    const planId = plan ?? taken?.planId ?? usual.planId
    await createIfMissing(world, ['coupons', coupon_id])
    await createIfMissing(world, ['plans', planId])
    if (covers(getRecord(world.coupons, coupon_id), getRecord(world.plans, planId))) {
      const other = planId === usual.higherPlanId ? usual.planId : usual.higherPlanId
      await createIfMissing(world, ['plans', other])
      await perform(world, 'changeCoupon', { coupon_id, applies_to_plans: [other] })
    }
    return { ...made, coupon_id }
  },
})

export const couponStates = [exists, expired, exhausted, notApplicable]

/** Has somebody else redeem a coupon: with a charge, or, where it is not for charges, with a subscription. */
async function redeemElsewhere(world: World, coupon: Coupon): Promise<void> {
  // Another one each time: the first charge of a customer decides the currency of all.
  const customer_id = `cus_somebody_else_${world.customers.size}`
  const redeemer = { customer_id, coupon_id: coupon.couponId }
  await createIfMissing(world, ['customers', customer_id])
  // Outcomes that another state scripted are for the payments of the interaction.
  await perform(world, 'scriptPaymentOutcomes', { customer_id, outcomes: ['succeed'] })
  const currency = coupon.currency ?? usual.currency
  if (coupon.type !== 'trial_extension' && !isLimited(coupon)) {
    return perform(world, 'createCharge', { ...redeemer, amount: 1000, currency })
  }
  const covered = [...world.plans.values()].find((each) => covers(coupon, each))
  const [product_id] = coupon.appliesToProducts ?? []
  // A product may have no plan as yet.
  const plan = covered?.planId ?? (product_id ? `plan_of_others_${world.plans.size}` : usual.planId)
  await createIfMissing(world, ['plans', plan], { currency, ...(product_id && { product_id }) })
  await perform(world, 'createSubscriptionAtCheckout', { ...redeemer, plan })
}
