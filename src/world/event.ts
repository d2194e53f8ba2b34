/** The events of one sandbox: reports of billing, of tokens and of the sandbox itself, numbered in order. */
import * as z from 'zod'
import { billingEvents } from '../billing/event.ts'
import { COUNT_MAX } from '../billing/money.ts'
import { Instant } from '../time/instant.ts'
import { tokenEvents } from '../tokens/event.ts'

/** What replaced the world: a fixture, in which contracts may set states up, or a checkpoint. */
const replacement = z.strictObject({
  fixture: z.string(),
  checkpoint: z.string().exactOptional(),
  providerStates: z.string().exactOptional(),
})

export const eventDetails = {
  ...billingEvents,
  ...tokenEvents,
  'sandbox.reset': replacement,
  'sandbox.restored': replacement,
}
export type EventType = keyof typeof eventDetails
export const EventType = z.enum(Object.keys(eventDetails) as EventType[])

export const Subject = z.strictObject({
  kind: z.enum(['subscription', 'invoice', 'charge', 'token_family', 'sandbox']),
  id: z.string(),
})
export type Subject = z.infer<typeof Subject>

/** Facts about an event, by name; amounts in minor units. */
export const EventDetail = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
)

/** What led to an event: a request or the clock. `requestId` is the request that moved the clock; null if none did. */
export const Cause = z.strictObject({
  kind: z.enum(['request', 'clock']),
  requestId: z.string().nullable(),
})
export type Cause = z.infer<typeof Cause>

/** The clock, without a request: real time reached an instant, or the event happens on a fork only. */
export const clockCause: Cause = { kind: 'clock', requestId: null }

/** The cause of what a fixture, a scenario, a what-if or a provider state does: no request has its id. */
export const noRequest: Cause = { kind: 'request', requestId: null }

export interface Fact<Type extends EventType = EventType> {
  readonly type: Type
  readonly subject: Subject
  readonly detail: z.infer<(typeof eventDetails)[Type]>
}

/** A numbered fact; `seq` increases strictly within one sandbox. */
export const Event = z
  .strictObject({
    seq: z.int().positive().max(COUNT_MAX),
    type: EventType,
    at: Instant,
    subject: Subject,
    cause: Cause,
    // Checked below, by the schema of its type.
    detail: z.custom<z.infer<typeof EventDetail>>(),
  })
  .refine(({ type, detail }) => eventDetails[type].safeParse(detail).success, {
    error: 'has a detail that its type does not have',
  })
export type Event = z.infer<typeof Event>
