/** The request log: what clients asked lately, what they were answered, and why. */
import { pageFrom } from '../../operations/page.ts'
import { REQUESTS_KEPT, type RequestLog } from '../../sandbox/request-log.ts'
import { answers, endpoints } from '../../surface/declarations.ts'
import { type Declaration, ok, route } from '../../surface/operation.ts'
import { RequestQuery, RequestStreamQuery, WireLoggedRequestList } from '../../wire/request.ts'
import { presented, requestCondition, requestSource } from './logged-requests.ts'
import { answerStream, FOLLOWERS_MAX, startOf, streams } from './server-sent.ts'

const { get } = endpoints('Requests')

/** Routes over the log; `operations` are all that a request may have meant. */
export function requestRoutes(operations: () => readonly Declaration[]) {
  return [
    route({
      ...get('/sandbox/requests', 'listRequests'),
      emptyQuery: 'allowed',
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
        const terms = { present: (each: (typeof found)[number]) => each }
        return ok(pageFrom(found, limit, { ...terms, cursorOf: ({ number }) => number }))
      },
    }),
    route({
      ...get('/sandbox/requests/stream', 'streamRequests'),
      ...streams,
      emptyQuery: 'allowed',
      summary: 'Stream requests',
      description: `Server-sent events, from now on, after the number \`after\`, or after the one that the header Last-Event-ID names, which wins: \`id\` is the number, \`event\` is \`request\`, \`data\` the request as in the list. One sandbox has at most ${FOLLOWERS_MAX} streams at one time.`,
      query: RequestStreamQuery,
      answer: ({ query: { after, limit, ...filter }, c }) => {
        const sandbox = c.get('sandbox')
        const { newest } = sandbox.requestLog
        const lastEventId = c.req.header('last-event-id')
        const start = startOf(lastEventId, { after, newest, number: 'number of a request' })
        const order = { start, limit, matches: requestCondition(filter) }
        return answerStream(c, requestSource(sandbox, order, operations()))
      },
    }),
  ]
}
