/**
 * Proration. Owns the two lines of a price change inside a period: the credit for the unused rest of what was
 * billed, and the charge for that rest at the new price. Does not decide whether to prorate (see plan-change).
 */

import { elapsed } from '../time/instant.ts'
import type { Plan } from './catalog.ts'
import { covers } from './coupon.ts'
import { type Discount, takeOff } from './discount.ts'
import { type InvoiceLine, netOf, type PeriodPrice, type ProrationBasis } from './invoice.ts'
import { roundHalfAway, share } from './money.ts'
import { assume, type Step } from './step.ts'
import type { BilledLine } from './subscription.ts'

/** What the rest of the running period is worth under the plan it was billed with, as a credit line. */
export function creditForRest(step: Step): InvoiceLine {
  const billed = billedLine(step)
  const wasNeverPaid =
    step.billedInvoiceStatus === 'void' || step.billedInvoiceStatus === 'uncollectible'
  const amount = wasNeverPaid ? 0 : netOf(billed.period)
  const basis = { ...billed.period, amount, ...restOf(step, billed) }
  const credit = prorationLine(step, step.plan, { kind: 'proration_credit', basis })
  // An upgrade's line is for part of a period only, and an extension can make the rest longer than that part was.
  const excess = Math.max(-credit.amount - billed.charged, 0)
  return { ...credit, amount: credit.amount + excess, cut: excess }
}

/** What the rest of the running period costs under a new plan, and the line that stands for the period from now on. */
export function chargeForRest(
  step: Step,
  plan: Plan,
): { line: InvoiceLine; period: PeriodPrice; discounts: Discount[] } {
  const billed = billedLine(step)
  const discounts = billed.discounts.filter((discount) => covers(discount, plan))
  const taken = takeOff(plan.amount, discounts, step.settings.stackingOrder)
  const period = { price: plan.amount, discounts: taken }
  const basis = { ...period, amount: netOf(period), ...restOf(step, billed) }
  return { line: prorationLine(step, plan, { kind: 'proration_charge', basis }), period, discounts }
}

/** The line that the running period was billed with. Throws for a subscription that was never billed. */
export function billedLine(step: Step): BilledLine {
  const { billed, subscriptionId } = step.subscription
  if (billed === null)
    throw new Error(`${subscriptionId} was never billed, so nothing can be prorated`)
  return billed
}

/** The rest never counts for more than the period that was billed, even where an extension made it longer. */
function restOf(step: Step, billed: BilledLine): Pick<ProrationBasis, 'remainingMs' | 'lengthMs'> {
  const left = elapsed(step.now, step.subscription.currentPeriodEnd)
  return { remainingMs: Math.min(left, billed.lengthMs), lengthMs: billed.lengthMs }
}

function prorationLine(
  step: Step,
  plan: Plan,
  line: { readonly kind: 'proration_credit' | 'proration_charge'; readonly basis: ProrationBasis },
): InvoiceLine {
  assume(step, 'proration', 'amount-rounding')
  const { amount, remainingMs, lengthMs } = line.basis
  const rounded = roundHalfAway(share(amount, remainingMs, lengthMs))
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
