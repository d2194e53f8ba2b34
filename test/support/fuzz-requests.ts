/**
 * Requests for every operation of both documents, drawn by fast-check: as the document allows, with something wrong in
 * them, or hostile. What they name is filled in when they are sent, from what earlier calls were answered.
 */
import fc from 'fast-check'
import { exampleFiles } from '../../scripts/example-answers.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import type { ExampleCall } from '../../src/openapi/examples/call.ts'
import controlAnswers from '../../src/openapi/examples/control-answers.json' with { type: 'json' }
import { v1Document } from '../../src/openapi/v1.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import { type Declaration, mediaTypes } from '../../src/surface/operation.ts'
import { hostile, type Schema, Seen, seen, valuesOf } from './schema-values.ts'

/** A request with what is to be filled in. */
export interface DrawnRequest {
  readonly declared: Declaration
  readonly params: Readonly<Record<string, unknown>>
  readonly query: readonly (readonly [string, unknown])[]
  readonly headers: Readonly<Record<string, unknown>>
  /** Undefined for none; bytes as they are; anything else is written in `media`. */
  readonly body: unknown
  readonly media: string
}

/** Every operation. */
export const fuzzed: readonly Declaration[] = [...v1Operations, ...controlRoutes]

/** What the fuzz cannot wait for: a replay of a pact takes a second. */
const fixed: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
  checkContract: [['live', 'false']],
}

interface Drawn {
  readonly parameters?: readonly {
    name: string
    in: string
    schema: Schema
    required?: boolean
    explode?: boolean
  }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
}

const documents = [v1Document('1'), controlDocument(controlRoutes, '1')] as unknown as Schema[]
const examples = [exampleFiles[0].calls(), exampleFiles[1].calls(controlAnswers)]

/** A request for any operation; those that much hangs on come more often. */
export function anyRequest(): fc.Arbitrary<DrawnRequest> {
  const often = /^\/v1|clock\/advance|settings|\/sandbox\/(subscriptions|tokens|payment|charges)/
  return fc.oneof(
    ...fuzzed.map((declared) => ({
      arbitrary: requestFor(declared),
      weight: often.test(declared.path) ? 4 : 1,
    })),
  )
}

function requestFor(declared: Declaration): fc.Arbitrary<DrawnRequest> {
  const { path, method, operationId, body } = declared
  const at = path.startsWith('/v1') ? 0 : 1
  const paths = documents[at]?.['paths'] as Record<string, Record<string, Drawn>>
  const { parameters = [], requestBody }: Drawn = paths[path]?.[method] ?? {}
  const draw = valuesOf(documents[at])
  // A report says its name: printed whole, it has a megabyte.
  const constant = fc.constant({ ...declared, [fc.toStringMethod]: () => operationId })
  const named = Object.values(examples[at]?.[operationId] ?? {})
  const [own] = Object.values(requestBody?.content ?? {})
  const bodies = own === undefined ? fc.constant(undefined) : draw(own.schema)
  const shown = named.flatMap((call) => (call.body === undefined ? [] : [call.body]))
  const asShown = fc.constantFrom(...named).chain(({ params, query = {}, body: sent }) =>
    fc.record({
      declared: constant,
      params: fc.constant({ ...params }),
      query: fc.constant(pairsOf(query)),
      headers: headersFor(declared),
      body: fc.constant(sent),
      media: fc.constant(mediaTypes.json),
    }),
  )
  const drawn = fc.record({
    declared: constant,
    params: fc.record(
      Object.fromEntries(
        parameters
          .filter((each) => each.in === 'path')
          .map(({ name, schema }) => [name, mostly(draw(schema, name), hostile)]),
      ),
    ),
    query: queryFor(
      parameters.filter((each) => each.in === 'query'),
      draw,
    ).map((query) => [...query, ...(fixed[operationId] ?? [])]),
    headers: headersFor(declared),
    body: fc.oneof(
      { arbitrary: bodies, weight: 8 },
      ...(shown.length === 0 ? [] : [{ arbitrary: fc.constantFrom(...shown), weight: 3 }]),
      { arbitrary: wrongly(bodies), weight: 4 },
      { arbitrary: hostile, weight: 1 },
      { arbitrary: brokenBytes, weight: 1 },
    ),
    media: mostly(
      fc.constantFrom(...(body?.media ?? ['json'])).map((media) => mediaTypes[media]),
      fc.constantFrom('', 'text/plain', 'application/json; charset=utf-16', mediaTypes.form),
    ),
  })
  return fc.oneof({ arbitrary: drawn, weight: 3 }, { arbitrary: asShown, weight: 1 })
}

function pairsOf(query: NonNullable<ExampleCall['query']>): [string, unknown][] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each): [string, unknown] => [name, each]),
  )
}

function mostly<Usual, Seldom>(usual: fc.Arbitrary<Usual>, seldom: fc.Arbitrary<Seldom>) {
  return fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: seldom, weight: 1 })
}

const brokenBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .constantFrom('{', '{"a":1,"a":2}', '{"a":1e999}', '[', 'a=%', 'a=1&a=2', '\ufeff{}', '{}{}')
    .map((text) => Buffer.from(text)),
  fc.integer({ min: 20, max: 5000 }).map((depth) => Buffer.from('['.repeat(depth))),
)

/** A body with one thing wrong: a field left out, one too many, or one that is something else. */
function wrongly(bodies: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const fault = fc.record({
    kind: fc.constantFrom('drop', 'add', 'replace'),
    at: fc.nat(20),
    name: fc.string({ maxLength: 12 }),
    value: hostile,
  })
  return fc.tuple(bodies, fault).map(([body, { kind, at, name, value }]) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return { [name]: value }
    const entries = Object.entries(body)
    if (kind === 'add' || entries.length === 0) return { ...body, [name]: value }
    const [key = ''] = entries[at % entries.length] ?? []
    if (kind === 'replace') return { ...body, [key]: value }
    return Object.fromEntries(entries.filter(([each]) => each !== key))
  })
}

function queryFor(
  parameters: NonNullable<Drawn['parameters']>,
  draw: (schema: Schema, name: string) => fc.Arbitrary<unknown>,
): fc.Arbitrary<[string, unknown][]> {
  const each = parameters.map(({ name, schema, required, explode }) =>
    fc
      .tuple(fc.boolean(), mostly(draw(schema, name), hostile))
      .map(([isGiven, value]): [string, unknown][] =>
        isGiven || required
          ? (explode === false ? [value] : [value].flat()).map((one) => [name, one])
          : [],
      ),
  )
  const foreign = fc.tuple(fc.constantFrom('limit', 'a', '', '__proto__'), hostile)
  const more = mostly(fc.constant([]), fc.array(foreign, { minLength: 1, maxLength: 2 }))
  return fc.tuple(more, ...each).map((found) => found.flat() as [string, unknown][])
}

function headersFor({ security }: Declaration): fc.Arbitrary<Record<string, unknown>> {
  const consumer = fc.constantFrom({}, {}, { 'Sandbox-Consumer': 'web' })
  if (security === 'none') {
    const foreign = fc.constantFrom(
      { 'Sandbox-Id': 'nowhere' },
      { 'Sandbox-Id': '../x' },
      { Authorization: 'Bearer sk_sandbox_nobody' },
      { Authorization: 'Basic x' },
    )
    return mostly(fc.constant({}), foreign)
  }
  const usual: fc.Arbitrary<unknown> =
    security === 'refresh_token' ? seen('refresh_token') : fc.constant('Bearer sk_sandbox_default')
  const other = fc.oneof(
    seen('access_token'),
    seen('refresh_token'),
    fc.constantFrom('Bearer sk_live_x', 'Bearer', 'x'),
  )
  return fc
    .tuple(mostly(usual, other), consumer)
    .map(([bearer, more]) => ({ Authorization: bearer, ...more }))
}

/** What calls were answered, by the name of the field. */
export class Answers {
  readonly #byName = new Map<string, unknown[]>()

  constructor(known: Readonly<Record<string, unknown>>) {
    for (const [name, value] of Object.entries(known)) this.#add(name, value)
  }

  /** Notes every scalar of an answer. */
  note(value: unknown, name = ''): void {
    if (Array.isArray(value)) for (const each of value.slice(0, 5)) this.note(each, name)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) this.note(inner, key)
    } else if (typeof value === 'string' && value !== '') this.#add(name, value)
  }

  /** Notes where something was made. */
  noteLocation(location: string | null): void {
    const [, folder, id] = /^(.*\/)([^/]+)$/.exec(location ?? '') ?? []
    if (folder !== undefined) this.#add(folder, id)
  }

  /** The last segment of what was made below a path, as it is; names alone are those of too many things. */
  madeBelow(folder: string, back: number): string | undefined {
    const known = this.#byName.get(folder) ?? []
    return known[back % known.length] as string | undefined
  }

  /** A value with what it stands for in the place of what was seen. */
  fill(value: unknown): unknown {
    if (value instanceof Seen) {
      const known = this.#byName.get(value.name) ?? ['nothing-like-it']
      return known[value.back % known.length]
    }
    if (Array.isArray(value)) return value.map((each) => this.fill(each))
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
    return documented(
      Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.fill(inner)])),
    )
  }

  #add(name: string, value: unknown): void {
    const others = (this.#byName.get(name) ?? []).filter((each) => each !== value)
    this.#byName.set(name, [value, ...others].slice(0, 6))
  }
}

/** A request as it is sent. */
export interface FilledRequest {
  readonly method: string
  readonly path: string
  readonly init: RequestInit
}

/** Fills in what earlier calls were answered. */
export function filled(drawn: DrawnRequest, answers: Answers): FilledRequest {
  const { declared, media } = drawn
  const text = (value: unknown): string => {
    if (Array.isArray(value)) return value.map(text).join(',')
    const one = answers.fill(value)
    return String(typeof one === 'object' ? JSON.stringify(one) : one).toWellFormed()
  }
  const path = declared.path.replace(/\{(\w+)\}/g, (_, name: string, at: number) => {
    const value = drawn.params[name]
    const made = value instanceof Seen && answers.madeBelow(declared.path.slice(0, at), value.back)
    if (made) return made
    // A segment of dots is none.
    return encodeURIComponent(text(value)).replace(/^\.{0,2}$/, 'x')
  })
  const query = drawn.query.map(([name, value]): [string, string] => [name, text(value)])
  const asked = query.length === 0 ? '' : `?${new URLSearchParams(query)}`
  const headers: Record<string, string> = { 'Content-Type': media }
  for (const [name, value] of Object.entries(drawn.headers)) {
    headers[name] =
      name === 'Authorization' && value instanceof Seen ? `Bearer ${text(value)}` : text(value)
  }
  const method = declared.method.toUpperCase()
  const body = method === 'GET' ? undefined : written(answers.fill(drawn.body), media)
  if (body === undefined) delete headers['Content-Type']
  return { method, path: path + asked, init: { method, headers, ...(body && { body }) } }
}

function written(body: unknown, media: string): Uint8Array<ArrayBuffer> | string | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return new Uint8Array(body)
  const isForm = media === mediaTypes.form && typeof body === 'object' && body !== null
  if (!isForm) return JSON.stringify(body)
  const pairs = Object.entries(body).map(([name, value]): [string, string] => {
    const one = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return [name.toWellFormed(), one.toWellFormed()]
  })
  return String(new URLSearchParams(pairs))
}

/** A body after which a sandbox goes on answering as the documents say: it may vary, be strict, or have faults. */
function documented(body: Record<string, unknown>): Record<string, unknown> {
  for (const list of ['vary', 'subscription_fields', 'success_status']) {
    if (Array.isArray(body[list])) body[list] = []
  }
  if ('strict' in body) body['strict'] = false
  if (!('effect' in body)) return body
  const header = { name: 'X-Nobody-Sends', value: '1' }
  return { ...body, match: { ...(body['match'] as object | undefined), header } }
}
