/**
 * Webhooks as they are stored: who is told of events, how far each of them came, and what became of the newest
 * deliveries. Owns which event is next for whom. (Assumption webhooks)
 */
import * as z from 'zod'
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
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
  /** How many events were dropped from the log before it was told of them, whatever their types. */
  skipped: Count.default(0),
  /** Random; another one in each world, because the numbers of events repeat there. */
  series: z.string().default(''),
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
  /** How many events before it are skipped, because they were dropped from the log meanwhile. */
  readonly skipped: number
}

/** What an attempt to deliver came to. */
export type Receipt =
  | { readonly isDelivered: true }
  | { readonly isDelivered: false; readonly reason: string; readonly isHanging: boolean }

/** The same for every attempt, so that a receiver knows what it has already. */
export function deliveryIdOf({ webhook, event }: Pick<DueDelivery, 'webhook' | 'event'>): string {
  return `${webhook.webhookId}_${event.seq}`
}

/** What a receiver knows an event by: no other event ever has it, in whatever world of whatever sandbox. */
export function messageIdOf(
  due: Pick<DueDelivery, 'webhook' | 'event'>,
  sandboxId: string,
): string {
  return `${sandboxId}_${deliveryIdOf(due)}_${due.webhook.series}`
}

/** Up to which event nothing is for a webhook as it stands. */
const lookedTo = new WeakMap<Webhook, number>()

/** What is next for a webhook; null where it has all events. Those that were dropped from the log are skipped. */
export function nextFor({ events, sequences }: History, webhook: Webhook): DueDelivery | null {
  const skipped = droppedFor({ events }, webhook)
  const [event] = events.after(reachedBy(webhook), 1, (each) => isFor(webhook, each))
  if (skipped === 0) lookedTo.set(webhook, event === undefined ? sequences.events : event.seq - 1)
  return event === undefined ? null : { webhook, event, skipped }
}

/** How many events were dropped from the log since a webhook was last done with one. */
export function droppedFor({ events }: Pick<History, 'events'>, webhook: Webhook): number {
  return Math.max(0, events.droppedSeq - reachedBy(webhook))
}

/** Whether what is noted of a webhook lies so far back that events will soon seem skipped that are not for it. */
export function isFarBehind({ sequences }: Pick<History, 'sequences'>, webhook: Webhook): boolean {
  return sequences.events - webhook.doneSeq >= EVENTS_KEPT / 2
}

function reachedBy(webhook: Webhook): number {
  return lookedTo.get(webhook) ?? webhook.doneSeq
}

/** How many events wait for a webhook. */
export function waitingFor({ events }: Pick<History, 'events'>, webhook: Webhook): number {
  return events.after(webhook.doneSeq, undefined, (each) => isFor(webhook, each)).length
}

function isFor({ eventTypes }: Webhook, { type }: Event): boolean {
  return eventTypes === null || eventTypes.includes(type)
}
