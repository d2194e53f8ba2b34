/**
 * Subscriptions: a customer holding a plan over time. Owns the record, and when its next trial or period end
 * falls due. What happens then is decided in settle; what callers may do, in decide.
 */
import * as z from 'zod'
import { TRIAL_DAYS_MAX } from './coupon.ts'
import { Discount } from './discount.ts'
import { Instant } from './instant.ts'
import { Amount, COUNT_MAX } from './money.ts'
import { isTerminal, Status } from './status.ts'

/**
 * The line that the running period was billed with, for prorating it: the price after discounts of the whole period,
 * what the line itself came to (less, after an upgrade), how long the period was then, and the discounts that it had.
 */
export const BilledLine = z.strictObject({
  invoiceId: z.string(),
  amount: Amount,
  charged: Amount,
  lengthMs: z.int().positive(),
  discounts: z.array(Discount),
})
export type BilledLine = z.infer<typeof BilledLine>

/** One subscription. `currentPeriodEnd` is boundary `cycle` of the schedule that starts at `anchor`. */
export const Subscription = z
  .strictObject({
    subscriptionId: z.string(),
    sequence: z.int().positive().max(COUNT_MAX),
    customerId: z.string(),
    planId: z.string(),
    trialPeriodDays: z.int().min(0).max(TRIAL_DAYS_MAX).nullable(),
    status: Status,
    trialEnd: Instant.nullable(),
    anchor: Instant,
    cycle: z.int().min(0),
    currentPeriodStart: Instant,
    currentPeriodEnd: Instant,
    cancelAtPeriodEnd: z.boolean(),
    canceledAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    pausedAt: Instant.nullable(),
    pendingPlanId: z.string().nullable(),
    discounts: z.array(Discount),
    billed: BilledLine.nullable(),
    createdAt: Instant,
  })
  .refine(
    ({ createdAt, currentPeriodStart, currentPeriodEnd }) =>
      createdAt <= currentPeriodStart && currentPeriodStart < currentPeriodEnd,
    'has a period that does not begin before its end, after its creation',
  )
  .refine(
    ({ status, billed }) => !['active', 'past_due', 'paused'].includes(status) || billed !== null,
    'was never billed',
  )
  .refine(
    ({ status, pausedAt, currentPeriodEnd }) =>
      status !== 'paused' || (pausedAt !== null && pausedAt <= currentPeriodEnd),
    'was not paused within its period',
  )
  .refine(
    ({ pausedAt, discounts }) =>
      pausedAt !== null || discounts.every(({ awaitsResume }) => !awaitsResume),
    'has a discount that waits for a resume',
  )
export type Subscription = z.infer<typeof Subscription>

/** When the trial or the period of a subscription ends by itself; null while paused and once ended. */
export function boundaryDueAt(subscription: Subscription): Instant | null {
  const { status } = subscription
  return status === 'paused' || isTerminal(status) ? null : subscription.currentPeriodEnd
}
