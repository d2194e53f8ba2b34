/**
 * Previews: what an act will do, before it is done. The act is the change of a what-if, which the sandbox makes on a copy.
 * Every page that says what will be charged reads it here, and computes nothing.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { addMonths, type Instant } from '../../time/instant.ts'
import { CLOCK_MAX } from '../../world/advance.ts'
import type { PageContext } from '../ui/page-context.ts'
import { moneyText } from '../ui/values.tsx'

type WhatIf = Schemas['WhatIf']

/** The call of an operation, as a what-if takes it. */
export type Act = Schemas['WhatIfQuestion']['changes'][number]

/** How far to look, and whether invoices that do not differ are listed too. */
interface Look {
  readonly until: string
  readonly unchanged?: boolean
}

/** The immediate effect of an act. Throws the refusal of the act. */
export function previewOf(page: PageContext, act: Act): Promise<WhatIf> {
  return differencesAfter(page, act, { until: page.clock.now })
}

export const withinClock = (at: string) => (at < CLOCK_MAX ? at : CLOCK_MAX)

/** What differs after an act from what would be without it, up to the end of the clock. Throws the refusal of the act. */
export async function differencesAfter({ sandbox }: PageContext, act: Act, look: Look) {
  const until = withinClock(look.until)
  try {
    return await sandbox.whatIf({ changes: [act], explain: true, ...look, until })
  } catch (refusal) {
    throw refusal instanceof SandboxError ? asOperationRefusal(refusal) : refusal
  }
}

function asOperationRefusal({ message, status, code, fields }: SandboxError): SandboxError {
  const plain = (text: string) => text.replace(/changes\[0\](: |\.body\.)/g, '')
  const named = fields
    .filter(({ field }) => field !== 'changes[0]')
    .map((each) => ({ field: plain(each.field), message: plain(each.message) }))
  return new SandboxError(plain(message), { status, code, fields: named })
}

/** The money that is collected now, and the money that is due and not paid. */
export function chargedText({ money, invoices }: WhatIf): string {
  const charged = money
    .filter(({ difference }) => difference.paid > 0)
    .map(({ difference, currency }) => `Charged now: ${moneyText(difference.paid, currency)}`)
  const failing = invoices.flatMap(({ as_is: before, changed, currency }) =>
    before === null && changed !== null && changed.status !== 'paid'
      ? [`Due now: ${moneyText(changed.amount_due, currency)}, and the payment fails`]
      : [],
  )
  return [...charged, ...failing].join('. ') || 'Nothing is charged now'
}

/** The invoices of a subscription that an act makes or changes. */
export function invoicesAfter({ invoices }: Pick<WhatIf, 'invoices'>, id: string) {
  return invoices.flatMap(({ changed, subscription_id, currency, created_at }) =>
    changed !== null && subscription_id === id ? [{ ...changed, currency, created_at }] : [],
  )
}

/** The balance of a customer after an act; null for one without a currency. */
export async function balanceAfter({ sandbox }: PageContext, { customers }: WhatIf, id: string) {
  const row = customers.find(({ customer_id }) => customer_id === id)
  if (row !== undefined) return { amount: row.changed.balance, currency: row.currency }
  const { balance, currency } = await sandbox.customers.get(id)
  return currency === null ? null : { amount: balance, currency }
}

/** The subscription as the act leaves it; null for an act that answers none. */
export function subscriptionIn({ answers }: WhatIf) {
  const [answer] = answers
  return answer?.body && 'pending_plan' in answer.body ? answer.body : null
}

/** With more subscriptions, a look ahead is short: all of them take part in it. */
const MANY = 1000

export function hasMany({ summary }: Pick<PageContext, 'summary'>): boolean {
  return (summary.counts['subscriptions'] ?? 0) > MANY
}

/**
 * What differs in the year after an act on the subscription of the page, and until its period ends, with all invoices of
 * its customer; and its next invoice, null where the period ends without one.
 */
export async function futureAfter(page: PageContext, act: Act, preview: WhatIf) {
  const { id, clock, sandbox } = page
  const after = subscriptionIn(preview) ?? (await sandbox.subscriptions.get(id))
  const { current_period_end: end } = after
  const year = addMonths(clock.now as Instant, hasMany(page) ? 1 : 12)
  const until = end > year ? end : year
  const future = await differencesAfter(page, act, { until, unchanged: true })
  return { future, next: await nextInvoice(page, future, end) }
}

/** The invoice that the end of the period makes. */
async function nextInvoice({ id, sandbox }: PageContext, { from, invoices }: WhatIf, end: string) {
  // The period of a paused one may be over.
  if (end <= from) return null
  const [first = null] = invoicesAfter({ invoices }, id).filter(
    ({ created_at }) => created_at > from && created_at <= end,
  )
  // If nothing differs, both futures have the same invoices.
  const isSame = invoices.every(({ subscription_id }) => subscription_id !== id)
  if (!isSame) return first
  const [anyway = null] = await sandbox.subscriptions.forecast(id, { until: withinClock(end) })
  return anyway
}
