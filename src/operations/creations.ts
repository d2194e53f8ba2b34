/**
 * Creating each record of the catalog, from a body or a part of a fixture that its schema has read. It loads no schema, so
 * that a start does without.
 */
import type * as z from 'zod'
import type { CustomerCreate, PlanCreate, ProductCreate } from '../wire/billing/catalog.ts'
import type { CouponCreate, PromotionCreate } from '../wire/billing/coupon.ts'
import { camelKeys } from '../wire/common/case.ts'
import * as commands from '../world/commands/catalog.ts'
import type { World } from '../world/world.ts'

/** What is absent is null: the record has no such limit, or the sandbox generates the identifier. */
export const creations = {
  products: (world: World, body: z.output<typeof ProductCreate>) =>
    commands.createProduct(world, { productId: null, ...camelKeys(body) }),
  plans: (world: World, body: z.output<typeof PlanCreate>) =>
    commands.createPlan(world, { planId: null, ...camelKeys(body) }),
  customers: (world: World, body: z.output<typeof CustomerCreate>) => {
    const absent = { customerId: null, name: null, email: null, currency: null }
    return commands.createCustomer(world, { ...absent, ...camelKeys(body) })
  },
  coupons: (world: World, body: z.output<typeof CouponCreate>) => {
    const terms = { currency: null, duration: null, durationInMonths: null }
    const limits = { maxRedemptions: null, expiresAt: null }
    const absent = { ...terms, ...limits, appliesToPlans: null, appliesToProducts: null }
    return commands.createCoupon(world, { ...absent, ...camelKeys(body) })
  },
  promotions: (world: World, body: z.output<typeof PromotionCreate>) => {
    const absent = { startsAt: null, expiresAt: null, maxRedemptions: null }
    return commands.createPromotion(world, { ...absent, ...camelKeys(body) })
  },
}
