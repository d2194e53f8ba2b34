/** Answers the five subscription operations. (Interface section 4, rules 1 to 5) */
import type { Context } from 'hono'
import type { Subscription } from '../../billing/subscription.ts'
import type { WorldCommand } from '../../sandbox/sandbox.ts'
import { ok, type Reply, route } from '../../surface/operation.ts'
import * as declared from '../../surface/v1/operations.ts'
import type { WireSubscription } from '../../wire/subscription.ts'
import { presentSubscription } from '../../wire/subscription.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  pause,
  subscribe,
} from '../../world/commands/subscriptions.ts'
import { valueFrom } from '../assumptions.ts'
import { requestIdOf } from '../stamp.ts'

export const subscriptionRoutes = [
  route(declared.createSubscription, ({ body, c }) => {
    const { customer_id: customerId, plan, trial_period_days: trialPeriodDays = null } = body
    const order = { customerId, plan, trialPeriodDays, couponId: null, promotionCode: null }
    return answer(c, (world, cause) => subscribe(world, order, cause))
  }),
  route(declared.updateSubscription, ({ params, body, c }) => {
    const change = { subscriptionId: params.subscription_id, plan: body.plan }
    return answer(c, (world, cause) => changePlan(world, change, cause))
  }),
  route(declared.pauseSubscription, ({ params, c }) =>
    answer(c, (world, cause) => pause(world, params.subscription_id, cause)),
  ),
  route(declared.cancelSubscription, ({ params, body, c }) => {
    const when = body.at_period_end === true ? 'at_period_end' : 'now'
    const cancellation = { subscriptionId: params.subscription_id, when } as const
    return answer(c, (world, cause) => cancel(world, cancellation, cause))
  }),
  route(declared.applyCoupon, ({ params, body, c }) => {
    const application = { subscriptionId: params.subscription_id, couponId: body.coupon_id }
    return answer(c, (world, cause) => applyCoupon(world, application, cause))
  }),
]

async function answer(
  c: Context,
  command: WorldCommand<Subscription>,
): Promise<Reply<200, WireSubscription>> {
  const sandbox = c.get('sandbox')
  const subscription = valueFrom(c, await sandbox.execute(command, requestIdOf(c)))
  return ok(presentSubscription(subscription, sandbox.settings))
}
