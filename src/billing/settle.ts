/**
 * Settles due items of a subscription. Owns the end of trials and periods, and payment retries. The due queue decides
 * which of several items comes first. (Interface section 3)
 */
import { billPeriod, isSomethingDue, startNextPeriod, startSchedule } from './billing-period.ts'
import { collectInvoice, endSubscription } from './dunning.ts'
import { applyPendingPlan } from './plan-change.ts'
import {
  type Account,
  assume,
  beginStep,
  type Circumstances,
  currentPeriod,
  endStep,
  moveTo,
  type Outcome,
  report,
  type Step,
} from './step.ts'

/** A due item: the end of the trial or period, or a retry of one open invoice. */
export type Due =
  | { readonly kind: 'trial_end' | 'period_end' }
  | { readonly kind: 'payment_retry'; readonly invoiceId: string }

/** Settles one due item of an account. Pure: returns the changes. (Interface section 3) */
export function settle(account: Account, due: Due, circumstances: Circumstances): Outcome {
  const step = beginStep(account, circumstances)
  if (due.kind === 'payment_retry') retryPayment(step, due.invoiceId)
  else if (due.kind === 'trial_end') endTrial(step)
  else endPeriod(step)
  return endStep(step, account)
}

function endTrial(step: Step): void {
  report(step, 'subscription.trial_ended', { trialEnd: step.now })
  if (step.subscription.cancelAtPeriodEnd) {
    endSubscription(step, 'trial_end', { status: 'canceled', reason: 'period_end' })
    return
  }
  if (step.customer.paymentMethod === 'none') {
    // If nothing is due, no payment method is needed.
    const mustPay = isSomethingDue(step, step.pendingPlan ?? step.plan)
    assume(step, 'trial-end-without-payment-method')
    if (mustPay && step.settings.trialEndWithoutPaymentMethod === 'expire') {
      endSubscription(step, 'trial_end', { status: 'expired', reason: 'no_payment_method' })
      return
    }
  }
  applyPendingPlan(step)
  moveTo(step, 'trial_end', 'active')
  startSchedule(step, step.now)
  report(step, 'subscription.activated', { plan: step.plan.planId, ...currentPeriod(step) })
  billPeriod(step)
}

/** Ends the period now: the subscription ends where that is scheduled, and is billed for the next period otherwise. */
export function endPeriod(step: Step): void {
  if (step.subscription.cancelAtPeriodEnd) {
    endSubscription(step, 'period_end', { status: 'canceled', reason: 'period_end' })
    return
  }
  applyPendingPlan(step)
  moveTo(step, 'period_end', step.subscription.status)
  startNextPeriod(step)
  report(step, 'subscription.renewed', { plan: step.plan.planId, ...currentPeriod(step) })
  billPeriod(step)
}

function retryPayment(step: Step, invoiceId: string): void {
  const invoice = step.invoices.get(invoiceId)
  if (invoice === undefined) throw new Error(`${invoiceId} is due for a retry but not open`)
  collectInvoice(step, invoice, 'retry')
}
