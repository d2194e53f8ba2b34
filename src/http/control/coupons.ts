/** The coupons of one sandbox. */
import * as z from 'zod'
import { find } from '../../sandbox/answer.ts'
import { changeCoupon, createCoupon, remove } from '../../sandbox/commands/catalog.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { CouponCreate, CouponPatch, WireCoupon } from '../../wire/coupon.ts'
import { Reference } from '../../wire/fields.ts'
import { couponOrder, patchOrder } from '../../wire/orders.ts'
import { presentCoupon } from '../present/catalog.ts'
import { askWorld, takePage, tellWorld } from './calls.ts'
import { declareCollection } from './collection.ts'

const declared = declareCollection({
  path: 'coupons',
  name: 'Coupon',
  item: WireCoupon,
  create: CouponCreate,
  patch: CouponPatch,
  params: z.strictObject({ coupon_id: Reference }),
})

export const couponRoutes = [
  route(declared.list, async ({ query, c }) =>
    ok(await askWorld(c, ({ coupons }) => takePage(coupons, query, { present: presentCoupon }))),
  ),
  route(declared.create, async ({ body, c }) => {
    const coupon = await tellWorld(c, (world) => createCoupon(world, couponOrder(body)))
    return created(`/sandbox/coupons/${coupon.couponId}`, presentCoupon(coupon))
  }),
  route(declared.retrieve, async ({ params, c }) => {
    const named = { field: 'coupon_id', id: params.coupon_id }
    return ok(presentCoupon(await askWorld(c, ({ coupons }) => find(coupons, named))))
  }),
  route(declared.change, async ({ params, body, c }) => {
    const change = patchOrder(body)
    return ok(
      presentCoupon(await tellWorld(c, (world) => changeCoupon(world, params.coupon_id, change))),
    )
  }),
  route(declared.remove, async ({ params, c }) => {
    await tellWorld(c, (world) => remove(world, 'coupons', params.coupon_id))
    return noContent()
  }),
]
