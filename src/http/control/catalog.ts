/** The catalog of one sandbox: products, plans, customers, coupons and promotions. */

import { patchOrder } from '../../wire/case.ts'
import * as wire from '../../wire/catalog.ts'
import * as coupons from '../../wire/coupon.ts'
import { couponOrder, promotionOrder } from '../../wire/coupon.ts'
import {
  changeCoupon,
  changeCustomer,
  changePlanTerms,
  changeProduct,
  changePromotion,
  createCoupon,
  createCustomer,
  createPlan,
  createProduct,
  createPromotion,
} from '../../world/commands/catalog.ts'
import { collectionRoutes } from './collection.ts'

export const catalogRoutes = [
  ...collectionRoutes({
    path: 'products',
    name: 'Product',
    id: 'product_id',
    item: wire.WireProduct,
    create: wire.ProductCreate,
    patch: wire.ProductPatch,
    records: ({ products }) => products,
    add: (world, body) => createProduct(world, wire.productOrder(body)),
    alter: (world, id, patch) => changeProduct(world, id, patchOrder(patch)),
    present: wire.presentProduct,
  }),
  ...collectionRoutes({
    path: 'plans',
    name: 'Plan',
    id: 'plan_id',
    item: wire.WirePlan,
    create: wire.PlanCreate,
    patch: wire.PlanPatch,
    records: ({ plans }) => plans,
    add: (world, body) => createPlan(world, wire.planOrder(body)),
    alter: (world, id, patch) => changePlanTerms(world, id, patchOrder(patch)),
    present: wire.presentPlan,
  }),
  ...collectionRoutes({
    path: 'customers',
    name: 'Customer',
    id: 'customer_id',
    item: wire.WireCustomer,
    create: wire.CustomerCreate,
    patch: wire.CustomerPatch,
    records: ({ customers }) => customers,
    add: (world, body) => createCustomer(world, wire.customerOrder(body)),
    alter: (world, id, patch) => changeCustomer(world, id, patchOrder(patch)),
    present: wire.presentCustomer,
  }),
  ...collectionRoutes({
    path: 'coupons',
    name: 'Coupon',
    id: 'coupon_id',
    item: coupons.WireCoupon,
    create: coupons.CouponCreate,
    patch: coupons.CouponPatch,
    records: (world) => world.coupons,
    add: (world, body) => createCoupon(world, couponOrder(body)),
    alter: (world, id, patch) => changeCoupon(world, id, patchOrder(patch)),
    present: coupons.presentCoupon,
  }),
  ...collectionRoutes({
    path: 'promotions',
    name: 'Promotion',
    id: 'code',
    item: coupons.WirePromotion,
    create: coupons.PromotionCreate,
    patch: coupons.PromotionPatch,
    records: ({ promotions }) => promotions,
    add: (world, body) => createPromotion(world, promotionOrder(body)),
    alter: (world, id, patch) => changePromotion(world, id, patchOrder(patch)),
    present: coupons.presentPromotion,
  }),
]
