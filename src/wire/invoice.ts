/** Invoices on the wire, and how their amounts came about. */

import * as z from 'zod'
import { strictObject } from 'zod'
import { ReductionType } from '../billing/coupon.ts'
import type { Explanation } from '../billing/explain.ts'
import { type Invoice, InvoiceLine, InvoiceReason, InvoiceStatus } from '../billing/invoice.ts'
import { AttemptOutcome } from '../billing/payment.ts'
import { presentAs, snakeKeys } from './case.ts'
import { outlook } from './clock.ts'
import { Amount, Currency, InstantOut, pageOf, Reference, SignedAmount, sandbox } from './fields.ts'

const WireInvoiceLine = strictObject({
  kind: InvoiceLine.shape.kind.meta({
    description: 'What the amount is for.',
    source: 'proration',
  }),
  plan: z.string().describe('The plan that is billed or credited.'),
  description: z.string().describe('Text for people.'),
  amount: SignedAmount.describe('Minor units; negative for a credit.'),
  period_start: InstantOut.describe('From when on it covers.'),
  period_end: InstantOut.describe('Until when, exclusive.'),
}).meta({ id: 'InvoiceLine', ...sandbox })

const InvoiceDiscount = strictObject({ coupon_id: z.string(), amount: Amount })

export const WireInvoice = strictObject({
  invoice_id: z.string().describe('Its identifier.'),
  subscription_id: z.string().describe('What it bills.'),
  customer_id: z.string().describe('Who pays.'),
  reason: InvoiceReason.describe('Why it was made.'),
  status: InvoiceStatus.describe('Whether it is paid.'),
  currency: Currency,
  lines: z.array(WireInvoiceLine).describe('What is billed.'),
  discounts: z.array(InvoiceDiscount).meta({
    description: 'What was taken off, in the order computed.',
    source: 'stacking-order',
  }),
  subtotal: SignedAmount.describe('The sum of the lines.'),
  discount_total: Amount.describe('The sum of the discounts.'),
  balance_used: SignedAmount.meta({
    description: 'What the balance of the customer paid; negative where the invoice credits it.',
    source: 'credit-to-balance',
  }),
  amount_due: Amount.describe('subtotal - discount_total - balance_used.'),
  amount_paid: Amount.describe('What was collected.'),
  created_at: InstantOut.describe('When it was made.'),
  paid_at: InstantOut.nullable().describe('When it was paid, or null.'),
  next_attempt_at: InstantOut.nullable().meta({
    description: 'When the payment is tried again, or null.',
    source: 'retry-schedule',
  }),
  attempts: z
    .array(strictObject({ at: InstantOut, outcome: AttemptOutcome }))
    .meta({ description: 'Every payment attempt.', source: 'payment-outcomes' }),
}).meta({
  id: 'Invoice',
  description: 'What a customer is asked to pay at one moment.',
  ...sandbox,
})
export type WireInvoice = z.input<typeof WireInvoice>

/** A page of the invoices to come. */
export const WireForecast = pageOf('Invoice', WireInvoice, z.string())
  .extend(outlook)
  .meta({ id: 'Forecast', ...sandbox })

const Decimal = z.string().regex(/^-?[0-9]+(\.[0-9]+)?$/)

const DiscountExplanation = strictObject({
  coupon_id: z.string(),
  type: ReductionType,
  value: z.number(),
  base: Amount.describe('What was left when its turn came.'),
  unrounded: Decimal.describe('The exact amount, cut after nine decimals.'),
  amount: Amount,
  remaining: Amount,
  text: z.string().describe('All of it in one sentence.'),
})

export const WireExplanation = strictObject({
  invoice: WireInvoice,
  lines: z.array(
    strictObject({
      kind: InvoiceLine.shape.kind,
      plan_id: z.string(),
      amount: SignedAmount,
      price: Amount.describe('The price of the plan for the whole period.'),
      discounts: z
        .array(DiscountExplanation)
        .describe('What was taken off that price before the share was taken.'),
      basis_amount: Amount.describe('The amount that the share was taken of.'),
      seconds_remaining: Decimal.nullable(),
      seconds_in_period: Decimal.nullable(),
      fraction: z.string().nullable().describe('The share, as a fraction of seconds.'),
      unrounded: Decimal.describe('The exact amount, cut after nine decimals.'),
      cut: Amount.describe('What a credit was made smaller by.'),
      text: z.string().describe('All of it in one sentence.'),
    }),
  ),
  discounts: z.array(DiscountExplanation),
  sum: z.string().describe('How the amount due adds up.'),
}).meta({ id: 'Explanation', description: 'How every amount came about.', ...sandbox })
export type WireExplanation = z.input<typeof WireExplanation>

/** Which invoices to list. */
export const invoiceFilter = {
  subscription_id: Reference.optional(),
  customer_id: Reference.optional(),
  status: InvoiceStatus.optional(),
}

/** An invoice on the wire. */
export function presentInvoice(invoice: Invoice): WireInvoice {
  return presentAs(WireInvoice, {
    ...invoice,
    lines: invoice.lines.map((line) => presentAs(WireInvoiceLine, { ...line, plan: line.planId })),
    discounts: invoice.discounts.map((discount) => presentAs(InvoiceDiscount, discount)),
  })
}

/** How the amounts of an invoice came about, on the wire. */
export function presentExplanation(explanation: Explanation): WireExplanation {
  const { invoice, lines, discounts, sum } = explanation
  return {
    invoice: presentInvoice(invoice),
    lines: lines.map((line) => ({ ...snakeKeys(line), discounts: line.discounts.map(snakeKeys) })),
    discounts: discounts.map(snakeKeys),
    sum,
  }
}
