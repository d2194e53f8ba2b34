/** Fields of an operation as options: which options there are, and how typed text becomes the value of a field. */
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import * as z from 'zod'
import { controlRoutes } from '../http/control/routes.ts'
import { v1Operations } from '../operations/v1.ts'
import type { Declaration } from '../surface/operation.ts'
import { fieldsOf, metaOf, optionsOf, unwrap } from '../surface/schema-walk.ts'
import { CannotRun, UsageError } from './usage.ts'

export type Declarations = ReadonlyMap<string, Declaration>

export const declarations: Declarations = new Map(
  [...v1Operations, ...controlRoutes].map((each) => [each.operationId, each]),
)

/** An object with more fields is written as JSON: that many options would hide the others. */
const FLATTENED_MAX = 10

/** Of more words, such as the codes of currencies and the assumptions, help lists none. */
const LISTED_MAX = 35

export interface Field {
  /** Its place in the body or the query: `['match', 'operation']`. */
  readonly path: readonly string[]
  readonly schema: z.ZodType
  /** What it is, in words; of several alternatives, what it is in each. */
  readonly description: string
  /** Those that it takes, or each element of a list, where there are only some. */
  readonly words: readonly string[]
}

/** Every field that has an option. The fields of a nested object have options; the object itself has none. */
export function leavesOf(schema: z.ZodType, within: readonly string[] = []): Field[] {
  return [...fieldsOf(schema)].flatMap(([name, field]) => {
    const path = [...within, name]
    const inner = unwrap(field)
    const isFlat = inner instanceof z.ZodObject && fieldsOf(inner).size <= FLATTENED_MAX
    if (isFlat) return leavesOf(inner, path)
    const each = alternatives(schema, name)
    const description = [...new Set(each.map(descriptionOf))].join(' Or: ')
    return [{ path, schema: field, description, words: wordsOfAll(each) }]
  })
}

/** A field as each alternative of an object has it. */
function alternatives(schema: z.ZodType, name: string): z.ZodType[] {
  const options = optionsOf(schema)
  return options.length === 0
    ? [fieldsOf(schema).get(name) ?? []].flat()
    : options.flatMap((option) => alternatives(option, name))
}

/** The option of a field: `--match-operation <text>`. */
export function optionOf(
  { path, schema, description, words }: Field,
  name = path.join('-'),
): Option {
  const flag = `--${name.replaceAll('_', '-')}`
  const kind = kindOf(schema)
  const value = kind === 'switch' ? ' [true|false]' : ` <${kind}>`
  const isListed = kind !== 'switch' && words.length > 0 && words.length <= LISTED_MAX
  const isSaid = isListed && description === `one of ${words.join(', ')}`
  const option = new Option(`${flag}${value}`, isSaid ? '' : description)
  // For help and completion: the operation refuses other words, in its own sentence.
  if (isListed) option.argChoices = [...words]
  return option
}

/** The words of a schema, also where a setting can add one to them. */
function wordsOf(schema: z.ZodType): string[] {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodEnum) return inner.options.map(String)
  if (inner instanceof z.ZodLiteral) return [...inner.values].map(String)
  if (inner instanceof z.ZodArray) return wordsOf(inner.element as z.ZodType)
  return [...new Set(optionsOf(inner).flatMap(wordsOf))]
}

/** None where one of the alternatives takes any text. */
function wordsOfAll(schemas: readonly z.ZodType[]): string[] {
  const each = schemas.map(wordsOf)
  return each.every((words) => words.length > 0) ? [...new Set(each.flat())] : []
}

export function descriptionOf(schema: z.ZodType): string {
  const described = schema.meta()?.description ?? unwrap(schema).meta()?.description
  return described ?? metaOf(schema).accepts ?? ''
}

/** What is typed for a field; nothing has to follow a `switch`. */
type Kind = 'switch' | 'number' | 'list' | 'json' | 'text'

function kindOf(schema: z.ZodType): Kind {
  const inner = unwrap(schema)
  const { type } = inner.def
  if (type === 'boolean' || (inner instanceof z.ZodEnum && inner.options.includes('true'))) {
    return 'switch'
  }
  if (type === 'number') return 'number'
  if (inner instanceof z.ZodArray)
    return kindOf(inner.element as z.ZodType) === 'text' ? 'list' : 'json'
  const alternatives = optionsOf(inner)
  if (alternatives.length > 0 && alternatives.every((each) => kindOf(each) === 'json'))
    return 'json'
  return type === 'object' || type === 'record' ? 'json' : 'text'
}

/**
 * The value of a field, from the text of its option. Text that cannot be parsed is sent unchanged, so that the operation
 * says what it accepts. `null` is read as null unless the field accepts that text. Throws `UsageError` for invalid JSON.
 */
export function readValue(name: string, schema: z.ZodType, typed: string | true): unknown {
  if (typed === true) return true
  const kind = kindOf(schema)
  const isWord = kind === 'text' && schema.safeParse(typed).success
  if (typed === 'null' && !isWord && schema.safeParse(null).success) return null
  if (kind === 'switch' && /^(true|false)$/.test(typed)) return typed === 'true'
  const isNumber = /^-?\d+(\.\d+)?$/.test(typed)
  if (kind === 'number' && isNumber) return Number(typed)
  if (kind === 'list') return typed.split(',').map((each) => each.trim())
  if (kind === 'json') return readJson(name, typed)
  // One of a few values, which may be numbers.
  return isNumber && !isWord && schema.safeParse(Number(typed)).success ? Number(typed) : typed
}

/** Reads JSON. Throws `UsageError` with what it was meant for. */
function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message repeats the text, which may be of several lines.
    const reason = (error as Error).message.replace(/\p{Cc}/gu, (character) =>
      JSON.stringify(character).slice(1, -1),
    )
    throw new UsageError(`${name} must be JSON: ${reason}.`)
  }
}

/** The body in a file. Throws `UsageError` where it is not JSON, and `CannotRun` where it cannot be read. */
export function bodyIn(file: string): Record<string, unknown> {
  const body = readJson('--body', textIn(file))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw new UsageError('--body must be a JSON object.')
}

function textIn(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new CannotRun(`--body "${file}" cannot be read: ${(error as Error).message}`)
  }
}

export function putAt(
  target: Record<string, unknown>,
  [step = '', ...rest]: readonly string[],
  value: unknown,
): void {
  const inner = { ...(target[step] as Record<string, unknown> | undefined) }
  if (rest.length > 0) putAt(inner, rest, value)
  target[step] = rest.length > 0 ? inner : value
}
