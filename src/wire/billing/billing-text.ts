/**
 * What customers are billed, as text: a table for each customer and currency, month by month, with totals. It depends on
 * the records alone, so that two texts differ only where the billing does.
 */
import { compareTexts } from '../../world/sorted-tree.ts'
import { amountText, figureText } from '../common/text.ts'
import type { WireCharge } from './charge.ts'
import type { WireForecast, WireInvoice } from './invoice.ts'
import type { WireWhatIf } from './what-if.ts'

interface Billed {
  readonly invoices: readonly WireInvoice[]
  readonly charges: readonly WireCharge[]
}

type AmountsBilled = {
  readonly [Kind in keyof Billed]: readonly Pick<
    Billed[Kind][number],
    'currency' | 'status' | 'amount_due'
  >[]
}

type BillingTotal = WireForecast['totals'][number]
/** An invoice of two futures. */
type ComparedInvoice = WireWhatIf['invoices'][number]

/** One line of a table: a text, or an amount, which is summed up; null for none. */
type Cell = string | number | null

interface Row {
  readonly customer_id: string
  readonly currency: string
  readonly created_at: string
  readonly cells: readonly Cell[]
}

const GAP = '  '

/** The invoices and charges of each customer, and the totals of all. */
export function billingText(billed: Billed, totals = totalsBilled(billed)): string {
  const invoices = billed.invoices.map((invoice) => rowOf(invoice, cellsOfInvoice(invoice)))
  const charges = billed.charges.map((charge) => rowOf(charge, cellsOfCharge(charge)))
  const head = ['subscription', 'for', 'amount', 'discounts', 'balance', 'due', 'status']
  const tables = tablesOf(head, [...invoices, ...charges])
  if (tables === '') return 'Nothing is billed.\n'
  return `${tables}\n${totals.map((each) => `${totalText(each)}\n`).join('')}`
}

/** The invoices of each customer in two futures. */
export function comparisonText(invoices: readonly ComparedInvoice[]): string {
  const head = ['subscription', 'for', 'as is', '', 'changed', '', 'difference']
  return tablesOf(
    head,
    invoices.map((invoice) => rowOf(invoice, cellsOfPair(invoice))),
  )
}

/** The sums in each currency, of what was not withdrawn. */
export function totalsBilled({ invoices, charges }: AmountsBilled): BillingTotal[] {
  const sums = new Map<string, BillingTotal>()
  const add = (currency: string, kind: 'paid' | 'due' | 'uncollectible', amount: number) => {
    const sum = sums.get(currency) ?? { currency, total: 0, paid: 0, due: 0, uncollectible: 0 }
    sums.set(currency, { ...sum, total: sum.total + amount, [kind]: sum[kind] + amount })
  }
  for (const { currency, status, amount_due: amount } of invoices) {
    if (status === 'paid' || status === 'uncollectible') add(currency, status, amount)
    if (status === 'open') add(currency, 'due', amount)
  }
  for (const { currency, status, amount_due: amount } of charges) {
    if (status === 'succeeded') add(currency, 'paid', amount)
  }
  return [...sums.values()].sort((one, other) => compareTexts(one.currency, other.currency))
}

function totalText({ currency, total, paid, due, uncollectible }: BillingTotal): string {
  const parts = Object.entries({ paid, due, uncollectible }).flatMap(([name, amount]) =>
    amount === 0 ? [] : `${figure(amount, currency)} ${name}`,
  )
  const detail = parts.length === 0 ? '' : `: ${parts.join(', ')}`
  return `Total ${amountText(total, currency)}${detail}.`
}

function rowOf(record: Omit<Row, 'cells'>, cells: readonly Cell[]): Row {
  const { customer_id, currency, created_at } = record
  return { customer_id, currency, created_at, cells }
}

function cellsOfInvoice(invoice: WireInvoice): Cell[] {
  const { subscription_id, reason, lines, status, next_attempt_at: next } = invoice
  const plans = [...new Set(lines.map(({ plan }) => plan))]
  const what = `${reason} ${plans.join(' to ')}`
  // What was withdrawn asks for nothing.
  if (status === 'void') return [subscription_id, what, null, null, null, null, status]
  const { subtotal, discount_total: discounts, balance_used: balance, amount_due: due } = invoice
  const retry = next === null ? '' : `, next attempt ${dayOf(next)}`
  const state = `${status}${laterDay(invoice)}${retry}`
  return [subscription_id, what, subtotal, less(discounts), less(balance), due, state]
}

function cellsOfCharge(charge: WireCharge): Cell[] {
  const { status, amount, discount_total: discounts, amount_due: due } = charge
  if (status !== 'succeeded') return ['', 'charge', null, null, null, null, status]
  return ['', 'charge', amount, less(discounts), null, due, 'paid']
}

function cellsOfPair(invoice: ComparedInvoice): Cell[] {
  const { subscription_id, reason, as_is: asIs, changed } = invoice
  const [before, after] = [dueOf(asIs), dueOf(changed)]
  const [one, other] = [sideText(asIs, invoice), sideText(changed, invoice)]
  return [subscription_id, reason, before, one, after, other, (after ?? 0) - (before ?? 0)]
}

function dueOf(side: ComparedInvoice['as_is']): number | null {
  return side === null || side.status === 'void' ? null : side.amount_due
}

/** The plans of an invoice in one future, and its status unless it was paid at once. */
function sideText(side: ComparedInvoice['as_is'], { created_at }: ComparedInvoice): string {
  if (side === null) return ''
  const { status, plans, paid_at } = side
  const later = laterDay({ paid_at, created_at })
  return `${plans.join(' to ')}${status === 'paid' && later === '' ? '' : `, ${status}${later}`}`
}

/** The day of a payment, unless that was the day of the invoice. */
function laterDay({ paid_at, created_at }: Pick<WireInvoice, 'paid_at' | 'created_at'>): string {
  if (paid_at === null || dayOf(paid_at) === dayOf(created_at)) return ''
  return ` ${dayOf(paid_at)}`
}

function dayOf(instant: string): string {
  return instant.slice(0, 10)
}

function less(amount: number): number | null {
  return amount === 0 ? null : -amount
}

function tablesOf(head: readonly string[], rows: readonly Row[]): string {
  const tables = new Map<string, Row[]>()
  for (const row of rows) {
    const title = `${row.customer_id}, ${row.currency}`
    tables.set(title, [...(tables.get(title) ?? []), row])
  }
  return [...tables].map(([title, own]) => `${title}\n${tableOf(head, own)}`).join('\n')
}

/** The rows month by month, in the order of their instants; a month of several rows has its sums. */
function tableOf(head: readonly string[], rows: readonly Row[]): string {
  const currency = rows[0]?.currency ?? ''
  const sumOf = (some: readonly Row[]) =>
    head.map((_, at) => {
      const amounts = some.flatMap(({ cells }) => {
        const cell = cells[at]
        return typeof cell === 'number' ? cell : []
      })
      return amounts.length === 0 ? '' : amounts.reduce((sum, each) => sum + each, 0)
    })
  const months = new Map<string, Row[]>()
  for (const row of rows.toSorted((one, other) => compareTexts(one.created_at, other.created_at))) {
    const month = row.created_at.slice(0, 7)
    months.set(month, [...(months.get(month) ?? []), row])
  }
  const body = [...months].flatMap(([month, own]): Cell[][] => [
    ...own.map(({ created_at, cells }, at) => [
      at === 0 ? month : '',
      created_at.slice(8, 10),
      ...cells,
    ]),
    ...(own.length > 1 ? [['', 'sum', ...sumOf(own)]] : []),
  ])
  const texts = [['month', 'day', ...head], ...body, ['total', '', ...sumOf(rows)]].map((cells) =>
    cells.map((cell) => (typeof cell === 'string' ? cell : figure(cell, currency))),
  )
  const widths = texts[0]?.map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0)))
  const isAmount = (at: number) => body.some((cells) => typeof cells[at] !== 'string')
  const drawn = texts.map((row) =>
    row.map((text, at) =>
      isAmount(at) ? text.padStart(widths?.[at] ?? 0) : text.padEnd(widths?.[at] ?? 0),
    ),
  )
  return drawn.map((row) => `${row.join(GAP).trimEnd()}\n`).join('')
}

/** An amount without its currency, which the title has. */
function figure(amount: number | null, currency: string): string {
  return amount === null ? '-' : figureText(amount, currency)
}
