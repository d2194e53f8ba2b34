/** The promotions of one sandbox. */
import * as z from 'zod'
import { find } from '../../sandbox/answer.ts'
import { changePromotion, createPromotion, remove } from '../../sandbox/commands/catalog.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { PromotionCreate, PromotionPatch, WirePromotion } from '../../wire/coupon.ts'
import { Reference } from '../../wire/fields.ts'
import { patchOrder, promotionOrder } from '../../wire/orders.ts'
import { presentPromotion } from '../present/catalog.ts'
import { askWorld, takePage, tellWorld } from './calls.ts'
import { declareCollection } from './collection.ts'

const declared = declareCollection({
  path: 'promotions',
  name: 'Promotion',
  item: WirePromotion,
  create: PromotionCreate,
  patch: PromotionPatch,
  params: z.strictObject({ code: Reference }),
})

export const promotionRoutes = [
  route(declared.list, async ({ query, c }) =>
    ok(
      await askWorld(c, ({ promotions }) =>
        takePage(promotions, query, { present: presentPromotion }),
      ),
    ),
  ),
  route(declared.create, async ({ body, c }) => {
    const promotion = await tellWorld(c, (world) => createPromotion(world, promotionOrder(body)))
    return created(`/sandbox/promotions/${promotion.code}`, presentPromotion(promotion))
  }),
  route(declared.retrieve, async ({ params, c }) => {
    const named = { field: 'code', id: params.code }
    return ok(presentPromotion(await askWorld(c, ({ promotions }) => find(promotions, named))))
  }),
  route(declared.change, async ({ params, body, c }) => {
    const change = patchOrder(body)
    return ok(
      presentPromotion(await tellWorld(c, (world) => changePromotion(world, params.code, change))),
    )
  }),
  route(declared.remove, async ({ params, c }) => {
    await tellWorld(c, (world) => remove(world, 'promotions', params.code))
    return noContent()
  }),
]
