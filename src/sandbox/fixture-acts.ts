/**
 * What can happen in the story of a fixture: each act is an operation of /v1 or the control plane, takes what that takes,
 * and is carried out by the same command. Deletions are none: what a fixture does not want it leaves out.
 */
import * as z from 'zod'
import { isRefusal } from '../billing/refusal.ts'
import { camelKeys } from '../wire/case.ts'
import * as catalog from '../wire/catalog.ts'
import { ChargeCreate, chargeOrder, PaymentOutcomesCreate, scriptOrder } from '../wire/charge.ts'
import * as coupons from '../wire/coupon.ts'
import { NoFields, Reference } from '../wire/fields.ts'
import { SettingsPatch, settingsOrder } from '../wire/settings.ts'
import {
  ApplyCoupon,
  CheckoutCreate,
  checkoutOrder,
  SubscriptionCancel,
  SubscriptionUpdate,
} from '../wire/subscription.ts'
import type { Executed } from '../world/answer.ts'
import * as records from '../world/commands/catalog.ts'
import { charge } from '../world/commands/charges.ts'
import { clearPaymentScripts, scriptPayments } from '../world/commands/payments.ts'
import { changeSettings } from '../world/commands/settings.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  pause,
  payInvoice,
  removeScheduledCancellation,
  resume,
  subscribe,
} from '../world/commands/subscriptions.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'

type Answer = Executed<unknown> | Refusal

interface Act<Schema extends z.ZodType = z.ZodType> {
  /** The operation that does the same when somebody calls it. */
  readonly operation: string
  readonly schema: Schema
  readonly perform: (world: World, body: z.output<Schema>) => Answer
}

/** Nobody asked for what happens in a fixture. */
const cause = { kind: 'request', requestId: null } as const

const subscription = {
  subscription_id: Reference.meta({
    accepts: 'the identifier of a subscription',
    description: 'Subscriptions are numbered in their order: sub_000001, sub_000002.',
  }),
}
const OfSubscription = z.strictObject(subscription)
const OfInvoice = z.strictObject({
  invoice_id: Reference.meta({ accepts: 'the identifier of an invoice' }),
})

/** Every act, by its name in a step. */
export const fixtureActs = {
  subscribe: act('checkOut', CheckoutCreate, (world, body) =>
    subscribe(world, checkoutOrder(body), cause),
  ),
  update: act('updateSubscription', SubscriptionUpdate.extend(subscription), (world, body) =>
    changePlan(world, camelKeys(body), cause),
  ),
  pause: act('pauseSubscription', OfSubscription, (world, body) =>
    pause(world, body.subscription_id, cause),
  ),
  resume: act('resumeSubscription', OfSubscription, (world, body) =>
    resume(world, body.subscription_id, cause),
  ),
  cancel: act('cancelSubscription', SubscriptionCancel.extend(subscription), (world, body) => {
    const when = body.at_period_end === true ? 'at_period_end' : 'now'
    return cancel(world, { subscriptionId: body.subscription_id, when }, cause)
  }),
  remove_scheduled_cancellation: act('removeScheduledCancellation', OfSubscription, (world, body) =>
    removeScheduledCancellation(world, body.subscription_id, cause),
  ),
  apply_coupon: act('applyCoupon', ApplyCoupon.extend(subscription), (world, body) =>
    applyCoupon(world, camelKeys(body), cause),
  ),
  payment_outcomes: act('scriptPaymentOutcomes', PaymentOutcomesCreate, (world, body) =>
    scriptPayments(world, scriptOrder(body)),
  ),
  clear_payment_outcomes: act('clearPaymentOutcomes', NoFields, clearPaymentScripts),
  charge: act('createCharge', ChargeCreate, (world, body) =>
    charge(world, chargeOrder(body), cause),
  ),
  pay_invoice: act('payInvoice', OfInvoice, (world, body) =>
    payInvoice(world, body.invoice_id, cause),
  ),
  create_product: act('createProduct', catalog.ProductCreate, (world, body) =>
    records.createProduct(world, catalog.productOrder(body)),
  ),
  create_plan: act('createPlan', catalog.PlanCreate, (world, body) =>
    records.createPlan(world, catalog.planOrder(body)),
  ),
  create_customer: act('createCustomer', catalog.CustomerCreate, (world, body) =>
    records.createCustomer(world, catalog.customerOrder(body)),
  ),
  create_coupon: act('createCoupon', coupons.CouponCreate, (world, body) =>
    records.createCoupon(world, coupons.couponOrder(body)),
  ),
  create_promotion: act('createPromotion', coupons.PromotionCreate, (world, body) =>
    records.createPromotion(world, coupons.promotionOrder(body)),
  ),
  change_product: act(
    'changeProduct',
    catalog.ProductPatch.extend({ product_id: Reference }),
    (world, { product_id, ...change }) =>
      records.changeProduct(world, product_id, camelKeys(change)),
  ),
  change_plan: act(
    'changePlan',
    catalog.PlanPatch.extend({ plan_id: Reference }),
    (world, { plan_id, ...change }) => records.changePlanTerms(world, plan_id, camelKeys(change)),
  ),
  change_customer: act(
    'changeCustomer',
    catalog.CustomerPatch.extend({ customer_id: Reference }),
    (world, { customer_id, ...change }) =>
      records.changeCustomer(world, customer_id, camelKeys(change)),
  ),
  change_coupon: act(
    'changeCoupon',
    coupons.CouponPatch.extend({ coupon_id: Reference }),
    (world, { coupon_id, ...change }) => records.changeCoupon(world, coupon_id, camelKeys(change)),
  ),
  change_promotion: act(
    'changePromotion',
    coupons.PromotionPatch.extend({ code: Reference }),
    (world, { code, ...change }) => records.changePromotion(world, code, camelKeys(change)),
  ),
  change_settings: act('changeSettings', SettingsPatch, (world, body) =>
    changeSettings(world, settingsOrder(body)),
  ),
}

type ActName = keyof typeof fixtureActs
export const actNames = Object.keys(fixtureActs) as ActName[]

/** Which acts a step names. */
export function actsOf(step: object): ActName[] {
  return actNames.filter((name) => (step as { [Name in ActName]?: unknown })[name] !== undefined)
}

/** Carries out the act of a step that its schema has read, and says why where it is refused. */
export function performAct(world: World, step: object): Refusal | null {
  for (const name of actsOf(step)) {
    const { perform } = fixtureActs[name] as Act
    const answer = perform(world, (step as { [Name in ActName]?: unknown })[name])
    if (isRefusal(answer)) return answer
  }
  return null
}

function act<Schema extends z.ZodType>(
  operation: string,
  schema: Schema,
  perform: Act<Schema>['perform'],
): Act<Schema> {
  return { operation, schema, perform }
}
