/**
 * Recordings: HAR 1.2, our own request log, and NDJSON of pairs in the shape of that log. Owns what an exchange is, and
 * when it was; no exchange has a secret.
 */
import * as z from 'zod'
import { jsonIn } from '../contracts/json.ts'
import { check } from '../http/request/field-errors.ts'
import { type Instant, instantAt } from '../time/instant.ts'
import { InstantIn } from '../wire/fields.ts'
import { MASKED_ALIKE, type Masks, masksFor } from './secrets.ts'

type Headers = Readonly<Record<string, string>>

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
const Pairs = z
  .array(z.object({ name: Text, value: Text }))
  .meta({ accepts: 'a list of objects with name and value' })

const Har = z.object({
  log: z.object({
    entries: z
      .array(
        z.object({
          startedDateTime: z.iso
            .datetime({ offset: true })
            .meta({ accepts: 'an RFC 3339 instant' }),
          request: z.object({
            method: Text,
            url: z.url().meta({ accepts: 'an address' }),
            headers: Pairs,
            postData: z
              .object({
                text: Text.optional(),
                params: z.array(z.object({ name: Text, value: Text.optional() })).optional(),
              })
              .optional(),
          }),
          response: z.object({
            status: Status,
            headers: Pairs,
            content: z.object({
              size: z.number().optional(),
              text: Text.optional(),
              encoding: Text.optional(),
            }),
          }),
        }),
      )
      .meta({ accepts: 'a list of entries' }),
  }),
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

/** An exchange as it is in its file: with its secrets. */
type Raw = Omit<RecordedExchange, 'number' | 'at'> & {
  readonly started: Date
  /** Why it cannot be replayed; null where it can. */
  readonly flaw: string | null
}

/** Reads a recording. Throws `RecordingError`. */
export function readRecording(source: string, text: string): Traffic {
  const masks = masksFor(text)
  const leftOut: string[] = []
  const exchanges: RecordedExchange[] = []
  for (const raw of rawExchanges(source, text)) {
    const found = exchangeOf(raw, exchanges.length + 1, masks)
    if (typeof found === 'string') leftOut.push(`${raw.place}: ${found}`)
    else exchanges.push(found)
  }
  if (exchanges.length > 0) return { source, exchanges, leftOut }
  const why = leftOut.length === 0 ? 'it is empty' : leftOut.slice(0, 3).join(' ')
  throw new RecordingError(`${source} must have an exchange with a path below /v1; ${why}.`)
}

function exchangeOf(raw: Raw, number: number, masks: Masks): RecordedExchange | string {
  const { place, method, started, flaw } = raw
  // The base address may have a path, which the sandbox does not have.
  const [path] = /\/v1\/.*$/s.exec(raw.path) ?? []
  if (path === undefined) return 'its path is not below /v1.'
  if (method === 'OPTIONS') return 'a browser asked by it whether it may call.'
  if (flaw !== null) return flaw
  const headers = maskedHeaders(raw.headers, masks)
  const body = masks.text(raw.body, headers['content-type'] ?? null)
  if (/\/auth\/refresh/.test(path) && `${headers['authorization']}${body}`.includes(MASKED_ALIKE)) {
    return 'its token is masked as others are, so that nobody knows which one it was; record it by --from.'
  }
  const { status } = raw.answer
  const answered = maskedHeaders(raw.answer.headers, masks)
  const said = answered['sandbox-time'] ?? answered['date'] ?? ''
  const at = Number.isNaN(Date.parse(said)) ? started : new Date(said)
  const answer = masks.text(raw.answer.body, answered['content-type'] ?? null)
  return {
    ...{ number, place, method, headers, body, path: masks.target(path) },
    at: instantAt(at.getTime()),
    answer: { status, headers: answered, body: answer },
  }
}

function maskedHeaders(headers: Headers, masks: Masks): Headers {
  const shown = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    masks.header(name, value),
  ])
  return Object.fromEntries(shown)
}

function rawExchanges(source: string, text: string): Raw[] {
  const whole = jsonIn(text)
  if (typeof whole === 'object' && whole !== null) {
    if ('log' in whole) return readBy(Har, whole, source).log.entries.map(ofHar)
    // The newest is first.
    if ('data' in whole) return readBy(Log, whole, source).data.map(ofPair('data')).reverse()
  }
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    const json = jsonIn(line)
    const place = `line ${at + 1}`
    if (json === undefined) {
      throw new RecordingError(
        `${source}: ${place} must be JSON, a request and its answer; a HAR is one JSON document.`,
      )
    }
    return [ofPair('')(readBy(Pair, json, `${source}: ${place}`), at)]
  })
}

function readBy<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string) {
  const result = check(schema, value)
  if ('data' in result) return result.data
  const [first] = result.shown
  throw new RecordingError(`${where}: ${first?.message}`)
}

type HarEntry = z.output<typeof Har>['log']['entries'][number]

function ofHar({ startedDateTime, request, response }: HarEntry, at: number): Raw {
  const { postData } = request
  const { size = 0, text, encoding } = response.content
  const params = (postData?.params ?? []).map(({ name, value = '' }): [string, string] => [
    name,
    value,
  ])
  const { pathname, search } = new URL(request.url)
  const headersOf = (pairs: z.output<typeof Pairs>) =>
    Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
  const isLost = text === undefined && size > 0
  return {
    place: `log.entries[${at}]`,
    started: new Date(startedDateTime),
    method: request.method.toUpperCase(),
    path: `${pathname}${search}`,
    headers: headersOf(request.headers),
    body: postData?.text ?? new URLSearchParams(params).toString(),
    answer: {
      status: response.status,
      headers: headersOf(response.headers),
      body: encoding === 'base64' ? Buffer.from(text ?? '', 'base64').toString() : (text ?? ''),
    },
    flaw: flawOf(response.status, isLost),
  }
}

function ofPair(list: string) {
  return ({ at, request, answer }: z.output<typeof Pair>, position: number): Raw => {
    const { content_type: type, body, bytes } = answer
    const headers = type ? { ...answer.headers, 'content-type': type } : answer.headers
    const isLost = body == null && (bytes ?? 0) > 0
    return {
      place: list === '' ? `line ${position + 1}` : `${list}[${position}]`,
      started: new Date(at),
      method: request.method.toUpperCase(),
      path: request.path,
      headers: request.headers,
      body: request.body ?? '',
      answer: { status: answer.status ?? 0, headers, body: body ?? '' },
      flaw: flawOf(answer.status ?? 0, isLost),
    }
  }
}

function flawOf(status: number, isLost: boolean): string | null {
  if (status < 100) return 'it has no answer.'
  return isLost ? 'the body of its answer is not in the recording.' : null
}
