/** Subscriptions on the wire, and what is sent to create and change them. (Interface sections 2 and 4) */

import * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import { CouponDuration, ReductionType, TRIAL_DAYS_MAX } from '../billing/coupon.ts'
import { windowOf } from '../billing/discount.ts'
import { accessUntil, type Subscription } from '../billing/subscription.ts'
import { camelKeys, presentAs } from './case.ts'
import { durationMembers } from './coupon.ts'
import { InstantIn, InstantOut, PageQuery, Reference } from './fields.ts'

/** The statuses by the names that they have unless the setting `paused_status_name` says otherwise. */
const initialStatusNames = [
  'trialing',
  'active',
  'past_due',
  'paused',
  'canceled',
  'expired',
] as const

/** A status; no enumeration, because the name of the paused one is a setting. */
const WireStatus = z
  .string()
  .regex(/^[a-z_]{1,40}$/)
  .meta({
    accepts: `one of ${initialStatusNames.join(', ')}`,
    description: `The state: ${initialStatusNames.map((name) => `\`${name}\``).join(', ')}. The paused one is called what the setting \`paused_status_name\` says, \`paused\` unless it was changed.`,
    examples: [...initialStatusNames],
    source: 'status-names',
  })

/** A status as a caller names it: most are known, and that of the paused one is what its sandbox says. */
export const StatusName = z
  .union([
    z.enum(initialStatusNames),
    z
      .string()
      .regex(/^[a-z_]{1,40}$/)
      .describe('What the setting `paused_status_name` says.'),
  ])
  .meta({
    accepts: `one of ${initialStatusNames.join(', ')}`,
    description:
      'The state. The paused one is called what the setting `paused_status_name` says, `paused` unless it was changed; no other name is accepted.',
    source: 'status-names',
  })

const assumed = { source: 'subscription-fields' }

/** A discount on a subscription: the terms of a coupon as they were when it was applied. */
const WireDiscount = z
  .strictObject({
    coupon_id: z.string().describe('The coupon it came from.').meta(assumed),
    type: ReductionType.describe('What `value` means.').meta(assumed),
    value: z
      .number()
      .gt(0)
      .describe('The percent, or an amount of minor units, by `type`.')
      .meta(assumed),
    duration: CouponDuration.meta({
      description: 'How long it lasts.',
      members: durationMembers,
      ...assumed,
    }),
    duration_in_months: z
      .int()
      .min(1)
      .nullable()
      .describe('The months of a repeating one, else null.')
      .meta(assumed),
    starts_at: InstantOut.meta({
      description: 'From when on it reduces invoices.',
      source: 'coupon-months-start',
    }),
    ends_at: InstantOut.nullable().meta({
      description:
        'Until when a repeating one does, else null. An invoice at this very instant is covered if none at the start was.',
      source: 'repeating-months-window',
    }),
  })
  .meta({ id: 'Discount', ...assumed })

/** A subscription: null where a field does not apply, never absent. */
export const WireSubscription = z
  .strictObject({
    subscription_id: z.string().meta({ description: 'Its identifier.', source: '2' }),
    customer_id: z.string().meta({ description: 'The customer who is billed.', source: '2' }),
    plan: z.string().meta({ description: 'The pricing plan that is billed now.', source: '2' }),
    trial_period_days: z.int().min(0).max(TRIAL_DAYS_MAX).nullable().meta({
      description: 'The trial days asked for on create; null where none were.',
      source: '2',
    }),
    status: WireStatus,
    trial_end: InstantOut.nullable()
      .describe('When the trial ends or ended; null without one.')
      .meta(assumed),
    current_period_start: InstantOut.describe('When the running period began.').meta(assumed),
    current_period_end: InstantOut.describe(
      'When it ends, exclusive; in a trial, the end of the trial.',
    ).meta(assumed),
    cancel_at_period_end: z
      .boolean()
      .describe('Whether it ends with the running period.')
      .meta(assumed),
    canceled_at: InstantOut.nullable()
      .describe('When its cancellation was last asked for; null where nobody did.')
      .meta(assumed),
    ended_at: InstantOut.nullable().describe('When it ended; null until then.').meta(assumed),
    pending_plan: z
      .string()
      .nullable()
      .describe('The plan that takes effect at the next billing cycle, or null.')
      .meta(assumed),
    discounts: z
      .array(WireDiscount)
      .describe('The discounts, in the order in which they were applied.')
      .meta(assumed),
    created_at: InstantOut.describe('When it was created.').meta(assumed),
  })
  .meta({ id: 'Subscription', description: 'A customer holding a plan over time.', ...assumed })
export type WireSubscription = z.input<typeof WireSubscription>

/** A subscription on the control plane. */
export const WireSubscriptionRecord = z
  .strictObject({
    ...WireSubscription.shape,
    access_until: InstantOut.nullable().meta({
      description:
        'When the access of the customer ends or ended: the end of the subscription, the begin of a running pause, or the end of the period where a cancellation is scheduled; else null.',
      source: 'access',
    }),
  })
  .meta({
    id: 'SubscriptionRecord',
    description: 'A subscription as on /v1, and until when the customer has access.',
    ...assumed,
  })
export type WireSubscriptionRecord = z.input<typeof WireSubscriptionRecord>

const CustomerId = Reference.meta({
  accepts: 'the identifier of a customer',
  description: 'Identifier of the customer.',
  source: '2',
  examples: ['cus_ada'],
})

const PlanId = Reference.meta({
  accepts: 'the identifier of a plan',
  description: 'Identifier of the pricing plan.',
  source: '2',
  examples: ['basic'],
})

const CouponId = Reference.meta({
  accepts: 'the identifier of a coupon',
  description: 'Identifier of the coupon.',
  source: '2',
  examples: ['SAVE20'],
})

const TrialPeriodDays = z
  .int()
  .min(0)
  .max(TRIAL_DAYS_MAX)
  .meta({
    description: `Number of trial days, 0 to ${TRIAL_DAYS_MAX}; 0 means no trial.`,
    source: '2',
    bounds: 'trial-period-bounds',
    examples: [14],
  })

const order = {
  customer_id: CustomerId,
  plan: PlanId,
  trial_period_days: TrialPeriodDays.optional(),
}

export const SubscriptionCreate = z
  .strictObject(order)
  .meta({ id: 'SubscriptionCreate', source: '4', bounds: 'unknown-fields' })

export const SubscriptionUpdate = z
  .strictObject({ plan: PlanId.meta({ examples: ['pro'] }) })
  .meta({ id: 'SubscriptionUpdate', source: '4', bounds: 'unknown-fields' })

export const SubscriptionCancel = z
  .strictObject({
    at_period_end: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether to end it with the running period; absent or false ends it at once (assumption immediate-cancel-parameter).',
        source: '4',
        members: { false: 'immediate-cancel-parameter' },
      }),
  })
  .meta({ id: 'SubscriptionCancel', source: '4', bounds: 'unknown-fields' })

export const ApplyCoupon = z
  .strictObject({ coupon_id: CouponId })
  .meta({ id: 'ApplyCoupon', source: '4', bounds: 'unknown-fields' })

/** A subscription with an offer at checkout: a coupon, or the code of a promotion, or neither. */
export const CheckoutCreate = z
  .union([
    z.strictObject({ ...order, coupon_id: CouponId.optional() }).meta({ id: 'CheckoutWithCoupon' }),
    z
      .strictObject({
        ...order,
        promotion_code: Reference.meta({
          accepts: 'the code of a promotion',
          description: 'The code of a promotion, in place of a coupon.',
          source: '1',
        }),
      })
      .meta({ id: 'CheckoutWithPromotion' }),
  ])
  .meta({ id: 'Checkout', source: '1' })

/** How far a forecast looks. */
export const ForecastQuery = PageQuery.extend({
  until: InstantIn.optional().describe(
    'The instant up to which to look, inclusive; a year from now by default.',
  ),
})

/** Which subscriptions to list. */
export const subscriptionFilter = {
  customer_id: CustomerId.optional(),
  status: StatusName.optional(),
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
    status: presentStatus(subscription.status, settings),
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
  return {
    ...presentSubscription(subscription, settings),
    access_until: accessUntil(subscription),
  }
}

/** A status by its name on the wire. */
export function presentStatus(
  status: Subscription['status'],
  { pausedStatusName }: Pick<Settings, 'pausedStatusName'>,
): string {
  return status === 'paused' ? pausedStatusName : status
}

/** A subscription to make, perhaps with an offer. */
export function checkoutOrder(
  body: z.output<typeof SubscriptionCreate> | z.output<typeof CheckoutCreate>,
) {
  return { trialPeriodDays: null, couponId: null, promotionCode: null, ...camelKeys(body) }
}
