/**
 * The commands that call an operation of a sandbox that runs. Arguments, options and checks come from the declaration
 * of the operation; here stands only what it cannot say. Data alone: the help names every command from it.
 */

/** A command for one operation. */
export interface OperationRow {
  /** What is typed: `coupons create`. */
  readonly words: string
  readonly operationId: string
  /** What else is typed, for the help. */
  readonly example: string
  /** Fields that are written without an option, after the parameters of the path. */
  readonly args?: readonly string[]
  /** Options that are not called what their field is. */
  readonly names?: Readonly<Record<string, string>>
  /** Fields that have no option. */
  readonly without?: readonly string[]
  /** The fields of a record that a table shows. */
  readonly columns?: readonly string[]
  /** What is called where the parameter of the path is left out. */
  readonly unnamed?: string
  /** Streams what happens from now on, with `--follow`. */
  readonly follow?: string
}

/** A word that commands begin with, and what they are about. */
export const groups: Readonly<Record<string, string>> = {
  status: 'say what a running sandbox holds, and where its clock stands',
  sandboxes: 'list, create and delete the sandboxes of a server',
  reset: 'put a sandbox back to where it began',
  checkpoint: 'keep a sandbox as it is now, under a name',
  checkpoints: 'list and delete checkpoints',
  restore: 'put a sandbox back to a checkpoint',
  fork: 'make a sandbox that begins as another one is now',
  state: 'export and restore all that a sandbox holds',
  fixture: 'export a sandbox as a fixture',
  settings: 'see and change what the sandbox assumes',
  assumptions: 'list what the interface leaves open',
  clock: 'see and move the virtual clock',
  agenda: 'list what will fall due',
  'what-if': 'compare the future with one that changes make',
  products: 'list, create, change and delete products',
  plans: 'list, create, change and delete plans',
  customers: 'list, create, change and delete customers',
  coupons: 'list, create, change and delete coupons',
  promotions: 'list, create, change and delete promotions',
  subscriptions: 'create and manage subscriptions, and look ahead',
  invoices: 'list, pay and explain invoices',
  charges: 'list and make one-time charges',
  payments: 'decide how payments will end',
  tokens: 'issue, refresh and revoke tokens',
  events: 'list or follow what happened',
  requests: 'list or follow what was asked and answered',
  story: 'write what was done to a sandbox as a script',
  coverage: 'say what of /v1 was asked for, and what was not',
  audit: 'say whether the books are in order',
  faults: 'make calls on /v1 fail',
  webhooks: 'list, create and delete webhooks, and see their deliveries',
}

const catalogColumns = {
  products: ['product_id', 'name'],
  plans: ['plan_id', 'name', 'product_id', 'amount', 'interval_count', 'interval'],
  customers: ['customer_id', 'name', 'email', 'payment_method', 'balance'],
  coupons: ['coupon_id', 'value', 'duration', 'duration_in_months', 'times_redeemed', 'expires_at'],
  promotions: ['code', 'coupon_id', 'starts_at', 'expires_at', 'times_redeemed', 'max_redemptions'],
}

/** How one item of a collection is called, and what is typed to create and to change one. */
const catalog: readonly (readonly [keyof typeof catalogColumns, string, string, string, string])[] =
  [
    ['products', 'Product', 'product_id', '--id prod_team --name Team', 'prod_team --name Teams'],
    [
      'plans',
      'Plan',
      'plan_id',
      '--id team --product-id prod_app --name Team --amount 4900 --currency USD --interval month',
      'team --amount 5900',
    ],
    [
      'customers',
      'Customer',
      'customer_id',
      '--id cus_mary --name Mary --currency USD',
      'cus_mary --payment-method none',
    ],
    [
      'coupons',
      'Coupon',
      'coupon_id',
      '--type percentage --value 20 --id SPRING',
      'SPRING --max-redemptions 100',
    ],
    [
      'promotions',
      'Promotion',
      'code',
      '--code SPRING27 --coupon-id SAVE20',
      'SPRING27 --max-redemptions 5',
    ],
  ]

const subscriptionColumns = ['subscription_id', 'customer_id', 'plan', 'status']
const invoiceColumns = ['invoice_id', 'subscription_id', 'status', 'amount_due', 'amount_paid']
const sandboxColumns = ['sandbox_id', 'now', 'api_key']

/** What is typed, the operation, an example, and what is special. */
type Row = readonly [
  words: string,
  operationId: string,
  example: string,
  more?: Omit<OperationRow, 'words' | 'operationId' | 'example'>,
]

const rows: readonly Row[] = [
  ['status', 'describeSandbox', 'status'],
  ['sandboxes list', 'listSandboxes', 'sandboxes', { columns: sandboxColumns }],
  [
    'sandboxes create',
    'createNamedSandbox',
    'sandboxes create worker-1 --fixture dunning',
    { unnamed: 'createSandbox' },
  ],
  ['sandboxes get', 'retrieveSandbox', 'sandboxes get worker-1'],
  ['sandboxes delete', 'deleteSandbox', 'sandboxes delete worker-1'],
  ['reset', 'resetSandbox', 'reset --fixture dunning'],
  ['checkpoint', 'createCheckpoint', 'checkpoint before-renewal', { args: ['name'] }],
  ['checkpoints list', 'listCheckpoints', 'checkpoints', { columns: ['name', 'now', 'event_seq'] }],
  ['checkpoints get', 'retrieveCheckpoint', 'checkpoints get before-renewal'],
  ['checkpoints delete', 'deleteCheckpoint', 'checkpoints delete before-renewal'],
  ['restore', 'restoreCheckpoint', 'restore before-renewal'],
  [
    'fork',
    'createNamedSandbox',
    'fork tomorrow --checkpoint before-renewal',
    {
      unnamed: 'createSandbox',
      without: ['fixture', 'now'],
      names: { 'from.checkpoint': 'checkpoint', 'from.sandbox': 'from' },
    },
  ],
  ['state export', 'exportState', 'state export > state.json'],
  ['fixture', 'exportFixture', 'fixture --content catalog > shop.fixture.json'],
  ['state restore', 'restoreState', 'state restore --body state.json', { without: ['*'] }],
  ['settings show', 'retrieveSettings', 'settings'],
  ['settings change', 'changeSettings', 'settings change --retry-schedule P1D,P3D'],
  [
    'assumptions',
    'listAssumptions',
    'assumptions --limit 10',
    { columns: ['slug', 'section', 'choice'] },
  ],
  ['clock show', 'retrieveClock', 'clock'],
  ['clock set', 'setClock', 'clock set --now 2027-02-01 --mode frozen'],
  ['clock advance', 'advanceClock', 'clock advance P14D', { args: ['by'], without: ['until'] }],
  ['agenda', 'listAgenda', 'agenda --before 2027-03-01', { columns: ['at', 'kind', 'subject'] }],
  [
    'what-if',
    'askWhatIf',
    'what-if cancelSubscription subscription_id=sub_000001',
    { without: ['changes'] },
  ],
  ...catalog.flatMap(([path, name, id, create, change]): Row[] => {
    const [one] = change.split(' ')
    const names = id === 'code' ? {} : { [id]: 'id' }
    return [
      [`${path} list`, `list${name}s`, path, { columns: catalogColumns[path] }],
      [`${path} create`, `create${name}`, `${path} create ${create}`, { names }],
      [`${path} get`, `retrieve${name}`, `${path} get ${one}`],
      [`${path} change`, `change${name}`, `${path} change ${change}`],
      [`${path} delete`, `delete${name}`, `${path} delete ${one}`],
    ]
  }),
  [
    'subscriptions list',
    'listSubscriptions',
    'subscriptions --status active',
    { columns: [...subscriptionColumns, 'current_period_end', 'discounts'] },
  ],
  [
    'subscriptions create',
    'checkOut',
    'subscriptions create --customer-id cus_ada --plan pro --trial-period-days 14',
  ],
  ['subscriptions get', 'retrieveSubscription', 'subscriptions get sub_000001'],
  ['subscriptions update', 'updateSubscription', 'subscriptions update sub_000001 --plan pro'],
  ['subscriptions pause', 'pauseSubscription', 'subscriptions pause sub_000001'],
  ['subscriptions resume', 'resumeSubscription', 'subscriptions resume sub_000001'],
  ['subscriptions uncancel', 'removeScheduledCancellation', 'subscriptions uncancel sub_000001'],
  ['subscriptions cancel', 'cancelSubscription', 'subscriptions cancel sub_000001 --at-period-end'],
  [
    'subscriptions apply-coupon',
    'applyCoupon',
    'subscriptions apply-coupon sub_000001 SAVE20',
    { args: ['coupon_id'] },
  ],
  [
    'subscriptions forecast',
    'forecastSubscription',
    'subscriptions forecast sub_000001 --until 2027-06-30',
    { columns: ['created_at', 'reason', 'status', 'subtotal', 'discount_total', 'amount_due'] },
  ],
  [
    'invoices list',
    'listInvoices',
    'invoices --status open',
    { columns: [...invoiceColumns, 'created_at'] },
  ],
  ['invoices get', 'retrieveInvoice', 'invoices get inv_000001'],
  ['invoices pay', 'payInvoice', 'invoices pay inv_000001'],
  ['invoices explain', 'explainInvoice', 'invoices explain inv_000001'],
  [
    'charges list',
    'listCharges',
    'charges --customer-id cus_ada',
    { columns: ['charge_id', 'customer_id', 'amount', 'amount_due', 'status', 'created_at'] },
  ],
  [
    'charges create',
    'createCharge',
    'charges create --customer-id cus_ada --amount 1500 --currency USD',
  ],
  ['charges get', 'retrieveCharge', 'charges get ch_000001'],
  [
    'payments list',
    'listPaymentOutcomes',
    'payments',
    { columns: ['scope', 'outcomes', 'always'] },
  ],
  ['payments fail', 'scriptPaymentOutcomes', 'payments fail --subscription-id sub_000001'],
  ['payments script', 'scriptPaymentOutcomes', 'payments script --outcomes card_declined,succeed'],
  ['payments clear', 'clearPaymentOutcomes', 'payments clear'],
  [
    'tokens list',
    'listTokenFamilies',
    'tokens',
    { columns: ['family_id', 'subject', 'issued_at', 'revoked_at'] },
  ],
  ['tokens issue', 'issueTokens', 'tokens issue --subject "Ada at the shop"'],
  [
    'tokens refresh',
    'refreshToken',
    'tokens refresh "$REFRESH_TOKEN"',
    { args: ['refresh_token'] },
  ],
  ['tokens revoke', 'revokeTokens', 'tokens revoke --family-id fam_000001'],
  [
    'events',
    'listEvents',
    'events --subject-id sub_000001',
    { follow: 'streamEvents', columns: ['seq', 'at', 'type', 'subject', 'detail'] },
  ],
  [
    'requests',
    'listRequests',
    'requests --status 409',
    { follow: 'streamRequests', columns: ['number', 'at', 'request', 'answer', 'refusal'] },
  ],
  ['story', 'tellStory', 'story --format vitest > story.test.ts'],
  ['coverage show', 'retrieveCoverage', 'coverage --min-operations 100', { without: ['format'] }],
  ['coverage clear', 'deleteCoverage', 'coverage clear'],
  ['audit', 'auditSandbox', 'audit'],
  [
    'faults list',
    'listFaults',
    'faults',
    { columns: ['fault_id', 'match', 'effect', 'used', 'left'] },
  ],
  [
    'faults create',
    'createFault',
    'faults create --match-operation createSubscription --effect-status 503 --times 2',
  ],
  ['faults get', 'retrieveFault', 'faults get flt_000001'],
  ['faults delete', 'deleteFault', 'faults delete flt_000001'],
  ['faults clear', 'clearFaults', 'faults clear'],
  ['webhooks list', 'listWebhooks', 'webhooks', { columns: ['webhook_id', 'url', 'done_seq'] }],
  [
    'webhooks create',
    'createWebhook',
    'webhooks create http://127.0.0.1:3000/hooks',
    { args: ['url'] },
  ],
  ['webhooks get', 'retrieveWebhook', 'webhooks get wh_000001'],
  ['webhooks delete', 'deleteWebhook', 'webhooks delete wh_000001'],
  [
    'webhooks deliveries',
    'listWebhookDeliveries',
    'webhooks deliveries --status failed',
    { columns: ['delivery_id', 'webhook_id', 'event_seq', 'status', 'attempts'] },
  ],
  ['webhooks redeliver', 'redeliverWebhookDelivery', 'webhooks redeliver wh_000001_2'],
]

/** Every command that calls an operation. */
export const operationRows: readonly OperationRow[] = rows.map(
  ([words, operationId, example, more]) => ({ words, operationId, example, ...more }),
)
