/**
 * Redemption: applying a coupon. Owns the order of its checks and the count of its uses. The resulting discount is in
 * discount. (Interface section 4, rule 3)
 */

import { addMillis, DAY_MS, INSTANT_MAX_MS, type Instant, millisOf } from '../time/instant.ts'
import { scheduleFrom } from './billing-period.ts'
import {
  type Coupon,
  checkCoupon,
  checkCouponPlan,
  checkPromotion,
  type LastingCoupon,
  type Promotion,
  type TrialExtension,
} from './coupon.ts'
import { createDiscount, type Discount, placeMonths, stackDiscounts, windowOf } from './discount.ts'
import { type BillingRefusal, refuse } from './refusal.ts'
import { isAllowed } from './status.ts'
import { assume, moveByCommand, nameStatus, report, type Step } from './step.ts'

/** A coupon, and the promotion whose code named it, if any. */
export interface Offer {
  readonly coupon: Coupon
  readonly promotion: Promotion | null
}

/** Applies a coupon to the subscription of a step, or returns the refusal and changes nothing. */
export function redeemCoupon(step: Step, coupon: Coupon): BillingRefusal | null {
  const { status, subscriptionId } = step.subscription
  if (!isAllowed(status, 'apply_coupon')) {
    return refuse(
      'coupon_not_applicable',
      `Subscription "${subscriptionId}" is ${status}; a coupon applies to one that has not ended.`,
      ['coupon-refusals', 'unlisted-transitions'],
    )
  }
  const isCounted = step.settings.redemptionCount === 'each_application' || !hasCoupon(step, coupon)
  if (hasCoupon(step, coupon)) assume(step, 'redemption-count')
  // What counts no redemption is refused by no limit of them.
  const limited = isCounted ? coupon : { ...coupon, maxRedemptions: null }
  const refusal =
    checkOffer(step, { coupon: limited, promotion: null }) ??
    checkExtension(step, coupon) ??
    checkReapplied(step, coupon)
  if (refusal !== null) return refusal
  if (isCounted) countRedemption(step, { coupon, promotion: null })
  moveByCommand(step, 'apply_coupon')
  if (coupon.type === 'trial_extension') {
    moveByCommand(step, 'extend_trial')
    extendTrial(step, coupon)
  } else addDiscount(step, coupon)
  return null
}

/** Why an offer cannot be redeemed for the plan of a step; null if it can. */
export function checkOffer(step: Step, { coupon, promotion }: Offer): BillingRefusal | null {
  return (
    (promotion && checkPromotion(promotion, step.now)) ??
    checkCoupon(coupon, step.plan.currency, step.now) ??
    checkCouponPlan(coupon, step.plan)
  )
}

/** Counts a redemption; it is never given back. */
export function countRedemption(step: Step, offer: Offer): void {
  step.coupon = { ...offer.coupon, timesRedeemed: offer.coupon.timesRedeemed + 1 }
  if (offer.promotion === null) return
  step.promotion = { ...offer.promotion, timesRedeemed: offer.promotion.timesRedeemed + 1 }
}

/** Attaches the discount of a coupon: beside the present ones if all stack, else replaces them. */
export function addDiscount(step: Step, coupon: LastingCoupon): void {
  const { discounts: present, status, trialEnd } = step.subscription
  const runningTrialEnd = status === 'trialing' ? trialEnd : null
  const added = createDiscount(
    coupon,
    { now: step.now, trialEnd: runningTrialEnd, isPaused: status === 'paused' },
    step.settings,
  )
  const discounts = [...stackDiscounts(present, added)]
  step.subscription = { ...step.subscription, discounts }
  assumeForTerms(step, { added, present, isInTrial: runningTrialEnd !== null })
  const remaining = new Set(discounts)
  for (const discount of present.filter((each) => !remaining.has(each))) {
    const { couponId } = discount
    report(step, 'discount.replaced', { couponId, ...windowOf(discount), by: added.couponId })
  }
  report(step, 'discount.applied', { couponId: added.couponId, ...windowOf(added) })
}

/** Moves the end of the trial, or of an active subscription's period, by the days of a trial extension. */
export function extendTrial(step: Step, coupon: TrialExtension): void {
  assume(step, 'trial-extension', 'coupon-types')
  const end = addMillis(step.subscription.currentPeriodEnd, coupon.value * DAY_MS)
  if (step.subscription.status === 'trialing') moveTrialEnd(step, end)
  else step.subscription = { ...step.subscription, ...scheduleFrom(end) }
  report(step, 'trial.extended', { couponId: coupon.couponId, days: coupon.value, periodEnd: end })
}

function moveTrialEnd(step: Step, trialEnd: Instant): void {
  const place = (discount: Discount) => placeMonths(discount, trialEnd, step.settings)
  const { discounts: before } = step.subscription
  if (before.some(({ duration }) => duration === 'repeating')) assume(step, 'coupon-months-start')
  const discounts = before.map(place)
  step.subscription = { ...step.subscription, ...scheduleFrom(trialEnd), trialEnd, discounts }
}

function checkExtension(step: Step, coupon: Coupon): BillingRefusal | null {
  if (coupon.type !== 'trial_extension') return null
  const { subscriptionId, status, currentPeriodEnd } = step.subscription
  if (!isAllowed(status, 'extend_trial')) {
    const message = `coupon_id "${coupon.couponId}" extends a trial or a paid period: subscription "${subscriptionId}" must be trialing or active; got ${nameStatus(step, status)}.`
    const assumptions = ['coupon-refusals', 'trial-extension', ...step.assumptions] as const
    return refuse('coupon_not_applicable', message, assumptions)
  }
  if (millisOf(currentPeriodEnd) + coupon.value * DAY_MS <= INSTANT_MAX_MS) return null
  return refuse(
    'coupon_not_applicable',
    `coupon_id "${coupon.couponId}" would move the end of the period past the year 9999.`,
    ['coupon-refusals', 'trial-extension'],
  )
}

function hasCoupon({ subscription }: Step, { couponId }: Coupon): boolean {
  return subscription.discounts.some((discount) => discount.couponId === couponId)
}

/** Why a coupon that the subscription has cannot be applied again; null if the settings let it start again. */
function checkReapplied(step: Step, coupon: Coupon): BillingRefusal | null {
  if (!hasCoupon(step, coupon) || step.settings.reappliedCoupon === 'restart') return null
  return refuse(
    'coupon_not_applicable',
    `coupon_id must be a coupon that subscription "${step.subscription.subscriptionId}" does not have; it has "${coupon.couponId}".`,
    ['coupon-refusals', 'reapplied-coupon'],
  )
}

function assumeForTerms(
  step: Step,
  applied: {
    readonly added: Discount
    readonly present: readonly Discount[]
    readonly isInTrial: boolean
  },
): void {
  const { added, present, isInTrial } = applied
  if (added.duration !== 'repeating') assume(step, 'coupon-durations')
  if (added.type === 'fixed') assume(step, 'fixed-value-unit')
  if (present.length > 0) assume(step, 'stacking-needs-both')
  if (present.some((discount) => discount.couponId === added.couponId)) {
    assume(step, 'reapplied-coupon')
  }
  if (added.duration === 'repeating' && isInTrial) assume(step, 'coupon-months-start')
}
