/**
 * The audit: every promise about one sandbox's books, checked over the records themselves. Pure, and independent of
 * the code that made the records, so that it can find that code wrong.
 */
import type { Customer } from './customer.ts'
import type { Event } from './event.ts'
import type { Instant } from './instant.ts'
import type { Invoice } from './invoice.ts'
import { isTerminal } from './status.ts'
import { boundaryDueAt, type Subscription } from './subscription.ts'

/** The records that an audit reads. */
export interface Books {
  readonly now: Instant
  readonly customers: Iterable<Customer>
  readonly subscriptions: Iterable<Subscription>
  readonly invoices: Iterable<Invoice>
  readonly events: readonly Event[]
  /** Whether what is due at the very now may wait still, as it does where an advance was cut short; not unless told. */
  readonly dueNow?: 'settled' | 'waiting'
}

/** The promises, by name. */
export const invariants = {
  invoice_totals: 'Lines - discounts - balance used = amount due, and no invoice is below zero.',
  invoice_payment:
    'A paid invoice was paid in full, by an attempt where something was due; any other not at all; only an open one waits for an attempt.',
  customer_balance: 'What a customer was credited, was given and has used adds up to the balance.',
  subscription_status: 'Instants and open invoices agree with the status.',
  subscription_periods:
    'The periods of a subscription follow on each other without gap or overlap.',
  nothing_overdue: 'Nothing that was due before the virtual now is still waiting.',
  event_stream: 'Events are numbered without a gap and never lie after the virtual now.',
} as const
export type Invariant = keyof typeof invariants

/** One promise that one record breaks. */
export interface Violation {
  readonly invariant: Invariant
  readonly id: string
  readonly message: string
}

/** Checks every invariant; an empty answer means the books are in order. */
export function audit(books: Books): Violation[] {
  const invoices = [...books.invoices]
  const subscriptions = [...books.subscriptions]
  return [
    ...invoices.flatMap(auditInvoice),
    ...auditBalances(books.customers, invoices),
    ...auditStatuses(subscriptions, invoices),
    ...auditPeriods(subscriptions, books.events),
    ...auditDue(subscriptions, invoices, books),
    ...auditEvents(books.events, books.now),
  ]
}

function auditInvoice(invoice: Invoice): Violation[] {
  const { invoiceId: id, subtotal, discountTotal, balanceUsed, amountDue, amountPaid } = invoice
  const lines = invoice.lines.reduce((sum, line) => sum + line.amount, 0)
  const discounts = invoice.discounts.reduce((sum, discount) => sum + discount.amount, 0)
  const adds = lines === subtotal && discounts === discountTotal
  const isDue = subtotal - discountTotal - balanceUsed === amountDue && amountDue >= 0
  const isPaid = invoice.status === 'paid'
  const isPaidRight =
    amountPaid === (isPaid ? amountDue : 0) &&
    isPaid === (invoice.paidAt !== null) &&
    (invoice.status === 'open') === (invoice.nextAttemptAt !== null) &&
    (!isPaid || amountDue === 0 || invoice.attempts.at(-1)?.outcome === 'succeeded')
  return [
    ...breach(adds && isDue, 'invoice_totals', { id, message: `${amountDue} due does not add up` }),
    ...breach(isPaidRight, 'invoice_payment', {
      id,
      message: `${amountPaid} of ${amountDue} paid`,
    }),
  ]
}

function auditBalances(customers: Iterable<Customer>, invoices: readonly Invoice[]): Violation[] {
  const used = new Map<string, number>()
  for (const { customerId, status, balanceUsed } of invoices) {
    if (status !== 'void') used.set(customerId, (used.get(customerId) ?? 0) + balanceUsed)
  }
  return [...customers].flatMap(({ customerId: id, balance, balanceGranted }) => {
    const expected = balanceGranted - (used.get(id) ?? 0)
    const message = `balance ${balance}, but the books say ${expected}`
    return breach(balance === expected && balance >= 0, 'customer_balance', { id, message })
  })
}

function auditStatuses(
  subscriptions: readonly Subscription[],
  invoices: readonly Invoice[],
): Violation[] {
  const open = invoices.filter((invoice) => invoice.status === 'open')
  const owing = new Set(open.map((invoice) => invoice.subscriptionId))
  return subscriptions.flatMap((subscription) => {
    const { subscriptionId: id, status, endedAt, pausedAt, pendingPlanId, trialEnd } = subscription
    const isEnded = isTerminal(status)
    const agrees =
      isEnded === (endedAt !== null) &&
      (status !== 'paused' || pausedAt !== null) &&
      (!isEnded || pendingPlanId === null) &&
      (status !== 'trialing' || trialEnd === subscription.currentPeriodEnd) &&
      (!owing.has(id) || status === 'past_due')
    return breach(agrees, 'subscription_status', { id, message: `${status} does not agree` })
  })
}

/** Follows each subscription's periods through the events that set them. */
function auditPeriods(
  subscriptions: readonly Subscription[],
  events: readonly Event[],
): Violation[] {
  const ends = new Map<string, string>()
  const violations: Violation[] = []
  for (const { subject, detail, at } of events) {
    const { periodStart, periodEnd } = detail
    if (subject.kind !== 'subscription' || typeof periodEnd !== 'string') continue
    const end = ends.get(subject.id)
    const follows = periodStart === undefined || end === undefined || periodStart === end
    // A plan change may repeat the running period, or cut it short and start the next one at once.
    const isWithin =
      end !== undefined && end > at && typeof periodStart === 'string' && periodStart <= at
    const message = `a period starts at ${periodStart}, after one that ended at ${end}`
    violations.push(
      ...breach(follows || isWithin, 'subscription_periods', { id: subject.id, message }),
    )
    ends.set(subject.id, periodEnd)
  }
  return [
    ...violations,
    ...subscriptions.flatMap(({ subscriptionId: id, currentPeriodStart, currentPeriodEnd }) => {
      const end = ends.get(id)
      const agrees =
        currentPeriodStart < currentPeriodEnd && (end === undefined || end === currentPeriodEnd)
      const message = `the period ends at ${currentPeriodEnd}, the events say ${end}`
      return breach(agrees, 'subscription_periods', { id, message })
    }),
  ]
}

function auditDue(
  subscriptions: readonly Subscription[],
  invoices: readonly Invoice[],
  { now, dueNow }: Books,
): Violation[] {
  const waiting = [
    ...subscriptions.map((each) => ({ id: each.subscriptionId, at: boundaryDueAt(each) })),
    ...invoices.map((each) => ({ id: each.invoiceId, at: each.nextAttemptAt })),
  ]
  return waiting.flatMap(({ id, at }) =>
    breach(at === null || at > now || (at === now && dueNow === 'waiting'), 'nothing_overdue', {
      id,
      message: `was due at ${at}`,
    }),
  )
}

function auditEvents(events: readonly Event[], now: Instant): Violation[] {
  return events.flatMap(({ seq, at }, index) => {
    const before = events[index - 1]
    const follows = seq === (before?.seq ?? 0) + 1 && at >= (before?.at ?? at)
    const message = `event ${seq} at ${at} does not follow`
    return breach(follows && at <= now, 'event_stream', { id: `event ${seq}`, message })
  })
}

function breach(
  holds: boolean,
  invariant: Invariant,
  record: { readonly id: string; readonly message: string },
): Violation[] {
  return holds ? [] : [{ invariant, ...record }]
}
