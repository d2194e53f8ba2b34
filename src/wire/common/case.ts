/**
 * Wire spelling: the camel case of code as the snake case of the wire, and back. Owns how records are presented by the
 * shape that they have on the wire.
 */
import type * as z from 'zod'
import { TimeSlice } from '../../world/time-slice.ts'

/** `currentPeriodEnd` becomes `current_period_end`. */
export type SnakeKey<Text extends string> = Text extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeKey<Tail>}`
  : Text

/** `current_period_end` becomes `currentPeriodEnd`. */
type CamelKey<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelKey<Tail>>}`
  : Text

/** A flat record with its keys in snake case. */
export type SnakeKeys<Fields extends object> = {
  [Key in keyof Fields as Key extends string ? SnakeKey<Key> : never]: Fields[Key]
}

/** A flat record with its keys in camel case. What is left out is absent: JSON cannot write undefined. */
export type CamelKeys<Fields extends object> = {
  [Key in keyof Fields as Key extends string ? CamelKey<Key> : never]: Exclude<
    Fields[Key],
    undefined
  >
}

/** Spells one key as the wire does. */
export const snakeKey = memoizeKey((key) =>
  key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
)

/** Spells one key as code does. */
function camelKey(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** For keys that a schema has, which are few; those of a document are without end. */
const ownCamelKey = memoizeKey(camelKey)

/** Spells the keys of a flat record as the wire does. */
export function snakeKeys<Fields extends object>(fields: Fields): SnakeKeys<Fields> {
  return renameKeys(fields, snakeKey) as SnakeKeys<Fields>
}

/** Spells the keys of a flat record as code does. */
export function camelKeys<Fields extends object>(fields: Fields): CamelKeys<Fields> {
  return renameKeys(fields, ownCamelKey) as CamelKeys<Fields>
}

/** The fields of a record that a shape of the wire has, and no others. */
export function presentAs<Shape extends z.ZodObject>(
  { shape }: Shape,
  record: CamelKeys<z.input<Shape>>,
): z.input<Shape> {
  const fields = record as Readonly<Record<string, unknown>>
  const presented: Record<string, unknown> = {}
  for (const key in shape) presented[key] = fields[ownCamelKey(key)]
  return presented as z.input<Shape>
}

/** The same spelling, worked out once for each key: there are few keys, each of them many thousand times. */
function memoizeKey(rename: (key: string) => string): (key: string) => string {
  const renamed = new Map<string, string>()
  return (key) => {
    const known = renamed.get(key)
    if (known !== undefined) return known
    const made = rename(key)
    renamed.set(key, made)
    return made
  }
}

function renameKeys(fields: object, rename: (key: string) => string): object {
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) renamed[rename(key)] = value
  return renamed
}

/** Spells every key of a value as the wire does, at every depth. */
export function snakeDeep(value: unknown): unknown {
  return renameDeep(value, snakeKey)
}

/** Spells every key of a document as code does, in time slices. Throws `misspelt` for a key in camel case. */
export async function camelDocument(
  document: Readonly<Record<string, unknown>>,
  misspelt: (key: string) => Error,
): Promise<Record<string, unknown>> {
  const codeKey = memoizeKey((key) => {
    if (/[A-Z]/.test(key)) throw misspelt(key)
    return camelKey(key)
  })
  const slice = new TimeSlice()
  const renamed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(document)) {
    if (!Array.isArray(value)) {
      renamed[codeKey(key)] = renameDeep(value, codeKey)
      continue
    }
    const list: unknown[] = []
    renamed[codeKey(key)] = list
    for (const record of value) {
      list.push(renameDeep(record, codeKey))
      if (slice.isOver()) await slice.next()
    }
  }
  return renamed
}

function renameDeep(value: unknown, rename: (key: string) => string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => renameDeep(each, rename))
  const fields = value as Readonly<Record<string, unknown>>
  const renamed: Record<string, unknown> = {}
  // Without a pair for each field, which takes three times as long.
  for (const key of Object.keys(fields)) {
    setMember(renamed, rename(key), renameDeep(fields[key], rename))
  }
  return renamed
}

/** Sets a member of an object that was sent; `__proto__` is one like any other, but not to be assigned. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value
  else {
    const member = { value, enumerable: true, configurable: true, writable: true }
    Object.defineProperty(object, name, member)
  }
}
