/**
 * Compares two futures of one world: money, statuses and invoices. Invoices are matched by what they bill, because one
 * invoice less changes the number of each after it.
 */
import type { Invoice } from '../billing/invoice.ts'
import { refuse } from '../billing/refusal.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Refusal } from './refusal.ts'
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

/** The first rows of a list, and the total number. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly total: number
}

export interface MoneyRow extends Pair<Money> {
  readonly customerId: string
  readonly currency: string
}

export interface Totals {
  readonly byCurrency: ReadonlyMap<string, Money>
  readonly byCustomer: ReadonlyMap<string, MoneyOf>
}

interface MoneyOf extends Money {
  readonly customerId: string
  readonly currency: string
}

export interface Comparison {
  readonly money: Pair<Totals>
  readonly customers: Rows<MoneyRow>
  readonly subscriptions: Rows<Pair<Subscription>>
  readonly invoices: Rows<Pair<Invoice>>
}

/** The sums. Two futures differ in money if one of these differs. */
const sums = ['paid', 'due', 'uncollectible', 'balance'] as const

export const noMoney: Money = { paid: 0, due: 0, uncollectible: 0, balance: 0 }

/** Compares two worlds in short steps. Refuses sums above the safe integers. */
export function* compare(asIs: World, changed: World): Generator<void, Comparison | Refusal> {
  const before = yield* totalsOf(asIs, changed)
  const after = yield* totalsOf(changed, asIs)
  if (![before, after].every(isExact)) {
    return refuse(
      'clock_limit',
      `until must be earlier: the sums grow past ${Number.MAX_SAFE_INTEGER} minor units.`,
    )
  }
  return {
    money: { asIs: before, changed: after },
    customers: yield* customerRows(before, after),
    subscriptions: yield* subscriptionRows(asIs, changed),
    invoices: yield* invoiceRows(asIs, changed),
  }
}

/** The difference of each sum: the changed future minus the other. */
export function moreOf(asIs: Money, changed: Money): Money {
  return {
    paid: changed.paid - asIs.paid,
    due: changed.due - asIs.due,
    uncollectible: changed.uncollectible - asIs.uncollectible,
    balance: changed.balance - asIs.balance,
  }
}

function* totalsOf({ invoices, charges, customers }: World, other: World): Generator<void, Totals> {
  const byCurrency = new Map<string, Money>()
  const byCustomer = new Map<string, MoneyOf>()
  const add = (owner: { customerId: string; currency: string }, money: Money) => {
    const { customerId, currency } = owner
    const key = `${currency} ${customerId}`
    const sum = sumOf(byCustomer.get(key) ?? noMoney, money)
    byCustomer.set(key, { customerId, currency, ...sum })
    byCurrency.set(currency, sumOf(byCurrency.get(currency) ?? noMoney, money))
  }
  for (const invoice of invoices.values()) {
    add(invoice, moneyOf(invoice))
    yield
  }
  for (const charge of charges.values()) {
    add(charge, { ...noMoney, paid: charge.status === 'succeeded' ? charge.amountDue : 0 })
    yield
  }
  for (const [customerId, { balance, currency: own }] of customers.entries()) {
    // A first subscription gives the balance a currency; it is the same money in both futures.
    const currency = own ?? other.customers.get(customerId)?.currency ?? null
    if (balance !== 0 && currency !== null) {
      add({ customerId, currency }, { ...noMoney, balance })
    }
    yield
  }
  return { byCurrency, byCustomer }
}

function moneyOf({ status, amountPaid, amountDue }: Invoice): Money {
  return {
    ...noMoney,
    paid: amountPaid,
    due: status === 'open' ? amountDue : 0,
    uncollectible: status === 'uncollectible' ? amountDue : 0,
  }
}

function sumOf(one: Money, other: Money): Money {
  return {
    paid: one.paid + other.paid,
    due: one.due + other.due,
    uncollectible: one.uncollectible + other.uncollectible,
    balance: one.balance + other.balance,
  }
}

/** Amounts are never negative, so a sum that is too large stays too large. */
function isExact({ byCurrency }: Totals): boolean {
  return [...byCurrency.values()].every((money) =>
    sums.every((each) => Number.isSafeInteger(money[each])),
  )
}

function* customerRows(before: Totals, after: Totals): Generator<void, Rows<MoneyRow>> {
  const rows = listing<MoneyRow>()
  for (const [key, asIs] of before.byCustomer) {
    const changed = after.byCustomer.get(key) ?? noMoney
    if (differ(asIs, changed, sums)) rows.add({ ...asIs, asIs, changed })
    yield
  }
  for (const [key, changed] of after.byCustomer) {
    const isNew = !before.byCustomer.has(key) && differ<Money>(noMoney, changed, sums)
    if (isNew) rows.add({ ...changed, asIs: null, changed })
    yield
  }
  return rows
}

function* subscriptionRows(
  { subscriptions: before }: World,
  { subscriptions: after }: World,
): Generator<void, Rows<Pair<Subscription>>> {
  const rows = listing<Pair<Subscription>>()
  for (const [id, asIs] of before.entries()) {
    const changed = after.get(id) ?? null
    if (changed?.status !== asIs.status) rows.add({ asIs, changed })
    yield
  }
  for (const [id, changed] of after.entries()) {
    if (!before.has(id)) rows.add({ asIs: null, changed })
    yield
  }
  return rows
}

/** The fields that can differ between two invoices for the same thing and are worth a row. */
const compared = [
  ...['status', 'subtotal', 'discountTotal', 'balanceUsed', 'amountDue', 'amountPaid'],
  'paidAt',
] as readonly (keyof Invoice)[]

function* invoiceRows(before: World, after: World): Generator<void, Rows<Pair<Invoice>>> {
  const matches = new Map<string, Invoice>()
  for (const [key, invoice] of yield* keyed(after, before)) {
    matches.set(key, invoice)
    yield
  }
  const [changes, added] = [listing<Pair<Invoice>>(), listing<Pair<Invoice>>()]
  for (const [key, asIs] of yield* keyed(before, after)) {
    const changed = matches.get(key) ?? null
    matches.delete(key)
    const isOther =
      changed === null || differ(asIs, changed, compared) || plansOf(asIs) !== plansOf(changed)
    if (isOther) changes.add({ asIs, changed })
    yield
  }
  for (const changed of matches.values()) {
    added.add({ asIs: null, changed })
    yield
  }
  const createdAt = ({ asIs, changed }: Pair<Invoice>) => (asIs ?? changed)?.createdAt ?? ''
  const rows = [...changes.rows, ...added.rows].sort((one, other) =>
    createdAt(one) < createdAt(other) ? -1 : Number(createdAt(one) > createdAt(other)),
  )
  return { rows: rows.slice(0, ROWS_MAX), total: changes.total + added.total }
}

/** The plans of an invoice; two plans of one price are still two. */
function plansOf({ lines }: Invoice): string {
  return lines.map(({ planId }) => planId).join(' ')
}

/** The invoices of a world that are not identical in the other one, by what they bill. */
function* keyed(
  { invoices }: World,
  { invoices: others }: World,
): Generator<void, [string, Invoice][]> {
  const counted = new Map<string, number>()
  const invoicesByKey: [string, Invoice][] = []
  for (const [id, invoice] of invoices) {
    yield
    const { subscriptionId, createdAt, reason } = invoice
    if (others.get(id) === invoice) continue
    const key = `${subscriptionId} ${createdAt} ${reason}`
    const nth = (counted.get(key) ?? 0) + 1
    counted.set(key, nth)
    invoicesByKey.push([`${key} ${nth}`, invoice])
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

/** A list that keeps counting when it is full. */
function listing<Row>() {
  const rows: Row[] = []
  return {
    rows,
    total: 0,
    add(row: Row) {
      if (rows.length < ROWS_MAX) rows.push(row)
      this.total += 1
    },
  }
}
