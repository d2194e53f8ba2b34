/** References: whether what a record of a world names is there. Deleting is refused while something refers to it. */
import type { Limits } from '../billing/coupon.ts'
import { refer } from './state-document-error.ts'
import type { World } from './world.ts'

/** Throws for the first reference to what is not there; looks at a record with each step. */
export function* checkReferences(world: World): Generator<void> {
  yield* catalogReferences(world)
  yield* subscriptionReferences(world)
  for (const { invoiceId, lines, discounts } of world.invoices.values()) {
    for (const { planId } of lines) yield refer(world.plans, planId, invoiceId)
    for (const { couponId } of discounts) yield refer(world.coupons, couponId, invoiceId)
  }
  for (const { customerId, couponId, chargeId } of world.charges.values()) {
    yield refer(world.customers, customerId, chargeId)
    if (couponId !== null) refer(world.coupons, couponId, chargeId)
  }
  for (const { scope } of world.paymentScripts.values()) {
    const { subscriptionId, customerId } = scope
    yield
    if (subscriptionId !== null) refer(world.subscriptions, subscriptionId, 'payment_scripts')
    if (customerId !== null) refer(world.customers, customerId, 'payment_scripts')
  }
  for (const { familyId } of world.tokens.values())
    yield refer(world.tokenFamilies, familyId, 'tokens')
}

function* catalogReferences(world: World): Generator<void> {
  for (const { productId, planId } of world.plans.values()) {
    yield refer(world.products, productId, planId)
  }
  for (const coupon of world.coupons.values()) yield referLimits(world, coupon, coupon.couponId)
  for (const { couponId, code } of world.promotions.values()) {
    yield refer(world.coupons, couponId, code)
  }
}

function* subscriptionReferences(world: World): Generator<void> {
  for (const subscription of world.subscriptions.values()) {
    const { subscriptionId: id, customerId, planId, pendingPlanId, billed } = subscription
    yield refer(world.customers, customerId, id)
    refer(world.plans, planId, id)
    if (pendingPlanId !== null) refer(world.plans, pendingPlanId, id)
    if (billed !== null) refer(world.invoices, billed.invoiceId, id)
    for (const { couponId } of subscription.discounts) refer(world.coupons, couponId, id)
  }
}

function referLimits(world: World, limits: Limits, couponId: string): void {
  for (const id of limits.appliesToPlans ?? []) refer(world.plans, id, couponId)
  for (const id of limits.appliesToProducts ?? []) refer(world.products, id, couponId)
}
