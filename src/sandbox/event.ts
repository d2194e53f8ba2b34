/** The events of one sandbox: what billing, tokens and the sandbox itself report, numbered in the order in which it happened. */
import * as z from 'zod'
import { COUNT_MAX } from '../billing/money.ts'
import { Instant } from '../time/instant.ts'
import { EventDetail, EventType, eventDetails, Subject } from '../wire/event.ts'

/** What led to an event: a request, or the clock; `requestId` is that of the request that moved it, null where none did. */
export const Cause = z.strictObject({
  kind: z.enum(['request', 'clock']),
  requestId: z.string().nullable(),
})
export type Cause = z.infer<typeof Cause>

/** What happened, before it is numbered. */
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
    detail: EventDetail,
  })
  .refine(({ type, detail }) => eventDetails[type].safeParse(detail).success, {
    error: 'has a detail that its type does not have',
  })
export type Event = z.infer<typeof Event>
