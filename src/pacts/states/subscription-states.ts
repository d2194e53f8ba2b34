/** Provider states about subscriptions: that one exists as the params say, and how near its next event is. */

import * as z from 'zod'
import { TRIAL_DAYS_MAX } from '../../billing/coupon.ts'
import { FailureReason } from '../../billing/payment.ts'
import { isTerminal } from '../../billing/status.ts'
import type { Subscription } from '../../billing/subscription.ts'
import { DAY_MS, plus } from '../../time/instant.ts'
import { ChosenId } from '../../wire/fields.ts'
import { CLOCK_MAX, refusePastEnd } from '../../world/advance.ts'
import { scriptPayments } from '../../world/commands/payments.ts'
import type { World } from '../../world/world.ts'
import { type Draft, moveClockTo, type Named } from './draft.ts'
import {
  makeSubscription,
  type NamedSubscription,
  SubscriptionParams,
  type SubscriptionSpec,
} from './make-subscription.ts'
import { ensure, recordOf } from './records.ts'
import { must, stop } from './refused.ts'
import { TIME } from './start-states.ts'
import { providerState } from './state.ts'

const SubscriptionId = ChosenId.meta({
  description: 'The subscription; without it the one that was named last, else one that is made.',
})

const exists = providerState({
  name: 'a subscription exists',
  description:
    'There is such a subscription: active unless given. It lived through what leads to its status, so that it stands as given at the virtual now: the trial of an active or past due one, where it had one, ended now, and so did the trial of an expired one; the renewal of a past due one failed now; a canceled one was canceled now, or with `cancel_at_period_end` ended now. One that has such a past comes before any other state that makes a subscription or a token. Customer, plan and coupons that are not there are made; unless given, they are those that the interaction named before, else `cus_ada` and `basic`.',
  params: SubscriptionParams,
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
    { text: 'the subscription {subscription_id} exists' },
    { text: 'the subscription {subscription_id} exists on the plan {plan}' },
    { text: 'the subscription {subscription_id} exists with the coupon {coupon_id}' },
    { text: 'the subscription {subscription_id} is {status}' },
    {
      text: 'the subscription {subscription_id} is in a trial of {trial_period_days} days',
      params: { status: 'trialing' },
    },
  ],
  apply: makeSubscription,
})

const trialEnds = providerState({
  name: 'the trial ends in N days',
  description:
    'The clock moves on to so many days before the trial of the subscription ends. Where none was named, one is made with a trial of so many days, and the clock stands.',
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
    { text: 'the trial of the subscription {subscription_id} ends in {days} days' },
  ],
  apply: async (draft, { days, subscription_id: id }) => {
    const made = { status: 'trialing', trial_period_days: days } as const
    const named = await subject(draft, id, made)
    await moveBeforeTrialEnd(draft, named, days)
    return named
  },
})

const periodEnds = providerState({
  name: 'the period ends now',
  description:
    'The clock moves on to the very instant at which the running period of the subscription (or its trial) ends. That is settled already: a trial was converted, a period renewed or its subscription canceled, and a payment that was scripted to fail has failed. An active subscription is made where none was named.',
  params: z.strictObject({ subscription_id: SubscriptionId.optional() }),
  example: { subscription_id: 'sub_abc' },
  operations: ['updateSubscription', 'pauseSubscription', 'cancelSubscription', 'applyCoupon'],
  wordings: [{ text: 'the period of the subscription {subscription_id} ends now' }],
  apply: async (draft, { subscription_id: id }) => {
    const named = await subject(draft, id, {})
    const subscription = recordOf(draft.world.subscriptions, named.subscription_id)
    const { status, currentPeriodEnd } = subscription
    if (status === 'paused' || isTerminal(status)) {
      stopAtStatus(subscription, 'no period of it ends; it must be trialing, active or past_due')
    }
    if (currentPeriodEnd > CLOCK_MAX) must(refusePastEnd('The end of the period'))
    await moveClockTo(draft, currentPeriodEnd)
    return named
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
  wordings: [{ text: 'the next payment of the subscription {subscription_id} fails' }],
  apply: async (draft, { reason, subscription_id: id, customer_id: customerId }) => {
    if (customerId !== undefined) return failNext(draft.world, { customer_id: customerId }, reason)
    const { subscription_id: last, customer_id } = draft.named
    if (id === undefined && last === undefined) {
      return failNext(draft.world, customer_id === undefined ? {} : { customer_id }, reason)
    }
    return failNext(draft.world, await subject(draft, id, {}), reason)
  },
})

export const subscriptionStates = [exists, trialEnds, periodEnds, paymentFails]

/** Names the subscription that a state is about, or was named last; one like `spec` is made where there is none. */
async function subject(
  draft: Draft,
  asked: string | undefined,
  spec: SubscriptionSpec,
): Promise<NamedSubscription> {
  const known = draft.world.subscriptions.get(asked ?? draft.named.subscription_id ?? '')
  if (known === undefined) return makeSubscription(draft, { ...spec, subscription_id: asked })
  return {
    subscription_id: known.subscriptionId,
    customer_id: known.customerId,
    plan: known.planId,
  }
}

async function moveBeforeTrialEnd(draft: Draft, named: NamedSubscription, days: number) {
  const subscription = recordOf(draft.world.subscriptions, named.subscription_id)
  const { subscriptionId, status, trialEnd } = subscription
  if (status !== 'trialing' || trialEnd === null) {
    return stopAtStatus(subscription, 'no trial of it ends; it must be trialing')
  }
  const now = draft.world.clock.now()
  const at = plus(trialEnd, -days * DAY_MS)
  if (at === now) return
  if (at < now) {
    stop(
      'invalid_transition',
      `days ${days} reach past the trial of subscription_id "${subscriptionId}": it ends at ${trialEnd}, and it is ${now}; take fewer days, or a longer trial_period_days.`,
    )
  }
  const other = draft.happened.find((each) => each.subscriptionId !== subscriptionId)
  const fixed = other?.state ?? (draft.statedTime === now ? TIME : null)
  if (fixed === null) return moveClockTo(draft, at)
  stop(
    'invalid_transition',
    `the clock would move on to ${at}, but "${fixed}" holds at ${now}; put that state last, or name a trial_period_days of ${days}.`,
  )
}

/** Has the next payment of the subscription or customer that is named fail, or without one that of anybody. */
function failNext(world: World, named: Named, reason: FailureReason): Named {
  const { subscription_id: subscriptionId = null, customer_id = null } = named
  const customerId = subscriptionId === null ? customer_id : null
  if (customerId !== null) ensure(world, ['customers', customerId])
  const scope = { subscriptionId, customerId }
  must(scriptPayments(world, { scope, outcomes: [reason], always: null }))
  return named
}

function stopAtStatus({ subscriptionId, status }: Subscription, why: string): never {
  return stop('invalid_transition', `subscription_id "${subscriptionId}" is ${status}: ${why}.`)
}
