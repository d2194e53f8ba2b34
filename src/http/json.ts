/**
 * JSON text: reads it without ever repeating it. The engine's own messages quote the source, which may hold a token,
 * and differ between versions; here a fault is a position. Also bounds nesting and the number of values, refuses a key
 * that comes twice, and lets other calls go on while it reads a long text.
 */
import { setImmediate } from 'node:timers/promises'
import { RefusalError } from './errors.ts'
import { printName } from './form.ts'

/** How deep arrays and objects may be nested. */
export const JSON_DEPTH_MAX = 32

/** How many members one object may have: what checks it looks at all of them in one go. */
export const JSON_MEMBERS_MAX = 10_000

/** How long a text is read before other calls are looked after. */
const SLICE_MS = 10
/** How many values are read before the time is looked at. */
const VALUES_PER_LOOK = 256

const space = /[ \t\n\r]*/y
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

type Container =
  | {
      readonly closing: '}'
      readonly value: Record<string, unknown>
      name: string
      members: number
    }
  | { readonly closing: ']'; readonly value: unknown[] }

interface Reader {
  readonly text: string
  at: number
  /** How many values were read, of how many there may be. */
  values: number
  readonly valuesMax: number
  /** The arrays and objects that are open, the innermost last. */
  readonly open: Container[]
  result: unknown
  isWhole: boolean
}

/** Reads JSON text of at most so many values. Throws 400 with the position of the first fault. */
export async function parseJson(text: string, valuesMax = Number.POSITIVE_INFINITY) {
  const open: Container[] = []
  const reader: Reader = { text, at: 0, values: 0, valuesMax, open, result: null, isWhole: false }
  while (!readSlice(reader)) await setImmediate()
  skip(reader, space)
  if (reader.at < text.length) throw fault(reader, 'nothing more')
  return reader.result
}

/** Reads on for a while; answers whether the text's value is whole. */
function readSlice(reader: Reader): boolean {
  const until = performance.now() + SLICE_MS
  do {
    for (let count = 0; count < VALUES_PER_LOOK && !reader.isWhole; count += 1) readValue(reader)
  } while (!reader.isWhole && performance.now() < until)
  return reader.isWhole
}

/** Reads a scalar, or the opening of an array or object up to its first value, and everything that closes after it. */
function readValue(reader: Reader): void {
  reader.values += 1
  if (reader.values > reader.valuesMax) {
    throw refused(`The JSON holds more than ${reader.valuesMax} values.`)
  }
  skip(reader, space)
  const opening = reader.text[reader.at]
  if (opening === '{' || opening === '[') readOpening(reader, opening)
  else if (opening === '"') complete(reader, readString(reader, 'a value'))
  else complete(reader, readScalar(reader))
}

function readScalar(reader: Reader): unknown {
  const start = reader.at
  if (!skip(reader, scalar)) throw fault(reader, 'a value')
  return JSON.parse(reader.text.slice(start, reader.at))
}

function readOpening(reader: Reader, opening: '{' | '['): void {
  if (reader.open.length === JSON_DEPTH_MAX) {
    throw refused(`The JSON is nested deeper than ${JSON_DEPTH_MAX} levels.`)
  }
  reader.at += 1
  const container: Container =
    opening === '{'
      ? { closing: '}', value: {}, name: '', members: 0 }
      : { closing: ']', value: [] }
  if (ends(reader, container)) {
    complete(reader, container.value)
    return
  }
  if (container.closing === '}') readName(reader, container)
  reader.open.push(container)
}

/** Puts a value where it belongs, and closes what it is the last of. */
function complete(reader: Reader, value: unknown): void {
  let whole = value
  for (let inner = reader.open.at(-1); inner !== undefined; inner = reader.open.at(-1)) {
    put(inner, whole)
    if (continues(reader, inner)) {
      if (inner.closing === '}') readName(reader, inner)
      return
    }
    reader.open.pop()
    whole = inner.value
  }
  reader.result = whole
  reader.isWhole = true
}

function put(container: Container, value: unknown): void {
  if (container.closing === ']') container.value.push(value)
  else if (container.name !== '__proto__') container.value[container.name] = value
  // A member like any other, but not to be assigned.
  else {
    const member = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(container.value, container.name, member)
  }
}

function readName(reader: Reader, object: Container & { readonly closing: '}' }): void {
  skip(reader, space)
  const name = readString(reader, 'a name in double quotes')
  if (Object.hasOwn(object.value, name)) {
    throw refused(`${printName(name)} is given twice; it would be accepted once.`)
  }
  object.members += 1
  if (object.members > JSON_MEMBERS_MAX) {
    throw refused(`The JSON holds an object of more than ${JSON_MEMBERS_MAX} members.`)
  }
  skip(reader, space)
  if (reader.text[reader.at] !== ':') throw fault(reader, 'a colon')
  reader.at += 1
  object.name = name
}

/** A pattern would need a stack as deep as the text has escapes. */
function readString(reader: Reader, accepted: string): string {
  const { text, at } = reader
  const end = text[at] === '"' ? endOfString(text, at + 1) : -1
  if (end === -1) throw fault(reader, accepted)
  try {
    const read = JSON.parse(text.slice(at, end)) as string
    reader.at = end
    return read
  } catch {
    throw fault(reader, accepted)
  }
}

/** Behind the quote that ends a string; -1 where none does. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 1)) {
    let escapes = at
    while (text[escapes - 1] === '\\') escapes -= 1
    if ((at - escapes) % 2 === 0) return at + 1
  }
  return -1
}

function ends(reader: Reader, { closing }: Container): boolean {
  skip(reader, space)
  if (reader.text[reader.at] !== closing) return false
  reader.at += 1
  return true
}

function continues(reader: Reader, container: Container): boolean {
  if (ends(reader, container)) return false
  if (reader.text[reader.at] !== ',') throw fault(reader, `a comma or ${container.closing}`)
  reader.at += 1
  return true
}

function skip(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at
  if (!pattern.test(reader.text)) return false
  reader.at = pattern.lastIndex
  return true
}

function fault({ text, at }: Reader, accepted: string): RefusalError {
  const place = at >= text.length ? 'at its end' : `at character ${at + 1}`
  return refused(`The body is not JSON: ${place}, ${accepted} would be accepted.`)
}

function refused(message: string): RefusalError {
  return new RefusalError('invalid_request', message)
}
