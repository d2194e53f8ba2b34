/** The products of one sandbox. */
import * as z from 'zod'
import { find } from '../../sandbox/answer.ts'
import { changeProduct, createProduct, remove } from '../../sandbox/commands/catalog.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { ProductCreate, ProductPatch, WireProduct } from '../../wire/catalog.ts'
import { Reference } from '../../wire/fields.ts'
import { patchOrder, productOrder } from '../../wire/orders.ts'
import { presentProduct } from '../present/catalog.ts'
import { askWorld, takePage, tellWorld } from './calls.ts'
import { declareCollection } from './collection.ts'

const declared = declareCollection({
  path: 'products',
  name: 'Product',
  item: WireProduct,
  create: ProductCreate,
  patch: ProductPatch,
  params: z.strictObject({ product_id: Reference }),
})

export const productRoutes = [
  route(declared.list, async ({ query, c }) =>
    ok(await askWorld(c, ({ products }) => takePage(products, query, { present: presentProduct }))),
  ),
  route(declared.create, async ({ body, c }) => {
    const product = await tellWorld(c, (world) => createProduct(world, productOrder(body)))
    return created(`/sandbox/products/${product.productId}`, presentProduct(product))
  }),
  route(declared.retrieve, async ({ params, c }) => {
    const named = { field: 'product_id', id: params.product_id }
    return ok(presentProduct(await askWorld(c, ({ products }) => find(products, named))))
  }),
  route(declared.change, async ({ params, body, c }) => {
    const change = patchOrder(body)
    return ok(
      presentProduct(
        await tellWorld(c, (world) => changeProduct(world, params.product_id, change)),
      ),
    )
  }),
  route(declared.remove, async ({ params, c }) => {
    await tellWorld(c, (world) => remove(world, 'products', params.product_id))
    return noContent()
  }),
]
