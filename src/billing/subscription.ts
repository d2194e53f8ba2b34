/**
 * Subscriptions: a customer's plan over time. Owns the record, and when its next trial or period end falls due. The
 * effect is decided in settle; the commands, in decide.
 */
import * as z from 'zod'
import { Instant } from '../time/instant.ts'
import { TRIAL_DAYS_MAX } from './coupon.ts'
import { awaitsResume, Discount } from './discount.ts'
import { Id } from './id.ts'
import { COUNT_MAX } from './money.ts'
import { rule } from './rule.ts'
import { isAllowed, isTerminal, Status } from './status.ts'

/** The billing of the running period, for proration: its invoice, whose last line it is, and its discounts. */
const Billed = z.strictObject({ invoiceId: z.string(), discounts: z.array(Discount) })

const SubscriptionRecord = z.strictObject({
  subscriptionId: Id,
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
  billed: Billed.nullable(),
  createdAt: Instant,
})
export type Subscription = z.infer<typeof SubscriptionRecord>

/** One subscription. `currentPeriodEnd` is boundary `cycle` of the schedule that starts at `anchor`. */
export const Subscription = SubscriptionRecord.refine(
  ({ createdAt, currentPeriodStart, currentPeriodEnd }) =>
    createdAt <= currentPeriodStart && currentPeriodStart < currentPeriodEnd,
  rule('has a period that does not begin before its end, after its creation'),
)
  .refine(hasValidBilling, rule('was billed in its trial, or never since'))
  .refine(hasValidTrial, rule('has a trial that does not agree with its days and its period'))
  .refine(hasValidPause, rule('was not paused within its period'))
  .refine(hasValidEnd, rule('has a cancellation or an end that does not agree with its status'))
  .refine(
    ({ planId, pendingPlanId }) => planId !== pendingPlanId,
    rule('waits for the plan that it has'),
  )
  .refine(hasValidDiscounts, rule('has discounts that could not come together'))

function hasValidTrial(subscription: Subscription): boolean {
  const { status, trialPeriodDays, trialEnd, createdAt, currentPeriodStart } = subscription
  if ((trialPeriodDays ?? 0) === 0) return trialEnd === null && status !== 'trialing'
  if (trialEnd === null || trialEnd <= createdAt) return false
  if (status === 'trialing') return currentPeriodStart === createdAt
  return isTerminal(status) || trialEnd <= currentPeriodStart
}

/** Settings may leave the first period of a subscription without a trial unbilled. */
function hasValidBilling(subscription: Subscription): boolean {
  const { status, billed, trialEnd, createdAt, currentPeriodStart } = subscription
  if (isTerminal(status)) return true
  if (status === 'trialing') return billed === null
  const isFirst = trialEnd === null && currentPeriodStart === createdAt
  return billed !== null || (isFirst && status !== 'past_due')
}

/** A subscription that ended while it was paused keeps the instant of the pause. */
function hasValidPause(subscription: Subscription): boolean {
  const { status, pausedAt, currentPeriodStart, currentPeriodEnd } = subscription
  if (pausedAt === null) return status !== 'paused'
  // In a full sandbox, a period that ends now may have no next period yet.
  const isWithin = currentPeriodStart <= pausedAt && pausedAt <= currentPeriodEnd
  return isWithin && (status === 'paused' || isTerminal(status))
}

function hasValidEnd(subscription: Subscription): boolean {
  const { status, createdAt, currentPeriodStart, cancelAtPeriodEnd } = subscription
  const { canceledAt, endedAt } = subscription
  if (isTerminal(status) !== (endedAt !== null)) return false
  if (endedAt !== null && endedAt < currentPeriodStart) return false
  if (canceledAt === null) return !cancelAtPeriodEnd
  const isInOrder = createdAt <= canceledAt && (endedAt === null || canceledAt <= endedAt)
  return isInOrder && (cancelAtPeriodEnd || status === 'canceled')
}

/** Several discounts are present only if each of them stacks, and no two are of one coupon. */
function hasValidDiscounts({ discounts, createdAt, pausedAt }: Subscription): boolean {
  const coupons = new Set(discounts.map(({ couponId }) => couponId))
  if (coupons.size < discounts.length) return false
  if (discounts.length > 1 && discounts.some(({ stackable }) => !stackable)) return false
  return discounts.every(
    (discount) =>
      discount.appliedAt >= createdAt &&
      (!awaitsResume(discount) || (pausedAt !== null && discount.appliedAt >= pausedAt)),
  )
}

/** When the access of the customer ends; null if no end is known. A pause ends it until the resume. */
export function accessUntil(subscription: Subscription): Instant | null {
  const { endedAt, pausedAt, cancelAtPeriodEnd, currentPeriodEnd } = subscription
  return endedAt ?? pausedAt ?? (cancelAtPeriodEnd ? currentPeriodEnd : null)
}

/** When the trial or the period of a subscription ends by itself; null while paused and once ended. */
export function boundaryDueAt(subscription: Subscription): Instant | null {
  const { status, currentPeriodEnd } = subscription
  const ends = isAllowed(status, 'trial_end') || isAllowed(status, 'period_end')
  return ends ? currentPeriodEnd : null
}
