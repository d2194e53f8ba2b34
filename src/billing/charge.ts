/**
 * One-time charges: one amount for a customer, outside any subscription. The balance is not used, and a failed payment
 * is a result, not an error.
 */
import * as z from 'zod'
import { Instant } from '../time/instant.ts'
import { type Coupon, checkCoupon, isLimited, type LastingCoupon } from './coupon.ts'
import type { Customer } from './customer.ts'
import { applyDiscounts } from './discount.ts'
import type { BillingFact } from './event.ts'
import { Id } from './id.ts'
import { netOf } from './invoice.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { decideAttempt, FailureReason, type PaymentScripts } from './payment.ts'
import { type BillingRefusal, isRefusal, refuse } from './refusal.ts'
import { rule } from './rule.ts'
import type { Circumstances, Outcome } from './step.ts'

export const Charge = z
  .strictObject({
    chargeId: Id,
    customerId: z.string(),
    amount: MinorUnits,
    currency: CurrencyCode,
    couponId: z.string().nullable(),
    discountTotal: MinorUnits,
    amountDue: MinorUnits,
    status: z.enum(['succeeded', 'failed']),
    failureReason: FailureReason.nullable(),
    createdAt: Instant,
  })
  .refine(
    ({ amount, discountTotal, amountDue, couponId }) =>
      amount - discountTotal === amountDue && (couponId !== null || discountTotal === 0),
    rule('does not add up'),
  )
  .refine(
    ({ status, failureReason, amountDue }) =>
      (status === 'failed') === (failureReason !== null) &&
      (status === 'succeeded' || amountDue > 0),
    rule('does not have a reason exactly where something was due and failed'),
  )
export type Charge = z.infer<typeof Charge>

/** The customer and the amounts, in minor units of the currency. */
export interface ChargeRequest {
  readonly chargeId: string
  readonly customer: Customer
  readonly amount: number
  readonly currency: string
  readonly coupon: Coupon | null
  readonly scripts: PaymentScripts
}

export interface ChargeOutcome extends Outcome {
  readonly charge: Charge
}

/** Charges a customer once. If nothing is due, it succeeds without an attempt. */
export function makeCharge(
  order: ChargeRequest,
  { now, settings }: Circumstances,
): ChargeOutcome | BillingRefusal {
  const refusal = checkChargeCurrency(order)
  if (refusal !== null) return refusal
  const { customer, amount, currency } = order
  const coupon = order.coupon && usableCoupon(order, order.coupon, now)
  if (coupon !== null && isRefusal(coupon)) return coupon
  const taken = coupon === null ? [] : applyDiscounts(amount, [coupon], settings)
  const amountDue = netOf({ price: amount, discounts: taken })
  const { outcome, scripts } =
    amountDue === 0
      ? { outcome: 'succeeded' as const, scripts: order.scripts }
      : decideAttempt(order.scripts, customer)
  const charge: Charge = {
    chargeId: order.chargeId,
    customerId: customer.customerId,
    amount,
    currency,
    couponId: coupon?.couponId ?? null,
    discountTotal: amount - amountDue,
    amountDue,
    status: outcome === 'succeeded' ? 'succeeded' : 'failed',
    failureReason: outcome === 'succeeded' ? null : outcome,
    createdAt: now,
  }
  return {
    charge,
    changes: {
      ...(scripts === order.scripts ? {} : { scripts }),
      ...(customer.currency === null ? { customer: { ...customer, currency } } : {}),
      ...(coupon === null
        ? {}
        : { coupon: { ...coupon, timesRedeemed: coupon.timesRedeemed + 1 } }),
    },
    facts: [factOf(charge)],
    transitions: [],
    assumptions: ['payment-outcomes'],
  }
}

function checkChargeCurrency({ customer, currency }: ChargeRequest): BillingRefusal | null {
  if (customer.currency === null || customer.currency === currency) return null
  return refuse(
    'currency_mismatch',
    `currency must be "${customer.currency}", that of customer "${customer.customerId}"; got "${currency}".`,
    ['currency-match'],
  )
}

/** A coupon that reduces a charge, or why it does not. */
function usableCoupon(
  order: ChargeRequest,
  coupon: Coupon,
  now: Instant,
): LastingCoupon | BillingRefusal {
  const refusal = checkCoupon(coupon, order.currency, now)
  if (refusal !== null) return refusal
  if (coupon.type !== 'trial_extension' && !isLimited(coupon)) return coupon
  const why = isLimited(coupon) ? 'is limited to plans or products' : 'extends a trial'
  return refuse(
    'coupon_not_applicable',
    `coupon_id must be a percentage or fixed coupon without limits to plans or products; "${coupon.couponId}" ${why}.`,
    ['coupon-refusals'],
  )
}

function factOf(charge: Charge): BillingFact {
  const { chargeId, amountDue, currency, failureReason } = charge
  const subject = { kind: 'charge', id: chargeId } as const
  if (failureReason === null) {
    return { type: 'charge.succeeded', subject, detail: { amount: amountDue, currency } }
  }
  const detail = { amount: amountDue, currency, reason: failureReason }
  return { type: 'charge.failed', subject, detail }
}
