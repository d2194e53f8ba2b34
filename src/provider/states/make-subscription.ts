/**
 * Makes the subscription that a provider state asks for: by operations and due items of the real engine, which bring it
 * to its status. At the end it is checked that they did.
 */
import * as z from 'zod'
import { intervalOf } from '../../billing/catalog.ts'
import { TRIAL_DAYS_MAX } from '../../billing/coupon.ts'
import type { ScriptedOutcome } from '../../billing/payment.ts'
import { Status } from '../../billing/status.ts'
import type { BillingOperationId } from '../../operations/billing-operations.ts'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import { DAY_MS, type Instant } from '../../time/instant.ts'
import { boundary } from '../../time/period.ts'
import { ChosenId } from '../../wire/common/fields.ts'
import { nextSubscriptionId } from '../../world/commands/subscriptions.ts'
import { getRecord } from '../../world/engine.ts'
import { putRecord, type World } from '../../world/world.ts'
import { createIfMissing, perform, usual } from './records.ts'
import { type Draft, instantBefore, moveClockTo, type StateValues, setStart } from './state.ts'

const COUPONS_MAX = 20

/** The days of a trial of which nothing else is said. */
const TRIAL_DAYS = 14

const idField = (description: string) => ChosenId.optional().meta({ description })

/** What a state says of a subscription; the defaults of the rest are here. */
export const SubscriptionParams = z
  .strictObject({
    subscription_id: idField('Its identifier; counted unless given.'),
    customer_id: idField('The customer.'),
    plan: idField('The plan.'),
    status: Status.optional().describe('Its status; active unless given.'),
    trial_period_days: z
      .int()
      .min(0)
      .max(TRIAL_DAYS_MAX)
      .optional()
      .describe(`The days of its trial; ${TRIAL_DAYS} for a trialing or expired one unless given.`),
    coupon_id: idField('The coupon of its discount.'),
    coupon_ids: z
      .array(ChosenId)
      .min(1)
      .max(COUPONS_MAX)
      .optional()
      .meta({
        accepts: `a list of 1 to ${COUPONS_MAX} identifiers of coupons, without coupon_id beside it`,
        description: 'The coupons of its discounts, in the order in which they were applied.',
      }),
    cancel_at_period_end: z
      .boolean()
      .optional()
      .describe('Whether it was canceled at the end of its period.'),
    pending_plan: idField('The cheaper plan that takes effect at the next billing cycle.'),
  })
  .refine((params) => params.coupon_id === undefined || params.coupon_ids === undefined, {
    path: ['coupon_ids'],
  })
export type SubscriptionSpec = z.output<typeof SubscriptionParams>

/** Values that name a subscription. */
export type NamedSubscription = StateValues & { readonly subscription_id: string }

/** Makes a subscription with the values of the spec at the virtual now. Throws where billing leads to another status. */
export async function makeSubscription(
  draft: Draft,
  spec: SubscriptionSpec,
): Promise<NamedSubscription> {
  const order = creationOrder(draft, spec)
  const { subscription_id, customer_id, plan } = order
  await build(draft, order)
  check(draft.world, order)
  const [coupon_id] = order.coupon_ids
  return { subscription_id, customer_id, plan, ...(coupon_id && { coupon_id }) }
}

/** A spec with nothing left open. */
type Order = ReturnType<typeof creationOrder>

function creationOrder({ named, world }: Draft, { coupon_id, ...spec }: SubscriptionSpec) {
  const { status = 'active', pending_plan = null, cancel_at_period_end = false } = spec
  const hasTrial = status === 'trialing' || status === 'expired'
  const usualPlan = pending_plan === null ? usual.planId : usual.higherPlanId
  return {
    subscription_id: orThrow(nextSubscriptionId(world, spec.subscription_id)).subscriptionId,
    customer_id: spec.customer_id ?? named.customer_id ?? usual.customerId,
    plan: spec.plan ?? named.plan ?? usualPlan,
    status,
    trial_period_days: spec.trial_period_days ?? (hasTrial ? TRIAL_DAYS : null),
    coupon_ids: spec.coupon_ids ?? (coupon_id === undefined ? [] : [coupon_id]),
    cancel_at_period_end,
    pending_plan,
    /** Whether it was canceled some time ago and ended with its period. */
    endsWithPeriod: status === 'canceled' && cancel_at_period_end,
  }
}

/** Creates a subscription, in the past where it must be older, and brings it to the status that it has now. */
async function build(draft: Draft, order: Order): Promise<void> {
  const now = draft.world.clock.now()
  const { subscription_id, customer_id, plan, trial_period_days, status, pending_plan } = order
  const { cancel_at_period_end: at_period_end, endsWithPeriod } = order
  await createIfMissing(draft.world, ['customers', customer_id])
  const { currency, paymentMethod } = getRecord(draft.world.customers, customer_id)
  await createIfMissing(draft.world, ['plans', plan], currency === null ? {} : { currency })
  const createdAt = creationOf(draft.world, order)
  if (createdAt !== now) setStart(draft, createdAt)
  const { world } = draft
  const act = (id: BillingOperationId, fields: object) =>
    perform(world, id, { subscription_id, ...fields })
  // At its end it takes no coupon any more, so that its discounts come before.
  const endsNow = status === 'expired' || endsWithPeriod

  // Its first payment succeeds. No schema has the identifier: a contract chooses it, and nobody else can.
  setPaymentOutcome(world, subscription_id, 'succeed')
  await act('createSubscriptionAtCheckout', { customer_id, plan, trial_period_days })
  if (endsNow) await discount(world, order)
  if (endsWithPeriod) await act('cancelSubscription', { at_period_end })
  // A trial expires where nobody can pay.
  const expires = { customer_id, payment_method: 'none' }
  if (status === 'expired') await perform(world, 'changeCustomer', expires)
  setPaymentOutcome(world, subscription_id, status === 'past_due' ? 'card_declined' : 'succeed')

  await moveClockTo(draft, now)
  await perform(world, 'changeCustomer', { customer_id, payment_method: paymentMethod })
  // Later payments end as with anybody.
  setPaymentOutcome(world, subscription_id, null)
  if (!endsNow) await discount(world, order)
  if (status === 'paused') await act('pauseSubscription', {})
  if (status === 'canceled' && !at_period_end) await act('cancelSubscription', { at_period_end })
  if (pending_plan !== null) await downgrade(world, subscription_id, pending_plan)
  if (status !== 'canceled' && at_period_end) await act('cancelSubscription', { at_period_end })
}

/** When a subscription must have been created to have come this far now. */
function creationOf(world: World, order: Order): Instant {
  const { status, trial_period_days: trialDays, endsWithPeriod, plan } = order
  const now = world.clock.now()
  if (status === 'trialing' || (status === 'canceled' && !endsWithPeriod)) return now
  if (trialDays) return instantBefore(now, trialDays * DAY_MS)
  if (status !== 'past_due' && !endsWithPeriod) return now
  const interval = intervalOf(getRecord(world.plans, plan))
  // One interval before, where days of the month allow it; a few days more where they do not.
  const days = { day: 1, week: 7, month: 31, year: 366 }[interval.unit] * interval.count
  // Throws where so many days before cannot be written.
  instantBefore(now, days * DAY_MS)
  return boundary(now, interval, -1)
}

/** Sets the outcome of its payments, whatever other states say of its customer; null for the outcome of all others. */
function setPaymentOutcome(
  world: World,
  subscriptionId: string,
  outcome: ScriptedOutcome | null,
): void {
  const scope = { subscriptionId, customerId: null }
  const outcomes = outcome === null ? [] : [outcome]
  putRecord(world, 'paymentScripts', { scope, outcomes, always: outcome })
}

/** Coupons that are not there are made; several of them so that they stand beside each other. */
async function discount(world: World, { subscription_id, coupon_ids }: Order): Promise<void> {
  const terms = coupon_ids.length > 1 ? { stackable: true } : {}
  for (const coupon_id of coupon_ids) {
    await createIfMissing(world, ['coupons', coupon_id], terms)
    await perform(world, 'applyCoupon', { subscription_id, coupon_id })
  }
}

/** A plan that is not there is made at half the price. */
async function downgrade(world: World, subscription_id: string, plan: string): Promise<void> {
  const { planId } = getRecord(world.subscriptions, subscription_id)
  const { amount, currency, interval, intervalCount } = getRecord(world.plans, planId)
  const terms = { currency, interval, interval_count: intervalCount }
  await createIfMissing(world, ['plans', plan], { amount: Math.floor(amount / 2), ...terms })
  await perform(world, 'updateSubscription', { subscription_id, plan })
}

/** The settings, a balance or a free plan can lead elsewhere than the state says. */
function check(world: World, order: Order): void {
  const { subscription_id: id, status, plan, pending_plan, coupon_ids } = order
  const subscription = getRecord(world.subscriptions, id)
  if (subscription.status !== status) {
    const message = `status must be "${subscription.status}", which subscription_id "${id}" has with this customer, plan and the settings of this sandbox; got "${status}".`
    throw new RefusalError('invalid_transition', message)
  }
  if (subscription.pendingPlanId !== pending_plan) {
    const message = `pending_plan must cost less than plan "${plan}"; got "${pending_plan}", which takes effect at once.`
    throw new RefusalError('invalid_transition', message)
  }
  const applied = subscription.discounts.map(({ couponId }) => couponId)
  const missing = coupon_ids.find(
    (each) => !applied.includes(each) && getRecord(world.coupons, each).type !== 'trial_extension',
  )
  if (missing === undefined) return
  const message = `coupon_ids must all be stackable, such as LOYAL10 and EXTRA3; got "${missing}", which another of them replaces.`
  throw new RefusalError('coupon_not_applicable', message)
}
