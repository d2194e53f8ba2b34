/**
 * What the interface document says, row by row in this project's words, and which assumptions fill the gaps that
 * each row leaves. docs/fidelity.md is made from it.
 */
import type { AssumptionSlug } from './register.ts'

/** One thing that the interface document says; `implemented` is false where the sandbox does not do it. */
export interface DocumentedRow {
  readonly section: string
  readonly subject: string
  readonly says: string
  readonly implemented: boolean
  readonly gaps: readonly AssumptionSlug[]
}

const row = (
  section: string,
  [subject, says]: readonly [subject: string, says: string],
  gaps: readonly AssumptionSlug[] = [],
): DocumentedRow => ({ section, subject, says, implemented: true, gaps })

export const documentedRows: readonly DocumentedRow[] = [
  row(
    '1',
    [
      'Recurring billing',
      'A subscription ties a customer to a pricing plan and is billed at its interval.',
    ],
    ['billing-calendar', 'amount-rounding', 'currency-match'],
  ),
  row(
    '1',
    ['Coupons', 'They give percentage, fixed, trial-extending or time-limited discounts.'],
    ['coupon-types', 'trial-extension'],
  ),
  row('1', [
    'Where coupons apply',
    'To subscriptions, one-time charges and promotions, at checkout or later.',
  ]),
  {
    section: '1',
    subject: 'Dashboard',
    says: 'Subscriptions and coupons can be managed in a dashboard too.',
    implemented: false,
    gaps: [],
  },
  row('2', ['customer_id, plan', 'Strings, required to create; plan is required to update.']),
  row(
    '2',
    ['trial_period_days', 'An integer number of trial days, optional.'],
    ['trial-period-bounds', 'trial-day-length'],
  ),
  row(
    '2',
    ['Subscription record', 'It has a string identifier; other fields are not shown.'],
    ['subscription-fields'],
  ),
  row(
    '2',
    ['coupon_id, type, value', 'type is percentage or fixed; value is a percent or an amount.'],
    ['fixed-value-unit'],
  ),
  row(
    '2',
    ['duration, duration_in_months', 'duration repeating lasts for duration_in_months.'],
    ['coupon-durations', 'coupon-months-start', 'repeating-months-window'],
  ),
  row(
    '2',
    [
      'Coupon restrictions',
      'Most redemptions, products or plans, an expiration date, and whether it stacks.',
    ],
    ['coupon-fields', 'coupon-limits-on-invoices', 'stacking-order'],
  ),
  row('2', [
    'Token response',
    'access_token, token_type Bearer, expires_in seconds, and maybe refresh_token.',
  ]),
  row('3', ['States', 'Active, trialing, past due, canceled and expired.'], ['status-names']),
  row(
    '3',
    ['Trial end', 'A trial that was not canceled becomes a paid subscription, and billing begins.'],
    ['trial-end-without-payment-method'],
  ),
  row('3', ['Cancel at period end', 'Access goes on until the end of the billing period.']),
  row('3', ['Immediate cancellation', 'It takes effect at once.'], ['cancel-without-refund']),
  row(
    '3',
    ['Pause', 'An active subscription stops being billed, and its record is kept.'],
    ['paused-status-name', 'coupon-months-during-pause', 'resume-restores-remaining-period'],
  ),
  row(
    '3',
    [
      'Failed payment',
      'The subscription becomes past due and stays open; retries are configurable.',
    ],
    ['payment-outcomes', 'retry-schedule', 'after-retries'],
  ),
  row('3', ['Other transitions', 'They are not shown.'], ['unlisted-transitions']),
  row(
    '4',
    ['POST /v1/subscriptions', 'Creates a subscription from a form or a JSON body.'],
    ['success-status', 'first-invoice', 'form-scalars'],
  ),
  row(
    '4',
    ['POST .../update', 'An upgrade is prorated: only the difference is paid.'],
    [
      'json-bodies',
      'upgrade-or-downgrade',
      'proration',
      'interval-change',
      'credit-to-balance',
      'failed-upgrade-payment',
    ],
  ),
  row(
    '4',
    [
      'POST .../update',
      'A downgrade takes effect at the next billing cycle; plans may be switched at any time.',
    ],
    ['plan-change-in-trial', 'plan-change-while-paused'],
  ),
  row('4', ['POST .../pause', 'Takes no body.'], ['method-not-allowed']),
  row(
    '4',
    ['POST .../cancel', 'at_period_end true ends the subscription with its period.'],
    ['immediate-cancel-parameter'],
  ),
  row(
    '4',
    ['POST .../apply-coupon', 'The new coupon replaces the discount unless stacking is enabled.'],
    ['stacking-needs-both', 'reapplied-coupon'],
  ),
  row('4', [
    'POST /v1/auth/refresh',
    'Takes a JSON body and the refresh token as bearer; answers 200.',
  ]),
  row(
    '5',
    ['API key', 'Subscription calls carry it as a bearer.'],
    ['access-tokens-on-subscription-calls', 'key-and-token-scopes'],
  ),
  row(
    '5',
    ['Refresh tokens', 'They outlive access tokens, and a refresh may answer a new one.'],
    ['refresh-token-lifetime', 'refresh-rotation', 'refresh-reuse-revokes-family'],
  ),
  {
    section: '6',
    subject: 'Events and webhooks',
    says: 'They are not shown, so /v1 has none.',
    implemented: false,
    gaps: [],
  },
  row(
    '7',
    ['Refresh errors', 'error and message, with invalid_grant, unauthorized or invalid_request.'],
    ['refresh-error-statuses', 'invalid-grant-status'],
  ),
  row(
    '7',
    ['Subscription and coupon errors', 'They are not shown.'],
    ['error-envelope', 'error-codes', 'coupon-refusals', 'unknown-fields'],
  ),
  row(
    '8',
    ['expires_in', 'The lifetime of the access token in seconds.'],
    ['access-token-lifetime'],
  ),
  row(
    '8',
    ['Coupon limits', 'A coupon can be limited in redemptions and by an expiration date.'],
    ['redemption-count'],
  ),
  row(
    '8',
    ['Other limits', 'Rate limits and bounds are not shown.'],
    ['body-limit', 'record-limit'],
  ),
  row('9', ['Version', 'It is part of the path: everything is under /v1.']),
]
