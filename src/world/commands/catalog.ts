/**
 * Commands on products, plans, customers, coupons and promotions. Owns that ids are unique and that no record is
 * deleted while another refers to it.
 */
import type { Plan, Product } from '../../billing/catalog.ts'
import type { Coupon, Promotion } from '../../billing/coupon.ts'
import type { Customer } from '../../billing/customer.ts'
import { numberedId } from '../../billing/id.ts'
import { COUNT_MAX } from '../../billing/money.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { checkCapacity } from '../capacity.ts'
import { type CollectionName, collectionNames, type RecordOf, recordsOf } from '../collections.ts'
import { type IdsOf, references } from '../references.ts'
import type { Refusal } from '../refusal.ts'
import { checkExists, findRecord, type Success, success } from '../results.ts'
import type { Sequences } from '../sequences.ts'
import { runInSlices } from '../time-slice.ts'
import { putRecord, type World } from '../world.ts'

/** A record without its id; null means that the sandbox assigns the next counted id. */
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

export function createProduct(world: World, order: NewProduct) {
  const record = () => ({ ...order, productId: order.productId ?? nextId(world, 'products') })
  return addRecord(world, 'products', { id: order.productId, record })
}

export function createPlan(world: World, order: NewPlan) {
  const record = () => ({ ...order, planId: order.planId ?? nextId(world, 'plans') })
  return (
    checkExists(world.products, 'product_id', order.productId) ??
    addRecord(world, 'plans', { id: order.planId, record })
  )
}

export function createCustomer(world: World, order: NewCustomer) {
  const record = () => {
    const customerId = order.customerId ?? nextId(world, 'customers')
    return { ...order, customerId, balanceGranted: order.balance }
  }
  return addRecord(world, 'customers', { id: order.customerId, record })
}

export function createCoupon(world: World, order: NewCoupon) {
  const record = (): Coupon => ({ ...order, timesRedeemed: 0 })
  return (
    checkLimitsExist(world, order) ?? addRecord(world, 'coupons', { id: order.couponId, record })
  )
}

export function createPromotion(world: World, order: NewPromotion) {
  const record = () => ({ ...order, timesRedeemed: 0 })
  return (
    checkExists(world.coupons, 'coupon_id', order.couponId) ??
    checkWindow(order) ??
    addRecord(world, 'promotions', { id: order.code, record })
  )
}

export function changeProduct(world: World, id: string, change: Partial<Pick<Product, 'name'>>) {
  return changeRecord(world, 'products', { id, to: (product) => ({ ...product, ...change }) })
}

/** Changes a plan's name or price; existing invoices do not change. */
export function changePlanTerms(
  world: World,
  id: string,
  change: Partial<Pick<Plan, 'name' | 'amount'>>,
) {
  const amount = world.plans.get(id)?.amount
  const altered = changeRecord(world, 'plans', { id, to: (plan) => ({ ...plan, ...change }) })
  if (isRefusal(altered) || altered.value.amount === amount) return altered
  return success(altered.value, ['price-change'])
}

/** Changes a customer. A new balance is recorded as set by hand; what was set in all must stay an exact number. */
export function changeCustomer(
  world: World,
  id: string,
  change: Partial<Pick<Customer, 'name' | 'email' | 'paymentMethod' | 'balance'>>,
) {
  const to = (customer: Customer): Customer | Refusal => {
    const granted = (change.balance ?? customer.balance) - customer.balance
    const balanceGranted = customer.balanceGranted + granted
    if (Number.isSafeInteger(balanceGranted)) return { ...customer, ...change, balanceGranted }
    const rule = `balance must bring what customer "${id}" was given in all to no more than`
    return refuse('invalid_request', `${rule} ${Number.MAX_SAFE_INTEGER}; got ${change.balance}.`)
  }
  return changeRecord(world, 'customers', { id, to })
}

/** Changes the limits of a coupon; existing discounts keep their terms. */
export function changeCoupon(world: World, id: string, change: Partial<CouponLimits>) {
  const to = (coupon: Coupon): Coupon | Refusal => {
    const changed = { ...coupon, ...change }
    return checkLimitsExist(world, changed) ?? checkLimit(coupon, change) ?? changed
  }
  return changeRecord(world, 'coupons', { id, to })
}

export function changePromotion(world: World, id: string, change: Partial<NewPromotion>) {
  const to = (promotion: Promotion): Promotion | Refusal => {
    const changed = { ...promotion, ...change }
    return checkWindow(changed) ?? checkLimit(promotion, change) ?? changed
  }
  return changeRecord(world, 'promotions', { id, to })
}

export type Deletable = 'products' | 'plans' | 'customers' | 'coupons' | 'promotions'

/** The field that identifies a record. */
export const idFields = {
  products: 'product_id',
  plans: 'plan_id',
  customers: 'customer_id',
  coupons: 'coupon_id',
  promotions: 'code',
} as const satisfies Record<Deletable, string>

/** The index that finds the records that refer to these. */
const ownerFields: { readonly [Name in Deletable]?: string } = { customers: 'customerId' }

/** Deletes a record that no other refers to. The search may read all records, so it runs in slices. */
export async function deleteRecord(
  world: World,
  from: Deletable,
  id: string,
): Promise<Success<null> | Refusal> {
  const field = idFields[from]
  const unknown = checkExists(world[from], field, id)
  if (unknown !== null) return unknown
  const referrer = await runInSlices(findReferrer(world, { of: from, id, among: collectionNames }))
  if (referrer !== null) {
    return refuse('in_use', `${field} "${id}" is in use by ${referrer}.`)
  }
  world[from].delete(id)
  if (from === 'customers') world.paymentScripts.delete(`customer ${id}`)
  return success(null)
}

/** Whether a subscription, an invoice or a charge refers to a record of the catalog. */
export async function isBilledWith(world: World, of: Deletable, id: string): Promise<boolean> {
  const among = ['subscriptions', 'invoices', 'charges'] as const
  return (await runInSlices(findReferrer(world, { of, id, among }))) !== null
}

function addRecord<Name extends Deletable>(
  world: World,
  name: Name,
  order: { readonly id: string | null; readonly record: () => RecordOf<Name> },
): Success<RecordOf<Name>> | Refusal {
  const { id } = order
  if (id !== null && world[name].has(id)) {
    return refuse('exists', `${idFields[name]} "${id}" exists already; choose another one.`)
  }
  const full = checkCapacity(world, 1)
  if (full !== null) return full
  const record = order.record()
  putRecord(world, name, record)
  return success(record)
}

function changeRecord<Name extends Deletable>(
  world: World,
  name: Name,
  change: {
    readonly id: string
    readonly to: (record: RecordOf<Name>) => RecordOf<Name> | Refusal
  },
): Success<RecordOf<Name>> | Refusal {
  const record = findRecord(recordsOf(world, name), idFields[name], change.id)
  if (isRefusal(record)) return record
  const changed = change.to(record)
  if (isRefusal(changed)) return changed
  putRecord(world, name, changed)
  return success(changed)
}

function checkLimitsExist(
  world: World,
  limits: Pick<Coupon, 'appliesToPlans' | 'appliesToProducts'>,
): Refusal | null {
  const plans = (limits.appliesToPlans ?? []).map((id) =>
    checkExists(world.plans, 'applies_to_plans', id),
  )
  const products = (limits.appliesToProducts ?? []).map((id) =>
    checkExists(world.products, 'applies_to_products', id),
  )
  return [...plans, ...products].find((each) => each !== null) ?? null
}

/** Refuses a promotion that would never be valid. */
function checkWindow({
  startsAt,
  expiresAt,
}: Pick<Promotion, 'startsAt' | 'expiresAt'>): Refusal | null {
  if (startsAt === null || expiresAt === null || startsAt < expiresAt) return null
  return refuse(
    'invalid_request',
    `starts_at must be before expires_at; got "${startsAt}" and "${expiresAt}".`,
  )
}

/** Refuses a limit below the number of redemptions, which would contradict the books. */
function checkLimit(
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

/** A caller may have chosen an id that looks like a counted one. Skips those. */
export function nextId(world: World, kind: 'products' | 'plans' | 'customers' | 'faults'): string {
  const sequences: Sequences = world.sequences
  const prefix = { products: 'prod_', plans: 'plan_', customers: 'cus_', faults: 'flt_' }[kind]
  for (;;) {
    // Existing ids are skipped, so the count can start again after the last number.
    sequences[kind] = (sequences[kind] % COUNT_MAX) + 1
    const id = numberedId(prefix, sequences[kind])
    if (!world[kind].has(id)) return id
  }
}

/** The first record that refers to another. Payment scripts do not count: a deletion removes them too. */
function* findReferrer(
  world: World,
  { of, id, among }: { of: Deletable; id: string; among: readonly CollectionName[] },
): Generator<void, string | null> {
  const owner = ownerFields[of]
  for (const name of among) {
    const idsOf = references[name][of] as IdsOf<CollectionName> | undefined
    if (idsOf === undefined || name === 'paymentScripts') continue
    const records = recordsOf(world, name)
    const candidates = owner ? records.list({ filter: { [owner]: id }, limit: 1 }) : records
    for (const [key, record] of candidates) {
      // The name of a collection is the plural of its record's name.
      if (idsOf(record).includes(id)) return `${name.slice(0, -1)} "${key}"`
      yield
    }
  }
  return null
}
