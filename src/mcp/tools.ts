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
  /** Arguments that have a name and no schema, to be short: another tool describes them, or agents seldom need them. */
  readonly namedOnly?: readonly string[]
}

/** How many records a list answers, where an agent does not say: enough to see what there is. */
const LIMIT_INITIALLY = 20

const rows: Readonly<Record<string, Omit<Tool, 'name'>>> = {
  describe_sandbox: {
    hint: 'Begin here: the address and API key that the code under test needs, the virtual now, and what is due next.',
  },
  sandboxes: {
    hint: 'create makes a new sandbox; with from, a fork of another one. use makes all later calls of the tools go to that sandbox. settings are those of change_record.',
    by: 'action',
    defaults: { limit: LIMIT_INITIALLY },
    namedOnly: ['settings', 'order'],
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
    hint: 'Amounts are integers of minor units: 2500 is 25.00. A fault hits calls to /v1, also of change_subscription. event_types are those of list_records; without them a webhook gets all.',
    by: 'kind',
    namedOnly: ['event_types'],
  },
  change_record: {
    hint: 'Send what changes, beside what names the record. Settings decide what the interface leaves open.',
    by: 'kind',
    namedOnly: ['strict'],
  },
  delete_record: { by: 'kind' },
  create_subscription: { hint: 'With trial_period_days it begins with a trial.' },
  change_subscription: {
    hint: 'The documented operations on one subscription; the interface shows neither resume nor remove_scheduled_cancellation.',
    by: 'action',
  },
  payments: {
    hint: 'script has the next payment attempts end as outcomes says, one after another, or every one as always says; remove deletes those of one scope, clear all; pay tries an open or uncollectible invoice again.',
    by: 'action',
  },
  explain_invoice: { hint: 'For any question why an amount is what it is.' },
  forecast_subscription: { defaults: { limit: LIMIT_INITIALLY } },
  forecast_customer: { defaults: { limit: LIMIT_INITIALLY } },
  what_if: {
    hint: 'A change is a call, such as {"operation":"applyCoupon","params":{"subscription_id":"sub_000001"},"body":{"coupon_id":"SAVE20"}}.',
    changesNothing: true,
  },
  checkpoint: { by: 'action', namedOnly: ['order'] },
  issue_tokens: { hint: 'A refresh token to try POST /v1/auth/refresh with.' },
  redeliver_webhook: {},
  recording: {
    hint: 'vitest and pytest give a test file that repeats the calls and checks each answer. Write it into the project under test and run it.',
  },
  coverage: {
    hint: 'Which operations, statuses, error codes and transitions of /v1 were used, by change_subscription too, and which not. min_operations and the like are percentages from 0 to 100.',
    by: 'action',
    namedOnly: [
      'format',
      'min_operations',
      'min_statuses',
      'min_media',
      'min_error_codes',
      'min_transitions',
      'min_settings',
      'min_assumptions',
    ],
  },
  audit: {},
  verify_pact: {
    hint: 'Whether the sandbox keeps a contract of the code under test.',
    defaults: { live: 'true' },
    changesNothing: true,
  },
}

export const tools: readonly Tool[] = Object.entries(rows).map(([name, row]) => ({ name, ...row }))

/** The introduction that an agent gets before its first call. */
export const instructions = `A sandbox of a billing service: subscriptions, coupons, invoices and refresh tokens. Code under test calls the documented operations below /v1, at the address and with the API key that describe_sandbox answers. Time is virtual: advance_clock settles everything that falls due on the way, exactly and always in the same way. The fixture starter has the customers cus_ada, cus_linus and cus_grace (without a payment method), the plans basic (10.00 USD a month), pro (25.00), basic_yearly and pro_yearly, and coupons such as SAVE20. A refusal changes nothing, and says which field breaks which rule. recording turns the calls of a sandbox into a test file; the prompts reproduce_bug and write_test lead to a test that you can commit.`
