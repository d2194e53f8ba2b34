/** The example calls of the control plane. */
import {
  body,
  CHECKPOINT,
  call,
  type ExampleAnswers,
  type ExampleCalls,
  exampleOf,
  exampleSandboxes,
  query,
} from './call.ts'
import { contractCalls } from './contract-calls.ts'

const { fork, empty, old, fresh } = exampleSandboxes

/** Nothing but what every call has. */
const plain = call({})

/** Short pages: who tries a list out sees what goes on after it. */
const firstTwo = query({ limit: 2 })
const firstOne = query({ limit: 1 })
const ofOne = { subscription_id: ['sub_000001'], limit: 2 }
const firstOrOwn = { ...firstTwo, subscription: { summary: 'Of one subscription', query: ofOne } }

const calls: ExampleCalls = {
  describeSandbox: plain,
  resetSandbox: call({ sandbox: fork, body: { fixture: 'starter' } }),
  auditSandbox: plain,
  exportState: call({ sandbox: empty }),
  exportFixture: {
    catalog: { summary: 'What was set up, to be edited', query: { content: 'catalog' } },
    state: { summary: 'Everything', sandbox: empty },
  },
  listCheckpoints: firstOne,
  createCheckpoint: body({ name: 'before-upgrade' }),
  retrieveCheckpoint: exampleOf({ name: CHECKPOINT }),
  deleteCheckpoint: exampleOf({ name: 'old' }),
  restoreCheckpoint: call({ sandbox: empty, params: { name: CHECKPOINT } }),
  listSandboxes: firstTwo,
  createSandbox: body({ fixture: 'starter' }),
  createNamedSandbox: {
    fixture: {
      summary: 'From a fixture, with settings of its own',
      params: { sandbox_id: fresh },
      body: { fixture: 'starter', settings: { retry_schedule: ['P3D'] } },
    },
  },
  retrieveSandbox: exampleOf({ sandbox_id: exampleSandboxes.main }),
  deleteSandbox: exampleOf({ sandbox_id: old }),
  retrieveClock: plain,
  setClock: call({ sandbox: fork, body: { now: '2027-01-20T00:00:00.000Z' } }),
  advanceClock: {
    by: { summary: 'By a day', sandbox: fork, body: { by: 'P1D' } },
    next: {
      summary: 'To what falls due next, without moving the clock',
      sandbox: fork,
      body: { to_next: 1, dry_run: true },
    },
    lockstep: {
      summary: 'With the receivers of webhooks in the loop',
      sandbox: fork,
      body: { by: 'P1D', lockstep: true, receiver_timeout_ms: 2000 },
    },
  },
  listAgenda: firstOrOwn,
  compareFutures: {
    price: {
      summary: 'A higher price',
      body: {
        changes: [
          { operation: 'changePlan', params: { plan_id: 'basic' }, body: { amount: 1250 } },
        ],
        for: 'P2M',
      },
    },
    cancellation: {
      summary: 'A cancellation in two weeks, and a retry less',
      body: {
        changes: [
          { operation: 'changeSettings', body: { retry_schedule: ['P3D'] } },
          {
            operation: 'cancelSubscription',
            at: '2027-02-01',
            params: { subscription_id: 'sub_000001' },
            body: {},
          },
        ],
        until: '2027-03-01',
      },
    },
  },
  listProducts: firstOne,
  createProduct: body({ product_id: 'prod_desk', name: 'Desk' }),
  retrieveProduct: exampleOf({ product_id: 'prod_app' }),
  changeProduct: exampleOf({ product_id: 'prod_app' }, { name: 'The app' }),
  deleteProduct: exampleOf({ product_id: 'prod_old' }),
  listPlans: firstTwo,
  createPlan: body({
    plan_id: 'team',
    product_id: 'prod_app',
    name: 'Team',
    amount: 9900,
    currency: 'USD',
    interval: 'month',
  }),
  retrievePlan: exampleOf({ plan_id: 'basic' }),
  changePlan: exampleOf({ plan_id: 'pro_yearly' }, { amount: 26000 }),
  deletePlan: exampleOf({ plan_id: 'old' }),
  listCustomers: firstTwo,
  createCustomer: body({
    customer_id: 'cus_marie',
    name: 'Marie Curie',
    email: 'marie@example.com',
  }),
  retrieveCustomer: exampleOf({ customer_id: 'cus_ada' }),
  changeCustomer: exampleOf({ customer_id: 'cus_linus' }, { balance: 500 }),
  deleteCustomer: exampleOf({ customer_id: 'cus_old' }),
  listCoupons: firstTwo,
  createCoupon: {
    percentage: {
      summary: '15 % off for half a year',
      body: {
        coupon_id: 'HALFYEAR',
        type: 'percentage',
        value: 15,
        duration: 'repeating',
        duration_in_months: 6,
      },
    },
    fixed: {
      summary: '2.50 USD off, once, for the first hundred',
      body: {
        coupon_id: 'FIRST100',
        type: 'fixed',
        value: 250,
        currency: 'USD',
        max_redemptions: 100,
      },
    },
  },
  retrieveCoupon: exampleOf({ coupon_id: 'SAVE20' }),
  changeCoupon: exampleOf({ coupon_id: 'TAKE5' }, { max_redemptions: 10 }),
  deleteCoupon: exampleOf({ coupon_id: 'OLD' }),
  listPromotions: firstOne,
  createPromotion: body({ code: 'SPRING', coupon_id: 'SAVE20' }),
  retrievePromotion: exampleOf({ code: 'HELLO' }),
  changePromotion: exampleOf({ code: 'HELLO' }, { expires_at: '2027-07-01T00:00:00.000Z' }),
  deletePromotion: exampleOf({ code: 'OLDCODE' }),
  listSubscriptions: query({ limit: 1, customer_id: 'cus_ada' }),
  createSubscriptionAtCheckout: {
    coupon: {
      summary: 'With a coupon',
      body: { customer_id: 'cus_ada', plan: 'pro', coupon_id: 'WELCOME' },
    },
    promotion: {
      summary: 'With the code of a promotion',
      body: { customer_id: 'cus_ada', plan: 'pro', promotion_code: 'HELLO' },
    },
  },
  retrieveSubscription: exampleOf({ subscription_id: 'sub_000001' }),
  resumeSubscription: exampleOf({ subscription_id: 'sub_000006' }),
  removeScheduledCancellation: exampleOf({ subscription_id: 'sub_000008' }),
  forecastCustomer: call({ params: { customer_id: 'cus_ada' }, query: { for: 'P2M', limit: 2 } }),
  forecastSubscription: call({ params: { subscription_id: 'sub_000001' }, query: { limit: 2 } }),
  listInvoices: query({ limit: 1, customer_id: 'cus_ada' }),
  retrieveInvoice: exampleOf({ invoice_id: 'inv_000001' }),
  payInvoice: exampleOf({ invoice_id: 'inv_000007' }),
  explainInvoice: exampleOf({ invoice_id: 'inv_000001' }),
  listCharges: firstOne,
  createCharge: body({
    customer_id: 'cus_ada',
    amount: 4900,
    currency: 'USD',
    coupon_id: 'TAKE5',
  }),
  retrieveCharge: exampleOf({ charge_id: 'ch_000001' }),
  listPaymentOutcomes: firstOne,
  scriptPaymentOutcomes: {
    declined: {
      summary: 'One failure, then success',
      body: { customer_id: 'cus_grace', outcomes: ['card_declined', 'succeed'] },
    },
    always: {
      summary: 'Every payment of a customer fails',
      body: { customer_id: 'cus_grace', always: 'insufficient_funds' },
    },
  },
  removePaymentOutcomes: {
    sandbox: { summary: 'Those of the whole sandbox', sandbox: empty, body: {} },
  },
  clearPaymentOutcomes: plain,
  listFaults: firstOne,
  createFault: {
    twice: {
      summary: 'Twice 503 although the subscription was created, then through',
      sandbox: fork,
      body: {
        match: { operation: 'createSubscription' },
        times: 2,
        when: 'after',
        effect: { status: 503 },
      },
    },
    limit: {
      summary: 'Every other call, as a seed decides, comes too early',
      sandbox: fork,
      body: {
        probability: 0.5,
        seed: 7,
        effect: { status: 429, headers: { 'Retry-After': '2' }, body: { error: 'too_many' } },
      },
    },
    drop: {
      summary: 'The connection ends without an answer at the third cancellation',
      sandbox: fork,
      body: { match: { operation: 'cancelSubscription' }, nth: 3, effect: { drop: true } },
    },
  },
  retrieveFault: exampleOf({ fault_id: 'flt_000001' }),
  deleteFault: exampleOf({ fault_id: 'flt_000002' }),
  clearFaults: call({ sandbox: fork }),
  listTokenFamilies: firstOne,
  issueTokens: body({ subject: 'grace' }),
  revokeTokens: body({ family_id: 'fam_000002' }),
  retrieveSettings: plain,
  changeSettings: {
    retries: { summary: 'One retry', sandbox: fork, body: { retry_schedule: ['P3D'] } },
    variation: {
      summary: 'Legal, but different',
      sandbox: fork,
      body: { vary: ['success-status'] },
    },
  },
  listAssumptions: firstTwo,
  listEvents: firstOrOwn,
  streamEvents: query({ after: 1, limit: 2 }),
  retrieveCoverage: {
    json: { summary: 'With a threshold', query: { min_operations: 80 } },
    text: { summary: 'As tables', query: { format: 'text', min_operations: 80 } },
  },
  deleteCoverage: call({ sandbox: empty }),
  listRequests: query({ status: 201, limit: 1 }),
  exportRecording: query({ format: 'curl' }),
  streamRequests: query({ after: 1, limit: 1, status: 201 }),
}

/** The calls, given the answers so far: what one was answered, another one sends. */
export const controlCalls = (answers: ExampleAnswers): ExampleCalls => ({
  ...calls,
  ...contractCalls(answers),
  restoreState: call({ sandbox: empty, body: answers['exportState']?.['example']?.body }),
})
