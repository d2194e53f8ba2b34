/**
 * A visit: one request for a page of a sandbox. Owns how a page reaches its sandbox, which is by the calls that every
 * other client makes, and where its links lead.
 */
import type { Context, MiddlewareHandler } from 'hono'
import type { Fetch, Sandbox, Schemas } from '../library/sandbox.ts'
import { sandboxClient } from '../library/sandbox-client.ts'
import { SandboxError } from '../library/sandbox-error.ts'
import { answered, type Transport, transportTo } from '../library/transport.ts'
import { holdMeter, type OperationRun } from '../world/hold-meter.ts'
import { type Values, valuesOf } from './sent.ts'

/** Reaches the server that the pages belong to. */
export interface Reach {
  readonly answer: (request: Request) => Response | Promise<Response>
  readonly controlToken: string | null
}

/** Values of a query; absent ones are left out. */
export type Query = Readonly<Record<string, string | number | null | undefined>>

export interface Visit {
  readonly sandbox: Sandbox
  /** The control plane, for lists that are read page by page. Answers go through `answered`. */
  readonly control: Transport['control']
  /** Sends to a path of the control plane what has no JSON answer. */
  readonly send: Transport['send']
  readonly summary: Schemas['SandboxSummary']
  readonly clock: Schemas['Clock']
  /** The address of a page of this sandbox: `to('invoices', { status: 'open' })`. */
  readonly to: (path?: string, query?: Query) => string
  /** A value of the query; undefined where it is absent or empty. */
  readonly query: (name: string) => string | undefined
  /** Values of the query by their names; absent and empty ones are left out. */
  readonly given: <Name extends string>(...names: Name[]) => { readonly [Each in Name]?: string }
  /** The whole query, as a form sends it. */
  readonly asked: Values
  /** Which part of a list the query asks for: so many records, from the first or after one. */
  readonly cursor: (limit: number) => { readonly limit: number; readonly after?: string }
  /** The address of this very page, with its query. */
  readonly here: string
  /** The id or the name that the path holds; empty where it holds none. */
  readonly id: string
  readonly c: Context
}

declare module 'hono' {
  interface ContextVariableMap {
    visit: Visit
    /** The request for a page, as the meter of holds has it. */
    run: OperationRun
  }
}

/** What the calls of pages name themselves as, so that coverage keeps them apart. */
const CONSUMER = 'dashboard'

/** Opens the sandbox that the path names. Throws `SandboxError` where there is none. */
export function openVisit(reach: Reach): MiddlewareHandler {
  return async (c, next) => {
    c.set('visit', await visitOf(c, reach))
    await next()
  }
}

async function visitOf(c: Context, reach: Reach): Promise<Visit> {
  const { origin, pathname, search, searchParams } = new URL(c.req.url)
  const asked = valuesOf(searchParams)
  const given = <Name extends string>(...names: Name[]) =>
    Object.fromEntries(
      names.map((name) => [name, asked.text(name)]).filter(([, text]) => text),
    ) as {
      readonly [Each in Name]?: string
    }
  const sandboxId = c.req.param('sandbox') ?? ALWAYS_THERE
  if (!/^[\x21-\x7e]+$/.test(sandboxId)) throw unknownSandbox(sandboxId)
  const { controlToken } = reach
  const reached = { url: origin, sandboxId, controlToken, fetch: fetchOf(reach, c) }
  const { control, send } = transportTo({ ...reached, apiKey: '' })
  const [summary, clock] = await Promise.all([
    answered(control.GET('/sandbox')),
    answered(control.GET('/sandbox/clock')),
  ])
  return {
    sandbox: sandboxClient({ ...reached, apiKey: summary.api_key }, async () => undefined),
    control,
    send,
    summary,
    clock,
    to: (path = '', query = {}) => addressOf(sandboxId, path, query),
    query: asked.text,
    given,
    asked,
    cursor: (limit) => ({ limit, ...given('after') }),
    here: `${pathname}${search}`,
    // The path is matched further after this is made.
    get id() {
      return c.req.param('id') ?? c.req.param('name') ?? ''
    },
    c,
  }
}

function unknownSandbox(sandboxId: string): SandboxError {
  const message = `Sandbox ${JSON.stringify(sandboxId)} does not exist.`
  return new SandboxError(message, { status: 404, code: 'not_found', fields: [] })
}

/** The sandbox that is always there: the control plane deletes all others only. */
export const ALWAYS_THERE = 'default'

/** Its pages. */
export const HOME = addressOf(ALWAYS_THERE)

/** The address of a page of any sandbox. */
export function addressOf(sandboxId: string, path = '', query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams()
  for (const [name, value] of given) search.set(name, String(value))
  return `/dashboard/${encodeURIComponent(sandboxId)}/${path}${given.length === 0 ? '' : `?${search}`}`
}

/** Without a socket, as long as the visitor waits. */
function fetchOf({ answer }: Reach, c: Context): Fetch {
  const { signal } = c.req.raw
  return async (input, init) => {
    const request = new Request(input, { signal, ...init })
    request.headers.set('Sandbox-Consumer', CONSUMER)
    const response = await answer(request)
    holdMeter.mark(c.get('run'))
    // What a fault closes the connection with.
    if (response.type === 'error') throw connectionClosed()
    return response
  }
}

function connectionClosed(): SandboxError {
  const message = 'A fault of this sandbox closed the connection.'
  return new SandboxError(message, { status: 502, code: 'connection_closed', fields: [] })
}
