/**
 * Explaining: how every amount of an invoice came about, from the facts that the invoice keeps. Computes nothing
 * anew that could differ from what was billed.
 */
import type { Invoice, InvoiceDiscount, InvoiceLine } from './invoice.ts'
import { decimalText, type Fraction, percentOf, share } from './money.ts'

/** Decimals shown of an unrounded amount. */
const PLACES = 9

/** How one line was computed. Seconds and the unrounded amount are decimal texts, exact to the millisecond. */
interface LineExplanation {
  readonly kind: InvoiceLine['kind']
  readonly planId: string
  readonly amount: number
  readonly basisAmount: number
  readonly secondsRemaining: string | null
  readonly secondsInPeriod: string | null
  readonly fraction: string | null
  readonly unrounded: string
  readonly cut: number
  readonly text: string
}

/** How one discount was computed, in the order in which it was taken off. */
interface DiscountExplanation {
  readonly couponId: string
  readonly type: InvoiceDiscount['type']
  readonly value: number
  readonly base: number
  readonly unrounded: string
  readonly amount: number
  readonly remaining: number
  readonly text: string
}

export interface Explanation {
  readonly invoice: Invoice
  readonly lines: readonly LineExplanation[]
  readonly discounts: readonly DiscountExplanation[]
  readonly sum: string
}

/** How amounts are rounded, in words. */
const ROUNDING = 'half away from zero'

/** Explains every amount of an invoice. */
export function explain(invoice: Invoice): Explanation {
  const { subtotal, discountTotal, balanceUsed, amountDue } = invoice
  return {
    invoice,
    lines: invoice.lines.map(explainLine),
    discounts: invoice.discounts.map(explainDiscount),
    sum: `${subtotal} (lines) - ${discountTotal} (discounts) - ${balanceUsed} (balance) = ${amountDue} due`,
  }
}

function explainLine(line: InvoiceLine): LineExplanation {
  const { kind, planId, amount, basis, cut } = line
  if (basis === null) {
    const text = `The price of ${planId} for the whole period: ${amount}.`
    const whole = { secondsRemaining: null, secondsInPeriod: null, fraction: null }
    return {
      kind,
      planId,
      amount,
      basisAmount: amount,
      ...whole,
      unrounded: `${amount}`,
      cut,
      text,
    }
  }
  const sign = kind === 'proration_credit' ? -1 : 1
  const exact = share(basis.amount, basis.remainingMs, basis.lengthMs)
  const unrounded = decimalText({ ...exact, numerator: BigInt(sign) * exact.numerator }, PLACES)
  const secondsRemaining = seconds(basis.remainingMs)
  const secondsInPeriod = seconds(basis.lengthMs)
  const fraction = `${secondsRemaining}/${secondsInPeriod}`
  const smaller =
    cut === 0
      ? ''
      : ` The credit was cut by ${cut}: it is never more than the line that it credits, nor than the charge while an invoice is open.`
  return {
    kind,
    planId,
    amount,
    basisAmount: basis.amount,
    secondsRemaining,
    secondsInPeriod,
    fraction,
    unrounded,
    cut,
    text: `${basis.amount} x ${fraction} of the period's seconds is ${unrounded}, ${ROUNDING}: ${amount - cut}.${smaller}`,
  }
}

function explainDiscount(discount: InvoiceDiscount): DiscountExplanation {
  const { couponId, type, value, base, amount } = discount
  const remaining = base - amount
  const exact: Fraction =
    type === 'percentage'
      ? percentOf(base, value)
      : { numerator: BigInt(Math.min(value, base)), denominator: 1n }
  const unrounded = decimalText(exact, PLACES)
  const rule =
    type === 'percentage' ? `${value} % of ${base}` : `${value}, at most the ${base} left`
  const text = `${couponId}: ${rule} is ${unrounded}, ${ROUNDING}: ${amount} off, ${remaining} left.`
  return { couponId, type, value, base, unrounded, amount, remaining, text }
}

function seconds(millis: number): string {
  return decimalText({ numerator: BigInt(millis), denominator: 1000n }, 3)
}
