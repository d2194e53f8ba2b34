/**
 * The one table of how people call operations: the command line, the library, the Python client and the tools of agents
 * read it. What an operation takes, and how it is described, is in its declaration.
 */
import type { OperationId } from '../generated/operations.ts'
import {
  commandsOf,
  type LeftOut,
  type NameDetails,
  type NameRow,
  recordRows,
  withDetails,
} from './naming.ts'

const noTool: LeftOut = { leftOut: 'agents get few tools' }
const noStream: LeftOut = { leftOut: 'a test asks for lists' }
const v1Client: LeftOut = { leftOut: 'the typed client of /v1 calls it' }

const noPactTool: LeftOut = { leftOut: 'agents verify pacts, and read files themselves' }
const pactTools: LeftOut = { leftOut: 'tools of Pact call the broker' }
const pactFiles: LeftOut = { leftOut: 'check and verify read pacts where they are' }
const pactProtocol: LeftOut = { leftOut: 'verifiers of pacts call it' }

const recordNames = {
  ...recordRows('Product', {
    id: 'prod_team',
    create: '--id prod_team --name Team',
    change: '--name Teams',
  }),
  ...recordRows('Plan', {
    id: 'team',
    create:
      '--id team --product-id prod_app --name Team --amount 4900 --currency USD --interval month',
    change: '--amount 5900',
  }),
  ...recordRows('Customer', {
    id: 'cus_mary',
    create: '--id cus_mary --name Mary --currency USD',
    change: '--payment-method none',
  }),
  ...recordRows('Coupon', {
    id: 'SPRING',
    create: '--type percentage --value 20 --id SPRING',
    change: '--max-redemptions 100',
  }),
  ...recordRows('Promotion', {
    id: 'SPRING27',
    create: '--code SPRING27 --coupon-id SAVE20',
    change: '--max-redemptions 5',
  }),
}

const rows = {
  describeSandbox: ['describe', 'describe_sandbox', ''],
  resetSandbox: ['reset', 'reset_sandbox', '--fixture dunning'],

  listSandboxes: ['siblings', 'sandboxes list', ''],
  createNamedSandbox: ['create', 'sandboxes create', 'worker-1 --fixture dunning'],
  createSandbox: { leftOut: 'createNamedSandbox without a name' },
  retrieveSandbox: ['retrieve', 'sandboxes use', 'worker-1'],
  deleteSandbox: ['delete', 'sandboxes delete', 'worker-1'],

  createCheckpoint: ['checkpoints.create', 'checkpoint create', 'before-renewal'],
  restoreCheckpoint: ['checkpoints.restore', 'checkpoint restore', 'before-renewal'],
  listCheckpoints: ['checkpoints.list', 'checkpoint list', ''],
  retrieveCheckpoint: ['checkpoints.get', noTool, 'before-renewal'],
  deleteCheckpoint: ['checkpoints.delete', 'checkpoint delete', 'before-renewal'],

  exportState: ['exportState', noTool, '> state.json'],
  restoreState: ['restoreState', noTool, '--body state.json'],
  exportFixture: ['exportFixture', noTool, '--content catalog > shop.fixture.json'],

  retrieveClock: ['clock.get', noTool, ''],
  setClock: ['clock.set', noTool, '--now 2027-02-01 --mode frozen'],
  advanceClock: ['clock.advance', 'advance_clock', 'P14D'],
  listAgenda: ['clock.agenda', 'agenda', '--before 2027-03-01'],
  compareFutures: ['whatIf', 'what_if', 'cancelSubscription subscription_id=sub_000001'],

  ...recordNames,

  listSubscriptions: ['subscriptions.list', 'list_records subscriptions', '--status active'],
  createSubscriptionAtCheckout: [
    'subscriptions.create',
    'create_subscription',
    '--customer-id cus_ada --plan pro --trial-period-days 14',
  ],
  createSubscription: { leftOut: 'createSubscriptionAtCheckout does the same, and takes an offer' },
  retrieveSubscription: ['subscriptions.get', 'get_record subscription', 'sub_000001'],
  updateSubscription: [
    'subscriptions.update',
    'change_subscription update',
    'sub_000001 --plan pro',
  ],
  pauseSubscription: ['subscriptions.pause', 'change_subscription pause', 'sub_000001'],
  resumeSubscription: ['subscriptions.resume', 'change_subscription resume', 'sub_000001'],
  removeScheduledCancellation: [
    'subscriptions.removeScheduledCancellation',
    'change_subscription remove_scheduled_cancellation',
    'sub_000001',
  ],
  cancelSubscription: [
    'subscriptions.cancel',
    'change_subscription cancel',
    'sub_000001 --at-period-end',
  ],
  applyCoupon: [
    'subscriptions.applyCoupon',
    'change_subscription apply_coupon',
    'sub_000001 SAVE20',
  ],
  forecastSubscription: [
    'subscriptions.forecast',
    'forecast_subscription',
    'sub_000001 --for P14M',
  ],
  forecastCustomer: ['customers.forecast', 'forecast_customer', 'cus_ada --for P14M'],

  listInvoices: ['invoices.list', 'list_records invoices', '--status open'],
  retrieveInvoice: ['invoices.get', 'get_record invoice', 'inv_000001'],
  payInvoice: ['invoices.pay', 'payments pay', 'inv_000001'],
  explainInvoice: ['invoices.explain', 'explain_invoice', 'inv_000001'],

  listCharges: ['charges.list', 'list_records charges', '--customer-id cus_ada'],
  createCharge: [
    'charges.create',
    'create_record charge',
    '--customer-id cus_ada --amount 1500 --currency USD',
  ],
  retrieveCharge: ['charges.get', 'get_record charge', 'ch_000001'],

  listPaymentOutcomes: ['payments.list', 'list_records payment_outcomes', ''],
  scriptPaymentOutcomes: ['payments.script', 'payments script', '--subscription-id sub_000001'],
  removePaymentOutcomes: ['payments.remove', 'payments remove', '--subscription-id sub_000001'],
  clearPaymentOutcomes: ['payments.clear', 'payments clear', ''],

  listTokenFamilies: ['tokens.list', noTool, ''],
  issueTokens: ['tokens.issue', 'issue_tokens', '--subject "Ada at the shop"'],
  refreshToken: ['tokens.refresh', noTool, '"$REFRESH_TOKEN"'],
  revokeTokens: ['tokens.revoke', noTool, '--family-id fam_000001'],

  listFaults: ['faults.list', 'list_records faults', ''],
  createFault: [
    'faults.create',
    'create_record fault',
    '--match-operation createSubscription --effect-status 503 --times 2',
  ],
  retrieveFault: ['faults.get', noTool, 'flt_000001'],
  deleteFault: ['faults.delete', 'delete_record fault', 'flt_000001'],
  clearFaults: ['faults.clear', noTool, ''],

  listEvents: ['events.list', 'list_records events', '--subject-id sub_000001'],
  streamEvents: ['events.follow', noTool, ''],
  listRequests: ['requests.list', 'list_records requests', '--status 409'],
  streamRequests: ['requests.follow', noTool, ''],

  retrieveSettings: ['settings.get', 'get_record settings', ''],
  changeSettings: ['settings.change', 'change_record settings', '--retry-schedule P1D,P3D'],
  listAssumptions: ['assumptions', 'list_records assumptions', '--limit 10'],

  exportRecording: ['recording', 'recording', '--format vitest > recording.test.ts'],
  retrieveCoverage: ['coverage', 'coverage show', '--min-operations 100'],
  deleteCoverage: ['coverage.clear', 'coverage clear', ''],
  auditSandbox: ['audit', 'audit', ''],

  listWebhooks: ['webhooks.list', 'list_records webhooks', ''],
  createWebhook: ['webhooks.create', 'create_record webhook', 'http://127.0.0.1:3000/hooks'],
  retrieveWebhook: ['webhooks.get', noTool, 'wh_000001'],
  deleteWebhook: ['webhooks.delete', 'delete_record webhook', 'wh_000001'],
  listWebhookDeliveries: [
    'webhooks.deliveries',
    'list_records webhook_deliveries',
    '--status failed',
  ],
  redeliverWebhookDelivery: ['webhooks.redeliver', 'redeliver_webhook', 'wh_000001_2'],

  listContracts: ['contracts.list', noPactTool, ''],
  retrieveContract: ['contracts.get', noPactTool, ''],
  checkContract: ['contracts.check', 'verify_pact', ''],
  listProviderStates: ['providerStates', noPactTool, ''],
  changeProviderState: ['providerState', noPactTool, ''],
  retrieveBroker: pactTools,
  listPublishedPacts: pactTools,
  retrievePact: pactTools,
  publishPact: pactTools,
  publishContracts: pactTools,
  deletePact: pactTools,
  publishVerificationResult: pactTools,
  retrieveProviderPacts: pactTools,
  selectProviderPacts: pactTools,
  listLatestPacts: pactTools,
  listLatestProviderPacts: pactTools,
  retrievePacticipant: pactTools,
  retrievePacticipantVersion: pactTools,
  tagPacticipantVersion: pactTools,
  putPacticipantVersionOnBranch: pactTools,
  retrieveMatrix: pactTools,
} satisfies Record<OperationId, NameRow | LeftOut>

/** Where what people call does not follow from a row. */
const details: { readonly [Id in OperationId]?: NameDetails } = {
  describeSandbox: { command: 'status' },
  listSandboxes: { command: 'sandboxes list', python: { leftOut: 'a test has its own' } },
  createNamedSandbox: {
    command: 'sandboxes create',
    unnamed: 'createSandbox',
    library: { byHand: 'create, fork' },
    python: { byHand: 'create, fork' },
    also: {
      words: 'fork',
      example: 'tomorrow --checkpoint before-renewal',
      unnamed: 'createSandbox',
      without: ['fixture', 'now'],
      options: { 'from.checkpoint': 'checkpoint', 'from.sandbox': 'from' },
    },
  },
  retrieveSandbox: {
    command: 'sandboxes get',
    library: { leftOut: 'connect and describe say it' },
    python: { byHand: 'connect' },
  },
  deleteSandbox: {
    command: 'sandboxes delete',
    library: { byHand: 'close' },
    python: { byHand: 'delete' },
  },
  createCheckpoint: { command: 'checkpoint', args: ['name'], library: { byHand: 'checkpoint' } },
  restoreCheckpoint: { command: 'restore' },
  exportState: { command: 'state export' },
  restoreState: { command: 'state restore', without: ['*'] },
  exportFixture: { command: 'fixture' },
  retrieveClock: { command: 'clock show' },
  advanceClock: {
    args: ['by'],
    without: ['until'],
    library: { byHand: 'clock.advance, clock.to, clock.toNext, clock.until' },
    python: { byHand: 'clock.advance, clock.to, clock.to_next, clock.until' },
  },
  listAgenda: { command: 'agenda', python: 'agenda' },
  compareFutures: { without: ['changes'], python: { byHand: 'what_if' } },
  removeScheduledCancellation: { command: 'subscriptions uncancel' },
  applyCoupon: { args: ['coupon_id'] },
  scriptPaymentOutcomes: {
    command: 'payments fail',
    also: { words: 'payments script', example: '--outcomes card_declined,succeed' },
  },
  refreshToken: {
    args: ['refresh_token'],
    library: v1Client,
    python: { byHand: 'tokens.refresh' },
  },
  listEvents: { command: 'events', follow: 'streamEvents' },
  streamEvents: {
    command: { leftOut: 'events --follow' },
    library: { byHand: 'events.follow' },
    python: noStream,
  },
  listRequests: { command: 'requests', follow: 'streamRequests' },
  streamRequests: {
    command: { leftOut: 'requests --follow' },
    library: { byHand: 'requests.follow' },
    python: noStream,
  },
  retrieveSettings: { command: 'settings show' },
  changeSettings: { python: 'settings.update' },
  exportRecording: { library: { byHand: 'recording' } },
  retrieveCoverage: { command: 'coverage show', without: ['format'] },
  deleteCoverage: { library: { leftOut: 'a test counts what it did' }, python: 'clear_coverage' },
  createWebhook: { args: ['url'] },
  listContracts: { command: pactFiles, python: pactFiles },
  retrieveContract: { command: pactFiles, python: pactFiles },
  checkContract: {
    command: pactFiles,
    library: { byHand: 'contracts.check' },
    python: pactFiles,
  },
  listProviderStates: { command: pactProtocol, python: pactProtocol },
  changeProviderState: { command: pactProtocol, python: pactProtocol },
}

export const operationNames = withDetails(rows, details)

export const operationCommands = commandsOf(operationNames)
