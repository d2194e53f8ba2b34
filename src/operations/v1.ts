/**
 * The documented surface: exactly the six operations of the interface document, declared and performed. An exchange of
 * tokens also needs the header of its request, so that `http/v1` performs it. (Interface section 4)
 */
import * as z from 'zod'
import { VARIED_TRIAL_DAYS_MAX } from '../assumptions/bounds.ts'
import type { AssumptionSlug, VariedSlug } from '../assumptions/register.ts'
import { refuse } from '../billing/refusal.ts'
import { type BodyDeclaration, type LinkDeclaration, operation } from '../surface/operation.ts'
import { couponRefusals } from '../surface/refusals.ts'
import {
  ApplyCoupon,
  presentSubscription,
  SubscriptionCancel,
  SubscriptionCreate,
  SubscriptionUpdate,
  toCheckout,
  WireSubscription,
} from '../wire/billing/subscription.ts'
import { referenceTo } from '../wire/common/fields.ts'
import { RefreshRequest, WireTokenResponse } from '../wire/sandbox/token.ts'
import { createSubscription, executeCommand } from '../world/commands/subscriptions.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'
import { worldWrite } from './operation.ts'

const params = z.strictObject({
  subscription_id: referenceTo('subscription').meta({ source: '4' }),
})

const media = ['json', 'form'] as const satisfies BodyDeclaration['media']
const assumptions = [
  'success-status',
  'subscription-fields',
  'status-names',
] as const satisfies AssumptionSlug[]

const onIt = (operationId: string, description: string): LinkDeclaration => ({
  operationId,
  description,
  parameters: { subscription_id: '$response.body#/subscription_id' },
})

const links = {
  update: onIt('updateSubscription', 'Change the plan of the subscription.'),
  pause: onIt('pauseSubscription', 'Pause the subscription.'),
  cancel: onIt('cancelSubscription', 'Cancel the subscription.'),
  applyCoupon: onIt('applyCoupon', 'Apply a coupon to the subscription.'),
}

/** The assumptions of reading any request: undocumented fields, and values that a form writes as text. */
const reading = ['form-scalars', 'unknown-fields'] as const satisfies AssumptionSlug[]

/** The assumptions of an invoice that is collected at once. */
const collecting = [
  'billing-calendar',
  'credit-to-balance',
  'payment-outcomes',
  'retry-schedule',
  'after-retries',
] as const satisfies AssumptionSlug[]

const shared = { method: 'post', tag: 'Subscriptions', source: '4', security: 'api_key' } as const

const source = 'subscription-fields'
const answered = { schema: WireSubscription, source, assumptions, links } as const

/** The documented operations on subscriptions, in the order of the interface document. */
export const documentedWrites = [
  worldWrite({
    ...shared,
    operationId: 'createSubscription',
    path: '/v1/subscriptions',
    summary: 'Create a subscription',
    description:
      'Links a customer to a pricing plan. With `trial_period_days` the subscription starts with a trial, and converts to paid at its end unless canceled first; without a trial it is billed at once.',
    body: { schema: SubscriptionCreate, media, required: true },
    replies: { 200: { ...answered, description: 'The new subscription.' } },
    refusals: ['not_found', 'currency_mismatch', 'sandbox_full'],
    sometimes: {
      any: reading,
      200: [...collecting, 'first-invoice', 'trial-day-length', 'trial-period-bounds'],
    },
    perform: (world, body, cause) =>
      refuseLongTrial(world, body.trial_period_days) ??
      createSubscription(world, toCheckout(body), cause),
    present: presentSubscription,
  }),
  worldWrite({
    ...shared,
    operationId: 'updateSubscription',
    path: '/v1/subscriptions/{subscription_id}/update',
    summary: 'Change the plan of a subscription',
    description:
      'An upgrade is prorated: only the difference is paid. A downgrade takes effect at the next billing cycle; until then it shows as `pending_plan`.',
    params,
    body: { schema: SubscriptionUpdate, media, required: true, jsonSource: 'json-bodies' },
    replies: { 200: { ...answered, description: 'The updated subscription.' } },
    refusals: ['not_found', 'invalid_transition', 'currency_mismatch', 'sandbox_full'],
    sometimes: {
      any: reading,
      200: [
        ...collecting,
        'upgrade-or-downgrade',
        'plan-change-in-trial',
        'first-invoice',
        'plan-change-while-paused',
        'paused-status-name',
        'interval-change',
        'proration',
        'amount-rounding',
        'failed-upgrade-payment',
        'open-invoices-on-cancellation',
        'fixed-value-unit',
        'stacking-order',
        'coupon-limits-on-invoices',
        'repeating-months-window',
      ],
    },
    perform: (world, { subscription_id: subscriptionId, plan: planId }, cause) =>
      executeCommand(world, { subscriptionId, cause }, { kind: 'change_plan', planId }),
    present: presentSubscription,
  }),
  worldWrite({
    ...shared,
    operationId: 'pauseSubscription',
    path: '/v1/subscriptions/{subscription_id}/pause',
    summary: 'Pause a subscription',
    description:
      'Stops billing and keeps customer data. Only an active subscription can be paused. The interface shows no operation that resumes it; the control plane has `resumeSubscription`, POST /sandbox/subscriptions/{subscription_id}/resume.',
    params,
    replies: {
      200: {
        ...answered,
        description: 'The paused subscription.',
        assumptions: [...assumptions, 'paused-status-name'],
      },
    },
    refusals: ['not_found', 'invalid_transition'],
    // The operation has no body, and an empty JSON object counts as none.
    sometimes: { any: [...reading, 'json-bodies'] },
    perform: (world, { subscription_id: subscriptionId }, cause) =>
      executeCommand(world, { subscriptionId, cause }, { kind: 'pause' }),
    present: presentSubscription,
  }),
  worldWrite({
    ...shared,
    operationId: 'cancelSubscription',
    path: '/v1/subscriptions/{subscription_id}/cancel',
    summary: 'Cancel a subscription',
    description:
      'Cancels the subscription. With `at_period_end` true it ends at the end of the billing period, and access continues until then; otherwise it ends at once.',
    params,
    body: { schema: SubscriptionCancel, media, required: false, jsonSource: 'json-bodies' },
    replies: { 200: { ...answered, description: 'The canceled subscription.' } },
    refusals: ['not_found', 'invalid_transition', 'sandbox_full'],
    sometimes: {
      any: reading,
      200: [
        'immediate-cancel-parameter',
        'cancel-without-refund',
        'first-invoice',
        'proration',
        'amount-rounding',
        'credit-to-balance',
        'open-invoices-on-cancellation',
        'unlisted-transitions',
      ],
    },
    perform: (world, { subscription_id: subscriptionId, at_period_end: isLater }, cause) => {
      const isVaried = isLater === undefined && varies(world, 'immediate-cancel-parameter')
      const kind = isLater === true || isVaried ? 'cancel_at_period_end' : 'cancel_now'
      const canceled = executeCommand(world, { subscriptionId, cause }, { kind })
      if (!isVaried) return canceled
      return { ...canceled, assumptions: [...canceled.assumptions, 'immediate-cancel-parameter'] }
    },
    present: presentSubscription,
  }),
  worldWrite({
    ...shared,
    operationId: 'applyCoupon',
    path: '/v1/subscriptions/{subscription_id}/apply-coupon',
    summary: 'Apply a coupon to a subscription',
    description:
      'The new coupon replaces the discounts that the subscription has, unless stacking is enabled.',
    params,
    body: { schema: ApplyCoupon, media, required: true, jsonSource: 'json-bodies' },
    replies: { 200: { ...answered, description: 'The subscription with the coupon.' } },
    refusals: ['not_found', ...couponRefusals],
    sometimes: {
      any: reading,
      200: [
        'coupon-types',
        'coupon-durations',
        'coupon-months-start',
        'fixed-value-unit',
        'paused-status-name',
        'reapplied-coupon',
        'redemption-count',
        'stacking-needs-both',
        'trial-extension',
      ],
    },
    refusalAssumptions: {
      currency_mismatch: ['coupon-refusals', 'currency-match', 'error-codes', 'error-envelope'],
    },
    perform: (world, { subscription_id: subscriptionId, coupon_id: couponId }, cause) =>
      executeCommand(world, { subscriptionId, cause }, { kind: 'apply_coupon', couponId }),
    present: presentSubscription,
  }),
]

const refreshStatuses: readonly AssumptionSlug[] = ['refresh-error-statuses']

export const refreshToken = operation({
  operationId: 'refreshToken',
  method: 'post',
  path: '/v1/auth/refresh',
  tag: 'Authentication',
  summary: 'Exchange a refresh token for a new access token',
  description:
    'The refresh token goes into the Authorization header and into the body. The answer holds a new access token and, unless the setting `refresh_rotation` is `keep`, a new refresh token; the old one is then revoked.',
  source: '4',
  security: 'refresh_token',
  body: {
    schema: RefreshRequest,
    media: ['json'],
    required: true,
    foreignMedia: 'invalid_request',
  },
  replies: {
    200: {
      description: 'The new tokens.',
      schema: WireTokenResponse,
      source: '4',
      assumptions: ['access-token-lifetime', 'refresh-rotation'],
      links: {
        refreshAgain: {
          operationId: 'refreshToken',
          description: 'Refresh again, with the new refresh token in header and body.',
        },
      },
    },
  },
  refusals: ['invalid_grant', 'sandbox_full'],
  sometimes: { any: ['unknown-fields'], 200: ['refresh-reuse-leeway'] },
  refusalAssumptions: {
    invalid_request: refreshStatuses,
    unauthorized: refreshStatuses,
  },
})

/** The whole documented surface, in the order of the interface document. */
export const v1Operations = [...documentedWrites, refreshToken]

export type V1OperationId = (typeof v1Operations)[number]['operationId']

/** The assumptions whose alternatives are implemented here, where the setting `vary` names them. */
export type VariedInOperations = Extract<
  VariedSlug,
  'immediate-cancel-parameter' | 'trial-period-bounds'
>

/** Refuses a trial that is too long for a sandbox with other bounds. */
function refuseLongTrial(world: World, days: number | undefined): Refusal | null {
  if (days === undefined || days <= VARIED_TRIAL_DAYS_MAX) return null
  if (!varies(world, 'trial-period-bounds')) return null
  return refuse(
    'invalid_request',
    `trial_period_days must be an integer from 0 to ${VARIED_TRIAL_DAYS_MAX}; got ${days}.`,
    ['trial-period-bounds'],
  )
}

function varies({ chosenSettings }: World, slug: VariedInOperations): boolean {
  return chosenSettings.vary.includes(slug)
}
