/** One-time charges, and scripted payment outcomes, on the wire. */

import type * as z from 'zod'
import { array, strictObject, string, xor } from 'zod'
import { Charge } from '../billing/charge.ts'
import { FailureReason, type PaymentScript, ScriptedOutcome } from '../billing/payment.ts'
import { camelKeys, presentAs } from './case.ts'
import { Amount, boundedList, Currency, CurrencyIn, InstantOut, Reference } from './fields.ts'

const OUTCOMES_MAX = 1000

export const WireCharge = strictObject({
  charge_id: string().describe('Its identifier.'),
  customer_id: string().describe('Who pays.'),
  amount: Amount.describe('What was asked, before discounts.'),
  currency: Currency,
  coupon_id: string().nullable().describe('The coupon that was redeemed, or null.'),
  discount_total: Amount.describe('What the coupon took off.'),
  amount_due: Amount.describe('What was left to pay.'),
  status: Charge.shape.status.describe('How the payment went.'),
  failure_reason: FailureReason.nullable().describe('Why it failed, or null.'),
  created_at: InstantOut.describe('When it was made.'),
}).meta({ id: 'Charge', description: 'A one-time charge.', source: '1' })
export type WireCharge = z.input<typeof WireCharge>

export const ChargeCreate = strictObject({
  customer_id: Reference.meta({ accepts: 'the identifier of a customer' }),
  amount: Amount,
  currency: CurrencyIn,
  coupon_id: Reference.meta({ accepts: 'the identifier of a coupon' }).optional(),
}).meta({ id: 'ChargeCreate', source: '1' })

export const chargeFilter = { customer_id: Reference.optional() }

const Outcome = ScriptedOutcome.meta({ source: 'payment-outcomes' })

const Outcomes = boundedList(Outcome, OUTCOMES_MAX, `of ${ScriptedOutcome.options.join(', ')}`)

const scripted = { outcomes: Outcomes.describe('What the next attempts answer, in order.') }
const standing = { always: Outcome.describe('What every attempt answers from now on.') }
const anyScope = {
  subscription_id: Reference.optional().describe('Whose payments; absent for all.'),
}
const customerScope = { customer_id: Reference.describe('Whose payments.') }

export const PaymentOutcomesCreate = xor([
  strictObject({ ...scripted, ...anyScope }).meta({ id: 'PaymentScriptCreate' }),
  strictObject({ ...scripted, ...customerScope }).meta({ id: 'CustomerPaymentScriptCreate' }),
  strictObject({ ...standing, ...anyScope }).meta({ id: 'PaymentRuleCreate' }),
  strictObject({ ...standing, ...customerScope }).meta({ id: 'CustomerPaymentRuleCreate' }),
]).meta({
  id: 'PaymentOutcomesCreate',
  accepts: 'outcomes or always, with at most one of subscription_id and customer_id',
  source: 'payment-outcomes',
})

export const WirePaymentScript = strictObject({
  scope: strictObject({
    subscription_id: string().optional(),
    customer_id: string().optional(),
  }).describe('Whose payments: one of the two; empty for all of the sandbox.'),
  outcomes: array(ScriptedOutcome).describe('What is left, in order.'),
  always: ScriptedOutcome.nullable().describe('The standing rule, or null.'),
}).meta({ id: 'PaymentScript', source: 'payment-outcomes' })
export type WirePaymentScript = z.input<typeof WirePaymentScript>

/** A payment script on the wire; the scope names whom it speaks of, and is empty for the whole sandbox. */
export function presentPaymentScript({ scope, ...script }: PaymentScript): WirePaymentScript {
  const { subscriptionId, customerId } = scope
  const ofSubscription = subscriptionId !== null && { subscription_id: subscriptionId }
  const ofCustomer = customerId !== null && { customer_id: customerId }
  return presentAs(WirePaymentScript, { ...script, scope: { ...ofSubscription, ...ofCustomer } })
}

export function scriptOrder(body: z.output<typeof PaymentOutcomesCreate>) {
  const { outcomes, always, ...scope } = { outcomes: null, always: null, ...body }
  return {
    outcomes,
    always,
    scope: { subscriptionId: null, customerId: null, ...camelKeys(scope) },
  }
}
