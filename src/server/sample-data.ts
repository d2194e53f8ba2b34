/**
 * The sample data of the examples: the calls that make whatever the documents name. Owns which records there are, and in what
 * order, on which their numbers depend; each is there for one operation to succeed with.
 */
import {
  CHECKPOINT,
  consumer,
  EXAMPLE_REFRESH_TOKEN,
  EXAMPLE_WEBHOOK_SECRET,
  examplePact,
  exampleSandboxes,
  provider,
} from '../openapi/examples/call.ts'

/** A sandbox that the calls begin in, or go on in: from a fixture, or as a fork of another one. */
export interface SampleSandbox {
  readonly makes: string
  readonly of: { readonly fixture: string } | { readonly from: { readonly sandbox: string } }
}

/** One call, to the sandbox `examples` unless it says otherwise. */
export interface SampleCall {
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly body?: unknown
  readonly sandbox?: string
}

const { main, fork, empty, old } = exampleSandboxes

const post = (path: string, body?: unknown): SampleCall => ({ method: 'POST', path, body })
const put = (path: string, body?: unknown): SampleCall => ({ method: 'PUT', path, body })
const subscribe = (customer_id: string, plan: string) =>
  post('/v1/subscriptions', { customer_id, plan })

const checkpoint = (name: string) => post('/sandbox/checkpoints', { name })
const fault = (number: string, effect: object, times?: number) =>
  post('/sandbox/faults', { match: { header: { name: 'X-Try', value: number } }, times, effect })
const pactAt = (version: string) =>
  `/sandbox/broker/pacts/provider/${provider}/consumer/${consumer}/version/${version}`

/** Every sandbox and every call, in order. */
export const sampleData: readonly (SampleSandbox | SampleCall)[] = [
  { makes: main, of: { fixture: 'starter' } },
  // A state replaces all records, so that it comes first. It alone can choose the text of a refresh token.
  post('/sandbox/provider-states', {
    state: 'a refresh token is fresh',
    params: { refresh_token: EXAMPLE_REFRESH_TOKEN, subject: 'ada' },
  }),
  post('/sandbox/tokens', { subject: 'linus' }),
  // What is only there to be deleted.
  post('/sandbox/products', { product_id: 'prod_old', name: 'No longer sold' }),
  post('/sandbox/plans', {
    ...{ plan_id: 'old', product_id: 'prod_app', name: 'No longer sold' },
    ...{ amount: 500, currency: 'USD', interval: 'month' },
  }),
  post('/sandbox/customers', { customer_id: 'cus_old', name: 'Nobody' }),
  post('/sandbox/coupons', { coupon_id: 'OLD', type: 'percentage', value: 5 }),
  post('/sandbox/promotions', { code: 'HELLO', coupon_id: 'LOYAL10' }),
  post('/sandbox/promotions', { code: 'OLDCODE', coupon_id: 'LOYAL10' }),
  subscribe('cus_ada', 'basic'),
  subscribe('cus_linus', 'pro'),
  subscribe('cus_linus', 'basic'),
  subscribe('cus_ada', 'basic'),
  subscribe('cus_linus', 'basic'),
  subscribe('cus_linus', 'pro'),
  post('/v1/subscriptions/sub_000006/pause'),
  // Without a way to pay, its invoice stays open; with one again, an attempt to pay it succeeds.
  subscribe('cus_grace', 'basic'),
  { method: 'PATCH', path: '/sandbox/customers/cus_grace', body: { payment_method: 'valid' } },
  subscribe('cus_linus', 'basic'),
  post('/v1/subscriptions/sub_000008/cancel', { at_period_end: true }),
  // Nobody listens there: deliveries fail, and can be repeated.
  post('/sandbox/webhooks', {
    url: 'http://127.0.0.1:9/hooks',
    event_types: ['charge.succeeded'],
    secret: EXAMPLE_WEBHOOK_SECRET,
  }),
  post('/sandbox/webhooks', { url: 'http://127.0.0.1:9/old', event_types: ['charge.failed'] }),
  post('/sandbox/charges', { customer_id: 'cus_ada', amount: 1900, currency: 'USD' }),
  post('/sandbox/charges', { customer_id: 'cus_linus', amount: 900, currency: 'USD' }),
  post('/sandbox/payment-outcomes', { subscription_id: 'sub_000006', outcomes: ['card_declined'] }),
  post('/sandbox/payment-outcomes', { customer_id: 'cus_old', always: 'card_declined' }),
  // They match no call of the examples. The second one is only there to be deleted.
  fault('1', { status: 503 }, 2),
  fault('2', { drop: true }),
  // Goes nowhere, and gives up at once what nobody listens to.
  post('/sandbox/clock/advance', { to: '2027-01-01', lockstep: true }),
  put(pactAt('0.9.0'), examplePact),
  put(pactAt('1.0.0'), examplePact),
  put(`/sandbox/broker/pacticipants/${consumer}/branches/main/versions/1.0.0`),
  put(`/sandbox/broker/pacticipants/${consumer}/versions/1.0.0/tags/production`),
  post(`${pactAt('1.0.0')}/verification-results`, {
    success: true,
    providerApplicationVersion: '2.0.0',
  }),
  checkpoint(CHECKPOINT),
  checkpoint('old'),
  { makes: fork, of: { from: { sandbox: main } } },
  { makes: empty, of: { fixture: 'empty' } },
  { ...post('/sandbox/payment-outcomes', { always: 'card_declined' }), sandbox: empty },
  { ...checkpoint(CHECKPOINT), sandbox: empty },
  { makes: old, of: { fixture: 'empty' } },
]
