/**
 * The request log: what clients asked lately, what they were answered, and why; with secrets masked, the events that each
 * request led to, and what it may have meant.
 */

import { maskBody, maskHeaders, maskTarget } from '../../masking/mask.ts'
import { toPage } from '../../operations/page.ts'
import {
  bodyTextOf,
  bytesOf,
  type Content,
  type Logged,
  REQUESTS_KEPT,
  type RequestLogEntry,
} from '../../sandbox/request-log.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { endpoints, reply } from '../../surface/declarations.ts'
import { type Declaration, ok, route } from '../../surface/operation.ts'
import {
  type NearestOperation,
  type RequestFilter,
  RequestQuery,
  RequestStreamQuery,
  type WireLoggedRequest,
  WireLoggedRequestList,
} from '../../wire/sandbox/request.ts'
import type { Event } from '../../world/event.ts'
import type { World } from '../../world/world.ts'
import { nearestOperation } from '../nearest-operation.ts'
import {
  answerStream,
  FOLLOWERS_MAX,
  type FrameSource,
  frameOf,
  framesOf,
  startOf,
  streams,
} from './server-sent.ts'

const { get } = endpoints('Requests')

/** Routes over the log; `operations` are all that a request may have meant. */
export function requestRoutes(operations: () => readonly Declaration[]) {
  return [
    route({
      ...get('/sandbox/requests', 'listRequests'),
      emptyQuery: 'allowed',
      summary: 'List requests',
      description: `Lists requests and their answers, by default the newest first, with secrets masked: every request on /v1, and on the control plane those that may change something or were refused. The newest ${REQUESTS_KEPT} are kept, in memory; a reset drops them.`,
      query: RequestQuery,
      replies: reply.ok('One page of requests.', WireLoggedRequestList),
      answer: async ({ query: { limit, after, order, ...filter }, c }) => {
        const sandbox = c.get('sandbox')
        const matches = requestCondition(filter)
        const page = await sandbox.read((world) => {
          const logged = sandbox.requestLog.after(0)
          const ordered = order === 'newest' ? [...logged].reverse() : logged
          const isBehind = ({ number }: Logged) =>
            after === undefined || (order === 'newest' ? number < after : number > after)
          const found = ordered.filter((each) => isBehind(each) && matches(each))
          const wanted = found.slice(0, limit + 1)
          const led = eventsOf(wanted, sandbox, world)
          return toPage(wanted, limit, {
            present: (each) => present(each, led.get(each) ?? [], operations()),
            cursorOf: ({ number }) => number,
          })
        })
        return ok(page)
      },
    }),
    route({
      ...get('/sandbox/requests/stream', 'streamRequests'),
      ...streams,
      emptyQuery: 'allowed',
      summary: 'Stream requests',
      description: `Sends the requests as server-sent events, from now on, after the number \`after\`, or after the one that the header Last-Event-ID names, which wins: \`id\` is the number, \`event\` is \`request\`, \`data\` the request as in the list. One sandbox has at most ${FOLLOWERS_MAX} streams at one time.`,
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

/** The most events of one request that are shown. */
const EVENTS_SHOWN = 100

function requestCondition(filter: RequestFilter): (logged: Logged) => boolean {
  return ({ noted }) =>
    (filter.unmatched === 'false' || noted.operationId === null) &&
    (filter.operation_id === undefined || noted.operationId === filter.operation_id) &&
    (filter.status === undefined || noted.status === filter.status) &&
    (filter.consumer === undefined ||
      maskHeaders(noted.headers)['sandbox-consumer'] === filter.consumer)
}

/** Sends the requests after a number that fit. */
function requestSource(
  sandbox: Sandbox,
  order: Pick<FrameSource, 'limit'> & {
    readonly start: number
    readonly matches: (logged: Logged) => boolean
  },
  operations: readonly Declaration[],
): FrameSource {
  let reached = order.start
  return {
    notice: 'request',
    limit: order.limit,
    next: (max) =>
      sandbox.read((world) => {
        const found = sandbox.requestLog.after(reached)
        reached = found.at(-1)?.number ?? reached
        const chosen = found.filter(order.matches).slice(0, max)
        return chosen.map((each) =>
          frameOnce(each, () => {
            const events = eventsOf([each], sandbox, world).get(each) ?? []
            return frameOf(each.number, 'request', present(each, events, operations))
          }),
        )
      }),
  }
}

const frameOnce = framesOf<Logged>()

/** The events that each request led to. Before the world was replaced, the same request ids were given to others. */
function eventsOf(
  logged: readonly Logged[],
  { replacements }: Sandbox,
  { events: log }: World,
): Map<Logged, Event[]> {
  const current = logged.filter(({ noted }) => noted.replacements === replacements)
  const led = new Map<Logged, Event[]>()
  if (current.length === 0) return led
  const byId = new Map(current.map((each) => [each.noted.requestId, each]))
  // There can be 100,000 events before all of them.
  const before = current.map(({ noted }) => noted.eventsBefore ?? log.replacedSeq - 1)
  for (const event of log.after(Math.min(...before))) {
    const cause = byId.get(event.cause.requestId ?? '')
    if (cause === undefined) continue
    const own = led.get(cause) ?? []
    if (own.length < EVENTS_SHOWN) own.push(event)
    led.set(cause, own)
  }
  return led
}

function present(
  { number, noted }: Logged,
  events: readonly Event[],
  operations: readonly Declaration[],
): WireLoggedRequest {
  const { requestId, at, operationId, method, target, sent, status, answered } = noted
  const headers = maskHeaders(noted.headers)
  return {
    number,
    request_id: requestId,
    at,
    answered_at: new Date(noted.answeredMs).toISOString(),
    by_address: noted.byAddress,
    duration_ms: Math.round(noted.durationMs * 1000) / 1000,
    consumer: headers['sandbox-consumer'] ?? null,
    operation_id: operationId,
    nearest: operationId === null ? nearestTo(noted, operations) : null,
    request: { method, path: maskTarget(target), headers, ...contentOf(sent) },
    answer: { status, content_type: answered.mediaType, ...contentOf(answered) },
    refusal: refusalOf(noted),
    assumptions: [...noted.assumptions].sort(),
    fault: noted.fault,
    events: events.map(({ seq, type }) => ({ seq, type })),
  }
}

function contentOf(content: Content) {
  const text = bodyTextOf(content)
  return {
    body: text === null ? null : maskBody(text, content.mediaType),
    bytes: bytesOf(content),
  }
}

function refusalOf({ refusal }: RequestLogEntry): WireLoggedRequest['refusal'] {
  if (refusal === null) return null
  const { code, message, fields } = refusal
  return { code, message, errors: fields.map(({ field, message }) => ({ field, message })) }
}

function nearestTo(
  { method, target }: RequestLogEntry,
  operations: readonly Declaration[],
): NearestOperation | null {
  const [path = ''] = target.split('?')
  const nearest = nearestOperation({ method, path }, operations)
  if (nearest === null) return null
  const { operation, isMethod, away } = nearest
  const differs = [...(isMethod ? [] : ['method' as const]), ...(away > 0 ? ['path' as const] : [])]
  return {
    operation_id: operation.operationId,
    method: operation.method.toUpperCase(),
    path: operation.path,
    differs,
  }
}
