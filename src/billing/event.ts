/** The events of billing: every type with the schema of its detail. The caller numbers and stores them. */
import * as z from 'zod'
import { Instant } from '../time/instant.ts'
import { InvoiceReason } from './invoice.ts'
import { CurrencyCode, SignedMinorUnits } from './money.ts'
import { FailureReason } from './payment.ts'
import { Status } from './status.ts'

const text = z.string()
const period = { plan: text, periodStart: Instant, periodEnd: Instant }
const ending = z.strictObject({
  reason: z.enum(['requested', 'period_end', 'no_payment_method', 'retries_exhausted']),
})
/** A discount that starts or ends. */
const discount = { couponId: text, startsAt: Instant, endsAt: Instant.nullable() }
const amount = { amount: SignedMinorUnits, currency: CurrencyCode }

/** Every event type of billing, with its detail; amounts are in minor units. */
export const billingEvents = {
  'subscription.created': z.strictObject({ ...period, status: Status }),
  'subscription.trial_ended': z.strictObject({ trialEnd: Instant }),
  'subscription.activated': z.strictObject(period),
  'subscription.renewed': z.strictObject(period),
  // If a change takes effect with a new period, the event that starts the period reports it.
  'subscription.plan_changed': z.strictObject({
    from: text,
    to: text,
    periodStart: Instant.exactOptional(),
    periodEnd: Instant.exactOptional(),
  }),
  'subscription.plan_change_scheduled': z.strictObject({
    from: text,
    to: text.nullable(),
    effectiveAt: Instant.nullable(),
  }),
  'subscription.paused': z.strictObject({ periodEnd: Instant }),
  'subscription.resumed': z.strictObject({ periodEnd: Instant }),
  'subscription.cancel_scheduled': z.strictObject({ cancelsAt: Instant }),
  'subscription.cancellation_removed': z.strictObject({}),
  'subscription.canceled': ending,
  'subscription.expired': ending,
  'subscription.past_due': z.strictObject({ invoiceId: text }),
  'subscription.recovered': z.strictObject({ invoiceId: text }),
  'discount.applied': z.strictObject(discount),
  'discount.replaced': z.strictObject({ ...discount, by: text }),
  'discount.ended': z.strictObject(discount),
  'trial.extended': z.strictObject({ couponId: text, days: z.int(), periodEnd: Instant }),
  'invoice.created': z.strictObject({
    subscriptionId: text,
    reason: InvoiceReason,
    amountDue: SignedMinorUnits,
    currency: CurrencyCode,
    // Only if there is a discount.
    discountTotal: SignedMinorUnits.exactOptional(),
  }),
  'invoice.credited': z.strictObject(amount),
  'invoice.paid': z.strictObject({ amountPaid: SignedMinorUnits, currency: CurrencyCode }),
  'invoice.voided': z.strictObject({ balanceReturned: SignedMinorUnits }),
  'invoice.uncollectible': z.strictObject({ amountDue: SignedMinorUnits }),
  'payment.succeeded': z.strictObject(amount),
  'payment.failed': z.strictObject({ reason: FailureReason, nextAttemptAt: Instant.nullable() }),
  'charge.succeeded': z.strictObject(amount),
  'charge.failed': z.strictObject({ ...amount, reason: FailureReason }),
}
export type BillingEventType = keyof typeof billingEvents

export interface BillingFact<Type extends BillingEventType = BillingEventType> {
  readonly type: Type
  readonly subject: { readonly kind: 'subscription' | 'invoice' | 'charge'; readonly id: string }
  readonly detail: z.infer<(typeof billingEvents)[Type]>
}
