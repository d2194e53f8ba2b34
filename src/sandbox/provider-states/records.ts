/** Records that provider states name: found, or made with terms that any contract can live with. */
import { isRefusal } from '../../billing/refusal.ts'
import { CustomerCreate, PlanCreate } from '../../wire/catalog.ts'
import { CouponCreate } from '../../wire/coupon.ts'
import { couponOrder, customerOrder, planOrder } from '../../wire/orders.ts'
import type { Told } from '../answer.ts'
import { createCoupon, createCustomer, createPlan, createProduct } from '../commands/catalog.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'

/** The records that states speak of unless they name others. */
export const usual = {
  customerId: 'cus_ada',
  withoutPaymentMethod: 'cus_grace',
  planId: 'basic',
  higherPlanId: 'pro',
  couponId: 'SAVE20',
  productId: 'prod_app',
  currency: 'USD',
} as const

/** Carries out commands one after another; answers the first refusal. */
export function each(...steps: (() => Told<unknown> | Refusal | null)[]): Refusal | null {
  for (const step of steps) {
    const answer = step()
    if (isRefusal(answer)) return answer
  }
  return null
}

/** Sees to it that there is such a product. */
function ensureProduct(world: World, productId: string): Refusal | null {
  if (world.products.has(productId)) return null
  return each(() => createProduct(world, { productId, name: productId }))
}

/** Sees to it that there is such a customer: one that can pay, in whatever currency comes first. */
export function ensureCustomer(world: World, customerId: string): Refusal | null {
  if (world.customers.has(customerId)) return null
  return putCustomer(world, customerId, {})
}

/** Sees to it that there is such a plan: 10.00 a month, unless told otherwise. */
export function ensurePlan(world: World, planId: string, terms: object = {}): Refusal | null {
  return world.plans.has(planId) ? null : putPlan(world, planId, terms)
}

/** Sees to it that there is such a coupon: 20 percent off once, unless told otherwise. */
export function ensureCoupon(world: World, couponId: string, terms: object = {}): Refusal | null {
  return world.coupons.has(couponId) ? null : putCoupon(world, couponId, terms)
}

/** Puts a customer with these terms, as the wire spells them, in the place of whoever has its id. */
export function putCustomer(world: World, customerId: string, terms: object): Refusal | null {
  world.customers.delete(customerId)
  const body = CustomerCreate.parse({ customer_id: customerId, ...terms })
  return each(() => createCustomer(world, customerOrder(body)))
}

/** Puts a plan in the place of the one that has its id, and makes its product where that is not there. */
export function putPlan(world: World, planId: string, terms: object): Refusal | null {
  world.plans.delete(planId)
  const body = PlanCreate.parse({ ...planTerms(planId), ...terms })
  return each(
    () => ensureProduct(world, body.product_id),
    () => createPlan(world, planOrder(body)),
  )
}

/** Puts a coupon in the place of the one that has its id, and makes the plans and products that it is limited to. */
export function putCoupon(world: World, couponId: string, terms: object): Refusal | null {
  world.coupons.delete(couponId)
  const coupon = couponOrder(CouponCreate.parse(couponTerms(couponId, terms)))
  return each(
    ...(coupon.appliesToPlans ?? []).map((planId) => () => ensurePlan(world, planId)),
    ...(coupon.appliesToProducts ?? []).map((id) => () => ensureProduct(world, id)),
    () => createCoupon(world, coupon),
  )
}

/** The terms of a coupon, where nothing else is said: 20 percent once; 5.00 where it is fixed, 14 days of trial. */
export function couponTerms(couponId: string, terms: object): Record<string, unknown> {
  const said: Record<string, unknown> = { coupon_id: couponId, type: 'percentage', ...terms }
  const value = { percentage: 20, fixed: 500, trial_extension: 14 }[String(said['type'])]
  const currency = said['type'] === 'fixed' ? { currency: usual.currency } : {}
  const duration = 'duration_in_months' in said ? { duration: 'repeating' } : {}
  return { value, ...currency, ...duration, ...said }
}

/** The terms of a plan of which nothing is said. */
function planTerms(planId: string) {
  const { productId, currency } = usual
  return {
    plan_id: planId,
    product_id: productId,
    name: planId,
    amount: 1000,
    currency,
    interval: 'month',
  }
}
