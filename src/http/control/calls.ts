/**
 * What the operations of the control plane share: reading and executing in the sandbox that a request belongs to,
 * paging through its records, and the parts of their declarations that are alike.
 */
import type { Context } from 'hono'
import * as z from 'zod'
import type { LookAheadWork } from '../../sandbox/look-ahead.ts'
import type { WorldCommand } from '../../sandbox/sandbox.ts'
import { orThrow } from '../../surface/refusals.ts'
import { childOf } from '../../surface/schema-walk.ts'
import { camelKeys } from '../../wire/case.ts'
import { pageOf } from '../../wire/fields.ts'
import type { Refusal } from '../../world/refusal.ts'
import type { World } from '../../world/world.ts'
import { fieldsRefused, printValue } from '../request/field-errors.ts'
import { requestIdOf } from '../stamp.ts'

/** Everything on the control plane is the sandbox's own, and open. */
export const controlPlane = { source: 'sandbox', security: 'none' } as const

/** Bodies of the control plane are JSON. */
export const json = { media: ['json'], required: true } as const

/** The reply 200 with one thing. */
export function answers<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { 200: { description, schema, source: 'sandbox' } } as const
}

/** The reply 201 with what was made. */
export function makes<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { 201: { description, schema, source: 'sandbox' } } as const
}

/** The reply 204. */
export const deletes = {
  204: { description: 'It is gone.', schema: null, source: 'sandbox' },
} as const

/** The reply 200 with one page of a list. */
export function pages<Item extends z.ZodType>(name: string, item: Item) {
  return answers('One page of them.', pageOf(name, item, z.string()))
}

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

/** Carries out a command; throws where it is refused. */
export async function executeInWorld<Value>(
  c: Context,
  command: WorldCommand<Value>,
): Promise<Value> {
  return orThrow(await c.get('sandbox').execute(command, requestIdOf(c))).value
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
  const data: Wire[] = []
  let isReached = after === undefined
  let last: string | null = null
  for (const [id, record] of records) {
    if (isReached && wanted.every(([key, value]) => childOf(record, key) === value)) {
      if (data.length === limit) return { data, has_more: true, next_after: last }
      data.push(present(record))
      last = id
    }
    isReached ||= id === after
  }
  return { data, has_more: false, next_after: null }
}

/** The refusal of a cursor that no page ended with. */
export function unknownCursor(after: string | number): Error {
  const message = `after must be the next_after of the page before; got ${printValue(after)}.`
  return fieldsRefused([{ field: 'after', message }])
}
