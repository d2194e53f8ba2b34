/** Provider states about coupons: that one exists, or why one cannot be redeemed. */
import * as z from 'zod'
import { type Coupon, CouponDuration, CouponType, covers, isLimited } from '../../billing/coupon.ts'
import { isRefusal } from '../../billing/refusal.ts'
import { DAY_MS } from '../../time/instant.ts'
import { CouponCreate, couponRestrictions } from '../../wire/coupon.ts'
import { ChosenId, Currency } from '../../wire/fields.ts'
import { find } from '../answer.ts'
import { changeCoupon } from '../commands/catalog.ts'
import { charge } from '../commands/charges.ts'
import { subscribe } from '../commands/subscriptions.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import { before, unasked } from './interaction.ts'
import {
  couponTerms,
  each,
  ensureCoupon,
  ensureCustomer,
  ensurePlan,
  putCoupon,
  usual,
} from './records.ts'
import { providerState, type Scene, type Staged, withActs } from './state.ts'
import { stageSubscription } from './subscription-story.ts'

const terms = {
  type: CouponType.optional().meta({
    accepts: `one of ${CouponType.options.join(', ')}`,
    description: 'What `value` means; percentage unless told.',
  }),
  value: z.number().optional().meta({
    accepts:
      'a percent above 0 and at most 100, an amount of minor units, or a number of days, by type',
    description: 'The percent, an amount of minor units, or days, by `type`.',
  }),
  currency: Currency.optional().meta({
    accepts: 'a currency of three letters such as USD, for a fixed coupon only',
  }),
  duration: CouponDuration.optional().meta({
    accepts: 'one of once, repeating, forever, and none for a trial extension',
    description: 'How long its discount lasts; once unless told.',
  }),
  duration_in_months: z.int().optional().meta({
    accepts: 'an integer from 1 to 1200, for a repeating coupon only',
    description: 'The months of a repeating one.',
  }),
}

const exists = providerState({
  name: 'a coupon exists',
  description:
    'There is such a coupon. With an identifier alone, one that is there stays as it is; else it has just these terms: 20 percent once unless told. Plans and products that it is limited to are made where they are not there.',
  params: z
    .strictObject({
      coupon_id: ChosenId.default(usual.couponId),
      ...terms,
      ...couponRestrictions,
      stackable: couponRestrictions.stackable.unwrap().optional(),
    })
    .superRefine(refuseTerms),
  example: { coupon_id: 'SPRING25', type: 'percentage', value: 25, duration: 'once' },
  operations: ['applyCoupon'],
  stage: (scene, { coupon_id: id, ...said }) => {
    const put = Object.keys(said).length === 0 ? ensureCoupon : putCoupon
    const perform = (world: World) => put(world, id, said)
    return withActs(scene, [{ at: null, subscriptionId: null, perform }], { coupon_id: id })
  },
})

const expired = providerState({
  name: 'a coupon is expired',
  description:
    'The coupon can be redeemed no more since a day ago; discounts that it left run on. Made where it is not there.',
  params: z.strictObject({ coupon_id: ChosenId.default('EXPIRED') }),
  example: { coupon_id: 'EXPIRED' },
  operations: ['applyCoupon'],
  stage: (scene, { coupon_id: id }) => {
    const expiresAt = before(scene.now, DAY_MS)
    if (isRefusal(expiresAt)) return expiresAt
    return changed(scene, id, (world, { expiresAt: expiry }) =>
      expiry !== null && expiry <= scene.now
        ? null
        : each(() => changeCoupon(world, id, { expiresAt })),
    )
  },
})

const exhausted = providerState({
  name: 'a coupon is exhausted',
  description:
    'The coupon was redeemed as often as it may be: somebody else took the last redemption. Made where it is not there.',
  params: z.strictObject({ coupon_id: ChosenId.default('LAST1') }),
  example: { coupon_id: 'LAST1' },
  operations: ['applyCoupon'],
  stage: (scene, { coupon_id: id }) =>
    changed(scene, id, (world, { timesRedeemed }) =>
      each(
        () => (timesRedeemed === 0 ? redeemElsewhere(world, id) : null),
        () => changeCoupon(world, id, { maxRedemptions: Math.max(1, timesRedeemed) }),
      ),
    ),
})

const notApplicable = providerState({
  name: 'a coupon is not applicable',
  description:
    'The coupon is limited to other plans than the one named, or that of the subscription, or else `basic`. Made where it is not there.',
  params: z.strictObject({
    coupon_id: ChosenId.default('PROONLY'),
    subscription_id: ChosenId.optional().meta({ description: 'Whose plan it is limited against.' }),
    plan: ChosenId.optional().meta({ description: 'The plan that it does not apply to.' }),
  }),
  example: { coupon_id: 'PROONLY', plan: 'basic' },
  operations: ['applyCoupon'],
  stage: (scene, { coupon_id: id, subscription_id: asked, plan }) => {
    const subscriptionId = asked ?? scene.interaction.named.subscription_id
    const known = scene.world.subscriptions.get(subscriptionId ?? '')
    if (known !== undefined || asked === undefined) {
      return limited(scene, id, plan ?? known?.planId ?? usual.planId)
    }
    const made = stageSubscription(scene, { subscriptionId: asked, plan })
    if (isRefusal(made)) return made
    const planId = plan ?? made.named.plan ?? usual.planId
    const { interaction, named } = limited({ ...scene, ...made }, id, planId)
    return { interaction, named: { ...made.named, ...named } }
  },
})

export const couponStates = [exists, expired, exhausted, notApplicable]

/** What goes together in a coupon is said by the shape that creates one. */
function refuseTerms(
  { coupon_id: id, ...said }: { coupon_id: string },
  context: z.core.$RefinementCtx,
): void {
  const result = CouponCreate.safeParse(couponTerms(id, said))
  for (const issue of result.error?.issues ?? []) {
    const fields = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path[0] ?? 'type']
    for (const field of fields) context.addIssue({ code: 'custom', path: [String(field)] })
  }
}

/** An interaction in which a coupon, made where it is not there, is changed now. */
function changed(
  scene: Scene,
  couponId: string,
  change: (world: World, coupon: Coupon) => Refusal | null,
): Staged {
  const perform = (world: World) => {
    const missing = ensureCoupon(world, couponId)
    if (missing !== null) return missing
    const coupon = find(world.coupons, { field: 'coupon_id', id: couponId })
    return isRefusal(coupon) ? coupon : change(world, coupon)
  }
  const act = { at: scene.now, subscriptionId: null, perform }
  return withActs(scene, [act], { coupon_id: couponId })
}

/** Has somebody else redeem a coupon: with a charge, or, where it is not for charges, with a subscription. */
function redeemElsewhere(world: World, couponId: string): Refusal | null {
  const coupon = world.coupons.get(couponId)
  if (coupon === undefined) return null
  const customerId = 'cus_somebody_else'
  const isForCharges = coupon.type !== 'trial_extension' && !isLimited(coupon)
  const currency = coupon.currency ?? usual.currency
  const planId =
    [...world.plans.values()].find((plan) => covers(coupon, plan))?.planId ?? usual.planId
  const checkout = {
    customerId,
    plan: planId,
    trialPeriodDays: null,
    couponId,
    promotionCode: null,
  }
  return each(
    () => ensureCustomer(world, customerId),
    () => (isForCharges ? null : ensurePlan(world, planId)),
    () =>
      isForCharges
        ? charge(world, { customerId, amount: 1000, currency, couponId }, unasked)
        : subscribe(world, checkout, unasked),
  )
}

/** An interaction in which a coupon does not cover a plan. */
function limited(scene: Scene, couponId: string, planId: string): Staged {
  return changed(scene, couponId, (world, coupon) => limitToOthers(world, coupon, planId))
}

function limitToOthers(world: World, coupon: Coupon, planId: string): Refusal | null {
  const missing = ensurePlan(world, planId)
  const plan = world.plans.get(planId)
  if (missing !== null || plan === undefined || !covers(coupon, plan)) return missing
  const other = planId === usual.higherPlanId ? usual.planId : usual.higherPlanId
  return each(
    () => ensurePlan(world, other),
    () => changeCoupon(world, coupon.couponId, { appliesToPlans: [other] }),
  )
}
