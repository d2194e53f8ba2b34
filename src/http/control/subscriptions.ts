/** Subscriptions on the control plane: looking at them, checking out, resuming, and looking ahead. */
import * as z from 'zod'
import { created, ok, route } from '../../surface/operation.ts'
import { couponRefusals } from '../../surface/refusals.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import { presentInvoice, WireForecast } from '../../wire/invoice.ts'
import {
  Checkout,
  checkoutOrder,
  ForecastQuery,
  presentSubscription,
  subscriptionFilter,
  WireSubscription,
} from '../../wire/subscription.ts'
import { find } from '../../world/answer.ts'
import { resume, subscribe } from '../../world/commands/subscriptions.ts'
import { forecast } from '../../world/forecast.ts'
import type { World } from '../../world/world.ts'
import {
  answers,
  controlPlane,
  executeInWorld,
  json,
  lookAhead,
  pages,
  readWorld,
  takePage,
} from './calls.ts'
import { horizonOf, presentOutlook } from './clock.ts'
import { statusNamed } from './statuses.ts'

const tag = 'Subscriptions'
const filter = PageQuery.extend(subscriptionFilter)
const params = z.strictObject({ subscription_id: Reference })
const one = {
  description: 'The subscription.',
  schema: WireSubscription,
  source: 'sandbox',
} as const

export const subscriptionRoutes = [
  route(
    {
      ...controlPlane,
      operationId: 'listSubscriptions',
      method: 'get',
      path: '/sandbox/subscriptions',
      tag,
      summary: 'List subscriptions',
      description: 'Oldest first.',
      query: filter,
      replies: pages('Subscription', WireSubscription),
    },
    async ({ query, c }) => ok(await readWorld(c, (world) => page(world, query))),
  ),
  route(
    {
      ...controlPlane,
      operationId: 'checkOut',
      method: 'post',
      path: '/sandbox/subscriptions',
      tag,
      summary: 'Create a subscription at checkout',
      description: 'As on /v1, and with a coupon or the code of a promotion if there is one.',
      body: { ...json, schema: Checkout },
      replies: { 201: one },
      refusals: ['not_found', ...couponRefusals, 'sandbox_full'],
    },
    async ({ body, c }) => {
      const order = checkoutOrder(body)
      const subscription = await executeInWorld(c, (world, cause) => subscribe(world, order, cause))
      const shown = presentSubscription(subscription, c.var.sandbox.settings)
      return created(`/sandbox/subscriptions/${shown.subscription_id}`, shown)
    },
  ),
  route(
    {
      ...controlPlane,
      operationId: 'retrieveSubscription',
      method: 'get',
      path: '/sandbox/subscriptions/{subscription_id}',
      tag,
      summary: 'Retrieve a subscription',
      description: 'As it stands.',
      params,
      replies: { 200: one },
      refusals: ['not_found'],
    },
    async ({ params, c }) => {
      const named = { field: 'subscription_id', id: params.subscription_id }
      const subscription = await readWorld(c, (world) => find(world.subscriptions, named))
      return ok(presentSubscription(subscription, c.var.sandbox.settings))
    },
  ),
  route(
    {
      ...controlPlane,
      operationId: 'resumeSubscription',
      method: 'post',
      path: '/sandbox/subscriptions/{subscription_id}/resume',
      tag,
      summary: 'Resume a paused subscription',
      description: 'It gets back what was left of its period when it was paused.',
      params,
      replies: { 200: one },
      refusals: ['not_found', 'invalid_transition'],
    },
    async ({ params, c }) => {
      const { subscription_id: id } = params
      const subscription = await executeInWorld(c, (world, cause) => resume(world, id, cause))
      return ok(presentSubscription(subscription, c.var.sandbox.settings))
    },
  ),
  route(
    {
      ...controlPlane,
      operationId: 'forecastSubscription',
      method: 'get',
      path: '/sandbox/subscriptions/{subscription_id}/forecast',
      tag,
      summary: 'Forecast the invoices of a subscription',
      description:
        'The invoices to come, as they will stand at the end of the look ahead. Worked out on a copy, so that other calls are answered meanwhile.',
      params,
      query: ForecastQuery,
      replies: answers('One page of them.', WireForecast),
      refusals: ['not_found', 'clock_limit'],
    },
    async ({ params, query, c }) => {
      const { until: asked, ...order } = query
      const { subscription_id: subscriptionId } = params
      const found = await lookAhead(c, (fork, pace) => {
        const until = horizonOf(fork, { field: 'until', asked })
        return forecast(fork, { subscriptionId, until }, pace)
      })
      const byId = new Map(found.invoices.map((invoice) => [invoice.invoiceId, invoice]))
      return ok({ ...takePage(byId, order, { present: presentInvoice }), ...presentOutlook(found) })
    },
  ),
]

function page(
  world: World,
  { status, customer_id: customerId, ...order }: z.output<typeof filter>,
) {
  const { subscriptions, settings } = world
  const wanted = status === undefined ? null : statusNamed(status, 'status', settings)
  return takePage(subscriptions, order, {
    keeps: (each) =>
      (customerId === undefined || each.customerId === customerId) &&
      (wanted === null || each.status === wanted),
    present: (each) => presentSubscription(each, settings),
  })
}
