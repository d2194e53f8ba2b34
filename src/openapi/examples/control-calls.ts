/** The example calls of the control plane. */
import { brokerCalls } from './broker-calls.ts'
import {
  CHECKPOINT,
  type ExampleAnswers,
  type ExampleCalls,
  examplePact,
  exampleSandboxes,
} from './call.ts'
import { webhookCalls } from './webhook-calls.ts'

const { fork, empty, old, fresh } = exampleSandboxes

/** Nothing but what every call has. */
const plain = { example: {} }

/** A short page: who tries a list out sees what goes on after it. */
const firstTwo = { example: { query: { limit: 2 } } }
const ofOne = { subscription_id: ['sub_000001'], limit: 2 }
const firstOrOwn = { ...firstTwo, subscription: { summary: 'Of one subscription', query: ofOne } }

const sandboxCalls: ExampleCalls = {
  describeSandbox: plain,
  resetSandbox: { example: { sandbox: fork, body: { fixture: 'starter' } } },
  auditSandbox: plain,
  exportState: { example: { sandbox: empty } },
  exportFixture: {
    catalog: { summary: 'What was set up, to be edited', query: { content: 'catalog' } },
    state: { summary: 'Everything', sandbox: empty },
  },
  listCheckpoints: firstTwo,
  createCheckpoint: { example: { body: { name: 'before-upgrade' } } },
  retrieveCheckpoint: { example: { params: { name: CHECKPOINT } } },
  deleteCheckpoint: { example: { params: { name: 'old' } } },
  restoreCheckpoint: { example: { sandbox: empty, params: { name: CHECKPOINT } } },
  listSandboxes: firstTwo,
  createSandbox: { example: { body: { fixture: 'starter' } } },
  createNamedSandbox: {
    fixture: {
      summary: 'From a fixture, with settings of its own',
      params: { sandbox_id: fresh },
      body: { fixture: 'starter', settings: { retry_schedule: ['P3D'] } },
    },
  },
  retrieveSandbox: { example: { params: { sandbox_id: exampleSandboxes.main } } },
  deleteSandbox: { example: { params: { sandbox_id: old } } },
}

const clockCalls: ExampleCalls = {
  retrieveClock: plain,
  setClock: { example: { sandbox: fork, body: { now: '2027-01-20T00:00:00.000Z' } } },
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
}

const catalogCalls: ExampleCalls = {
  listProducts: firstTwo,
  createProduct: { example: { body: { product_id: 'prod_desk', name: 'Desk' } } },
  retrieveProduct: { example: { params: { product_id: 'prod_app' } } },
  changeProduct: { example: { params: { product_id: 'prod_app' }, body: { name: 'The app' } } },
  deleteProduct: { example: { params: { product_id: 'prod_old' } } },
  listPlans: firstTwo,
  createPlan: {
    example: {
      body: {
        plan_id: 'team',
        product_id: 'prod_app',
        name: 'Team',
        amount: 9900,
        currency: 'USD',
        interval: 'month',
      },
    },
  },
  retrievePlan: { example: { params: { plan_id: 'basic' } } },
  changePlan: { example: { params: { plan_id: 'pro_yearly' }, body: { amount: 26000 } } },
  deletePlan: { example: { params: { plan_id: 'old' } } },
  listCustomers: firstTwo,
  createCustomer: {
    example: {
      body: { customer_id: 'cus_marie', name: 'Marie Curie', email: 'marie@example.com' },
    },
  },
  retrieveCustomer: { example: { params: { customer_id: 'cus_ada' } } },
  changeCustomer: { example: { params: { customer_id: 'cus_linus' }, body: { balance: 500 } } },
  deleteCustomer: { example: { params: { customer_id: 'cus_old' } } },
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
  retrieveCoupon: { example: { params: { coupon_id: 'SAVE20' } } },
  changeCoupon: { example: { params: { coupon_id: 'TAKE5' }, body: { max_redemptions: 10 } } },
  deleteCoupon: { example: { params: { coupon_id: 'OLD' } } },
  listPromotions: firstTwo,
  createPromotion: { example: { body: { code: 'SPRING', coupon_id: 'SAVE20' } } },
  retrievePromotion: { example: { params: { code: 'HELLO' } } },
  changePromotion: {
    example: { params: { code: 'HELLO' }, body: { expires_at: '2027-07-01T00:00:00.000Z' } },
  },
  deletePromotion: { example: { params: { code: 'OLDCODE' } } },
}

const billingCalls: ExampleCalls = {
  listSubscriptions: { example: { query: { limit: 2, customer_id: 'cus_ada' } } },
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
  retrieveSubscription: { example: { params: { subscription_id: 'sub_000001' } } },
  resumeSubscription: { example: { params: { subscription_id: 'sub_000006' } } },
  removeScheduledCancellation: { example: { params: { subscription_id: 'sub_000008' } } },
  forecastSubscription: {
    example: { params: { subscription_id: 'sub_000001' }, query: { limit: 2 } },
  },
  listInvoices: { example: { query: { limit: 2, customer_id: 'cus_ada' } } },
  retrieveInvoice: { example: { params: { invoice_id: 'inv_000001' } } },
  payInvoice: { example: { params: { invoice_id: 'inv_000007' } } },
  explainInvoice: { example: { params: { invoice_id: 'inv_000001' } } },
  listCharges: firstTwo,
  createCharge: {
    example: {
      body: { customer_id: 'cus_ada', amount: 4900, currency: 'USD', coupon_id: 'TAKE5' },
    },
  },
  retrieveCharge: { example: { params: { charge_id: 'ch_000001' } } },
  listPaymentOutcomes: firstTwo,
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
  clearPaymentOutcomes: plain,
  listFaults: firstTwo,
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
  retrieveFault: { example: { params: { fault_id: 'flt_000001' } } },
  deleteFault: { example: { params: { fault_id: 'flt_000002' } } },
  clearFaults: { example: { sandbox: fork } },
  listTokenFamilies: firstTwo,
  issueTokens: { example: { body: { subject: 'grace' } } },
  revokeTokens: { example: { body: { family_id: 'fam_000002' } } },
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
  streamEvents: { example: { query: { after: 0, limit: 2 } } },
  retrieveCoverage: {
    json: { summary: 'With a threshold', query: { min_operations: 80 } },
    text: { summary: 'As tables', query: { format: 'text', min_operations: 80 } },
  },
  deleteCoverage: { example: { sandbox: empty } },
  listRequests: { example: { query: { status: 201, limit: 1 } } },
  exportRecording: { example: { query: { format: 'curl' } } },
  streamRequests: { example: { query: { after: 0, limit: 1, status: 201 } } },
}

const contractCalls: ExampleCalls = {
  listContracts: firstTwo,
  retrieveContract: {
    example: { params: { file: 'reference-json-client-subscription-service.json' } },
  },
  checkContract: { example: { body: examplePact } },
  listProviderStates: { example: { query: { limit: 1 } } },
  changeProviderState: {
    setup: {
      summary: 'A subscription with a discount',
      sandbox: fork,
      body: {
        action: 'setup',
        state: 'a subscription exists',
        params: { subscription_id: 'sub_of_the_shop', coupon_id: 'SAVE20' },
      },
    },
    teardown: {
      summary: 'After the interaction',
      sandbox: fork,
      body: { action: 'teardown', state: 'a subscription exists', params: {} },
    },
  },
}

/** The calls, given the answers so far: what one was answered, another one sends. */
export const controlCalls = (answers: ExampleAnswers): ExampleCalls => ({
  ...sandboxCalls,
  restoreState: { example: { sandbox: empty, body: answers['exportState']?.['example']?.body } },
  ...clockCalls,
  ...catalogCalls,
  ...billingCalls,
  ...contractCalls,
  ...webhookCalls(answers),
  ...brokerCalls,
})
