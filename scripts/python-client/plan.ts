/** The face of the Python client: which operation each of its methods calls. */

/** Methods of one class, each with the operation that it calls. */
export type Methods = Readonly<Record<string, string>>

/** What every collection of the catalog has. */
const collection = (name: string): Methods => ({
  list: `list${name}s`,
  create: `create${name}`,
  get: `retrieve${name}`,
  update: `change${name}`,
  delete: `delete${name}`,
})

/** The classes, in the order of the module. The first is the sandbox itself. */
export const classes: Readonly<Record<string, Methods>> = {
  SandboxMethods: {
    describe: 'describeSandbox',
    reset: 'resetSandbox',
    agenda: 'listAgenda',
    assumptions: 'listAssumptions',
    export_fixture: 'exportFixture',
    export_state: 'exportState',
    restore_state: 'restoreState',
    coverage: 'retrieveCoverage',
    clear_coverage: 'deleteCoverage',
    story: 'tellStory',
    audit: 'auditSandbox',
  },
  ClockMethods: { get: 'retrieveClock', set: 'setClock' },
  Products: collection('Product'),
  Plans: collection('Plan'),
  Customers: collection('Customer'),
  Coupons: collection('Coupon'),
  Promotions: collection('Promotion'),
  Subscriptions: {
    list: 'listSubscriptions',
    create: 'checkOut',
    get: 'retrieveSubscription',
    update: 'updateSubscription',
    pause: 'pauseSubscription',
    resume: 'resumeSubscription',
    cancel: 'cancelSubscription',
    remove_scheduled_cancellation: 'removeScheduledCancellation',
    apply_coupon: 'applyCoupon',
    forecast: 'forecastSubscription',
  },
  Invoices: {
    list: 'listInvoices',
    get: 'retrieveInvoice',
    pay: 'payInvoice',
    explain: 'explainInvoice',
  },
  Charges: { list: 'listCharges', create: 'createCharge', get: 'retrieveCharge' },
  PaymentMethods: {
    list: 'listPaymentOutcomes',
    script: 'scriptPaymentOutcomes',
    clear: 'clearPaymentOutcomes',
  },
  TokenMethods: { list: 'listTokenFamilies', issue: 'issueTokens', revoke: 'revokeTokens' },
  Faults: {
    list: 'listFaults',
    create: 'createFault',
    get: 'retrieveFault',
    delete: 'deleteFault',
    clear: 'clearFaults',
  },
  SettingsMethods: { get: 'retrieveSettings', update: 'changeSettings' },
  Checkpoints: {
    list: 'listCheckpoints',
    create: 'createCheckpoint',
    get: 'retrieveCheckpoint',
    delete: 'deleteCheckpoint',
    restore: 'restoreCheckpoint',
  },
  Events: { list: 'listEvents' },
  Requests: { list: 'listRequests' },
  Webhooks: {
    list: 'listWebhooks',
    create: 'createWebhook',
    get: 'retrieveWebhook',
    delete: 'deleteWebhook',
    deliveries: 'listWebhookDeliveries',
    redeliver: 'redeliverWebhookDelivery',
  },
}

/** Operations that are called by hand, because their methods take other values than they do. */
export const byHand: readonly string[] = [
  'advanceClock',
  'askWhatIf',
  'createNamedSandbox',
  'createSandbox',
  'deleteSandbox',
  'refreshToken',
]

/** What the client leaves out: streams, what verifiers of pacts call, and what is there by another name. */
export const leftOut: readonly RegExp[] = [
  /^stream/,
  /Pact|ProviderState/i,
  /^(check|list|retrieve|publish)Contracts?$/,
  /^retrieve(Broker|Matrix|VerificationResult)$/,
  /^publishVerificationResult$/,
  /^(createSubscription|listSandboxes|retrieveSandbox)$/,
]

/** Parameters of queries that the methods do not have: a list asks for its pages itself, and text is for people. */
export const leftOutOfQueries: Readonly<Record<string, readonly string[]>> = {
  retrieveCoverage: ['format'],
}

/** Shapes that are handed on as they are, because a type of them would say less than the reference does. */
export const opaque: ReadonlySet<string> = new Set(['State', 'WhatIfChange'])
