/** Commands on subscriptions and their invoices: look up the records, have billing decide, apply the outcome. */
import { startSubscription } from '../../billing/create.ts'
import { decide, type SubscriptionCommand } from '../../billing/decide.ts'
import { numberedId } from '../../billing/id.ts'
import type { Invoice } from '../../billing/invoice.ts'
import type { Offer } from '../../billing/redemption.ts'
import { type BillingRefusal, isRefusal, refuse } from '../../billing/refusal.ts'
import type { Outcome } from '../../billing/step.ts'
import type { Subscription } from '../../billing/subscription.ts'
import { checkCapacity, countAdded } from '../capacity.ts'
import { accountOf, getRecord } from '../engine.ts'
import type { Cause } from '../event.ts'
import type { Refusal } from '../refusal.ts'
import { findRecord, type Success, success } from '../results.ts'
import { applyOutcome, circumstancesOf, scriptsFor, type World } from '../world.ts'

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
export function createSubscription(
  world: World,
  checkout: Checkout,
  cause: Cause,
): Success<Subscription> | Refusal {
  const customer = findRecord(world.customers, 'customer_id', checkout.customerId)
  if (isRefusal(customer)) return customer
  const plan = findRecord(world.plans, 'plan', checkout.plan)
  if (isRefusal(plan)) return plan
  const offer = findOffer(world, checkout)
  if (isRefusal(offer)) return offer
  const numbered = nextSubscriptionId(world, checkout.subscriptionId)
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
): Success<Invoice> | Refusal {
  const invoice = findRecord(world.invoices, 'invoice_id', invoiceId)
  if (isRefusal(invoice)) return invoice
  const { subscriptionId } = invoice
  const answer = executeCommand(world, { subscriptionId, cause }, { kind: 'pay_invoice', invoice })
  if (isRefusal(answer)) return answer
  return success(world.invoices.get(invoiceId) ?? invoice, answer.assumptions)
}

/** What a request asks of a subscription, with the ids of the records that it names. */
type NamedCommand =
  | Exclude<SubscriptionCommand, { kind: 'change_plan' | 'apply_coupon' }>
  | { readonly kind: 'change_plan'; readonly planId: string }
  | { readonly kind: 'apply_coupon'; readonly couponId: string }

/** Carries out a command on a subscription. (Interface section 4, rules 1 to 3 and 5) */
export function executeCommand(
  world: World,
  { subscriptionId, cause }: { readonly subscriptionId: string; readonly cause: Cause },
  named: NamedCommand,
): Success<Subscription> | Refusal {
  const subscription = findRecord(world.subscriptions, 'subscription_id', subscriptionId)
  if (isRefusal(subscription)) return subscription
  const requested = resolveCommand(world, named)
  if (isRefusal(requested)) return requested
  const outcome = decide(accountOf(world, subscriptionId), requested, circumstancesOf(world))
  return applyIfRoom(world, { subscriptionId, cause }, outcome)
}

function resolveCommand(world: World, named: NamedCommand): SubscriptionCommand | Refusal {
  if (named.kind === 'change_plan') {
    const plan = findRecord(world.plans, 'plan', named.planId)
    return isRefusal(plan) ? plan : { kind: 'change_plan', plan }
  }
  if (named.kind !== 'apply_coupon') return named
  const coupon = findRecord(world.coupons, 'coupon_id', named.couponId)
  return isRefusal(coupon) ? coupon : { kind: 'apply_coupon', coupon }
}

/** Applies an outcome on a subscription, if the sandbox has room for it. */
function applyIfRoom(
  world: World,
  { subscriptionId, cause }: { readonly subscriptionId: string; readonly cause: Cause },
  outcome: Outcome | BillingRefusal,
): Success<Subscription> | Refusal {
  if (isRefusal(outcome)) return outcome
  const full = checkCapacity(world, countAdded(world, outcome.changes))
  if (full !== null) return full
  applyOutcome(world, outcome, cause)
  return success(getRecord(world.subscriptions, subscriptionId), outcome.assumptions)
}

/** A caller may have chosen an id that looks like a counted one. Skips those. */
export function nextSubscriptionId(
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

function findOffer(world: World, { couponId, promotionCode }: Checkout): Offer | null | Refusal {
  const promotion =
    promotionCode === null ? null : findRecord(world.promotions, 'promotion_code', promotionCode)
  if (isRefusal(promotion)) return promotion
  const id = promotion?.couponId ?? couponId
  if (id === null) return null
  const coupon = findRecord(world.coupons, 'coupon_id', id)
  return isRefusal(coupon) ? coupon : { coupon, promotion }
}
