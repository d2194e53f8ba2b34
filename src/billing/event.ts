/** Events: facts that billing and tokens report, in the order in which they happened. */
import * as z from 'zod'
import { Instant } from '../time/instant.ts'
import { COUNT_MAX } from './money.ts'

export const EventType = z.enum([
  'subscription.created',
  'subscription.trial_ended',
  'subscription.activated',
  'subscription.renewed',
  'subscription.plan_changed',
  'subscription.plan_change_scheduled',
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancel_scheduled',
  'subscription.canceled',
  'subscription.expired',
  'subscription.past_due',
  'subscription.recovered',
  'discount.applied',
  'discount.replaced',
  'discount.ended',
  'trial.extended',
  'invoice.created',
  'invoice.paid',
  'invoice.voided',
  'invoice.uncollectible',
  'payment.succeeded',
  'payment.failed',
  'charge.succeeded',
  'charge.failed',
  'token.issued',
  'token.refreshed',
  'token.revoked',
  'token.reuse_detected',
  'sandbox.reset',
  'sandbox.restored',
])
export type EventType = z.infer<typeof EventType>

/** What an event is about. */
export const Subject = z.strictObject({
  kind: z.enum(['subscription', 'invoice', 'charge', 'token_family', 'sandbox']),
  id: z.string(),
})
export type Subject = z.infer<typeof Subject>

/** What led to an event: a request, or the clock; `requestId` is that of the request that moved it, null where none did. */
export const Cause = z.strictObject({
  kind: z.enum(['request', 'clock']),
  requestId: z.string().nullable(),
})
export type Cause = z.infer<typeof Cause>

/** Facts about an event, by name; amounts in minor units. */
export const EventDetail = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
)
export type EventDetail = z.infer<typeof EventDetail>

/** A fact before it is numbered. */
export interface Fact {
  readonly type: EventType
  readonly subject: Subject
  readonly detail: EventDetail
}

/** A numbered fact; `seq` increases strictly within one sandbox. */
export const Event = z.strictObject({
  seq: z.int().positive().max(COUNT_MAX),
  type: EventType,
  at: Instant,
  subject: Subject,
  cause: Cause,
  detail: EventDetail,
})
export type Event = z.infer<typeof Event>
