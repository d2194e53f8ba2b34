/** Invoices on the wire, and how their amounts came about. */
import type * as z from 'zod'
import { array, number, strictObject, string } from 'zod'
import { ReductionType } from '../../billing/coupon.ts'
import type { Explanation } from '../../billing/explain.ts'
import { type Invoice, InvoiceLine, InvoiceReason, InvoiceStatus } from '../../billing/invoice.ts'
import { AttemptOutcome } from '../../billing/payment.ts'
import { presentAs, snakeKeys } from '../common/case.ts'
import {
  Amount,
  Currency,
  InstantOut,
  inSandbox,
  Natural,
  objectsOf,
  pageOf,
  Reference,
  SignedAmount,
  sandbox,
  sourced,
  TextOrNull,
} from '../common/fields.ts'
import { outlook } from './clock.ts'

const WireInvoiceLine = strictObject({
  kind: sourced('proration', InvoiceLine.shape.kind).describe(
    'The kind of the line: what its amount is for.',
  ),
  plan: string().describe('The identifier of the plan that is billed or credited.'),
  description: string().describe('The text of the line, for people.'),
  amount: SignedAmount.describe('The amount of the line, in minor units; negative for a credit.'),
  period_start: InstantOut.describe('The start of the period that the line covers.'),
  period_end: InstantOut.describe('The end of the period that the line covers, exclusive.'),
}).meta(inSandbox('InvoiceLine', 'A line of an invoice.'))

const couponId = string().describe('The identifier of the coupon.')

const InvoiceDiscount = strictObject({
  coupon_id: couponId,
  amount: Amount.describe('The amount of the discount, in minor units.'),
})

export const WireInvoice = strictObject({
  invoice_id: string().describe('The identifier of the invoice.'),
  subscription_id: string().describe('The identifier of the subscription that is billed.'),
  customer_id: string().describe('The identifier of the customer who pays.'),
  reason: InvoiceReason.describe('The reason of the invoice.'),
  status: InvoiceStatus.describe('The status of the invoice.'),
  currency: Currency,
  lines: array(WireInvoiceLine).describe('The lines of the invoice: what is billed.'),
  discounts: sourced('stacking-order', array(InvoiceDiscount)).describe(
    'The discounts on the lines, in the order in which they were computed.',
  ),
  subtotal: SignedAmount.describe('The sum of the lines, in minor units.'),
  discount_total: Amount.describe('The sum of the discounts, in minor units.'),
  balance_used: sourced('credit-to-balance', SignedAmount).describe(
    'The amount that the balance of the customer paid, in minor units; negative where the invoice credits the balance.',
  ),
  amount_due: Amount.describe(
    'The amount to pay, in minor units: `subtotal` - `discount_total` - `balance_used`.',
  ),
  amount_paid: Amount.describe('The amount that was collected, in minor units.'),
  created_at: InstantOut.describe('The instant at which the invoice was made.'),
  paid_at: InstantOut.nullable().describe('The instant at which the invoice was paid, or null.'),
  next_attempt_at: sourced('retry-schedule', InstantOut.nullable()).describe(
    'The instant of the next payment attempt, or null.',
  ),
  attempts: sourced(
    'payment-outcomes',
    objectsOf({
      at: InstantOut.describe('The instant of the attempt.'),
      outcome: AttemptOutcome.describe('The outcome of the attempt.'),
    }),
  ).describe('The payment attempts for the invoice, oldest first.'),
}).meta(inSandbox('Invoice', 'An invoice: what a customer has to pay at one moment.'))
export type WireInvoice = z.input<typeof WireInvoice>

const Sum = Natural.meta(sandbox)

const WireBillingTotal = strictObject({
  currency: Currency,
  total: Sum.describe('The sum of the amounts due of all invoices that are not void.'),
  paid: Sum.describe('The part of it that is paid, in minor units.'),
  due: Sum.describe('The part of it that is open, in minor units.'),
  uncollectible: Sum.describe('The part of it that is uncollectible, in minor units.'),
}).meta(inSandbox('BillingTotal', 'The sums of invoices in one currency, in minor units.'))

export const WireForecast = pageOf('Invoice', WireInvoice, string())
  .extend(outlook)
  .extend({
    totals: sourced('sandbox', array(WireBillingTotal)).describe(
      'The sums of all invoices to come, of every page, by currency.',
    ),
  })
  .meta(inSandbox('Forecast', 'One page of the invoices to come.'))
export type WireForecast = z.input<typeof WireForecast>

const Decimal = string().regex(/^-?[0-9]+(\.[0-9]+)?$/)
const Seconds = Decimal.nullable().meta({ examples: ['1296000'] })
const Unrounded = Decimal.describe(
  'The exact amount in minor units, before rounding, cut after nine decimals.',
)
const Sentence = string().describe('The computation in one sentence.')

const DiscountExplanation = strictObject({
  coupon_id: couponId,
  type: ReductionType.describe('The type of the discount, which says what `value` means.'),
  value: number().describe('The percentage, or the amount in minor units, by `type`.'),
  base: Amount.describe('The amount before the discount, in minor units.').meta({
    examples: [2500],
  }),
  unrounded: Unrounded,
  amount: Amount.describe('The amount of the discount, in minor units.'),
  remaining: Amount.describe('The amount after the discount, in minor units.').meta({
    examples: [2000],
  }),
  text: Sentence.meta({ examples: ['20 % of 2500 is 500.'] }),
})

export const WireExplanation = strictObject({
  invoice: WireInvoice.describe('The invoice that is explained.'),
  lines: objectsOf({
    kind: WireInvoiceLine.shape.kind,
    plan_id: WireInvoiceLine.shape.plan,
    amount: WireInvoiceLine.shape.amount,
    price: Amount.describe('The price of the plan for the whole period, in minor units.'),
    discounts: array(DiscountExplanation).describe(
      'The discounts on that price, before the share of the period was taken.',
    ),
    basis_amount: Amount.describe('The amount of which the share was taken, in minor units.'),
    seconds_remaining: Seconds.describe(
      'The seconds of the period that the line bills or credits; null without a share.',
    ),
    seconds_in_period: Seconds.describe('The seconds of the whole period; null without a share.'),
    fraction: TextOrNull.meta({
      description: 'The share as a fraction of seconds; null for a whole period.',
      examples: ['1296000/2592000'],
    }),
    unrounded: Unrounded,
    cut: Amount.describe('The amount by which a credit was reduced, in minor units.'),
    text: Sentence,
  }).describe('The explanation of each line of the invoice.'),
  discounts: array(DiscountExplanation).describe('The explanation of each discount.'),
  sum: string().describe('The sum that leads to the amount due, in one sentence.'),
}).meta(inSandbox('Explanation', 'The explanation of an invoice: how each amount was computed.'))
export type WireExplanation = z.input<typeof WireExplanation>

export const invoiceFilter = {
  subscription_id: Reference.optional().describe(
    'Only invoices of the subscription with this identifier.',
  ),
  customer_id: Reference.optional().describe('Only invoices of the customer with this identifier.'),
  status: InvoiceStatus.optional().describe('Only invoices with this status.'),
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
