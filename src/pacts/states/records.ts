/** Records that provider states name: found, or made with terms that any contract can live with. */
import { CustomerCreate, customerOrder, PlanCreate, planOrder } from '../../wire/catalog.ts'
import { CouponCreate, couponOrder } from '../../wire/coupon.ts'
import {
  createCoupon,
  createCustomer,
  createPlan,
  createProduct,
  isBilledWith,
} from '../../world/commands/catalog.ts'
import type { World } from '../../world/world.ts'
import { must, stop } from './refused.ts'

/** The records that states speak of unless they name others. */
export const usual = {
  customerId: 'cus_ada',
  planId: 'basic',
  higherPlanId: 'pro',
  couponId: 'SAVE20',
  productId: 'prod_app',
  currency: 'USD',
} as const

/** A customer, a plan or a coupon, by its identifier. */
export type RecordName = readonly [kind: keyof typeof kinds, id: string]

/** Makes a record where it is not there: with these terms, as the wire spells them, and usual ones beside them. */
export function ensure(world: World, [kind, id]: RecordName, terms = {}): void {
  if (!world[kind].has(id)) kinds[kind].make(world, id, terms)
}

/** Makes a record with just these terms in place of the one that is there; without any, that one stays. */
export async function put(world: World, [kind, id]: RecordName, terms: object): Promise<void> {
  if (Object.keys(terms).length > 0) {
    if (await kinds[kind].isUsed(world, id)) {
      stop('in_use', `${kind} "${id}" is in use and keeps its terms; put this state first.`)
    }
    world[kind].delete(id)
  }
  ensure(world, [kind, id], terms)
}

/** The record of an id that is known to be there. */
export function recordOf<Value>(records: ReadonlyMap<string, Value>, id: string): Value {
  const value = records.get(id)
  if (value === undefined) throw new Error(`${id} is gone`)
  return value
}

const kinds = {
  customers: {
    make: makeCustomer,
    isUsed: (world: World, id: string) => isBilledWith(world, 'customers', id),
  },
  plans: { make: makePlan, isUsed: (world: World, id: string) => isBilledWith(world, 'plans', id) },
  coupons: { make: makeCoupon, isUsed: isCouponUsed },
}

function makeCustomer(world: World, customerId: string, terms: object): void {
  const body = CustomerCreate.parse({ customer_id: customerId, ...terms })
  must(createCustomer(world, customerOrder(body)))
}

/** 10.00 a month, where the terms do not say otherwise. */
function makePlan(world: World, planId: string, terms: object): void {
  const { productId, currency } = usual
  const named = { plan_id: planId, product_id: productId, name: planId }
  const body = PlanCreate.parse({ ...named, amount: 1000, currency, interval: 'month', ...terms })
  ensureProduct(world, body.product_id)
  must(createPlan(world, planOrder(body)))
}

/** Makes the plans and products that it is limited to as well. */
function makeCoupon(world: World, couponId: string, terms: object): void {
  const coupon = couponOrder(CouponCreate.parse(couponTerms(couponId, terms)))
  for (const id of coupon.appliesToPlans ?? []) ensure(world, ['plans', id])
  for (const id of coupon.appliesToProducts ?? []) ensureProduct(world, id)
  must(createCoupon(world, coupon))
}

function isCouponUsed(world: World, couponId: string): boolean {
  return (world.coupons.get(couponId)?.timesRedeemed ?? 0) > 0
}

function ensureProduct(world: World, productId: string): void {
  if (!world.products.has(productId)) must(createProduct(world, { productId, name: productId }))
}

/** The terms of a coupon, where nothing else is given: 20 percent once; 5.00 where it is fixed, 14 days of trial. */
export function couponTerms(couponId: string, terms: object): Record<string, unknown> {
  const given: Record<string, unknown> = { coupon_id: couponId, type: 'percentage', ...terms }
  const value = { percentage: 20, fixed: 500, trial_extension: 14 }[String(given['type'])]
  const currency = given['type'] === 'fixed' ? { currency: usual.currency } : {}
  const duration = 'duration_in_months' in given ? { duration: 'repeating' } : {}
  return { value, ...currency, ...duration, ...given }
}
