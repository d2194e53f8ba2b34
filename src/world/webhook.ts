/**
 * Webhooks as they are stored: who is told of events, how far each of them came, and what became of the newest
 * deliveries. Owns which event is next for whom. (Assumption webhooks)
 */
import * as z from 'zod'
import { type Event, EventType } from './event.ts'
import type { EventLog } from './event-log.ts'
import { Count, type Sequences } from './sequences.ts'

/** What happened, as a world has it. */
interface History {
  readonly events: EventLog
  readonly sequences: Sequences
}

export const Webhook = z.strictObject({
  webhookId: z.string(),
  url: z.string(),
  secret: z.string(),
  /** The types that it is told of; null for all. */
  eventTypes: z.array(EventType).nullable(),
  /** The number of the last event that it is done with: delivered, given up, or not for it. */
  doneSeq: Count,
})
export type Webhook = z.infer<typeof Webhook>

/** How an event was told to a webhook. */
export const WebhookDelivery = z.strictObject({
  deliveryId: z.string(),
  webhookId: z.string(),
  eventSeq: Count,
  eventType: EventType,
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: Count,
  /** Why the last attempt failed; null where it did not. */
  reason: z.string().nullable(),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** An event that is next for a webhook. */
export interface DueDelivery {
  readonly webhook: Webhook
  readonly event: Event
}

/** What an attempt to deliver came to. */
export type Receipt =
  | { readonly isDelivered: true }
  | { readonly isDelivered: false; readonly reason: string; readonly isHanging: boolean }

/** The same for every attempt, so that a receiver knows what it has already. */
export function deliveryIdOf({ webhook, event }: DueDelivery): string {
  return `${webhook.webhookId}_${event.seq}`
}

/** Up to which event nothing is for a webhook as it stands. */
const lookedTo = new WeakMap<Webhook, number>()

/** The next event for a webhook; null where it has all of them. Events that were dropped from the log are passed over. */
export function nextFor({ events, sequences }: History, webhook: Webhook): Event | null {
  const from = lookedTo.get(webhook) ?? webhook.doneSeq
  const [event] = events.after(from, 1, (each) => isFor(webhook, each))
  if (event === undefined) lookedTo.set(webhook, sequences.events)
  return event ?? null
}

/** How many events wait for a webhook. */
export function waitingFor({ events }: Pick<History, 'events'>, webhook: Webhook): number {
  return events.after(webhook.doneSeq, undefined, (each) => isFor(webhook, each)).length
}

function isFor({ eventTypes }: Webhook, { type }: Event): boolean {
  return eventTypes === null || eventTypes.includes(type)
}
