/** The catalog of one sandbox: products, plans, customers, coupons and promotions. */
import { camelKeys } from '../wire/case.ts'
import * as catalog from '../wire/catalog.ts'
import * as coupons from '../wire/coupon.ts'
import * as commands from '../world/commands/catalog.ts'
import { collectionOperations } from './collection.ts'

export const catalogOperations = [
  ...collectionOperations({
    path: 'products',
    name: 'Product',
    id: 'product_id',
    item: catalog.WireProduct,
    refusals: { delete: ['in_use'] },
    create: catalog.ProductCreate,
    patch: catalog.ProductPatch,
    records: ({ products }) => products,
    add: (world, body) => commands.createProduct(world, { productId: null, ...camelKeys(body) }),
    alter: commands.changeProduct,
  }),
  ...collectionOperations({
    path: 'plans',
    name: 'Plan',
    id: 'plan_id',
    item: catalog.WirePlan,
    refusals: { create: ['not_found'], delete: ['in_use'] },
    create: catalog.PlanCreate,
    patch: catalog.PlanPatch,
    records: ({ plans }) => plans,
    add: (world, body) => commands.createPlan(world, { planId: null, ...camelKeys(body) }),
    alter: commands.changePlanTerms,
  }),
  ...collectionOperations({
    path: 'customers',
    name: 'Customer',
    id: 'customer_id',
    item: catalog.WireCustomer,
    refusals: { delete: ['in_use'] },
    create: catalog.CustomerCreate,
    patch: catalog.CustomerPatch,
    records: ({ customers }) => customers,
    add: (world, body) => {
      const absent = { customerId: null, name: null, email: null, currency: null }
      return commands.createCustomer(world, { ...absent, ...camelKeys(body) })
    },
    alter: commands.changeCustomer,
  }),
  ...collectionOperations({
    path: 'coupons',
    name: 'Coupon',
    id: 'coupon_id',
    item: coupons.WireCoupon,
    refusals: { create: ['not_found'], change: ['in_use'], delete: ['in_use'] },
    create: coupons.CouponCreate,
    patch: coupons.CouponPatch,
    records: (world) => world.coupons,
    add: (world, body) => commands.createCoupon(world, coupons.couponOrder(body)),
    alter: commands.changeCoupon,
  }),
  ...collectionOperations({
    path: 'promotions',
    name: 'Promotion',
    id: 'code',
    item: coupons.WirePromotion,
    refusals: { create: ['not_found'], change: ['in_use'] },
    create: coupons.PromotionCreate,
    patch: coupons.PromotionPatch,
    records: ({ promotions }) => promotions,
    add: (world, body) => {
      const absent = { startsAt: null, expiresAt: null, maxRedemptions: null }
      return commands.createPromotion(world, { ...absent, ...camelKeys(body) })
    },
    alter: commands.changePromotion,
  }),
]
