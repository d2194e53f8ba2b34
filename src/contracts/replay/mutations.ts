/** Mutations: the ways in which an answer is changed to see whether a pact notices. */
import { toDotPath } from 'zod/v4/core'
import { treeIn } from '../common/json.ts'
import { headerIn, type ProviderAnswer } from './exchange-recorder.ts'

type Path = readonly (string | number)[]

export interface Mutation {
  /** The field that it changes; empty for the answer as a whole. */
  readonly at: string
  readonly change: 'status' | 'dropped' | 'type' | 'value'
  readonly answer: ProviderAnswer
}

const DAY_MS = 86_400_000
const CHANGED = 'changed'

/** Every mutation of an answer: its status, and each field of its JSON; of a list, the fields of its first element. */
export function mutationsOf(answer: ProviderAnswer): Mutation[] {
  const status = answer.status < 400 ? 500 : 200
  const whole: Mutation = { at: '', change: 'status', answer: { ...answer, status } }
  const isJson = /\bjson\b/i.test(headerIn(answer.headers, 'content-type') ?? '')
  const json = isJson ? treeIn(answer.body) : undefined
  // An empty body, for one: whatever its type says, it has no fields to change.
  if (json === undefined) return [whole]
  const fields = fieldsIn(json, []).flatMap(({ path, value }) => {
    const at = toDotPath([...path])
    const changed = (change: Mutation['change'], to: unknown): Mutation => {
      const body = JSON.stringify(replaceAt(json, path, to))
      return { at, change, answer: { ...answer, body } }
    }
    const other = otherValue(value)
    return [
      // JSON leaves out what is undefined.
      changed('dropped', undefined),
      changed('type', typeof value === 'string' ? 7 : CHANGED),
      ...(other === undefined ? [] : [changed('value', other)]),
    ]
  })
  return [whole, ...fields]
}

function fieldsIn(value: unknown, at: Path): { path: Path; value: unknown }[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : fieldsIn(value[0], [...at, 0])
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => {
    const path = [...at, name]
    return [{ path, value: field }, ...fieldsIn(field, path)]
  })
}

/** A copy with something else at a path. */
function replaceAt(value: unknown, [first, ...rest]: Path, to: unknown): unknown {
  if (first === undefined) return to
  if (Array.isArray(value)) {
    return value.map((each, index) => (index === first ? replaceAt(each, rest, to) : each))
  }
  const fields = value as Readonly<Record<string, unknown>>
  return { ...fields, [first]: replaceAt(fields[first], rest, to) }
}

/** Another value of the same type and form; undefined if none exists. */
function otherValue(value: unknown): unknown {
  if (typeof value === 'string') return otherText(value)
  // Beyond 2^53 one more may be the same number.
  if (typeof value === 'number') return value + 1 === value ? 1 : value + 1
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value)) return [...value, value.at(-1) ?? CHANGED]
  return undefined
}

/** Another text of the same form, which a matcher for that form accepts: dates and instants stay such, letters letters. */
function otherText(text: string): string {
  const [date = ''] = /^\d{4}-\d{2}-\d{2}(?=T|$)/.exec(text) ?? []
  const at = Date.parse(date)
  if (!Number.isNaN(at)) return text.replace(date, new Date(at + DAY_MS).toISOString().slice(0, 10))
  const last: Readonly<Record<string, string>> = { 9: '0', z: 'a', Z: 'A' }
  const shifted = text.replace(
    /[a-z0-9]/gi,
    (one) => last[one] ?? String.fromCharCode(one.charCodeAt(0) + 1),
  )
  return shifted === text ? `${text}${CHANGED}` : shifted
}
