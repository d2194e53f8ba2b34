/**
 * Request bodies: from bytes to the fields that a schema is asked about. Owns the media types and the two
 * encodings; does not check fields (see field-errors).
 */
import { isUtf8 } from 'node:buffer'
import type { Context } from 'hono'
import { printValue } from '../../surface/field-problems.ts'
import {
  BODY_LIMIT_BYTES,
  type BodyDeclaration,
  JSON_VALUES_MAX,
  type Media,
  mediaTypes,
} from '../../surface/operation.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { fieldsOf } from '../../surface/schema-walk.ts'
import { readBytes, readPieces } from './bytes.ts'
import { readForm } from './form.ts'
import { notUtf8, parseJson } from './json.ts'

const utf8 = new TextDecoder()

/** A body as it was sent: its media type, and its fields. An empty body has neither. */
export interface ReceivedBody {
  readonly media: Media | 'none'
  readonly fields: Record<string, unknown>
}

/** Reads the JSON object in a body, of at most `valuesMax` values. Throws 400 for anything else. */
export async function readJsonObject(
  bytes: Uint8Array,
  valuesMax = Number.POSITIVE_INFINITY,
): Promise<Record<string, unknown>> {
  return objectOf(await parseJson(bytes, valuesMax))
}

/** Reads the body of a request; its bytes where the operation reads them itself. Throws 413, 415 or 400, in this order. */
export async function receiveBody(
  c: Context,
  declared: BodyDeclaration,
): Promise<ReceivedBody | Uint8Array> {
  const { raw = false, limitBytes = BODY_LIMIT_BYTES, schema } = declared
  if (limitBytes > BODY_LIMIT_BYTES && !raw) return receivePieces(c, declared, limitBytes)
  const bytes = await readBytes(c, limitBytes)
  if (bytes.byteLength === 0) {
    const empty = emptyBody(declared)
    return raw ? bytes : empty
  }
  const { media, charset } = encodingOf(c, declared)
  refuseForeign(charset, bytes)
  if (raw) return bytes
  if (media === 'json') return { media, fields: await readJsonObject(bytes, JSON_VALUES_MAX) }
  if (!isUtf8(bytes)) throw notUtf8()
  return { media, fields: readForm(utf8.decode(bytes), schema, { where: 'body' }) }
}

/** A large body is JSON, and is read as it comes. */
async function receivePieces(
  c: Context,
  declared: BodyDeclaration,
  limit: number,
): Promise<ReceivedBody> {
  const pieces = readPieces(c, limit)
  const first = await pieces.next()
  if (first.done) return emptyBody(declared)
  const { charset } = encodingOf(c, declared)
  async function* checkedPieces() {
    try {
      for (let next = first; !next.done; next = await pieces.next()) {
        refuseForeign(charset, next.value)
        yield next.value
      }
    } finally {
      await pieces.return(undefined)
    }
  }
  return { media: 'json', fields: objectOf(await parseJson(checkedPieces())) }
}

function emptyBody({ required, schema }: BodyDeclaration): ReceivedBody {
  if (!required) return { media: 'none', fields: {} }
  const names = [...fieldsOf(schema).keys()].join(', ')
  throw invalid(`The body is empty; it must be an object with ${names}.`)
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>
  }
  let got = typeof value === 'string' ? 'a string' : `a ${typeof value}`
  if (value === null) got = 'null'
  if (Array.isArray(value)) got = 'an array'
  throw invalid(`The body must be a JSON object; got ${got}.`)
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
    throw invalid(`The charset of Content-Type must be ${rule}; got ${printValue(charset)}.`)
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
function refuseForeign(charset: string, bytes: Uint8Array): void {
  if (!asciiCharsets.includes(charset) || bytes.every((byte) => byte < 0x80)) return
  throw invalid(
    `The body must be in ASCII, as the charset of Content-Type is ${charset}; write it in utf-8.`,
  )
}

function invalid(message: string): RefusalError {
  return new RefusalError('invalid_request', message)
}
