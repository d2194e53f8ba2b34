/** Pages of lists. Owns how the records that a page holds are found, and what becomes of an unknown cursor. */
import { fieldsRefused, printValue } from '../surface/field-problems.ts'
import { camelKeys } from '../wire/case.ts'
import { listedOf } from '../world/records.ts'

/** Which part of a list to answer, and what its records must have in other fields. */
export interface PageOrder {
  readonly limit: number
  readonly after?: string | undefined
  readonly [field: string]: unknown
}

export interface Page<Wire> {
  data: Wire[]
  has_more: boolean
  next_after: string | null
}

/** One page of records in the order in which they were made. Throws 400 for an unknown cursor. */
export function takePage<Value extends object | string, Wire>(
  records: ReadonlyMap<string, Value>,
  { limit, after, ...filter }: PageOrder,
  present: (value: Value) => Wire,
): Page<Wire> {
  if (after !== undefined && !records.has(after)) throw unknownCursor(after)
  const wanted = Object.entries(camelKeys(filter)).filter(([, value]) => value !== undefined)
  const listing = { filter: Object.fromEntries(wanted), after, limit: limit + 1 }
  const listed = listedOf(records, listing)
  const found = listed.slice(0, limit)
  const hasMore = listed.length > limit
  return {
    data: found.map(([, record]) => present(record)),
    has_more: hasMore,
    next_after: hasMore ? (found.at(-1)?.[0] ?? null) : null,
  }
}

/** The refusal of a cursor that no page ended with. */
export function unknownCursor(after: string | number): Error {
  const message = `after must be the next_after of the page before; got ${printValue(after)}.`
  return fieldsRefused([{ field: 'after', message }])
}
