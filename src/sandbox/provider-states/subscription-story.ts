/**
 * The story of a subscription that a provider state names: what happened, and when, so that it stands now as the state
 * says. Every step of it is a command or a due item of the real engine; at the end it is checked that it came so.
 */
import { intervalOf } from '../../billing/catalog.ts'
import type { Customer } from '../../billing/customer.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import type { Status } from '../../billing/status.ts'
import type { Subscription } from '../../billing/subscription.ts'
import { DAY_MS, type Instant, plus } from '../../time/instant.ts'
import { boundary, type Interval } from '../../time/period.ts'
import { changeCustomer } from '../commands/catalog.ts'
import { scriptPayments } from '../commands/payments.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  nextSubscription,
  pause,
  subscribe,
} from '../commands/subscriptions.ts'
import type { Refusal } from '../refusal.ts'
import { putScript, scopeKey, type World } from '../world.ts'
import { type Act, before, unasked } from './interaction.ts'
import { each, ensureCoupon, ensureCustomer, ensurePlan, usual } from './records.ts'
import { type Scene, type Staged, withActs } from './state.ts'

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
interface Story {
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

/** Adds the story of a subscription to an interaction. */
export function stageSubscription(scene: Scene, wish: SubscriptionWish): Staged | Refusal {
  const numbered = nextSubscription(scene.world, wish.subscriptionId)
  if (isRefusal(numbered)) return numbered
  const { subscriptionId } = numbered
  const story = decide(scene, subscriptionId, wish)
  const begunAt = beginning(scene, story)
  if (isRefusal(begunAt)) return begunAt
  const { customerId, plan, couponIds } = story
  const [coupon_id] = couponIds
  const named = { subscription_id: subscriptionId, customer_id: customerId, plan }
  const acts = actsOf(story, begunAt, scene.now)
  return withActs(scene, acts, coupon_id === undefined ? named : { ...named, coupon_id })
}

function decide(scene: Scene, subscriptionId: string, wish: SubscriptionWish): Story {
  const { named } = scene.interaction
  const { status = 'active', pendingPlan = null } = wish
  const hasTrial = status === 'trialing' || status === 'expired'
  const isWithoutMeans =
    status === 'expired' && scene.world.customers.has(usual.withoutPaymentMethod)
  const somebody = isWithoutMeans ? usual.withoutPaymentMethod : usual.customerId
  const anyPlan = pendingPlan === null ? usual.planId : usual.higherPlanId
  return {
    subscriptionId,
    customerId: wish.customerId ?? named.customer_id ?? somebody,
    plan: wish.plan ?? named.plan ?? anyPlan,
    status,
    trialPeriodDays: wish.trialPeriodDays ?? (hasTrial ? TRIAL_DAYS : null),
    couponIds: wish.couponIds ?? [],
    isCanceledAtPeriodEnd: wish.isCanceledAtPeriodEnd ?? false,
    pendingPlan,
  }
}

/** When a story must have begun to have come this far now. */
function beginning({ world, now }: Scene, story: Story): Instant | Refusal {
  const { status, trialPeriodDays } = story
  const isOverNow = endsWithPeriod(story)
  if (status === 'trialing' || (status === 'canceled' && !isOverNow)) return now
  if (trialPeriodDays) return before(now, trialPeriodDays * DAY_MS)
  if (status !== 'past_due' && !isOverNow) return now
  const plan = world.plans.get(story.plan)
  return oneBefore(now, plan === undefined ? { unit: 'month', count: 1 } : intervalOf(plan))
}

/** One interval before an instant, where days of the month allow it; a few days more where they do not. */
function oneBefore(now: Instant, interval: Interval): Instant | Refusal {
  const days = { day: 1, week: 7, month: 31, year: 366 }[interval.unit] * interval.count
  const reach = before(now, days * DAY_MS)
  return isRefusal(reach) ? reach : boundary(now, interval, -1)
}

/** Whether a subscription was canceled some time ago and ended with its period. */
function endsWithPeriod({ status, isCanceledAtPeriodEnd }: Story): boolean {
  return status === 'canceled' && isCanceledAtPeriodEnd
}

type Deed = Act['perform']

function actsOf(story: Story, begunAt: Instant, now: Instant): Act[] {
  const { subscriptionId, customerId, status } = story
  const acts = (at: Instant, deeds: readonly Deed[]): Act[] =>
    deeds.map((perform) => ({ at, subscriptionId, perform }))
  const discounts = story.couponIds.map((couponId) => discount(story, couponId))
  // What has ended by now takes no coupon any more, so those that did got theirs before.
  const isEarly = status === 'expired' || endsWithPeriod(story)
  const opening = [start(story), ...(isEarly ? discounts : []), ...openingOf(story)]
  const ending = [...(isEarly ? [] : discounts), ...endingOf(story), check(story)]
  if (status !== 'expired') return [...acts(begunAt, opening), ...acts(now, ending)]
  const means = lostMeans(customerId)
  return [
    ...acts(begunAt, opening),
    ...acts(begunAt < now ? plus(now, -1) : now, [means.lose]),
    ...acts(now, [means.regain, ...ending]),
  ]
}

function start(story: Story): Deed {
  const { subscriptionId, customerId, plan, trialPeriodDays } = story
  const checkout = { subscriptionId, customerId, plan, trialPeriodDays }
  return (world) =>
    each(
      () => ensureCustomer(world, customerId),
      () => ensurePlan(world, plan, currencyOf(world, customerId)),
      () =>
        paying(world, customerId, () =>
          subscribe(world, { ...checkout, couponId: null, promotionCode: null }, unasked),
        ),
    )
}

/** What states tell of payments is told of those to come: the first one of a story succeeds. */
function paying<Value>(world: World, customerId: string, deed: () => Value): Value {
  const scope = { subscriptionId: null, customerId }
  const kept = world.scripts.get(scopeKey(scope)) ?? { scope, outcomes: [], always: null }
  putScript(world, { scope, outcomes: ['succeed'], always: null })
  const answer = deed()
  putScript(world, kept)
  return answer
}

/** For as long as a story lasts, its payments end as it needs them. */
function openingOf(story: Story): Deed[] {
  const { subscriptionId, status } = story
  const always = status === 'past_due' ? 'card_declined' : 'succeed'
  const order = { scope: { subscriptionId, customerId: null }, outcomes: null, always } as const
  const ruling: Deed = (world) => each(() => scriptPayments(world, order))
  return endsWithPeriod(story) ? [ruling, canceling(story, 'at_period_end')] : [ruling]
}

function endingOf(story: Story): Deed[] {
  const { subscriptionId, status, pendingPlan } = story
  const deeds = [freePayments(subscriptionId)]
  if (status === 'paused') deeds.push((world) => each(() => pause(world, subscriptionId, unasked)))
  if (status === 'canceled' && !endsWithPeriod(story)) deeds.push(canceling(story, 'now'))
  if (pendingPlan !== null) deeds.push(downgrade(subscriptionId, pendingPlan))
  if (story.isCanceledAtPeriodEnd && !endsWithPeriod(story)) {
    deeds.push(canceling(story, 'at_period_end'))
  }
  return deeds
}

function canceling({ subscriptionId }: Story, when: 'now' | 'at_period_end'): Deed {
  return (world) => each(() => cancel(world, { subscriptionId, when }, unasked))
}

/** Coupons that are not there are made; several of them so that they stand beside each other. */
function discount({ subscriptionId, couponIds }: Story, couponId: string): Deed {
  const terms = couponIds.length > 1 ? { stackable: true } : {}
  return (world) =>
    each(
      () => ensureCoupon(world, couponId, terms),
      () => applyCoupon(world, { subscriptionId, couponId }, unasked),
    )
}

/** A plan that is not there is made at half the price. */
function downgrade(subscriptionId: string, planId: string): Deed {
  return (world) => {
    const now = world.plans.get(world.subscriptions.get(subscriptionId)?.planId ?? '')
    const terms = now && {
      amount: Math.floor(now.amount / 2),
      currency: now.currency,
      interval: now.interval,
      interval_count: now.intervalCount,
    }
    return each(
      () => ensurePlan(world, planId, terms),
      () => changePlan(world, { subscriptionId, plan: planId }, unasked),
    )
  }
}

/** The standing rule goes: the payments to come end as with anybody, unless a state says otherwise. */
function freePayments(subscriptionId: string): Deed {
  const scope = { subscriptionId, customerId: null }
  return (world) => {
    const { outcomes = [] } = world.scripts.get(scopeKey(scope)) ?? {}
    putScript(world, { scope, outcomes, always: null })
    return null
  }
}

/** A trial expires where nobody can pay: the customer is without means for the moment that it takes. */
function lostMeans(customerId: string): { lose: Deed; regain: Deed } {
  let before: Customer['paymentMethod'] = 'valid'
  const change = (world: World, paymentMethod: Customer['paymentMethod']) =>
    each(() => changeCustomer(world, customerId, { paymentMethod }))
  return {
    lose: (world) => {
      before = world.customers.get(customerId)?.paymentMethod ?? before
      return change(world, 'none')
    },
    regain: (world) => change(world, before),
  }
}

/** The settings, a balance or a free plan can have a story end otherwise than its state says. */
function check(story: Story): Deed {
  const { subscriptionId, status, pendingPlan } = story
  return (world) => {
    const subscription = world.subscriptions.get(subscriptionId)
    if (subscription?.status !== status) {
      return refuse(
        'invalid_transition',
        `status "${status}" is not what subscription_id "${subscriptionId}" comes to with this customer and plan and the settings of this sandbox, but "${subscription?.status}"; that status would be accepted.`,
      )
    }
    if (pendingPlan !== null && subscription.pendingPlanId !== pendingPlan) {
      return refuse(
        'invalid_transition',
        `pending_plan "${pendingPlan}" takes effect at once, because it does not cost less than plan "${story.plan}"; a plan that does would be accepted.`,
      )
    }
    return checkDiscounts(world, subscription, story)
  }
}

function checkDiscounts(world: World, subscription: Subscription, story: Story): Refusal | null {
  const present = new Set(subscription.discounts.map(({ couponId }) => couponId))
  const isMissing = (couponId: string) =>
    !present.has(couponId) && world.coupons.get(couponId)?.type !== 'trial_extension'
  const missing = story.couponIds.find(isMissing)
  if (missing === undefined) return null
  return refuse(
    'coupon_not_applicable',
    `coupon_ids names "${missing}", which another of them replaces; coupons that are all stackable would be accepted, such as LOYAL10 and EXTRA3.`,
  )
}

function currencyOf(world: World, customerId: string): { currency?: string } {
  const currency = world.customers.get(customerId)?.currency ?? null
  return currency === null ? {} : { currency }
}
