/**
 * Commands on what can be sold and to whom: products, plans, customers, coupons and promotions. Owns that ids are
 * unique and that nothing is deleted while something refers to it.
 */
import type { Plan, Product } from '../../billing/catalog.ts'
import type { Coupon, Promotion } from '../../billing/coupon.ts'
import type { Customer } from '../../billing/customer.ts'
import { COUNT_MAX } from '../../billing/money.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { type Executed, executed, find, notFound } from '../answer.ts'
import { refuseWhenFull } from '../capacity.ts'
import type { Refusal } from '../refusal.ts'
import type { Sequences } from '../sequences.ts'
import type { World } from '../world.ts'

/** A record before it has an id of its own; null has one counted for it. */
export type NewProduct = Omit<Product, 'productId'> & { readonly productId: string | null }
export type NewPlan = Omit<Plan, 'planId'> & { readonly planId: string | null }
export type NewCustomer = Omit<Customer, 'customerId' | 'balanceGranted'> & {
  readonly customerId: string | null
}
type WithoutCount<Each> = Each extends Coupon ? Omit<Each, 'timesRedeemed'> : never
export type NewCoupon = WithoutCount<Coupon>
type CouponLimits = Pick<
  NewCoupon,
  'maxRedemptions' | 'expiresAt' | 'appliesToPlans' | 'appliesToProducts' | 'stackable'
>
export type NewPromotion = Omit<Promotion, 'timesRedeemed'>

export function createProduct(world: World, order: NewProduct): Executed<Product> | Refusal {
  const full = refuseWhenFull(world, 1)
  if (full !== null) return full
  const productId = order.productId ?? countedId(world, 'products')
  return add(world.products, { field: 'product_id', id: productId }, { ...order, productId })
}

export function createPlan(world: World, order: NewPlan): Executed<Plan> | Refusal {
  const full = refuseWhenFull(world, 1)
  if (full !== null) return full
  const product = find(world.products, { field: 'product_id', id: order.productId })
  if (isRefusal(product)) return product
  const planId = order.planId ?? countedId(world, 'plans')
  return add(world.plans, { field: 'plan_id', id: planId }, { ...order, planId })
}

export function createCustomer(world: World, order: NewCustomer): Executed<Customer> | Refusal {
  const full = refuseWhenFull(world, 1)
  if (full !== null) return full
  const customerId = order.customerId ?? countedId(world, 'customers')
  const customer = { ...order, customerId, balanceGranted: order.balance }
  return add(world.customers, { field: 'customer_id', id: customerId }, customer)
}

export function createCoupon(world: World, order: NewCoupon): Executed<Coupon> | Refusal {
  const full = refuseWhenFull(world, 1)
  if (full !== null) return full
  const missing = refuseUnknownLimits(world, order)
  if (missing !== null) return missing
  const coupon = { ...order, timesRedeemed: 0 }
  return add(world.coupons, { field: 'coupon_id', id: order.couponId }, coupon)
}

export function createPromotion(world: World, order: NewPromotion): Executed<Promotion> | Refusal {
  const full = refuseWhenFull(world, 1)
  if (full !== null) return full
  const coupon = find(world.coupons, { field: 'coupon_id', id: order.couponId })
  if (isRefusal(coupon)) return coupon
  const window = refuseWindow(order)
  if (window !== null) return window
  const promotion = { ...order, timesRedeemed: 0 }
  return add(world.promotions, { field: 'code', id: order.code }, promotion)
}

/** Changes a customer; a balance set by hand counts as given by hand. */
export function changeCustomer(
  world: World,
  id: string,
  change: Partial<Pick<Customer, 'name' | 'email' | 'paymentMethod' | 'balance'>>,
): Executed<Customer> | Refusal {
  const customer = find(world.customers, { field: 'customer_id', id })
  if (isRefusal(customer)) return customer
  const granted = (change.balance ?? customer.balance) - customer.balance
  const changed = {
    ...customer,
    ...change,
    balanceGranted: customer.balanceGranted + granted,
  }
  world.customers.set(id, changed)
  return executed(changed)
}

/** Changes the limits of a coupon; discounts that run keep the terms they had. */
export function changeCoupon(
  world: World,
  id: string,
  change: Partial<CouponLimits>,
): Executed<Coupon> | Refusal {
  const coupon = find(world.coupons, { field: 'coupon_id', id })
  if (isRefusal(coupon)) return coupon
  const refusal =
    refuseUnknownLimits(world, { ...coupon, ...change }) ?? refuseLimit(coupon, change)
  if (refusal !== null) return refusal
  const changed = { ...coupon, ...change }
  world.coupons.set(id, changed)
  return executed(changed)
}

export function changePromotion(
  world: World,
  id: string,
  change: Partial<NewPromotion>,
): Executed<Promotion> | Refusal {
  const promotion = find(world.promotions, { field: 'code', id })
  if (isRefusal(promotion)) return promotion
  const changed = { ...promotion, ...change }
  const refusal = refuseWindow(changed) ?? refuseLimit(promotion, change)
  if (refusal !== null) return refusal
  world.promotions.set(id, changed)
  return executed(changed)
}

export function changeProduct(
  world: World,
  id: string,
  change: Partial<Pick<Product, 'name'>>,
): Executed<Product> | Refusal {
  return alter(world.products, { field: 'product_id', id }, change)
}

/** Changes a plan's name or price; what was billed already stays as it was. */
export function changePlanTerms(
  world: World,
  id: string,
  change: Partial<Pick<Plan, 'name' | 'amount'>>,
): Executed<Plan> | Refusal {
  return alter(world.plans, { field: 'plan_id', id }, change)
}

/** The collections that things can be deleted from. */
export type Deletable = 'products' | 'plans' | 'customers' | 'coupons' | 'promotions'

const idFields = {
  products: 'product_id',
  plans: 'plan_id',
  customers: 'customer_id',
  coupons: 'coupon_id',
  promotions: 'code',
} as const satisfies Record<Deletable, string>

/** Deletes a record that nothing refers to. */
export function remove(world: World, from: Deletable, id: string): Executed<null> | Refusal {
  const field = idFields[from]
  if (!world[from].has(id)) return notFound({ field, id }, world[from])
  const referrer = referrers[from](world, id)
  if (referrer !== null) {
    return refuse('in_use', `${field} "${id}" is in use by ${referrer}.`)
  }
  world[from].delete(id)
  if (from === 'customers') world.paymentScripts.delete(`customer ${id}`)
  return executed(null)
}

const referrers: Record<Deletable, (world: World, id: string) => string | null> = {
  products: (world, id) =>
    first(world.plans, (plan) => plan.productId === id, 'plan') ??
    first(world.coupons, (coupon) => listed(coupon.appliesToProducts, id), 'coupon'),
  plans: (world, id) =>
    first(
      world.subscriptions,
      (each) => each.planId === id || each.pendingPlanId === id,
      'subscription',
    ) ??
    first(world.invoices, ({ lines }) => lines.some((line) => line.planId === id), 'invoice') ??
    first(world.coupons, (coupon) => listed(coupon.appliesToPlans, id), 'coupon'),
  customers: (world, id) =>
    first(world.subscriptions, (each) => each.customerId === id, 'subscription') ??
    first(world.charges, (each) => each.customerId === id, 'charge'),
  coupons: (world, id) =>
    first(world.promotions, (promotion) => promotion.couponId === id, 'promotion') ??
    first(
      world.subscriptions,
      ({ discounts }) => discounts.some((discount) => discount.couponId === id),
      'subscription',
    ) ??
    first(world.charges, (each) => each.couponId === id, 'charge') ??
    first(world.invoices, (each) => each.discounts.some((off) => off.couponId === id), 'invoice'),
  promotions: () => null,
}

function first<Value>(
  records: ReadonlyMap<string, Value>,
  refers: (record: Value) => boolean,
  kind: string,
): string | null {
  for (const [id, record] of records) if (refers(record)) return `${kind} "${id}"`
  return null
}

function listed(ids: readonly string[] | null, id: string): boolean {
  return ids?.includes(id) ?? false
}

function add<Value>(
  records: Map<string, Value>,
  { field, id }: { readonly field: string; readonly id: string },
  record: Value,
): Executed<Value> | Refusal {
  if (records.has(id)) {
    return refuse('exists', `${field} "${id}" exists already; choose another one.`)
  }
  records.set(id, record)
  return executed(record)
}

function alter<Value>(
  records: Map<string, Value>,
  name: { readonly field: string; readonly id: string },
  change: Partial<NoInfer<Value>>,
): Executed<Value> | Refusal {
  const record = find(records, name)
  if (isRefusal(record)) return record
  const changed = { ...record, ...change }
  records.set(name.id, changed)
  return executed(changed)
}

function refuseUnknownLimits(
  world: World,
  limits: Pick<Coupon, 'appliesToPlans' | 'appliesToProducts'>,
): Refusal | null {
  for (const id of limits.appliesToPlans ?? []) {
    const plan = find(world.plans, { field: 'applies_to_plans', id })
    if (isRefusal(plan)) return plan
  }
  for (const id of limits.appliesToProducts ?? []) {
    const product = find(world.products, { field: 'applies_to_products', id })
    if (isRefusal(product)) return product
  }
  return null
}

/** A promotion that never runs is a mistake of whoever wrote its dates. */
function refuseWindow({
  startsAt,
  expiresAt,
}: Pick<Promotion, 'startsAt' | 'expiresAt'>): Refusal | null {
  if (startsAt === null || expiresAt === null || startsAt < expiresAt) return null
  return refuse(
    'invalid_request',
    `starts_at must be before expires_at; got "${startsAt}" and "${expiresAt}".`,
  )
}

/** A limit below what was redeemed already would make the books contradict themselves. */
function refuseLimit(
  rule: { readonly timesRedeemed: number },
  change: { readonly maxRedemptions?: number | null },
): Refusal | null {
  const limit = change.maxRedemptions ?? null
  if (limit === null || limit >= rule.timesRedeemed) return null
  return refuse(
    'in_use',
    `max_redemptions must be at least ${rule.timesRedeemed}, the redemptions already made; got ${limit}.`,
  )
}

/** Ids that callers chose may look like counted ones, so those are passed over. */
function countedId(world: World, kind: 'products' | 'plans' | 'customers'): string {
  const sequences: Sequences = world.sequences
  const prefix = { products: 'prod', plans: 'plan', customers: 'cus' }[kind]
  for (;;) {
    // Ids are looked up, so that one who counted to the end can begin again.
    sequences[kind] = (sequences[kind] % COUNT_MAX) + 1
    const id = `${prefix}_${String(sequences[kind]).padStart(6, '0')}`
    if (!world[kind].has(id)) return id
  }
}
