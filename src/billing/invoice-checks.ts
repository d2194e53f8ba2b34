/**
 * What one invoice must not contradict itself in: every amount follows from what stands beside it, and every attempt
 * from its schedule. Makes no invoice; what it refuses, billing would never have made.
 */
import { reductionOf } from './coupon.ts'
import { numberedId } from './id.ts'
import {
  type Invoice,
  type InvoiceLine,
  InvoiceRecord,
  netOf,
  type PeriodPrice,
  type ProrationBasis,
  retryAt,
} from './invoice.ts'
import { roundHalfAway, share } from './money.ts'
import { rule } from './rule.ts'

/** An invoice from outside, or from a disk. */
export const CheckedInvoice = InvoiceRecord.refine(
  ({ invoiceId, sequence }) => invoiceId === numberedId('inv_', sequence),
  rule('has another number than its id'),
)
  .refine(hasLinesRight, rule('has lines that do not belong together, or not at their amounts'))
  .refine(hasDiscountsRight, rule('has a discount that takes off something else than it says'))
  .refine(
    hasBalanceRight,
    rule('uses more of the balance than it charges, or credits something else'),
  )
  .refine(hasAttemptsRight, rule('has attempts that do not agree with its status and its instants'))
  .refine(
    hasRetriesRight,
    rule('was retried more often than it was attempted, or given up too soon'),
  )
  .refine(
    (invoice) => invoice.nextAttemptAt === null || invoice.nextAttemptAt === retryAt(invoice),
    rule('has a next attempt that is not on its schedule'),
  )
  .refine(
    ({ attempts, nextAttemptAt }) =>
      nextAttemptAt === null || nextAttemptAt > (attempts.at(-1)?.at ?? ''),
    rule('has a next attempt before its last'),
  )

/** The kinds of line that come together, in their order, by the reason of the invoice. */
const compositions: Record<Invoice['reason'], readonly string[]> = {
  period: ['period', 'proration_credit period'],
  proration: ['proration_credit proration_charge'],
}

/** Whether its lines belong together, and each has the amount that its basis gives and the time that it is for. */
function hasLinesRight({ reason, lines, createdAt }: Invoice): boolean {
  const composition = lines.map(({ kind }) => kind).join(' ')
  return (
    compositions[reason].includes(composition) &&
    lines.every(
      (line) =>
        line.periodStart === createdAt &&
        line.periodStart < line.periodEnd &&
        line.amount === amountOf(line),
    )
  )
}

/** The amount that a line must have; null where its basis or its cut does not go with its kind. */
function amountOf({ kind, amount, basis, cut }: InvoiceLine): number | null {
  if (kind === 'period') return basis === null && cut === 0 && amount >= 0 ? amount : null
  if (basis === null || !holds(kind, basis)) return null
  const rounded = roundHalfAway(share(basis.amount, basis.remainingMs, basis.lengthMs))
  if (kind === 'proration_charge') return cut === 0 ? rounded : null
  return cut <= rounded ? cut - rounded : null
}

/** Whether a share was taken of what the period costs; a credit may be of nothing, where it was never paid. */
function holds(kind: InvoiceLine['kind'], basis: ProrationBasis): boolean {
  const isAmount = basis.amount === netOf(basis)
  const isNothing = kind === 'proration_credit' && basis.amount === 0
  return areTakenOff(basis) && basis.remainingMs <= basis.lengthMs && (isAmount || isNothing)
}

function hasDiscountsRight({ lines, discounts }: Invoice): boolean {
  const period = lines.find(({ kind }) => kind === 'period')
  if (period === undefined) return discounts.length === 0
  return areTakenOff({ price: period.amount, discounts })
}

/** Whether each discount took what it takes off what was left of the price of the period, one after the other. */
function areTakenOff({ price, discounts }: PeriodPrice): boolean {
  let left = price
  return discounts.every((discount) => {
    const isRight = discount.base === left && discount.amount === reductionOf(left, discount)
    left -= discount.amount
    return isRight
  })
}

/** Whether it used the balance as far as it charges, and gave to it exactly what it credits. */
function hasBalanceRight({ subtotal, discountTotal, balanceUsed }: Invoice): boolean {
  const net = subtotal - discountTotal
  return net < 0 ? balanceUsed === net : balanceUsed >= 0 && balanceUsed <= net
}

/**
 * Whether it was attempted when it was made and in order ever since, and only the payment that settled it succeeded. One
 * with nothing due was never attempted, or a credit paid it after its attempts failed.
 */
function hasAttemptsRight(invoice: Invoice): boolean {
  const { status, amountDue, attempts, createdAt, paidAt } = invoice
  const isPaid = status === 'paid'
  const [first] = attempts
  const last = attempts.at(-1)
  if (first === undefined) return amountDue === 0 && isPaid && paidAt === createdAt
  const isByCredit = amountDue === 0
  const settling = isPaid && !isByCredit ? last : undefined
  return (
    first.at === createdAt &&
    attempts.every(({ at }, index) => index === 0 || at >= (attempts[index - 1]?.at ?? at)) &&
    attempts.every((each) => (each.outcome === 'succeeded') === (each === settling)) &&
    (isByCredit
      ? isPaid && paidAt !== null && paidAt >= (last?.at ?? paidAt)
      : paidAt === (isPaid ? last?.at : null))
  )
}

/** Whether it was retried as often as its schedule and its attempts allow, and was given up after the last time only. */
function hasRetriesRight({ status, attempts, retryOffsets, retriesMade }: Invoice): boolean {
  const most = Math.min(retryOffsets.length, Math.max(attempts.length - 1, 0))
  return retriesMade <= most && (status !== 'uncollectible' || retriesMade === retryOffsets.length)
}
