/**
 * Previews: what an act will do, before it is done. The act is the change of a what-if, which the sandbox makes on a copy.
 * Every page that says what will be charged reads it here, and computes nothing.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import type { PageContext } from '../ui/page-context.ts'
import { moneyText } from '../ui/values.tsx'

type WhatIf = Schemas['WhatIf']

/** The call of an operation, as a what-if takes it. */
export type Act = Schemas['WhatIfQuestion']['changes'][number]

/** How far to look: an instant, or a duration from now; and whether invoices that do not differ are listed too. */
type Look = ({ readonly until: string } | { readonly for: string }) & {
  readonly unchanged?: boolean
}

/** An invoice as it is after an act. */
export type InvoiceAfter = ReturnType<typeof invoicesAfter>[number]

/** An invoice that the end of a period makes. */
export type InvoiceToCome = Pick<InvoiceAfter, 'created_at' | 'amount_due' | 'currency'>

/** The immediate effect of an act. Throws the refusal of the act. */
export function previewOf(page: PageContext, act: Act): Promise<WhatIf> {
  return differencesAfter(page, act, { for: 'PT0S' })
}

/** What differs after an act from what would be without it. Throws the refusal of the act. */
export async function differencesAfter(
  { sandbox }: PageContext,
  act: Act,
  look: Look,
): Promise<WhatIf> {
  try {
    return await sandbox.whatIf({ changes: [act], explain: true, ...look })
  } catch (refusal) {
    throw refusal instanceof SandboxError ? asOfTheAct(refusal) : refusal
  }
}

/** The refusal of a change, as the refusal of its operation. */
function asOfTheAct({ message, status, code, fields }: SandboxError): SandboxError {
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

/** The subscription as the act leaves it. Throws for an act that answers none. */
export function subscriptionAfter({ answers }: WhatIf) {
  const [answer] = answers
  if (answer?.body && 'pending_plan' in answer.body) return answer.body
  throw new Error('The act answers no subscription')
}

/** The first invoice after an act until the end of the period, whether it comes anyway or not; null where none is made. */
export async function nextInvoice(
  page: PageContext,
  act: Act,
  preview: WhatIf,
): Promise<InvoiceToCome | null> {
  const { subscription_id: id, current_period_end: until } = subscriptionAfter(preview)
  // The period of a paused one may be over.
  if (until <= preview.from) return null
  // What differs, and all else of its customers; if nothing does, both futures have the same invoices.
  const { invoices } = await differencesAfter(page, act, { until, unchanged: true })
  const [first = null] = invoicesAfter({ invoices }, id).filter(
    ({ created_at }) => created_at > preview.from,
  )
  const isSame = invoices.every(({ subscription_id }) => subscription_id !== id)
  if (!isSame) return first
  const [anyway = null] = await page.sandbox.subscriptions.forecast(id, { until })
  return anyway
}
