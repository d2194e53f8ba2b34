/** The states of the catalogue that lead to the world before a call, as far as the call depends on it. */
import type { Coupon } from '../../billing/coupon.ts'
import { decideAttempt } from '../../billing/payment.ts'
import type { Subscription } from '../../billing/subscription.ts'
import type { GivenState } from '../../contracts/pacts/pact-file.ts'
import { DAY_MS, millisOf } from '../../time/instant.ts'
import type { Token } from '../../tokens/family.ts'
import { snakeKeys } from '../../wire/common/case.ts'
import { accessTokenState, findToken } from '../../world/commands/tokens.ts'
import { getRecord } from '../../world/engine.ts'
import { scriptsFor, type World } from '../../world/world.ts'
import { usual } from '../states/records.ts'
import { type CallInput, textIn } from './captured-call.ts'
import { examples } from './expectation.ts'

/** The states before a call, in the order in which they are set up. */
export function statesBefore(asked: CallInput, world: World): GivenState[] {
  const [, token = ''] = asked.authorization ?? []
  if (asked.operation === 'refreshToken') return tokenState(world, findToken(world, token))
  const subscription = world.subscriptions.get(asked.subscriptionId)
  const held = (subscription?.discounts ?? []).map(({ couponId }) => couponId)
  const plans = [subscription?.planId, subscription?.pendingPlanId, textIn(asked, 'plan')]
  const coupons = new Set([...held, textIn(asked, 'coupon_id')])
  const stateOf = (id: string) => couponState(world, id)
  return [
    ...customerState(asked, world),
    ...[...new Set(plans)].flatMap((id) => planState(world, id)),
    ...held.flatMap(stateOf),
    ...(subscription ? [subscriptionState(subscription), ...trialState(subscription, world)] : []),
    ...[...coupons].slice(held.length).flatMap(stateOf),
    ...paymentState(asked, world),
    ...(accessTokenState(world, token) === 'live' ? [freshToken] : []),
  ]
}

const state = (name: string, params: object): GivenState => ({
  name,
  // Records list their fields in the order in which they were made.
  params: Object.fromEntries(
    Object.entries(params)
      .filter(([, value]) => value != null)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  ),
})

const freshToken = state('a refresh token is fresh', { refresh_token: examples.refresh_token })

function tokenState(world: World, token?: Token): GivenState[] {
  if (token?.kind !== 'refresh') return []
  const { revokedAt } = getRecord(world.tokenFamilies, token.familyId)
  const used = token.rotatedAt === null ? freshToken.name : 'a refresh token is already used'
  const live = token.expiresAt <= world.clock.now() ? 'a refresh token is expired' : used
  return [{ ...freshToken, name: revokedAt === null ? live : 'a refresh token is revoked' }]
}

/** A subscription brings its customer with it, so that one is named only for other terms than usual. */
function customerState(asked: CallInput, world: World): GivenState[] {
  const subscription = world.subscriptions.get(asked.subscriptionId)
  const plan = world.plans.get(subscription?.planId ?? textIn(asked, 'plan'))
  const id = subscription?.customerId ?? textIn(asked, 'customer_id')
  const customer = world.customers.get(id)
  if (customer === undefined) return []
  const { currency, paymentMethod, balance } = customer
  const terms = {
    currency: currency === plan?.currency ? null : currency,
    payment_method: paymentMethod === 'valid' ? null : paymentMethod,
    balance: balance || null,
  }
  const isUsual = Object.values(terms).every((term) => term === null)
  if (isUsual && subscription !== undefined) return []
  return [state('a customer exists', { customer_id: examples.customer_id, ...terms })]
}

function planState(world: World, id: string | null | undefined): GivenState[] {
  const plan = world.plans.get(id ?? '')
  if (plan === undefined) return []
  const { planId: plan_id, productId, amount, currency, interval, intervalCount } = plan
  const product_id = productId === usual.productId ? null : productId
  const interval_count = intervalCount === 1 ? null : intervalCount
  const terms = { plan_id, product_id, amount, currency, interval, interval_count }
  return [state('a plan exists', terms)]
}

function couponState(world: World, id: string): GivenState[] {
  const coupon = world.coupons.get(id)
  if (coupon === undefined) return []
  const { couponId: coupon_id, expiresAt, maxRedemptions, timesRedeemed } = coupon
  if (expiresAt !== null && expiresAt <= world.clock.now()) {
    return [state('a coupon is expired', { coupon_id })]
  }
  if (maxRedemptions !== null && timesRedeemed >= maxRedemptions) {
    return [state('a coupon is exhausted', { coupon_id })]
  }
  const { times_redeemed: _, stackable, ...terms } = snakeKeys<Coupon>(coupon)
  return [state('a coupon exists', { ...terms, stackable: stackable || null })]
}

function subscriptionState(subscription: Subscription): GivenState {
  const { planId: plan, status, trialPeriodDays, cancelAtPeriodEnd, discounts } = subscription
  const [first, ...others] = discounts.map(({ couponId }) => couponId)
  return state('a subscription exists', {
    subscription_id: examples.subscription_id,
    customer_id: examples.customer_id,
    ...{ plan, status },
    trial_period_days: trialPeriodDays,
    cancel_at_period_end: cancelAtPeriodEnd || null,
    pending_plan: subscription.pendingPlanId,
    ...(others.length === 0 ? { coupon_id: first } : { coupon_ids: [first, ...others] }),
  })
}

/** How near the end of its trial a subscription is, where that is so many days. */
function trialState(subscription: Subscription, world: World): GivenState[] {
  const { status, trialEnd, trialPeriodDays } = subscription
  if (status !== 'trialing' || trialEnd === null) return []
  const days = (millisOf(trialEnd) - millisOf(world.clock.now())) / DAY_MS
  if (!Number.isInteger(days) || days < 1 || days === trialPeriodDays) return []
  const { subscription_id } = examples
  return [state('the trial ends in N days', { days, subscription_id })]
}

/** The failure that is scripted for whatever the call has to collect. */
function paymentState(asked: CallInput, world: World): GivenState[] {
  const { customerId = textIn(asked, 'customer_id'), subscriptionId = null } =
    world.subscriptions.get(asked.subscriptionId) ?? {}
  const customer = world.customers.get(customerId)
  if (!customer || !/^(create|update)Subscription$/.test(asked.operation)) return []
  const scripts = scriptsFor(world, customerId, subscriptionId)
  // That there is no payment method is a state of the customer.
  const { outcome: reason } = decideAttempt(scripts, { ...customer, paymentMethod: 'valid' })
  if (reason === 'succeeded') return []
  const { subscription_id, customer_id } = examples
  const named = subscriptionId === null ? { customer_id } : { subscription_id }
  return [state('the next payment fails', { reason, ...named })]
}
