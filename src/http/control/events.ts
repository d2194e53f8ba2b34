/** Events: what happened in one sandbox, in order. */
import { EVENTS_KEPT } from '../../assumptions/bounds.ts'
import { worldQuery } from '../../operations/operation.ts'
import { pageFrom, unknownCursor } from '../../operations/page.ts'
import { answers, endpoints } from '../../surface/declarations.ts'
import { route } from '../../surface/operation.ts'
import {
  EventQuery,
  eventCondition,
  presentEvent,
  StreamQuery,
  WireEventList,
} from '../../wire/event.ts'
import type { World } from '../../world/world.ts'
import { readInWorld } from '../world-calls.ts'
import { eventSource } from './event-stream.ts'
import { answerStream, FOLLOWERS_MAX, startOf, streams } from './server-sent.ts'

const { get } = endpoints('Events')

export const eventOperations = [
  worldQuery({
    ...get('/sandbox/events', 'listEvents'),
    summary: 'List events',
    description: `What happened, with its cause and its virtual instant, oldest first. The newest ${EVENTS_KEPT} are kept; a list after an event that was dropped goes on with the oldest one kept.`,
    query: EventQuery,
    replies: answers('One page of them.', WireEventList),
    read: (world, { after, limit, ...filter }) => {
      refuseUnknown(world, after)
      const found = world.events.after(after, limit + 1, eventCondition(filter))
      return pageFrom(found, limit, { present: presentEvent, cursorOf: ({ seq }) => seq })
    },
  }),
  route({
    ...get('/sandbox/events/stream', 'streamEvents'),
    ...streams,
    summary: 'Stream events',
    description: `Server-sent events, from now on, after the number \`after\`, or after the one that the header Last-Event-ID names, which wins: \`id\` is the sequence number, \`event\` the type, \`data\` the event. After a reset or a restore it goes on with that event; after an event that was dropped, with the oldest one kept. A client that takes its events too slowly gets a last one, \`end\`, once those after it were dropped: \`data\` has the reason and \`last_seq\`, from which Last-Event-ID goes on. One sandbox has at most ${FOLLOWERS_MAX} streams at one time.`,
    query: StreamQuery,
    answer: async ({ query: { after, limit, ...filter }, c }) => {
      const sandbox = c.get('sandbox')
      const lastEventId = c.req.header('last-event-id')
      const start = await readInWorld(c, (world) => {
        if (lastEventId === undefined) refuseUnknown(world, after)
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
function refuseUnknown({ sequences }: World, after = 0): void {
  if (after > sequences.events) throw unknownCursor(after)
}
