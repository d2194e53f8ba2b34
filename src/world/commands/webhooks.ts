/**
 * Commands on webhooks. Owns how many webhooks there are, the log of deliveries and its limit, and that webhooks
 * survive the replacement of their world.
 */
import { randomBytes } from 'node:crypto'
import { numberedId } from '../../billing/id.ts'
import { refuse } from '../../billing/refusal.ts'
import type { Refusal } from '../refusal.ts'
import { notFound, type Success, success } from '../results.ts'
import {
  countDropped,
  type DueDelivery,
  deliveryIdOf,
  isFarBehind,
  nextDelivery,
  type Receipt,
  type Webhook,
  type WebhookDelivery,
} from '../webhook.ts'
import { putRecord, type World } from '../world.ts'

export const WEBHOOKS_MAX = 100

/** The most deliveries that a sandbox keeps; above this, the oldest finished delivery is dropped. */
export const DELIVERIES_KEPT = 1000

/** Adds a webhook, which receives the events from now on. Its id follows the highest existing one. */
export function createWebhook(
  world: World,
  order: Pick<Webhook, 'url' | 'eventTypes'> & { readonly secret: string | null },
): Success<Webhook> | Refusal {
  if (world.webhooks.size >= WEBHOOKS_MAX) {
    return refuse(
      'webhook_limit',
      `A sandbox can have at most ${WEBHOOKS_MAX} webhooks; delete one first.`,
    )
  }
  const last = [...world.webhooks.keys()].at(-1) ?? ''
  const webhookId = numberedId('wh_', Number(/\d+$/.exec(last)?.[0] ?? 0) + 1)
  const secret = order.secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const webhook = { webhookId, ...order, secret, ...initialPosition(world) }
  putRecord(world, 'webhooks', webhook)
  return success(webhook)
}

function initialPosition({ sequences }: World): Pick<Webhook, 'doneSeq' | 'skipped' | 'series'> {
  const series = randomBytes(6).toString('hex')
  return { doneSeq: sequences.events, skipped: 0, series }
}

export function deleteWebhook(world: World, webhookId: string): Success<null> | Refusal {
  if (!world.webhooks.delete(webhookId)) {
    return notFound(world.webhooks, 'webhook_id', webhookId)
  }
  for (const [id, delivery] of [...world.webhookDeliveries]) {
    if (delivery.webhookId === webhookId) world.webhookDeliveries.delete(id)
  }
  return success(null)
}

/**
 * Records the result of an attempt. The webhook is finished with an event that arrived or had its last attempt. Null if
 * the webhook has changed since the attempt began, for example by a reset.
 */
export function recordAttempt(
  world: World,
  due: DueDelivery,
  { receipt, attemptsMax }: { readonly receipt: Receipt; readonly attemptsMax: number },
): WebhookDelivery | null {
  const { webhook, event, skipped } = due
  if (world.webhooks.get(webhook.webhookId) !== webhook) return null
  const deliveryId = deliveryIdOf(due)
  const attempts = (world.webhookDeliveries.get(deliveryId)?.attempts ?? 0) + 1
  const isOver = receipt.isDelivered || attempts >= attemptsMax
  const { status, reason } = resultOf(receipt)
  const delivery = {
    deliveryId,
    webhookId: webhook.webhookId,
    eventSeq: event.seq,
    eventType: event.type,
    status: isOver ? status : ('pending' as const),
    attempts,
    reason,
  }
  putRecord(world, 'webhookDeliveries', delivery)
  dropOldestDelivery(world)
  if (isOver) setPosition(world, webhook, { doneSeq: event.seq, skipped })
  return delivery
}

/** Moves a webhook without waiting events to the newest event, if it is far behind. Returns how many it skipped. */
export function catchUpWebhook(world: World, webhookId: string): number {
  const webhook = world.webhooks.get(webhookId)
  if (webhook === undefined || !isFarBehind(world, webhook)) return 0
  if (nextDelivery(world, webhook) !== null) return 0
  const skipped = countDropped(world, webhook)
  setPosition(world, webhook, { doneSeq: world.sequences.events, skipped })
  return skipped
}

/** A delivery of a skipped event is not attempted again. */
function setPosition(
  world: World,
  webhook: Webhook,
  { doneSeq, skipped }: Pick<Webhook, 'doneSeq' | 'skipped'>,
): void {
  putRecord(world, 'webhooks', { ...webhook, doneSeq, skipped: webhook.skipped + skipped })
  if (skipped === 0) return
  // Each webhook has one pending event.
  const pending = [...world.webhookDeliveries.values()].find(
    ({ webhookId, status }) => webhookId === webhook.webhookId && status === 'pending',
  )
  if (pending === undefined || pending.eventSeq >= doneSeq) return
  putRecord(world, 'webhookDeliveries', { ...pending, status: 'failed' })
}

/** Records the result of a redelivery; null if the delivery was dropped. */
export function recordRedelivery(
  world: World,
  deliveryId: string,
  receipt: Receipt,
): WebhookDelivery | null {
  const known = world.webhookDeliveries.get(deliveryId)
  if (known === undefined) return null
  const delivery = { ...known, ...resultOf(receipt), attempts: known.attempts + 1 }
  putRecord(world, 'webhookDeliveries', delivery)
  return delivery
}

/** Moves the webhooks of the world before to a new world. They receive its next events and have skipped none. */
export function moveWebhooks(world: World, from: Pick<World, 'webhooks'>): void {
  const webhooks = [...from.webhooks.values()]
  clearWebhooks(world)
  for (const webhook of webhooks) {
    putRecord(world, 'webhooks', { ...webhook, ...initialPosition(world) })
  }
}

/** Removes all webhooks from a world that another sandbox continues, so that no event is delivered twice. */
export function clearWebhooks(world: World): void {
  world.webhooks.clear()
  world.webhookDeliveries.clear()
}

function dropOldestDelivery({ webhookDeliveries: deliveries }: World): void {
  if (deliveries.size <= DELIVERIES_KEPT) return
  const oldest = [...deliveries.values()].find(({ status }) => status !== 'pending')
  if (oldest !== undefined) deliveries.delete(oldest.deliveryId)
}

function resultOf(receipt: Receipt): Pick<WebhookDelivery, 'status' | 'reason'> {
  if (receipt.isDelivered) return { status: 'delivered', reason: null }
  return { status: 'failed', reason: receipt.reason }
}
