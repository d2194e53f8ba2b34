/** Records that provider states name: found, or made with terms that any contract can live with. */
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { CustomerCreate, customerOrder, PlanCreate, planOrder } from '../../wire/catalog.ts'
import { CouponCreate, couponOrder } from '../../wire/coupon.ts'
import type { Executed } from '../../world/answer.ts'
import {
  createCoupon,
  createCustomer,
  createPlan,
  createProduct,
} from '../../world/commands/catalog.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'

/** The records that states speak of unless they name others. */
export const usual = {
  customerId: 'cus_ada',
  planId: 'basic',
  higherPlanId: 'pro',
  couponId: 'SAVE20',
  productId: 'prod_app',
  currency: 'USD',
} as const

/** Carries out commands one after another; answers the first refusal. */
export function each(...steps: (() => Executed<unknown> | Refusal | null)[]): Refusal | null {
  for (const step of steps) {
    const answer = step()
    if (isRefusal(answer)) return answer
  }
  return null
}

/** A customer, a plan or a coupon, by its identifier. */
export type RecordName = readonly [kind: keyof typeof kinds, id: string]

/** Makes a record where it is not there: with these terms, as the wire spells them, and usual ones beside them. */
export function ensure(world: World, [kind, id]: RecordName, terms = {}): Refusal | null {
  return world[kind].has(id) ? null : kinds[kind].make(world, id, terms)
}

/** Makes a record with just these terms in place of the one that is there; without any, that one stays. */
export function put(world: World, [kind, id]: RecordName, terms: object): Refusal | null {
  if (Object.keys(terms).length === 0) return ensure(world, [kind, id])
  if (kinds[kind].isUsed(world, id)) {
    return refuse('in_use', `${kind} "${id}" is in use and keeps its terms; put this state first.`)
  }
  world[kind].delete(id)
  return kinds[kind].make(world, id, terms)
}

const kinds = {
  customers: { make: makeCustomer, isUsed: isCustomerUsed },
  plans: { make: makePlan, isUsed: isPlanUsed },
  coupons: { make: makeCoupon, isUsed: isCouponUsed },
}

function makeCustomer(world: World, customerId: string, terms: object): Refusal | null {
  const body = CustomerCreate.parse({ customer_id: customerId, ...terms })
  return each(() => createCustomer(world, customerOrder(body)))
}

function isCustomerUsed(world: World, customerId: string): boolean {
  return [...world.subscriptions.values(), ...world.charges.values()].some(
    (record) => record.customerId === customerId,
  )
}

/** 10.00 a month, where the terms do not say otherwise. */
function makePlan(world: World, planId: string, terms: object): Refusal | null {
  const { productId, currency } = usual
  const named = { plan_id: planId, product_id: productId, name: planId }
  const body = PlanCreate.parse({ ...named, amount: 1000, currency, interval: 'month', ...terms })
  return each(
    () => ensureProduct(world, body.product_id),
    () => createPlan(world, planOrder(body)),
  )
}

function isPlanUsed(world: World, planId: string): boolean {
  const isTaken = [...world.subscriptions.values()].some(
    (taken) => taken.planId === planId || taken.pendingPlanId === planId,
  )
  const lines = [...world.invoices.values()].flatMap((invoice) => invoice.lines)
  return isTaken || lines.some((line) => line.planId === planId)
}

/** Makes the plans and products that it is limited to as well. */
function makeCoupon(world: World, couponId: string, terms: object): Refusal | null {
  const coupon = couponOrder(CouponCreate.parse(couponTerms(couponId, terms)))
  return each(
    ...(coupon.appliesToPlans ?? []).map((id) => () => ensure(world, ['plans', id])),
    ...(coupon.appliesToProducts ?? []).map((id) => () => ensureProduct(world, id)),
    () => createCoupon(world, coupon),
  )
}

function isCouponUsed(world: World, couponId: string): boolean {
  return (world.coupons.get(couponId)?.timesRedeemed ?? 0) > 0
}

function ensureProduct(world: World, productId: string): Refusal | null {
  if (world.products.has(productId)) return null
  return each(() => createProduct(world, { productId, name: productId }))
}

/** The terms of a coupon, where nothing else is said: 20 percent once; 5.00 where it is fixed, 14 days of trial. */
export function couponTerms(couponId: string, terms: object): Record<string, unknown> {
  const said: Record<string, unknown> = { coupon_id: couponId, type: 'percentage', ...terms }
  const value = { percentage: 20, fixed: 500, trial_extension: 14 }[String(said['type'])]
  const currency = said['type'] === 'fixed' ? { currency: usual.currency } : {}
  const duration = 'duration_in_months' in said ? { duration: 'repeating' } : {}
  return { value, ...currency, ...duration, ...said }
}
