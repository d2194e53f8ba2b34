/** Answers the documented operations. (Interface section 4) */
import type { Context } from 'hono'
import type { Subscription } from '../../billing/subscription.ts'
import type { WorldCommand } from '../../sandbox/sandbox-parts.ts'
import { ok, type Reply, type Route, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import * as declared from '../../surface/v1/operations.ts'
import {
  checkoutOrder,
  presentSubscription,
  type WireSubscription,
} from '../../wire/subscription.ts'
import { presentTokens } from '../../wire/token.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  pause,
  subscribe,
} from '../../world/commands/subscriptions.ts'
import { refreshTokens } from '../../world/commands/tokens.ts'
import { noteAssumptions } from '../assumptions.ts'
import { bearerOf } from '../authentication.ts'
import { requestIdInTurn } from '../request-id.ts'
import { requestVariations } from '../request-variations.ts'

const routes = {
  createSubscription: route({
    ...declared.createSubscription,
    answer: ({ body, c }) => {
      requestVariations['trial-period-bounds'](c, body.trial_period_days)
      return answer(c, (world, cause) => subscribe(world, checkoutOrder(body), cause))
    },
  }),
  updateSubscription: route({
    ...declared.updateSubscription,
    answer: ({ params, body, c }) => {
      const change = { subscriptionId: params.subscription_id, plan: body.plan }
      return answer(c, (world, cause) => changePlan(world, change, cause))
    },
  }),
  pauseSubscription: route({
    ...declared.pauseSubscription,
    answer: ({ params, c }) =>
      answer(c, (world, cause) => pause(world, params.subscription_id, cause)),
  }),
  cancelSubscription: route({
    ...declared.cancelSubscription,
    answer: ({ params, body, c }) => {
      const isLater = requestVariations['immediate-cancel-parameter'](c, body.at_period_end)
      const when = isLater ? 'at_period_end' : 'now'
      const cancellation = { subscriptionId: params.subscription_id, when } as const
      return answer(c, (world, cause) => cancel(world, cancellation, cause))
    },
  }),
  applyCoupon: route({
    ...declared.applyCouponToSubscription,
    answer: ({ params, body, c }) => {
      const application = { subscriptionId: params.subscription_id, couponId: body.coupon_id }
      return answer(c, (world, cause) => applyCoupon(world, application, cause))
    },
  }),
  refreshToken: route({
    ...declared.refreshToken,
    answer: async ({ body, c }) => {
      const presented = { header: bearerOf(c) ?? '', body: body.refresh_token }
      return ok(
        presentTokens(await execute(c, (world, cause) => refreshTokens(world, presented, cause))),
      )
    },
  }),
} satisfies Record<declared.V1OperationId, Route>

/** The code of every documented operation; one that is declared and has none does not compile. */
export const v1Routes = Object.values(routes)

async function answer(
  c: Context,
  command: WorldCommand<Subscription>,
): Promise<Reply<200, WireSubscription>> {
  return ok(presentSubscription(await execute(c, command), c.get('sandbox').settings))
}

/** Executes a command, and notes what its answer rests on; throws where it is refused. */
async function execute<Value>(c: Context, command: WorldCommand<Value>): Promise<Value> {
  const counted: WorldCommand<Value> = (world, cause) => {
    c.get('countFaults')?.(world)
    return command(world, cause)
  }
  const answer = await c.get('sandbox').execute(counted, () => requestIdInTurn(c))
  const { value, assumptions } = orThrow(answer)
  noteAssumptions(c, assumptions)
  return value
}
