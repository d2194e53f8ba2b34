/** Events: what happened in one sandbox, in order. */
import { streamSSE } from 'hono/streaming'
import * as z from 'zod'
import { EVENTS_KEPT } from '../../assumptions/bounds.ts'
import { unknownCursor } from '../../operations/page.ts'
import { answers, controlPlane } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import {
  EventQuery,
  eventCondition,
  presentEvent,
  StreamQuery,
  WireEventList,
} from '../../wire/event.ts'
import type { World } from '../../world/world.ts'
import { readInWorld } from '../world-calls.ts'
import { follow, startOf } from './event-stream.ts'
import { FOLLOWERS_MAX, refuseFollower } from './server-sent.ts'

export const eventRoutes = [
  route({
    ...controlPlane,
    operationId: 'listEvents',
    method: 'get',
    path: '/sandbox/events',
    tag: 'Events',
    summary: 'List events',
    description: `What happened, with its cause and its virtual instant, oldest first. The newest ${EVENTS_KEPT} are kept; a list after an event that was dropped goes on with the oldest one kept.`,
    query: EventQuery,
    replies: answers('One page of them.', WireEventList),
    answer: async ({ query, c }) => ok(await readInWorld(c, (world) => page(world, query))),
  }),
  route({
    ...controlPlane,
    operationId: 'streamEvents',
    method: 'get',
    path: '/sandbox/events/stream',
    tag: 'Events',
    summary: 'Stream events',
    description: `Server-sent events, from now on, after the number \`after\`, or after the one that the header Last-Event-ID names, which wins: \`id\` is the sequence number, \`event\` the type, \`data\` the event. After a reset or a restore it goes on with that event; after an event that was dropped, with the oldest one kept. A client that takes its events too slowly gets a last one, \`end\`, once those after it were dropped: \`data\` has the reason and \`last_seq\`, from which Last-Event-ID goes on. One sandbox has at most ${FOLLOWERS_MAX} streams at one time.`,
    query: StreamQuery,
    refusals: ['follower_limit'],
    replies: {
      200: {
        description: 'The stream.',
        // Some tools read it as the shape of the whole text, others as that of each event.
        schema: z.unknown(),
        mediaType: 'text/event-stream',
        source: 'sandbox',
      },
    },
    answer: async ({ query: { after, limit = Number.POSITIVE_INFINITY, ...filter }, c }) => {
      const order = { after, lastEventId: c.req.header('last-event-id') }
      const sandbox = c.get('sandbox')
      const start = await readInWorld(c, (world) =>
        startOf(world, { ...order, replacements: sandbox.replacements }),
      )
      // A HEAD wants the headers only, and nobody would ever close a stream for it.
      if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
      refuseFollower(sandbox)
      return streamSSE(c, (sink) =>
        follow(sandbox, { start, limit, matches: eventCondition(filter) }, sink),
      )
    },
  }),
]

/** The newest event's number is a cursor too: a client that polls asks for what comes after it. */
function page(world: World, { after, limit, ...filter }: z.output<typeof EventQuery>) {
  if (after > world.sequences.events) throw unknownCursor(after)
  const matches = eventCondition(filter)
  const found = world.events.after(after, limit + 1, matches)
  const data = found.slice(0, limit).map(presentEvent)
  const hasMore = found.length > limit
  return { data, has_more: hasMore, next_after: hasMore ? (data.at(-1)?.seq ?? null) : null }
}
