/**
 * Proration. Owns the two lines of a price change inside a period: the credit for the unused rest of the billed period,
 * and the charge for that rest at the new price. Does not decide whether to prorate (see plan-change).
 */

import { DAY_MS, millisBetween } from '../time/instant.ts'
import type { Plan } from './catalog.ts'
import { covers } from './coupon.ts'
import { applyDiscounts, type Discount, isWithinLimits } from './discount.ts'
import {
  type Invoice,
  type InvoiceLine,
  netOf,
  type PeriodPrice,
  type ProrationBasis,
} from './invoice.ts'
import { round, share } from './money.ts'
import { assume, type Step } from './step.ts'

/** The value of the rest of the running period under the plan that billed it, as a credit line. */
export function unusedTimeCredit(step: Step): InvoiceLine {
  const { period, charged, lengthMs, status } = billedPeriod(step)
  const wasNeverPaid = status === 'void' || status === 'uncollectible'
  const amount = wasNeverPaid ? 0 : netOf(period)
  const basis = { ...period, amount, ...timeLeft(step, lengthMs) }
  const credit = prorationLine(step, step.plan, { kind: 'proration_credit', basis })
  // The line of an upgrade covers part of a period, and an extension can make the rest longer than that part.
  const excess = Math.max(-credit.amount - charged, 0)
  return cutCredit(credit, excess)
}

/** The price of the rest of the running period under a new plan: the line that represents the period from now on. */
export function remainingTimeCharge(
  step: Step,
  plan: Plan,
): { line: InvoiceLine; discounts: Discount[] } {
  const { discounts: had, lengthMs } = billedPeriod(step)
  if (had.some((discount) => !covers(discount, plan))) assume(step, 'coupon-limits-on-invoices')
  const discounts = had.filter((discount) => isWithinLimits(discount, plan, step.settings))
  assumeForReductions(step, discounts)
  const taken = applyDiscounts(plan.amount, discounts, step.settings)
  const period = { price: plan.amount, discounts: taken }
  const basis = { ...period, amount: netOf(period), ...timeLeft(step, lengthMs) }
  return { line: prorationLine(step, plan, { kind: 'proration_charge', basis }), discounts }
}

/** How the running period was billed: its price and length, and the amount charged (less, after an upgrade). */
interface BilledPeriod {
  readonly period: PeriodPrice
  readonly lengthMs: number
  readonly charged: number
  readonly discounts: readonly Discount[]
  readonly status: Invoice['status']
}

/** Throws for a subscription that was never billed. */
function billedPeriod({ subscription, billedInvoice }: Step): BilledPeriod {
  const { billed, subscriptionId } = subscription
  const line = billedInvoice?.lines.at(-1)
  if (billed === null || billedInvoice === null || line === undefined) {
    throw new Error(`${subscriptionId} was never billed, so nothing can be prorated`)
  }
  const { status } = billedInvoice
  const { discounts } = billed
  if (line.basis !== null) {
    const { price, discounts: off, lengthMs } = line.basis
    return { period: { price, discounts: off }, lengthMs, charged: line.amount, discounts, status }
  }
  const period = { price: line.amount, discounts: billedInvoice.discounts }
  const lengthMs = millisBetween(line.periodStart, line.periodEnd)
  return { period, lengthMs, charged: netOf(period), discounts, status }
}

/** The unit of time that counts as unused as a whole, once it has begun. */
const unitsMs = { millisecond: 1, second: 1000, day: DAY_MS } as const

/** The rest is never longer than the billed period, even after an extension; without proration there is none. */
function timeLeft(step: Step, lengthMs: number): Pick<ProrationBasis, 'remainingMs' | 'lengthMs'> {
  const { proration } = step.settings
  if (proration === 'none') return { remainingMs: 0, lengthMs }
  const unit = unitsMs[proration]
  const left = Math.ceil(millisBetween(step.now, step.subscription.currentPeriodEnd) / unit) * unit
  return { remainingMs: Math.min(left, lengthMs), lengthMs }
}

/** What an amount rests on that discounts reduce together. */
export function assumeForReductions(step: Step, reducing: readonly Discount[]): void {
  if (reducing.length > 1) assume(step, 'stacking-order')
  if (reducing.some((discount) => discount.type === 'percentage')) assume(step, 'amount-rounding')
  if (reducing.some((discount) => discount.type === 'fixed')) assume(step, 'fixed-value-unit')
}

/** A credit that is not larger than what is charged beside it, where the rest would be forfeited. */
export function limitCredit(step: Step, credit: InvoiceLine, charged: number): InvoiceLine {
  const excess = Math.max(-credit.amount - charged, 0)
  if (excess === 0) return credit
  assume(step, 'credit-to-balance')
  if (step.settings.creditToBalance === 'balance') return credit
  return cutCredit(credit, excess)
}

/** A credit that is smaller by an amount. */
export function cutCredit(credit: InvoiceLine, by: number): InvoiceLine {
  return { ...credit, amount: credit.amount + by, cut: credit.cut + by }
}

function prorationLine(
  step: Step,
  plan: Plan,
  line: { readonly kind: 'proration_credit' | 'proration_charge'; readonly basis: ProrationBasis },
): InvoiceLine {
  assume(step, 'proration', 'amount-rounding')
  const { amount, remainingMs, lengthMs } = line.basis
  const rounded = round(share(amount, remainingMs, lengthMs), step.settings.amountRounding)
  const isCredit = line.kind === 'proration_credit'
  return {
    kind: line.kind,
    planId: plan.planId,
    description: isCredit ? `Unused time on ${plan.name}` : `Remaining time on ${plan.name}`,
    amount: isCredit ? 0 - rounded : rounded,
    periodStart: step.now,
    periodEnd: step.subscription.currentPeriodEnd,
    basis: line.basis,
    cut: 0,
  }
}
