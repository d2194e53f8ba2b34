/** Events: what happened in one sandbox, in order. */
import type { z } from 'zod'
import type { World } from '../../sandbox/world.ts'
import { ok, operation, route } from '../operation.ts'
import { presentEvent } from '../present/event.ts'
import { EventQuery, WireEventList } from '../wire/event.ts'
import { askWorld, controlPlane, unknownCursor } from './calls.ts'

const list = operation({
  ...controlPlane,
  operationId: 'listEvents',
  method: 'get',
  path: '/sandbox/events',
  tag: 'Events',
  summary: 'List events',
  description: 'What happened, with its cause and its virtual instant, oldest first.',
  query: EventQuery,
  replies: { 200: { description: 'One page of them.', schema: WireEventList, source: 'sandbox' } },
  refusals: [],
})

export const eventRoutes = [
  route(list, async ({ query, c }) => ok(await askWorld(c, (world) => page(world, query)))),
]

/** The newest event's number is a cursor too: whoever polls asks for what comes after it. */
function page({ events, sequences }: World, { after, limit }: z.output<typeof EventQuery>) {
  if (after > sequences.events) throw unknownCursor(after)
  const first = events[0]?.seq ?? 1
  const from = Math.max(0, after - first + 1)
  const data = events.slice(from, from + limit).map(presentEvent)
  const hasMore = events.length > from + limit
  return { data, has_more: hasMore, next_after: hasMore ? (data.at(-1)?.seq ?? null) : null }
}
