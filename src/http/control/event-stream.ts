/**
 * Following the events of one sandbox as they happen. Owns where a stream begins, what it does when the sandbox is
 * put back, and its end: at its limit, when the client goes away, the sandbox is deleted, or the process stops.
 */
import type { SSEStreamingApi } from 'hono/streaming'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { refuseStoreFailure } from '../../sandbox/store-failure.ts'
import { presentEvent } from '../../wire/event.ts'
import type { Event } from '../../world/event.ts'
import type { EventCondition, EventLog } from '../../world/event-log.ts'
import type { World } from '../../world/world.ts'
import { fieldsRefused, printValue } from '../request/field-errors.ts'
import { unknownCursor } from './calls.ts'

/** How often a silent stream gives a sign of life, so that a client that vanished is noticed. */
const HEARTBEAT_MS = 15_000

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
  let isOver = false
  let wake: () => void = () => undefined
  const end = () => {
    isOver = true
    wake()
  }
  const onChange = () => wake()
  sandbox.notifications.on('change', onChange).on('end', end)
  sink.onAbort(end)
  const heartbeat = setInterval(() => void sink.write(':\n\n'), HEARTBEAT_MS)
  let position = start
  let left = limit
  try {
    while (!isOver && left > 0) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const max = Math.min(left, CHUNK_MAX)
      const choice = { position, max, matches }
      const found = await sandbox.read((world) => eventsAfter(sandbox, world, choice))
      await sendAll(found.events, sink)
      position = found.position
      if (found.events.length === 0 && !isOver) await changed
      left -= found.events.length
    }
  } catch (error) {
    // Deleted before its end could be heard of, or its store fails: the stream ends. Anything else is thrown again.
    refuseStoreFailure(error)
  } finally {
    clearInterval(heartbeat)
    sandbox.notifications.off('change', onChange).off('end', end)
  }
}

async function sendAll(events: readonly Event[], sink: SSEStreamingApi): Promise<void> {
  for (const event of events) {
    const { seq, type } = event
    await sink.writeSSE({ id: String(seq), event: type, data: JSON.stringify(presentEvent(event)) })
  }
}

/** Events after a position, and how far that is; in a world that took the place of another, from the event that says so. */
function eventsAfter(
  sandbox: Sandbox,
  { events: log }: World,
  { position, max, matches }: { readonly position: Position } & EventChoice,
): { readonly events: readonly Event[]; readonly position: Position } {
  const { replacements } = sandbox
  const from = position.replacements === replacements ? position.seq : replacedAt(log) - 1
  const events = log.after(from, max, matches)
  const reached = events.length < max ? log.newest?.seq : events.at(-1)?.seq
  return { events, position: { replacements, seq: reached ?? from } }
}

/** The number of the event with which the newest world began. */
function replacedAt(log: EventLog): number {
  return log.findLast(({ subject }) => subject.kind === 'sandbox')?.seq ?? 1
}
