/** What people read of operations beyond their declarations: the groups of commands, and the columns of lists. */
import type { OperationId } from '../generated/operations.ts'

/** A word that commands begin with, and what they are about. */
export const groups: Readonly<Record<string, string>> = {
  status: 'show what a running sandbox contains, and its clock',
  sandboxes: 'list, create and delete the sandboxes of a server',
  reset: 'reset a sandbox to its initial data',
  checkpoint: 'save the current state of a sandbox under a name',
  checkpoints: 'list and delete checkpoints',
  restore: 'restore a sandbox to a checkpoint',
  fork: 'create a sandbox as a copy of another one',
  state: 'export and restore the whole state of a sandbox',
  fixture: 'export a sandbox as a fixture',
  settings: 'show and change the settings of a sandbox',
  assumptions: 'list the assumptions where the interface is silent',
  clock: 'show and move the virtual clock',
  agenda: 'list what falls due next',
  'what-if': 'compare the future with and without changes',
  products: 'list, create, change and delete products',
  plans: 'list, create, change and delete plans',
  customers: 'list, create, change, delete and forecast customers',
  coupons: 'list, create, change and delete coupons',
  promotions: 'list, create, change and delete promotions',
  subscriptions: 'create, manage and forecast subscriptions',
  invoices: 'list, pay and explain invoices',
  charges: 'list and create one-time charges',
  payments: 'set the outcomes of payments',
  tokens: 'issue, refresh and revoke tokens',
  events: 'list or follow events',
  requests: 'list or follow requests and their answers',
  recording: 'export the calls of a sandbox as a script or a test',
  coverage: 'report which parts of /v1 were used',
  audit: 'check the invariants of all records',
  faults: 'make calls on /v1 fail',
  webhooks: 'list, create and delete webhooks, and show deliveries',
}

/** The fields of a record that a table of them shows, by the operation that lists them. */
export const listColumns: Readonly<Record<string, readonly string[]>> = wordsOf({
  listSandboxes: 'sandbox_id now api_key',
  listCheckpoints: 'name now event_seq',
  listAgenda: 'at kind subject amount_due',
  listSubscriptions: 'subscription_id customer_id plan status current_period_end discounts',
  listInvoices: 'invoice_id subscription_id status amount_due amount_paid created_at',
  listCharges: 'charge_id customer_id amount amount_due status failure_reason created_at',
  listPaymentOutcomes: 'scope outcomes always',
  listTokenFamilies: 'family_id subject issued_at refresh_token_expires_at revoked_at',
  listFaults: 'fault_id match effect used left',
  listEvents: 'seq at type subject detail',
  listRequests: 'number at request answer refusal',
  listAssumptions: 'slug section choice',
  listWebhookDeliveries: 'delivery_id event_type status attempts reason',
  listWebhooks: 'webhook_id url done_seq',
  listProducts: 'product_id name',
  listPlans: 'plan_id name product_id amount interval_count interval',
  listCustomers: 'customer_id name email payment_method balance',
  listCoupons: 'coupon_id value duration duration_in_months times_redeemed expires_at',
  listPromotions: 'code coupon_id starts_at expires_at times_redeemed max_redemptions',
})

function wordsOf(texts: { readonly [Id in OperationId]?: string }) {
  return Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, text.split(' ')]))
}
