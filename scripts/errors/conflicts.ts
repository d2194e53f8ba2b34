/** The rows of conflicts: what the state of a sandbox refuses. */
import type { Code } from '../../src/wire/common/error-codes.ts'
import {
  call,
  chargeCall,
  checkout,
  client,
  type ErrorRow,
  euroPlan,
  exhausted,
  getCall,
  imported,
  ONE,
  pactCall,
  postCall,
  promoted,
  publication,
  putCall,
  state,
  subscribed,
  usualOrigin,
  whatIf,
  whatIfCheckout,
} from './row.ts'

const redeemed = checkout({ promotion_code: 'SPRING' })
const canceled = client(`${ONE}/cancel`, {})
const applies = (couponId: string) => client(`${ONE}/apply-coupon`, { coupon_id: couponId })

const oneRetry = { ...usualOrigin.settings, retry_schedule: ['P1D'] }
const madeFromPastDue = imported({ fixture: 'past-due', settings: oneRetry })

const PAST = '2026-01-01T00:00:00Z'
/** Later than any clock may stand. */
const BEYOND = '9500-01-01T00:00:00Z'

const clear = 'clearPaymentOutcomes'
const lockstep = postCall('/sandbox/clock/advance', { by: 'P1D', lockstep: true })

export const conflicts = {
  exists: {
    cause: 'A record with this identifier exists already, or a pact with another content.',
    remedy:
      'Choose another identifier, or change the existing record; publish a pact under a new version.',
    provocations: [
      [postCall('/sandbox/products', { product_id: 'prod_app', name: 'App' })],
      [
        postCall('/sandbox/plans', {
          ...{ plan_id: 'basic', product_id: 'prod_app', name: 'Basic' },
          ...{ amount: 900, currency: 'USD', interval: 'month' },
        }),
      ],
      [postCall('/sandbox/customers', { customer_id: 'cus_ada' })],
      [
        postCall('/sandbox/coupons', {
          ...{ coupon_id: 'SAVE20', type: 'percentage', value: 5, duration: 'once' },
        }),
      ],
      [promoted, promoted],
      [
        postCall('/sandbox/checkpoints', { name: 'ready' }),
        postCall('/sandbox/checkpoints', { name: 'ready' }),
      ],
      [putCall('/sandboxes/default')],
      [pactCall('1'), pactCall('1', '2.0.0')],
      [pactCall('1'), publication('1', '2.0.0')],
      [whatIf('createProduct', { body: { product_id: 'prod_app', name: 'App' } })],
      [state('a plan exists'), state('the fixture dunning is loaded')],
    ],
  },
  in_use: {
    cause: 'Other records or work in progress need this record as it is.',
    remedy: 'Remove what refers to the record first, or wait until the work is done.',
    provocations: [
      [call('DELETE', '/sandbox/products/prod_app')],
      [subscribed, call('DELETE', '/sandbox/plans/basic')],
      [subscribed, call('DELETE', '/sandbox/customers/cus_ada')],
      [promoted, call('DELETE', '/sandbox/coupons/SAVE20')],
      [
        ...[promoted, redeemed, redeemed],
        call('PATCH', '/sandbox/coupons/SAVE20', { max_redemptions: 1 }),
      ],
      [
        ...[promoted, redeemed, redeemed],
        call('PATCH', '/sandbox/promotions/SPRING', { max_redemptions: 1 }),
      ],
      [call('DELETE', '/sandboxes/default')],
      [
        postCall('/sandbox/webhooks', { url: 'http://127.0.0.1:9/hooks' }),
        subscribed,
        { ...getCall('/sandbox/webhooks/deliveries'), until: 'delivery_id' },
        postCall('/sandbox/webhooks/deliveries/wh_000001_1/redeliver'),
      ],
      [whatIf('deleteProduct', { params: { product_id: 'prod_app' } })],
      [state('a subscription exists'), state('a plan exists', { amount: 5 })],
    ],
  },
  invalid_transition: {
    cause: 'The status of the subscription or invoice does not allow this operation.',
    remedy: 'Read the status first, and call the operation only where docs/rules.md allows it.',
    provocations: [
      [subscribed, canceled, client(`${ONE}/update`, { plan: 'pro' })],
      [subscribed, canceled, client(`${ONE}/pause`)],
      [subscribed, canceled, client(`${ONE}/cancel`, {})],
      [subscribed, postCall('/sandbox/subscriptions/sub_000001/resume')],
      [subscribed, postCall('/sandbox/subscriptions/sub_000001/remove-scheduled-cancellation')],
      [subscribed, postCall('/sandbox/invoices/inv_000001/pay')],
      [subscribed, whatIf('payInvoice', { params: { invoice_id: 'inv_000001' } })],
      [state('a subscription exists', { pending_plan: 'pro', plan: 'basic' })],
    ],
  },
  coupon_expired: {
    cause: 'The coupon or promotion expired before the virtual time.',
    remedy: 'Use another coupon, or change `expires_at` of this one.',
    provocations: [
      [subscribed, applies('EXPIRED')],
      [checkout({ coupon_id: 'EXPIRED' })],
      [chargeCall({ coupon_id: 'EXPIRED' })],
      [whatIfCheckout({ coupon_id: 'EXPIRED' })],
      [state('a subscription exists', { coupon_id: 'EXPIRED' })],
    ],
  },
  coupon_exhausted: {
    cause: 'The coupon or promotion was redeemed as often as it may be.',
    remedy: 'Use another coupon, or raise `max_redemptions` of this one.',
    provocations: [
      [subscribed, exhausted, applies('LAST1')],
      [exhausted, checkout({ coupon_id: 'LAST1' })],
      [exhausted, chargeCall({ coupon_id: 'LAST1' })],
      [exhausted, whatIfCheckout({ coupon_id: 'LAST1' })],
      [
        state('a coupon is exhausted', { coupon_id: 'LAST1' }),
        state('a subscription exists', { coupon_id: 'LAST1' }),
      ],
    ],
  },
  coupon_not_applicable: {
    cause: 'The coupon does not fit the plan, the status or the kind of purchase.',
    remedy: 'Use a coupon whose `applies_to_plans` has the plan and whose type fits.',
    provocations: [
      [subscribed, applies('PROONLY')],
      [checkout({ coupon_id: 'PROONLY' })],
      [chargeCall({ coupon_id: 'MORETIME' })],
      [whatIfCheckout({ coupon_id: 'PROONLY' })],
      [state('a subscription exists', { coupon_id: 'PROONLY' })],
    ],
  },
  currency_mismatch: {
    cause: 'The amount, plan or coupon has another currency than the customer.',
    remedy: 'Use one currency for a customer and all that the customer buys.',
    provocations: [
      [euroPlan, client('/subscriptions', { customer_id: 'cus_ada', plan: 'euro' })],
      [euroPlan, subscribed, client(`${ONE}/update`, { plan: 'euro' })],
      [
        postCall('/sandbox/coupons', {
          ...{ coupon_id: 'EURO', type: 'fixed', value: 5, currency: 'EUR', duration: 'once' },
        }),
        subscribed,
        applies('EURO'),
      ],
      [euroPlan, checkout({ plan: 'euro' })],
      [chargeCall({ currency: 'EUR' })],
      [
        whatIf('createCharge', {
          body: { customer_id: 'cus_ada', amount: 900, currency: 'EUR' },
        }),
      ],
      [
        state('a customer exists', { customer_id: 'cus_ada', currency: 'EUR' }),
        state('a subscription exists', { plan: 'basic' }),
      ],
    ],
  },
  checkpoint_unusable: {
    cause: 'The stored checkpoint is damaged, or another version of the product wrote it.',
    remedy: 'Delete the checkpoint and create it again.',
    condition: 'The entries of the stored checkpoint `ready` are missing.',
    provocations: [
      [postCall('/sandbox/checkpoints/ready/restore')],
      [postCall('/sandboxes', { from: { sandbox: 'default', checkpoint: 'ready' } })],
      [putCall('/sandboxes/copy', { from: { sandbox: 'default', checkpoint: 'ready' } })],
    ],
  },
  fixture_unusable: {
    cause: 'The history of the fixture is refused with the settings of this sandbox.',
    remedy:
      'Leave the settings out, or correct the fixture: the message names the step and the rule.',
    condition:
      'The fixture `past-due`, from a file, cancels a subscription after its last failed retry.',
    provocations: [
      [postCall('/sandboxes', { fixture: 'past-due', settings: { after_retries: 'cancel' } })],
      [putCall('/sandboxes/copy', { fixture: 'past-due', settings: { after_retries: 'cancel' } })],
      [madeFromPastDue, postCall('/sandbox/reset')],
      [madeFromPastDue, state('the fixture past-due is loaded')],
    ],
  },
  recording_incomplete: {
    cause: 'The calls so far cannot be repeated with the same result.',
    remedy: 'Reset the sandbox, repeat the calls with the clock frozen, then export them.',
    provocations: [[putCall('/sandbox/clock', { mode: 'running' }), getCall('/sandbox/recording')]],
  },
  clock_backwards: {
    cause: 'The target is before the virtual time.',
    remedy: 'Choose a later instant, or reset the sandbox, or restore a checkpoint.',
    provocations: [
      [putCall('/sandbox/clock', { now: PAST })],
      [postCall('/sandbox/clock/advance', { to: PAST })],
      [subscribed, getCall(`/sandbox/subscriptions/sub_000001/forecast?until=${PAST}`)],
      [subscribed, getCall(`/sandbox/customers/cus_ada/forecast?until=${PAST}`)],
      [postCall('/sandboxes', { fixture: 'dunning', now: PAST })],
      [putCall('/sandboxes/copy', { fixture: 'dunning', now: PAST })],
      [
        imported({ fixture: 'dunning', start_at: '2026-01-01T00:00:00.000Z' }),
        postCall('/sandbox/reset'),
      ],
      [whatIf(clear, {}, { until: PAST })],
      [state('a subscription exists'), state(`the virtual time is ${PAST}`)],
    ],
  },
  clock_limit: {
    cause: 'The target is after the last instant that a clock may show.',
    remedy: 'Choose an instant before the year 9000.',
    provocations: [
      [putCall('/sandbox/clock', { now: BEYOND })],
      [postCall('/sandbox/clock/advance', { to: BEYOND })],
      [getCall(`/sandbox/agenda?before=${BEYOND}`)],
      [subscribed, getCall(`/sandbox/subscriptions/sub_000001/forecast?until=${BEYOND}`)],
      [subscribed, getCall(`/sandbox/customers/cus_ada/forecast?until=${BEYOND}`)],
      [postCall('/sandboxes', { now: BEYOND })],
      [putCall('/sandboxes/copy', { now: BEYOND })],
      [imported({ start_at: '9500-01-01T00:00:00.000Z' }), postCall('/sandbox/reset')],
      [whatIf(clear, {}, { until: BEYOND })],
      [state(`the virtual time is ${BEYOND}`)],
    ],
  },
  clock_busy: {
    cause: 'An advance in lockstep waits for receivers of webhooks.',
    remedy: 'Wait for the answer to the advance, then move the clock.',
    condition: 'An advance in lockstep waits for a receiver that does not answer.',
    provocations: [[putCall('/sandbox/clock', { now: '2027-02-01T00:00:00Z' })], [lockstep]],
  },
  clock_running: {
    cause: 'The clock follows real time, which an advance in lockstep cannot.',
    remedy: 'Freeze the clock first: PUT /sandbox/clock with `{"mode":"frozen"}`.',
    provocations: [[putCall('/sandbox/clock', { mode: 'running' }), lockstep]],
  },
} as const satisfies { readonly [Each in Code]?: ErrorRow }
