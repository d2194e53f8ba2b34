/**
 * Events: what happened in one sandbox, in order, as a list and as a stream. Owns where a stream begins, and what it does
 * when the sandbox is put back.
 */
import { EVENTS_KEPT } from '../../assumptions/bounds.ts'
import { worldQuery } from '../../operations/operation.ts'
import { toPage, unknownCursor } from '../../operations/page.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { endpoints, reply } from '../../surface/declarations.ts'
import { route } from '../../surface/operation.ts'
import { EventQuery, eventCondition, presentEvent, StreamQuery } from '../../wire/events/event.ts'
import { WireEventList } from '../../wire/events/event-schema.ts'
import type { Event } from '../../world/event.ts'
import type { EventCondition } from '../../world/event-log.ts'
import type { World } from '../../world/world.ts'
import { readInWorld } from '../world-calls.ts'
import {
  answerStream,
  FOLLOWERS_MAX,
  type Frame,
  type FrameSource,
  frameOf,
  framesOf,
  startOf,
  streams,
} from './server-sent.ts'

const { get } = endpoints('Events')

export const eventOperations = [
  worldQuery({
    ...get('/sandbox/events', 'listEvents'),
    summary: 'List events',
    description: `Lists what happened, with its cause and its virtual instant, by default the oldest first. The newest ${EVENTS_KEPT} are kept; a list after an event that was dropped begins with the oldest one that is kept.`,
    query: EventQuery,
    replies: reply.ok('One page of events.', WireEventList),
    read: (world, { after, limit, order, ...filter }) => {
      assertCursor(world, after)
      const wanted = [limit + 1, eventCondition(filter)] as const
      const found =
        order === 'newest'
          ? world.events.before(after || undefined, ...wanted)
          : world.events.after(after, ...wanted)
      return toPage(found, limit, { present: presentEvent, cursorOf: ({ seq }) => seq })
    },
  }),
  route({
    ...get('/sandbox/events/stream', 'streamEvents'),
    ...streams,
    summary: 'Stream events',
    description: `Sends the events of the sandbox as server-sent events, from now on, after the number \`after\`, or after the one that the header Last-Event-ID names, which wins: \`id\` is the sequence number, \`event\` the type, \`data\` the event, as the schema \`Event\` has it. After a reset or a restore it goes on with that event; after an event that was dropped, with the oldest one kept. A client that takes its events too slowly gets a last one, \`end\`, once those after it were dropped: \`data\` has the reason and \`last_seq\`, from which Last-Event-ID goes on. One sandbox has at most ${FOLLOWERS_MAX} streams at one time.`,
    query: StreamQuery,
    answer: async ({ query: { after, limit, ...filter }, c }) => {
      const sandbox = c.get('sandbox')
      const lastEventId = c.req.header('last-event-id')
      const start = await readInWorld(c, (world) => {
        if (lastEventId === undefined) assertCursor(world, after)
        const { events: newest } = world.sequences
        const seq = startOf(lastEventId, { after, newest, number: 'sequence number of an event' })
        return { replacements: sandbox.replacements, seq }
      })
      return answerStream(
        c,
        eventSource(sandbox, { start, limit, matches: eventCondition(filter) }),
      )
    },
  }),
]

/** The newest event's number is a cursor too: a client that polls asks for what comes after it. */
function assertCursor({ sequences }: World, after = 0): void {
  if (after > sequences.events) throw unknownCursor(after)
}

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
  order: Pick<FrameSource, 'limit'> & {
    readonly start: Position
    readonly matches: EventCondition
  },
): FrameSource {
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

/** Events after a position, the position after them, and whether events between were dropped. */
function eventsAfter(
  sandbox: Sandbox,
  { events: log }: World,
  { position, max, matches }: { position: Position; max: number; matches: EventCondition },
) {
  const { replacements } = sandbox
  const from = position.replacements === replacements ? position.seq : log.replacedSeq - 1
  const events = log.after(from, max, matches)
  const reached = events.length < max ? log.newest?.seq : events.at(-1)?.seq
  const isLate = position.replacements === replacements && from < log.droppedSeq
  return { events, position: { replacements, seq: reached ?? from }, isLate }
}
