/**
 * The audit: every promise about one sandbox's books, checked over the records. Pure, and independent of the code that
 * made the records, so that it can find errors in that code.
 */
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import type { Instant } from '../time/instant.ts'
import type { Customer } from './customer.ts'
import type { Invoice } from './invoice.ts'
import { isTerminal } from './status.ts'
import { boundaryDueAt, type Subscription } from './subscription.ts'

/** The fields of a numbered event that an audit reads. */
interface AuditedEvent {
  readonly seq: number
  readonly at: Instant
  readonly subject: { readonly kind: string; readonly id: string }
  readonly detail: Readonly<Record<string, unknown>>
}

export interface Books {
  readonly now: Instant
  readonly customers: Iterable<Customer>
  readonly subscriptions: Iterable<Subscription>
  readonly invoices: Iterable<Invoice>
  readonly events: Iterable<AuditedEvent> & { readonly length: number }
  /** Whether items due at `now` may be unsettled, as after an advance that was cut short; `settled` if absent. */
  readonly dueNow?: 'settled' | 'waiting'
}

export const invariants = {
  invoice_totals: 'Lines - discounts - balance used = amount due, and no invoice is below zero.',
  invoice_payment:
    'A paid invoice was paid in full, by an attempt where something was due; any other not at all; only an open one waits for an attempt.',
  customer_balance: 'What a customer was credited, was given and has used adds up to the balance.',
  subscription_status: 'Instants and open invoices agree with the status.',
  subscription_periods:
    'The periods of a subscription follow on each other without gap or overlap.',
  nothing_overdue: 'Nothing that was due before the virtual now is still waiting.',
  event_stream:
    'Events are numbered without a gap, from 1 unless the oldest were dropped, and never lie after the virtual now.',
} as const
export type Invariant = keyof typeof invariants

/** One promise that one record breaks. */
export interface Violation {
  readonly invariant: Invariant
  readonly id: string
  readonly message: string
}

/** The results of an audit from the records read so far. */
interface Findings {
  readonly violations: Violation[]
  /** The balance that a customer's invoices used. */
  readonly used: Map<string, number>
  readonly owing: Set<string>
  readonly uncollected: Set<string>
  /** The end of each subscription's newest period, according to the events. */
  readonly periodEnds: Map<string, string>
}

/** Checks every invariant, one record at a time. Between two steps, work may run that does not change the books. */
export function* auditInSteps(books: Books): Generator<void, Violation[]> {
  const findings: Findings = {
    violations: [],
    used: new Map(),
    owing: new Set(),
    uncollected: new Set(),
    periodEnds: new Map(),
  }
  for (const invoice of books.invoices) {
    auditInvoice(findings, invoice)
    auditDue(findings, { id: invoice.invoiceId, at: invoice.nextAttemptAt }, books)
    yield
  }
  for (const customer of books.customers) yield auditBalance(findings, customer)
  let before: AuditedEvent | null = null
  for (const event of books.events) {
    auditEvent(findings, { event, before }, books)
    auditPeriodOf(findings, event)
    before = event
    yield
  }
  for (const subscription of books.subscriptions) {
    auditStatus(findings, subscription)
    auditLastPeriod(findings, subscription)
    const at = boundaryDueAt(subscription)
    auditDue(findings, { id: subscription.subscriptionId, at }, books)
    yield
  }
  return findings.violations
}

function auditInvoice(findings: Findings, invoice: Invoice): void {
  const { invoiceId: id, subtotal, discountTotal, balanceUsed, amountDue, amountPaid } = invoice
  const lines = invoice.lines.reduce((sum, line) => sum + line.amount, 0)
  const discounts = invoice.discounts.reduce((sum, discount) => sum + discount.amount, 0)
  const adds = lines === subtotal && discounts === discountTotal
  const isDue = subtotal - discountTotal - balanceUsed === amountDue && amountDue >= 0
  if (!(adds && isDue)) {
    const message = `${amountDue} due does not add up`
    findings.violations.push({ invariant: 'invoice_totals', id, message })
  }
  if (!isPaymentValid(invoice)) {
    const message = `${amountPaid} of ${amountDue} paid`
    findings.violations.push({ invariant: 'invoice_payment', id, message })
  }
  const { customerId, subscriptionId, status } = invoice
  const { used, owing, uncollected } = findings
  if (status !== 'void') used.set(customerId, (used.get(customerId) ?? 0) + balanceUsed)
  if (status === 'open') owing.add(subscriptionId)
  if (status === 'uncollectible') uncollected.add(subscriptionId)
}

function isPaymentValid(invoice: Invoice): boolean {
  const { amountDue, amountPaid, status, paidAt, nextAttemptAt, attempts } = invoice
  const isPaid = status === 'paid'
  return (
    amountPaid === (isPaid ? amountDue : 0) &&
    isPaid === (paidAt !== null) &&
    (status === 'open') === (nextAttemptAt !== null) &&
    (!isPaid || amountDue === 0 || attempts.at(-1)?.outcome === 'succeeded')
  )
}

function auditBalance(findings: Findings, customer: Customer): void {
  const { customerId: id, balance, balanceGranted } = customer
  const expected = balanceGranted - (findings.used.get(id) ?? 0)
  if (balance === expected && balance >= 0) return
  const message = `balance ${balance}, but the books say ${expected}`
  findings.violations.push({ invariant: 'customer_balance', id, message })
}

function auditStatus(findings: Findings, subscription: Subscription): void {
  const { subscriptionId: id, status, endedAt, pausedAt, pendingPlanId, trialEnd } = subscription
  const isEnded = isTerminal(status)
  const agrees =
    isEnded === (endedAt !== null) &&
    (status !== 'paused' || pausedAt !== null) &&
    (!isEnded || pendingPlanId === null) &&
    (status !== 'trialing' || trialEnd === subscription.currentPeriodEnd) &&
    (!findings.owing.has(id) || status === 'past_due') &&
    // The settings may keep it past due after its invoice became uncollectible.
    (status !== 'past_due' || findings.owing.has(id) || findings.uncollected.has(id))
  if (agrees) return
  const message = `${status} does not agree`
  findings.violations.push({ invariant: 'subscription_status', id, message })
}

/** Follows the periods of a subscription through the events that set them; the first events may have been dropped. */
function auditPeriodOf(findings: Findings, event: AuditedEvent): void {
  const { periodEnds } = findings
  const { subject, detail, at } = event
  const { periodStart, periodEnd } = detail
  if (subject.kind !== 'subscription' || typeof periodEnd !== 'string') return
  const end = periodEnds.get(subject.id)
  periodEnds.set(subject.id, periodEnd)
  const follows = periodStart === undefined || end === undefined || periodStart === end
  // A plan change may repeat the running period, even one whose end is unsettled, or cut it short.
  const isWithin =
    end !== undefined && end >= at && typeof periodStart === 'string' && periodStart <= at
  if (follows || isWithin) return
  const message = `a period starts at ${periodStart}, after one that ended at ${end}`
  findings.violations.push({ invariant: 'subscription_periods', id: subject.id, message })
}

function auditLastPeriod(findings: Findings, subscription: Subscription): void {
  const { subscriptionId: id, currentPeriodStart, currentPeriodEnd } = subscription
  const end = findings.periodEnds.get(id)
  if (currentPeriodStart < currentPeriodEnd && (end === undefined || end === currentPeriodEnd)) {
    return
  }
  const message = `the period ends at ${currentPeriodEnd}, the events say ${end}`
  findings.violations.push({ invariant: 'subscription_periods', id, message })
}

function auditDue(
  findings: Findings,
  { id, at }: { readonly id: string; readonly at: Instant | null },
  { now, dueNow }: Books,
): void {
  if (at === null || at > now || (at === now && dueNow === 'waiting')) return
  findings.violations.push({ invariant: 'nothing_overdue', id, message: `was due at ${at}` })
}

function auditEvent(
  findings: Findings,
  { event, before }: { readonly event: AuditedEvent; readonly before: AuditedEvent | null },
  { events, now }: Books,
): void {
  const { seq, at } = event
  // A log has dropped events only if it is full.
  const isBeginning = before === null && (seq === 1 || events.length === EVENTS_KEPT)
  const follows = before !== null && seq === before.seq + 1 && at >= before.at
  if ((isBeginning || follows) && at <= now) return
  const message = `event ${seq} at ${at} does not follow`
  findings.violations.push({ invariant: 'event_stream', id: `event ${seq}`, message })
}
