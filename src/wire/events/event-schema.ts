/**
 * Events in the documents: a schema for each type, all made by one function from the details in `world`. Apart from
 * `event.ts`, because only the control plane needs them: events are presented without them.
 */
import * as z from 'zod'
import { int, literal, strictObject, string } from 'zod'
import { CurrencyCode, SignedMinorUnits } from '../../billing/money.ts'
import { Instant } from '../../time/instant.ts'
import { Cause, EventType, eventDetails } from '../../world/event.ts'
import { snakeKey } from '../common/case.ts'
import { Currency, InstantOut, inSandbox, pageOf, SignedAmount } from '../common/fields.ts'
import { type WireEvent, WireSubject } from './event.ts'
import { eventCauses, factWords, ownFactWords } from './event-words.ts'

/** `invoice.paid` becomes `InvoicePaidEvent`, the name of its schema in the documents. */
export function eventSchemaName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return `${words.join('')}Event`
}

const WireCause = strictObject({
  kind: Cause.shape.kind.describe('The kind of the cause: a request, or the clock.'),
  request_id: string()
    .nullable()
    .describe('The identifier of the request that led to the event; null without one.'),
}).meta(inSandbox('EventCause', 'What led to an event.'))

/** How the wire writes what is stored, where that is not the same. */
const written = new Map<z.ZodType, z.ZodType>([
  [Instant, InstantOut],
  [SignedMinorUnits, SignedAmount],
  [CurrencyCode, Currency],
])

/** What every event has, described once for all of them: each description copies a schema, while others wait. */
const shared = {
  seq: int().min(1).describe('The number of the event; it increases strictly within a sandbox.'),
  at: InstantOut.describe('The virtual instant of the event.'),
  subject: WireSubject.describe('The record that the event is about.'),
  cause: WireCause.describe('The cause of the event.'),
}

const schemas = EventType.options.map(schemaOf) as [z.ZodObject, ...z.ZodObject[]]

export const EventSchema = z
  .discriminatedUnion('type', schemas)
  .meta(inSandbox('Event', 'Something that happened.')) as unknown as z.ZodType<
  WireEvent,
  WireEvent
>

/** A page of events; `next_after` is a sequence number. */
export const WireEventList = pageOf('Event', EventSchema, int())
export type WireEventList = z.input<typeof WireEventList>

function schemaOf(type: EventType): z.ZodObject {
  return strictObject({
    seq: shared.seq,
    type: literal(type).describe('The type of the event.'),
    ...{ at: shared.at, subject: shared.subject, cause: shared.cause },
    detail: detailOf(type).describe(
      'The facts about the event, by its type; amounts in minor units.',
    ),
  }).meta(inSandbox(eventSchemaName(type), eventCauses[type]))
}

function detailOf(type: EventType): z.ZodObject {
  const own: Readonly<Record<string, string>> = ownFactWords[type] ?? {}
  const fields = Object.entries<z.ZodType>(eventDetails[type].shape).map(([key, field]) => {
    const name = snakeKey(key) as keyof typeof factWords
    return [name, asOnWire(field).describe(own[name] ?? factWords[name])]
  })
  return strictObject(Object.fromEntries(fields))
}

function asOnWire(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodNullable) return asOnWire(field.unwrap() as z.ZodType).nullable()
  if (field instanceof z.ZodExactOptional) {
    return asOnWire(field.unwrap() as z.ZodType).exactOptional()
  }
  return written.get(field) ?? field
}
