/** The request log: what clients asked lately, what they were answered, and why. */
import { streamSSE } from 'hono/streaming'
import * as z from 'zod'
import { REQUESTS_KEPT, type RequestLog } from '../../sandbox/request-log.ts'
import { answers, controlPlane } from '../../surface/declarations.ts'
import { type Declaration, ok, route } from '../../surface/operation.ts'
import { RequestQuery, RequestStreamQuery, WireLoggedRequestList } from '../../wire/request.ts'
import { presented, requestCondition, streamRequests } from './logged-requests.ts'
import { FOLLOWERS_MAX, refuseFollower } from './server-sent.ts'

const shared = { ...controlPlane, tag: 'Requests', emptyQuery: 'allowed' } as const

/** Routes over the log; `operations` are all that a request may have meant. */
export function requestRoutes(operations: () => readonly Declaration[]) {
  return [
    route({
      ...shared,
      operationId: 'listRequests',
      method: 'get',
      path: '/sandbox/requests',
      summary: 'List requests',
      description: `What was asked and answered, newest first, with secrets masked: every request on /v1, and on the control plane those that may change something or were refused. The newest ${REQUESTS_KEPT} are kept, in memory; a reset drops them.`,
      query: RequestQuery,
      replies: answers('One page of them.', WireLoggedRequestList),
      answer: async ({ query: { limit, after, ...filter }, c }) => {
        const matches = requestCondition(filter)
        const before = after ?? Number.POSITIVE_INFINITY
        const choose = (log: Pick<RequestLog, 'after'>) => {
          const found = log.after(0).filter((each) => each.number < before && matches(each))
          return found.reverse().slice(0, limit + 1)
        }
        const found = await presented(c.get('sandbox'), choose, operations())
        const data = found.slice(0, limit)
        const hasMore = found.length > limit
        return ok({
          data,
          has_more: hasMore,
          next_after: hasMore ? (data.at(-1)?.number ?? null) : null,
        })
      },
    }),
    route({
      ...shared,
      operationId: 'streamRequests',
      method: 'get',
      path: '/sandbox/requests/stream',
      summary: 'Stream requests',
      description: `Server-sent events, from now on, after the number \`after\`, or after the one that the header Last-Event-ID names, which wins: \`id\` is the number, \`event\` is \`request\`, \`data\` the request as in the list. One sandbox has at most ${FOLLOWERS_MAX} streams at one time.`,
      query: RequestStreamQuery,
      refusals: ['follower_limit'],
      replies: {
        200: {
          description: 'The stream.',
          schema: z.unknown(),
          mediaType: 'text/event-stream',
          source: 'sandbox',
        },
      },
      answer: ({ query, c }) => {
        const { after, limit, ...filter } = query
        const lastEventId = c.req.header('last-event-id')
        const order = { after, lastEventId, limit, matches: requestCondition(filter) }
        const followed = streamRequests(c.get('sandbox'), order, operations())
        // A HEAD wants the headers only, and nobody would ever close a stream for it.
        if (c.req.method === 'HEAD')
          return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
        refuseFollower(c.get('sandbox'))
        return streamSSE(c, followed)
      },
    }),
  ]
}
