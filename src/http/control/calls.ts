/**
 * What the operations of the control plane share: reading and executing in the sandbox that a request belongs to, and
 * paging through its records.
 */
import type { Context } from 'hono'
import type { LookAheadWork } from '../../sandbox/look-ahead.ts'
import type { WorldCommand } from '../../sandbox/sandbox-parts.ts'
import { orThrow } from '../../surface/refusals.ts'
import { camelKeys } from '../../wire/case.ts'
import { listedOf } from '../../world/indexed-map.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { noteWarnings } from '../assumptions.ts'
import { fieldsRefused, printValue } from '../request/field-errors.ts'
import { requestIdInTurn } from '../request-id.ts'

/** Answers a question about the world, in its turn; throws where it is refused. */
export async function readInWorld<Value>(
  c: Context,
  question: (world: World) => Value | Refusal | Promise<Value | Refusal>,
): Promise<Value> {
  return orThrow<Value>(await c.get('sandbox').read(question))
}

/** Works on a fork of the world, and no longer than the client waits for it; throws where it is refused. */
export async function lookAhead<Value>(
  c: Context,
  work: LookAheadWork<Value | Refusal>,
): Promise<Value> {
  return orThrow<Value>(await c.get('sandbox').lookAhead(work, c.req.raw.signal))
}

/** Executes a command; throws where it is refused. */
export async function executeInWorld<Value>(
  c: Context,
  command: WorldCommand<Value>,
): Promise<Value> {
  const executed = await c.get('sandbox').execute(command, () => requestIdInTurn(c))
  const { value, assumptions } = orThrow(executed)
  noteWarnings(c, assumptions)
  return value
}

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

/** One page of records in the order in which they were made. Throws 400 for a cursor that is none. */
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
