/** Invoices, charges, payment scripts and explanations as the wire shows them. */
import type { Charge } from '../../billing/charge.ts'
import type { Explanation } from '../../billing/explain.ts'
import type { Invoice, InvoiceLine } from '../../billing/invoice.ts'
import type { PaymentScript } from '../../billing/payment.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { WireCharge, WirePaymentScript } from '../../wire/charge.ts'
import type { WireExplanation, WireInvoice, WireInvoiceLine } from '../../wire/invoice.ts'

/** An invoice on the wire. */
export function presentInvoice(invoice: Invoice): WireInvoice {
  return {
    invoice_id: invoice.invoiceId,
    subscription_id: invoice.subscriptionId,
    customer_id: invoice.customerId,
    reason: invoice.reason,
    status: invoice.status,
    currency: invoice.currency,
    lines: invoice.lines.map(presentLine),
    discounts: invoice.discounts.map(({ couponId, amount }) => ({ coupon_id: couponId, amount })),
    subtotal: invoice.subtotal,
    discount_total: invoice.discountTotal,
    balance_used: invoice.balanceUsed,
    amount_due: invoice.amountDue,
    amount_paid: invoice.amountPaid,
    created_at: invoice.createdAt,
    paid_at: invoice.paidAt,
    next_attempt_at: invoice.nextAttemptAt,
    attempts: invoice.attempts.map(({ at, outcome }) => ({ at, outcome })),
  }
}

/** How the amounts of an invoice came about, on the wire. */
export function presentExplanation(explanation: Explanation): WireExplanation {
  return {
    invoice: presentInvoice(explanation.invoice),
    lines: explanation.lines.map(({ discounts, ...line }) => ({
      ...snakeKeys(line),
      discounts: discounts.map(snakeKeys),
    })),
    discounts: explanation.discounts.map(snakeKeys),
    sum: explanation.sum,
  }
}

/** A one-time charge on the wire. */
export function presentCharge(charge: Charge): WireCharge {
  return snakeKeys(charge)
}

/** A payment script on the wire; the scope names whom it speaks of, and is empty for the whole sandbox. */
export function presentPaymentScript({
  scope,
  outcomes,
  always,
}: PaymentScript): WirePaymentScript {
  const { subscriptionId, customerId } = scope
  return {
    scope: {
      ...(subscriptionId === null ? {} : { subscription_id: subscriptionId }),
      ...(customerId === null ? {} : { customer_id: customerId }),
    },
    outcomes,
    always,
  }
}

function presentLine(line: InvoiceLine): WireInvoiceLine {
  return {
    kind: line.kind,
    plan: line.planId,
    description: line.description,
    amount: line.amount,
    period_start: line.periodStart,
    period_end: line.periodEnd,
  }
}
