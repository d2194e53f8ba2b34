/**
 * The acts in the history of a fixture. Each act performs an operation and has its fields. There are no deletions: a
 * fixture leaves the record out.
 */
import type * as z from 'zod'
import { isRefusal } from '../billing/refusal.ts'
import { type BillingOperationId, billingOperations } from '../operations/billing-operations.ts'
import type { WorldWrite } from '../operations/operation.ts'
import { NoFields, Reference } from '../wire/common/fields.ts'
import { noRequest } from '../world/event.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'

/** The operation of every act, by the name of the act in a step. */
export const actOperations = {
  subscribe: 'createSubscriptionAtCheckout',
  update: 'updateSubscription',
  pause: 'pauseSubscription',
  resume: 'resumeSubscription',
  cancel: 'cancelSubscription',
  remove_scheduled_cancellation: 'removeScheduledCancellation',
  apply_coupon: 'applyCoupon',
  payment_outcomes: 'scriptPaymentOutcomes',
  remove_payment_outcomes: 'removePaymentOutcomes',
  clear_payment_outcomes: 'clearPaymentOutcomes',
  charge: 'createCharge',
  pay_invoice: 'payInvoice',
  create_product: 'createProduct',
  create_plan: 'createPlan',
  create_customer: 'createCustomer',
  create_coupon: 'createCoupon',
  create_promotion: 'createPromotion',
  change_product: 'changeProduct',
  change_plan: 'changePlan',
  change_customer: 'changeCustomer',
  change_coupon: 'changeCoupon',
  change_promotion: 'changePromotion',
  change_settings: 'changeSettings',
} as const satisfies Record<string, BillingOperationId>

/** The parameters of paths, as the fields of an act. */
const pathFields: Readonly<Record<string, z.ZodType>> = {
  subscription_id: Reference.meta({
    accepts: 'the identifier of a subscription',
    description: 'Subscriptions are numbered in their order: sub_000001, sub_000002.',
  }),
  invoice_id: Reference.meta({ accepts: 'the identifier of an invoice' }),
}

type ActName = keyof typeof actOperations
export const actNames = Object.keys(actOperations) as ActName[]

/** The schema of an act: that of the input of its operation. */
export function actSchema(name: ActName): z.ZodType {
  return inputSchema(billingOperations[actOperations[name]])
}

/** What an operation takes, in one object: its body and the parameters of its path. */
export function inputSchema({ params, body }: WorldWrite): z.ZodType {
  if (params === undefined) return body?.schema ?? NoFields
  const fields = Object.keys(params.shape).map((field) => [field, pathFields[field] ?? Reference])
  return ((body?.schema ?? NoFields) as z.ZodObject).extend(Object.fromEntries(fields))
}

/** The acts in a step. */
export function actsOf(step: object): ActName[] {
  return actNames.filter((name) => (step as { [Name in ActName]?: unknown })[name] !== undefined)
}

/** Performs the act of a validated step. Returns the refusal, if any. */
export async function performAct(world: World, step: object): Promise<Refusal | null> {
  for (const name of actsOf(step)) {
    const input = (step as { [Name in ActName]?: object })[name] as Record<string, unknown>
    const answer = await billingOperations[actOperations[name]].perform(world, input, noRequest)
    if (isRefusal(answer)) return answer
  }
  return null
}
