/**
 * Checks that one invoice does not contradict itself: every amount follows from its basis, and every attempt from its
 * schedule. Creates no invoice; billing never creates one that fails these checks.
 */
import { exactReduction } from './coupon.ts'
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
import { isRounded, share } from './money.ts'
import { rule } from './rule.ts'

/** An invoice from outside, or from a disk. */
export const CheckedInvoice = InvoiceRecord.refine(
  ({ invoiceId, sequence }) => invoiceId === numberedId('inv_', sequence),
  rule('has another number than its id'),
)
  .refine(hasValidLines, rule('has lines that do not belong together, or not at their amounts'))
  .refine(hasValidDiscounts, rule('has a discount that takes off something else than it says'))
  .refine(
    hasValidBalance,
    rule('uses more of the balance than it charges, or credits something else'),
  )
  .refine(hasValidAttempts, rule('has attempts that do not agree with its status and its instants'))
  .refine(
    hasValidRetries,
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

/** The kinds of line of an invoice, in their order, by its reason. */
const compositions: Record<Invoice['reason'], readonly string[]> = {
  period: ['period', 'proration_credit period'],
  proration: ['proration_credit proration_charge', 'proration_credit'],
}

/** Whether its lines belong together, and each has the amount of its basis and the time of its period. */
function hasValidLines({ reason, lines, createdAt }: Invoice): boolean {
  const composition = lines.map(({ kind }) => kind).join(' ')
  return (
    compositions[reason].includes(composition) &&
    lines.every(
      (line) =>
        line.periodStart === createdAt && line.periodStart < line.periodEnd && isLineValid(line),
    )
  )
}

/** Whether a line has the amount of its basis, and a basis and a cut that fit its kind. */
function isLineValid({ kind, amount, basis, cut }: InvoiceLine): boolean {
  if (kind === 'period') return basis === null && cut === 0 && amount >= 0
  if (basis === null || !isBasisValid(kind, basis)) return false
  const uncut = kind === 'proration_charge' ? amount : cut - amount
  const isCutRight = kind === 'proration_charge' ? cut === 0 : cut <= uncut
  return isCutRight && isRounded(uncut, share(basis.amount, basis.remainingMs, basis.lengthMs))
}

/** Whether the share is of the price of the period; a credit may be of zero, if the period was never paid. */
function isBasisValid(kind: InvoiceLine['kind'], basis: ProrationBasis): boolean {
  const isAmount = basis.amount === netOf(basis)
  const isNothing = kind === 'proration_credit' && basis.amount === 0
  return areDiscountsValid(basis) && basis.remainingMs <= basis.lengthMs && (isAmount || isNothing)
}

function hasValidDiscounts({ lines, discounts }: Invoice): boolean {
  const period = lines.find(({ kind }) => kind === 'period')
  if (period === undefined) return discounts.length === 0
  return areDiscountsValid({ price: period.amount, discounts })
}

/** Whether each discount took the right amount off the rest of the price, one after another. */
function areDiscountsValid({ price, discounts }: PeriodPrice): boolean {
  let left = price
  return discounts.every((discount) => {
    const isRight =
      discount.base === left && isRounded(discount.amount, exactReduction(left, discount))
    left -= discount.amount
    return isRight
  })
}

/** Whether it used the balance up to its charges, and credited exactly its negative amount. */
function hasValidBalance({ subtotal, discountTotal, balanceUsed }: Invoice): boolean {
  const net = subtotal - discountTotal
  return net < 0 ? balanceUsed === net : balanceUsed >= 0 && balanceUsed <= net
}

/**
 * Whether it was attempted when it was created and then in order, and only the last payment, which settled it,
 * succeeded. An invoice with nothing due was never attempted, or a credit paid it after failed attempts.
 */
function hasValidAttempts(invoice: Invoice): boolean {
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

/** Whether its retries match its schedule and its attempts, and it was given up only after the last one. */
function hasValidRetries({ status, attempts, retryOffsets, retriesMade }: Invoice): boolean {
  const most = Math.min(retryOffsets.length, Math.max(attempts.length - 1, 0))
  return retriesMade <= most && (status !== 'uncollectible' || retriesMade === retryOffsets.length)
}
