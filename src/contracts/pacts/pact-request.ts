/** The request of a pact: one shape for all versions of the specification, and a curl command. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import * as z from 'zod'
import { reasonOf } from '../common/failure.ts'
import { isDeeper, jsonIn } from '../common/json.ts'

/** Some tools write numbers and flags as they are. */
const HeaderValue = z.union([z.string(), z.number(), z.boolean()]).transform(String)

/** Headers as a file holds them: those that HTTP can carry. */
export const WireHeaders = z
  .record(z.string(), z.union([HeaderValue, z.array(HeaderValue)]))
  .superRefine((headers, context) => {
    for (const [name, values] of Object.entries(headers)) {
      const fault = headerFault(name, values)
      if (fault === null) continue
      const message = `HTTP cannot carry this header: ${fault}`
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })
  .nullish()

/** The values of a parameter; null is one without a value, which the core leaves out. */
const ParameterValues = z.union([z.string(), z.array(z.string().nullable())]).nullable()

/** A body of version 4. The core reads one without `encoded`, too, which libraries write for an empty body. */
const Wrapped = z
  .looseObject({
    content: z.unknown().optional(),
    contentType: z.string().optional(),
    encoded: z.union([z.boolean(), z.string()]).optional(),
  })
  .refine((body) => 'encoded' in body || 'content' in body)

/** An interaction of an earlier version, which holds bodies as they are, with each as version 4 has it. */
export function wrapBodies(interaction: unknown): object {
  const wrapped = (side: unknown) => {
    const { body } = Object(side) as { body?: unknown }
    return body === undefined ? side : { ...Object(side), body: { content: body } }
  }
  const { request, response, ...rest } = Object(interaction)
  return { ...rest, request: wrapped(request), response: wrapped(response) }
}

/** How deep the JSON in a wrapped body may be nested: as deep as that of a request body. */
const BODY_DEPTH_MAX = 32

/** A body as a file holds it. */
export const WireBody = z
  .unknown()
  .optional()
  .superRefine((body, context) => {
    const wrapped = Wrapped.safeParse(body)
    const text = wrapped.success ? jsonTextIn(wrapped.data) : null
    if (text === null || !isDeeper(text, BODY_DEPTH_MAX)) return
    const message = `must hold JSON of at most ${BODY_DEPTH_MAX} levels; got ${valueText(text)}`
    context.addIssue({ code: 'custom', path: ['content'], message })
  })

/**
 * A request as a file has it, read to one shape, without matching rules and generators: these are for the verifier. The query
 * is what follows the question mark, encoded; of several values of one header, each is one. Without a body it is null.
 */
export const WireRequest = z
  .object({
    method: z.string().min(1),
    path: z.string().min(1),
    query: z.union([z.string(), z.record(z.string(), ParameterValues)]).nullish(),
    headers: WireHeaders,
    body: WireBody,
  })
  .transform(({ method, path, query, headers, body }) => {
    const asked = typeof query === 'string' ? query : `${new URLSearchParams(pairsOf(query))}`
    const sent = pairsOf(headers)
    const [, type] = sent.find(isType) ?? []
    const read = { query: asked, headers: sent, body: bodyOf(body, type) }
    return { method: method.toUpperCase(), path, ...read }
  })
export type PactRequest = z.output<typeof WireRequest>

/** The request as a command to paste: `base` is where the provider is, `wordOf` writes a header for the shell. */
export function curlOf(
  { method, path, query, headers, body }: PactRequest,
  base: string,
  wordOf = ([name, value]: readonly [string, string]) => quoteForShell(`${name}: ${value}`),
): string {
  const url = `${base}${path.startsWith('/') ? '' : '/'}${path}${query === '' ? '' : `?${query}`}`
  const sent = headers.map((header) => `-H ${wordOf(header)}`)
  const isTyped = headers.some(isType)
  // Without a type, curl would call any body a form.
  const untyped = isTyped ? '' : "-H 'Content-Type:' "
  const data = body === null ? [] : [`${untyped}--data-raw ${quoteForShell(body)}`]
  const verb = /^[A-Z]+$/.test(method) ? method : quoteForShell(method)
  return ['curl -i -X', verb, quoteForShell(url), ...sent, ...data].join(' ')
}

function pairsOf(
  values: z.output<typeof WireHeaders> | Record<string, z.output<typeof ParameterValues>> | null,
) {
  return Object.entries(values ?? {}).flatMap(([name, value]) =>
    [value].flat().flatMap((each): [string, string][] => (each === null ? [] : [[name, each]])),
  )
}

export const isType = ([name]: readonly [string, string]) => /^content-type$/i.test(name)

/** The text of a body as the core sends it; `type` is that of the headers. */
function bodyOf(body: unknown, type = ''): string | null {
  const wrapped = Wrapped.safeParse(body)
  const content = wrapped.success ? unwrapBody(wrapped.data) : body
  if (content == null || content === '') return null
  const { contentType = null, encoded = false } = wrapped.data ?? {}
  const isJson = /^application\/(\S*json|graphql)/i.test(contentType ?? type) && encoded === false
  // Of versions 2 and 3, which say no type here, a text that is JSON stays what it is.
  const isSent = contentType === null && /^(string|object)$/.test(typeof jsonIn(String(content)))
  return typeof content === 'string' && (!isJson || isSent) ? content : JSON.stringify(content)
}

/** What a wrapped body holds, as text where it is encoded. */
function unwrapBody({ content, encoded }: z.output<typeof Wrapped>): unknown {
  const isEncoded = typeof content === 'string' && String(encoded).toLowerCase() === 'base64'
  return isEncoded ? Buffer.from(content, 'base64').toString('utf8') : content
}

/** The text of a wrapped body that is JSON in a string; null for any other. */
function jsonTextIn(body: z.output<typeof Wrapped>): string | null {
  const { encoded = false, contentType = '' } = body
  return encoded !== false && contentType.includes('json') ? String(unwrapBody(body)) : null
}

/** Headers, one value each, and the body as it goes over the wire. */
export function contentOf(side: unknown): Readonly<Record<string, unknown>> {
  const { headers, body } = (side ?? {}) as {
    headers?: Readonly<Record<string, unknown>> | null
    body?: unknown
  }
  const single = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])
  const wrapped = Wrapped.safeParse(body)
  const content = wrapped.success ? decodeBody(wrapped.data) : body
  return { headers: Object.fromEntries(single), body: content }
}

/** What is not JSON, although its type says so, stays text: the comparison then says that it does not fit. */
function decodeBody(body: Parameters<typeof unwrapBody>[0]): unknown {
  const text = jsonTextIn(body)
  const json = text === null ? undefined : jsonIn(text)
  return json === undefined ? unwrapBody(body) : json
}

/** Why HTTP cannot carry a header; null where it can. */
export function headerFault(name: string, values: string | string[]): string | null {
  try {
    validateHeaderName(name)
    for (const value of [values].flat()) validateHeaderValue(name, value)
    return null
  } catch (error) {
    return reasonOf(error)
  }
}

/** The most characters of a value that a message repeats. */
const VALUE_MAX = 120

/** A value of a pact, as messages repeat it: JSON, cut where it is long. */
export function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  // Copied, because a part of a text keeps the whole text in memory.
  return text.length > VALUE_MAX ? `${structuredClone(text.slice(0, VALUE_MAX))}…` : text
}

/** A text as the shell takes it for one word. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
