/**
 * Faults: deliberate failures of calls on /v1. Owns which calls a fault hits, purely: the same calls in the same order
 * are hit again. Does not apply the effect to an answer.
 */
import * as z from 'zod'
import { COUNT_MAX } from '../billing/money.ts'
import { Count } from './sequences.ts'

/** The longest delay that a fault causes, in real time: before an answer, and while it is sent. */
export const FAULT_MS_MAX = 60_000

const SEED_MAX = 2 ** 32 - 1

export const bodilessStatuses = [204, 205, 304]

export const HeaderName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/)

export const HeaderValue = z.string().regex(/^[\x20-\x7e]{0,1000}$/)

/** Whether only the server may write this response header: framing headers, and the headers of every response. */
export function isReservedHeader(name: string): boolean {
  return /^(?:content-length|transfer-encoding|trailer|connection|request-id|sandbox-.*)$/i.test(
    name,
  )
}

const Milliseconds = z.int().min(0).max(FAULT_MS_MAX)
/** The most characters of a value that is compared, and of a body that a fault answers with. */
export const VALUE_MAX = 1000
export const BODY_MAX = 65_536

const NamedText = z.strictObject({ name: z.string(), value: z.string().max(VALUE_MAX) })

/** Before the operation, which then runs only if the fault leaves the answer to it; or after it. */
export const FaultTime = z.enum(['before', 'after'])

const FaultEffect = z.strictObject({
  /** Null if the operation answers. */
  status: z
    .int()
    .min(200)
    .max(599)
    .refine((status) => !bodilessStatuses.includes(status))
    .nullable(),
  body: z
    .strictObject({ media: z.enum(['json', 'text']), text: z.string().max(BODY_MAX) })
    .nullable(),
  headers: z.array(
    z.strictObject({
      name: HeaderName.refine((name) => !isReservedHeader(name)),
      value: HeaderValue,
    }),
  ),
  delayMs: Milliseconds,
  /** The duration of the body, which is sent in pieces. */
  slowMs: Milliseconds,
  drop: z.boolean(),
  cut: z.boolean(),
  malformed: z.boolean(),
})
export type FaultEffect = z.infer<typeof FaultEffect>

/** The conditions that a call must meet; null matches every call. */
const FaultMatch = z.strictObject({
  operation: z.string().nullable(),
  /** The name in lower case. */
  header: NamedText.nullable(),
  field: NamedText.nullable(),
})

export const Fault = z.strictObject({
  faultId: z.string(),
  match: FaultMatch,
  /** The first matching call that the fault may hit, counted from 1. */
  nth: z.int().min(1).max(COUNT_MAX),
  /** The number of calls that it hits; null for all. */
  times: z.int().min(1).max(COUNT_MAX).nullable(),
  probability: z.number().gt(0).max(1),
  seed: z.int().min(0).max(SEED_MAX),
  when: FaultTime,
  effect: FaultEffect,
  /** The number of matching calls, until it was used up. */
  matched: Count,
  used: Count,
})
export type Fault = z.infer<typeof Fault>

export interface FaultCall {
  readonly operation: string
  readonly header: (name: string) => string | undefined
  /** The fields of its body; null if they cannot be parsed. */
  readonly fields: Readonly<Record<string, unknown>> | null
}

/** The number of calls that a fault still hits; null if unlimited. */
export function hitsLeft({ times, used }: Fault): number | null {
  return times === null ? null : times - used
}

/** Whether a fault counts a call. A used-up fault counts none. */
export function matches(fault: Fault, call: FaultCall): boolean {
  const { operation, header, field } = fault.match
  if (hitsLeft(fault) === 0) return false
  if (operation !== null && operation !== call.operation) return false
  if (header !== null && call.header(header.name) !== header.value) return false
  return field === null || fieldText(call.fields, field.name) === field.value
}

/** Whether a fault hits the matching call with this number, if no other fault does. */
export function hits({ nth, seed, probability }: Fault, number: number): boolean {
  return number >= nth && randomAt(seed, number) < probability
}

/** A form has values as text, JSON has typed values. */
function fieldText(fields: FaultCall['fields'], name: string): string | null {
  if (fields === null || !Object.hasOwn(fields, name)) return null
  return String(fields[name])
}

/** The random number of a seed at an index, from 0 to below 1: SplitMix32, whose state is a multiple of the index. */
export function randomAt(seed: number, index: number): number {
  let bits = (seed + Math.imul(index, 0x9e3779b9)) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
  bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32
}
