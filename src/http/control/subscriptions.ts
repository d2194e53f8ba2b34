/** Subscriptions on the control plane: looking at them, checking out, resuming, and looking ahead. */

import * as z from 'zod'
import { settingsInForce } from '../../assumptions/register.ts'
import { created, ok, route } from '../../surface/operation.ts'
import { couponRefusals } from '../../surface/refusals.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import { presentInvoice, WireForecast } from '../../wire/invoice.ts'
import {
  CheckoutCreate,
  checkoutOrder,
  ForecastQuery,
  presentSubscriptionRecord,
  subscriptionFilter,
  WireSubscriptionRecord,
} from '../../wire/subscription.ts'
import { find } from '../../world/answer.ts'
import {
  removeScheduledCancellation,
  resume,
  subscribe,
} from '../../world/commands/subscriptions.ts'
import { forecast } from '../../world/forecast.ts'
import type { World } from '../../world/world.ts'
import { executeInWorld, lookAhead, type PageOrder, readInWorld, takePage } from './calls.ts'
import { horizonOf, presentOutlook } from './clock.ts'
import { answers, controlPlane, json, makes, pages } from './declarations.ts'
import { statusNamed } from './statuses.ts'

const shared = { ...controlPlane, tag: 'Subscriptions' } as const
const params = z.strictObject({ subscription_id: Reference })
const one = answers('The subscription.', WireSubscriptionRecord)

export const subscriptionRoutes = [
  route({
    ...shared,
    operationId: 'listSubscriptions',
    method: 'get',
    path: '/sandbox/subscriptions',
    summary: 'List subscriptions',
    description: 'Oldest first.',
    query: PageQuery.extend(subscriptionFilter),
    replies: pages('Subscription', WireSubscriptionRecord),
    answer: async ({ query, c }) => ok(await readInWorld(c, (world) => page(world, query))),
  }),
  route({
    ...shared,
    operationId: 'checkOut',
    method: 'post',
    path: '/sandbox/subscriptions',
    summary: 'Create a subscription at checkout',
    description: 'As on /v1, and with a coupon or the code of a promotion if there is one.',
    body: { ...json, schema: CheckoutCreate },
    replies: makes('The subscription.', WireSubscriptionRecord),
    refusals: ['not_found', ...couponRefusals, 'sandbox_full'],
    answer: async ({ body, c }) => {
      const order = checkoutOrder(body)
      const subscription = await executeInWorld(c, (world, cause) => subscribe(world, order, cause))
      const shown = presentSubscriptionRecord(subscription, c.get('sandbox').settings)
      return created(`/sandbox/subscriptions/${shown.subscription_id}`, shown)
    },
  }),
  route({
    ...shared,
    operationId: 'retrieveSubscription',
    method: 'get',
    path: '/sandbox/subscriptions/{subscription_id}',
    summary: 'Retrieve a subscription',
    description: 'As it stands.',
    params,
    replies: one,
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      const named = { field: 'subscription_id', id: params.subscription_id }
      const subscription = await readInWorld(c, (world) => find(world.subscriptions, named))
      return ok(presentSubscriptionRecord(subscription, c.get('sandbox').settings))
    },
  }),
  route({
    ...shared,
    operationId: 'resumeSubscription',
    method: 'post',
    path: '/sandbox/subscriptions/{subscription_id}/resume',
    summary: 'Resume a paused subscription',
    description: 'It gets back what was left of its period when it was paused.',
    params,
    replies: one,
    refusals: ['not_found', 'invalid_transition'],
    answer: async ({ params, c }) => {
      const { subscription_id: id } = params
      const subscription = await executeInWorld(c, (world, cause) => resume(world, id, cause))
      return ok(presentSubscriptionRecord(subscription, c.get('sandbox').settings))
    },
  }),
  route({
    ...shared,
    operationId: 'removeScheduledCancellation',
    method: 'post',
    path: '/sandbox/subscriptions/{subscription_id}/remove-scheduled-cancellation',
    summary: 'Remove a scheduled cancellation',
    description: 'The subscription goes on: `cancel_at_period_end` is false again.',
    params,
    replies: one,
    refusals: ['not_found', 'invalid_transition'],
    answer: async ({ params, c }) => {
      const { subscription_id: id } = params
      const subscription = await executeInWorld(c, (world, cause) =>
        removeScheduledCancellation(world, id, cause),
      )
      return ok(presentSubscriptionRecord(subscription, c.get('sandbox').settings))
    },
  }),
  route({
    ...shared,
    operationId: 'forecastSubscription',
    method: 'get',
    path: '/sandbox/subscriptions/{subscription_id}/forecast',
    summary: 'Forecast the invoices of a subscription',
    description:
      'The invoices to come, as they will stand at the end of the look ahead. Worked out on a copy, so that other calls are answered meanwhile.',
    params,
    query: ForecastQuery,
    replies: answers('One page of them.', WireForecast),
    refusals: ['not_found', 'clock_limit'],
    answer: async ({ params, query, c }) => {
      const { until: requested, ...order } = query
      const { subscription_id: subscriptionId } = params
      const found = await lookAhead(c, (fork, pace) => {
        const until = horizonOf(fork, { field: 'until', requested })
        return forecast(fork, { subscriptionId, until }, pace)
      })
      const byId = new Map(found.invoices.map((invoice) => [invoice.invoiceId, invoice]))
      return ok({ ...takePage(byId, order, presentInvoice), ...presentOutlook(found) })
    },
  }),
]

function page(
  { subscriptions, settings }: World,
  query: PageOrder & { status?: string | undefined },
) {
  const inForce = settingsInForce(settings)
  const status = query.status && statusNamed(query.status, 'status', inForce)
  return takePage(subscriptions, { ...query, status }, (each) =>
    presentSubscriptionRecord(each, inForce),
  )
}
