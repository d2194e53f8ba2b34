/** Subscriptions on the wire, and what is sent to create and change them. (Interface sections 2 and 4) */
import * as z from 'zod'
import { array, int, number, strictObject, string, union } from 'zod'
import type { Settings } from '../../assumptions/register.ts'
import { CouponDuration, ReductionType, TRIAL_DAYS_MAX } from '../../billing/coupon.ts'
import { windowOf } from '../../billing/discount.ts'
import { Status, statusName } from '../../billing/status.ts'
import { accessUntil, Subscription } from '../../billing/subscription.ts'
import { camelKeys, presentAs } from '../common/case.ts'
import {
  DurationIn,
  Flag,
  InstantIn,
  InstantOut,
  Natural,
  named,
  objectFrom,
  PageQuery,
  Reference,
  referenceTo,
  searchIn,
  sourced,
} from '../common/fields.ts'
import { durationMembers } from './coupon.ts'

/** The statuses by the names that they have unless the setting `paused_status_name` says otherwise. */
const initialStatusNames = Status.options
const accepts = `one of ${initialStatusNames.join(', ')}`

const StatusText = string().regex(/^[a-z_]{1,40}$/)

/** A status; no enumeration, because the name of the paused one is a setting. */
const WireStatus = StatusText.meta({
  accepts,
  description: `The status: ${initialStatusNames.map((name) => `\`${name}\``).join(', ')}. The paused one is called what the setting \`paused_status_name\` says, \`paused\` unless it was changed.`,
  examples: [...initialStatusNames],
  'x-extensible-enum': initialStatusNames,
  source: 'status-names',
})

/** A status as a caller names it: most are known, and that of the paused one is what its sandbox says. */
export const StatusName = union([
  z.enum(initialStatusNames),
  StatusText.describe('The name that the setting `paused_status_name` gives.'),
]).meta({
  accepts,
  description:
    'The status. The paused one is called what the setting `paused_status_name` says, `paused` unless it was changed; no other name is accepted.',
  source: 'status-names',
})

const assumed = 'subscription-fields'

const WireDiscount = objectFrom(assumed, {
  coupon_id: string().describe('The identifier of the coupon that the discount came from.'),
  type: ReductionType.describe('The type of the discount, which says what `value` means.'),
  value: number().gt(0).describe('The percentage, or the amount in minor units, by `type`.'),
  duration: CouponDuration.meta({
    description: 'How long the discount lasts.',
    members: durationMembers,
  }),
  duration_in_months: int()
    .min(1)
    .nullable()
    .describe('How many months a `repeating` discount lasts; null for other durations.'),
  starts_at: sourced('coupon-months-start', InstantOut).describe(
    'The instant from which the discount reduces invoices.',
  ),
  ends_at: sourced('repeating-months-window', InstantOut.nullable()).describe(
    'The instant at which a `repeating` discount ends; null for other durations. It covers an invoice at this very instant only if it covered none at the start.',
  ),
}).meta({
  id: 'Discount',
  description: 'A discount on a subscription, with the terms of its coupon when it was applied.',
})

/** A subscription: null where a field does not apply, never absent. */
export const WireSubscription = objectFrom(assumed, {
  subscription_id: sourced('2', string()).meta({
    description: 'The identifier of the subscription.',
    presence: assumed,
  }),
  customer_id: sourced('2', string()).describe('The identifier of the customer who is billed.'),
  plan: sourced('2', string()).describe('The identifier of the pricing plan that is billed now.'),
  trial_period_days: sourced('2', Subscription.shape.trialPeriodDays).meta({
    description: 'The trial days that the create asked for; null where it asked for none.',
    presence: assumed,
  }),
  status: WireStatus,
  trial_end: InstantOut.nullable().describe('The end of the trial; null without a trial.'),
  current_period_start: InstantOut.describe('The start of the current billing period.'),
  current_period_end: InstantOut.describe(
    'The end of the current billing period, exclusive; in a trial, the end of the trial.',
  ),
  cancel_at_period_end: Flag.describe('Whether the subscription ends with the current period.'),
  canceled_at: InstantOut.nullable().describe(
    'The instant of the last request to cancel the subscription; null without one.',
  ),
  ended_at: InstantOut.nullable().describe(
    'The instant at which the subscription ended; null until then.',
  ),
  pending_plan: string()
    .nullable()
    .describe('The identifier of the plan that takes effect at the next billing cycle, or null.')
    .meta({ examples: ['basic'] }),
  discounts: array(WireDiscount).describe(
    'The discounts on the subscription, in the order in which they were applied.',
  ),
  created_at: InstantOut.describe('The instant at which the subscription was created.'),
}).meta({ id: 'Subscription', description: 'A subscription: a customer holding a plan over time.' })
export type WireSubscription = z.input<typeof WireSubscription>

export const WireSubscriptionRecord = strictObject({
  ...WireSubscription.shape,
  access_until: sourced('access', InstantOut.nullable()).describe(
    'The end of the access of the customer: the end of the subscription, the start of a pause, or the end of the period where a cancellation is scheduled; else null.',
  ),
}).meta(
  named(
    assumed,
    'SubscriptionRecord',
    'A subscription as on /v1, and the end of the access of the customer.',
  ),
)
export type WireSubscriptionRecord = z.input<typeof WireSubscriptionRecord>

const CustomerId = referenceTo('customer').meta({ source: '2', examples: ['cus_ada'] })
const CouponId = referenceTo('coupon').meta({ source: '2', examples: ['SAVE20'] })
const PlanId = referenceTo('plan').meta({
  description: 'The identifier of the pricing plan.',
  source: '2',
  examples: ['basic'],
})

const TrialPeriodDays = Natural.max(TRIAL_DAYS_MAX).meta({
  description: `The number of trial days, 0 to ${TRIAL_DAYS_MAX}; 0 means no trial.`,
  source: '2',
  bounds: 'trial-period-bounds',
  examples: [14],
})

const order = {
  customer_id: CustomerId,
  plan: PlanId,
  trial_period_days: TrialPeriodDays.optional(),
}

/** What the bodies that the interface shows rest on. */
const shown = { source: '4', bounds: 'unknown-fields' }

export const SubscriptionCreate = strictObject(order).meta({
  id: 'SubscriptionCreate',
  description: 'The subscription to create.',
  ...shown,
})

export const SubscriptionUpdate = strictObject({
  plan: PlanId.meta({ examples: ['pro'] }),
}).meta({ id: 'SubscriptionUpdate', description: 'The plan to change to.', ...shown })

export const SubscriptionCancel = strictObject({
  at_period_end: Flag.optional().meta({
    description:
      'Whether the subscription ends with the current period; where absent or false it ends at once (assumption immediate-cancel-parameter).',
    source: '4',
    members: { false: 'immediate-cancel-parameter' },
  }),
}).meta({ id: 'SubscriptionCancel', description: 'When to cancel the subscription.', ...shown })

export const ApplyCoupon = strictObject({ coupon_id: CouponId }).meta({
  id: 'ApplyCoupon',
  description: 'The coupon to apply.',
  ...shown,
})

export const CheckoutCreate = union([
  strictObject({ ...order, coupon_id: CouponId.optional() }).meta({
    id: 'CheckoutWithCoupon',
    description: 'The subscription to create, perhaps with a coupon.',
  }),
  strictObject({
    ...order,
    promotion_code: sourced('1', Reference.meta({ accepts: 'the code of a promotion' })).describe(
      'The code of a promotion, in place of a coupon.',
    ),
  }).meta({
    id: 'CheckoutWithPromotion',
    description: 'The subscription to create, with the code of a promotion.',
  }),
]).meta(
  named(
    '1',
    'Checkout',
    'The subscription to create, with a coupon, the code of a promotion, or neither.',
  ),
)

/** How far a forecast looks. */
export const ForecastQuery = PageQuery.omit({ order: true }).extend({
  until: InstantIn.optional().describe(
    'The instant until which to look ahead, inclusive. Default: one year after the virtual now.',
  ),
  for: DurationIn.optional().describe('The duration to look ahead, in place of `until`.'),
})

export const subscriptionFilter = {
  customer_id: CustomerId.optional().describe(
    'Only subscriptions of the customer with this identifier.',
  ),
  status: StatusName.optional().describe('Only subscriptions with this status.'),
  ...searchIn(
    'subscriptions with this text in their identifier, or in the identifier, name or e-mail address of their customer',
  ),
}

/** A subscription on the wire; the paused status goes by the name that the settings give it. */
export function presentSubscription(
  subscription: Subscription,
  settings: Pick<Settings, 'pausedStatusName'>,
): WireSubscription {
  // Field by field: to present it by its shape would be a tenth of a short call.
  return {
    subscription_id: subscription.subscriptionId,
    customer_id: subscription.customerId,
    plan: subscription.planId,
    trial_period_days: subscription.trialPeriodDays,
    status: statusName(subscription.status, settings),
    trial_end: subscription.trialEnd,
    current_period_start: subscription.currentPeriodStart,
    current_period_end: subscription.currentPeriodEnd,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    canceled_at: subscription.canceledAt,
    ended_at: subscription.endedAt,
    pending_plan: subscription.pendingPlanId,
    discounts: subscription.discounts.map((discount) =>
      presentAs(WireDiscount, { ...discount, ...windowOf(discount) }),
    ),
    created_at: subscription.createdAt,
  }
}

/** A subscription on the control plane; the paused status goes by the name that the settings give it. */
export function presentSubscriptionRecord(
  subscription: Subscription,
  settings: Pick<Settings, 'pausedStatusName'>,
): WireSubscriptionRecord {
  return { ...presentSubscription(subscription, settings), access_until: accessUntil(subscription) }
}

/** A subscription to make, perhaps with an offer. */
export function toCheckout(body: z.output<typeof CheckoutCreate>) {
  return { trialPeriodDays: null, couponId: null, promotionCode: null, ...camelKeys(body) }
}
