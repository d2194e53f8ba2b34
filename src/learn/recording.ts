/**
 * Recordings: HAR 1.2, our own request log, and NDJSON of pairs in the shape of that log. Owns what an exchange is, and
 * when it was; no exchange has a secret.
 */
import * as z from 'zod'
import { hasNoEnd, jsonIn } from '../contracts/common/json.ts'
import { parse } from '../surface/field-errors.ts'
import { type Instant, instantAt } from '../time/instant.ts'
import { InstantIn } from '../wire/common/fields.ts'
import { MASKED_ALIKE, type Masks, masksFor } from './secrets.ts'

type Headers = Readonly<Record<string, string>>
export type JsonFields = Readonly<Record<string, unknown>>

/** A request and its answer; headers by their names in lower case. */
export interface RecordedExchange {
  /** Its number among those that are replayed, from 1. */
  readonly number: number
  /** Where it is in the file, such as `log.entries[3]`. */
  readonly place: string
  readonly at: Instant
  readonly method: string
  /** From `/v1` on, with the query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
  readonly answer: { readonly status: number; readonly headers: Headers; readonly body: string }
}

export interface Traffic {
  readonly source: string
  readonly exchanges: readonly RecordedExchange[]
  /** What is not replayed, and why. */
  readonly leftOut: readonly string[]
}

/** The recording cannot be read; the message names entry and rule. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

const Text = z.string().meta({ accepts: 'a text' })
const Status = z.int().min(0).max(599).meta({ accepts: 'an HTTP status, or 0 without an answer' })
const Time = z.iso.datetime({ offset: true }).meta({ accepts: 'an RFC 3339 instant' })
const Pairs = z
  .array(z.object({ name: Text, value: Text }))
  .meta({ accepts: 'a list of objects with name and value' })
const Params = z.array(z.object({ name: Text, value: Text.default('') }))
const Content = z.object({
  size: z.number().optional(),
  text: Text.optional(),
  encoding: Text.optional(),
})
const Entry = z.object({
  startedDateTime: Time,
  request: z.object({
    method: Text,
    url: z.url().meta({ accepts: 'an address' }),
    headers: Pairs,
    postData: z.object({ text: Text.optional(), params: Params.optional() }).optional(),
  }),
  response: z.object({ status: Status, headers: Pairs, content: Content }),
})
const Har = z.object({
  log: z.object({ entries: z.array(Entry).meta({ accepts: 'a list of entries' }) }),
})

const HeaderMap = z.record(z.string(), z.string()).default({}).meta({
  accepts: 'an object of headers',
})

/** As `GET /sandbox/requests` answers it. */
const Pair = z.object({
  at: InstantIn,
  request: z.object({ method: Text, path: Text, headers: HeaderMap, body: Text.nullish() }),
  answer: z.object({
    status: Status.nullable(),
    headers: HeaderMap,
    content_type: Text.nullish(),
    body: Text.nullish(),
    bytes: z.number().nullish(),
  }),
})
const Log = z.object({ data: z.array(Pair).meta({ accepts: 'a list of requests' }) })

/** A request and its answer as they are in the file: with their secrets. */
interface RawExchange extends Omit<z.output<typeof Pair>, 'at'> {
  readonly place: string
  readonly at: string
}

/** Reads a recording. Throws `RecordingError`. */
export function readRecording(source: string, text: string): Traffic {
  const masks = masksFor(text)
  const leftOut: string[] = []
  const exchanges: RecordedExchange[] = []
  for (const written of writtenIn(source, text)) {
    const found = exchangeOf(written, exchanges.length + 1, masks)
    if (typeof found === 'string') leftOut.push(`${written.place}: ${found}`)
    else exchanges.push(found)
  }
  if (exchanges.length > 0) return { source, exchanges, leftOut }
  const why = leftOut.length === 0 ? 'it is empty' : leftOut.slice(0, 3).join(' ')
  throw new RecordingError(`${source} must have an exchange with a path below /v1; ${why}.`)
}

/** What a subscription call was answered: its record, also where that is the one member of an envelope. */
export function recordIn(body: string): JsonFields {
  const json: JsonFields = Object(jsonIn(body))
  return envelopeOf(json) === null ? json : Object(Object.values(json)[0])
}

/** The name of the one member of an object that is an object itself; null without one. */
export function envelopeOf(json: JsonFields): string | null {
  const [member, ...others] = Object.entries(json)
  if (member === undefined || others.length > 0 || Array.isArray(member[1])) return null
  return typeof member[1] === 'object' && member[1] !== null ? member[0] : null
}

function exchangeOf(written: RawExchange, number: number, masks: Masks): RecordedExchange | string {
  const { place, request, answer } = written
  const { body: answered, bytes, content_type: type } = answer
  const method = request.method.toUpperCase()
  // The base address may have a path, which the sandbox does not have.
  const [path] = /\/v1\/.*$/s.exec(request.path) ?? []
  if (path === undefined) return 'its path is not below /v1.'
  if (method === 'OPTIONS') return 'a browser asked by it whether it may call.'
  const status = answer.status ?? 0
  if (status < 100) return 'it has no answer.'
  if (answered == null && (bytes ?? 0) > 0) {
    return 'the body of its answer is not in the recording.'
  }
  const sent = maskedMessage(request.headers, request.body, masks)
  const isLost = `${sent.headers['authorization']}${sent.body}`.includes(MASKED_ALIKE)
  if (/\/auth\/refresh/.test(path) && isLost) {
    return 'its token is masked as others are, so that nobody knows which one it was; record it by --from.'
  }
  const headers = type ? { ...answer.headers, 'content-type': type } : answer.headers
  const got = maskedMessage(headers, answered, masks)
  const said = Date.parse(got.headers['sandbox-time'] ?? got.headers['date'] ?? '')
  const at = instantAt(Number.isNaN(said) ? Date.parse(written.at) : said)
  return {
    ...{ number, place, at, method, path: masks.target(path), ...sent },
    answer: { status, ...got },
  }
}

function maskedMessage(sent: Headers, body: string | null | undefined, masks: Masks) {
  const headers: Headers = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name.toLowerCase(), masks.header(name, value)]),
  )
  return { headers, body: masks.text(body ?? '', headers['content-type'] ?? null) }
}

function writtenIn(source: string, text: string): RawExchange[] {
  const whole = jsonIn(text)
  if (typeof whole === 'object' && whole !== null) {
    if ('log' in whole) return readBy(Har, whole, source).log.entries.map(ofEntry)
    if ('calls' in whole) {
      throw new RecordingError(
        `${source}: it is a recording of a sandbox, for shrink; learn reads a HAR, or requests to the real service and its answers.`,
      )
    }
    if ('data' in whole) {
      const { data } = readBy(Log, whole, source)
      // The newest is first.
      return data.map((pair, at) => ({ ...pair, place: `data[${at}]` })).reverse()
    }
  }
  const lines = text.trimEnd().split('\n')
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    const json = jsonIn(line)
    const place = `line ${at + 1}`
    if (json === undefined) {
      const rule =
        whole === undefined
          ? `${place} must be JSON, a request and its answer; a HAR is one JSON document.`
          : 'it must be a HAR, an object with log, or have a request and its answer on each line.'
      const end = `line ${lines.length}, column ${lines.at(-1)?.length}`
      const cut = `it seems to be cut off: the JSON from ${place} on has no end; the file ends at ${end}.`
      throw new RecordingError(`${source}: ${hasNoEnd(lines.slice(at).join('\n')) ? cut : rule}`)
    }
    return { ...readBy(Pair, json, `${source}: ${place}`), place }
  })
}

function readBy<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string) {
  const result = parse(schema, value)
  if ('data' in result) return result.data
  const [first] = result.shown
  throw new RecordingError(`${where}: ${first?.message}`)
}

function ofEntry(entry: z.output<typeof Entry>, index: number): RawExchange {
  const { request, response } = entry
  const { postData: { text: sent, params = [] } = {} } = request
  const { size, text, encoding } = response.content
  const { pathname, search } = new URL(request.url)
  const headersOf = (pairs: z.output<typeof Pairs>) =>
    Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
  const form = new URLSearchParams(params.map(({ name, value }): [string, string] => [name, value]))
  return {
    ...{ place: `log.entries[${index}]`, at: entry.startedDateTime },
    request: {
      method: request.method,
      path: `${pathname}${search}`,
      headers: headersOf(request.headers),
      body: sent ?? form.toString(),
    },
    answer: {
      status: response.status,
      headers: headersOf(response.headers),
      body: encoding === 'base64' ? Buffer.from(text ?? '', 'base64').toString() : text,
      bytes: size,
    },
  }
}
