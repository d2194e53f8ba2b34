/** Provider states that say who is there and what is sold. */
import * as z from 'zod'
import { CustomerCreate, PlanCreate } from '../../wire/catalog.ts'
import { put, usual } from './records.ts'
import { providerState } from './state.ts'

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
  wordings: [{ text: 'the customer {customer_id} exists' }],
  apply: async ({ world }, { customer_id, ...terms }) => {
    await put(world, ['customers', customer_id], terms)
    return { customer_id }
  },
})

const plan = providerState({
  name: 'a plan exists',
  description:
    'There is such a plan. With an identifier alone, one that is there stays as it is; else it has just these terms: 10.00 USD a month for `prod_app` unless given. A product that is not there is made. One that was billed keeps its terms.',
  params: z.strictObject({
    plan_id: ofPlan.plan_id.unwrap().default(usual.planId),
    product_id: ofPlan.plan_id.meta({ description: 'The product it prices.' }),
    name: ofPlan.name.optional(),
    amount: ofPlan.amount.optional(),
    currency: ofPlan.currency.optional(),
    interval: ofPlan.interval.optional(),
    interval_count: ofPlan.interval_count.unwrap().optional(),
  }),
  example: { plan_id: 'team', amount: 4900, currency: 'USD', interval: 'month' },
  operations: ['createSubscription', 'updateSubscription'],
  wordings: [{ text: 'the plan {plan_id} exists' }],
  apply: async ({ world }, { plan_id: plan, ...terms }) => {
    await put(world, ['plans', plan], terms)
    return { plan }
  },
})

export const recordStates = [customer, plan]
