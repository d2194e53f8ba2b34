/** The tools for coding agents: few, each for one or several operations, in words for a model. */

/** One tool; `operationNames` says which operations it calls. */
export interface Tool {
  readonly name: string
  /** What it is for, in addition to the description of its operation. */
  readonly hint?: string
  /** The argument that chooses the operation, where it has several. */
  readonly by?: 'kind' | 'action'
  /** Of an operation that is not a GET and changes nothing. */
  readonly changesNothing?: true
  /** Values of arguments that are left out. */
  readonly defaults?: Readonly<Record<string, string | number>>
}

/** How many records a list answers, where an agent does not say: enough to see what there is. */
const LIMIT_INITIALLY = 20

const rows: Readonly<Record<string, Omit<Tool, 'name'>>> = {
  describe_sandbox: {
    hint: 'Begin here: the address and API key that the code under test needs, the virtual now, and what is due next.',
  },
  reset_sandbox: { hint: 'Everything that was done is gone afterwards.' },
  advance_clock: {
    hint: 'Send exactly one of by (a duration such as P14D or P1M), to (an instant or a date), to_next (so many instants at which something is due) and until (with within, a duration). Time never moves by itself.',
  },
  agenda: { defaults: { limit: LIMIT_INITIALLY } },
  list_records: {
    hint: 'Events say what happened, in order; requests are the last calls with their answers, newest first; assumptions are the questions that the interface leaves open.',
    by: 'kind',
    defaults: { limit: LIMIT_INITIALLY },
  },
  get_record: { by: 'kind' },
  create_record: {
    hint: 'Amounts are integers of minor units: 2500 is 25.00. A fault makes calls of the code under test fail.',
    by: 'kind',
  },
  change_record: {
    hint: 'Send what changes, beside what names the record. Settings decide what the interface leaves open.',
    by: 'kind',
  },
  delete_record: { by: 'kind' },
  create_subscription: { hint: 'With trial_period_days it begins with a trial.' },
  change_subscription: {
    hint: 'The documented operations on one subscription; the interface shows neither resume nor remove_scheduled_cancellation.',
    by: 'action',
  },
  payments: {
    hint: 'script has the next payment attempts end as outcomes says, one after another, or every one as always says; clear lets all succeed again; pay tries an open or uncollectible invoice again.',
    by: 'action',
  },
  explain_invoice: { hint: 'For any question why an amount is what it is.' },
  forecast_subscription: { defaults: { limit: LIMIT_INITIALLY } },
  what_if: {
    hint: 'A change is a call, such as {"operation":"applyCoupon","params":{"subscription_id":"sub_000001"},"body":{"coupon_id":"SAVE20"}}.',
    changesNothing: true,
  },
  checkpoint: { by: 'action' },
  issue_tokens: { hint: 'A refresh token to try POST /v1/auth/refresh with.' },
  audit: {},
  verify_pact: {
    hint: 'Whether the sandbox keeps a contract of the code under test.',
    defaults: { live: 'true' },
    changesNothing: true,
  },
}

export const tools: readonly Tool[] = Object.entries(rows).map(([name, row]) => ({ name, ...row }))

/** The introduction that an agent gets before its first call. */
export const instructions = `A sandbox of a billing service: subscriptions, coupons, invoices and refresh tokens. Code under test calls the documented operations below /v1, at the address and with the API key that describe_sandbox answers. Time is virtual: advance_clock settles everything that falls due on the way, exactly and always in the same way. The fixture starter has the customers cus_ada, cus_linus and cus_grace (without a payment method), the plans basic (10.00 USD a month), pro (25.00), basic_yearly and pro_yearly, and coupons such as SAVE20. A refusal changes nothing, and says which field breaks which rule.`
