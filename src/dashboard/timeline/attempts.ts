/** Attempts to pay an invoice after its first payment failed: their numbers, which of them succeeds, and on which day. */
import { DAY_MS } from '../../time/instant.ts'
import { moneyFigure } from '../ui/values.tsx'
import type { LaneSources } from './spans.ts'

export interface NumberedAttempt {
  /** The invoice, in any words: the same for all attempts of one before the subscription ends. */
  readonly run: string
  readonly number: number
  readonly isPaid: boolean
  /** The amount due, which a credit may have made smaller since the attempt before. */
  readonly figure: string
  /** Days since the first attempt. */
  readonly day: number
  /** Whether a credit paid the invoice after it. */
  isCredited?: boolean
  /** Whether the subscription had ended: nothing recovers then. */
  readonly isAfterEnd?: boolean
}

interface Run {
  due: number
  readonly currency: string
  readonly since: string
  readonly count: number
  readonly last?: NumberedAttempt
}

/**
 * The attempt that each event and each item of the agenda is, and that a cancellation follows; undefined for the others,
 * for a first payment that succeeds, and for an invoice whose creation is not among the events.
 */
export function attemptsOf({ events, agenda }: Pick<LaneSources, 'events' | 'agenda'>) {
  // What is known of an invoice before its next attempt.
  const runs = new Map<string, Run>()
  let last: NumberedAttempt | undefined
  let isAfterEnd = false
  const next = (id: string, at: string, isPaid: boolean): NumberedAttempt | undefined => {
    const before = runs.get(id)
    if (before === undefined || (isPaid && before.count === 0)) return undefined
    const since = before.count === 0 ? at : before.since
    const number = before.count + 1
    const day = Math.round((Date.parse(at) - Date.parse(since)) / DAY_MS)
    const run = isAfterEnd ? `${id} after the end` : id
    const figure = moneyFigure(before.due, before.currency)
    last = { run, number, isPaid, figure, day, isAfterEnd }
    runs.set(id, { ...before, since, count: number, last })
    return last
  }
  const begin = (run: string, since: string, [due, currency]: readonly [number, string]) =>
    runs.set(run, { due, currency, since, count: 0 })
  const past = events.map(({ at, type, subject, detail }) => {
    if (type === 'invoice.created') begin(subject.id, at, [detail.amount_due, detail.currency])
    const run = runs.get(subject.id)
    if (type === 'invoice.credited' && run) run.due -= detail.amount
    if (type === 'invoice.paid' && run?.last?.isPaid === false) run.last.isCredited = true
    isAfterEnd ||= type === 'subscription.canceled' || type === 'subscription.expired'
    if (type === 'subscription.canceled') return last
    const isPaid = type === 'payment.succeeded'
    return isPaid || type === 'payment.failed' ? next(subject.id, at, isPaid) : undefined
  })
  // Invoices to come, which only their retries name.
  const unnamed: string[] = []
  const names = new Map<string, string>()
  const expected = agenda.map(({ at, kind, subject: { id }, invoice_status: status, ...item }) => {
    const { amount_due: amount, currency } = item
    if (amount === null || currency === null) return undefined
    if (kind !== 'payment_retry') {
      begin(at, at, [amount, currency])
      if (status !== 'paid') unnamed.push(at)
      return next(at, at, status === 'paid')
    }
    const name = runs.has(id) ? id : (names.get(id) ?? unnamed.shift() ?? id)
    names.set(id, name)
    return next(name, at, status === 'paid')
  })
  return { past, expected }
}

/** What attempts to pay come to, after their amount: `10.00, recovered on day 5`. */
export function resultText(attempt: NumberedAttempt, isExpected: boolean): string {
  const { isPaid, day } = attempt
  if (attempt.isCredited) return `${attempt.figure} failed, then credited`
  if (!isPaid) return `${attempt.figure} ${isExpected ? 'fails' : 'failed'}`
  const past = attempt.isAfterEnd ? 'paid' : 'recovered'
  return `${attempt.figure}, ${isExpected ? 'recovers' : past} on day ${day}`
}
