/** The answers of the pacts, by type: what is documented first, then what is assumed. */
import { HTTPResponseStatusClass, MatchersV3, type V3Response } from '@pact-foundation/pact'

const { integer, matchStatus, regex, string } = MatchersV3

const json = { 'Content-Type': 'application/json' }

/** A subscription with its documented fields, under any status of success: which one is not documented. */
export const aSubscription = (fields: Readonly<Record<string, unknown>> = {}): V3Response => ({
  status: matchStatus(200, HTTPResponseStatusClass.Success),
  headers: json,
  body: { customer_id: string('cus_ada'), plan: string('basic'), ...fields },
})

/** A subscription on this very plan, where the interface says which it is on. */
export const aSubscriptionTo = (plan: string): V3Response => aSubscription({ plan })

/** A subscription to a plan that was asked for with a trial. */
export const aTrialOf = (plan: string): V3Response =>
  aSubscription({ plan, trial_period_days: integer(14) })

/** New tokens; that a new refresh token is among them is not promised. */
export const newTokens = (fields: Readonly<Record<string, unknown>> = {}): V3Response => ({
  status: 200,
  headers: json,
  body: {
    access_token: string('an-access-token'),
    token_type: 'Bearer',
    expires_in: integer(3600),
    ...fields,
  },
})

/** The documented codes, each with the status that the sandbox answers it under, for the mock to show. */
const refreshCodes = { invalid_request: 400, unauthorized: 401, invalid_grant: 403 } as const

/** A refused refresh, under any of the three documented statuses: which code has which is not documented. */
export const refusedRefresh = (code: keyof typeof refreshCodes): V3Response => {
  const shown = refreshCodes[code]
  return { ...refusal(shown, code), status: matchStatus(shown, Object.values(refreshCodes)) }
}

/** The sandbox's own refusal: a status of its choice, and the envelope of the refresh operation. */
export const refusal = (status: number, code: string): V3Response => ({
  status,
  headers: json,
  body: { error: code, message: string('A sentence that says why.') },
})

/** An instant as the sandbox writes it. */
export const anInstant = regex(
  String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
  '2027-01-01T00:00:00.000Z',
)

/** A subscription as the sandbox answers it: every field, and the values that a client relies on. */
export const theSubscription = (fields: Readonly<Record<string, unknown>>): V3Response => ({
  status: 200,
  headers: json,
  body: {
    subscription_id: string('sub_pact'),
    customer_id: string('cus_ada'),
    plan: 'basic',
    trial_period_days: null,
    status: 'active',
    trial_end: null,
    current_period_start: anInstant,
    current_period_end: anInstant,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    pending_plan: null,
    discounts: [],
    created_at: anInstant,
    ...fields,
  },
})

/** What distinguishes a subscription in its trial of 14 days. */
export const inTrial = { status: 'trialing', trial_period_days: 14, trial_end: anInstant }

/** A discount by the terms of its coupon; one without months lasts for ever or once. */
export const discountOf = (
  couponId: string,
  terms: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  coupon_id: couponId,
  duration_in_months: null,
  starts_at: anInstant,
  ends_at: null,
  ...terms,
})
