/** The request of a pact: what the versions of the specification write differently, as one shape, and as curl. */
import * as z from 'zod'

const Values = z.union([z.string(), z.array(z.string())])

/** Headers as a file holds them. */
export const WireHeaders = z.record(z.string(), Values).nullish()

/** A request as a file holds it. What is compared loosely (matching rules, generators) is the verifier's business. */
export const WireRequest = z.object({
  method: z.string().min(1),
  path: z.string().min(1),
  query: z.union([z.string(), z.record(z.string(), Values)]).nullish(),
  headers: WireHeaders,
  body: z.unknown().optional(),
})
type WireRequest = z.output<typeof WireRequest>

export interface PactRequest {
  readonly method: string
  readonly path: string
  /** What follows the question mark, encoded; empty where nothing does. */
  readonly query: string
  /** In the order of the file; several values of one name are one each. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The text of the body; null where there is none. */
  readonly body: string | null
}

/** A request as every version has it. */
export function requestOf(request: WireRequest): PactRequest {
  const { method, path, query, headers, body } = request
  return {
    method: method.toUpperCase(),
    path,
    query: queryOf(query ?? ''),
    headers: pairsOf(headers ?? {}),
    body: bodyOf(body),
  }
}

/** The request as a command to paste: `base` is where the provider is. */
export function curlOf({ method, path, query, headers, body }: PactRequest, base: string): string {
  const url = `${base}${path.startsWith('/') ? '' : '/'}${path}${query === '' ? '' : `?${query}`}`
  const sent = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const data = body === null ? [] : [`--data-raw ${quoted(body)}`]
  return [
    'curl',
    '-i',
    '-X',
    isPlain(method) ? method : quoted(method),
    quoted(url),
    ...sent,
    ...data,
  ].join(' ')
}

function isPlain(word: string): boolean {
  return /^[A-Z]+$/.test(word)
}

function queryOf(query: string | Record<string, string | string[]>): string {
  return typeof query === 'string'
    ? query
    : new URLSearchParams(pairsOf(query).map(([...pair]) => pair)).toString()
}

function pairsOf(values: Record<string, string | string[]>): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  )
}

/** Version 4 wraps a body with its type and encoding; the others hold it as it is. */
function bodyOf(body: unknown): string | null {
  if (body === undefined || body === null || body === '') return null
  const wrapped = Wrapped.safeParse(body)
  const content = wrapped.success ? unwrapped(wrapped.data) : body
  if (content === null || content === undefined) return null
  return typeof content === 'string' ? content : JSON.stringify(content)
}

/** The body of version 4. */
export const Wrapped = z.object({
  content: z.unknown(),
  contentType: z.string().optional(),
  encoded: z.union([z.boolean(), z.string()]),
})

/** What a wrapped body holds, as text where it is encoded. */
export function unwrapped({ content, encoded }: z.output<typeof Wrapped>): unknown {
  const isEncoded = typeof content === 'string' && String(encoded).toLowerCase() === 'base64'
  return isEncoded ? Buffer.from(content, 'base64').toString('utf8') : content
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
