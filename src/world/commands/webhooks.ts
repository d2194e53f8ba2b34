/**
 * Commands on webhooks. Owns how many there are, what is noted of deliveries and how many of those are kept, and that
 * webhooks outlive the world that they were made in.
 */
import { randomBytes } from 'node:crypto'
import { numberedId } from '../../billing/id.ts'
import { refuse } from '../../billing/refusal.ts'
import { type Executed, executed, notFound } from '../answer.ts'
import type { Refusal } from '../refusal.ts'
import {
  type DueDelivery,
  deliveryIdOf,
  droppedFor,
  isFarBehind,
  nextFor,
  type Receipt,
  type Webhook,
  type WebhookDelivery,
} from '../webhook.ts'
import { putRecord, type World } from '../world.ts'

/** The most webhooks of one sandbox. */
export const WEBHOOKS_MAX = 100

/** The most deliveries that a sandbox keeps: with one more, the oldest that is over is dropped. */
export const DELIVERIES_KEPT = 1000

const SECRET_BYTES = 32
const SERIES_BYTES = 6

/** Adds a webhook, which is told of what happens from now on. Ids go on from the highest there is. */
export function createWebhook(
  world: World,
  order: Pick<Webhook, 'url' | 'eventTypes'> & { readonly secret: string | null },
): Executed<Webhook> | Refusal {
  if (world.webhooks.size >= WEBHOOKS_MAX) {
    return refuse(
      'webhook_limit',
      `There are ${WEBHOOKS_MAX} webhooks already, the most of one sandbox; delete one first.`,
    )
  }
  const last = [...world.webhooks.keys()].at(-1) ?? ''
  const webhookId = numberedId('wh_', Number(/\d+$/.exec(last)?.[0] ?? 0) + 1)
  const secret = order.secret ?? `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  const webhook = { webhookId, ...order, secret, ...beginning(world) }
  putRecord(world, 'webhooks', webhook)
  return executed(webhook)
}

/** Where a webhook begins in a world. */
function beginning({ sequences }: World): Pick<Webhook, 'doneSeq' | 'skipped' | 'series'> {
  const series = randomBytes(SERIES_BYTES).toString('hex')
  return { doneSeq: sequences.events, skipped: 0, series }
}

/** Deletes a webhook with its deliveries. */
export function deleteWebhook(world: World, webhookId: string): Executed<null> | Refusal {
  if (!world.webhooks.delete(webhookId)) {
    return notFound({ field: 'webhook_id', id: webhookId }, world.webhooks)
  }
  for (const [id, delivery] of [...world.webhookDeliveries]) {
    if (delivery.webhookId === webhookId) world.webhookDeliveries.delete(id)
  }
  return executed(null)
}

/**
 * Notes what an attempt came to: the webhook is done with an event that arrived, or that was tried often enough. Null
 * where the webhook is no longer what it was when the attempt began, as after a reset.
 */
export function noteAttempt(
  world: World,
  due: DueDelivery,
  { receipt, attemptsMax }: { readonly receipt: Receipt; readonly attemptsMax: number },
): WebhookDelivery | null {
  const { webhook, event, skipped } = due
  if (world.webhooks.get(webhook.webhookId) !== webhook) return null
  const deliveryId = deliveryIdOf(due)
  const attempts = (world.webhookDeliveries.get(deliveryId)?.attempts ?? 0) + 1
  const isOver = receipt.isDelivered || attempts >= attemptsMax
  const delivery = {
    deliveryId,
    webhookId: webhook.webhookId,
    eventSeq: event.seq,
    eventType: event.type,
    status: isOver ? statusAfter(receipt) : ('pending' as const),
    attempts,
    reason: reasonOf(receipt),
  }
  putRecord(world, 'webhookDeliveries', delivery)
  dropOldest(world)
  if (isOver) moveOn(world, webhook, { doneSeq: event.seq, skipped })
  return delivery
}

/** Notes of a webhook that no event waits for, how far it came, where that lies far back; answers how many it skipped. */
export function catchUpWebhook(world: World, webhookId: string): number {
  const webhook = world.webhooks.get(webhookId)
  if (webhook === undefined || !isFarBehind(world, webhook)) return 0
  if (nextFor(world, webhook) !== null) return 0
  const skipped = droppedFor(world, webhook)
  moveOn(world, webhook, { doneSeq: world.sequences.events, skipped })
  return skipped
}

/** A delivery whose event was skipped is not tried again. */
function moveOn(
  world: World,
  webhook: Webhook,
  { doneSeq, skipped }: Pick<Webhook, 'doneSeq' | 'skipped'>,
): void {
  putRecord(world, 'webhooks', { ...webhook, doneSeq, skipped: webhook.skipped + skipped })
  if (skipped === 0) return
  for (const delivery of world.webhookDeliveries.values()) {
    const { webhookId, eventSeq, status } = delivery
    if (webhookId === webhook.webhookId && eventSeq < doneSeq && status === 'pending') {
      putRecord(world, 'webhookDeliveries', { ...delivery, status: 'failed' })
      // One event is under way at a time.
      return
    }
  }
}

/** Notes what it came to that an event was delivered once more; null where that delivery is no longer kept. */
export function noteRedelivery(
  world: World,
  deliveryId: string,
  receipt: Receipt,
): WebhookDelivery | null {
  const known = world.webhookDeliveries.get(deliveryId)
  if (known === undefined) return null
  const reason = reasonOf(receipt)
  const delivery = { ...known, status: statusAfter(receipt), attempts: known.attempts + 1, reason }
  putRecord(world, 'webhookDeliveries', delivery)
  return delivery
}

/**
 * Gives a world that takes the place of another one the webhooks of that one, and none of its own: they belong to the
 * sandbox. They are told of what happens from here on, and have skipped nothing of it.
 */
export function takeWebhooks(world: World, from: Pick<World, 'webhooks'>): void {
  const kept = [...from.webhooks.values()]
  leaveWebhooks(world)
  for (const webhook of kept) {
    putRecord(world, 'webhooks', { ...webhook, ...beginning(world) })
  }
}

/** Takes all webhooks from a world that goes on elsewhere: what was delivered is not to be delivered again. */
export function leaveWebhooks(world: World): void {
  world.webhooks.clear()
  world.webhookDeliveries.clear()
}

function dropOldest({ webhookDeliveries: deliveries }: World): void {
  if (deliveries.size <= DELIVERIES_KEPT) return
  for (const [id, { status }] of deliveries) {
    if (status === 'pending') continue
    deliveries.delete(id)
    return
  }
}

function statusAfter(receipt: Receipt): 'delivered' | 'failed' {
  return receipt.isDelivered ? 'delivered' : 'failed'
}

function reasonOf(receipt: Receipt): string | null {
  return receipt.isDelivered ? null : receipt.reason
}
