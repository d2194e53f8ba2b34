/** What people read of operations beyond their declarations: the groups of commands, and the columns of lists. */
import type { OperationId } from '../generated/operations.ts'

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
  customers: 'list, create, change and delete customers, and look ahead',
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

/** The fields of a record that a table of them shows, by the operation that lists them. */
export const listColumns: Readonly<Record<string, readonly string[]>> = wordsOf({
  listSandboxes: 'sandbox_id now api_key',
  listCheckpoints: 'name now event_seq',
  listAgenda: 'at kind subject',
  listSubscriptions: 'subscription_id customer_id plan status current_period_end discounts',
  listInvoices: 'invoice_id subscription_id status amount_due amount_paid created_at',
  listCharges: 'charge_id customer_id amount amount_due status created_at',
  listPaymentOutcomes: 'scope outcomes always',
  listTokenFamilies: 'family_id subject issued_at revoked_at',
  listFaults: 'fault_id match effect used left',
  listEvents: 'seq at type subject detail',
  listRequests: 'number at request answer refusal',
  listAssumptions: 'slug section choice',
  listWebhookDeliveries: 'delivery_id webhook_id event_seq status attempts',
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
