/** Rows of the catalogue of errors: why a code is answered, what helps, and the calls that provoke it. Owns their shape. */

import controlAnswers from '../../src/openapi/examples/control-answers.json' with { type: 'json' }
import type { Declaration } from '../../src/surface/operation.ts'

/** One call. Brackets in its path or body, as in `s[1-9]`, stand for a call with each number, also behind `#`. */
export interface ErrorCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The body, which is JSON unless the headers name another media type. */
  readonly body?: string
  /** Whether it goes to a server that was started with a control token. */
  readonly isGuarded?: true
  /** What its answer has, where it is repeated until then. */
  readonly until?: string
}

/** Calls in order, to a sandbox that was just made from the fixture `starter`; the last one is refused. */
export type Provocation = readonly ErrorCall[]

export interface ErrorRow {
  readonly cause: string
  readonly remedy: string
  /** What must be the case before the calls, where calls alone do not provoke the code. */
  readonly condition?: string
  /** At most one for each operation. The first one of a surface is the one that the catalogue shows. */
  readonly provocations: readonly Provocation[]
  /** What has the example of an operation refused: for all others that can be refused so. */
  readonly elsewhere?: (example: ErrorCall, declared: Declaration) => ErrorCall
}

/** A call of the control plane. */
export function call(method: ErrorCall['method'], path: string, value?: unknown): ErrorCall {
  return value === undefined ? { method, path } : { method, path, body: JSON.stringify(value) }
}

export const getCall = (path: string) => call('GET', path)
export const postCall = (path: string, value?: unknown) => call('POST', path, value)
export const putCall = (path: string, value?: unknown) => call('PUT', path, value)

/** A call of /v1 with the key of the default sandbox. */
export function client(path: string, value?: unknown): ErrorCall {
  return withHeaders(postCall(`/v1${path}`, value), { Authorization: 'Bearer sk_sandbox_default' })
}

/** An example that is refused as it is. */
export const asItIs = (example: ErrorCall) => example

/** A header that names another sandbox than the default one. */
export const ofShop = { 'Sandbox-Id': 'shop' }

export function withHeaders(sent: ErrorCall, headers: Readonly<Record<string, string>>): ErrorCall {
  return { ...sent, headers: { ...headers, ...sent.headers } }
}

const { body: emptyState } = controlAnswers.exportState.example

/** What the sandbox of that state was made from. */
export const usualOrigin = emptyState.origin

/** An import of a sandbox that was made from something else. */
export const imported = (origin: object) =>
  putCall('/sandbox/state', { ...emptyState, origin: { ...emptyState.origin, ...origin } })

const order = { customer_id: 'cus_ada', plan: 'basic' }

/** Calls that make `sub_000001`, and that redeem the one redemption of a coupon. */
export const subscribed = client('/subscriptions', order)
export const exhausted = postCall('/sandbox/charges', {
  ...{ customer_id: 'cus_ada', amount: 900, currency: 'USD' },
  coupon_id: 'LAST1',
})
export const ONE = '/subscriptions/sub_000001'

/** A promotion of a coupon. */
export const promoted = postCall('/sandbox/promotions', { code: 'SPRING', coupon_id: 'SAVE20' })

/** A plan in another currency than the customers have. */
export const euroPlan = postCall('/sandbox/plans', {
  ...{ plan_id: 'euro', product_id: 'prod_app', name: 'Euro' },
  ...{ amount: 900, currency: 'EUR', interval: 'month' },
})

export const checkout = (more: object) => postCall('/sandbox/subscriptions', { ...order, ...more })
export const chargeCall = (more: object) =>
  postCall('/sandbox/charges', { customer_id: 'cus_ada', amount: 900, currency: 'USD', ...more })

/** A question about what would be otherwise with one change. */
export const whatIf = (operation: string, sent: object, more: object = {}) =>
  postCall('/sandbox/what-if', { changes: [{ operation, ...sent }], ...more })
export const whatIfCheckout = (more: object) =>
  whatIf('createSubscriptionAtCheckout', { body: { ...order, ...more } })

export const state = (name: string, params: object = {}) =>
  postCall('/sandbox/provider-states', { state: name, params })

/** Calls that make a token known, and that exchange it. */
const REFRESH_TOKEN = 'rt_default_a-refresh-token-that-the-errors-name-here-now'
export const refresh = {
  ...client('/auth/refresh', { refresh_token: REFRESH_TOKEN }),
  headers: { Authorization: `Bearer ${REFRESH_TOKEN}` },
}
export const loggedIn = state('a refresh token is fresh', { refresh_token: REFRESH_TOKEN })

const pact = (specification: string) => ({
  consumer: { name: 'web-shop' },
  provider: { name: 'subscription-service' },
  interactions: [],
  metadata: { pactSpecification: { version: specification } },
})

/** The publication of a pact of this version of its consumer, in a version of the Pact specification. */
export const pactCall = (version: string, specification = '3.0.0') =>
  putCall(
    `/sandbox/broker/pacts/provider/subscription-service/consumer/web-shop/version/${version}`,
    pact(specification),
  )

/** The same with the call of a command line. */
export const publication = (version: string, specification = '3.0.0') =>
  postCall('/sandbox/broker/contracts/publish', {
    ...{ pacticipantName: 'web-shop', pacticipantVersionNumber: version },
    contracts: [
      {
        ...{ consumerName: 'web-shop', providerName: 'subscription-service' },
        ...{ specification: 'pact', contentType: 'application/json' },
        content: btoa(JSON.stringify(pact(specification))),
      },
    ],
  })
