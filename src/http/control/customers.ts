/** The customers of one sandbox. */
import * as z from 'zod'
import { find } from '../../sandbox/answer.ts'
import { changeCustomer, createCustomer, remove } from '../../sandbox/commands/catalog.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { CustomerCreate, CustomerPatch, WireCustomer } from '../../wire/catalog.ts'
import { Reference } from '../../wire/fields.ts'
import { customerOrder, patchOrder } from '../../wire/orders.ts'
import { presentCustomer } from '../present/catalog.ts'
import { askWorld, takePage, tellWorld } from './calls.ts'
import { declareCollection } from './collection.ts'

const declared = declareCollection({
  path: 'customers',
  name: 'Customer',
  item: WireCustomer,
  create: CustomerCreate,
  patch: CustomerPatch,
  params: z.strictObject({ customer_id: Reference }),
})

export const customerRoutes = [
  route(declared.list, async ({ query, c }) =>
    ok(
      await askWorld(c, ({ customers }) =>
        takePage(customers, query, { present: presentCustomer }),
      ),
    ),
  ),
  route(declared.create, async ({ body, c }) => {
    const customer = await tellWorld(c, (world) => createCustomer(world, customerOrder(body)))
    return created(`/sandbox/customers/${customer.customerId}`, presentCustomer(customer))
  }),
  route(declared.retrieve, async ({ params, c }) => {
    const named = { field: 'customer_id', id: params.customer_id }
    return ok(presentCustomer(await askWorld(c, ({ customers }) => find(customers, named))))
  }),
  route(declared.change, async ({ params, body, c }) => {
    const change = patchOrder(body)
    return ok(
      presentCustomer(
        await tellWorld(c, (world) => changeCustomer(world, params.customer_id, change)),
      ),
    )
  }),
  route(declared.remove, async ({ params, c }) => {
    await tellWorld(c, (world) => remove(world, 'customers', params.customer_id))
    return noContent()
  }),
]
