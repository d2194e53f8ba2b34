/** The money of each month of some subscriptions, from their events and their agenda: what was, and what is to come. */
import type { LaneSources } from './spans.ts'
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
}

interface MoneySources extends Pick<LaneSources, 'events' | 'agenda'> {
  /** Whether all of a stretch was read. */
  readonly isRead: (stretch: TimeWindow) => boolean
}

/** The months of a window, and some around it. */
export function monthsOf(window: TimeWindow, { events, agenda, isRead }: MoneySources) {
  const [past, expected] = [[...pastAmounts(events)], [...expectedAmounts(agenda)]]
  const starts = monthsAround(window)
  return starts.slice(1).map((until, index) => {
    const month = { from: starts[index] ?? until, until }
    const isWithin = ({ at }: Amount) => at >= month.from && at < until
    const sums = () => sumsOf(past.filter(isWithin), expected.filter(isWithin))
    // Null if not all of the month was read.
    return { ...month, sums: isRead(month) ? sums() : null }
  })
}

/** Sums that are not zero, in the order of the kinds. */
function sumsOf(past: readonly Amount[], expected: readonly Amount[]) {
  const currencies = [...new Set([...past, ...expected].map(({ currency }) => currency))]
  const sums = moneyKinds.flatMap((kind) =>
    currencies.map((currency) => {
      const isOf = (each: Amount) => each.kind === kind && each.currency === currency
      const sumOf = (amounts: readonly Amount[]) =>
        amounts.filter(isOf).reduce((sum, { amount }) => sum + amount, 0)
      const count = [...past, ...expected].filter(isOf).length
      return { kind, currency, count, past: sumOf(past), expected: sumOf(expected) }
    }),
  )
  return sums.filter(({ past, expected }) => past + expected > 0)
}

/** An invoice counts as failed once, when its first payment fails, however often it is tried again. */
function* pastAmounts(events: MoneySources['events']): Generator<Amount> {
  const unfailed = new Map<string, Omit<Amount, 'at'>>()
  for (const { at, type, subject, detail } of events) {
    if (type === 'payment.succeeded') yield { at, kind: 'paid', ...detail }
    if (type === 'payment.failed') {
      const failed = unfailed.get(subject.id)
      if (failed !== undefined && unfailed.delete(subject.id)) yield { at, ...failed }
    }
    if (type !== 'invoice.created') continue
    const { currency, amount_due: amount, discount_total: discount } = detail
    unfailed.set(subject.id, { kind: 'failed', amount, currency })
    if (discount) yield { at, kind: 'discounted', amount: discount, currency }
  }
}

function* expectedAmounts(agenda: MoneySources['agenda']): Generator<Amount> {
  for (const item of agenda) {
    const { at, kind, amount_due: amount, discount_total: discount, currency } = item
    if (amount === null || currency === null) continue
    const isFirst = kind !== 'payment_retry'
    if (isFirst && discount) yield { at, kind: 'discounted', amount: discount, currency }
    const isPaid = item.invoice_status === 'paid'
    if (amount === 0 || !(isPaid || isFirst)) continue
    yield { at, kind: isPaid ? 'paid' : 'failed', amount, currency }
  }
}
