/** What can be done in a scenario: commands, creations, and changes to the world around them. */
import type { Settings } from '../../src/assumptions/register.ts'
import type { Plan } from '../../src/billing/catalog.ts'
import { makeCharge } from '../../src/billing/charge.ts'
import type { Coupon, Promotion } from '../../src/billing/coupon.ts'
import { startSubscription } from '../../src/billing/create.ts'
import type { Customer } from '../../src/billing/customer.ts'
import { decide, type SubscriptionCommand } from '../../src/billing/decide.ts'
import type { PaymentScript, ScriptedOutcome } from '../../src/billing/payment.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { customer } from './catalog.ts'
import {
  type Action,
  accountOf,
  FIRST,
  find,
  happened,
  type Scenario,
  scriptsFor,
} from './scenario.ts'

/** Puts plans on sale. */
export function selling(...plans: readonly Plan[]): Action {
  return (scenario) => ({ ...scenario, plans: [...scenario.plans, ...plans] })
}

/** Offers coupons. */
export function offering(...coupons: readonly Coupon[]): Action {
  return (scenario) => ({ ...scenario, coupons: [...scenario.coupons, ...coupons] })
}

/** Offers promotions. */
export function promoting(...promotions: readonly Promotion[]): Action {
  return (scenario) => ({ ...scenario, promotions: [...scenario.promotions, ...promotions] })
}

/** A customer comes; `cus_ada` comes by herself when she subscribes. */
export function knowing(...customers: readonly Customer[]): Action {
  return (scenario) => ({ ...scenario, customers: [...scenario.customers, ...customers] })
}

/** Changes what is known of customers. */
export function customerHas(terms: Partial<Customer>, customerId = 'cus_ada'): Action {
  return (scenario) => {
    const change = (each: Customer) =>
      each.customerId === customerId ? { ...each, ...terms } : each
    return { ...withAda(scenario), customers: withAda(scenario).customers.map(change) }
  }
}

/** Changes settings of the sandbox. */
export function setting(settings: Partial<Settings>): Action {
  return (scenario) => ({ ...scenario, settings: { ...scenario.settings, ...settings } })
}

/** How a subscription is created. */
export interface Terms {
  readonly trialPeriodDays?: number | null
  readonly customerId?: string
  readonly couponId?: string
  readonly promotionCode?: string
}

/** A customer, `cus_ada` unless told otherwise, subscribes to a plan. */
export function subscribe(planId: string, terms: Terms = {}): Action {
  return (before) => {
    const scenario = withAda(before)
    const { customerId = 'cus_ada', trialPeriodDays = null } = terms
    const sequence = scenario.subscriptions.length + 1
    const subscriptionId = `sub_${String(sequence).padStart(6, '0')}`
    const answer = startSubscription(
      {
        subscriptionId,
        sequence,
        customer: find(scenario.customers, 'customerId', customerId),
        plan: find(scenario.plans, 'planId', planId),
        trialPeriodDays,
        offer: offerOf(scenario, terms),
        scripts: scriptsFor(scenario, { subscriptionId, customerId }),
        invoicesMade: scenario.invoices.length,
      },
      scenario,
    )
    return isRefusal(answer) ? { ...before, refusal: answer } : happened(scenario, answer)
  }
}

/** Asks something of a subscription. */
export function ask(command: SubscriptionCommand, subscriptionId = FIRST): Action {
  return (scenario) => {
    const answer = decide(accountOf(scenario, subscriptionId), command, scenario)
    return isRefusal(answer) ? { ...scenario, refusal: answer } : happened(scenario, answer)
  }
}

/** Changes the plan of a subscription. */
export function changePlan(planId: string, subscriptionId = FIRST): Action {
  return (scenario) => {
    const plan = find(scenario.plans, 'planId', planId)
    return ask({ kind: 'change_plan', plan }, subscriptionId)(scenario)
  }
}

/** Applies a coupon to a subscription. */
export function apply(couponId: string, subscriptionId = FIRST): Action {
  return (scenario) => {
    const coupon = find(scenario.coupons, 'couponId', couponId)
    return ask({ kind: 'apply_coupon', coupon }, subscriptionId)(scenario)
  }
}

/** Pays an invoice by hand. */
export function pay(invoiceId: string, subscriptionId = FIRST): Action {
  return (scenario) => {
    const invoice = find(scenario.invoices, 'invoiceId', invoiceId)
    return ask({ kind: 'pay_invoice', invoice }, subscriptionId)(scenario)
  }
}

export const pause = ask({ kind: 'pause' })
export const resume = ask({ kind: 'resume' })
export const cancelNow = ask({ kind: 'cancel_now' })
export const cancelAtPeriodEnd = ask({ kind: 'cancel_at_period_end' })
export const removeScheduledCancellation = ask({ kind: 'remove_scheduled_cancellation' })

/** What is asked of a customer in one go, in USD unless told otherwise. */
export interface Asked {
  readonly customerId?: string
  readonly currency?: string
  readonly couponId?: string
}

/** Charges a customer, `cus_ada` unless told otherwise, once. */
export function charge(amount: number, asked: Asked = {}): Action {
  return (before) => {
    const scenario = withAda(before)
    const { customerId = 'cus_ada', currency = 'USD', couponId } = asked
    const answer = makeCharge(
      {
        chargeId: `ch_${String(scenario.charges.length + 1).padStart(6, '0')}`,
        customer: find(scenario.customers, 'customerId', customerId),
        amount,
        currency,
        coupon: couponId === undefined ? null : find(scenario.coupons, 'couponId', couponId),
        scripts: scriptsFor(scenario, { subscriptionId: null, customerId }),
      },
      scenario,
    )
    if (isRefusal(answer)) return { ...before, refusal: answer }
    return { ...happened(scenario, answer), charges: [...scenario.charges, answer.charge] }
  }
}

/** Whom a payment script speaks of; the whole sandbox where nobody is named. */
export type Scope = Partial<PaymentScript['scope']>

/** Queues what the next payment attempts of a scope answer. */
export function paymentsAnswer(outcomes: readonly ScriptedOutcome[], scope: Scope = {}): Action {
  return (scenario) =>
    withScript(scenario, scope, (script) => ({
      ...script,
      outcomes: [...script.outcomes, ...outcomes],
    }))
}

/** Sets what payment attempts of a scope answer once nothing is queued; null takes the rule away. */
export function paymentsAlways(always: ScriptedOutcome | null, scope: Scope = {}): Action {
  return (scenario) => withScript(scenario, scope, (script) => ({ ...script, always }))
}

function withScript(
  scenario: Scenario,
  { subscriptionId = null, customerId = null }: Scope,
  change: (script: PaymentScript) => PaymentScript,
): Scenario {
  const isMeant = ({ scope }: PaymentScript) =>
    scope.subscriptionId === subscriptionId && scope.customerId === customerId
  const empty: PaymentScript = {
    scope: { subscriptionId, customerId },
    outcomes: [],
    always: null,
  }
  const others = scenario.scripts.filter((script) => !isMeant(script))
  return { ...scenario, scripts: [...others, change(scenario.scripts.find(isMeant) ?? empty)] }
}

function offerOf(scenario: Scenario, { couponId, promotionCode }: Terms) {
  if (promotionCode !== undefined) {
    const promotion = find(scenario.promotions, 'code', promotionCode)
    return { promotion, coupon: find(scenario.coupons, 'couponId', promotion.couponId) }
  }
  if (couponId === undefined) return null
  return { promotion: null, coupon: find(scenario.coupons, 'couponId', couponId) }
}

function withAda(scenario: Scenario): Scenario {
  if (scenario.customers.some((each) => each.customerId === 'cus_ada')) return scenario
  return { ...scenario, customers: [...scenario.customers, customer('cus_ada')] }
}
