/** Invalid fields of a request as a refusal, and the form of values in messages. */
import { type FieldProblem, LOOKED_AT_MAX, RefusalError, SHOWN_MAX, shortened } from './refusals.ts'
import { childOf } from './schema-walk.ts'

/** The most problems that a refusal lists, and that are computed. */
export const PROBLEMS_SHOWN_MAX = 20

/** The refusal of a request with these problems, and with so many more that were not computed. */
export function fieldsRefused(problems: readonly FieldProblem[], more = 0): RefusalError {
  const fields = problems.slice(0, PROBLEMS_SHOWN_MAX)
  const sentences = fields.map((problem) => problem.message)
  const hidden = problems.length - fields.length + more
  if (hidden > 0) sentences.push(`${hidden} more problems are not listed.`)
  const assumptions = fields.flatMap(({ assumption }) => assumption ?? [])
  return new RefusalError('invalid_request', sentences.join(' '), { fields, assumptions })
}

/** The refusal of one field, for a rule that is put into words after its name. */
export function fieldRefused(field: string, rule: string): RefusalError {
  return fieldsRefused([{ field, message: `${field} ${rule}.` }])
}

/** A value in a message: JSON, cut short. */
export function printValue(value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) return 'a number out of range'
  const text = JSON.stringify(beginningOf(value, { values: SHOWN_MAX })) ?? 'nothing'
  const shown = shortened(text)
  return text.length > shown.length && shown.length === SHOWN_MAX ? `${shown}...` : shown
}

/** The printed part of a value, since a body may be one value. */
function beginningOf(value: unknown, left: { values: number }): unknown {
  left.values -= 1
  if (typeof value === 'string') return value.slice(0, LOOKED_AT_MAX)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.slice(0, Math.max(0, left.values)).map((each) => beginningOf(each, left))
  }
  const names = Object.keys(value).slice(0, Math.max(0, left.values))
  return Object.fromEntries(names.map((name) => [name, beginningOf(childOf(value, name), left)]))
}
