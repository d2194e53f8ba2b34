/**
 * Discounts: coupons attached to a subscription. Owns how long one runs, how several stack, and what they take
 * off an amount. Does not decide whether a coupon may be redeemed (see coupon).
 */
import * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import { addMonthsAtMost, elapsed, Instant, plusAtMost } from '../time/instant.ts'
import type { Plan } from './catalog.ts'
import { Coupon, CouponDuration, CouponType, covers, offOf, termsAgree } from './coupon.ts'
import type { InvoiceDiscount } from './invoice.ts'
import { rule } from './rule.ts'

/**
 * A coupon attached to a subscription, with the terms it had when it was applied. Only a repeating one has an end;
 * it reduces invoices created in `[startsAt, endsAt)`. `awaitsResume` marks one applied while paused, until the resume:
 * the instant of application could not tell, since a frozen clock lets a pause come before or after it at one instant.
 */
export const Discount = z
  .strictObject({
    couponId: z.string(),
    type: CouponType,
    value: z.number().positive(),
    duration: CouponDuration,
    durationInMonths: z.int().positive().nullable(),
    appliesToPlans: Coupon.shape.appliesToPlans,
    appliesToProducts: Coupon.shape.appliesToProducts,
    stackable: z.boolean(),
    appliedAt: Instant,
    awaitsResume: z.boolean(),
    startsAt: Instant,
    endsAt: Instant.nullable(),
  })
  .refine(termsAgree, rule('has a value, a duration and months that do not go together'))
  .refine(
    ({ startsAt, endsAt, durationInMonths: months }) =>
      (months === null) === (endsAt === null) &&
      (endsAt === null || endsAt >= addMonthsAtMost(startsAt, months ?? 0)),
    rule('does not have its months between its start and its end'),
  )
  .refine(
    ({ duration, appliedAt, startsAt }) =>
      duration === 'repeating' ? appliedAt <= startsAt : appliedAt === startsAt,
    rule('does not start when it was applied'),
  )
export type Discount = z.infer<typeof Discount>

/** Attaches a coupon at `now`; `trialEnd` is that of a running trial, else null. The window is placed by the settings. */
export function attach(
  coupon: Coupon & { duration: NonNullable<Coupon['duration']> },
  at: { readonly now: Instant; readonly trialEnd: Instant | null; readonly isPaused: boolean },
  settings: Settings,
): Discount {
  const { couponId, type, value, duration, durationInMonths, stackable } = coupon
  const { appliesToPlans, appliesToProducts } = coupon
  const terms = { couponId, type, value, duration, durationInMonths, stackable }
  const discount: Discount = {
    ...terms,
    appliesToPlans,
    appliesToProducts,
    appliedAt: at.now,
    awaitsResume: at.isPaused,
    startsAt: at.now,
    endsAt: null,
  }
  return placeWindow(discount, at.trialEnd, settings)
}

/** Places a repeating discount's months: from the trial end where one runs and the setting says so, else from application. */
export function placeWindow(
  discount: Discount,
  trialEnd: Instant | null,
  settings: Settings,
): Discount {
  if (discount.duration !== 'repeating') return discount
  const waits = trialEnd !== null && settings.couponMonthsStart === 'first_billing'
  return startingAt(discount, waits ? trialEnd : discount.appliedAt)
}

/** A discount after a pause: where months stop running meanwhile, a repeating one's window moves; others stay as they are. */
export function afterPause(
  discount: Discount,
  pause: { readonly start: Instant; readonly end: Instant },
  settings: Settings,
): Discount {
  const resumed = discount.awaitsResume ? { ...discount, awaitsResume: false } : discount
  const stops = settings.couponMonthsDuringPause === 'stops'
  if (!stops || discount.duration !== 'repeating' || discount.endsAt === null) return resumed
  if (discount.awaitsResume) return startingAt(resumed, pause.end)
  if (discount.endsAt <= pause.start) return resumed
  return { ...resumed, endsAt: plusAtMost(discount.endsAt, elapsed(pause.start, pause.end)) }
}

/** Adds a discount to those present: appended when it and all of them stack, else in place of them all. */
export function stack(present: readonly Discount[], added: Discount): readonly Discount[] {
  const stacks = added.stackable && present.every((discount) => discount.stackable)
  if (!stacks) return [added]
  return [...present.filter((discount) => discount.couponId !== added.couponId), added]
}

/** Whether a discount reduces an invoice created at `now` for a plan. */
export function reduces(discount: Discount, plan: Plan, now: Instant): boolean {
  return covers(discount, plan) && now >= discount.startsAt && !hasRunOut(discount, now)
}

/** Whether a repeating discount's months are over. */
export function hasRunOut(discount: Discount, now: Instant): boolean {
  return discount.endsAt !== null && now >= discount.endsAt
}

/** What a discount is, as far as arithmetic goes. */
export type Reduction = Pick<Discount, 'couponId' | 'type' | 'value'>

/**
 * Takes discounts off an amount of minor units, one after the other in the order of the setting, each rounded on
 * its own and none below zero. Answers what each took, zero ones too.
 */
export function takeOff(
  amount: number,
  discounts: readonly Reduction[],
  order: Settings['stackingOrder'],
): InvoiceDiscount[] {
  let base = amount
  const taken: InvoiceDiscount[] = []
  for (const { couponId, type, value } of inOrder(discounts, order)) {
    const off = offOf(base, { type, value })
    taken.push({ couponId, amount: off, type, value, base })
    base -= off
  }
  return taken
}

function inOrder(discounts: readonly Reduction[], order: Settings['stackingOrder']) {
  if (order === 'application') return discounts
  const percentages = discounts.filter((discount) => discount.type === 'percentage')
  const fixed = discounts.filter((discount) => discount.type !== 'percentage')
  return order === 'percentage_first' ? [...percentages, ...fixed] : [...fixed, ...percentages]
}

function startingAt(discount: Discount, startsAt: Instant): Discount {
  return {
    ...discount,
    startsAt,
    endsAt: addMonthsAtMost(startsAt, discount.durationInMonths ?? 0),
  }
}
