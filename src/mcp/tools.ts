/** The tools for coding agents: few, each for one or several operations of the documents, in words for a model. */

/** One tool, before the documents say what it takes. */
export interface Tool {
  readonly name: string
  /** What it is for, beside what the documents say of its operations. */
  readonly hint: string
  /** The operation that it calls; or the argument that chooses one, and by which values. */
  readonly calls: string | Choice
  /** Of an operation that is no read, and leaves everything as it is all the same. */
  readonly changesNothing?: true
  /** Values of arguments that are left out. */
  readonly defaults?: Readonly<Record<string, string | number>>
}

/** The argument that chooses an operation. */
export interface Choice {
  readonly by: 'kind' | 'action'
  readonly operations: Readonly<Record<string, string>>
}

/** How many records a list answers, where an agent does not say: enough to see what there is. */
const LIMIT_INITIALLY = 20

export const tools: readonly Tool[] = [
  {
    name: 'describe_sandbox',
    hint: 'Begin here: the address and API key that the code under test needs, the virtual now, and what is due next.',
    calls: 'describeSandbox',
  },
  {
    name: 'reset_sandbox',
    hint: 'Everything that was done is gone afterwards.',
    calls: 'resetSandbox',
  },
  {
    name: 'advance_clock',
    hint: 'Send exactly one of by (a duration such as P14D or P1M), to (an instant or a date), to_next (so many instants at which something is due) and until (with within, a duration). Time never moves by itself.',
    calls: 'advanceClock',
  },
  { name: 'agenda', hint: '', calls: 'listAgenda', defaults: { limit: LIMIT_INITIALLY } },
  {
    name: 'list_records',
    hint: 'Events say what happened, in order; requests are the last calls with their answers, newest first; assumptions are the questions that the interface leaves open.',
    calls: {
      by: 'kind',
      operations: {
        products: 'listProducts',
        plans: 'listPlans',
        customers: 'listCustomers',
        coupons: 'listCoupons',
        promotions: 'listPromotions',
        subscriptions: 'listSubscriptions',
        invoices: 'listInvoices',
        charges: 'listCharges',
        payment_outcomes: 'listPaymentOutcomes',
        faults: 'listFaults',
        events: 'listEvents',
        requests: 'listRequests',
        assumptions: 'listAssumptions',
      },
    },
    defaults: { limit: LIMIT_INITIALLY },
  },
  {
    name: 'get_record',
    hint: '',
    calls: {
      by: 'kind',
      operations: {
        plan: 'retrievePlan',
        customer: 'retrieveCustomer',
        coupon: 'retrieveCoupon',
        promotion: 'retrievePromotion',
        subscription: 'retrieveSubscription',
        invoice: 'retrieveInvoice',
        charge: 'retrieveCharge',
        settings: 'retrieveSettings',
      },
    },
  },
  {
    name: 'create_record',
    hint: 'Amounts are integers of minor units: 2500 is 25.00. A fault makes calls of the code under test fail.',
    calls: {
      by: 'kind',
      operations: {
        product: 'createProduct',
        plan: 'createPlan',
        customer: 'createCustomer',
        coupon: 'createCoupon',
        promotion: 'createPromotion',
        charge: 'createCharge',
        fault: 'createFault',
      },
    },
  },
  {
    name: 'change_record',
    hint: 'Send what changes, beside what names the record. Settings decide what the interface leaves open.',
    calls: {
      by: 'kind',
      operations: {
        product: 'changeProduct',
        plan: 'changePlan',
        customer: 'changeCustomer',
        coupon: 'changeCoupon',
        promotion: 'changePromotion',
        settings: 'changeSettings',
      },
    },
  },
  {
    name: 'delete_record',
    hint: '',
    calls: {
      by: 'kind',
      operations: {
        product: 'deleteProduct',
        plan: 'deletePlan',
        customer: 'deleteCustomer',
        coupon: 'deleteCoupon',
        promotion: 'deletePromotion',
        fault: 'deleteFault',
      },
    },
  },
  {
    name: 'create_subscription',
    hint: 'With trial_period_days it begins with a trial.',
    calls: 'checkOut',
  },
  {
    name: 'change_subscription',
    hint: 'The documented operations on one subscription; the interface shows neither resume nor remove_scheduled_cancellation.',
    calls: {
      by: 'action',
      operations: {
        update: 'updateSubscription',
        pause: 'pauseSubscription',
        resume: 'resumeSubscription',
        cancel: 'cancelSubscription',
        apply_coupon: 'applyCoupon',
        remove_scheduled_cancellation: 'removeScheduledCancellation',
      },
    },
  },
  {
    name: 'payments',
    hint: 'script has the next payment attempts end as outcomes says, one after another, or every one as always says; clear lets all succeed again; pay tries an open or uncollectible invoice again.',
    calls: {
      by: 'action',
      operations: {
        script: 'scriptPaymentOutcomes',
        clear: 'clearPaymentOutcomes',
        pay: 'payInvoice',
      },
    },
  },
  {
    name: 'explain_invoice',
    hint: 'For any question why an amount is what it is.',
    calls: 'explainInvoice',
  },
  {
    name: 'forecast_subscription',
    hint: '',
    calls: 'forecastSubscription',
    defaults: { limit: LIMIT_INITIALLY },
  },
  {
    name: 'what_if',
    hint: 'A change is a call, such as {"operation":"applyCoupon","params":{"subscription_id":"sub_000001"},"body":{"coupon_id":"SAVE20"}}.',
    calls: 'askWhatIf',
    changesNothing: true,
  },
  {
    name: 'checkpoint',
    hint: '',
    calls: {
      by: 'action',
      operations: {
        create: 'createCheckpoint',
        restore: 'restoreCheckpoint',
        list: 'listCheckpoints',
      },
    },
  },
  {
    name: 'issue_tokens',
    hint: 'A refresh token to try POST /v1/auth/refresh with.',
    calls: 'issueTokens',
  },
  { name: 'audit', hint: '', calls: 'auditSandbox' },
  {
    name: 'verify_pact',
    hint: 'Whether the sandbox keeps a contract of the code under test.',
    calls: 'checkContract',
    defaults: { live: 'true' },
    changesNothing: true,
  },
]

/** The introduction that an agent gets before its first call. */
export const instructions = `A sandbox of a billing service: subscriptions, coupons, invoices and refresh tokens. Code under test calls the documented operations below /v1, at the address and with the API key that describe_sandbox answers. Time is virtual: advance_clock settles everything that falls due on the way, exactly and always in the same way. The fixture starter has the customers cus_ada, cus_linus and cus_grace (without a payment method), the plans basic (10.00 USD a month), pro (25.00), basic_yearly and pro_yearly, and coupons such as SAVE20. A refusal changes nothing, and says which field breaks which rule.`
