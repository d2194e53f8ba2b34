/**
 * Compares two futures of one world: money, statuses and invoices. Invoices are matched by what they bill, because one
 * invoice less changes the number of each after it.
 */
import type { Invoice } from '../billing/invoice.ts'
import { refuse } from '../billing/refusal.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Refusal } from './refusal.ts'
import { compareTexts } from './sorted-tree.ts'
import type { World } from './world.ts'

/** The most rows of each list; the total is counted beyond it. */
export const ROWS_MAX = 1000

/** The amounts collected, still due, given up, and owed to customers, in minor units. */
export interface Money {
  readonly paid: number
  readonly due: number
  readonly uncollectible: number
  readonly balance: number
}

/** The same record in both futures; null in the future that does not have it. */
export interface Pair<Value> {
  readonly asIs: Value | null
  readonly changed: Value | null
}

export interface Rows<Row> {
  readonly rows: Row[]
  readonly total: number
}

/** Whose money it is. */
interface MoneyOwner {
  readonly customerId: string
  readonly currency: string
}

export type MoneyRow = MoneyOwner & Pair<Money>

export interface Totals {
  readonly byCurrency: ReadonlyMap<string, Money>
  readonly byCustomer: ReadonlyMap<string, MoneyOwner & Money>
}

export interface Comparison {
  readonly money: Pair<Totals>
  readonly customers: Rows<MoneyRow>
  readonly subscriptions: Rows<Pair<Subscription>>
  readonly invoices: Rows<Pair<Invoice>>
}

/** The sums. Two futures differ in money if one of these differs. */
const sums = ['paid', 'due', 'uncollectible', 'balance'] as const

function sumMoney(sumOf: (field: keyof Money) => number): Money {
  const [paid, due] = [sumOf('paid'), sumOf('due')]
  return { paid, due, uncollectible: sumOf('uncollectible'), balance: sumOf('balance') }
}

export const zeroMoney = sumMoney(() => 0)

/** Whether invoices are listed that are the same in both futures, of customers with one that differs. */
interface InvoiceChoice {
  readonly unchanged: boolean
}

/** Refuses a look-ahead of which no number holds the sums exactly. */
export const inexactSums: Refusal = refuse(
  'clock_limit',
  `until must be earlier: the sums grow past ${Number.MAX_SAFE_INTEGER} minor units.`,
)

/** Compares two worlds in short steps. Refuses sums above the safe integers. */
export function* compare(
  asIs: World,
  changed: World,
  how: InvoiceChoice,
): Generator<void, Comparison | Refusal> {
  const before = yield* totalsOf(asIs, changed)
  const after = yield* totalsOf(changed, asIs)
  if (![before, after].every(isExact)) return inexactSums
  return {
    money: { asIs: before, changed: after },
    customers: yield* customerRows(before, after),
    subscriptions: yield* subscriptionRows(asIs, changed),
    invoices: yield* invoiceRows(asIs, changed, how),
  }
}

export function subtractMoney(asIs: Money, changed: Money): Money {
  return sumMoney((field) => changed[field] - asIs[field])
}

function* totalsOf({ invoices, charges, customers }: World, other: World): Generator<void, Totals> {
  const byCurrency = new Map<string, Money>()
  const byCustomer = new Map<string, MoneyOwner & Money>()
  const add = ({ customerId, currency }: MoneyOwner, money: Money) => {
    const key = `${currency} ${customerId}`
    const [own, all] = [byCustomer.get(key) ?? zeroMoney, byCurrency.get(currency) ?? zeroMoney]
    const sum = sumMoney((field) => own[field] + money[field])
    byCustomer.set(key, { customerId, currency, ...sum })
    byCurrency.set(
      currency,
      sumMoney((field) => all[field] + money[field]),
    )
  }
  for (const invoice of invoices.values()) yield add(invoice, moneyOf(invoice))
  for (const charge of charges.values()) {
    yield add(charge, { ...zeroMoney, paid: charge.status === 'succeeded' ? charge.amountDue : 0 })
  }
  for (const [customerId, { balance, currency: own }] of customers.entries()) {
    // A first subscription gives the balance a currency; it is the same money in both futures.
    const currency = own ?? other.customers.get(customerId)?.currency ?? null
    if (balance !== 0 && currency !== null) {
      add({ customerId, currency }, { ...zeroMoney, balance })
    }
    yield
  }
  return { byCurrency, byCustomer }
}

function moneyOf({ status, amountPaid, amountDue }: Invoice): Money {
  return {
    ...zeroMoney,
    paid: amountPaid,
    due: status === 'open' ? amountDue : 0,
    uncollectible: status === 'uncollectible' ? amountDue : 0,
  }
}

/** Amounts are never negative, so a sum that is too large stays too large. */
function isExact({ byCurrency }: Totals): boolean {
  return [...byCurrency.values()].every((money) =>
    sums.every((each) => Number.isSafeInteger(money[each])),
  )
}

function* customerRows(
  { byCustomer: before }: Totals,
  { byCustomer: after }: Totals,
): Generator<void, Rows<MoneyRow>> {
  const isOther = (asIs: Money | null, changed: Money | null) =>
    differ<Money>(asIs ?? zeroMoney, changed ?? zeroMoney, sums)
  const pairs = yield* differences(before, after, isOther)
  const rows = pairs.slice(0, ROWS_MAX).flatMap((pair) => {
    const owner = pair.asIs ?? pair.changed
    return owner === null ? [] : { ...owner, ...pair }
  })
  return { rows, total: pairs.length }
}

function* subscriptionRows(
  { subscriptions: before }: World,
  { subscriptions: after }: World,
): Generator<void, Rows<Pair<Subscription>>> {
  const isOther = (asIs: Subscription | null, changed: Subscription | null) =>
    differ<Partial<Subscription>>(asIs ?? {}, changed ?? {}, ['status', 'endedAt'])
  const pairs = yield* differences(before, after, isOther)
  return { rows: pairs.slice(0, ROWS_MAX), total: pairs.length }
}

/** The records that differ, then those that only the changed future has. */
function* differences<Value>(
  before: ReadonlyMap<string, Value>,
  after: ReadonlyMap<string, Value>,
  isOther: (asIs: Value | null, changed: Value | null) => boolean,
): Generator<void, Pair<Value>[]> {
  const rows: Pair<Value>[] = []
  const add = (asIs: Value | null, changed: Value | null) => {
    if (isOther(asIs, changed)) rows.push({ asIs, changed })
  }
  for (const [key, asIs] of before) yield add(asIs, after.get(key) ?? null)
  for (const [key, changed] of after) {
    if (!before.has(key)) add(null, changed)
    yield
  }
  return rows
}

/** The fields that can differ between two invoices for the same thing and are worth a row. */
const compared = [
  ...['status', 'subtotal', 'discountTotal', 'balanceUsed', 'amountDue', 'amountPaid'],
  'paidAt',
] as readonly (keyof Invoice)[]

function* invoiceRows(
  asIs: World,
  changed: World,
  { unchanged }: InvoiceChoice,
): Generator<void, Rows<Pair<Invoice>>> {
  const [before, after] = [yield* keyInvoices(asIs, changed), yield* keyInvoices(changed, asIs)]
  const different = yield* differences(before, after, isOtherInvoice)
  const customers = new Set(different.map(customerOf))
  const isListed = (one: Invoice | null, other: Invoice | null) =>
    customers.has(customerOf({ asIs: one, changed: other }))
  const rows = unchanged ? yield* differences(before, after, isListed) : different
  const createdAt = (pair: Pair<Invoice>) => (pair.asIs ?? pair.changed)?.createdAt ?? ''
  rows.sort((one, other) => compareTexts(createdAt(one), createdAt(other)))
  return { rows: limitRows(unchanged ? yield* firstCustomers(rows) : rows), total: rows.length }
}

/** The rows of the first customers, as many as there is room for: nothing of them is missing, except of a single one. */
function* firstCustomers(rows: readonly Pair<Invoice>[]): Generator<void, Pair<Invoice>[]> {
  const counts = new Map<string | undefined, number>()
  for (const row of rows)
    yield void counts.set(customerOf(row), (counts.get(customerOf(row)) ?? 0) + 1)
  const listed = new Set<string | undefined>()
  let left = ROWS_MAX
  for (const [customer, count] of counts) {
    if (count > left && listed.size > 0) break
    left -= count
    listed.add(customer)
  }
  return rows.filter((row) => listed.has(customerOf(row)))
}

/** The rows of the first invoices of each future: many of one future do not hide those of the other. */
function limitRows(rows: readonly Pair<Invoice>[]): Pair<Invoice>[] {
  const seen = { asIs: 0, changed: 0 }
  return rows.filter(({ asIs, changed }) => {
    seen.asIs += Number(asIs !== null)
    seen.changed += Number(changed !== null)
    return (
      (asIs !== null && seen.asIs <= ROWS_MAX) || (changed !== null && seen.changed <= ROWS_MAX)
    )
  })
}

function isOtherInvoice(one: Invoice | null, other: Invoice | null): boolean {
  if (one === null || other === null) return true
  return differ(one, other, compared) || plansOf(one) !== plansOf(other)
}

function customerOf({ asIs, changed }: Pair<Invoice>): string | undefined {
  return (asIs ?? changed)?.customerId
}

/** The plans of an invoice; two plans of one price are still two. */
function plansOf({ lines }: Invoice): string {
  return lines.map(({ planId }) => planId).join(' ')
}

/** The invoices of a world that are not identical in the other one, by what they bill. */
function* keyInvoices(
  { invoices }: World,
  { invoices: others }: World,
): Generator<void, Map<string, Invoice>> {
  const counted = new Map<string, number>()
  const invoicesByKey = new Map<string, Invoice>()
  for (const [id, invoice] of invoices) {
    yield
    const { subscriptionId, createdAt, reason } = invoice
    if (others.get(id) === invoice) continue
    const key = `${subscriptionId} ${createdAt} ${reason}`
    const nth = (counted.get(key) ?? 0) + 1
    counted.set(key, nth)
    invoicesByKey.set(`${key} ${nth}`, invoice)
  }
  return invoicesByKey
}

function differ<Value extends object>(
  one: Value,
  other: Value,
  fields: readonly (keyof Value)[],
): boolean {
  return fields.some((field) => one[field] !== other[field])
}
