/** Provider states about subscriptions: that one exists as told, and how near its next event is. */
import * as z from 'zod'
import { TRIAL_DAYS_MAX } from '../../billing/coupon.ts'
import { FailureReason } from '../../billing/payment.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { isTerminal, Status } from '../../billing/status.ts'
import type { Subscription } from '../../billing/subscription.ts'
import { DAY_MS, elapsed } from '../../time/instant.ts'
import { ChosenId } from '../../wire/fields.ts'
import { CLOCK_MAX, refusePastEnd } from '../advance.ts'
import { scriptPayments } from '../commands/payments.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import { before, type Named, shifted } from './interaction.ts'
import { each, ensureCustomer } from './records.ts'
import { providerState, type Scene, type Staged, withActs } from './state.ts'
import { type SubscriptionWish, stageSubscription, TRIAL_DAYS } from './subscription-story.ts'

const COUPONS_MAX = 20

const SubscriptionId = ChosenId.meta({
  description: 'The subscription; without it the one that was named last, else one that is made.',
})

const exists = providerState({
  name: 'a subscription exists',
  description:
    'There is such a subscription: active unless told. It lived through what leads to its status, so that it stands as told at the virtual now: the trial of an active or past due one, where it had one, ended now, and so did the trial of an expired one; the renewal of a past due one failed now; a canceled one was canceled now, or with `cancel_at_period_end` ended now. Customer, plan and coupons that are not there are made; unless told, they are those that the interaction named before, else `cus_ada` and `basic`.',
  params: z
    .strictObject({
      subscription_id: ChosenId.optional().meta({
        description: 'Its identifier; counted unless told.',
      }),
      customer_id: ChosenId.optional().meta({ description: 'The customer.' }),
      plan: ChosenId.optional().meta({ description: 'The plan.' }),
      status: Status.optional().meta({
        accepts: `one of ${Status.options.join(', ')}`,
        description: 'Its status; active unless told.',
      }),
      trial_period_days: z
        .int()
        .min(0)
        .max(TRIAL_DAYS_MAX)
        .optional()
        .meta({
          description: `The days of its trial; ${TRIAL_DAYS} for a trialing or expired one unless told.`,
        }),
      coupon_id: ChosenId.optional().meta({ description: 'The coupon of its discount.' }),
      coupon_ids: z
        .array(ChosenId)
        .min(1)
        .max(COUPONS_MAX)
        .optional()
        .meta({
          accepts: `a list of 1 to ${COUPONS_MAX} identifiers of coupons, without coupon_id beside it`,
          description: 'The coupons of its discounts, in the order in which they were applied.',
        }),
      cancel_at_period_end: z.boolean().optional().meta({
        description: 'Whether it was canceled at the end of its period.',
      }),
      pending_plan: ChosenId.optional().meta({
        description: 'The cheaper plan that takes effect at the next billing cycle.',
      }),
    })
    .refine((params) => params.coupon_id === undefined || params.coupon_ids === undefined, {
      path: ['coupon_ids'],
    }),
  example: { subscription_id: 'sub_abc', status: 'active', coupon_id: 'SAVE20' },
  operations: ['updateSubscription', 'pauseSubscription', 'cancelSubscription', 'applyCoupon'],
  wordings: [
    { text: 'an active subscription exists', params: { status: 'active' } },
    { text: 'a trialing subscription exists', params: { status: 'trialing' } },
    { text: 'a past due subscription exists', params: { status: 'past_due' } },
    { text: 'a paused subscription exists', params: { status: 'paused' } },
    { text: 'a canceled subscription exists', params: { status: 'canceled' } },
    { text: 'an expired subscription exists', params: { status: 'expired' } },
    { text: 'a subscription with the coupon {coupon_id} exists' },
  ],
  stage: (scene, params) =>
    stageSubscription(scene, {
      subscriptionId: params.subscription_id,
      customerId: params.customer_id,
      plan: params.plan,
      status: params.status,
      trialPeriodDays: params.trial_period_days,
      couponIds: params.coupon_ids ?? (params.coupon_id === undefined ? [] : [params.coupon_id]),
      isCanceledAtPeriodEnd: params.cancel_at_period_end,
      pendingPlan: params.pending_plan,
    }),
})

const trialEnds = providerState({
  name: 'the trial ends in N days',
  description:
    'The trial of the subscription ends so many days from the virtual now, because it began that much earlier: the clock stands. A trialing subscription is made where none was named.',
  params: z.strictObject({
    days: z.int().min(1).max(TRIAL_DAYS_MAX).default(3).meta({ description: 'How many days.' }),
    subscription_id: SubscriptionId.optional(),
  }),
  example: { days: 3, subscription_id: 'sub_abc' },
  operations: ['updateSubscription', 'pauseSubscription', 'cancelSubscription', 'applyCoupon'],
  wordings: [
    { text: 'the trial ends in {days} days' },
    { text: 'the trial ends in {days} day' },
    { text: 'the trial ends tomorrow', params: { days: 1 } },
  ],
  stage: async (scene, { days, subscription_id: id }) => {
    const trialPeriodDays = Math.max(TRIAL_DAYS, days)
    const found = await subject(scene, id, { status: 'trialing', trialPeriodDays })
    return isRefusal(found) ? found : moveTrial(found, days)
  },
})

const periodEnds = providerState({
  name: 'the period ends now',
  description:
    'The clock moves on to the very instant at which the running period of the subscription (or its trial) ends. That is settled already: a trial was converted, a period renewed or its subscription canceled, and a payment that was told to fail has failed. An active subscription is made where none was named.',
  params: z.strictObject({ subscription_id: SubscriptionId.optional() }),
  example: { subscription_id: 'sub_abc' },
  operations: ['updateSubscription', 'pauseSubscription', 'cancelSubscription', 'applyCoupon'],
  stage: async (scene, { subscription_id: id }) => {
    const found = await subject(scene, id, {})
    if (isRefusal(found)) return found
    const { interaction, named, subscription } = found
    const { status, currentPeriodEnd } = subscription
    if (status === 'paused' || isTerminal(status)) {
      return refuseStatus(subscription, 'so no period of it ends; trialing, active or past_due')
    }
    if (currentPeriodEnd > CLOCK_MAX) return refusePastEnd('The end of the period')
    return { interaction: { ...interaction, now: currentPeriodEnd }, named }
  },
})

const paymentFails = providerState({
  name: 'the next payment fails',
  description:
    'The next attempt to collect from the subscription fails, or from the customer where that is named; without either, from the subscription or customer that was named last, else from anybody. Later ones succeed again.',
  params: z
    .strictObject({
      reason: FailureReason.default('card_declined').meta({
        accepts: `one of ${FailureReason.options.join(', ')}`,
        description: 'Why.',
      }),
      subscription_id: ChosenId.optional().meta({ description: 'Whose payment fails.' }),
      customer_id: ChosenId.optional().meta({
        accepts: 'the identifier of a customer, without subscription_id beside it',
        description: 'Whose payment fails.',
      }),
    })
    .refine((params) => params.subscription_id === undefined || params.customer_id === undefined, {
      path: ['customer_id'],
    }),
  example: { reason: 'insufficient_funds', subscription_id: 'sub_abc' },
  operations: ['createSubscription', 'updateSubscription'],
  stage: async (scene, { reason, subscription_id: id, customer_id: customerId }) => {
    if (customerId !== undefined) return failing(scene, { customer_id: customerId }, reason)
    const { subscription_id: last, customer_id: lastCustomer } = scene.interaction.named
    if (id !== undefined || last !== undefined) {
      const found = await subject(scene, id, {})
      if (isRefusal(found)) return found
      return failing({ ...scene, interaction: found.interaction }, found.named, reason)
    }
    return failing(scene, lastCustomer === undefined ? {} : { customer_id: lastCustomer }, reason)
  },
})

export const subscriptionStates = [exists, trialEnds, periodEnds, paymentFails]

/** The subscription that a state is about, and the interaction that it is in. */
interface Found extends Staged {
  readonly scene: Scene
  readonly subscription: Subscription
}

/** The subscription that is named, now or before; one like `wish` is made where there is none. */
async function subject(
  scene: Scene,
  asked: string | undefined,
  wish: SubscriptionWish,
): Promise<Found | Refusal> {
  const { interaction, world } = scene
  const known = world.subscriptions.get(asked ?? interaction.named.subscription_id ?? '')
  if (known !== undefined) {
    const { subscriptionId, customerId, planId: plan } = known
    const named = { subscription_id: subscriptionId, customer_id: customerId, plan }
    const remembered = { ...interaction, named: { ...interaction.named, ...named } }
    return { scene, interaction: remembered, named, subscription: known }
  }
  const staged = stageSubscription(scene, { ...wish, subscriptionId: asked })
  if (isRefusal(staged)) return staged
  const imagined = await scene.imagine(staged.interaction)
  if (isRefusal(imagined)) return imagined
  const subscription = imagined.subscriptions.get(staged.named.subscription_id ?? '')
  if (subscription === undefined) throw new Error('A subscription that was made is gone')
  return { ...staged, scene, subscription }
}

function moveTrial({ scene, interaction, named, subscription }: Found, days: number) {
  const { subscriptionId, status, trialEnd } = subscription
  if (status !== 'trialing' || trialEnd === null) {
    return refuseStatus(subscription, 'so no trial of it ends; trialing')
  }
  const millis = elapsed(scene.now, trialEnd) - days * DAY_MS
  const isOwn = interaction.acts.some((act) => act.subscriptionId === subscriptionId)
  if (millis < 0 || (millis > 0 && !isOwn)) {
    return refuse(
      'invalid_transition',
      `days ${days} cannot be: the trial of subscription_id "${subscriptionId}" ends at ${trialEnd} at the latest, and it is ${scene.now}; fewer days would be accepted, or a longer trial_period_days.`,
    )
  }
  const begunAt = before(subscription.createdAt, millis)
  if (isRefusal(begunAt)) return begunAt
  const acts = shifted(interaction.acts, subscriptionId, millis)
  return { interaction: { ...interaction, acts }, named }
}

/** An interaction in which the next payment of whoever is named fails. */
function failing(scene: Scene, named: Named, reason: FailureReason): Staged {
  const { subscription_id: subscriptionId = null, customer_id: customerId = null } = named
  const scope = { subscriptionId, customerId: subscriptionId === null ? customerId : null }
  const perform = (world: World) =>
    each(
      () => (scope.customerId === null ? null : ensureCustomer(world, scope.customerId)),
      () => scriptPayments(world, { scope, outcomes: [reason], always: null }),
    )
  return withActs(scene, [{ at: scene.now, subscriptionId: null, perform }], named)
}

function refuseStatus({ subscriptionId, status }: Subscription, why: string): Refusal {
  return refuse(
    'invalid_transition',
    `subscription_id "${subscriptionId}" is ${status}, ${why} would be accepted.`,
  )
}
