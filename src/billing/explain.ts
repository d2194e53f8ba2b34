/**
 * Explains how every amount of an invoice was computed, from the facts on the invoice. Recomputes nothing that could
 * differ from the invoice.
 */
import type { Settings } from '../assumptions/register.ts'
import { exactReduction } from './coupon.ts'
import type { Invoice, InvoiceDiscount, InvoiceLine, ProrationBasis } from './invoice.ts'
import { decimalText, type Fraction, round, share } from './money.ts'

const PLACES = 9

export type Explanation = ReturnType<typeof explain>

type Rounding = Settings['amountRounding']
type InForce = Pick<Settings, 'amountRounding' | 'creditToBalance'>

/** An invoice does not say by which settings it was made: those in force are named where they lead to its amounts. */
export function explain(invoice: Invoice, settings: InForce) {
  const { subtotal, discountTotal, balanceUsed, amountDue } = invoice
  const rounding = settings.amountRounding
  const how = { rounding, cutRule: cutRuleOf(invoice, settings) }
  return {
    invoice,
    lines: invoice.lines.map((line) =>
      line.basis === null ? explainPeriod(line) : explainShare(line, line.basis, how),
    ),
    discounts: invoice.discounts.map((each) => explainDiscount(each, rounding)),
    sum: `${subtotal} (lines) - ${discountTotal} (discounts) - ${balanceUsed} (balance) = ${amountDue} due`,
  }
}

/** A period's discounts are those of the invoice. */
function explainPeriod({ kind, planId, amount, cut }: InvoiceLine) {
  const whole = { secondsRemaining: null, secondsInPeriod: null, fraction: null }
  const discounts: ReturnType<typeof explainDiscount>[] = []
  const price = { price: amount, discounts, basisAmount: amount, unrounded: `${amount}` }
  const text = `The price of ${planId} for the whole period: ${amount}.`
  return { kind, planId, amount, ...price, ...whole, cut, text }
}

/** The line is a share of the price after discounts. Seconds and the unrounded amount are exact decimal texts. */
function explainShare(
  line: InvoiceLine,
  basis: ProrationBasis,
  { rounding: rule, cutRule }: { readonly rounding: Rounding; readonly cutRule: string },
) {
  const { kind, planId, amount, cut } = line
  const { price, amount: basisAmount, remainingMs, lengthMs } = basis
  const sign = kind === 'proration_credit' ? -1 : 1
  const exact = share(basisAmount, remainingMs, lengthMs)
  const unrounded = decimalText({ ...exact, numerator: BigInt(sign) * exact.numerator }, PLACES)
  const [secondsRemaining, secondsInPeriod] = [seconds(remainingMs), seconds(lengthMs)]
  const fraction = `${secondsRemaining}/${secondsInPeriod}`
  const rounding = roundingOf(sign * (amount - cut), exact, rule)
  const rounded = `${basisAmount} x ${fraction} of the period's seconds is ${unrounded}, ${rounding}: ${amount - cut}.`
  return {
    ...{ kind, planId, amount, price, basisAmount },
    discounts: basis.discounts.map((each) => explainDiscount(each, rule)),
    ...{ secondsRemaining, secondsInPeriod, fraction, unrounded, cut },
    text: `${basisText(planId, basis)} ${rounded}${cutText(cut, cutRule)}`,
  }
}

function basisText(planId: string, { price, discounts, amount }: ProrationBasis): string {
  const less = discounts.map((each) => ` less ${each.amount} (${each.couponId})`).join('')
  const net = discounts.reduce((left, each) => left - each.amount, price)
  const unpaid = amount === net ? '' : ' That invoice was not paid, so there is nothing to credit.'
  return `The price of ${planId} for the whole period: ${price}${less}, which is ${net}.${unpaid}`
}

/** Why a credit of the invoice was cut, where it was. */
function cutRuleOf({ lines, subtotal, discountTotal }: Invoice, settings: InForce): string {
  const line = 'it is never more than the line that it credits'
  // Only a cancellation credits without a charge.
  if (lines.length === 1) return `${line}, and pays no part of an invoice that is void afterwards`
  // A forfeited credit is as large as what is charged beside it.
  if (subtotal !== discountTotal) return line
  return settings.creditToBalance === 'balance'
    ? `${line}, nor, where the rest was forfeited (credit_to_balance), than what is charged beside it`
    : 'it is as much as is charged beside it, because the rest is forfeited (credit_to_balance)'
}

function cutText(cut: number, rule: string): string {
  return cut === 0 ? '' : ` The credit was cut by ${cut}: ${rule}.`
}

function explainDiscount(discount: InvoiceDiscount, rounding: Rounding) {
  const { couponId, type, value, base, amount } = discount
  const remaining = base - amount
  const exact = exactReduction(base, discount)
  const unrounded = decimalText(exact, PLACES)
  const what =
    type === 'percentage' ? `${value} % of ${base}` : `${value}, at most the ${base} left`
  const text = `${couponId}: ${what} is ${unrounded}, ${roundingOf(amount, exact, rounding)}: ${amount} off, ${remaining} left.`
  return { couponId, type, value, base, unrounded, amount, remaining, text }
}

/** The rule by which an amount was rounded: that in force, unless it was changed since and has another result. */
function roundingOf(amount: number, exact: Fraction, inForce: Rounding): string {
  const isHalfEven = (inForce === 'half_even') === (amount === round(exact, inForce))
  return isHalfEven ? 'half to even' : 'half away from zero'
}

function seconds(millis: number): string {
  return decimalText({ numerator: BigInt(millis), denominator: 1000n }, 3)
}
