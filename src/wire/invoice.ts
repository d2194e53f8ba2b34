/** Invoices on the wire, and how their amounts came about. */

import type * as z from 'zod'
import { array, number, strictObject, string } from 'zod'
import { ReductionType } from '../billing/coupon.ts'
import type { Explanation } from '../billing/explain.ts'
import { type Invoice, InvoiceLine, InvoiceReason, InvoiceStatus } from '../billing/invoice.ts'
import { AttemptOutcome } from '../billing/payment.ts'
import { presentAs, snakeKeys } from './case.ts'
import { outlook } from './clock.ts'
import {
  Amount,
  Currency,
  InstantOut,
  inSandbox,
  objectsOf,
  pageOf,
  Reference,
  SignedAmount,
  sourced,
} from './fields.ts'

const WireInvoiceLine = strictObject({
  kind: sourced('proration', InvoiceLine.shape.kind).describe('What the amount is for.'),
  plan: string().describe('The plan that is billed or credited.'),
  description: string().describe('Text for people.'),
  amount: SignedAmount.describe('Minor units; negative for a credit.'),
  period_start: InstantOut.describe('From when on it covers.'),
  period_end: InstantOut.describe('Until when, exclusive.'),
}).meta(inSandbox('InvoiceLine'))

const InvoiceDiscount = strictObject({ coupon_id: string(), amount: Amount })

export const WireInvoice = strictObject({
  invoice_id: string().describe('Its identifier.'),
  subscription_id: string().describe('What it bills.'),
  customer_id: string().describe('Who pays.'),
  reason: InvoiceReason.describe('Why it was made.'),
  status: InvoiceStatus.describe('Whether it is paid.'),
  currency: Currency,
  lines: array(WireInvoiceLine).describe('What is billed.'),
  discounts: sourced('stacking-order', array(InvoiceDiscount)).describe(
    'What was taken off, in the order computed.',
  ),
  subtotal: SignedAmount.describe('The sum of the lines.'),
  discount_total: Amount.describe('The sum of the discounts.'),
  balance_used: sourced('credit-to-balance', SignedAmount).describe(
    'What the balance of the customer paid; negative where the invoice credits it.',
  ),
  amount_due: Amount.describe('subtotal - discount_total - balance_used.'),
  amount_paid: Amount.describe('What was collected.'),
  created_at: InstantOut.describe('When it was made.'),
  paid_at: InstantOut.nullable().describe('When it was paid, or null.'),
  next_attempt_at: sourced('retry-schedule', InstantOut.nullable()).describe(
    'When the payment is tried again, or null.',
  ),
  attempts: sourced(
    'payment-outcomes',
    array(strictObject({ at: InstantOut, outcome: AttemptOutcome })),
  ).describe('Every payment attempt.'),
}).meta(inSandbox('Invoice', 'What a customer is asked to pay at one moment.'))
export type WireInvoice = z.input<typeof WireInvoice>

/** A page of the invoices to come. */
export const WireForecast = pageOf('Invoice', WireInvoice, string())
  .extend(outlook)
  .meta(inSandbox('Forecast'))

const Decimal = string().regex(/^-?[0-9]+(\.[0-9]+)?$/)

const DiscountExplanation = strictObject({
  coupon_id: string(),
  type: ReductionType,
  value: number(),
  base: Amount.describe('What was left when its turn came.'),
  unrounded: Decimal.describe('The exact amount, cut after nine decimals.'),
  amount: Amount,
  remaining: Amount,
  text: string().describe('All of it in one sentence.'),
})

export const WireExplanation = strictObject({
  invoice: WireInvoice,
  lines: objectsOf({
    kind: InvoiceLine.shape.kind,
    plan_id: string(),
    amount: SignedAmount,
    price: Amount.describe('The price of the plan for the whole period.'),
    discounts: array(DiscountExplanation).describe(
      'What was taken off that price before the share was taken.',
    ),
    basis_amount: Amount.describe('The amount that the share was taken of.'),
    seconds_remaining: Decimal.nullable(),
    seconds_in_period: Decimal.nullable(),
    fraction: string().nullable().describe('The share, as a fraction of seconds.'),
    unrounded: Decimal.describe('The exact amount, cut after nine decimals.'),
    cut: Amount.describe('What a credit was made smaller by.'),
    text: string().describe('All of it in one sentence.'),
  }),
  discounts: array(DiscountExplanation),
  sum: string().describe('How the amount due adds up.'),
}).meta(inSandbox('Explanation', 'How every amount came about.'))
export type WireExplanation = z.input<typeof WireExplanation>

export const invoiceFilter = {
  subscription_id: Reference.optional(),
  customer_id: Reference.optional(),
  status: InvoiceStatus.optional(),
}

export function presentInvoice(invoice: Invoice): WireInvoice {
  return presentAs(WireInvoice, {
    ...invoice,
    lines: invoice.lines.map((line) => presentAs(WireInvoiceLine, { ...line, plan: line.planId })),
    discounts: invoice.discounts.map((discount) => presentAs(InvoiceDiscount, discount)),
  })
}

export function presentExplanation(explanation: Explanation): WireExplanation {
  const { invoice, lines, discounts, sum } = explanation
  return {
    invoice: presentInvoice(invoice),
    lines: lines.map((line) => ({ ...snakeKeys(line), discounts: line.discounts.map(snakeKeys) })),
    discounts: discounts.map(snakeKeys),
    sum,
  }
}
