/** Commands on subscriptions and their invoices: look up the records, have billing decide, apply the outcome. */

import { startSubscription } from '../../billing/create.ts'
import { decide, type SubscriptionCommand } from '../../billing/decide.ts'
import { numberedId } from '../../billing/id.ts'
import type { Invoice } from '../../billing/invoice.ts'
import type { Offer } from '../../billing/redemption.ts'
import { type BillingRefusal, isRefusal, refuse } from '../../billing/refusal.ts'
import type { Outcome } from '../../billing/step.ts'
import type { Subscription } from '../../billing/subscription.ts'
import { type Executed, executed, find } from '../answer.ts'
import { addedBy, refuseWhenFull } from '../capacity.ts'
import { accountOf, existing } from '../engine.ts'
import type { Cause } from '../event.ts'
import type { Refusal } from '../refusal.ts'
import { apply, circumstancesOf, scriptsFor, type World } from '../world.ts'

/** A new subscription; at most one of the coupon and the promotion code is present. */
export interface Checkout {
  /** Absent from every request, because ids are counted. Provider states set it. */
  readonly subscriptionId?: string
  readonly customerId: string
  readonly plan: string
  readonly trialPeriodDays: number | null
  readonly couponId: string | null
  readonly promotionCode: string | null
}

/** Creates a subscription. (Interface section 4, rule 4) */
export function subscribe(
  world: World,
  checkout: Checkout,
  cause: Cause,
): Executed<Subscription> | Refusal {
  const customer = find(world.customers, { field: 'customer_id', id: checkout.customerId })
  if (isRefusal(customer)) return customer
  const plan = find(world.plans, { field: 'plan', id: checkout.plan })
  if (isRefusal(plan)) return plan
  const offer = offerOf(world, checkout)
  if (isRefusal(offer)) return offer
  const numbered = nextSubscription(world, checkout.subscriptionId)
  if (isRefusal(numbered)) return numbered
  const { subscriptionId, sequence } = numbered
  const order = {
    subscriptionId,
    sequence,
    customer,
    plan,
    trialPeriodDays: checkout.trialPeriodDays,
    offer,
    scripts: scriptsFor(world, customer.customerId, subscriptionId),
    invoicesMade: world.sequences.invoices,
  }
  const outcome = startSubscription(order, circumstancesOf(world))
  const answer = applyIfRoom(world, { subscriptionId, cause }, outcome)
  if (!isRefusal(answer)) world.sequences.subscriptions = sequence
  return answer
}

/** Attempts an open or uncollectible invoice by hand, outside its schedule. */
export function payInvoice(
  world: World,
  invoiceId: string,
  cause: Cause,
): Executed<Invoice> | Refusal {
  const invoice = find(world.invoices, { field: 'invoice_id', id: invoiceId })
  if (isRefusal(invoice)) return invoice
  const { subscriptionId } = invoice
  const answer = carryOut(world, { subscriptionId, cause }, { kind: 'pay_invoice', invoice })
  if (isRefusal(answer)) return answer
  return executed(world.invoices.get(invoiceId) ?? invoice, answer.assumptions)
}

/** What a request asks of a subscription, with the ids of the records that it names. */
type NamedCommand =
  | Exclude<SubscriptionCommand, { kind: 'change_plan' | 'apply_coupon' }>
  | { readonly kind: 'change_plan'; readonly planId: string }
  | { readonly kind: 'apply_coupon'; readonly couponId: string }

/** Carries out a command on a subscription. (Interface section 4, rules 1 to 3 and 5) */
export function carryOut(
  world: World,
  { subscriptionId, cause }: { readonly subscriptionId: string; readonly cause: Cause },
  named: NamedCommand,
): Executed<Subscription> | Refusal {
  const subscription = find(world.subscriptions, { field: 'subscription_id', id: subscriptionId })
  if (isRefusal(subscription)) return subscription
  const requested = withRecords(world, named)
  if (isRefusal(requested)) return requested
  const outcome = decide(accountOf(world, subscriptionId), requested, circumstancesOf(world))
  return applyIfRoom(world, { subscriptionId, cause }, outcome)
}

function withRecords(world: World, named: NamedCommand): SubscriptionCommand | Refusal {
  if (named.kind === 'change_plan') {
    const plan = find(world.plans, { field: 'plan', id: named.planId })
    return isRefusal(plan) ? plan : { kind: 'change_plan', plan }
  }
  if (named.kind !== 'apply_coupon') return named
  const coupon = find(world.coupons, { field: 'coupon_id', id: named.couponId })
  return isRefusal(coupon) ? coupon : { kind: 'apply_coupon', coupon }
}

/** Applies an outcome on a subscription, if the sandbox has room for it. */
function applyIfRoom(
  world: World,
  { subscriptionId, cause }: { readonly subscriptionId: string; readonly cause: Cause },
  outcome: Outcome | BillingRefusal,
): Executed<Subscription> | Refusal {
  if (isRefusal(outcome)) return outcome
  const full = refuseWhenFull(world, addedBy(world, outcome.changes))
  if (full !== null) return full
  apply(world, outcome, cause)
  return executed(existing(world.subscriptions, subscriptionId), outcome.assumptions)
}

/** A caller may have chosen an id that looks like a counted one. Skips those. */
export function nextSubscription(
  world: World,
  chosen?: string,
): Pick<Subscription, 'subscriptionId' | 'sequence'> | Refusal {
  let sequence = world.sequences.subscriptions + 1
  if (chosen !== undefined) {
    if (!world.subscriptions.has(chosen)) return { subscriptionId: chosen, sequence }
    return refuse('exists', `subscription_id "${chosen}" exists already; choose another one.`)
  }
  while (world.subscriptions.has(numberedId('sub_', sequence))) sequence += 1
  return { subscriptionId: numberedId('sub_', sequence), sequence }
}

function offerOf(world: World, { couponId, promotionCode }: Checkout): Offer | null | Refusal {
  const promotion =
    promotionCode === null
      ? null
      : find(world.promotions, { field: 'promotion_code', id: promotionCode })
  if (isRefusal(promotion)) return promotion
  const id = promotion?.couponId ?? couponId
  if (id === null) return null
  const coupon = find(world.coupons, { field: 'coupon_id', id })
  return isRefusal(coupon) ? coupon : { coupon, promotion }
}
