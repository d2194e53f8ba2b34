/**
 * Plan changes. Owns which change is an upgrade and which a downgrade, and when each takes effect. Does not compute the
 * price of an upgrade (see proration). (Interface section 4, rule 1)
 */

import { sameInterval } from '../time/period.ts'
import { billPeriod, createInvoice, scheduleFrom, startSchedule } from './billing-period.ts'
import { compareRates, intervalOf, type Plan } from './catalog.ts'
import { collectNewInvoice } from './dunning.ts'
import type { InvoiceLine } from './invoice.ts'
import { cutCredit, limitCredit, remainingTimeCharge, unusedTimeCredit } from './proration.ts'
import { assume, currentPeriod, openInvoices, report, type Step } from './step.ts'

/** Changes the plan now or schedules the change. The current plan only removes a scheduled change. */
export function switchPlan(step: Step, plan: Plan): void {
  if (plan.planId === step.subscription.planId) {
    schedulePlan(step, null)
    return
  }
  if (step.subscription.status === 'paused') {
    assume(step, 'plan-change-while-paused')
    schedulePlan(step, plan)
    return
  }
  assume(step, 'upgrade-or-downgrade')
  const isTrialing = step.subscription.status === 'trialing'
  if (isTrialing) assume(step, 'plan-change-in-trial')
  if (isDowngrade(step, plan) || waitsForBoundary(step, plan)) schedulePlan(step, plan)
  else if (step.subscription.billed === null) setPlanUnbilled(step, plan)
  else upgrade(step, plan)
}

function isDowngrade({ plan: current, settings }: Step, plan: Plan): boolean {
  if (settings.upgradeOrDowngrade === 'amount') return plan.amount < current.amount
  return compareRates(plan, current) < 0
}

/** Whether the settings have an upgrade wait for the end of the trial or the period. */
function waitsForBoundary(step: Step, plan: Plan): boolean {
  const { planChangeInTrial, intervalChange } = step.settings
  if (step.subscription.status === 'trialing') return planChangeInTrial === 'at_trial_end'
  if (sameInterval(intervalOf(plan), intervalOf(step.plan))) return false
  assume(step, 'interval-change')
  return intervalChange === 'at_period_end'
}

/** Applies the scheduled plan, if any; a different interval starts a new schedule at the end of the period. */
export function applyPendingPlan(step: Step): void {
  const plan = step.pendingPlan
  if (plan === null) return
  const reanchors = !sameInterval(intervalOf(plan), intervalOf(step.plan))
  // The event that starts the next period reports that period.
  report(step, 'subscription.plan_changed', { from: setPlan(step, plan), to: plan.planId })
  if (!reanchors) return
  assume(step, 'interval-change')
  const { currentPeriodEnd } = step.subscription
  step.subscription = { ...step.subscription, ...scheduleFrom(currentPeriodEnd) }
}

function upgrade(step: Step, plan: Plan): void {
  const credit = unusedTimeCredit(step)
  if (sameInterval(intervalOf(plan), intervalOf(step.plan))) {
    upgradeWithinPeriod(step, plan, credit)
  } else {
    upgradeToNewPeriod(step, plan, credit)
  }
  const { billed } = step.subscription
  if (billed !== null && step.invoices.get(billed.invoiceId)?.status !== 'paid') {
    assume(step, 'failed-upgrade-payment')
  }
}

/** Takes a plan in a trial, or in a first period without an invoice: no money moves before the end of that. */
function setPlanUnbilled(step: Step, plan: Plan): void {
  if (step.subscription.status !== 'trialing') assume(step, 'first-invoice')
  const { currentPeriodEnd } = step.subscription
  if (!sameInterval(intervalOf(plan), intervalOf(step.plan))) {
    step.subscription = { ...step.subscription, ...scheduleFrom(currentPeriodEnd) }
  }
  reportPlan(step, setPlan(step, plan))
}

function upgradeToNewPeriod(step: Step, plan: Plan, credit: InvoiceLine): void {
  const from = setPlan(step, plan)
  startSchedule(step, step.now)
  reportPlan(step, from)
  billPeriod(step, credit)
}

/** Credits the rest of a billed period that a cancellation cuts short, if anything is left of it. */
export function creditUnusedTime(step: Step): void {
  if (step.subscription.billed === null) {
    if (step.subscription.status !== 'trialing') assume(step, 'first-invoice')
    return
  }
  const credit = withoutVoidedPart(step, unusedTimeCredit(step))
  if (credit.amount === 0) return
  const invoice = createInvoice(step, { reason: 'proration', lines: [credit], discounts: [] })
  const billed = { invoiceId: invoice.invoiceId, discounts: [] }
  step.subscription = { ...step.subscription, billed }
  collectNewInvoice(step, invoice)
}

/**
 * A credit pays open invoices, the oldest first, and the end of the subscription voids those with something left to pay.
 * The part that one of these would get is cut: it would come back as balance, although nobody paid it.
 */
function withoutVoidedPart(step: Step, credit: InvoiceLine): InvoiceLine {
  if (step.settings.openInvoicesOnCancellation !== 'void') return credit
  let left = 0 - credit.amount
  for (const { amountDue } of openInvoices(step)) {
    if (amountDue > left) return cutCredit(credit, left)
    left -= amountDue
  }
  return credit
}

/** Both lines already include the discounts of the period, so the invoice has none and uses none up. */
function upgradeWithinPeriod(step: Step, plan: Plan, credit: InvoiceLine): void {
  const { line, discounts } = remainingTimeCharge(step, plan)
  reportPlan(step, setPlan(step, plan))
  const lines = [limitCredit(step, credit, line.amount), line]
  const invoice = createInvoice(step, { reason: 'proration', lines, discounts: [] })
  step.subscription = {
    ...step.subscription,
    billed: { invoiceId: invoice.invoiceId, discounts },
  }
  collectNewInvoice(step, invoice)
}

function setPlan(step: Step, plan: Plan): string {
  const from = step.subscription.planId
  step.plan = plan
  step.pendingPlan = null
  step.subscription = { ...step.subscription, planId: plan.planId, pendingPlanId: null }
  return from
}

function reportPlan(step: Step, from: string): void {
  const to = step.subscription.planId
  report(step, 'subscription.plan_changed', { from, to, ...currentPeriod(step) })
}

function schedulePlan(step: Step, plan: Plan | null): void {
  const to = plan?.planId ?? null
  const { pendingPlanId, planId, currentPeriodEnd, status } = step.subscription
  if (to === pendingPlanId) return
  step.pendingPlan = plan
  step.subscription = { ...step.subscription, pendingPlanId: to }
  // A resume moves the end of the period.
  const effectiveAt = plan === null || status === 'paused' ? null : currentPeriodEnd
  report(step, 'subscription.plan_change_scheduled', { from: planId, to, effectiveAt })
}
