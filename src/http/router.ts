/**
 * Routing: serves declared operations. Owns the order of the checks that every request passes before the code that
 * answers it is asked: path, method, authentication, size, media type, parsing, fields.
 */
import { type Context, type Handler, Hono } from 'hono'
import type * as z from 'zod'
import { initialSettings, type Settings } from '../assumptions/register.ts'
import { refuseStoreFailure } from '../sandbox/store-failure.ts'
import { NoFields } from '../wire/fields.ts'
import { leanOn } from './assumptions.ts'
import { type ReceivedBody, readScalars, receiveBody } from './body.ts'
import { RefusalError, type RefusalStatus, refusalFor, statusOf } from './errors.ts'
import { checked, printValue } from './field-errors.ts'
import { parseForm } from './form.ts'
import type { BodyDeclaration, Declaration, Reply, Route, SuccessStatus } from './operation.ts'
import type { Envelope } from './problem.ts'
import { fieldsOf, scalarKindsOf } from './schema-walk.ts'
import { requestIdOf, stamped, withStamp } from './stamp.ts'

/** What the requests of one surface have in common. */
export interface Surface {
  /** The paths it owns: what is refused at or below them, it refuses. */
  readonly prefixes: readonly `/${string}`[]
  /** Readies a request before its first check, which it may be refused by. */
  readonly prepare: (c: Context) => void
  /** Finds out who asks, and throws `unauthorized` where nobody may; runs before the body is read. */
  readonly authenticate: (c: Context, operation: Declaration) => void | Promise<void>
  /** The settings that this request goes by; the initial ones while nobody knows whose it is. */
  readonly settings: (c: Context) => Pick<Settings, 'unknownFields' | 'invalidGrantStatus'>
  readonly envelope: (refusal: RefusalError, status: RefusalStatus) => Envelope
  /** Logs a defect. The answer says only that there was one. */
  readonly report: (defect: unknown, c: Context) => void
}

/** A surface without authentication or settings of its own, for `overrides` to fill. */
export function openSurface(
  overrides: Pick<Surface, 'prefixes' | 'envelope' | 'report'> & Partial<Surface>,
): Surface {
  const open = { prepare: () => undefined, authenticate: () => undefined }
  return { ...open, settings: () => initialSettings, ...overrides }
}

/**
 * An app that serves these operations, and refuses other methods at their paths. Each path has one handler: a chain of
 * several costs every request promises of its own.
 */
export function router(surface: Surface, routes: readonly Route[]): Hono {
  const app = new Hono()
  const groups = byPath(routes)
  for (const [path, served] of groups) {
    const pattern = patternOf(path, groups)
    const byMethod = new Map(served.map((each) => [each.operation.method.toUpperCase(), each]))
    app.all(
      pattern,
      onlyAt(path, pattern, (c) => {
        const { method } = c.req
        // Whoever asks for HEAD is answered as to GET; Hono leaves the body out.
        const asked = byMethod.get(method === 'HEAD' ? 'GET' : method)
        return asked === undefined
          ? refuse(c, surface, (c) => methodNotAllowed(c, served))
          : serve(c, asked, surface)
      }),
    )
  }
  return app
}

/** Refuses itself what is thrown: for an `onError` of the router's own, Hono would put a chain around every call. */
async function serve(
  c: Context,
  { operation, answer }: Route,
  surface: Surface,
): Promise<Response> {
  try {
    surface.prepare(c)
    c.set('operation', operation)
    const entering = surface.authenticate(c, operation)
    // Each wait costs, also one for what is there already.
    if (entering instanceof Promise) await entering
    const received = await receive(c, operation)
    noteMedia(c, operation, received)
    const take = fieldChecker(c, surface)
    // A path without parameters has none to check.
    const params = operation.params === undefined ? {} : checked(operation.params, c.req.param())
    const query = take(operation.query ?? NoFields, queryOf(c, operation))
    const body = take(operation.body?.schema ?? NoFields, received.fields)
    const reply = await answer({ params, query, body, c })
    return reply instanceof Response ? withStamp(c, reply) : respond(c, reply, operation)
  } catch (error) {
    return refuseWith(c, error, surface)
  }
}

/** Has an app refuse, as the surface that owns the path does, what none of its handlers takes, and what one throws. */
export function refuseRest(app: Hono, surfaces: readonly Surface[], elsewhere: Surface): void {
  const at = (path: string) => surfaces.find((each) => owns(each, path)) ?? elsewhere
  app.notFound((c) => refuse(c, at(c.req.path), notFound))
  app.onError((error, c) => refuseWith(c, error, at(c.req.path)))
}

function owns({ prefixes }: Surface, path: string): boolean {
  return prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

function refuse(c: Context, surface: Surface, why: (c: Context) => RefusalError): Response {
  try {
    surface.prepare(c)
    throw why(c)
  } catch (error) {
    return refuseWith(c, error, surface)
  }
}

const noBody: BodyDeclaration = {
  schema: NoFields,
  media: ['form', 'json'],
  required: false,
  jsonSource: 'json-bodies',
}

function receive(c: Context, { method, body }: Declaration): ReceivedBody | Promise<ReceivedBody> {
  if (body === undefined && (method === 'get' || method === 'delete')) {
    return { media: 'none', fields: {} }
  }
  return receiveBody(c, body ?? noBody)
}

function queryOf(c: Context, { query, emptyQuery }: Declaration): Record<string, unknown> {
  const { url } = c.req
  const from = url.indexOf('?')
  if (from === -1) return {}
  const text = url.slice(from + 1).split('#', 1)[0] ?? ''
  return readScalars(parseForm(text, 'query', emptyQuery), query ?? NoFields)
}

type FieldChecker = (schema: z.ZodType, fields: Record<string, unknown>) => unknown

/** Checks fields by a schema, once those that nobody documents are dropped where the setting says so. */
function fieldChecker(c: Context, surface: Surface): FieldChecker {
  return (schema, fields) => {
    const known = fieldsOf(schema)
    const names = Object.keys(fields)
    if (names.length + known.size === 0) return fields
    if (names.every((name) => known.has(name))) return checked(schema, fields)
    leanOn(c, ['unknown-fields'])
    if (surface.settings(c).unknownFields !== 'ignore') return checked(schema, fields)
    const kept = names.filter((name) => known.has(name)).map((name) => [name, fields[name]])
    return checked(schema, Object.fromEntries(kept))
  }
}

function noteMedia(c: Context, { body = noBody }: Declaration, received: ReceivedBody): void {
  const { media, fields } = received
  if (media === 'json' && body.jsonSource !== undefined) leanOn(c, [body.jsonSource])
  if (media !== 'form') return
  const kinds = scalarKindsOf(body.schema)
  const isTyped = Object.keys(fields).some((name) => (kinds.get(name) ?? 'text') !== 'text')
  if (isTyped) leanOn(c, ['form-scalars'])
}

function respond(c: Context, reply: Reply<number, unknown>, operation: Declaration): Response {
  const status = reply.status as SuccessStatus
  const declared = operation.replies[status]
  leanOn(c, declared?.assumptions ?? [])
  if (reply.body === null) return stamped(c, null, { status, headers: { ...reply.headers } })
  const headers: Record<string, string> = { ...reply.headers }
  headers['Content-Type'] = declared?.mediaType ?? 'application/json'
  return stamped(c, JSON.stringify(reply.body), { status, headers })
}

/** Answers a refusal in the envelope of the surface; anything else thrown is a defect. */
function refuseWith(c: Context, error: unknown, surface: Surface): Response {
  const refusal = refusalOf(c, error, surface)
  const status = statusOf(refusal.code, surface.settings(c))
  const { mediaType, body } = surface.envelope(refusal, status)
  const asked = c.get('operation') as Declaration | undefined
  leanOn(c, asked?.refusalAssumptions?.[refusal.code] ?? refusal.assumptions)
  const headers = {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="subscription-sandbox"' } : {}),
    ...refusal.headers,
    'Content-Type': mediaType,
  }
  return stamped(c, JSON.stringify(body), { status, headers })
}

function refusalOf(c: Context, error: unknown, surface: Surface): RefusalError {
  try {
    if (error instanceof RefusalError) return error
    // A question may meet a store that fails, too.
    return refusalFor(refuseStoreFailure(error))
  } catch (defect) {
    return noteDefect(c, defect, surface)
  }
}

function noteDefect(c: Context, error: unknown, surface: Surface): RefusalError {
  surface.report(error, c)
  return new RefusalError(
    'internal',
    `The sandbox has a defect. Its log says more under request id ${requestIdOf(c)}.`,
  )
}

/** The refusal of a path that nothing is served at. */
function notFound(c: Context): RefusalError {
  return new RefusalError(
    'not_found',
    `path ${printValue(c.req.path)} does not exist; the paths that /openapi.yaml and /sandbox/openapi.json list would be accepted.`,
  )
}

function methodNotAllowed(c: Context, served: readonly Route[]): RefusalError {
  const methods = served.map(({ operation }) => operation.method.toUpperCase())
  // Hono answers HEAD wherever it answers GET.
  const allowed = (methods.includes('GET') ? [...methods, 'HEAD'] : methods).sort().join(', ')
  return new RefusalError(
    'method_not_allowed',
    `method ${printValue(c.req.method)} is not taken by ${printValue(c.req.path)}; ${allowed} would be accepted.`,
    { headers: { Allow: allowed } },
  )
}

/**
 * What Hono is told of a path. A fixed path that also fits one with a parameter is told as that one, because Hono's
 * fast router takes no two segments of which one is fixed and one is not, and would give way to a slow one for all.
 */
function patternOf(path: string, groups: readonly [string, Route[]][]): string {
  const isFixed = !path.includes('{')
  const fitting = groups.find(([each]) => isFixed && each.includes('{') && fits(path, each))
  const [pattern] = fitting ?? [path]
  return pattern.replace(/\{(\w+)\}/g, ':$1')
}

function fits(path: string, pattern: string): boolean {
  const segments = path.split('/')
  const wanted = pattern.split('/')
  const fit = wanted.every((each, index) => each.startsWith('{') || each === segments[index])
  return fit && wanted.length === segments.length
}

/** Has a handler pass on what is not at its path, where it was told to Hono as another one. */
function onlyAt(path: string, pattern: string, handler: Handler): Handler {
  if (path.includes('{') || path === pattern) return handler
  return (c, next) => (c.req.path === path ? handler(c, next) : next())
}

/** Routes by path, fixed segments before parameters, so that `/tokens/revoke` is never taken for a token. */
function byPath(routes: readonly Route[]): [string, Route[]][] {
  const paths = new Map<string, Route[]>()
  for (const each of routes) {
    const { path } = each.operation
    paths.set(path, [...(paths.get(path) ?? []), each])
  }
  const rank = (path: string) => path.replaceAll('{', '\uffff')
  return [...paths].sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1))
}
