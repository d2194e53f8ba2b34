/**
 * Discounts: coupons attached to a subscription. Owns how long one runs, how several stack, and the amounts that they
 * take off. Does not decide whether a coupon may be redeemed (see coupon).
 */
import * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import { addMillisAtMost, addMonthsAtMost, Instant, millisBetween } from '../time/instant.ts'
import type { Plan } from './catalog.ts'
import {
  appliesTo,
  covers,
  durations,
  exactReduction,
  type LastingCoupon,
  type Reduction,
  reductions,
} from './coupon.ts'
import type { InvoiceDiscount } from './invoice.ts'
import { round } from './money.ts'
import { rule } from './rule.ts'

const discountFields = {
  couponId: z.string(),
  ...appliesTo,
  stackable: z.boolean(),
  appliedAt: Instant,
}

/**
 * The months of a repeating discount. `wasOnFirst` says whether it was on an invoice made at `startsAt` itself.
 * `awaitsResume` marks one applied while paused, until the resume. The instant of application cannot say so: on a
 * frozen clock, a pause may come before or after it at one instant.
 */
const months = {
  startsAt: Instant,
  endsAt: Instant,
  wasOnFirst: z.boolean(),
  awaitsResume: z.boolean(),
}

function discountsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.discriminatedUnion('duration', [
    z.strictObject({ ...discountFields, ...shape, ...durations.once }),
    z.strictObject({ ...discountFields, ...shape, ...durations.repeating, ...months }),
    z.strictObject({ ...discountFields, ...shape, ...durations.forever }),
  ])
}

const DiscountRecord = z.discriminatedUnion('type', [
  discountsOf(reductions.percentage),
  discountsOf(reductions.fixed),
])
export type Discount = z.infer<typeof DiscountRecord>
type Repeating = Extract<Discount, { duration: 'repeating' }>

/** A coupon attached to a subscription, with the terms it had when it was applied. */
export const Discount = DiscountRecord.refine(
  (discount) => discount.duration !== 'repeating' || hasValidMonths(discount),
  rule('does not have its months between its start and its end, from its application on'),
)

/** Attaches a coupon at `now`; `trialEnd` is the end of a running trial, else null. */
export function createDiscount(
  coupon: LastingCoupon,
  at: { readonly now: Instant; readonly trialEnd: Instant | null; readonly isPaused: boolean },
  settings: Settings,
): Discount {
  const { couponId, type, value, appliesToPlans, appliesToProducts, stackable } = coupon
  const reduction = { couponId, type, value, appliesToPlans, appliesToProducts, stackable }
  const attached = { ...reduction, appliedAt: at.now }
  const { duration, durationInMonths } = coupon
  if (duration !== 'repeating') return { ...attached, duration, durationInMonths: null }
  const window = { startsAt: at.now, endsAt: at.now, wasOnFirst: false }
  const terms = { duration, durationInMonths, ...window, awaitsResume: at.isPaused }
  return placeMonths({ ...attached, ...terms }, at.trialEnd, settings)
}

/** Places the months of a discount: from the end of a running trial if the setting says so, else from application. */
export function placeMonths(
  discount: Discount,
  trialEnd: Instant | null,
  settings: Settings,
): Discount {
  if (discount.duration !== 'repeating') return discount
  const waits = trialEnd !== null && settings.couponMonthsStart === 'first_billing'
  return withMonthsFrom(discount, waits ? trialEnd : discount.appliedAt)
}

/** A discount after a pause: if the setting stops the months during a pause, those of a repeating discount move. */
export function afterPause(
  discount: Discount,
  pause: { readonly start: Instant; readonly end: Instant },
  settings: Settings,
): Discount {
  if (discount.duration !== 'repeating') return discount
  const resumed = { ...discount, awaitsResume: false }
  if (settings.couponMonthsDuringPause === 'runs') return resumed
  if (discount.awaitsResume) return withMonthsFrom(resumed, pause.end)
  if (discount.endsAt <= pause.start) return resumed
  return {
    ...resumed,
    endsAt: addMillisAtMost(discount.endsAt, millisBetween(pause.start, pause.end)),
  }
}

/** A discount after an invoice for a period, which it may be on; null if the discount ends. */
export function afterInvoice(
  discount: Discount,
  { now, isOn }: { readonly now: Instant; readonly isOn: boolean },
): Discount | null {
  switch (discount.duration) {
    case 'once':
      return isOn ? null : discount
    case 'repeating':
      if (now >= discount.endsAt) return null
      return isOn && now === discount.startsAt ? { ...discount, wasOnFirst: true } : discount
    case 'forever':
      return discount
  }
}

/** Whether the months of a discount start with the resume of a paused subscription. */
export function awaitsResume(discount: Discount): boolean {
  return discount.duration === 'repeating' && discount.awaitsResume
}

/** The start and end of a discount; the end is null if it has no months. */
export function windowOf(discount: Discount): { startsAt: Instant; endsAt: Instant | null } {
  if (discount.duration !== 'repeating') return { startsAt: discount.appliedAt, endsAt: null }
  return { startsAt: discount.startsAt, endsAt: discount.endsAt }
}

/** Whether a discount reduces an invoice created at `now` for a plan. */
export function reduces(
  discount: Discount,
  plan: Plan,
  { now, settings }: { readonly now: Instant; readonly settings: Settings },
): boolean {
  const isInTime = discount.duration !== 'repeating' || isInMonths(discount, now)
  return isInTime && isWithinLimits(discount, plan, settings)
}

/** Whether the limits of an applied coupon let it reduce an invoice for a plan. */
export function isWithinLimits(discount: Discount, plan: Plan, settings: Settings): boolean {
  return settings.couponLimitsOnInvoices === 'when_applied' || covers(discount, plan)
}

/** Three months are three monthly invoices: an invoice at the end is covered if none at the start was. */
function isInMonths({ startsAt, endsAt, wasOnFirst }: Repeating, now: Instant): boolean {
  return now >= startsAt && (now < endsAt || (now === endsAt && !wasOnFirst))
}

/** Adds a discount: appended if it and all present ones stack, else replaces them all. */
export function stackDiscounts(present: readonly Discount[], added: Discount): readonly Discount[] {
  const stacks = added.stackable && present.every((discount) => discount.stackable)
  if (!stacks) return [added]
  return [...present.filter((discount) => discount.couponId !== added.couponId), added]
}

/** The amount that a coupon takes off. */
export type NamedReduction = Reduction & { readonly couponId: string }

/**
 * Takes discounts off an amount of minor units, one after another in the order of the settings. Each is rounded
 * separately, and no result is below zero. Returns the amount of each, including zeros.
 */
export function applyDiscounts(
  amount: number,
  discounts: readonly NamedReduction[],
  { stackingOrder, amountRounding }: Pick<Settings, 'stackingOrder' | 'amountRounding'>,
): InvoiceDiscount[] {
  let base = amount
  return sortDiscounts(discounts, stackingOrder).map(({ couponId, type, value }) => {
    const off = round(exactReduction(base, { type, value }), amountRounding)
    const taken = { couponId, amount: off, type, value, base }
    base -= off
    return taken
  })
}

const ranks: Record<Settings['stackingOrder'], Record<Reduction['type'], number>> = {
  percentage_first: { percentage: 1, fixed: 2 },
  fixed_first: { percentage: 2, fixed: 1 },
  application: { percentage: 1, fixed: 1 },
}

function sortDiscounts(
  discounts: readonly NamedReduction[],
  order: Settings['stackingOrder'],
): readonly NamedReduction[] {
  const rank = ranks[order]
  return discounts.toSorted((one, other) => rank[one.type] - rank[other.type])
}

function hasValidMonths({ appliedAt, startsAt, endsAt, durationInMonths }: Repeating): boolean {
  return appliedAt <= startsAt && endsAt >= addMonthsAtMost(startsAt, durationInMonths)
}

function withMonthsFrom(discount: Repeating, startsAt: Instant): Repeating {
  return { ...discount, startsAt, endsAt: addMonthsAtMost(startsAt, discount.durationInMonths) }
}
