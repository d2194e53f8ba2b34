/**
 * Request bodies: from the stream of their bytes to the fields that a schema is asked about. Owns the size limit, the media
 * types and the two encodings; does not check fields (see field-errors).
 */
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import {
  BODY_LIMIT_BYTES,
  type BodyDeclaration,
  JSON_VALUES_MAX,
  type Media,
  mediaTypes,
} from '../../surface/operation.ts'
import { printValue, RefusalError } from '../../surface/refusals.ts'
import { fieldsOf } from '../../surface/schema-walk.ts'
import { bindingsOf } from './context.ts'
import { readForm } from './form.ts'
import { invalidBody, JsonReader, notUtf8 } from './json.ts'

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A body as it was sent: its media type, and its fields. An empty body has neither. */
export interface ReceivedBody {
  readonly media: Media | 'none'
  readonly fields: Record<string, unknown>
}

/** Reads the JSON object in a body, of at most `valuesMax` values. Throws 400 for anything else. */
export async function readJsonObject(
  bytes: Uint8Array,
  valuesMax?: number,
): Promise<Record<string, unknown>> {
  const reader = new JsonReader(valuesMax)
  await reader.take(bytes)
  return objectOf(reader.end())
}

/** Reads the body of a request; its bytes where the operation reads them itself. Throws 413, 415 or 400, in this order. */
export async function receiveBody(
  c: Context,
  declared: BodyDeclaration,
): Promise<ReceivedBody | Uint8Array> {
  const { raw = false, limitBytes = BODY_LIMIT_BYTES, schema, media: accepted } = declared
  if (limitBytes > BODY_LIMIT_BYTES && !raw) return receivePieces(c, declared, limitBytes)
  const bytes = await readBytes(c, limitBytes)
  c.set('received', bytes)
  if (bytes.byteLength === 0) {
    const empty = emptyBody(declared)
    return raw ? bytes : empty
  }
  const { media, charset } = encodingOf(c, declared)
  assertAscii(charset, bytes)
  if (raw) return bytes
  if (media === 'json') {
    const isForm = accepted.includes('form') && /^\w+=/.test(utf8.decode(bytes.subarray(0, 99)))
    if (isForm) throw invalidBody(FORM_IN_JSON)
    return { media, fields: await readJsonObject(bytes, JSON_VALUES_MAX) }
  }
  if (!isUtf8(bytes)) throw notUtf8()
  const text = utf8.decode(bytes)
  if (text.startsWith('\ufeff')) throw invalidBody(BYTE_ORDER_MARK)
  if (text.startsWith('{')) throw invalidBody(/\}\s*$/.test(text) ? JSON_IN_FORM : CUT_JSON_IN_FORM)
  return { media, fields: readForm(text, schema, { where: 'body' }) }
}

const BYTE_ORDER_MARK = 'The body begins with a byte order mark; send it without.'
const FORM_IN_JSON = `The body must be JSON, as Content-Type says; got a form. To send a form, set Content-Type to ${mediaTypes.form}.`
const JSON_IN_FORM = `The body must be a form, as Content-Type says; got JSON. To send JSON, set Content-Type to ${mediaTypes.json}.`
const CUT_JSON_IN_FORM =
  'The body must be a form, as Content-Type says; got JSON. The Verifier of pact-js makes JSON of a form, cut off at the length of the form, and leaves the type: use verifyProvider of subscription-sandbox/pact, verifyPacts of @pact-foundation/pact-core, or subscription-sandbox verify.'

/** A large body is JSON, and is read as it comes. */
async function receivePieces(
  c: Context,
  declared: BodyDeclaration,
  limit: number,
): Promise<ReceivedBody> {
  const reader = new JsonReader()
  let charset: string | null = null
  await takePieces(c, limit, (piece) => {
    charset ??= encodingOf(c, declared).charset
    assertAscii(charset, piece)
    return reader.take(piece)
  })
  if (charset === null) return emptyBody(declared)
  return { media: 'json', fields: objectOf(reader.end()) }
}

function emptyBody({ required, schema }: BodyDeclaration): ReceivedBody {
  if (!required) return { media: 'none', fields: {} }
  const names = [...fieldsOf(schema).keys()]
  const some = names.length === 1 ? '' : 'some of '
  throw invalidBody(`The body is empty; it must be an object with ${some}${names.join(', ')}.`)
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  let got = typeof value === 'string' ? 'a string' : `a ${typeof value}`
  if (value === null) got = 'null'
  if (Array.isArray(value)) got = 'an array'
  throw invalidBody(`The body must be a JSON object; got ${got}.`)
}

/** How a body is written. Throws 415 for an encoding or a media type that the operation does not take. */
function encodingOf(c: Context, { media: accepted, foreignMedia }: BodyDeclaration) {
  const code = foreignMedia ?? 'unsupported_media_type'
  const encoding = c.req.header('Content-Encoding') ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') {
    const rule = 'Content-Encoding must be absent or identity'
    throw new RefusalError(code, `${rule}; got ${printValue(encoding)}.`)
  }
  const header = c.req.header('Content-Type') ?? ''
  const plain = accepted.find((each) => mediaTypes[each] === header)
  if (plain !== undefined) return { media: plain, charset: 'utf-8' }
  const parts = header.includes(';') ? header.split(';') : [header]
  const [type = '', ...parameters] = parts.map((part) => part.trim().toLowerCase())
  const media = accepted.find((each) => mediaTypes[each] === type)
  if (media === undefined) {
    const rule = `Content-Type must be ${accepted.map((each) => mediaTypes[each]).join(' or ')}`
    throw new RefusalError(code, `${rule}; got ${type === '' ? 'nothing' : printValue(type)}.`)
  }
  const charset = charsetIn(parameters)
  if (!/^utf-?8$/.test(charset) && !asciiCharsets.includes(charset)) {
    const rule = `utf-8, or for a body in ASCII ${asciiCharsets.join(' or ')}`
    throw invalidBody(`The charset of Content-Type must be ${rule}; got ${printValue(charset)}.`)
  }
  return { media, charset }
}

/** Charsets that write ASCII as UTF-8 does: clients in Java name them by default. */
const asciiCharsets = ['iso-8859-1', 'us-ascii']

function charsetIn(parameters: readonly string[]): string {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return charset?.slice('charset='.length).replace(/^"(.*)"$/, '$1') ?? 'utf-8'
}

/** Refuses bytes beyond ASCII in a charset whose other bytes mean something else than in UTF-8. */
function assertAscii(charset: string, bytes: Uint8Array): void {
  if (!asciiCharsets.includes(charset) || bytes.every((byte) => byte < 0x80)) return
  throw invalidBody(
    `The body must be in ASCII, as the charset of Content-Type is ${charset}; write it in utf-8.`,
  )
}

/** Reads a body to its end. Throws 413 for one of more than `limit` bytes, and 400 for one that is cut short. */
export async function readBytes(c: Context, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  await takePieces(c, limit, (piece) => void pieces.push(piece))
  const [only] = pieces
  return pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)
}

/** Takes the next bytes of a body; the rest waits for a promise. */
type Take = (piece: Uint8Array) => Promise<void> | void

/**
 * Reads a body as it comes. Throws as `readBytes` does, and what `take` throws. Node's own stream is read by its events,
 * because an iterator over it costs a tenth of a short call.
 */
export function takePieces(c: Context, limit: number, take: Take): Promise<void> {
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge(limit)
  let size = 0
  const takeNext: Take = (piece) => {
    size += piece.byteLength
    if (size > limit) throw tooLarge(limit)
    return take(piece)
  }
  const { incoming } = bindingsOf(c)
  if (incoming !== undefined) return readNode(incoming, takeNext)
  return readStream(c.req.raw.body ?? [], takeNext)
}

async function readStream(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: Take,
): Promise<void> {
  try {
    for await (const piece of stream) await take(piece)
  } catch (error) {
    throw toBodyError(error)
  }
}

function readNode(incoming: IncomingMessage, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    let taken: Promise<void> | void
    let isOver = false
    const onData = (piece: Buffer) => {
      try {
        taken = take(piece)
      } catch (error) {
        return end(error)
      }
      if (taken === undefined) return
      incoming.pause()
      taken.then(() => isOver || incoming.resume(), end)
    }
    const end = (refusal: unknown) => {
      isOver = true
      // The server sees to what is still to come.
      incoming.off('data', onData).pause()
      reject(refusal)
    }
    const close = () => {
      // It is closed after its end as well, and an error with its stack costs as much as reading.
      if (!incoming.readableEnded) reject(toBodyError(incoming.errored))
    }
    incoming.on('data', onData)
    // The stream may end before the last piece is taken.
    incoming.on('end', () => resolve(taken))
    incoming.once('stalled', end)
    incoming.on('error', close)
    incoming.on('close', close)
    if (incoming.destroyed) close()
  })
}

/** Makes the reader of a body throw a refusal. A body that nobody reads ends with its connection. */
export function endReading(incoming: IncomingMessage, refusal: RefusalError): void {
  if (!incoming.emit('stalled', refusal)) incoming.destroy(refusal)
}

function toBodyError(error: unknown): RefusalError {
  return error instanceof RefusalError
    ? error
    : invalidBody('The body ended before it was complete.')
}

function tooLarge(limit: number): RefusalError {
  return new RefusalError('payload_too_large', `The body must have at most ${limit} bytes.`)
}
