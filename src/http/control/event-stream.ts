/**
 * Following the events of one sandbox as they happen. Owns where a stream begins, and what it does when the sandbox is
 * put back.
 */
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { presentEvent } from '../../wire/event.ts'
import type { Event } from '../../world/event.ts'
import type { EventCondition, EventLog } from '../../world/event-log.ts'
import type { World } from '../../world/world.ts'
import { type Frame, frameOf, framesOf, type Source } from './server-sent.ts'

/** The most events that are taken from the world at one time. */
const CHUNK_MAX = 1000

/** How far a stream has come: in which world, counted by how often one was replaced, and up to which number. */
interface Position {
  readonly replacements: number
  readonly seq: number
}

/** Sends the events after a position that fit, in this world and in those that take its place. */
export function eventSource(
  sandbox: Sandbox,
  order: Pick<Source, 'limit'> & { readonly start: Position; readonly matches: EventCondition },
): Source {
  let position = order.start
  let isFirst = true
  let isLate = false
  return {
    notice: 'change',
    limit: order.limit,
    next: async (max) => {
      if (isLate) return null
      const choice = { position, max: Math.min(max, CHUNK_MAX), matches: order.matches }
      const found = await sandbox.read((world) => eventsAfter(sandbox, world, choice))
      // Events would be missing in the midst of the stream, and nobody would know.
      isLate = found.isLate && !isFirst
      if (isLate) return [endOf(position.seq)]
      isFirst = false
      position = found.position
      return found.events.map((event) =>
        frameOnce(event, () => frameOf(event.seq, event.type, presentEvent(event))),
      )
    },
  }
}

const frameOnce = framesOf<Event>()

/** What a client gets that took its events too slowly: Last-Event-ID goes on with the oldest event that is kept. */
function endOf(seq: number): Frame {
  const detail = `The events after ${seq} were dropped before this client took them.`
  return frameOf(seq, 'end', { reason: 'too_slow', last_seq: seq, detail })
}

/**
 * Events after a position, how far that is, and whether events between were dropped; in a world that took the place of
 * another, from the event that says so.
 */
function eventsAfter(
  sandbox: Sandbox,
  { events: log }: World,
  { position, max, matches }: { position: Position; max: number; matches: EventCondition },
) {
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
