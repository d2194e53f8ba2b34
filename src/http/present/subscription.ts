/** Subscriptions as the wire shows them. */
import type { Settings } from '../../assumptions/register.ts'
import { type Discount, windowOf } from '../../billing/discount.ts'
import type { Subscription } from '../../billing/subscription.ts'
import type { WireDiscount, WireSubscription } from '../../wire/subscription.ts'

/** A subscription on the wire; the paused status goes by the name that the settings give it. */
export function presentSubscription(
  subscription: Subscription,
  settings: Pick<Settings, 'pausedStatusName'>,
): WireSubscription {
  return {
    subscription_id: subscription.subscriptionId,
    customer_id: subscription.customerId,
    plan: subscription.planId,
    trial_period_days: subscription.trialPeriodDays,
    status: presentStatus(subscription.status, settings),
    trial_end: subscription.trialEnd,
    current_period_start: subscription.currentPeriodStart,
    current_period_end: subscription.currentPeriodEnd,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    ended_at: subscription.endedAt,
    pending_plan: subscription.pendingPlanId,
    discounts: subscription.discounts.map(presentDiscount),
    created_at: subscription.createdAt,
  }
}

/** A status by its name on the wire. */
export function presentStatus(
  status: Subscription['status'],
  { pausedStatusName }: Pick<Settings, 'pausedStatusName'>,
): string {
  return status === 'paused' ? pausedStatusName : status
}

function presentDiscount(discount: Discount): WireDiscount {
  const { startsAt, endsAt } = windowOf(discount)
  return {
    coupon_id: discount.couponId,
    type: discount.type,
    value: discount.value,
    duration: discount.duration,
    duration_in_months: discount.durationInMonths,
    starts_at: startsAt,
    ends_at: endsAt,
  }
}
