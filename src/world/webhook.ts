/**
 * Webhooks as they are stored: their filters, their position in the events, and their newest deliveries. Owns which
 * event is next for each webhook. (Assumption webhooks)
 */
import * as z from 'zod'
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import { type Event, EventType } from './event.ts'
import type { EventLog } from './event-log.ts'
import { Count, type Sequences } from './sequences.ts'

interface History {
  readonly events: EventLog
  readonly sequences: Sequences
}

export const Webhook = z.strictObject({
  webhookId: z.string(),
  url: z.string(),
  secret: z.string(),
  /** The event types that it receives; null for all. */
  eventTypes: z.array(EventType).nullable(),
  /** The number of the last finished event: delivered, given up, or excluded by the filter. */
  doneSeq: Count,
  /** The number of events that were dropped from the log before their delivery, of all types. */
  skipped: Count.default(0),
  /** Random and different in each world, because the numbers of events repeat. */
  series: z.string().default(''),
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookDelivery = z.strictObject({
  deliveryId: z.string(),
  webhookId: z.string(),
  eventSeq: Count,
  eventType: EventType,
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: Count,
  /** Why the last attempt failed; null if it did not. */
  reason: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export interface DueDelivery {
  readonly webhook: Webhook
  readonly event: Event
  /** The number of events before it that were dropped from the log and are skipped. */
  readonly skipped: number
}

export type Receipt =
  | { readonly isDelivered: true }
  | { readonly isDelivered: false; readonly reason: string; readonly isHanging: boolean }

/** The same for every attempt, so that a receiver recognises a repetition. */
export function deliveryIdOf({ webhook, event }: Pick<DueDelivery, 'webhook' | 'event'>): string {
  return `${webhook.webhookId}_${event.seq}`
}

/** The id by which a receiver knows an event: unique across all worlds and sandboxes. */
export function messageIdOf(
  due: Pick<DueDelivery, 'webhook' | 'event'>,
  sandboxId: string,
): string {
  return `${sandboxId}_${deliveryIdOf(due)}_${due.webhook.series}`
}

/** The number up to which no event is for a webhook in its current state. */
const positions = new WeakMap<Webhook, number>()

/** The next delivery of a webhook; null if it has all events. Skips those that were dropped from the log. */
export function nextDelivery({ events, sequences }: History, webhook: Webhook): DueDelivery | null {
  const skipped = countDropped({ events }, webhook)
  const [event] = events.after(positionOf(webhook), 1, (each) => receives(webhook, each))
  if (skipped === 0) positions.set(webhook, event === undefined ? sequences.events : event.seq - 1)
  return event === undefined ? null : { webhook, event, skipped }
}

/** The number of events that were dropped from the log after the last finished event of a webhook. */
export function countDropped({ events }: Pick<History, 'events'>, webhook: Webhook): number {
  return Math.max(0, events.droppedSeq - positionOf(webhook))
}

/** Whether the stored position of a webhook is so far back that events soon seem skipped, though they are not for it. */
export function isFarBehind({ sequences }: Pick<History, 'sequences'>, webhook: Webhook): boolean {
  return sequences.events - webhook.doneSeq >= EVENTS_KEPT / 2
}

function positionOf(webhook: Webhook): number {
  return positions.get(webhook) ?? webhook.doneSeq
}

export function countWaiting({ events }: Pick<History, 'events'>, webhook: Webhook): number {
  return events.after(webhook.doneSeq, undefined, (each) => receives(webhook, each)).length
}

function receives({ eventTypes }: Webhook, { type }: Event): boolean {
  return eventTypes === null || eventTypes.includes(type)
}
