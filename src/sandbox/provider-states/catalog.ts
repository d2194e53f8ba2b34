/** Provider states that say who is there and what is sold. */
import * as z from 'zod'
import { CustomerCreate, PlanCreate } from '../../wire/catalog.ts'
import type { World } from '../world.ts'
import { ensureCustomer, ensurePlan, putCustomer, putPlan, usual } from './records.ts'
import { providerState, withActs } from './state.ts'

const who = CustomerCreate.shape
const price = PlanCreate.shape

const customer = providerState({
  name: 'a customer exists',
  description:
    'There is such a customer. With an identifier alone, one that is there stays as it is; else it has just these terms, and a valid payment method unless told.',
  params: z.strictObject({
    ...who,
    customer_id: who.customer_id.unwrap().default(usual.customerId),
    payment_method: who.payment_method.unwrap().optional(),
    balance: who.balance.unwrap().optional(),
  }),
  example: { customer_id: 'cus_emmy', name: 'Emmy Noether', currency: 'USD' },
  operations: ['createSubscription'],
  stage: (scene, { customer_id: id, ...terms }) => {
    const put = Object.keys(terms).length === 0 ? ensureCustomer : putCustomer
    const perform = (world: World) => put(world, id, terms)
    return withActs(scene, [{ at: null, subscriptionId: null, perform }], { customer_id: id })
  },
})

const plan = providerState({
  name: 'a plan exists',
  description:
    'There is such a plan. With an identifier alone, one that is there stays as it is; else it has just these terms: 10.00 USD a month for `prod_app` unless told. A product that is not there is made.',
  params: z.strictObject({
    plan_id: price.plan_id.unwrap().default(usual.planId),
    product_id: price.plan_id.meta({ description: 'The product it prices.' }),
    name: price.name.optional(),
    amount: price.amount.optional(),
    currency: price.currency.optional(),
    interval: price.interval.optional(),
    interval_count: price.interval_count.unwrap().optional(),
  }),
  example: { plan_id: 'team', amount: 4900, currency: 'USD', interval: 'month' },
  operations: ['createSubscription', 'updateSubscription'],
  stage: (scene, { plan_id: id, ...terms }) => {
    const put = Object.keys(terms).length === 0 ? ensurePlan : putPlan
    const perform = (world: World) => put(world, id, terms)
    return withActs(scene, [{ at: null, subscriptionId: null, perform }], { plan: id })
  },
})

export const catalogStates = [customer, plan]
