/** A request for every operation that passes all checks of its shape, for tests of what comes before and after them. */
import type { Declaration } from '../../src/surface/operation.ts'
import type { Answer, Sent, Shop } from './control.ts'

/** What is sent, where it is more than a path of `ids`. */
const bodies: Readonly<Record<string, unknown>> = {
  createSubscription: { customer_id: 'cus_ada', plan: 'basic' },
  updateSubscription: { plan: 'pro' },
  applyCoupon: { coupon_id: 'SAVE20' },
  setClock: { mode: 'frozen' },
  advanceClock: { by: 'P1D' },
  compareFutures: { changes: [{ operation: 'clearPaymentOutcomes' }] },
  createProduct: { name: 'Another' },
  changeProduct: {},
  createPlan: {
    ...{ product_id: 'prod_app', name: 'Another', amount: 5, currency: 'USD' },
    interval: 'month',
  },
  changePlan: {},
  createCustomer: {},
  changeCustomer: {},
  createCoupon: { coupon_id: 'NEW', type: 'percentage', value: 5, duration: 'once' },
  changeCoupon: {},
  createPromotion: { code: 'NEW', coupon_id: 'SAVE20' },
  changePromotion: {},
  createSubscriptionAtCheckout: { customer_id: 'cus_ada', plan: 'basic' },
  createCharge: { customer_id: 'cus_ada', amount: 5, currency: 'USD' },
  scriptPaymentOutcomes: { always: 'card_declined' },
  createFault: { effect: { drop: true }, match: { operation: 'pauseSubscription' } },
  revokeTokens: { family_id: 'tf_000001' },
  changeSettings: {},
  createCheckpoint: { name: 'ready' },
  createWebhook: { url: 'http://127.0.0.1:9/hooks' },
  checkContract: pactOf('web'),
  publishPact: pactOf('web'),
  publishContracts: {
    ...{ pacticipantName: 'web', pacticipantVersionNumber: '1' },
    contracts: [
      {
        ...{ consumerName: 'web', providerName: 'subscription-service', specification: 'pact' },
        content: Buffer.from(JSON.stringify(pactOf('web'))).toString('base64'),
      },
    ],
  },
  publishVerificationResult: { success: true, providerApplicationVersion: '1' },
  changeProviderState: { state: 'a subscription exists' },
}

const queries: Readonly<Record<string, string>> = {
  retrieveMatrix: '?q%5B%5D%5Bpacticipant%5D=web',
}

/** Where paths lead, in a sandbox that has these things. */
export const ids: Readonly<Record<string, string>> = {
  product_id: 'prod_app',
  plan_id: 'basic',
  customer_id: 'cus_ada',
  coupon_id: 'SAVE20',
  code: 'SPRING',
  subscription_id: 'sub_000001',
  invoice_id: 'inv_000001',
  charge_id: 'ch_000001',
  fault_id: 'flt_000001',
  webhook_id: 'wh_000001',
  delivery_id: 'wh_000001_1',
  sandbox_id: 'new-one',
  name: 'ready',
  file: 'reference-form-client-subscription-service.json',
  provider: 'subscription-service',
  consumer: 'web',
  version: '1',
  pacticipant: 'subscription-service',
  tag: 'prod',
  branch: 'main',
}

/** The path of an operation with its parameters filled in. */
export function pathOf({ path }: Declaration, names = ids): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => names[name] ?? '')
}

/** A token as the sandbox of this id would have issued it. */
export function tokenOf(sandboxId: string): string {
  return `rt_${sandboxId}_${'x'.repeat(43)}`
}

/** Asks for an operation, with a request that nothing is wrong with unless `sent` says otherwise. */
export function ask<Body = unknown>(
  shop: Shop,
  declared: Declaration,
  sent: Sent & { readonly path?: string } = {},
): Promise<Answer<Body>> {
  const { operationId, method, path } = declared
  const json = operationId === 'refreshToken' ? { refresh_token: 'rt' } : bodies[operationId]
  const body = sent.bytes !== undefined || json === undefined ? {} : { json }
  const key = path.startsWith('/v1') ? { Authorization: 'Bearer sk_sandbox_default' } : {}
  const { path: to = pathOf(declared) + (queries[operationId] ?? ''), ...others } = sent
  const headers = { ...key, ...sent.headers }
  return shop.call<Body>(method.toUpperCase(), to, { ...body, ...others, headers })
}

function pactOf(consumer: string) {
  const parties = { consumer: { name: consumer }, provider: { name: 'subscription-service' } }
  return { ...parties, interactions: [], metadata: { pactSpecification: { version: '2.0.0' } } }
}
