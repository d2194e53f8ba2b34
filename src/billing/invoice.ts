/**
 * Invoices. Owns their shape and their totals. Does not decide when one is created (see billing-period and plan-change)
 * or how it is collected (see dunning).
 */
import * as z from 'zod'
import { StackingOrder } from '../assumptions/coupons.ts'
import { RetrySchedule } from '../assumptions/subscriptions.ts'
import { addMillisAtMost, exactMillis, Instant } from '../time/instant.ts'
import { reductions } from './coupon.ts'
import { Id } from './id.ts'
import { COUNT_MAX, CurrencyCode, MinorUnits, SignedMinorUnits } from './money.ts'
import { AttemptOutcome } from './payment.ts'

const discountFields = { couponId: z.string(), amount: MinorUnits, base: MinorUnits }

/** The amount that one discount took off `base`, the rest of the amount before it. */
export const InvoiceDiscount = z.discriminatedUnion('type', [
  z.strictObject({ ...discountFields, ...reductions.percentage }),
  z.strictObject({ ...discountFields, ...reductions.fixed }),
])
export type InvoiceDiscount = z.infer<typeof InvoiceDiscount>

/** The price of a whole period of a plan, minus what each discount takes off. */
export const PeriodPrice = z.strictObject({
  price: MinorUnits,
  discounts: z.array(InvoiceDiscount),
})
export type PeriodPrice = z.infer<typeof PeriodPrice>

/** A proration line is `amount x remainingMs / lengthMs`; the amount is zero if the period was never paid. */
export const ProrationBasis = PeriodPrice.extend({
  amount: MinorUnits,
  remainingMs: z.int().min(0),
  lengthMs: z.int().positive(),
})
export type ProrationBasis = z.infer<typeof ProrationBasis>

/** One amount for one span of time. `cut` reduces a credit, so that it is not larger than the line that it credits. */
export const InvoiceLine = z.strictObject({
  kind: z.enum(['period', 'proration_credit', 'proration_charge']),
  planId: z.string(),
  description: z.string(),
  amount: SignedMinorUnits,
  periodStart: Instant,
  periodEnd: Instant,
  basis: ProrationBasis.nullable(),
  cut: MinorUnits,
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const InvoiceReason = z.enum(['period', 'proration'])

export const InvoiceStatus = z.enum(['open', 'paid', 'void', 'uncollectible'])

/**
 * An amount that a customer owes at one moment. `amountDue` is subtotal - discountTotal - balanceUsed, never negative;
 * `balanceUsed` is negative if the invoice credits the balance. `retryOffsets` is its retry schedule, fixed at its
 * first failure.
 */
export const InvoiceRecord = z.strictObject({
  invoiceId: Id,
  sequence: z.int().positive().max(COUNT_MAX),
  subscriptionId: z.string(),
  customerId: z.string(),
  reason: InvoiceReason,
  status: InvoiceStatus,
  currency: CurrencyCode,
  lines: z.array(InvoiceLine),
  discounts: z.array(InvoiceDiscount),
  stackingOrder: StackingOrder,
  subtotal: SignedMinorUnits,
  discountTotal: MinorUnits,
  balanceUsed: SignedMinorUnits,
  amountDue: MinorUnits,
  amountPaid: MinorUnits,
  createdAt: Instant,
  paidAt: Instant.nullable(),
  nextAttemptAt: Instant.nullable(),
  attempts: z.array(z.strictObject({ at: Instant, outcome: AttemptOutcome })),
  retryOffsets: RetrySchedule,
  retriesMade: z.int().min(0),
})
export type Invoice = z.infer<typeof InvoiceRecord>

/** The next attempt of an invoice by its schedule, counted from its first failure; null after the last. */
export function retryAt(
  invoice: Pick<Invoice, 'attempts' | 'retryOffsets' | 'retriesMade'>,
): Instant | null {
  const firstFailedAt = invoice.attempts[0]?.at
  const offset = invoice.retryOffsets[invoice.retriesMade]
  const millis = offset === undefined ? null : exactMillis(offset)
  if (firstFailedAt === undefined || millis === null) return null
  return addMillisAtMost(firstFailedAt, millis)
}

export function netOf({ price, discounts }: PeriodPrice): number {
  return price - sumOf(discounts)
}

/** Adds up an invoice: the balance pays the rest after discounts first, or receives it if it is negative. */
export function totalsOf(
  lines: readonly InvoiceLine[],
  discounts: readonly InvoiceDiscount[],
  balance: number,
) {
  const subtotal = sumOf(lines)
  const discountTotal = sumOf(discounts)
  const net = subtotal - discountTotal
  const balanceUsed = Math.min(net, balance)
  return { subtotal, discountTotal, balanceUsed, amountDue: net - balanceUsed }
}

function sumOf(parts: readonly { readonly amount: number }[]): number {
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}
