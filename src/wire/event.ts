/** Events and what falls due, on the wire. */
import * as z from 'zod'
import { int, strictObject, string } from 'zod'
import { COUNT_MAX } from '../billing/money.ts'
import { Cause, type Event, EventDetail, EventType, Subject } from '../world/event.ts'
import type { EventCondition } from '../world/event-log.ts'
import { snakeKeys } from './case.ts'
import {
  InstantOut,
  inSandbox,
  PageLimit,
  pageOf,
  Reference,
  SubscriptionIds,
  streamLimit,
} from './fields.ts'

const WireSubject = Subject.meta(inSandbox('Subject'))

export const WireEvent = strictObject({
  seq: int().min(1).describe('Its number; increases strictly within a sandbox.'),
  type: EventType.describe('What happened.'),
  at: InstantOut.describe('When, in virtual time.'),
  subject: WireSubject,
  cause: strictObject({
    kind: Cause.shape.kind,
    request_id: string().nullable().describe('The request that led to it.'),
  }).describe('What led to it.'),
  detail: EventDetail.describe('Facts by name; amounts in minor units.'),
}).meta(inSandbox('Event', 'Something that happened.'))
export type WireEvent = z.input<typeof WireEvent>

export const WireDueItem = strictObject({
  at: InstantOut.describe('When.'),
  kind: z.enum(['trial_end', 'period_end', 'payment_retry']).describe('What will happen.'),
  subject: WireSubject,
}).meta(inSandbox('DueItem', 'Something that falls due.'))
export type WireDueItem = z.input<typeof WireDueItem>

/** A page of events; `next_after` is a sequence number. */
export const WireEventList = pageOf('Event', WireEvent, int())
export type WireEventList = z.input<typeof WireEventList>

/** Which events to answer: all that fit each of them. */
const eventFilter = {
  type: EventType.optional().describe('Only those of this type.'),
  subject_kind: Subject.shape.kind.optional().describe('Only those about one of these.'),
  subject_id: Reference.optional().describe('Only those about the one with this identifier.'),
  subscription_id: SubscriptionIds.optional().describe(
    'Only those about these subscriptions or their invoices: up to 100 identifiers, separated by commas.',
  ),
}

export const EventQuery = strictObject({
  ...eventFilter,
  limit: PageLimit,
  after: int().min(0).max(COUNT_MAX).default(0).meta({
    accepts: 'the sequence number of an event, or 0',
    description: 'Only those after it.',
  }),
})

export const StreamQuery = strictObject({
  ...eventFilter,
  after: EventQuery.shape.after.unwrap().optional().meta({
    accepts: 'the sequence number of an event, or 0',
    description: 'Only those after it; from now on without it.',
  }),
  limit: streamLimit('events'),
})

type EventFilter = {
  readonly [Field in keyof typeof eventFilter]?: z.output<(typeof eventFilter)[Field]>
}

/** The condition that a filter puts into words. */
export function eventCondition(filter: EventFilter): EventCondition {
  const { type, subject_kind: kind, subject_id: id } = filter
  const subscriptions = filter.subscription_id && new Set<string | null>(filter.subscription_id)
  return (event, subscriptionId) =>
    (type === undefined || event.type === type) &&
    (kind === undefined || event.subject.kind === kind) &&
    (id === undefined || event.subject.id === id) &&
    (subscriptions === undefined || subscriptions.has(subscriptionId))
}

/** An event on the wire; the names of its facts are spelled as the wire does. */
export function presentEvent({ seq, type, at, subject, cause, detail }: Event): WireEvent {
  return { seq, type, at, subject, cause: snakeKeys(cause), detail: snakeKeys(detail) }
}
