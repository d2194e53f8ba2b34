/** The provider states that the pacts ask for, by the names of the sandbox's catalogue. */
import type { V3ProviderState } from '@pact-foundation/pact'

type Params = NonNullable<V3ProviderState['parameters']>

const state = (description: string, parameters: Params = {}): V3ProviderState => ({
  description,
  parameters,
})

/** What the pacts call things. */
export const SUBSCRIPTION = 'sub_pact'
export const CUSTOMER = 'cus_ada'
export const API_KEY = 'sk_sandbox_default'
export const REFRESH_TOKEN = 'reference-refresh-token'
export const ACCESS_TOKEN = 'reference-access-token'

const prices: Readonly<Record<string, number>> = { basic: 1000, pro: 2500 }

/** A customer who can pay. */
export const customer = (customerId = CUSTOMER) =>
  state('a customer exists', { customer_id: customerId })

/** A monthly plan: `pro` is dearer than `basic`. */
export const plan = (planId: 'basic' | 'pro') =>
  state('a plan exists', { plan_id: planId, amount: prices[planId] ?? 0, interval: 'month' })

/** A subscription of the customer, on the plan `basic` and active unless told otherwise. */
export const subscription = (params: Params = {}) =>
  state('a subscription exists', {
    subscription_id: SUBSCRIPTION,
    customer_id: CUSTOMER,
    plan: 'basic',
    status: 'active',
    ...params,
  })

/** A subscription in a trial of 14 days. */
export const trialing = (params: Params = {}) =>
  subscription({ status: 'trialing', trial_period_days: 14, ...params })

/** The terms of a coupon of 20 % for three months. */
export const twentyPercent = {
  type: 'percentage',
  value: 20,
  duration: 'repeating',
  duration_in_months: 3,
} as const

/** A coupon, of 20 % for three months unless told otherwise. */
export const coupon = (couponId: string, terms: Params = twentyPercent) =>
  state('a coupon exists', { coupon_id: couponId, ...terms })

/** A coupon that has become unusable, and how. */
export const couponIs = (how: 'expired' | 'exhausted', couponId: string) =>
  state(how === 'expired' ? 'a coupon is expired' : 'a coupon is exhausted', {
    coupon_id: couponId,
  })

/** A coupon that is not for the plan. */
export const couponNotFor = (planId: string, couponId: string) =>
  state('a coupon is not applicable', { coupon_id: couponId, plan: planId })

/** The customer's next payment fails. */
export const nextPaymentFails = () =>
  state('the next payment fails', { customer_id: CUSTOMER, reason: 'card_declined' })

/** The billing cycle of the subscription is over. */
export const periodEnds = () => state('the period ends now', { subscription_id: SUBSCRIPTION })

/** The virtual time. */
export const timeIs = (at: string) => state('the virtual time is T', { at })

/** The refresh token, and what has become of it. */
export const refreshToken = (how: 'fresh' | 'expired' | 'revoked' | 'already used') =>
  state(`a refresh token is ${how}`, { refresh_token: REFRESH_TOKEN })
