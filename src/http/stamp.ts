/**
 * The stamp on every answer: which sandbox gave it, at what virtual time, in answer to which request, and what it
 * rests on. Owns which sandbox a request belongs to before anybody has proved who they are.
 */

import type { Context, MiddlewareHandler } from 'hono'
import { numberedId } from '../billing/id.ts'
import type { Registry } from '../sandbox/registry.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { fieldsRefused, printValue } from '../surface/field-problems.ts'
import { VERSION } from '../version.ts'
import { assumptionsOf, warningsOf } from './assumptions.ts'
import { type Answered, noteRequest, type Observer } from './noted-request.ts'
import { isSafeMethod } from './safe-method.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The sandbox that the request belongs to; the default one until authentication says otherwise. */
    sandbox: Sandbox
    server: Server
    /** The number that the request asks for, so that a story gives the same ids as when it happened. */
    requestNumber?: number
    /** Its id, once it is asked for, and when that was counted. */
    counted?: CountedRequest
  }
}

/** What all requests to one server share. */
export interface Server {
  readonly registry: Registry
  readonly observer: Observer | undefined
}

/** The id of a request, and the state of its sandbox when it was counted. */
interface CountedRequest {
  /** Where it was counted; null for a request that is the server's own. */
  readonly sandbox: Sandbox | null
  /** Identifies the request in logs and events. */
  readonly requestId: string
  /** How often the world of its sandbox had been replaced; null for a request that is the server's own. */
  readonly replacements: number | null
  /** The number of the newest event; null for a request that replaces the world. */
  readonly eventsBefore: number | null
}

/** What every request passes first: it belongs to a sandbox, and a guard, which may throw, has looked at it. */
export type Prepare = (c: Context) => void

export function prepareRequest(server: Server, guard: (c: Context) => void): Prepare {
  return (c) => {
    c.set('startedAt', performance.now())
    c.set('server', server)
    c.set('sandbox', server.registry.default)
    guard(c)
    const asked = c.req.header('sandbox-request-id')
    if (asked !== undefined) c.set('requestNumber', requestNumber(asked))
  }
}

/**
 * Lets requests in and stamps their answers, for what is no declared operation. The router does both itself: each step
 * of Hono's chain costs every request a promise or three.
 */
export function stamp(prepare: Prepare): MiddlewareHandler {
  return async (c, next) => {
    prepare(c)
    await next()
    // A refusal has it, and so has what came through two patterns that fit one path.
    if (!c.res.headers.has('Request-Id')) withStamp(c, c.res)
  }
}

/** Puts the stamp on an answer that was made without it. */
export function withStamp(c: Context, answer: Response): Response {
  const { status, headers } = answer
  const mediaType = headers.get('Content-Type')
  putStamp(c, (name, value) => headers.set(name, value), { status, mediaType, text: null })
  return answer
}

/** Makes an answer with the stamp among its headers: one plain object, which the server writes as it is. */
export function stamped(
  c: Context,
  text: string | null,
  { status, headers }: { readonly status: number; readonly headers: Record<string, string> },
): Response {
  const put = (name: string, value: string) => {
    headers[name] = value
  }
  putStamp(c, put, { status, text, mediaType: headers['Content-Type'] ?? null })
  return new Response(text, { status, headers })
}

function putStamp(
  c: Context,
  put: (name: string, value: string) => void,
  answered: Answered,
): void {
  const slugs = assumptionsOf(c)
  if (slugs !== null) put('Sandbox-Assumptions', slugs)
  // A question did not do what it warns of.
  const warned = c.get('operation')?.isQuestion === true ? null : warningsOf(c)
  if (warned !== null) put('Sandbox-Warnings', warned)
  // Operations can be served without any sandbox.
  const sandbox = c.get('sandbox') as Sandbox | undefined
  if (sandbox === undefined) return
  put('Request-Id', requestIdOf(c))
  put('Sandbox-Id', sandbox.id)
  const at = sandbox.now()
  put('Sandbox-Time', at)
  put('Sandbox-Version', VERSION)
  const isMisled = answered.status === 404 || answered.status === 405
  if (!isOfServer(c) || isMisled) noteRequest(c, answered, at)
}

/** The id of the request, counted when it is first asked for. */
export function requestIdOf(c: Context): string {
  const known = c.get('counted')
  if (known !== undefined) return known.requestId
  const counted = countRequest(c)
  c.set('counted', counted)
  return counted.requestId
}

function requestNumber(asked: string): number {
  const [, digits] = /^req_(\d{6,9})$/.exec(asked) ?? []
  if (digits !== undefined) return Number(digits)
  const message = `Sandbox-Request-Id must be req_ and 6 to 9 digits; got ${printValue(asked)}.`
  throw fieldsRefused([{ field: 'Sandbox-Request-Id', message }])
}

/** The id of a request that replaces the world, which is asked for just before: it belongs to the new one, as its event does. */
export function requestIdInNewWorld(c: Context): string {
  const requestId = requestIdOf(c)
  const replacements = c.get('sandbox').replacements + 1
  c.set('counted', { sandbox: c.get('sandbox'), requestId, replacements, eventsBefore: null })
  return requestId
}

/** The id of a request whose turn in its sandbox it is: counted anew after a reset, so that it belongs to the world that it changes. */
export function requestIdInTurn(c: Context): string {
  const { sandbox, replacements } = c.get('counted') ?? {}
  // A question is counted where it is asked, while its changes are made in sandboxes aside.
  const isReplaced = sandbox === c.get('sandbox') && replacements !== sandbox.replacements
  if (isReplaced) c.set('counted', countRequest(c))
  return requestIdOf(c)
}

/** Counted by the sandbox, for a request that is the sandbox's own. */
function countRequest(c: Context): CountedRequest {
  if (isOfServer(c)) {
    const requestId = nextServerRequestId()
    return { sandbox: null, requestId, replacements: null, eventsBefore: null }
  }
  const sandbox = c.get('sandbox')
  const { replacements, newestEvent: eventsBefore } = sandbox
  const requestId = sandbox.nextRequestId(isRead(c) ? 'read' : 'write', c.get('requestNumber'))
  return { sandbox, requestId, replacements, eventsBefore }
}

/**
 * Requests to the server and not to a sandbox: health, documents, pages. Each sandbox counts on without them, since
 * events name their request, and how often somebody asks for the health is the same in no two runs of a script.
 */
let requestsOfServer = 0

/** The id of the next request that is the server's own. */
export function nextServerRequestId(): string {
  requestsOfServer += 1
  return numberedId('server_', requestsOfServer)
}

function isOfServer({ req }: Context): boolean {
  const { path } = req
  return path === '/sandbox/openapi.json' || !/^\/(?:v1|sandbox|sandboxes)(?:\/|$)/.test(path)
}

/** Beside /v1, where nothing is only looked at, reading is no more than that. */
function isRead({ req }: Context): boolean {
  return isSafeMethod(req.method) && !/^\/v1(\/|$)/.test(req.path)
}
