/** Webhooks: who is told of events, and what became of it. (Assumption webhooks) */
import type { Context } from 'hono'
import * as z from 'zod'
import { isRefusal } from '../../billing/refusal.ts'
import { takePage } from '../../operations/page.ts'
import { deliveryTerms } from '../../sandbox/deliveries.ts'
import { answers, controlPlane, deletes, json, makes, pages } from '../../surface/declarations.ts'
import { fieldsRefused, printValue } from '../../surface/field-problems.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { camelKeys, presentAs } from '../../wire/case.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import {
  DeliveryQuery,
  WebhookCreate,
  WireDelivery,
  WireNewWebhook,
  WireWebhook,
} from '../../wire/webhook.ts'
import { find } from '../../world/answer.ts'
import {
  createWebhook,
  DELIVERIES_KEPT,
  deleteWebhook,
  WEBHOOKS_MAX,
} from '../../world/commands/webhooks.ts'
import { droppedFor, type Webhook, type WebhookDelivery } from '../../world/webhook.ts'
import type { World } from '../../world/world.ts'
import { executeInWorld, readInWorld } from '../world-calls.ts'

const shared = { ...controlPlane, tag: 'Webhooks', source: 'webhooks' } as const
const named = z.strictObject({ webhook_id: Reference })

const attempts = deliveryTerms.retryAfterMs.length + 1
const waits = deliveryTerms.retryAfterMs.map((ms) => `${ms / 1000} s`).join(', ')

export const webhookRoutes = [
  route({
    ...shared,
    operationId: 'listWebhooks',
    method: 'get',
    path: '/sandbox/webhooks',
    summary: 'List webhooks',
    description: 'Oldest first, without their secrets.',
    query: PageQuery,
    replies: pages('Webhook', WireWebhook),
    answer: async ({ query, c }) =>
      ok(
        await readInWorld(c, (world) =>
          takePage(world.webhooks, query, (each) => presentWebhook(world, each)),
        ),
      ),
  }),
  route({
    ...shared,
    operationId: 'createWebhook',
    method: 'post',
    path: '/sandbox/webhooks',
    summary: 'Create a webhook',
    description: `It is told of what happens from now on, in order, one event at a time, signed as Standard Webhooks has it. One that does not answer 2xx within ${deliveryTerms.timeoutMs / 1000} s is told again, ${attempts} times in all, after ${waits}; then comes the next event. Nobody else waits for it. At most ${WEBHOOKS_MAX}; they outlive a reset and a restore, and no fork, export or checkpoint has them.`,
    body: { ...json, schema: WebhookCreate },
    replies: makes('The webhook, with its secret.', WireNewWebhook),
    refusals: ['webhook_limit'],
    answer: async ({ body, c }) => {
      checkUrl(c, body.url)
      const order = { eventTypes: null, secret: null, ...camelKeys(body) }
      const made = await executeInWorld(c, (world) => createWebhook(world, order))
      return created(`/sandbox/webhooks/${made.webhookId}`, presentAs(WireNewWebhook, made))
    },
  }),
  route({
    ...shared,
    operationId: 'retrieveWebhook',
    method: 'get',
    path: '/sandbox/webhooks/{webhook_id}',
    summary: 'Retrieve a webhook',
    description: 'Without its secret.',
    params: named,
    replies: answers('The webhook.', WireWebhook),
    refusals: ['not_found'],
    answer: async ({ params: { webhook_id: id }, c }) => {
      const field = 'webhook_id'
      const found = await readInWorld(c, (world) => {
        const webhook = find(world.webhooks, { field, id })
        return isRefusal(webhook) ? webhook : presentWebhook(world, webhook)
      })
      return ok(found)
    },
  }),
  route({
    ...shared,
    operationId: 'deleteWebhook',
    method: 'delete',
    path: '/sandbox/webhooks/{webhook_id}',
    summary: 'Delete a webhook',
    description: 'With its deliveries.',
    params: named,
    replies: deletes,
    refusals: ['not_found'],
    answer: async ({ params: { webhook_id: id }, c }) => {
      await executeInWorld(c, (world) => deleteWebhook(world, id))
      return noContent()
    },
  }),
  route({
    ...shared,
    operationId: 'listWebhookDeliveries',
    method: 'get',
    path: '/sandbox/webhooks/deliveries',
    summary: 'List deliveries',
    description: `What was sent to webhooks, oldest first. The newest ${DELIVERIES_KEPT} are kept.`,
    query: DeliveryQuery,
    replies: pages('WebhookDelivery', WireDelivery),
    answer: async ({ query, c }) =>
      ok(
        await readInWorld(c, ({ webhookDeliveries }) =>
          takePage(webhookDeliveries, query, presentDelivery),
        ),
      ),
  }),
  route({
    ...shared,
    operationId: 'redeliverWebhookDelivery',
    method: 'post',
    path: '/sandbox/webhooks/deliveries/{delivery_id}/redeliver',
    summary: 'Deliver an event once more',
    description:
      'Sends what was delivered or given up again, with the same identifier, and waits for what comes of this one attempt.',
    params: z.strictObject({ delivery_id: Reference }),
    replies: answers('The delivery.', WireDelivery),
    refusals: ['not_found', 'in_use'],
    answer: async ({ params: { delivery_id: id }, c }) =>
      ok(presentDelivery(orThrow<WebhookDelivery>(await c.get('sandbox').redeliver(id)))),
  }),
]

function checkUrl(c: Context, url: string): void {
  const rule = c.get('sandbox').receivers.ruleFor(url)
  if (rule === null) return
  // A password may be in it.
  const got = rule.includes('password') ? '' : `; got ${printValue(url)}`
  throw fieldsRefused([{ field: 'url', message: `url ${rule}${got}.` }])
}

/** Also what was dropped while it is being told of an earlier event is skipped. */
function presentWebhook(world: World, webhook: Webhook) {
  const skipped = webhook.skipped + droppedFor(world, webhook)
  return presentAs(WireWebhook, { ...webhook, skipped })
}

function presentDelivery(delivery: WebhookDelivery) {
  return presentAs(WireDelivery, delivery)
}
