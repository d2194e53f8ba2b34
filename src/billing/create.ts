/**
 * Creation: a customer subscribes to a plan. Owns the start of a subscription: its trial or its first invoice, and the
 * coupon redeemed at checkout. (Interface section 4, rule 4)
 */
import { VARIED_TRIAL_DAYS_MAX } from '../assumptions/bounds.ts'
import { addMillis, DAY_MS, startOfDay } from '../time/instant.ts'
import { billPeriod, startSchedule } from './billing-period.ts'
import type { Plan } from './catalog.ts'
import type { Customer } from './customer.ts'
import type { PaymentScripts } from './payment.ts'
import { addDiscount, checkOffer, countRedemption, extendTrial, type Offer } from './redemption.ts'
import { type BillingRefusal, refuse } from './refusal.ts'
import { isTerminal } from './status.ts'
import {
  type Account,
  assume,
  beginStep,
  type Circumstances,
  currentPeriod,
  endStep,
  type Outcome,
  report,
  type Step,
} from './step.ts'
import type { Subscription } from './subscription.ts'

/** The customer, the plan and the terms. `trialPeriodDays` is null if the request has none; 0 means no trial. */
export interface NewSubscription {
  readonly subscriptionId: string
  readonly sequence: number
  readonly customer: Customer
  readonly plan: Plan
  readonly trialPeriodDays: number | null
  readonly offer: Offer | null
  readonly scripts: PaymentScripts
  readonly invoicesMade: number
}

/** Creates a subscription: trialing with a trial, else active and billed at once. Refuses because of currency or offer. */
export function startSubscription(
  order: NewSubscription,
  circumstances: Circumstances,
): Outcome | BillingRefusal {
  const account = newAccount(order, circumstances)
  const step = beginStep(account, circumstances)
  const refusal =
    checkCurrency(order.plan, order.customer) ?? (order.offer && checkOffer(step, order.offer))
  if (refusal !== null) return refusal
  // A new record is a change, whatever else happens to it.
  step.subscription = { ...step.subscription }
  if (step.customer.currency === null) {
    step.customer = { ...step.customer, currency: order.plan.currency }
  }
  startBilling(step, order)
  return endStep(step, account)
}

/** Why a customer cannot be billed in the currency of a plan; null if that is possible. */
export function checkCurrency(plan: Plan, customer: Customer): BillingRefusal | null {
  if (customer.currency === null || customer.currency === plan.currency) return null
  return refuse(
    'currency_mismatch',
    `plan must be in ${customer.currency}, the currency of customer "${customer.customerId}"; got "${plan.planId}" in ${plan.currency}.`,
    ['currency-match'],
  )
}

function startBilling(step: Step, order: NewSubscription): void {
  const { offer } = order
  const isTrialing = step.subscription.status === 'trialing'
  if (!isTrialing) startSchedule(step, step.now)
  const plan = order.plan.planId
  const { status } = step.subscription
  report(step, 'subscription.created', { plan, status, ...currentPeriod(step) })
  if (offer !== null) countRedemption(step, offer)
  const coupon = offer?.coupon ?? null
  const extension = coupon?.type === 'trial_extension' ? coupon : null
  if (coupon !== null && coupon.type !== 'trial_extension') addDiscount(step, coupon)
  const { trialPeriodDays: days } = order
  if (days === 0 || (days ?? 0) > VARIED_TRIAL_DAYS_MAX) assume(step, 'trial-period-bounds')
  if (isTrialing) assume(step, 'trial-day-length')
  else {
    assume(step, 'first-invoice')
    if (step.settings.firstInvoice === 'at_once') billPeriod(step)
  }
  // The first payment may have ended the subscription, and an ended record keeps its period.
  if (extension !== null && !isTerminal(step.subscription.status)) extendTrial(step, extension)
}

function newAccount(order: NewSubscription, { now, settings }: Circumstances): Account {
  const { customer, plan, scripts, invoicesMade } = order
  const days = order.trialPeriodDays ?? 0
  const trialStart = settings.trialDayLength === 'calendar_day' ? startOfDay(now) : now
  const trialEnd = days === 0 ? null : addMillis(trialStart, days * DAY_MS)
  const subscription: Subscription = {
    subscriptionId: order.subscriptionId,
    sequence: order.sequence,
    customerId: customer.customerId,
    planId: plan.planId,
    trialPeriodDays: order.trialPeriodDays,
    status: trialEnd === null ? 'active' : 'trialing',
    trialEnd,
    anchor: trialEnd ?? now,
    cycle: 0,
    currentPeriodStart: now,
    currentPeriodEnd: trialEnd ?? now,
    cancelAtPeriodEnd: false,
    canceledAt: null,
    endedAt: null,
    pausedAt: null,
    pendingPlanId: null,
    discounts: [],
    billed: null,
    createdAt: now,
  }
  return {
    subscription,
    plan,
    pendingPlan: null,
    customer,
    openInvoices: [],
    billedInvoice: null,
    scripts,
    invoicesMade,
  }
}
