/** The money of each month of some subscriptions, from their events and their agenda: what was, and what is to come. */
import type { Schemas } from '../../library/sandbox.ts'
import { monthsAround, type TimeWindow } from './window.ts'

const moneyKinds = ['paid', 'discounted', 'failed'] as const
export type MoneyKind = (typeof moneyKinds)[number]

export type Month = ReturnType<typeof monthsOf>[number]

/** The sums of one kind and currency: what happened, and what is expected. */
export type Sum = ReturnType<typeof sumsOf>[number]

interface Amount {
  readonly at: string
  readonly kind: MoneyKind
  readonly amount: number
  readonly currency: string
  readonly isExpected: boolean
}

interface MoneySources {
  readonly events: readonly Schemas['Event'][]
  readonly agenda: readonly Schemas['AgendaItem'][]
  /** Whether all of a stretch was read. */
  readonly isRead: (stretch: TimeWindow) => boolean
}

/** The months of a window, and some around it. */
export function monthsOf(window: TimeWindow, sources: MoneySources) {
  const amounts = [...pastAmounts(sources.events), ...expectedAmounts(sources.agenda)]
  const starts = monthsAround(window)
  return starts.slice(1).map((until, index) => {
    const month = { from: starts[index] ?? until, until }
    const within = amounts.filter(({ at }) => at >= month.from && at < until)
    // Null if not all of the month was read.
    return { ...month, sums: sources.isRead(month) ? sumsOf(within) : null }
  })
}

/** Sums that are not zero, in the order of the kinds. */
function sumsOf(amounts: readonly Amount[]) {
  const currencies = [...new Set(amounts.map(({ currency }) => currency))]
  const sums = moneyKinds.flatMap((kind) =>
    currencies.map((currency) => {
      const own = amounts.filter((each) => each.kind === kind && each.currency === currency)
      const [past, expected] = [false, true].map((isExpected) =>
        own.reduce((sum, each) => sum + (each.isExpected === isExpected ? each.amount : 0), 0),
      )
      return { kind, currency, past: past ?? 0, expected: expected ?? 0 }
    }),
  )
  return sums.filter(({ past, expected }) => past + expected > 0)
}

/** An invoice counts as failed once, when its first payment fails, however often it is tried again. */
function* pastAmounts(events: MoneySources['events']): Generator<Amount> {
  const unfailed = new Map<string, Omit<Amount, 'at'>>()
  for (const { at, type, subject, detail } of events) {
    if (type === 'payment.succeeded') yield { at, kind: 'paid', isExpected: false, ...detail }
    if (type === 'payment.failed') {
      const failed = unfailed.get(subject.id)
      if (failed !== undefined && unfailed.delete(subject.id)) yield { at, ...failed }
    }
    if (type !== 'invoice.created') continue
    const { currency, amount_due: amount, discount_total: discount } = detail
    const isExpected = false
    unfailed.set(subject.id, { kind: 'failed', amount, currency, isExpected })
    if (discount) yield { at, kind: 'discounted', amount: discount, currency, isExpected }
  }
}

function* expectedAmounts(agenda: MoneySources['agenda']): Generator<Amount> {
  for (const item of agenda) {
    const { at, kind, amount_due: amount, discount_total: discount, currency } = item
    if (amount === null || currency === null) continue
    const isFirst = kind !== 'payment_retry'
    const isExpected = true
    if (isFirst && discount) {
      yield { at, kind: 'discounted', amount: discount, currency, isExpected }
    }
    const isPaid = item.invoice_status === 'paid'
    if (amount > 0 && (isPaid || isFirst)) {
      yield { at, kind: isPaid ? 'paid' : 'failed', amount, currency, isExpected }
    }
  }
}
