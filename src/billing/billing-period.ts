/**
 * Billing a period: the invoice for one period of the plan, and which discounts it uses up. Also creates every other
 * invoice of a subscription. Does not decide when (see settle, create and plan-change).
 */

import type { Instant } from '../time/instant.ts'
import { boundary } from '../time/period.ts'
import { intervalOf, type Plan } from './catalog.ts'
import { covers } from './coupon.ts'
import { afterInvoice, applyDiscounts, type Discount, reduces, windowOf } from './discount.ts'
import { collectNewInvoice } from './dunning.ts'
import { numberedId } from './id.ts'
import { type Invoice, type InvoiceLine, netOf, totalsOf } from './invoice.ts'
import { assumeForReductions, limitCredit } from './proration.ts'
import { assume, report, reportInvoice, type Step } from './step.ts'

/** Starts the next period of the schedule at its boundary, without an invoice. */
export function startNextPeriod(step: Step): void {
  const { anchor, cycle, currentPeriodEnd } = step.subscription
  const interval = intervalOf(step.plan)
  assume(step, 'billing-calendar')
  step.subscription = {
    ...step.subscription,
    cycle: cycle + 1,
    currentPeriodStart: cycle === 0 ? anchor : currentPeriodEnd,
    currentPeriodEnd: boundary(anchor, interval, cycle + 1),
  }
}

/** A period that ends off its schedule is the anchor of the schedule from there on. */
export function scheduleFrom(end: Instant) {
  return { anchor: end, cycle: 0, currentPeriodEnd: end }
}

/** Starts a new schedule at an instant, with its first period. */
export function startSchedule(step: Step, anchor: Instant): void {
  step.subscription = { ...step.subscription, anchor, cycle: 0 }
  startNextPeriod(step)
}

/** Invoices the running period, with a credit for the period before if there is one, and collects it. */
export function billPeriod(step: Step, credit: InvoiceLine | null = null): void {
  const { currentPeriodStart, currentPeriodEnd } = step.subscription
  const { reducing, discounts } = applicableDiscounts(step, step.plan)
  assumeForDiscounts(step, reducing)
  const line: InvoiceLine = {
    kind: 'period',
    planId: step.plan.planId,
    description: step.plan.name,
    amount: step.plan.amount,
    periodStart: currentPeriodStart,
    periodEnd: currentPeriodEnd,
    basis: null,
    cut: 0,
  }
  const charged = netOf({ price: line.amount, discounts })
  const lines = credit === null ? [line] : [limitCredit(step, credit, charged), line]
  const invoice = createInvoice(step, { reason: 'period', lines, discounts })
  step.subscription = {
    ...step.subscription,
    billed: { invoiceId: invoice.invoiceId, discounts: reducing },
  }
  endDiscounts(step, reducing)
  collectNewInvoice(step, invoice)
}

/** Whether a period of a plan that begins now leaves an amount to pay, after discounts and the balance. */
export function isSomethingDue(step: Step, plan: Plan): boolean {
  const { discounts } = applicableDiscounts(step, plan)
  return netOf({ price: plan.amount, discounts }) > step.customer.balance
}

/** The discounts that reduce a period of a plan from now on, and the amount that each takes off. */
function applicableDiscounts(step: Step, plan: Plan) {
  const reducing = step.subscription.discounts.filter((discount) => reduces(discount, plan, step))
  return { reducing, discounts: applyDiscounts(plan.amount, reducing, step.settings) }
}

/** Creates an invoice of these lines and discounts. It uses the customer's balance first, or credits it. */
export function createInvoice(
  step: Step,
  parts: Pick<Invoice, 'reason' | 'lines' | 'discounts'>,
): Invoice {
  const { customer, settings, now } = step
  const totals = totalsOf(parts.lines, parts.discounts, customer.balance)
  step.invoicesMade += 1
  const invoice: Invoice = {
    invoiceId: numberedId('inv_', step.invoicesMade),
    sequence: step.invoicesMade,
    subscriptionId: step.subscription.subscriptionId,
    customerId: customer.customerId,
    status: 'open',
    currency: step.plan.currency,
    ...parts,
    stackingOrder: settings.stackingOrder,
    ...totals,
    amountPaid: 0,
    createdAt: now,
    paidAt: null,
    nextAttemptAt: null,
    attempts: [],
    retryOffsets: [],
    retriesMade: 0,
  }
  if (totals.balanceUsed !== 0) {
    step.customer = { ...customer, balance: customer.balance - totals.balanceUsed }
    assume(step, 'credit-to-balance')
  }
  reportInvoice(step, invoice, {
    type: 'invoice.created',
    detail: {
      subscriptionId: invoice.subscriptionId,
      reason: invoice.reason,
      amountDue: invoice.amountDue,
      currency: invoice.currency,
      ...(invoice.discountTotal !== 0 && { discountTotal: invoice.discountTotal }),
    },
  })
  return invoice
}

/** Stores the remainder of each discount after the invoice for a period, and reports those that end with it. */
function endDiscounts(step: Step, reducing: readonly Discount[]): void {
  const { discounts: before } = step.subscription
  const left = before.map((discount) =>
    afterInvoice(discount, { now: step.now, isOn: reducing.includes(discount) }),
  )
  if (left.every((discount, at) => discount === before[at])) return
  const discounts = left.filter((discount) => discount !== null)
  step.subscription = { ...step.subscription, discounts }
  before.forEach(({ couponId }, at) => {
    if (left[at] === null) report(step, 'discount.ended', { couponId })
  })
}

function assumeForDiscounts(step: Step, reducing: readonly Discount[]): void {
  assumeForReductions(step, reducing)
  const { discounts } = step.subscription
  if (discounts.some((discount) => !covers(discount, step.plan))) {
    assume(step, 'coupon-limits-on-invoices')
  }
  if (discounts.some((discount) => windowOf(discount).endsAt === step.now)) {
    assume(step, 'repeating-months-window')
  }
}
