/** The calls about what is sold and to whom: products, plans, customers, coupons and promotions. */
import type { Sandbox } from './sandbox.ts'
import { SandboxError } from './sandbox-error.ts'
import { allOf, answered, type Transport } from './transport.ts'

type Catalog = Pick<Sandbox, 'products' | 'plans' | 'customers' | 'coupons' | 'promotions'>

export function catalogCalls({ control }: Transport): Catalog {
  return {
    products: records({
      page: (query) => control.GET('/sandbox/products', { params: { query } }),
      get: (product_id) => control.GET('/sandbox/products/{product_id}', at({ product_id })),
      create: (body) => control.POST('/sandbox/products', { body }),
      update: (product_id, body) =>
        control.PATCH('/sandbox/products/{product_id}', { ...at({ product_id }), body }),
      delete: (product_id) => control.DELETE('/sandbox/products/{product_id}', at({ product_id })),
    }),
    plans: records({
      page: (query) => control.GET('/sandbox/plans', { params: { query } }),
      get: (plan_id) => control.GET('/sandbox/plans/{plan_id}', at({ plan_id })),
      create: (body) => control.POST('/sandbox/plans', { body }),
      update: (plan_id, body) =>
        control.PATCH('/sandbox/plans/{plan_id}', { ...at({ plan_id }), body }),
      delete: (plan_id) => control.DELETE('/sandbox/plans/{plan_id}', at({ plan_id })),
    }),
    customers: records({
      page: (query) => control.GET('/sandbox/customers', { params: { query } }),
      get: (customer_id) => control.GET('/sandbox/customers/{customer_id}', at({ customer_id })),
      create: (body) => control.POST('/sandbox/customers', { body }),
      update: (customer_id, body) =>
        control.PATCH('/sandbox/customers/{customer_id}', { ...at({ customer_id }), body }),
      delete: (customer_id) =>
        control.DELETE('/sandbox/customers/{customer_id}', at({ customer_id })),
    }),
    coupons: records({
      page: (query) => control.GET('/sandbox/coupons', { params: { query } }),
      get: (coupon_id) => control.GET('/sandbox/coupons/{coupon_id}', at({ coupon_id })),
      create: (body) => control.POST('/sandbox/coupons', { body }),
      update: (coupon_id, body) =>
        control.PATCH('/sandbox/coupons/{coupon_id}', { ...at({ coupon_id }), body }),
      delete: (coupon_id) => control.DELETE('/sandbox/coupons/{coupon_id}', at({ coupon_id })),
    }),
    promotions: records({
      page: (query) => control.GET('/sandbox/promotions', { params: { query } }),
      get: (code) => control.GET('/sandbox/promotions/{code}', at({ code })),
      create: (body) => control.POST('/sandbox/promotions', { body }),
      update: (code, body) =>
        control.PATCH('/sandbox/promotions/{code}', { ...at({ code }), body }),
      delete: (code) => control.DELETE('/sandbox/promotions/{code}', at({ code })),
    }),
  }
}

/** A path with its parameters. Throws `SandboxError` for one that would lead to another path. */
export function at<Path extends Readonly<Record<string, string>>>(path: Path) {
  for (const [field, value] of Object.entries(path)) {
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) continue
    const message = `${field} must be an id; got ${JSON.stringify(value)}.`
    const fields = [{ field, message }]
    throw new SandboxError(message, { status: 400, code: 'invalid_request', fields })
  }
  return { params: { path } }
}

/** An answer as the client for one surface gives it. */
type Call<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>

/** The calls behind the records of one kind. */
interface RecordCalls<Value, Create, Patch> {
  readonly page: (query: { after?: string }) => Call<{ data: Value[]; next_after: string | null }>
  readonly get: (id: string) => Call<Value>
  readonly create: (order: Create) => Call<Value>
  readonly update: (id: string, changes: Patch) => Call<Value>
  readonly delete: (id: string) => Call<unknown>
}

/** Checked where it is used: what `Records` promises of a kind is what its calls answer. */
function records<Value, Create, Patch>(calls: RecordCalls<Value, Create, Patch>) {
  return {
    list: async () => allOf((cursor) => answered(calls.page(cursor))),
    get: async (id: string) => answered(calls.get(id)),
    create: async (order: Create) => answered(calls.create(order)),
    update: async (id: string, changes: Patch) => answered(calls.update(id, changes)),
    delete: async (id: string) => {
      await answered(calls.delete(id))
    },
  }
}
