/** Provider states about subscriptions: that one exists as the params say, and how near its next event is. */

import * as z from 'zod'
import { TRIAL_DAYS_MAX } from '../../billing/coupon.ts'
import { FailureReason } from '../../billing/payment.ts'
import { isTerminal } from '../../billing/status.ts'
import type { Subscription } from '../../billing/subscription.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { addMillis, DAY_MS, millisBetween } from '../../time/instant.ts'
import { ChosenId } from '../../wire/common/fields.ts'
import { getRecord } from '../../world/engine.ts'
import {
  makeSubscription,
  type NamedSubscription,
  SubscriptionParams,
  type SubscriptionSpec,
} from './make-subscription.ts'
import { createIfMissing, perform } from './records.ts'
import { TIME } from './start-states.ts'
import { type Draft, moveClockTo, providerState, type StateValues } from './state.ts'

/** The operations on a subscription that is there. */
const operations = [
  'updateSubscription',
  'pauseSubscription',
  'cancelSubscription',
  'applyCoupon',
] as const

const SubscriptionId = ChosenId.describe(
  'The subscription; without it the one that was named last, else one that is made.',
)

const exists = providerState({
  name: 'a subscription exists',
  description:
    'There is such a subscription: active unless given. It lived through what leads to its status, so that it stands as given at the virtual now: the trial of an active or past due one, where it had one, ended now, and so did the trial of an expired one; the renewal of a past due one failed now; a canceled one was canceled now, or with `cancel_at_period_end` ended now. One that has such a past comes before any other state that makes a subscription or a token. Customer, plan and coupons that are not there are made; unless given, they are those that the interaction named before, else `cus_ada` and `basic`.',
  params: SubscriptionParams,
  example: { subscription_id: 'sub_abc', status: 'active', coupon_id: 'SAVE20' },
  operations,
  wordings: {
    'an active subscription exists': { status: 'active' },
    'a trialing subscription exists': { status: 'trialing' },
    'a past due subscription exists': { status: 'past_due' },
    'a paused subscription exists': { status: 'paused' },
    'a canceled subscription exists': { status: 'canceled' },
    'an expired subscription exists': { status: 'expired' },
    'a subscription with the coupon {coupon_id} exists': {},
    'the subscription {subscription_id} exists': {},
    'the subscription {subscription_id} exists on the plan {plan}': {},
    'the subscription {subscription_id} exists with the coupon {coupon_id}': {},
    'the subscription {subscription_id} is {status}': {},
    'the subscription {subscription_id} is in a trial of {trial_period_days} days': {
      status: 'trialing',
    },
  },
  apply: makeSubscription,
})

const trialEnds = providerState({
  name: 'the trial ends in N days',
  description:
    'The clock moves on to so many days before the trial of the subscription ends. Where none was named, one is made with a trial of so many days, and the clock stands.',
  params: z.strictObject({
    days: z.int().min(1).max(TRIAL_DAYS_MAX).default(3).describe('How many days.'),
    subscription_id: SubscriptionId.optional(),
  }),
  example: { days: 3, subscription_id: 'sub_abc' },
  operations,
  wordings: {
    'the trial ends in {days} days': {},
    'the trial ends in {days} day': {},
    'the trial ends tomorrow': { days: 1 },
    'the trial of the subscription {subscription_id} ends in {days} days': {},
  },
  apply: async (draft, { days, subscription_id: id }) => {
    const named = await subscriptionOfState(draft, id, {
      status: 'trialing',
      trial_period_days: days,
    })
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
  operations,
  wordings: { 'the period of the subscription {subscription_id} ends now': {} },
  apply: async (draft, { subscription_id: id }) => {
    const named = await subscriptionOfState(draft, id, {})
    const subscription = getRecord(draft.world.subscriptions, named.subscription_id)
    const { status, currentPeriodEnd } = subscription
    if (status === 'paused' || isTerminal(status)) {
      throw wrongStatus(
        subscription,
        'no period of it ends; it must be trialing, active or past_due',
      )
    }
    await moveClockTo(draft, currentPeriodEnd, 'The end of the period')
    return named
  },
})

const paymentFails = providerState({
  name: 'the next payment fails',
  description:
    'The next attempt to collect from the subscription fails, or from the customer where that is named; without either, from the subscription or customer that was named last, else from anybody. Later ones succeed again.',
  params: z
    .strictObject({
      reason: FailureReason.default('card_declined').describe('Why.'),
      subscription_id: ChosenId.optional().describe('Whose payment fails.'),
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
  wordings: { 'the next payment of the subscription {subscription_id} fails': {} },
  apply: async (draft, { reason, ...params }) => {
    const isNamed = params.subscription_id !== undefined || params.customer_id !== undefined
    const { subscription_id, customer_id } = isNamed ? params : draft.named
    let named: StateValues = customer_id === undefined ? {} : { customer_id }
    let scope = named
    if (subscription_id !== undefined) {
      named = await subscriptionOfState(draft, subscription_id, {})
      scope = { subscription_id }
    } else if (customer_id !== undefined)
      await createIfMissing(draft.world, ['customers', customer_id])
    await perform(draft.world, 'scriptPaymentOutcomes', { ...scope, outcomes: [reason] })
    return named
  },
})

export const subscriptionStates = [exists, trialEnds, periodEnds, paymentFails]

/** Names the subscription that a state is about, or was named last; one like `spec` is made if it does not exist. */
async function subscriptionOfState(
  draft: Draft,
  subscription_id: string | undefined,
  spec: SubscriptionSpec,
): Promise<NamedSubscription> {
  const known = draft.world.subscriptions.get(subscription_id ?? draft.named.subscription_id ?? '')
  if (known === undefined) return makeSubscription(draft, { ...spec, subscription_id })
  const { subscriptionId, customerId, planId: plan } = known
  return { subscription_id: subscriptionId, customer_id: customerId, plan }
}

async function moveBeforeTrialEnd(draft: Draft, named: NamedSubscription, days: number) {
  const subscription = getRecord(draft.world.subscriptions, named.subscription_id)
  const { subscriptionId, status, trialEnd } = subscription
  if (status !== 'trialing' || trialEnd === null) {
    throw wrongStatus(subscription, 'no trial of it ends; it must be trialing')
  }
  const now = draft.world.clock.now()
  const left = millisBetween(now, trialEnd) - days * DAY_MS
  if (left === 0) return
  if (left < 0) {
    const message = `days ${days} reach past the trial of subscription_id "${subscriptionId}": it ends at ${trialEnd}, and it is ${now}; take fewer days, or a longer trial_period_days.`
    throw new RefusalError('invalid_transition', message)
  }
  const at = addMillis(now, left)
  const other = draft.happened.find((each) => each.subscriptionId !== subscriptionId)
  const fixed = other?.state ?? (draft.statedTime === now ? TIME : null)
  if (fixed === null) return moveClockTo(draft, at)
  const message = `the clock would move on to ${at}, but "${fixed}" holds at ${now}; put that state last, or name a trial_period_days of ${days}.`
  throw new RefusalError('invalid_transition', message)
}

function wrongStatus({ subscriptionId, status }: Subscription, why: string): RefusalError {
  const message = `subscription_id "${subscriptionId}" is ${status}: ${why}.`
  return new RefusalError('invalid_transition', message)
}
