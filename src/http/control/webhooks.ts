/** Webhooks: the receivers of events, and their deliveries. (Assumption webhooks) */
import type { Context } from 'hono'
import { worldQuery, worldWrite } from '../../operations/operation.ts'
import { findOne, readPage } from '../../operations/page.ts'
import { deliveryTiming } from '../../sandbox/deliveries.ts'
import { endpoints, json, listParts, reply } from '../../surface/declarations.ts'
import { created, ok, route } from '../../surface/operation.ts'
import { invalidField, orThrow, printValue } from '../../surface/refusals.ts'
import { camelKeys, presentAs } from '../../wire/common/case.ts'
import {
  DeliveryQuery,
  WebhookCreate,
  WireDelivery,
  WireWebhook,
  WireWebhookWithSecret,
} from '../../wire/events/webhook.ts'
import {
  createWebhook,
  DELIVERIES_KEPT,
  deleteWebhook,
  WEBHOOKS_MAX,
} from '../../world/commands/webhooks.ts'
import { countDropped, type Webhook, type WebhookDelivery } from '../../world/webhook.ts'
import type { World } from '../../world/world.ts'
import { executeInWorld } from '../world-calls.ts'

const { get, post, remove } = endpoints('Webhooks', 'webhooks')

const attempts = deliveryTiming.retryAfterMs.length + 1
const waits = deliveryTiming.retryAfterMs.map((ms) => `${ms / 1000} s`).join(', ')

export const webhookOperations = [
  worldQuery({
    ...get('/sandbox/webhooks', 'listWebhooks'),
    ...listParts('Webhook', WireWebhook),
    summary: 'List webhooks',
    description: 'Lists webhooks, without their secrets.',
    read: (world, query) => readPage(world.webhooks, query, (each) => presentWebhook(world, each)),
  }),
  route({
    ...post('/sandbox/webhooks', 'createWebhook'),
    summary: 'Create a webhook',
    description: `Creates a webhook. It receives what happens from now on, in order, one event at a time, signed according to Standard Webhooks. If an event gets no 2xx answer within ${deliveryTiming.timeoutMs / 1000} s, it is sent again after ${waits}, up to ${attempts} attempts in total; then the next event is sent. Other calls and other webhooks do not wait for it. A sandbox has at most ${WEBHOOKS_MAX} webhooks; they outlive a reset and a restore, and no fork, export or checkpoint has them.`,
    body: { ...json, schema: WebhookCreate },
    replies: reply.created('The new webhook, with its secret.', WireWebhookWithSecret),
    refusals: ['webhook_limit'],
    answer: async ({ body, c }) => {
      checkUrl(c, body.url)
      const order = { eventTypes: null, secret: null, ...camelKeys(body) }
      const made = await executeInWorld(c, (world) => createWebhook(world, order))
      return created(`/sandbox/webhooks/${made.webhookId}`, presentAs(WireWebhookWithSecret, made))
    },
  }),
  worldQuery({
    ...get('/sandbox/webhooks/{webhook_id}', 'retrieveWebhook'),
    summary: 'Retrieve a webhook',
    description: 'Returns the webhook, without its secret.',
    replies: reply.ok('The webhook.', WireWebhook),
    read: (world, named) => findOne(world.webhooks, named, (each) => presentWebhook(world, each)),
  }),
  worldWrite({
    ...remove('/sandbox/webhooks/{webhook_id}', 'deleteWebhook'),
    summary: 'Delete a webhook',
    description: 'Deletes the webhook and its deliveries.',
    replies: reply.deleted('The webhook is deleted.'),
    perform: (world, { webhook_id: id }) => deleteWebhook(world, id),
    present: () => null,
  }),
  worldQuery({
    ...get('/sandbox/webhooks/deliveries', 'listWebhookDeliveries'),
    summary: 'List deliveries',
    description: `Lists the deliveries to webhooks, by default the oldest first. The newest ${DELIVERIES_KEPT} are kept.`,
    query: DeliveryQuery,
    replies: reply.page('WebhookDelivery', WireDelivery),
    read: (world, query) =>
      readPage(world.webhookDeliveries, query, (each) => presentAs(WireDelivery, each)),
  }),
  route({
    ...post('/sandbox/webhooks/deliveries/{delivery_id}/redeliver', 'redeliverWebhookDelivery'),
    summary: 'Redeliver an event',
    description:
      'Makes one more attempt to deliver an event that was delivered before, or whose delivery has failed. It has the same identifier as before. The answer is the result of the attempt.',
    replies: reply.ok('The delivery after the attempt.', WireDelivery),
    refusals: ['not_found', 'in_use'],
    answer: async ({ params: { delivery_id: id }, c }) =>
      ok(presentAs(WireDelivery, orThrow<WebhookDelivery>(await c.get('sandbox').redeliver(id)))),
  }),
]

function checkUrl(c: Context, url: string): void {
  const rule = c.get('sandbox').receivers.ruleFor(url)
  if (rule === null) return
  // A password may be in it.
  const got = rule.includes('password') ? '' : `; got ${printValue(url)}`
  throw invalidField('url', `${rule}${got}`)
}

/** Events that were dropped while an earlier one is delivered are skipped too. */
function presentWebhook(world: World, webhook: Webhook) {
  const skipped = webhook.skipped + countDropped(world, webhook)
  return presentAs(WireWebhook, { ...webhook, skipped })
}
