/**
 * The context of one request for a page. Owns how a page reaches its sandbox, which is by the calls that every other
 * client makes, and where its links lead.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { type Child, createContext, useContext } from 'hono/jsx'
import type { paths } from '../../generated/control.ts'
import type { Fetch, Sandbox } from '../../library/sandbox.ts'
import { sandboxClient } from '../../library/sandbox-client.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { answerData, transportTo } from '../../library/transport.ts'
import { DASHBOARD } from '../../wire/sandbox/request.ts'
import { holdMeter, type OperationRun } from '../../world/hold-meter.ts'
import { type FormState, searchOf, valuesOf } from './form-state.ts'
import type { Notice } from './notices.ts'

/** Reaches the server that the pages belong to. */
export interface Reach {
  readonly answer: (request: Request) => Response | Promise<Response>
  readonly controlToken: string | null
}

/** Values of a query; absent ones are left out. */
export type Query = Readonly<Record<string, string | number | null | undefined>>

/** The lists of the control plane, by their paths, and what each answers. */
type ListPath = {
  [Path in keyof paths]: paths[Path]['get'] extends { parameters: { query?: { limit?: number } } }
    ? Path
    : never
}[keyof paths]
type ListOf<Path extends ListPath> = paths[Path]['get'] extends {
  responses: { 200: { content: { 'application/json': infer List } } }
}
  ? List
  : never

export type PageContext = Awaited<ReturnType<typeof pageIn>>

export interface View {
  readonly title: string
  /** What is above the page, if it is not its title, and what is beside it. */
  readonly heading?: string
  readonly note?: Child
  /** Buttons and links; a text can have links. */
  readonly actions?: Child
  /** A sentence about the page, which can have links. */
  readonly text?: string
  readonly body?: Child
  /** What follows, and may take long: then the page says first what it works on. */
  readonly later?: { readonly says: string; readonly body: Promise<Child> }
  /** What makes a browser with scripts load the page again: by default changes, which are accepted requests. */
  readonly live?: 'changes' | 'requests' | 'nothing'
}

declare module 'hono' {
  interface ContextVariableMap {
    page: PageContext
    /** The request for a page, as the hold meter has it. */
    run: OperationRun
  }
}

/** The page that is rendered, for the components in it. */
export const CurrentPage = createContext<PageContext | null>(null)

export function usePage(): PageContext {
  const page = useContext(CurrentPage)
  if (page === null) throw new Error('This component is used outside of a page')
  return page
}

/** The page as it is after a form was sent from it, for whatever is shown now. */
export function withForm(page: PageContext, form: FormState, path = page.path): PageContext {
  const sent = { ...page, path, form }
  page.c.set('page', sent)
  return sent
}

/** Opens the sandbox that the path names. */
export function openPage(reach: Reach): MiddlewareHandler {
  return async (c, next) => {
    c.set('page', await pageIn({ c, reach }, c.req.param('sandbox') ?? ALWAYS_THERE))
    await next()
  }
}

/** The page that is asked for, in a sandbox of this server. Throws `SandboxError` if that does not exist. */
export async function pageIn({ c, reach }: { c: Context; reach: Reach }, sandboxId: string) {
  const { origin, pathname, search, searchParams } = new URL(c.req.url)
  const values = valuesOf(searchParams)
  const form: FormState = { values, refusal: null }
  const queryOf = <Name extends string>(...names: Name[]) => values.filled(names)
  if (!/^[\x21-\x7e]+$/.test(sandboxId)) {
    const message = `Sandbox ${JSON.stringify(sandboxId)} does not exist.`
    throw new SandboxError(message, { status: 404, code: 'not_found', fields: [] })
  }
  const reached = { ...reach, url: origin, sandboxId, fetch: fetchOf(reach, c) }
  const { control, send } = transportTo({ ...reached, apiKey: '' })
  const list = <Path extends ListPath>(path: Path, query: object): Promise<ListOf<Path>> =>
    answerData(control.GET(path as never, { params: { query } } as never))
  // Before all that the page reads, so that its stream misses nothing that it does not show.
  const { data: newest } = await list('/sandbox/requests', { limit: 1 })
  const [summary, clock] = await Promise.all([
    answerData(control.GET('/sandbox')),
    answerData(control.GET('/sandbox/clock')),
  ])
  return {
    sandbox: sandboxClient({ ...reached, apiKey: summary.api_key }, null),
    /** One part of a list. The sandbox refuses a query that it does not take. */
    list,
    /** The number of the newest request that the page shows. */
    newestRequest: newest[0]?.number ?? 0,
    /** The control plane, for what the library has no call for. Answers go through `answerData`. */
    control,
    /** Calls operations by their declarations, in any sandbox of this server. */
    callsIn: ({ id, apiKey }: Pick<Sandbox, 'id' | 'apiKey'>) =>
      transportTo({ ...reached, sandboxId: id, apiKey }).call,
    /** Requests a path of the control plane whose answer is not JSON. */
    send,
    summary,
    clock,
    /** The address of a page of this sandbox: `to('invoices', { status: 'open' })`. */
    to: (path?: string, query?: Query) => addressOf(sandboxId, path, query),
    /** A value of the query; undefined if it is absent or empty. */
    query: values.text,
    /** Values of the query by their names; absent and empty ones are left out. */
    queryOf,
    /** The form that was sent here and refused; the query of the address if none was. */
    form,
    /** Which part of a list the query asks for: so many records, the newest first by default, after one or from the first. */
    cursor: (limit = PAGE_LENGTH) => ({ limit, order: NEWEST, ...queryOf('order', 'after') }),
    /** The address of this very page, with its query. */
    here: `${pathname}${search}`,
    /** The same without its query. */
    path: pathname,
    /** The address of the page above this one, from which forms are sent here. */
    above: pathname,
    /** The address of this page with other values in its query; null leaves one out. */
    hereWith: (query: Query) => withQuery(pathname, { ...presentIn(searchParams), ...query }),
    /** The id or the name in the path, which is matched further after this is made; empty if it has none. */
    get id() {
      return c.req.param('id') ?? c.req.param('name') ?? ''
    },
    reach,
    c,
  } as const
}

/** The order of lists, unless the query has another one. */
export const NEWEST = 'newest'

/** How many records are on one page, unless a list says otherwise. */
export const PAGE_LENGTH = 50

/** How many of the newest are shown beside other things, where a list has them all. */
export const SHOWN_BESIDE = 12

/** The most records that one call answers. */
export const CALL_MAX = 1000

/** The sandbox that always exists: the control plane deletes all others only. */
export const ALWAYS_THERE = 'default'

export const HOME = addressOf(ALWAYS_THERE)

export function addressOf(sandboxId: string, path = '', query: Query = {}): string {
  return withQuery(`/dashboard/${encodeURIComponent(sandboxId)}/${path}`, query)
}

/** An address that a form carries, without its notice; null for none, and for one outside of the sandbox. */
export function addressWithin({ to }: Pick<PageContext, 'to'>, typed: string): string | null {
  if (typed === '') return null
  const start = `http://localhost${to()}`
  const url = URL.canParse(typed, start) ? new URL(typed, start) : new URL(start)
  return url.href.startsWith(start) ? withQuery(url.pathname, presentIn(url.searchParams)) : null
}

function withQuery(address: string, query: Query): string {
  const search = searchOf(query)
  return `${address}${search.size === 0 ? '' : `?${search}`}`
}

/** The query of a page without its empty fields and its notice. */
function presentIn(query: URLSearchParams): Query {
  const isNotice = (name: string) => /^(?:did|seq|undo)$/.test(name)
  return Object.fromEntries([...query].filter(([name, value]) => value !== '' && !isNotice(name)))
}

/** The address of a page with a notice that says what was done. */
export function withNotice(address: string, did: Notice): string {
  return `${address}${address.includes('?') ? '&' : '?'}did=${did}`
}

/** Without a socket, as long as the visitor waits. */
function fetchOf({ answer }: Reach, c: Context): Fetch {
  const { signal } = c.req.raw
  return async (input, init) => {
    const request = new Request(input, { signal, ...init })
    request.headers.set('Sandbox-Consumer', DASHBOARD)
    const response = await answer(request)
    holdMeter.mark(c.get('run'))
    // A fault on /v1 closed the connection, at once or within the body.
    const isDocumented = new URL(request.url).pathname.startsWith('/v1/')
    const copy = isDocumented ? response.clone() : new Response()
    const body = await copy.text().catch(() => null)
    if (response.type === 'error' || body === null) {
      const message = 'A fault of this sandbox closed the connection.'
      throw new SandboxError(message, { status: 502, code: 'connection_closed', fields: [] })
    }
    return response
  }
}
