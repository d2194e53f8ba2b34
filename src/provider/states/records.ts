/** Records that provider states name: found, or made with terms that any contract can live with. And their states. */
import * as z from 'zod'
import { type BillingOperationId, billingOperations } from '../../operations/billing-operations.ts'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import { CustomerCreate, PlanCreate } from '../../wire/billing/catalog.ts'
import { isBilledWith } from '../../world/commands/catalog.ts'
import { noRequest } from '../../world/event.ts'
import type { World } from '../../world/world.ts'
import { providerState } from './state.ts'

/** The records that states speak of unless they name others. */
export const usual = {
  customerId: 'cus_ada',
  planId: 'basic',
  higherPlanId: 'pro',
  couponId: 'SAVE20',
  productId: 'prod_app',
  currency: 'USD',
} as const

/** 10.00 a month. */
const usualPlan = {
  product_id: usual.productId,
  amount: 1000,
  currency: usual.currency,
  interval: 'month',
}

/** A record by its identifier. */
export type RecordName = readonly [kind: keyof typeof creations, id: string]

/** Performs an operation with the fields of its path and body. Throws what is refused. */
export async function perform(world: World, id: BillingOperationId, fields: object): Promise<void> {
  orThrow(await billingOperations[id].perform(world, { ...fields }, noRequest))
}

/** Makes a record where it is not there: with these terms, as the wire spells them, and usual ones beside them. */
export async function createIfMissing(
  world: World,
  [kind, id]: RecordName,
  terms = {},
): Promise<void> {
  if (world[kind].has(id)) return
  const [operation, complete] = creations[kind]
  const body = billingOperations[operation].body?.schema.parse(complete(id, terms)) as References
  for (const plan of body.applies_to_plans ?? []) await createIfMissing(world, ['plans', plan])
  const products = kind === 'plans' ? [body.product_id] : (body.applies_to_products ?? [])
  for (const product of products) await createIfMissing(world, ['products', product])
  await perform(world, operation, body)
}

/** Makes a record with just these terms in place of the one that is there; without any, that one stays. */
export async function replaceRecord(
  world: World,
  [kind, id]: RecordName,
  terms: object,
): Promise<void> {
  if (Object.keys(terms).length > 0) {
    const isRedeemed = (world.coupons.get(id)?.timesRedeemed ?? 0) > 0
    if (kind === 'coupons' ? isRedeemed : await isBilledWith(world, kind, id)) {
      const message = `${kind} "${id}" is in use and keeps its terms; put this state first.`
      throw new RefusalError('in_use', message)
    }
    world[kind].delete(id)
  }
  await createIfMissing(world, [kind, id], terms)
}

/** The terms of a coupon, where nothing else is given: 20 percent once; 5.00 where it is fixed, 14 days of trial. */
export function couponTerms(couponId: string, terms: object): Record<string, unknown> {
  const given: Record<string, unknown> = { coupon_id: couponId, type: 'percentage', ...terms }
  const value = { percentage: 20, fixed: 500, trial_extension: 14 }[String(given['type'])]
  const currency = given['type'] === 'fixed' ? { currency: usual.currency } : {}
  const duration = 'duration_in_months' in given ? { duration: 'repeating' } : {}
  return { value, ...currency, ...duration, ...given }
}

/** What a new record can refer to. */
interface References {
  readonly product_id: string
  readonly applies_to_plans?: readonly string[]
  readonly applies_to_products?: readonly string[]
}

/** What makes a record of each kind, and its whole body from its terms. */
const creations = {
  products: ['createProduct', (id, terms) => ({ product_id: id, name: id, ...terms })],
  customers: ['createCustomer', (id, terms) => ({ customer_id: id, ...terms })],
  plans: ['createPlan', (id, terms) => ({ ...usualPlan, plan_id: id, name: id, ...terms })],
  coupons: ['createCoupon', couponTerms],
} as const satisfies Record<
  string,
  readonly [operation: BillingOperationId, complete: (id: string, terms: object) => object]
>

const ofCustomer = CustomerCreate.shape
const ofPlan = PlanCreate.shape

const customer = providerState({
  name: 'a customer exists',
  description:
    'There is such a customer. With an identifier alone, one that is there stays as it is; else it has just these terms, and a valid payment method unless given. One who was billed keeps its terms.',
  params: z.strictObject({
    ...ofCustomer,
    customer_id: ofCustomer.customer_id.unwrap().default(usual.customerId),
    payment_method: ofCustomer.payment_method.unwrap().optional(),
    balance: ofCustomer.balance.unwrap().optional(),
  }),
  example: { customer_id: 'cus_emmy', name: 'Emmy Noether', currency: 'USD' },
  operations: ['createSubscription'],
  wordings: { 'the customer {customer_id} exists': {} },
  apply: async ({ world }, { customer_id, ...terms }) => {
    await replaceRecord(world, ['customers', customer_id], terms)
    return { customer_id }
  },
})

const plan = providerState({
  name: 'a plan exists',
  description:
    'There is such a plan. With an identifier alone, one that is there stays as it is; else it has just these terms: 10.00 USD a month for `prod_app` unless given. A product that is not there is made. One that was billed keeps its terms.',
  params: z.strictObject({
    plan_id: ofPlan.plan_id.unwrap().default(usual.planId),
    product_id: ofPlan.plan_id.describe('The product it prices.'),
    name: ofPlan.name.optional(),
    amount: ofPlan.amount.optional(),
    currency: ofPlan.currency.optional(),
    interval: ofPlan.interval.optional(),
    interval_count: ofPlan.interval_count.unwrap().optional(),
  }),
  example: { plan_id: 'team', amount: 4900, currency: 'USD', interval: 'month' },
  operations: ['createSubscription', 'updateSubscription'],
  wordings: { 'the plan {plan_id} exists': {} },
  apply: async ({ world }, { plan_id: plan, ...terms }) => {
    await replaceRecord(world, ['plans', plan], terms)
    return { plan }
  },
})

export const recordStates = [customer, plan]
