/** The forms of a recording: HAR 1.2, as browsers, proxies and test tools write it, our log, and NDJSON of its pairs. */
import * as z from 'zod'
import { hasNoEnd, jsonIn } from '../contracts/common/json.ts'
import { parse } from '../surface/field-errors.ts'
import { isWritable } from '../time/instant.ts'
import { InstantIn } from '../wire/common/fields.ts'

/** The recording cannot be read; the message names entry and rule. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
}

const Text = z.string().meta({ accepts: 'a text' })
const Size = z.number().nullish()
const Status = z.int().min(-1).max(599).meta({ accepts: 'an HTTP status, or 0 without an answer' })
const Time = z.iso
  .datetime({ offset: true })
  .refine((text) => isWritable(Date.parse(text)))
  .meta({ accepts: 'an RFC 3339 instant from 1970 on' })
const headersOf = (pairs: readonly (readonly [string, string])[]) =>
  Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]))
const Pairs = z
  .array(z.object({ name: Text, value: Text.default('') }))
  .meta({ accepts: 'a list of objects with name and value' })
  .nullish()
  .transform((all) => (all ?? []).map(({ name, value }): [string, string] => [name, value]))
const Content = z.object({ mimeType: Text.nullish(), text: Text.nullish() })
const Entry = z.object({
  startedDateTime: Time,
  request: z.object({
    ...{
      method: Text,
      url: z.url().meta({ accepts: 'an address' }),
      headers: Pairs.transform(headersOf),
    },
    ...{ bodySize: Size, postData: Content.extend({ params: Pairs }).nullish() },
  }),
  response: z.object({
    ...{ status: Status, headers: Pairs.transform(headersOf) },
    content: Content.extend({ size: Size, encoding: Text.nullish() }).default({}),
  }),
})
const Har = z.object({
  log: z.object({ entries: z.array(Entry).meta({ accepts: 'a list of entries' }) }),
})

const HeaderMap = z
  .record(z.string(), z.string())
  .meta({ accepts: 'an object of headers' })
  .default({})
  .transform((map) => headersOf(Object.entries(map)))

const Message = z.object({
  ...{ headers: HeaderMap, content_type: Text.nullish() },
  ...{ body: Text.nullish(), bytes: Size },
})
export type RawMessage = z.output<typeof Message>

/** As `GET /sandbox/requests` answers it. */
const Pair = z.object({
  number: z.int().optional(),
  at: InstantIn,
  request: Message.extend({ method: Text, path: Text }),
  answer: Message.extend({ status: Status.nullable() }),
})
const Log = z.object({ data: z.array(Pair).meta({ accepts: 'a list of requests' }) })

/** A request and its answer as they are in the file: with their secrets. */
export interface RawExchange extends Omit<z.output<typeof Pair>, 'at'> {
  readonly place: string
  readonly at: string
  readonly host?: string
}

/** The exchanges of a recording, in their order. Throws `RecordingError`. */
export function writtenIn(source: string, text: string): RawExchange[] {
  const whole = jsonIn(text)
  if (typeof whole === 'object' && whole !== null) {
    if ('log' in whole) {
      const entries = readBy(Har, whole, source).log.entries.map(ofEntry)
      return entries.sort((one, other) => Date.parse(one.at) - Date.parse(other.at))
    }
    if ('calls' in whole) {
      throw new RecordingError(
        `${source}: it is a recording of a sandbox, for shrink; learn reads a HAR, or requests to the real service and its answers.`,
      )
    }
    if ('data' in whole) {
      const { data } = readBy(Log, whole, source)
      return sorted(data.map((pair, at) => ({ ...pair, place: `data[${at}]` })))
    }
  }
  const lines = text.trimEnd().split('\n')
  const pairs = lines.flatMap((line, at) => {
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
  return sorted(pairs)
}

/** By the numbers of a request log, which lists the newest first. */
function sorted(all: readonly RawExchange[]): RawExchange[] {
  return all.toSorted((one, other) => (one.number ?? 0) - (other.number ?? 0))
}

function readBy<Schema extends z.ZodType>(schema: Schema, value: unknown, where: string) {
  const result = parse(schema, value)
  if ('data' in result) return result.data
  const [first] = result.shown
  throw new RecordingError(`${where}: ${first?.message}`)
}

function ofEntry(
  { startedDateTime: at, request, response }: z.output<typeof Entry>,
  index: number,
): RawExchange {
  const { text: sent, params, mimeType } = request.postData ?? {}
  const { content, status, headers } = response
  const { pathname, search, host } = new URL(request.url)
  return {
    ...{ place: `log.entries[${index}]`, at, host },
    request: {
      ...{ method: request.method, path: `${pathname}${search}`, headers: request.headers },
      ...{ content_type: mimeType, bytes: request.bodySize },
      body: sent || new URLSearchParams(params).toString() || null,
    },
    answer: {
      ...{ status, headers, content_type: content.mimeType, bytes: content.size },
      body:
        content.encoding === 'base64'
          ? Buffer.from(content.text ?? '', 'base64').toString()
          : content.text,
    },
  }
}
