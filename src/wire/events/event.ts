/** Events and what falls due, on the wire. */
import * as z from 'zod'
import { int, strictObject } from 'zod'
import { COUNT_MAX } from '../../billing/money.ts'
import { type Cause, type Event, EventType, type eventDetails, Subject } from '../../world/event.ts'
import type { EventCondition } from '../../world/event-log.ts'
import { type SnakeKeys, snakeKeys } from '../common/case.ts'
import {
  InstantOut,
  inSandbox,
  PageLimit,
  PageQuery,
  Reference,
  SubscriptionIds,
  streamLimit,
} from '../common/fields.ts'

export const WireSubject = strictObject({
  kind: Subject.shape.kind.describe('The kind of the record.'),
  id: Subject.shape.id.meta({ description: 'Its identifier.', examples: ['sub_000001'] }),
}).meta(inSandbox('Subject', 'The record that something is about.'))

/** An event of one of these types, or of any; its schema is in `event-schema.ts`. */
export type WireEvent<Type extends EventType = EventType> = {
  [Each in Type]: {
    seq: number
    type: Each
    at: string
    subject: Subject
    cause: SnakeKeys<Cause>
    detail: SnakeKeys<z.input<(typeof eventDetails)[Each]>>
  }
}[Type]

export const WireDueItem = strictObject({
  at: InstantOut.describe('The virtual instant at which the item falls due.'),
  kind: z
    .enum(['trial_end', 'period_end', 'payment_retry'])
    .describe(
      'The kind of the item: the end of a trial, the end of a period, or a retry of a payment.',
    ),
  subject: WireSubject.describe('The record that falls due.'),
}).meta(inSandbox('DueItem', 'Something that falls due.'))
export type WireDueItem = z.input<typeof WireDueItem>

/** Which events to answer: all that fit each of them. */
const eventFilter = {
  type: EventType.optional().describe('Only events of this type.'),
  subject_kind: Subject.shape.kind.optional().describe('Only events about a record of this kind.'),
  subject_id: Reference.optional().meta({
    description: 'Only events about the record with this identifier.',
    examples: ['sub_000001'],
  }),
  subscription_id: SubscriptionIds.optional().describe(
    'Only events about these subscriptions or their invoices: up to 100 identifiers, separated by commas.',
  ),
}

export const EventQuery = strictObject({
  ...eventFilter,
  limit: PageLimit,
  order: PageQuery.shape.order,
  after: int().min(0).max(COUNT_MAX).default(0).meta({
    accepts: 'the sequence number of an event, or 0',
    description:
      'Only events after the one with this number; with `order=newest`, those before it. Default: all events.',
  }),
})

export const StreamQuery = strictObject({
  ...eventFilter,
  after: EventQuery.shape.after.unwrap().optional().meta({
    accepts: 'the sequence number of an event, or 0',
    description: 'Only events after the one with this number. Default: from now on.',
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

/** An event on the wire, with the names of its facts in snake case. Its detail was checked when it was stored. */
export function presentEvent({ seq, type, at, subject, cause, detail }: Event): WireEvent {
  const facts = { cause: snakeKeys(cause), detail: snakeKeys(detail) }
  const presented: Record<keyof WireEvent, unknown> = { seq, type, at, subject, ...facts }
  return presented as WireEvent
}
