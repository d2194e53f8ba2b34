/** Worked examples for the documents, with the identifiers of the fixture `starter`; a test checks them all. */
import type { WireSubscription } from '../../wire/subscription.ts'
import type { WireTokenResponse } from '../../wire/token.ts'

const trialing: WireSubscription = {
  subscription_id: 'sub_000001',
  customer_id: 'cus_ada',
  plan: 'basic',
  trial_period_days: 14,
  status: 'trialing',
  trial_end: '2027-01-15T00:00:00.000Z',
  current_period_start: '2027-01-01T00:00:00.000Z',
  current_period_end: '2027-01-15T00:00:00.000Z',
  cancel_at_period_end: false,
  canceled_at: null,
  ended_at: null,
  pending_plan: null,
  discounts: [],
  created_at: '2027-01-01T00:00:00.000Z',
}

const active: WireSubscription = {
  ...trialing,
  trial_period_days: null,
  status: 'active',
  trial_end: null,
  current_period_end: '2027-02-01T00:00:00.000Z',
}

const save20 = {
  coupon_id: 'SAVE20',
  type: 'percentage',
  value: 20,
  duration: 'repeating',
  duration_in_months: 3,
  starts_at: '2027-01-01T00:00:00.000Z',
  ends_at: '2027-04-01T00:00:00.000Z',
} as const

/** Answers, by what they show. */
export const subscriptionExamples = {
  trialing: { summary: 'With a trial of 14 days', value: trialing },
  active: { summary: 'Without a trial', value: active },
  upgraded: { summary: 'After an upgrade', value: { ...active, plan: 'pro' } },
  downgraded: {
    summary: 'After a downgrade, which waits for the next billing cycle',
    value: { ...active, plan: 'pro', pending_plan: 'basic' },
  },
  paused: { summary: 'Paused', value: { ...active, status: 'paused' } },
  ending: {
    summary: 'To be canceled at the end of the period',
    value: { ...active, cancel_at_period_end: true, canceled_at: '2027-01-10T00:00:00.000Z' },
  },
  canceled: {
    summary: 'Canceled at once',
    value: {
      ...active,
      status: 'canceled',
      canceled_at: '2027-01-10T00:00:00.000Z',
      ended_at: '2027-01-10T00:00:00.000Z',
    },
  },
  discounted: { summary: 'With a discount', value: { ...active, discounts: [save20] } },
} satisfies Record<string, { summary: string; value: WireSubscription }>

const tokens: WireTokenResponse = {
  access_token: 'at_default_example',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'rt_default_example',
}

/** The answer to a refresh. */
export const tokenExamples = {
  rotated: { summary: 'With a new refresh token', value: tokens },
}
