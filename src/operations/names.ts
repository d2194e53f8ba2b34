/**
 * The one table of how people call operations: the command line, the library, the Python client and the tools of agents
 * read it. What an operation takes, and how it is described, stands in its declaration.
 */
import type { OperationId } from '../generated/operations.ts'
import { commandsOf, type LeftOut, type NameRow } from './naming.ts'
import { pactNames } from './pact-names.ts'
import { recordNames } from './record-names.ts'

const noTool: LeftOut = { leftOut: 'agents get few tools' }
const noStream: LeftOut = { leftOut: 'a test asks for lists' }
const v1Client: LeftOut = { leftOut: 'the typed client of /v1 calls it' }

export const operationNames = {
  describeSandbox: ['describe', 'describe_sandbox', '', { command: 'status' }],
  resetSandbox: ['reset', 'reset_sandbox', '--fixture dunning'],

  listSandboxes: [
    'siblings',
    noTool,
    '',
    { command: 'sandboxes list', python: { leftOut: 'a test has its own' } },
  ],
  createNamedSandbox: [
    'create',
    noTool,
    'worker-1 --fixture dunning',
    {
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
  ],
  createSandbox: { leftOut: 'createNamedSandbox without a name' },
  retrieveSandbox: [
    'retrieve',
    noTool,
    'worker-1',
    {
      command: 'sandboxes get',
      library: { leftOut: 'connect and describe say it' },
      python: { byHand: 'connect' },
    },
  ],
  deleteSandbox: [
    'delete',
    noTool,
    'worker-1',
    { command: 'sandboxes delete', library: { byHand: 'close' }, python: { byHand: 'delete' } },
  ],

  createCheckpoint: [
    'checkpoints.create',
    'checkpoint create',
    'before-renewal',
    { command: 'checkpoint', args: ['name'], library: { byHand: 'checkpoint' } },
  ],
  restoreCheckpoint: [
    'checkpoints.restore',
    'checkpoint restore',
    'before-renewal',
    { command: 'restore' },
  ],
  listCheckpoints: ['checkpoints.list', 'checkpoint list', ''],
  retrieveCheckpoint: ['checkpoints.get', noTool, 'before-renewal'],
  deleteCheckpoint: ['checkpoints.delete', noTool, 'before-renewal'],

  exportState: ['exportState', noTool, '> state.json', { command: 'state export' }],
  restoreState: [
    'restoreState',
    noTool,
    '--body state.json',
    { command: 'state restore', without: ['*'] },
  ],
  exportFixture: [
    'exportFixture',
    noTool,
    '--content catalog > shop.fixture.json',
    { command: 'fixture' },
  ],

  retrieveClock: ['clock.get', noTool, '', { command: 'clock show' }],
  setClock: ['clock.set', noTool, '--now 2027-02-01 --mode frozen'],
  advanceClock: [
    'clock.advance',
    'advance_clock',
    'P14D',
    {
      args: ['by'],
      without: ['until'],
      library: { byHand: 'clock.advance, clock.to, clock.toNext, clock.until' },
      python: { byHand: 'clock.advance, clock.to, clock.to_next, clock.until' },
    },
  ],
  listAgenda: [
    'clock.agenda',
    'agenda',
    '--before 2027-03-01',
    { command: 'agenda', python: 'agenda' },
  ],
  compareFutures: [
    'whatIf',
    'what_if',
    'cancelSubscription subscription_id=sub_000001',
    { without: ['changes'], python: { byHand: 'what_if' } },
  ],

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
    { command: 'subscriptions uncancel' },
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
    { args: ['coupon_id'] },
  ],
  forecastSubscription: [
    'subscriptions.forecast',
    'forecast_subscription',
    'sub_000001 --until 2027-06-30',
  ],

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
  scriptPaymentOutcomes: [
    'payments.script',
    'payments script',
    '--subscription-id sub_000001',
    {
      command: 'payments fail',
      also: { words: 'payments script', example: '--outcomes card_declined,succeed' },
    },
  ],
  clearPaymentOutcomes: ['payments.clear', 'payments clear', ''],

  listTokenFamilies: ['tokens.list', noTool, ''],
  issueTokens: ['tokens.issue', 'issue_tokens', '--subject "Ada at the shop"'],
  refreshToken: [
    'tokens.refresh',
    noTool,
    '"$REFRESH_TOKEN"',
    { args: ['refresh_token'], library: v1Client, python: { byHand: 'tokens.refresh' } },
  ],
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

  listEvents: [
    'events.list',
    'list_records events',
    '--subject-id sub_000001',
    { command: 'events', follow: 'streamEvents' },
  ],
  streamEvents: [
    'events.follow',
    noTool,
    '',
    {
      command: { leftOut: 'events --follow' },
      library: { byHand: 'events.follow' },
      python: noStream,
    },
  ],
  listRequests: [
    'requests.list',
    'list_records requests',
    '--status 409',
    { command: 'requests', follow: 'streamRequests' },
  ],
  streamRequests: [
    'requests.follow',
    noTool,
    '',
    {
      command: { leftOut: 'requests --follow' },
      library: { byHand: 'requests.follow' },
      python: noStream,
    },
  ],

  retrieveSettings: ['settings.get', 'get_record settings', '', { command: 'settings show' }],
  changeSettings: [
    'settings.change',
    'change_record settings',
    '--retry-schedule P1D,P3D',
    { python: 'settings.update' },
  ],
  listAssumptions: ['assumptions', 'list_records assumptions', '--limit 10'],

  exportRecording: [
    'story',
    noTool,
    '--format vitest > story.test.ts',
    { library: { byHand: 'story' } },
  ],
  retrieveCoverage: [
    'coverage',
    noTool,
    '--min-operations 100',
    { command: 'coverage show', without: ['format'] },
  ],
  deleteCoverage: [
    'coverage.clear',
    noTool,
    '',
    { library: { leftOut: 'a test counts what it did' }, python: 'clear_coverage' },
  ],
  auditSandbox: ['audit', 'audit', ''],

  listWebhooks: ['webhooks.list', noTool, ''],
  createWebhook: ['webhooks.create', noTool, 'http://127.0.0.1:3000/hooks', { args: ['url'] }],
  retrieveWebhook: ['webhooks.get', noTool, 'wh_000001'],
  deleteWebhook: ['webhooks.delete', noTool, 'wh_000001'],
  listWebhookDeliveries: ['webhooks.deliveries', noTool, '--status failed'],
  redeliverWebhookDelivery: ['webhooks.redeliver', noTool, 'wh_000001_2'],

  ...pactNames,
} satisfies Record<OperationId, NameRow | LeftOut>

/** Every command that calls an operation. */
export const operationCommands = commandsOf(operationNames)
