/**
 * Makes the subscription that a provider state asks for: by commands and due items of the real engine, which bring it to
 * its status. At the end it is checked that they did.
 */
import * as z from 'zod'
import { intervalOf } from '../../billing/catalog.ts'
import { TRIAL_DAYS_MAX } from '../../billing/coupon.ts'
import type { ScriptedOutcome } from '../../billing/payment.ts'
import { Status } from '../../billing/status.ts'
import { DAY_MS, type Instant } from '../../time/instant.ts'
import { boundary, type Interval } from '../../time/period.ts'
import { ChosenId } from '../../wire/fields.ts'
import { changeCustomer } from '../../world/commands/catalog.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  nextSubscription,
  pause,
  subscribe,
} from '../../world/commands/subscriptions.ts'
import { putRecord, type World } from '../../world/world.ts'
import { before, type Draft, moveClockTo, type Named, noRequest, startAt } from './draft.ts'
import { ensure, recordOf, usual } from './records.ts'
import { must, stop } from './refused.ts'

const COUPONS_MAX = 20

/** The days of a trial of which nothing else is said. */
const TRIAL_DAYS = 14

/** What a state says of a subscription; the defaults of the rest are here. */
export const SubscriptionParams = z
  .strictObject({
    subscription_id: ChosenId.optional().meta({
      description: 'Its identifier; counted unless given.',
    }),
    customer_id: ChosenId.optional().meta({ description: 'The customer.' }),
    plan: ChosenId.optional().meta({ description: 'The plan.' }),
    status: Status.optional().meta({
      accepts: `one of ${Status.options.join(', ')}`,
      description: 'Its status; active unless given.',
    }),
    trial_period_days: z
      .int()
      .min(0)
      .max(TRIAL_DAYS_MAX)
      .optional()
      .meta({
        description: `The days of its trial; ${TRIAL_DAYS} for a trialing or expired one unless given.`,
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
  })
export type SubscriptionSpec = z.output<typeof SubscriptionParams>

/** A spec with nothing left open. */
type Order = ReturnType<typeof orderOf>

/** Values that name a subscription. */
export type NamedSubscription = Named & Required<Pick<Named, 'subscription_id'>>

/** Makes a subscription that stands at the virtual now as the spec says. Stops where billing leads to another status. */
export async function makeSubscription(
  draft: Draft,
  spec: SubscriptionSpec,
): Promise<NamedSubscription> {
  const order = orderOf(draft, spec)
  await build(draft, order)
  const { subscriptionId: subscription_id, customerId: customer_id, plan, couponIds } = order
  const [coupon_id] = couponIds
  const made = { subscription_id, customer_id, plan }
  return coupon_id === undefined ? made : { ...made, coupon_id }
}

function orderOf(draft: Draft, spec: SubscriptionSpec) {
  const { named, world } = draft
  const { coupon_id, status = 'active', pending_plan: pendingPlan = null } = spec
  const hasTrial = status === 'trialing' || status === 'expired'
  return {
    subscriptionId: must(nextSubscription(world, spec.subscription_id)).subscriptionId,
    customerId: spec.customer_id ?? named.customer_id ?? usual.customerId,
    plan: spec.plan ?? named.plan ?? (pendingPlan === null ? usual.planId : usual.higherPlanId),
    status,
    trialPeriodDays: spec.trial_period_days ?? (hasTrial ? TRIAL_DAYS : null),
    couponIds: spec.coupon_ids ?? (coupon_id === undefined ? [] : [coupon_id]),
    isCanceledAtPeriodEnd: spec.cancel_at_period_end ?? false,
    pendingPlan,
  }
}

/** Creates a subscription, in the past where it must be older, and brings it to the status that it has now. */
async function build(draft: Draft, order: Order): Promise<void> {
  const now = draft.world.clock.now()
  const { customerId } = order
  ensureParties(draft.world, order)
  const createdAt = creationOf(draft.world, order)
  if (createdAt !== now) startAt(draft, createdAt)
  const { world } = draft
  const { paymentMethod } = recordOf(world.customers, customerId)
  open(world, order)
  await moveClockTo(draft, now)
  must(changeCustomer(world, customerId, { paymentMethod }))
  finish(world, order)
  check(world, order)
}

function ensureParties(world: World, { customerId, plan }: Order): void {
  ensure(world, ['customers', customerId])
  const { currency } = recordOf(world.customers, customerId)
  ensure(world, ['plans', plan], currency === null ? {} : { currency })
}

/** When a subscription must have been created to have come this far now. */
function creationOf(world: World, order: Order): Instant {
  const { status, trialPeriodDays } = order
  const now = world.clock.now()
  if (status === 'trialing' || (status === 'canceled' && !endsWithPeriod(order))) return now
  if (trialPeriodDays) return before(now, trialPeriodDays * DAY_MS)
  if (status !== 'past_due' && !endsWithPeriod(order)) return now
  return oneBefore(now, intervalOf(recordOf(world.plans, order.plan)))
}

/** One interval before an instant, where days of the month allow it; a few days more where they do not. */
function oneBefore(now: Instant, interval: Interval): Instant {
  const days = { day: 1, week: 7, month: 31, year: 366 }[interval.unit] * interval.count
  // Stops where so many days before cannot be written.
  before(now, days * DAY_MS)
  return boundary(now, interval, -1)
}

/** Whether a subscription was canceled some time ago and ended with its period. */
function endsWithPeriod({ status, isCanceledAtPeriodEnd }: Order): boolean {
  return status === 'canceled' && isCanceledAtPeriodEnd
}

/** Creates a subscription, and prepares what happens until now. Its first payment succeeds. */
function open(world: World, order: Order): void {
  const { subscriptionId, customerId, plan, trialPeriodDays, status } = order
  const offer = { couponId: null, promotionCode: null }
  const checkout = { subscriptionId, customerId, plan, trialPeriodDays, ...offer }
  payWith(world, subscriptionId, 'succeed')
  must(subscribe(world, checkout, noRequest))
  if (endsNow(order)) discount(world, order)
  if (endsWithPeriod(order)) end(world, subscriptionId, 'at_period_end')
  // A trial expires where nobody can pay.
  if (status === 'expired') must(changeCustomer(world, customerId, { paymentMethod: 'none' }))
  payWith(world, subscriptionId, status === 'past_due' ? 'card_declined' : 'succeed')
}

/** Does what happens to a subscription now. Later payments end as with anybody. */
function finish(world: World, order: Order): void {
  const { subscriptionId, status, pendingPlan, isCanceledAtPeriodEnd } = order
  payWith(world, subscriptionId, null)
  if (!endsNow(order)) discount(world, order)
  if (status === 'paused') must(pause(world, subscriptionId, noRequest))
  if (status === 'canceled' && !isCanceledAtPeriodEnd) end(world, subscriptionId, 'now')
  if (pendingPlan !== null) downgrade(world, subscriptionId, pendingPlan)
  if (status !== 'canceled' && isCanceledAtPeriodEnd) end(world, subscriptionId, 'at_period_end')
}

function end(world: World, subscriptionId: string, when: 'now' | 'at_period_end'): void {
  must(cancel(world, { subscriptionId, when }, noRequest))
}

/** Whether it reaches its end now: it takes no coupon any more, so that its discounts come before. */
function endsNow(order: Order): boolean {
  return order.status === 'expired' || endsWithPeriod(order)
}

/** Has its payments end like this, whatever other states say of its customer; null for as with anybody. */
function payWith(world: World, subscriptionId: string, outcome: ScriptedOutcome | null): void {
  const scope = { subscriptionId, customerId: null }
  const outcomes = outcome === null ? [] : [outcome]
  putRecord(world, 'paymentScripts', { scope, outcomes, always: outcome })
}

/** Coupons that are not there are made; several of them so that they stand beside each other. */
function discount(world: World, { subscriptionId, couponIds }: Order): void {
  const terms = couponIds.length > 1 ? { stackable: true } : {}
  for (const couponId of couponIds) {
    ensure(world, ['coupons', couponId], terms)
    must(applyCoupon(world, { subscriptionId, couponId }, noRequest))
  }
}

/** A plan that is not there is made at half the price. */
function downgrade(world: World, subscriptionId: string, planId: string): void {
  const { planId: currentId } = recordOf(world.subscriptions, subscriptionId)
  const { amount, currency, interval, intervalCount } = recordOf(world.plans, currentId)
  const half = Math.floor(amount / 2)
  const terms = { amount: half, currency, interval, interval_count: intervalCount }
  ensure(world, ['plans', planId], terms)
  must(changePlan(world, { subscriptionId, plan: planId }, noRequest))
}

/** The settings, a balance or a free plan can lead elsewhere than the state says. */
function check(world: World, { subscriptionId, status, plan, ...order }: Order): void {
  const subscription = recordOf(world.subscriptions, subscriptionId)
  if (subscription.status !== status) {
    stop(
      'invalid_transition',
      `status must be "${subscription.status}", which subscription_id "${subscriptionId}" has with this customer, plan and the settings of this sandbox; got "${status}".`,
    )
  }
  if (subscription.pendingPlanId !== order.pendingPlan) {
    stop(
      'invalid_transition',
      `pending_plan must cost less than plan "${plan}"; got "${order.pendingPlan}", which takes effect at once.`,
    )
  }
  const missing = order.couponIds.find((couponId) => {
    const isThere = subscription.discounts.some((discount) => discount.couponId === couponId)
    return !isThere && recordOf(world.coupons, couponId).type !== 'trial_extension'
  })
  if (missing === undefined) return
  stop(
    'coupon_not_applicable',
    `coupon_ids must all be stackable, such as LOYAL10 and EXTRA3; got "${missing}", which another of them replaces.`,
  )
}
