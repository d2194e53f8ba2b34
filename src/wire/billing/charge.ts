/** One-time charges, and scripted payment outcomes, on the wire. */

import type * as z from 'zod'
import { array, strictObject, string, xor } from 'zod'
import { OUTCOMES_MAX } from '../../assumptions/bounds.ts'
import { Charge } from '../../billing/charge.ts'
import {
  FailureReason,
  type PaymentScript,
  ScriptedOutcome,
  type ScriptScope,
} from '../../billing/payment.ts'
import { camelKeys, presentAs } from '../common/case.ts'
import {
  Amount,
  boundedList,
  Currency,
  CurrencyIn,
  describedAs,
  InstantOut,
  named,
  Reference,
  referenceTo,
  TextOrNull,
} from '../common/fields.ts'

export const WireCharge = strictObject({
  charge_id: string().describe('The identifier of the charge.'),
  customer_id: string().describe('The identifier of the customer who pays.'),
  amount: Amount.describe('The amount before the discount, in minor units.'),
  currency: Currency,
  coupon_id: TextOrNull.describe('The identifier of the coupon that the charge redeemed, or null.'),
  discount_total: Amount.describe('The discount by the coupon, in minor units.'),
  amount_due: Amount.describe('The amount after the discount, in minor units.'),
  status: Charge.shape.status.describe('Whether the payment succeeded.'),
  failure_reason: FailureReason.nullable().describe('The reason why the payment failed, or null.'),
  created_at: InstantOut.describe('The instant of the charge.'),
}).meta(named('1', 'Charge', 'A one-time charge of a customer, outside of any subscription.'))
export type WireCharge = z.input<typeof WireCharge>

export const ChargeCreate = describedAs(WireCharge, {
  customer_id: referenceTo('customer'),
  amount: Amount,
  currency: CurrencyIn.describe('The ISO 4217 code of the currency of the amount.'),
  coupon_id: referenceTo('coupon').optional().describe('The coupon to redeem.'),
}).meta(named('1', 'ChargeCreate', 'The charge to create.'))

export const chargeFilter = {
  customer_id: Reference.optional().describe('Only charges of the customer with this identifier.'),
}

const Outcome = ScriptedOutcome.meta({ source: 'payment-outcomes' })

const Outcomes = boundedList(Outcome, OUTCOMES_MAX, `of ${ScriptedOutcome.options.join(', ')}`)

const scripted = {
  outcomes: Outcomes.describe('The outcomes of the next payment attempts, in order.'),
}
const standing = {
  always: Outcome.describe('The outcome of every payment attempt that has no scripted outcome.'),
}
const anyScope = {
  subscription_id: Reference.optional().describe(
    'The identifier of the subscription whose payments have this outcome. Omit it to affect all payments of the sandbox.',
  ),
}
const customerScope = {
  customer_id: Reference.describe(
    'The identifier of the customer whose payments have this outcome.',
  ),
}

const scriptText = 'Outcomes of the next payments'
const ruleText = 'One outcome of all payments'

export const PaymentOutcomesCreate = xor([
  strictObject({ ...scripted, ...anyScope }).meta({
    id: 'PaymentScriptCreate',
    description: `${scriptText} of a subscription or of the sandbox.`,
  }),
  strictObject({ ...scripted, ...customerScope }).meta({
    id: 'CustomerPaymentScriptCreate',
    description: `${scriptText} of a customer.`,
  }),
  strictObject({ ...standing, ...anyScope }).meta({
    id: 'PaymentRuleCreate',
    description: `${ruleText} of a subscription or of the sandbox.`,
  }),
  strictObject({ ...standing, ...customerScope }).meta({
    id: 'CustomerPaymentRuleCreate',
    description: `${ruleText} of a customer.`,
  }),
]).meta({
  id: 'PaymentOutcomesCreate',
  accepts: 'outcomes or always, with at most one of subscription_id and customer_id',
  description:
    'The payment outcomes to script: `outcomes` of the next payments, or `always` for all of them.',
  source: 'payment-outcomes',
})

export const PaymentOutcomesRemove = xor([
  strictObject(anyScope).meta({
    id: 'PaymentScope',
    description: 'The payments of a subscription, or all payments of the sandbox.',
  }),
  strictObject(customerScope).meta({
    id: 'CustomerPaymentScope',
    description: 'The payments of a customer.',
  }),
]).meta({
  id: 'PaymentOutcomesRemove',
  accepts: 'at most one of subscription_id and customer_id',
  description: 'The scope whose scripted outcomes are removed, as it was scripted.',
  source: 'payment-outcomes',
})

export const WirePaymentScript = strictObject({
  scope: strictObject({
    subscription_id: string().optional().describe('The identifier of the subscription.'),
    customer_id: string().optional().describe('The identifier of the customer.'),
  }).describe(
    'The payments that are affected: those of a subscription or of a customer. Empty for all payments of the sandbox.',
  ),
  outcomes: array(ScriptedOutcome).describe(
    'The scripted outcomes that are not used yet, in order.',
  ),
  always: ScriptedOutcome.nullable().describe(
    'The outcome of all attempts after the scripted ones; null if none is set.',
  ),
}).meta(named('payment-outcomes', 'PaymentScript', 'The scripted payment outcomes of one scope.'))
export type WirePaymentScript = z.input<typeof WirePaymentScript>

/** A payment script on the wire; the scope names whom it speaks of, and is empty for the whole sandbox. */
export function presentPaymentScript({ scope, ...script }: PaymentScript): WirePaymentScript {
  const { subscriptionId, customerId } = scope
  const ofSubscription = subscriptionId !== null && { subscription_id: subscriptionId }
  const ofCustomer = customerId !== null && { customer_id: customerId }
  return presentAs(WirePaymentScript, { ...script, scope: { ...ofSubscription, ...ofCustomer } })
}

export function toNewScript(body: z.output<typeof PaymentOutcomesCreate>) {
  const { outcomes, always, ...scope } = { outcomes: null, always: null, ...body }
  return { outcomes, always, scope: scopeOf(scope) }
}

/** The scope that a body names: without an identifier, the whole sandbox. */
export function scopeOf(body: z.output<typeof PaymentOutcomesRemove>): ScriptScope {
  return { subscriptionId: null, customerId: null, ...camelKeys(body) }
}
