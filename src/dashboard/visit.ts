/**
 * A visit: one request for a page of a sandbox. Owns how a page reaches its sandbox, which is by the calls that every
 * other client makes, and where its links lead.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { connect } from '../library/connect.ts'
import type { Fetch, Sandbox, Schemas } from '../library/sandbox.ts'
import { type Transport, transportTo } from '../library/transport.ts'

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
  /** All sandboxes of the server that the switcher shows. */
  readonly siblings: readonly Schemas['SandboxRow'][]
  /** The address of a page of this sandbox: `to('invoices', { status: 'open' })`. */
  readonly to: (path?: string, query?: Query) => string
  /** A value of the query; undefined where it is absent or empty. */
  readonly query: (name: string) => string | undefined
  /** The address of this very page, with its query. */
  readonly here: string
  readonly c: Context
}

declare module 'hono' {
  interface ContextVariableMap {
    visit: Visit
  }
}

/** How many sandboxes the switcher shows. */
const SIBLINGS_SHOWN = 20

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
  const { origin, pathname, search } = new URL(c.req.url)
  const { controlToken } = reach
  const fetch = fetchOf(reach, c.req.raw.signal)
  const id = c.req.param('sandbox') ?? 'default'
  const token = controlToken === null ? {} : { controlToken }
  const sandbox = await connect(origin, { sandbox: id, fetch, ...token })
  const address = { url: origin, sandboxId: id, apiKey: sandbox.apiKey, controlToken, fetch }
  const { control, send } = transportTo(address)
  const [summary, clock, siblings] = await Promise.all([
    sandbox.describe(),
    sandbox.clock.get(),
    control.GET('/sandboxes', { params: { query: { limit: SIBLINGS_SHOWN } } }),
  ])
  return {
    sandbox,
    control,
    send,
    summary,
    clock,
    siblings: siblings.data?.data ?? [],
    to: (path = '', query = {}) => addressOf(id, path, query),
    query: (name) => c.req.query(name) || undefined,
    here: `${pathname}${search}`,
    c,
  }
}

/** The address of a page of any sandbox. */
export function addressOf(sandboxId: string, path = '', query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  const search = new URLSearchParams()
  for (const [name, value] of given) search.set(name, String(value))
  return `/dashboard/${sandboxId}/${path}${given.length === 0 ? '' : `?${search}`}`
}

/** Without a socket, as long as the visitor waits. */
function fetchOf({ answer }: Reach, signal: AbortSignal): Fetch {
  return async (input, init) => {
    const request = new Request(input, { signal, ...init })
    request.headers.set('Sandbox-Consumer', CONSUMER)
    const response = await answer(request)
    // What a fault closes the connection with.
    if (response.type === 'error') throw new TypeError('A fault closed the connection.')
    return response
  }
}
