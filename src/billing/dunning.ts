/**
 * Dunning: collects an invoice, retries failed payments, and gives up. Owns the retry schedule of each invoice and
 * every way in which a subscription ends. Does not decide the result of a payment (see payment).
 */

import type { BillingFact } from './event.ts'
import { type Invoice, retryAt } from './invoice.ts'
import { decideAttempt, type FailureReason } from './payment.ts'
import { isAllowed, type Trigger } from './status.ts'
import { assume, moveTo, openInvoices, report, reportInvoice, type Step } from './step.ts'

/** Why an attempt is made: the invoice is new, its retry schedule has one, or a caller requests it. */
export type AttemptOccasion = 'creation' | 'retry' | 'manual'

/**
 * Collects a new invoice. One with nothing due is paid without an attempt. The credit of a negative one pays open
 * invoices, the oldest first; the rest of it stays on the customer's balance.
 */
export function collectNewInvoice(step: Step, invoice: Invoice): void {
  if (invoice.amountDue === 0) markPaid(step, invoice)
  else collectInvoice(step, invoice, 'creation')
  payFromCredit(step, Math.max(-invoice.balanceUsed, 0))
}

/** Attempts to collect an open or uncollectible invoice; a failed manual attempt does not change its schedule. */
export function collectInvoice(step: Step, invoice: Invoice, occasion: AttemptOccasion): void {
  const { outcome, scripts } = decideAttempt(step.scripts, step.customer)
  step.scripts = scripts
  assume(step, 'payment-outcomes')
  const attempted = {
    ...invoice,
    attempts: [...invoice.attempts, { at: step.now, outcome }],
    retriesMade: invoice.retriesMade + (occasion === 'retry' ? 1 : 0),
  }
  if (outcome === 'succeeded') {
    const detail = { amount: invoice.amountDue, currency: invoice.currency }
    reportInvoice(step, attempted, { type: 'payment.succeeded', detail })
    markPaid(step, attempted)
    return
  }
  if (occasion === 'manual') recordFailure(step, attempted, outcome)
  else scheduleRetry(step, attempted, outcome)
}

function payFromCredit(step: Step, credit: number): void {
  let left = credit
  for (const invoice of openInvoices(step)) {
    const amount = Math.min(left, invoice.amountDue)
    if (amount === 0) return
    left -= amount
    step.customer = { ...step.customer, balance: step.customer.balance - amount }
    const balanceUsed = invoice.balanceUsed + amount
    const credited = { ...invoice, balanceUsed, amountDue: invoice.amountDue - amount }
    const detail = { amount, currency: invoice.currency }
    reportInvoice(step, credited, { type: 'invoice.credited', detail })
    if (credited.amountDue === 0) markPaid(step, credited)
  }
}

/** Ends the subscription now: open invoices become void, and the balance that they used is returned; or stay owed. */
export function endSubscription(
  step: Step,
  trigger: Trigger,
  ending: {
    readonly status: 'canceled' | 'expired'
    readonly reason: BillingFact<'subscription.canceled'>['detail']['reason']
  },
): void {
  moveTo(step, trigger, ending.status)
  step.subscription = { ...step.subscription, endedAt: step.now, pendingPlanId: null }
  step.pendingPlan = null
  report(step, `subscription.${ending.status}`, { reason: ending.reason })
  const left = openInvoices(step)
  if (left.length > 0) assume(step, 'open-invoices-on-cancellation')
  const isOwed = step.settings.openInvoicesOnCancellation === 'uncollectible'
  for (const invoice of left) {
    if (isOwed) writeOff(step, invoice)
    else voidInvoice(step, invoice)
  }
}

function markPaid(step: Step, invoice: Invoice): void {
  const amountPaid = invoice.amountDue
  reportInvoice(
    step,
    { ...invoice, status: 'paid', amountPaid, paidAt: step.now, nextAttemptAt: null },
    { type: 'invoice.paid', detail: { amountPaid, currency: invoice.currency } },
  )
  if (openInvoices(step).length > 0 || !isAllowed(step.subscription.status, 'invoices_settled'))
    return
  moveTo(step, 'invoices_settled', 'active')
  report(step, 'subscription.recovered', { invoiceId: invoice.invoiceId })
}

function scheduleRetry(step: Step, attempted: Invoice, reason: FailureReason): void {
  const isFirst = attempted.attempts.length === 1
  const retryOffsets = isFirst ? [...step.settings.retrySchedule] : attempted.retryOffsets
  const placed = { ...attempted, retryOffsets }
  // Counted from the first failure, so that a late retry does not delay the others.
  const scheduled = { ...placed, nextAttemptAt: retryAt(placed) }
  assume(step, 'retry-schedule')
  recordFailure(step, scheduled, reason)
  if (scheduled.nextAttemptAt === null) giveUp(step, scheduled)
}

function recordFailure(step: Step, invoice: Invoice, reason: FailureReason): void {
  const { nextAttemptAt } = invoice
  reportInvoice(step, invoice, { type: 'payment.failed', detail: { reason, nextAttemptAt } })
  // An uncollectible invoice no longer affects the status.
  if (invoice.status !== 'open') return
  if (!isAllowed(step.subscription.status, 'payment_failed')) return
  moveTo(step, 'payment_failed', 'past_due')
  report(step, 'subscription.past_due', { invoiceId: invoice.invoiceId })
}

function giveUp(step: Step, invoice: Invoice): void {
  assume(step, 'after-retries')
  writeOff(step, invoice)
  if (step.settings.afterRetries === 'keep_past_due') return
  endSubscription(step, 'retries_exhausted', { status: 'canceled', reason: 'retries_exhausted' })
}

/** Ends the schedule of an invoice after the retries that it had. */
function writeOff(step: Step, invoice: Invoice): void {
  const retryOffsets = invoice.retryOffsets.slice(0, invoice.retriesMade)
  reportInvoice(
    step,
    { ...invoice, status: 'uncollectible', nextAttemptAt: null, retryOffsets },
    { type: 'invoice.uncollectible', detail: { amountDue: invoice.amountDue } },
  )
}

function voidInvoice(step: Step, invoice: Invoice): void {
  const returned = Math.max(invoice.balanceUsed, 0)
  if (returned > 0) {
    step.customer = { ...step.customer, balance: step.customer.balance + returned }
  }
  reportInvoice(
    step,
    { ...invoice, status: 'void', nextAttemptAt: null },
    { type: 'invoice.voided', detail: { balanceReturned: returned } },
  )
}
