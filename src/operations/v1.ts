/** The documented operations that an API key may call: what performs them. (Interface section 4) */
import { VARIED_TRIAL_DAYS_MAX } from '../assumptions/bounds.ts'
import type { VariedSlug } from '../assumptions/register.ts'
import { refuse } from '../billing/refusal.ts'
import * as declared from '../surface/v1/operations.ts'
import { checkoutOrder, presentSubscription } from '../wire/subscription.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  pause,
  subscribe,
} from '../world/commands/subscriptions.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'
import { type Change, change } from './operation.ts'

/** The assumptions whose alternatives are implemented here, where the setting `vary` names them. */
export type VariedInOperations = Extract<
  VariedSlug,
  'immediate-cancel-parameter' | 'trial-period-bounds'
>

const performed = {
  createSubscription: change({
    ...declared.createSubscription,
    perform: (world, body, cause) =>
      refuseLongTrial(world, body.trial_period_days) ??
      subscribe(world, checkoutOrder(body), cause),
    present: presentSubscription,
  }),
  updateSubscription: change({
    ...declared.updateSubscription,
    perform: (world, { subscription_id: subscriptionId, plan }, cause) =>
      changePlan(world, { subscriptionId, plan }, cause),
    present: presentSubscription,
  }),
  pauseSubscription: change({
    ...declared.pauseSubscription,
    perform: (world, { subscription_id: id }, cause) => pause(world, id, cause),
    present: presentSubscription,
  }),
  cancelSubscription: change({
    ...declared.cancelSubscription,
    perform: (world, { subscription_id: subscriptionId, at_period_end: isLater }, cause) => {
      const isVaried = isLater === undefined && varies(world, 'immediate-cancel-parameter')
      const when = isLater === true || isVaried ? 'at_period_end' : 'now'
      const canceled = cancel(world, { subscriptionId, when }, cause)
      if (!isVaried) return canceled
      return { ...canceled, assumptions: [...canceled.assumptions, 'immediate-cancel-parameter'] }
    },
    present: presentSubscription,
  }),
  applyCoupon: change({
    ...declared.applyCouponToSubscription,
    perform: (world, { subscription_id: subscriptionId, coupon_id: couponId }, cause) =>
      applyCoupon(world, { subscriptionId, couponId }, cause),
    present: presentSubscription,
  }),
} satisfies Record<Exclude<declared.V1OperationId, 'refreshToken'>, Change>

/** The documented operations on subscriptions; one that is declared and not performed does not compile. */
export const documentedChanges = Object.values(performed)

/** Refuses a trial that is too long for a sandbox with other bounds. */
function refuseLongTrial(world: World, days: number | undefined): Refusal | null {
  if (days === undefined || days <= VARIED_TRIAL_DAYS_MAX) return null
  if (!varies(world, 'trial-period-bounds')) return null
  return refuse(
    'invalid_request',
    `trial_period_days must be an integer from 0 to ${VARIED_TRIAL_DAYS_MAX}; got ${days}.`,
    ['trial-period-bounds'],
  )
}

function varies({ settings }: World, slug: VariedInOperations): boolean {
  return settings.vary.includes(slug)
}
