/**
 * JSON text: reads it without ever repeating it. The engine's own messages quote the source, which may hold a token,
 * and differ between versions; here a fault is a position. Also bounds nesting and refuses a key that comes twice.
 */
import { RefusalError } from './errors.ts'
import { printName } from './form.ts'

/** How deep arrays and objects may be nested. */
export const JSON_DEPTH_MAX = 32

const space = /[ \t\n\r]*/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON bars exactly these from strings.
const string = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y
const scalar = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

interface Cursor {
  readonly text: string
  at: number
}

/** Reads JSON text. Throws 400 with the position of the first fault. */
export function parseJson(text: string): unknown {
  const cursor: Cursor = { text, at: 0 }
  readValue(cursor, 1)
  skip(cursor, space)
  if (cursor.at < text.length) throw fault(cursor, 'nothing more')
  return JSON.parse(text)
}

function readValue(cursor: Cursor, depth: number): void {
  skip(cursor, space)
  const opening = cursor.text[cursor.at]
  if (opening !== '{' && opening !== '[') {
    if (!skip(cursor, string) && !skip(cursor, scalar)) throw fault(cursor, 'a value')
    return
  }
  if (depth > JSON_DEPTH_MAX) {
    throw refused(`The JSON is nested deeper than ${JSON_DEPTH_MAX} levels.`)
  }
  cursor.at += 1
  if (opening === '{') readMembers(cursor, depth)
  else readElements(cursor, depth)
}

function readMembers(cursor: Cursor, depth: number): void {
  const names = new Set<string>()
  if (ends(cursor, '}')) return
  do {
    const name = readName(cursor)
    if (names.has(name)) {
      throw refused(`${printName(name)} is given twice; it would be accepted once.`)
    }
    names.add(name)
    readValue(cursor, depth + 1)
  } while (continues(cursor, '}'))
}

function readElements(cursor: Cursor, depth: number): void {
  if (ends(cursor, ']')) return
  do readValue(cursor, depth + 1)
  while (continues(cursor, ']'))
}

function readName(cursor: Cursor): string {
  skip(cursor, space)
  const start = cursor.at
  if (!skip(cursor, string)) throw fault(cursor, 'a name in double quotes')
  const name = JSON.parse(cursor.text.slice(start, cursor.at)) as string
  skip(cursor, space)
  if (cursor.text[cursor.at] !== ':') throw fault(cursor, 'a colon')
  cursor.at += 1
  return name
}

function ends(cursor: Cursor, closing: string): boolean {
  skip(cursor, space)
  if (cursor.text[cursor.at] !== closing) return false
  cursor.at += 1
  return true
}

function continues(cursor: Cursor, closing: string): boolean {
  if (ends(cursor, closing)) return false
  if (cursor.text[cursor.at] !== ',') throw fault(cursor, `a comma or ${closing}`)
  cursor.at += 1
  return true
}

function skip(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at
  if (!pattern.test(cursor.text)) return false
  cursor.at = pattern.lastIndex
  return true
}

function fault(cursor: Cursor, accepted: string): RefusalError {
  const place = cursor.at >= cursor.text.length ? 'at its end' : `at character ${cursor.at + 1}`
  return refused(`The body is not JSON: ${place}, ${accepted} would be accepted.`)
}

function refused(message: string): RefusalError {
  return new RefusalError('invalid_request', message)
}
