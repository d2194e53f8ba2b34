/**
 * Makes the subscription that a provider state asks for: by commands and due items of the real engine, which bring it to
 * its status. At the end it is checked that they did.
 */
import { intervalOf } from '../../billing/catalog.ts'
import type { ScriptedOutcome } from '../../billing/payment.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import type { Status } from '../../billing/status.ts'
import { DAY_MS, type Instant } from '../../time/instant.ts'
import { boundary, type Interval } from '../../time/period.ts'
import { changeCustomer } from '../../world/commands/catalog.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  nextSubscription,
  pause,
  subscribe,
} from '../../world/commands/subscriptions.ts'
import type { Refusal } from '../../world/refusal.ts'
import { putRecord, type World } from '../../world/world.ts'
import { before, type Draft, moveTo, type Named, noRequest, startAt } from './draft.ts'
import { each, ensure, usual } from './records.ts'

/** What a state says of a subscription; what it leaves open is decided here. */
export interface SubscriptionWish {
  readonly subscriptionId?: string | undefined
  readonly customerId?: string | undefined
  readonly plan?: string | undefined
  readonly status?: Status | undefined
  readonly trialPeriodDays?: number | undefined
  readonly couponIds?: readonly string[] | undefined
  readonly isCanceledAtPeriodEnd?: boolean | undefined
  readonly pendingPlan?: string | undefined
}

/** A wish with nothing left open. */
interface Order {
  readonly subscriptionId: string
  readonly customerId: string
  readonly plan: string
  readonly status: Status
  readonly trialPeriodDays: number | null
  readonly couponIds: readonly string[]
  readonly isCanceledAtPeriodEnd: boolean
  readonly pendingPlan: string | null
}

/** The days of a trial of which nothing else is said. */
export const TRIAL_DAYS = 14

/** Values that name a subscription. */
export type NamedSubscription = Named & Required<Pick<Named, 'subscription_id'>>

/** Makes a subscription that stands at the virtual now as the wish says. Refuses where billing leads elsewhere. */
export async function makeSubscription(
  draft: Draft,
  wish: SubscriptionWish,
): Promise<NamedSubscription | Refusal> {
  const { named } = draft
  const numbered = nextSubscription(draft.world, wish.subscriptionId)
  if (isRefusal(numbered)) return numbered
  const { status = 'active', pendingPlan = null } = wish
  const hasTrial = status === 'trialing' || status === 'expired'
  const order = {
    subscriptionId: numbered.subscriptionId,
    customerId: wish.customerId ?? named.customer_id ?? usual.customerId,
    plan: wish.plan ?? named.plan ?? (pendingPlan === null ? usual.planId : usual.higherPlanId),
    status,
    trialPeriodDays: wish.trialPeriodDays ?? (hasTrial ? TRIAL_DAYS : null),
    couponIds: wish.couponIds ?? [],
    isCanceledAtPeriodEnd: wish.isCanceledAtPeriodEnd ?? false,
    pendingPlan,
  }
  const refusal = await carryOut(draft, order)
  if (refusal !== null) return refusal
  const { subscriptionId: subscription_id, customerId: customer_id, plan, couponIds } = order
  const [coupon_id] = couponIds
  const made = { subscription_id, customer_id, plan }
  return coupon_id === undefined ? made : { ...made, coupon_id }
}

/** Carries a subscription from its creation, which may lie in the past, to how it stands now. */
async function carryOut(draft: Draft, order: Order): Promise<Refusal | null> {
  const now = draft.world.clock.now()
  const missing = ensureParties(draft.world, order)
  if (missing !== null) return missing
  const createdAt = creationOf(draft.world, order)
  if (isRefusal(createdAt)) return createdAt
  const refusal = createdAt === now ? null : startAt(draft, createdAt)
  if (refusal !== null) return refusal
  const { world } = draft
  const { paymentMethod } = held(world.customers, order.customerId)
  return (
    open(world, order) ??
    (await moveTo(draft, now)) ??
    each(() => changeCustomer(world, order.customerId, { paymentMethod })) ??
    finish(world, order) ??
    check(world, order)
  )
}

function held<Value>(records: ReadonlyMap<string, Value>, id: string): Value {
  const value = records.get(id)
  if (value === undefined) throw new Error(`${id} is gone`)
  return value
}

function ensureParties(world: World, { customerId, plan }: Order): Refusal | null {
  const missing = ensure(world, ['customers', customerId])
  if (missing !== null) return missing
  const { currency } = held(world.customers, customerId)
  return ensure(world, ['plans', plan], currency === null ? {} : { currency })
}

/** When a subscription must have been created to have come this far now. */
function creationOf(world: World, order: Order): Instant | Refusal {
  const { status, trialPeriodDays } = order
  const now = world.clock.now()
  if (status === 'trialing' || (status === 'canceled' && !endsWithPeriod(order))) return now
  if (trialPeriodDays) return before(now, trialPeriodDays * DAY_MS)
  if (status !== 'past_due' && !endsWithPeriod(order)) return now
  return oneBefore(now, intervalOf(held(world.plans, order.plan)))
}

/** One interval before an instant, where days of the month allow it; a few days more where they do not. */
function oneBefore(now: Instant, interval: Interval): Instant | Refusal {
  const days = { day: 1, week: 7, month: 31, year: 366 }[interval.unit] * interval.count
  const reach = before(now, days * DAY_MS)
  return isRefusal(reach) ? reach : boundary(now, interval, -1)
}

/** Whether a subscription was canceled some time ago and ended with its period. */
function endsWithPeriod({ status, isCanceledAtPeriodEnd }: Order): boolean {
  return status === 'canceled' && isCanceledAtPeriodEnd
}

/** Creates a subscription, and prepares what happens until now. Its first payment succeeds. */
function open(world: World, order: Order): Refusal | null {
  const { subscriptionId, customerId, plan, trialPeriodDays, status } = order
  const offer = { couponId: null, promotionCode: null }
  const checkout = { subscriptionId, customerId, plan, trialPeriodDays, ...offer }
  return each(
    () => payWith(world, subscriptionId, 'succeed'),
    () => subscribe(world, checkout, noRequest),
    () => (endsNow(order) ? discount(world, order) : null),
    () =>
      endsWithPeriod(order)
        ? cancel(world, { subscriptionId, when: 'at_period_end' }, noRequest)
        : null,
    // A trial expires where nobody can pay.
    () =>
      status === 'expired' ? changeCustomer(world, customerId, { paymentMethod: 'none' }) : null,
    () => payWith(world, subscriptionId, status === 'past_due' ? 'card_declined' : 'succeed'),
  )
}

/** Does what happens to a subscription now. Later payments end as with anybody. */
function finish(world: World, order: Order): Refusal | null {
  const { subscriptionId, status, pendingPlan, isCanceledAtPeriodEnd } = order
  const end = (when: 'now' | 'at_period_end') => cancel(world, { subscriptionId, when }, noRequest)
  return each(
    () => payWith(world, subscriptionId, null),
    () => (endsNow(order) ? null : discount(world, order)),
    () => (status === 'paused' ? pause(world, subscriptionId, noRequest) : null),
    () => (status === 'canceled' && !isCanceledAtPeriodEnd ? end('now') : null),
    () => (pendingPlan === null ? null : downgrade(world, subscriptionId, pendingPlan)),
    () => (status !== 'canceled' && isCanceledAtPeriodEnd ? end('at_period_end') : null),
  )
}

/** Whether it reaches its end now: it takes no coupon any more, so that its discounts come before. */
function endsNow(order: Order): boolean {
  return order.status === 'expired' || endsWithPeriod(order)
}

/** Has its payments end like this, whatever other states say of its customer; null for as with anybody. */
function payWith(world: World, subscriptionId: string, outcome: ScriptedOutcome | null): null {
  const outcomes = outcome === null ? [] : [outcome]
  putRecord(world, 'paymentScripts', {
    scope: { subscriptionId, customerId: null },
    outcomes,
    always: outcome,
  })
  return null
}

/** Coupons that are not there are made; several of them so that they stand beside each other. */
function discount(world: World, { subscriptionId, couponIds }: Order): Refusal | null {
  const terms = couponIds.length > 1 ? { stackable: true } : {}
  return each(
    ...couponIds.flatMap((couponId) => [
      () => ensure(world, ['coupons', couponId], terms),
      () => applyCoupon(world, { subscriptionId, couponId }, noRequest),
    ]),
  )
}

/** A plan that is not there is made at half the price. */
function downgrade(world: World, subscriptionId: string, planId: string): Refusal | null {
  const { planId: currentId } = held(world.subscriptions, subscriptionId)
  const { amount, currency, interval, intervalCount } = held(world.plans, currentId)
  const half = Math.floor(amount / 2)
  const terms = { amount: half, currency, interval, interval_count: intervalCount }
  return each(
    () => ensure(world, ['plans', planId], terms),
    () => changePlan(world, { subscriptionId, plan: planId }, noRequest),
  )
}

/** The settings, a balance or a free plan can lead elsewhere than the state says. */
function check(world: World, { subscriptionId, status, plan, ...order }: Order): Refusal | null {
  const subscription = held(world.subscriptions, subscriptionId)
  if (subscription.status !== status) {
    return refuse(
      'invalid_transition',
      `status must be "${subscription.status}", which subscription_id "${subscriptionId}" has with this customer, plan and the settings of this sandbox; got "${status}".`,
    )
  }
  if (subscription.pendingPlanId !== order.pendingPlan) {
    return refuse(
      'invalid_transition',
      `pending_plan must cost less than plan "${plan}"; got "${order.pendingPlan}", which takes effect at once.`,
    )
  }
  const missing = order.couponIds.find((couponId) => {
    const isThere = subscription.discounts.some((discount) => discount.couponId === couponId)
    return !isThere && held(world.coupons, couponId).type !== 'trial_extension'
  })
  if (missing === undefined) return null
  return refuse(
    'coupon_not_applicable',
    `coupon_ids must all be stackable, such as LOYAL10 and EXTRA3; got "${missing}", which another of them replaces.`,
  )
}
