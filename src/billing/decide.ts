/**
 * Decides what one command does to one account. Owns the list of commands; the status table says whether a status
 * allows one. (Interface sections 3 and 4)
 */

import { addMillis, DAY_MS, isWritable, millisBetween, millisOf } from '../time/instant.ts'
import { scheduleFrom } from './billing-period.ts'
import type { Plan } from './catalog.ts'
import type { Coupon } from './coupon.ts'
import { checkCurrency } from './create.ts'
import { BALANCE_MAX } from './customer.ts'
import { afterPause } from './discount.ts'
import { collectInvoice, endSubscription } from './dunning.ts'
import type { Invoice } from './invoice.ts'
import { creditUnusedTime, switchPlan } from './plan-change.ts'
import { redeemCoupon } from './redemption.ts'
import { type BillingRefusal, isRefusal, refuse } from './refusal.ts'
import { endPeriod } from './settle.ts'
import { type CommandTrigger, isAllowed, Status } from './status.ts'
import {
  type Account,
  assume,
  beginStep,
  type Circumstances,
  endStep,
  moveByCommand,
  nameStatus,
  type Outcome,
  report,
  type Step,
} from './step.ts'

export type SubscriptionCommand =
  | { readonly kind: 'change_plan'; readonly plan: Plan }
  | { readonly kind: 'apply_coupon'; readonly coupon: Coupon }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'cancel_now' }
  | { readonly kind: 'cancel_at_period_end' }
  | { readonly kind: 'remove_scheduled_cancellation' }
  | { readonly kind: 'pay_invoice'; readonly invoice: Invoice }

/** Decides one command. Pure: returns the changes, or a refusal, which changes nothing. */
export function decide(
  account: Account,
  command: SubscriptionCommand,
  circumstances: Circumstances,
): Outcome | BillingRefusal {
  const step = beginStep(account, circumstances)
  const refusal = checkStatus(step, command) ?? execute(step, command)
  if (isRefusal(refusal)) return refusal
  if (step.subscription.status === 'paused') assume(step, 'paused-status-name')
  return endStep(step, account)
}

function execute(step: Step, command: SubscriptionCommand): BillingRefusal | null {
  switch (command.kind) {
    case 'change_plan':
      return moveToPlan(step, command.plan)
    case 'apply_coupon':
      return redeemCoupon(step, command.coupon)
    case 'pause':
      return pause(step)
    case 'resume':
      return resume(step)
    case 'cancel_now':
      return cancelNow(step)
    case 'cancel_at_period_end':
      return scheduleCancellation(step)
    case 'remove_scheduled_cancellation':
      return removeScheduledCancellation(step)
    case 'pay_invoice':
      return payInvoice(step, command.invoice)
  }
}

/** Coupons and invoices have separate refusals; the status allows every other command, or refuses it. */
function checkStatus(step: Step, { kind }: SubscriptionCommand): BillingRefusal | null {
  if (kind === 'apply_coupon' || kind === 'pay_invoice') return null
  const { status } = step.subscription
  if (isAllowedHere(step, status, kind)) return null
  const statuses = Status.options.filter((each) => isAllowedHere(step, each, kind))
  const accepted = statuses.map((each) => nameStatus(step, each))
  const isShort = accepted.length <= 2
  const rule = isShort ? accepted.join(' or ') : `one of ${accepted.join(', ')}`
  return transitionRefusal(step, kind, rule)
}

/** The cancellations that the documented table does not list, which the settings can refuse. */
const unlisted: readonly `${Status} ${CommandTrigger}`[] = [
  'past_due cancel_now',
  'past_due cancel_at_period_end',
  'paused cancel_now',
]

function isAllowedHere({ settings }: Step, status: Status, kind: CommandTrigger): boolean {
  const isRefused = settings.unlistedTransitions === 'refuse'
  return isAllowed(status, kind) && !(isRefused && unlisted.includes(`${status} ${kind}`))
}

const commandNames: Record<Exclude<CommandTrigger, 'apply_coupon' | 'extend_trial'>, string> = {
  change_plan: 'Update',
  pause: 'Pause',
  resume: 'Resume',
  cancel_now: 'Cancel',
  cancel_at_period_end: 'Cancel with at_period_end true',
  remove_scheduled_cancellation: 'Remove the scheduled cancellation',
}

function transitionRefusal(
  step: Step,
  trigger: keyof typeof commandNames,
  accepted: string,
): BillingRefusal {
  const { subscriptionId, status } = step.subscription
  const message = `${commandNames[trigger]} is refused: subscription_id "${subscriptionId}" must be ${accepted}; got ${nameStatus(step, status)}.`
  return refuse('invalid_transition', message, ['unlisted-transitions', ...step.assumptions])
}

function moveToPlan(step: Step, plan: Plan): BillingRefusal | null {
  const refusal = checkCurrency(plan, step.customer)
  if (refusal !== null) return refusal
  moveByCommand(step, 'change_plan')
  switchPlan(step, plan)
  return checkBalance(step, 'plan', `"${plan.planId}"`)
}

function checkBalance({ customer }: Step, field: string, cause: string): BillingRefusal | null {
  if (customer.balance <= BALANCE_MAX) return null
  return refuse(
    'invalid_transition',
    `${field} must leave the balance of customer "${customer.customerId}" at ${BALANCE_MAX} or less; ${cause} would bring it to ${customer.balance}.`,
  )
}

function pause(step: Step): BillingRefusal | null {
  const { currentPeriodEnd } = step.subscription
  moveByCommand(step, 'pause')
  step.subscription = { ...step.subscription, pausedAt: step.now }
  report(step, 'subscription.paused', { periodEnd: currentPeriodEnd })
  return null
}

function resume(step: Step): BillingRefusal | null {
  const { pausedAt, currentPeriodEnd } = step.subscription
  if (pausedAt === null) throw new Error('A paused subscription knows when it was paused')
  const left = millisBetween(pausedAt, currentPeriodEnd)
  const restores = step.settings.resumeRestoresRemainingPeriod
  if (restores && !isWritable(millisOf(step.now) + left)) {
    const days = Math.ceil(left / DAY_MS)
    const rule = `the rest of the period of subscription_id "${step.subscription.subscriptionId}" must end by the year 9999`
    return refuse('invalid_transition', `Resume is refused: ${rule}; it has ${days} days.`)
  }
  const hasEnded = !restores && currentPeriodEnd <= step.now
  const kept = hasEnded ? step.now : currentPeriodEnd
  const periodEnd = restores ? addMillis(step.now, left) : kept
  moveByCommand(step, 'resume')
  const discounts = step.subscription.discounts.map((each) =>
    afterPause(each, { start: pausedAt, end: step.now }, step.settings),
  )
  const schedule = restores || hasEnded ? scheduleFrom(periodEnd) : {}
  step.subscription = { ...step.subscription, ...schedule, pausedAt: null, discounts }
  assume(step, 'resume-restores-remaining-period', 'coupon-months-during-pause')
  report(step, 'subscription.resumed', { periodEnd })
  if (hasEnded) endPeriod(step)
  return null
}

function cancelNow(step: Step): BillingRefusal | null {
  const { status } = step.subscription
  assume(step, 'immediate-cancel-parameter', 'cancel-without-refund')
  if (unlisted.includes(`${status} cancel_now`)) assume(step, 'unlisted-transitions')
  if (step.settings.cancelWithoutRefund === 'credit' && isAllowed(status, 'period_end')) {
    creditUnusedTime(step)
  }
  step.subscription = { ...step.subscription, canceledAt: step.now }
  endSubscription(step, 'cancel_now', { status: 'canceled', reason: 'requested' })
  return checkBalance(step, 'Cancel', 'what it gives back')
}

function scheduleCancellation(step: Step): BillingRefusal | null {
  const { status } = step.subscription
  if (unlisted.includes(`${status} cancel_at_period_end`)) assume(step, 'unlisted-transitions')
  moveByCommand(step, 'cancel_at_period_end')
  if (step.subscription.cancelAtPeriodEnd) return null
  const { currentPeriodEnd } = step.subscription
  step.subscription = { ...step.subscription, cancelAtPeriodEnd: true, canceledAt: step.now }
  report(step, 'subscription.cancel_scheduled', { cancelsAt: currentPeriodEnd })
  return null
}

function removeScheduledCancellation(step: Step): BillingRefusal | null {
  const { subscriptionId, cancelAtPeriodEnd } = step.subscription
  if (!cancelAtPeriodEnd) {
    return refuse(
      'invalid_transition',
      `subscription_id "${subscriptionId}" must have a scheduled cancellation; its cancel_at_period_end is false.`,
      ['unlisted-transitions'],
    )
  }
  moveByCommand(step, 'remove_scheduled_cancellation')
  step.subscription = { ...step.subscription, cancelAtPeriodEnd: false, canceledAt: null }
  report(step, 'subscription.cancellation_removed', {})
  return null
}

function payInvoice(step: Step, invoice: Invoice): BillingRefusal | null {
  const { invoiceId, status } = invoice
  if (status === 'paid' || status === 'void') {
    return refuse(
      'invalid_transition',
      `invoice_id "${invoiceId}" must be open or uncollectible; got ${status}.`,
    )
  }
  collectInvoice(step, invoice, 'manual')
  return null
}
