/** The table of errors: a row for each code. */
import { BODY_LIMIT_BYTES, type Declaration } from '../../src/surface/operation.ts'
import type { Code } from '../../src/wire/common/error-codes.ts'
import { conflicts } from './conflicts.ts'
import { limits } from './limits.ts'
import {
  asItIs,
  call,
  chargeCall,
  checkout,
  client,
  type ErrorCall,
  type ErrorRow,
  getCall,
  loggedIn,
  ONE,
  ofShop,
  postCall,
  putCall,
  refresh,
  state,
  subscribed,
  whatIfCheckout,
  withHeaders,
} from './row.ts'

const order = { customer_id: 'cus_ada', plan: 'basic' }
const create = client('/subscriptions', order)
const describe = getCall('/sandbox')
const reset = postCall('/sandbox/reset', {})

/** A call on each surface, with headers that are refused. */
const onBoth = (headers: Readonly<Record<string, string>>) => [
  [withHeaders({ ...create, headers }, create.headers ?? {})],
  [withHeaders(reset, headers)],
]
const plain = (sent: ErrorCall) => ({
  ...withHeaders(sent, { 'Content-Type': 'text/plain' }),
  body: 'customer_id: cus_ada',
})
const wrongKey = { Authorization: 'Bearer sk_wrong' }
const nowhere = { 'Sandbox-Id': 'nowhere' }
const byName = { 'Sandbox-Id': 'default' }

/** With a field that nothing has: of the body, or else of the query. Who reads pacts does not look at such fields. */
function withColor(example: ErrorCall, declared: Declaration): ErrorCall {
  const { path, body } = example
  if (body !== undefined && declared.body?.raw !== true) {
    return { ...example, body: JSON.stringify({ ...JSON.parse(body), color: 'red' }) }
  }
  return { ...example, path: `${path}${path.includes('?') ? '&' : '?'}color=red` }
}

const PROVIDER = '/sandbox/broker/pacts/provider/subscription-service'

/** The same call, to the sandbox `shop`. */
function inShop(sent: ErrorCall): ErrorCall {
  const key = sent.path.includes('/auth/') ? `rt_shop_${'x'.repeat(43)}` : 'sk_sandbox_shop'
  const path = sent.path.replace(/^\/sandboxes\/.*/, '/sandboxes/shop')
  const isOpen = sent.headers === undefined
  return { ...sent, path, headers: isOpen ? ofShop : { Authorization: `Bearer ${key}` } }
}
const forks = [
  [postCall('/sandboxes', { from: { sandbox: 'shop' } })],
  [putCall('/sandboxes/copy', { from: { sandbox: 'shop' } })],
]

const ended = { subscription_id: 'sub_000009', status: 'canceled' }
const plan = { name: 'Team', amount: 900, currency: 'USD', interval: 'month' }
const coupon = { coupon_id: 'MORE', type: 'percentage', value: 5, duration: 'once' }

/** A byte more than a body may have. */
const large = ' '.repeat(BODY_LIMIT_BYTES + 1)

export const errorTable = {
  invalid_request: {
    cause: 'A field, a parameter or a header breaks a rule, or the body is not JSON.',
    remedy: 'Correct what the message names; `errors` lists each field on the control plane.',
    provocations: [
      [client('/subscriptions', { customer_id: 'cus_ada' })],
      [subscribed, client(`${ONE}/update`, { plan: 5 })],
      [subscribed, client(`${ONE}/pause`, { reason: 'holiday' })],
      [subscribed, client(`${ONE}/cancel`, { at_period_end: 'soon' })],
      [subscribed, client(`${ONE}/apply-coupon`, { coupon_id: '' })],
      [client('/auth/refresh', {})],
      [getCall('/sandbox?color=red')],
      [postCall('/sandbox/clock/advance', { by: 'two weeks' })],
      [postCall('/sandbox/customers', { email: 5 })],
      [postCall('/sandbox/faults', { effect: { status: 99 } })],
      [postCall('/sandbox/provider-states', {})],
      [postCall(`${PROVIDER}/for-verification`, { consumerVersionSelectors: 5 })],
    ],
    elsewhere: withColor,
  },
  unauthorized: {
    cause: 'The key or token is missing, unknown, expired or revoked.',
    remedy: 'Send a key such as `sk_sandbox_default` in Authorization, as Bearer.',
    provocations: [
      [withHeaders(postCall('/v1/subscriptions', order), wrongKey)],
      [client('/auth/refresh', { refresh_token: 'rt_unknown' })],
      [withHeaders(describe, wrongKey)],
    ],
    // The operations of the process look at no key.
    elsewhere: (example) =>
      example.path.startsWith('/sandboxes')
        ? { ...example, isGuarded: true }
        : { ...example, headers: wrongKey },
  },
  invalid_grant: {
    cause: 'The refresh token was used already, has expired, or was revoked.',
    remedy: 'Store the new refresh token of each answer, and let the user log in again.',
    provocations: [[loggedIn, refresh, refresh]],
  },
  not_found: {
    cause: 'No record, sandbox or path has this name.',
    remedy: 'Check the identifier, and that the key or Sandbox-Id names the right sandbox.',
    provocations: [
      [client('/subscriptions', { customer_id: 'cus_ada', plan: 'gold' })],
      [client('/subscriptions/sub_000009/update', { plan: 'pro' })],
      [client('/subscriptions/sub_000009/pause')],
      [client('/subscriptions/sub_000009/cancel', {})],
      [subscribed, client(`${ONE}/apply-coupon`, { coupon_id: 'NOPE' })],
      [withHeaders(describe, nowhere)],
      [postCall('/sandbox/reset', { fixture: 'nowhere' })],
      [postCall('/sandbox/clock/advance', { until: ended, within: 'P1D' })],
      [whatIfCheckout({ plan: 'gold' })],
      [postCall('/sandbox/plans', { ...plan, product_id: 'prod_none' })],
      [postCall('/sandbox/coupons', { ...coupon, applies_to_plans: ['gold'] })],
      [postCall('/sandbox/promotions', { code: 'SPRING', coupon_id: 'NOPE' })],
      [checkout({ plan: 'gold' })],
      [chargeCall({ customer_id: 'cus_nobody' })],
      [postCall('/sandbox/payment-outcomes', { customer_id: 'cus_nobody', always: 'succeed' })],
      [postCall('/sandbox/payment-outcomes/remove', { customer_id: 'cus_nobody' })],
      [postCall('/sandbox/faults', { match: { operation: 'subscribe' }, effect: { drop: true } })],
      [postCall('/sandbox/tokens/revoke', { family_id: 'fam_000009' })],
      [getCall('/sandbox/broker/matrix?q%5B%5D%5Bpacticipant%5D=nobody')],
      [state('nobody knows this')],
      [postCall('/sandboxes', { fixture: 'nowhere' })],
      [putCall('/sandboxes/copy', { from: { sandbox: 'nowhere' } })],
    ],
    elsewhere: (example, { path, params, refusals = [] }) =>
      params !== undefined && refusals.includes('not_found')
        ? { ...example, path: path.replace(/\{\w+\}/g, 'nowhere') }
        : { ...example, headers: nowhere },
  },
  method_not_allowed: {
    cause: 'The path exists, but not with this method.',
    remedy: 'Use a method that the header Allow lists.',
    provocations: [
      [{ ...client('/subscriptions'), method: 'GET' }],
      [call('DELETE', '/sandbox/clock')],
    ],
  },
  ...conflicts,
  ...limits,
  payload_too_large: {
    cause: 'The body has more bytes than the operation takes.',
    remedy: 'Send less; the description of each body in the documents gives its limit.',
    provocations: [
      [{ ...create, body: large }],
      [{ ...refresh, body: large }],
      [{ ...reset, body: large }],
    ],
    elsewhere: (example, { body }) => {
      const length = String((body?.limitBytes ?? BODY_LIMIT_BYTES) + 1)
      return { ...example, headers: { ...example.headers, 'Content-Length': length } }
    },
  },
  unsupported_media_type: {
    cause: 'Content-Type names a media type that the operation does not take.',
    remedy: 'Send JSON as application/json, or on /v1 a form.',
    provocations: [[plain(create)], [plain(reset)]],
    elsewhere: plain,
  },
  request_timeout: {
    cause: 'The body did not come while other requests waited, or not within 60 seconds.',
    remedy: 'Send the whole body at once; check the Content-Length.',
    condition: '256 requests wait for the rest of their bodies, and further requests wait.',
    provocations: [[create], [reset]],
  },
  expectation_failed: {
    cause: 'The header Expect names something else than 100-continue.',
    remedy: 'Leave the header out.',
    provocations: onBoth({ Expect: '200-ok' }),
  },
  headers_too_large: {
    cause: 'The headers have more than 16,384 bytes.',
    remedy: 'Send fewer or shorter headers, such as cookies.',
    provocations: onBoth({ 'X-Long': 'x'.repeat(20_000) }),
  },
  storage_unavailable: {
    cause: 'The disk is full or cannot be written, or files of the data folder were moved.',
    remedy:
      'Repair the disk or put the files back, then repeat the call: nothing was changed. A move of the clock may have come a part of its way, and the message says how far.',
    condition:
      'The folder of the sandbox `default` was moved out of the data folder. For the sandbox `shop` the disk is full, which is planted: no request fills a disk.',
    provocations: [[create], [reset], ...forks],
    elsewhere: inShop,
  },
  unavailable: {
    cause:
      'The server has no file handles left to load a part of itself, or a package that checks pacts is not installed.',
    remedy:
      'Close connections or raise the limit of open files, or install the packages that the message names; then repeat the call.',
    condition: 'The process may open 128 files, and clients hold 80 connections.',
    provocations: [[describe]],
    elsewhere: asItIs,
  },
  storage_damaged: {
    cause: 'Files of the data folder were changed or cut by something else.',
    remedy: 'Run `npx subscription-sandbox doctor`, which says what can be saved.',
    condition: 'The journal of the sandbox `shop` was cut before anybody asked for it.',
    provocations: [[inShop(create)], [inShop(describe)], ...forks],
    elsewhere: inShop,
  },
  undocumented: {
    cause: 'The sandbox is strict, and the interface does not show what was sent.',
    remedy: 'Send only what the interface shows, or set `strict` to false.',
    provocations: [
      [
        call('PATCH', '/sandbox/settings', { strict: true }),
        client(`${ONE}/update`, { plan: 'pro' }),
      ],
    ],
  },
  internal: {
    cause: 'The sandbox has a defect: no request provokes this code on purpose.',
    remedy: 'Report the defect with the lines of the log that have the request id.',
    condition: 'To look a sandbox up throws, which no request causes: it is planted.',
    provocations: [[create], [withHeaders(describe, byName)]],
    elsewhere: (example) => withHeaders(example, byName),
  },
} as const satisfies Record<Code, ErrorRow>
