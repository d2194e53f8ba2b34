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
import { fieldsOf, type ScalarKind, scalarKindOf } from '../../surface/schema-walk.ts'
import { readBytes, readPieces } from './bytes.ts'
import { parseForm } from './form.ts'
import { notUtf8, parseJson } from './json.ts'

const utf8 = new TextDecoder()

/** A body as it came: how it was written, and its fields; none for an empty one. */
export interface ReceivedBody {
  readonly media: Media | 'none'
  readonly fields: Record<string, unknown>
}

/** Reads the JSON object in a body, of at most so many values. Throws 400 for what is none. */
export async function readJsonObject(
  bytes: Uint8Array,
  valuesMax = Number.POSITIVE_INFINITY,
): Promise<Record<string, unknown>> {
  return objectOf(await parseJson([bytes], valuesMax))
}

/** Reads the body of a request. Throws 413, 415 or 400, in this order. */
export async function receiveBody(c: Context, declared: BodyDeclaration): Promise<ReceivedBody> {
  const limit = declared.limitBytes ?? BODY_LIMIT_BYTES
  if (limit > BODY_LIMIT_BYTES) return receivePieces(c, declared, limit)
  const bytes = await readBytes(c, limit)
  if (bytes.byteLength === 0) return emptyBody(declared)
  refuseEncoding(c, declared)
  const media = mediaOf(c, declared)
  refuseForeign(c, bytes)
  if (media === 'json') return { media, fields: await readJsonObject(bytes, JSON_VALUES_MAX) }
  if (!isUtf8(bytes)) throw notUtf8()
  const texts = parseForm(utf8.decode(bytes), 'body')
  return { media, fields: readScalars(texts, declared.schema) }
}

/** The bytes of a body that is parsed elsewhere. Throws 413, 415 or 400, in this order. */
export async function receiveRaw(c: Context, declared: BodyDeclaration): Promise<Uint8Array> {
  const bytes = await readBytes(c, declared.limitBytes ?? BODY_LIMIT_BYTES)
  if (bytes.byteLength === 0) emptyBody(declared)
  refuseEncoding(c, declared)
  mediaOf(c, declared)
  refuseForeign(c, bytes)
  return bytes
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
  refuseEncoding(c, declared)
  mediaOf(c, declared)
  return {
    media: 'json',
    fields: objectOf(await parseJson(startingWith(c, first.value, pieces))),
  }
}

async function* startingWith(c: Context, first: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  refuseForeign(c, first)
  yield first
  for await (const piece of rest) {
    refuseForeign(c, piece)
    yield piece
  }
}

function emptyBody({ required, schema }: BodyDeclaration): ReceivedBody {
  if (!required) return { media: 'none', fields: {} }
  const names = [...fieldsOf(schema).keys()].join(', ')
  throw invalid(`The body is empty; it must be an object with ${names}.`)
}

/**
 * Reads fields that came as bare text by what their schemas expect. Text that does not read as its kind stays text,
 * for the schema to refuse. (Assumption form-scalars)
 */
export function readScalars(
  texts: ReadonlyMap<string, string>,
  schema: BodyDeclaration['schema'],
): Record<string, unknown> {
  const known = fieldsOf(schema)
  const fields: Record<string, unknown> = {}
  for (const [name, text] of texts) {
    const value = readScalar(text, scalarKindOf(known.get(name)))
    // A field like any other, but not to be assigned.
    if (name === '__proto__') Object.defineProperty(fields, name, { value, enumerable: true })
    else fields[name] = value
  }
  return fields
}

const integerText = /^(?:0|[1-9][0-9]{0,14})$/

function readScalar(text: string, kind: ScalarKind): string | number | boolean {
  if (kind === 'integer' && integerText.test(text)) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
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

function refuseEncoding(c: Context, { foreignMedia }: BodyDeclaration): void {
  const encoding = c.req.header('Content-Encoding') ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  throw new RefusalError(
    foreignMedia ?? 'unsupported_media_type',
    `Content-Encoding must be absent or identity; got ${printValue(encoding)}.`,
  )
}

function mediaOf(c: Context, declared: BodyDeclaration): Media {
  const [type = '', ...parameters] = parametersOf(c)
  const media = declared.media.find((each) => mediaTypes[each] === type)
  if (media === undefined) {
    const accepted = declared.media.map((each) => mediaTypes[each]).join(' or ')
    const got = type === '' ? 'nothing' : printValue(type)
    throw new RefusalError(
      declared.foreignMedia ?? 'unsupported_media_type',
      `Content-Type must be ${accepted}; got ${got}.`,
    )
  }
  const charset = charsetIn(parameters)
  if (!/^utf-?8$/.test(charset) && !asciiCharsets.includes(charset)) {
    const accepted = `utf-8, or for a body in ASCII ${asciiCharsets.join(' or ')}`
    throw invalid(`The charset of Content-Type must be ${accepted}; got ${printValue(charset)}.`)
  }
  return media
}

/** Charsets that write ASCII as UTF-8 does: clients in Java name them by default. */
const asciiCharsets = ['iso-8859-1', 'us-ascii']

function charsetIn(parameters: readonly string[]): string {
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return charset?.slice('charset='.length).replace(/^"(.*)"$/, '$1') ?? 'utf-8'
}

/** Refuses bytes beyond ASCII in a charset whose other bytes mean something else than in UTF-8. */
function refuseForeign(c: Context, bytes: Uint8Array): void {
  const [, ...parameters] = parametersOf(c)
  const charset = charsetIn(parameters)
  if (!asciiCharsets.includes(charset) || bytes.every((byte) => byte < 0x80)) return
  throw invalid(
    `The body must be in ASCII, as the charset of Content-Type is ${charset}; write it in utf-8.`,
  )
}

function parametersOf(c: Context): readonly string[] {
  const header = c.req.header('Content-Type') ?? ''
  if (!header.includes(';')) return [header.trim().toLowerCase()]
  return header.split(';').map((part) => part.trim().toLowerCase())
}

function invalid(message: string): RefusalError {
  return new RefusalError('invalid_request', message)
}
