/**
 * Routing: serves declared operations. Owns the order of the checks that every request passes before the code that
 * answers it runs: path, method, authentication, size, media type, parsing, fields.
 */
import { type Context, Hono } from 'hono'
import { initialSettings, type Settings } from '../assumptions/register.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { refuseStoreFailure } from '../sandbox/store-failure.ts'
import { printValue } from '../surface/field-problems.ts'
import type { Declaration, RawCall, Reply, Route, SuccessStatus } from '../surface/operation.ts'
import { RefusalError, refusalFor, statusOf } from '../surface/refusals.ts'
import type { RefusalStatus } from '../wire/errors.ts'
import { holdMeter, type OperationRun } from '../world/hold-meter.ts'
import { noteAssumptions } from './assumptions.ts'
import type { Envelope } from './envelopes.ts'
import { readCall } from './request/call.ts'
import { requestIdOf, stamped, withStamp } from './stamp.ts'

/** An answer before it is written. */
export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A call whose body was read, as far as that could be. */
export interface PendingCall {
  readonly operation: Declaration
  /** The checked body; null where the request is refused for what it sends. */
  readonly body: unknown
  /** Carries the call out, or refuses it. */
  readonly answer: () => Promise<Response>
}

/** Stands between a call and its answer. */
export type Interference = (c: Context, pending: PendingCall) => Promise<Response>

/** What the requests of one surface have in common. */
export interface Surface {
  /** The paths it owns: what is refused at or below them, it refuses. */
  readonly prefixes: readonly `/${string}`[]
  /** Runs before the first check, and may refuse the request. */
  readonly prepare: (c: Context) => void
  /** Finds out who asks, and throws `unauthorized` where nobody may; runs before the body is read. */
  readonly authenticate: (c: Context, operation: Declaration) => void | Promise<void>
  /** Finds the sandbox that answers a request to a path or method that does not exist; the default one without it. */
  readonly locate?: (c: Context) => Promise<void>
  /** The settings that this request goes by; the initial ones before its sandbox is known. */
  readonly settings: (
    c: Context,
  ) => Pick<Settings, 'unknownFields' | 'invalidGrantStatus' | 'vary' | 'strict'>
  readonly envelope: (refusal: RefusalError, status: RefusalStatus) => Envelope
  /** Decides an answer otherwise where its sandbox varies what the answer rests on. */
  readonly vary?: (c: Context, answer: Answer) => Answer
  /** What is to go wrong on purpose with this call; nothing for most. */
  readonly faults?: (c: Context) => Interference | null
  /** Logs a defect. The answer says only that there was one. */
  readonly report: (defect: unknown, c: Context) => void
}

/** A surface without authentication or settings of its own, for `overrides` to fill. */
export function openSurface(
  overrides: Pick<Surface, 'prefixes' | 'envelope' | 'report'> & Partial<Surface>,
): Surface {
  const nothing = () => undefined
  const open = { prepare: nothing, authenticate: nothing, settings: () => initialSettings }
  return { ...open, ...overrides }
}

/** An app that serves these operations, and refuses other methods at their paths. */
export function router(surface: Surface, routes: readonly Route[]): Hono {
  const app = new Hono()
  for (const [path, served] of byPath(routes)) {
    const own = path.replace(/\{(\w+)\}/g, ':$1')
    const paths = served.some(({ trailingSlash }) => trailingSlash) ? [own, `${own}/`] : [own]
    app.on('ALL', paths, (c) => {
      // HEAD is answered as GET; Hono leaves the body out.
      const method = c.req.method === 'HEAD' ? 'GET' : c.req.method
      const route = served.find((each) => each.method.toUpperCase() === method)
      return route === undefined
        ? refuse(c, surface, methodNotAllowed(c, served))
        : serve(c, route, surface)
    })
  }
  return app
}

/** Has an app refuse what none of its handlers serves, as the surface that owns the path does. */
export function refuseRest(app: Hono, surfaces: readonly Surface[], elsewhere: Surface): void {
  const at = (path: string) => surfaces.find((each) => owns(each, path)) ?? elsewhere
  app.notFound((c) => refuse(c, at(c.req.path), notFound(c)))
  app.onError((error, c) => {
    const surface = at(c.req.path)
    // What fails before a surface has seen the request, such as loading it.
    const isPrepared = (c.get('sandbox') as Sandbox | undefined) !== undefined
    return isPrepared ? refuseWith(c, error, surface) : refuse(c, surface, error)
  })
}

function owns({ prefixes }: Surface, path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** One request from its first check to its answer. */
async function serve(c: Context, route: Route, surface: Surface): Promise<Response> {
  const run = holdMeter.begin(route.operationId)
  try {
    c.set('operation', route)
    surface.prepare(c)
    await surface.authenticate(c, route)
    const interfere = surface.faults?.(c)
    const served = { route, surface, run }
    if (interfere) return await interfere(c, await pendingCall(c, served))
    return await carryOut(c, await readCall(c, route, surface.settings(c)), served)
  } catch (error) {
    return refuseWith(c, error, surface)
  } finally {
    holdMeter.end(run)
  }
}

/** A request that is served. */
interface Served {
  readonly route: Route
  readonly surface: Surface
  readonly run: OperationRun
}

/** Has a call answered that was read. */
async function carryOut(c: Context, call: RawCall, served: Served): Promise<Response> {
  holdMeter.mark(served.run)
  const reply = await served.route.answer(call)
  holdMeter.mark(served.run)
  return reply instanceof Response ? withStamp(c, reply) : respond(c, reply, served)
}

/** Reads a call, and leaves it to another to have it answered. */
async function pendingCall(c: Context, served: Served): Promise<PendingCall> {
  const { route, surface } = served
  const read = await readCall(c, route, surface.settings(c)).then(
    (call) => ({ call }),
    (refused: unknown) => ({ refused, call: null }),
  )
  const answer = async () => {
    try {
      if (read.call === null) throw read.refused
      return await carryOut(c, read.call, served)
    } catch (error) {
      return refuseWith(c, error, surface)
    }
  }
  return { operation: route, body: read.call?.body ?? null, answer }
}

async function refuse(c: Context, surface: Surface, refusal: unknown): Promise<Response> {
  try {
    surface.prepare(c)
    await surface.locate?.(c)
    return refuseWith(c, refusal, surface)
  } catch (error) {
    return refuseWith(c, error, surface)
  }
}

function respond(
  c: Context,
  reply: Reply<number, unknown>,
  { route, surface }: Pick<Served, 'route' | 'surface'>,
): Response {
  const status = reply.status as SuccessStatus
  const declared = route.replies[status]
  noteAssumptions(c, declared?.assumptions ?? [])
  const headers: Record<string, string> = { ...reply.headers }
  if (reply.body === null) return stamped(c, null, { status, headers })
  headers['Content-Type'] = declared?.mediaType ?? 'application/json'
  const answer = surface.vary?.(c, reply) ?? reply
  return stamped(c, JSON.stringify(answer.body), { status: answer.status, headers })
}

/** Answers a refusal in the envelope of the surface; anything else thrown is a defect. */
function refuseWith(c: Context, error: unknown, surface: Surface): Response {
  const refusal = refusalOf(c, error, surface)
  c.set('refusal', refusal)
  const due = statusOf(refusal.code, surface.settings(c))
  const envelope = surface.envelope(refusal, due)
  const own = c.get('operation')?.refusalAssumptions?.[refusal.code]
  noteAssumptions(c, own ?? refusal.assumptions)
  const refused = { status: due, body: envelope.body }
  const { status, body } = surface.vary?.(c, refused) ?? refused
  const headers = {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="subscription-sandbox"' } : {}),
    ...refusal.headers,
    'Content-Type': envelope.mediaType,
  }
  return stamped(c, JSON.stringify(body), { status, headers })
}

function refusalOf(c: Context, error: unknown, surface: Surface): RefusalError {
  if (error instanceof RefusalError) return error
  try {
    // A read may meet a store that fails, too.
    return refusalFor(refuseStoreFailure(error))
  } catch (defect) {
    surface.report(defect, c)
    const message = `The sandbox has a defect. Its log says more under request id ${requestIdOf(c)}.`
    return new RefusalError('internal', message)
  }
}

function notFound(c: Context): RefusalError {
  return new RefusalError(
    'not_found',
    `path ${printValue(c.req.path)} does not exist; /openapi.yaml and /sandbox/openapi.json list the paths.`,
  )
}

function methodNotAllowed(c: Context, served: readonly Route[]): RefusalError {
  const methods = served.map(({ method }) => method.toUpperCase())
  const names = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  const allowed = names.sort().join(', ')
  const rule = names.length === 1 ? allowed : `one of ${allowed}`
  return new RefusalError(
    'method_not_allowed',
    `method of ${printValue(c.req.path)} must be ${rule}; got ${printValue(c.req.method)}.`,
    { headers: { Allow: allowed } },
  )
}

/** Routes by path, fixed segments before parameters, so that `/contracts/check` is never read as a file. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const paths = new Map<string, Route[]>()
  for (const each of routes) {
    paths.set(each.path, [...(paths.get(each.path) ?? []), each])
  }
  const rank = (path: string) => path.replaceAll('{', '\uffff')
  return [...paths].sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
}
