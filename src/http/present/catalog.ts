/** Products, plans, customers, coupons and promotions as the wire shows them. */
import type { Plan, Product } from '../../billing/catalog.ts'
import type { Coupon, Promotion } from '../../billing/coupon.ts'
import type { Customer } from '../../billing/customer.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { WireCustomer, WirePlan, WireProduct } from '../../wire/catalog.ts'
import type { WireCoupon, WirePromotion } from '../../wire/coupon.ts'

/** A product on the wire. */
export function presentProduct(product: Product): WireProduct {
  return snakeKeys(product)
}

/** A plan on the wire. */
export function presentPlan(plan: Plan): WirePlan {
  return snakeKeys(plan)
}

/** A customer on the wire; how the balance came about is no part of it. */
export function presentCustomer({ balanceGranted: _, ...customer }: Customer): WireCustomer {
  return snakeKeys(customer)
}

/** A coupon on the wire. */
export function presentCoupon(coupon: Coupon): WireCoupon {
  return snakeKeys(coupon)
}

/** A promotion on the wire. */
export function presentPromotion(promotion: Promotion): WirePromotion {
  return snakeKeys(promotion)
}
