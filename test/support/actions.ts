/** What can be done in a story: commands, creations, and changes to the world around them. */
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
import { type Action, accountOf, FIRST, find, happened, type Story, scriptsFor } from './story.ts'

/** Puts plans on sale. */
export function selling(...plans: readonly Plan[]): Action {
  return (story) => ({ ...story, plans: [...story.plans, ...plans] })
}

/** Offers coupons. */
export function offering(...coupons: readonly Coupon[]): Action {
  return (story) => ({ ...story, coupons: [...story.coupons, ...coupons] })
}

/** Offers promotions. */
export function promoting(...promotions: readonly Promotion[]): Action {
  return (story) => ({ ...story, promotions: [...story.promotions, ...promotions] })
}

/** A customer comes; `cus_ada` comes by herself when she subscribes. */
export function knowing(...customers: readonly Customer[]): Action {
  return (story) => ({ ...story, customers: [...story.customers, ...customers] })
}

/** Changes what is known of customers. */
export function customerHas(terms: Partial<Customer>, customerId = 'cus_ada'): Action {
  return (story) => {
    const change = (each: Customer) =>
      each.customerId === customerId ? { ...each, ...terms } : each
    return { ...withAda(story), customers: withAda(story).customers.map(change) }
  }
}

/** Changes settings of the sandbox. */
export function setting(settings: Partial<Settings>): Action {
  return (story) => ({ ...story, settings: { ...story.settings, ...settings } })
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
    const story = withAda(before)
    const { customerId = 'cus_ada', trialPeriodDays = null } = terms
    const sequence = story.subscriptions.length + 1
    const subscriptionId = `sub_${String(sequence).padStart(6, '0')}`
    const answer = startSubscription(
      {
        subscriptionId,
        sequence,
        customer: find(story.customers, 'customerId', customerId),
        plan: find(story.plans, 'planId', planId),
        trialPeriodDays,
        offer: offerOf(story, terms),
        scripts: scriptsFor(story, { subscriptionId, customerId }),
        invoicesMade: story.invoices.length,
      },
      story,
    )
    return isRefusal(answer) ? { ...before, refusal: answer } : happened(story, answer)
  }
}

/** Asks something of a subscription. */
export function ask(command: SubscriptionCommand, subscriptionId = FIRST): Action {
  return (story) => {
    const answer = decide(accountOf(story, subscriptionId), command, story)
    return isRefusal(answer) ? { ...story, refusal: answer } : happened(story, answer)
  }
}

/** Changes the plan of a subscription. */
export function changePlan(planId: string, subscriptionId = FIRST): Action {
  return (story) => {
    const plan = find(story.plans, 'planId', planId)
    return ask({ kind: 'change_plan', plan }, subscriptionId)(story)
  }
}

/** Applies a coupon to a subscription. */
export function apply(couponId: string, subscriptionId = FIRST): Action {
  return (story) => {
    const coupon = find(story.coupons, 'couponId', couponId)
    return ask({ kind: 'apply_coupon', coupon }, subscriptionId)(story)
  }
}

/** Pays an invoice by hand. */
export function pay(invoiceId: string, subscriptionId = FIRST): Action {
  return (story) => {
    const invoice = find(story.invoices, 'invoiceId', invoiceId)
    return ask({ kind: 'pay_invoice', invoice }, subscriptionId)(story)
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
    const story = withAda(before)
    const { customerId = 'cus_ada', currency = 'USD', couponId } = asked
    const answer = makeCharge(
      {
        chargeId: `ch_${String(story.charges.length + 1).padStart(6, '0')}`,
        customer: find(story.customers, 'customerId', customerId),
        amount,
        currency,
        coupon: couponId === undefined ? null : find(story.coupons, 'couponId', couponId),
        scripts: scriptsFor(story, { subscriptionId: null, customerId }),
      },
      story,
    )
    if (isRefusal(answer)) return { ...before, refusal: answer }
    return { ...happened(story, answer), charges: [...story.charges, answer.charge] }
  }
}

/** Whom a payment script speaks of; the whole sandbox where nobody is named. */
export type Scope = Partial<PaymentScript['scope']>

/** Queues what the next payment attempts of a scope answer. */
export function paymentsAnswer(outcomes: readonly ScriptedOutcome[], scope: Scope = {}): Action {
  return (story) =>
    withScript(story, scope, (script) => ({
      ...script,
      outcomes: [...script.outcomes, ...outcomes],
    }))
}

/** Sets what payment attempts of a scope answer once nothing is queued; null takes the rule away. */
export function paymentsAlways(always: ScriptedOutcome | null, scope: Scope = {}): Action {
  return (story) => withScript(story, scope, (script) => ({ ...script, always }))
}

function withScript(
  story: Story,
  { subscriptionId = null, customerId = null }: Scope,
  change: (script: PaymentScript) => PaymentScript,
): Story {
  const isMeant = ({ scope }: PaymentScript) =>
    scope.subscriptionId === subscriptionId && scope.customerId === customerId
  const empty: PaymentScript = {
    scope: { subscriptionId, customerId },
    outcomes: [],
    always: null,
  }
  const others = story.scripts.filter((script) => !isMeant(script))
  return { ...story, scripts: [...others, change(story.scripts.find(isMeant) ?? empty)] }
}

function offerOf(story: Story, { couponId, promotionCode }: Terms) {
  if (promotionCode !== undefined) {
    const promotion = find(story.promotions, 'code', promotionCode)
    return { promotion, coupon: find(story.coupons, 'couponId', promotion.couponId) }
  }
  if (couponId === undefined) return null
  return { promotion: null, coupon: find(story.coupons, 'couponId', couponId) }
}

function withAda(story: Story): Story {
  if (story.customers.some((each) => each.customerId === 'cus_ada')) return story
  return { ...story, customers: [...story.customers, customer('cus_ada')] }
}
