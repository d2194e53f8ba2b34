/**
 * Following the events of one sandbox as they happen. Owns where a stream begins, and what it does when the sandbox is
 * put back.
 */
import type { SSEStreamingApi } from 'hono/streaming'
import { unknownCursor } from '../../operations/page.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { fieldsRefused, printValue } from '../../surface/field-problems.ts'
import { presentEvent } from '../../wire/event.ts'
import type { Event } from '../../world/event.ts'
import type { EventCondition, EventLog } from '../../world/event-log.ts'
import type { World } from '../../world/world.ts'
import { type Frame, frameOf, framesOf, sendWhatComes } from './server-sent.ts'

/** The most events that are taken from the world at one time. */
const CHUNK_MAX = 1000

/** How far a stream has come: in which world, counted by how often one was replaced, and up to which number. */
export interface Position {
  readonly replacements: number
  readonly seq: number
}

/** What a request for a stream says. */
export interface StreamOrder {
  readonly replacements: number
  /** Of a client that reconnects, which is why it has the last word. */
  readonly lastEventId: string | undefined
  readonly after: number | undefined
}

/**
 * Where a stream begins: now, or after the event that the client names. Throws 400 for what is no number, and for an
 * `after` that no event has.
 */
export function startOf({ sequences }: World, order: StreamOrder): Position {
  const { lastEventId, after = sequences.events, replacements } = order
  if (lastEventId === undefined && after > sequences.events) throw unknownCursor(after)
  const seq = lastEventId === undefined ? after : Number(lastEventId)
  if (/^\d{1,15}$/.test(lastEventId ?? '0')) {
    // A number that is not reached yet is from before a reset, which a client that reconnects need not know of.
    return { replacements, seq: seq > sequences.events ? 0 : seq }
  }
  const message = `Last-Event-ID must be the sequence number of an event; got ${printValue(lastEventId)}.`
  throw fieldsRefused([{ field: 'Last-Event-ID', message }])
}

/** Which events are taken from the world at one time. */
interface EventChoice {
  readonly max: number
  readonly matches: EventCondition
}

/** Which events a stream sends. */
export interface Followed {
  readonly start: Position
  readonly limit: number
  readonly matches: EventCondition
}

/** Sends `limit` events after a position, and waits for more to happen; resolves at the end of the stream. */
export async function follow(
  sandbox: Sandbox,
  { start, limit, matches }: Followed,
  sink: SSEStreamingApi,
): Promise<void> {
  let position = start
  let left = limit
  let isFirst = true
  await sendWhatComes(sandbox, {
    sink,
    notice: 'change',
    next: async () => {
      if (left <= 0) return null
      const choice = { position, max: Math.min(left, CHUNK_MAX), matches }
      const found = await sandbox.read((world) => eventsAfter(sandbox, world, choice))
      // Events would be missing in the midst of the stream, and nobody would know.
      if (found.isLate && !isFirst) {
        left = 0
        return [endOf(position.seq)]
      }
      isFirst = false
      position = found.position
      left -= found.events.length
      return found.events.map(messageOf)
    },
  })
}

const frameOnce = framesOf<Event>()

function messageOf(event: Event): Frame {
  return frameOnce(event, () => frameOf(event.seq, event.type, presentEvent(event)))
}

/** What a client gets that took its events too slowly: Last-Event-ID goes on with the oldest event that is kept. */
function endOf(seq: number): Frame {
  const detail = `The events after ${seq} were dropped before this client took them.`
  return frameOf(seq, 'end', { reason: 'too_slow', last_seq: seq, detail })
}

/** Events after a position, and how far that is; in a world that took the place of another, from the event that says so. */
function eventsAfter(
  sandbox: Sandbox,
  { events: log }: World,
  { position, max, matches }: { readonly position: Position } & EventChoice,
): {
  readonly events: readonly Event[]
  readonly position: Position
  /** Whether events between were dropped. */
  readonly isLate: boolean
} {
  const { replacements } = sandbox
  const from = position.replacements === replacements ? position.seq : replacedAt(log) - 1
  const events = log.after(from, max, matches)
  const reached = events.length < max ? log.newest?.seq : events.at(-1)?.seq
  const isLate = position.replacements === replacements && from < log.droppedSeq
  return { events, position: { replacements, seq: reached ?? from }, isLate }
}

/** The number of the event with which the newest world began. */
function replacedAt(log: EventLog): number {
  return log.findLast(({ subject }) => subject.kind === 'sandbox')?.seq ?? 1
}
