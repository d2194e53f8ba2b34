/** The catalog of one sandbox: products, plans, customers, coupons and promotions. */
import * as catalog from '../../wire/catalog.ts'
import * as coupons from '../../wire/coupon.ts'
import * as commands from '../../world/commands/catalog.ts'
import { collectionRoutes } from './collection.ts'

export const catalogRoutes = [
  ...collectionRoutes({
    path: 'products',
    name: 'Product',
    id: 'product_id',
    item: catalog.WireProduct,
    create: catalog.ProductCreate,
    patch: catalog.ProductPatch,
    records: ({ products }) => products,
    order: catalog.productOrder,
    add: commands.createProduct,
    alter: commands.changeProduct,
  }),
  ...collectionRoutes({
    path: 'plans',
    name: 'Plan',
    id: 'plan_id',
    item: catalog.WirePlan,
    create: catalog.PlanCreate,
    patch: catalog.PlanPatch,
    records: ({ plans }) => plans,
    order: catalog.planOrder,
    add: commands.createPlan,
    alter: commands.changePlanTerms,
  }),
  ...collectionRoutes({
    path: 'customers',
    name: 'Customer',
    id: 'customer_id',
    item: catalog.WireCustomer,
    create: catalog.CustomerCreate,
    patch: catalog.CustomerPatch,
    records: ({ customers }) => customers,
    order: catalog.customerOrder,
    add: commands.createCustomer,
    alter: commands.changeCustomer,
  }),
  ...collectionRoutes({
    path: 'coupons',
    name: 'Coupon',
    id: 'coupon_id',
    item: coupons.WireCoupon,
    create: coupons.CouponCreate,
    patch: coupons.CouponPatch,
    records: (world) => world.coupons,
    order: coupons.couponOrder,
    add: commands.createCoupon,
    alter: commands.changeCoupon,
  }),
  ...collectionRoutes({
    path: 'promotions',
    name: 'Promotion',
    id: 'code',
    item: coupons.WirePromotion,
    create: coupons.PromotionCreate,
    patch: coupons.PromotionPatch,
    records: ({ promotions }) => promotions,
    order: coupons.promotionOrder,
    add: commands.createPromotion,
    alter: commands.changePromotion,
  }),
]
