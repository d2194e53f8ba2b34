/**
 * The fields that wire schemas share: identifiers, amounts, instants. `accepts` is the rule in words, for
 * messages; `source` what a field rests on, for the documents: a section of the interface, an assumption, or `sandbox`
 * for what belongs to the sandbox alone.
 */
import * as z from 'zod'
import { strictObject } from 'zod'
import { REDEMPTIONS_MAX } from '../billing/coupon.ts'
import { currencies } from '../billing/currency.ts'
import { Id } from '../billing/id.ts'
import { AMOUNT_MAX, COUNT_MAX } from '../billing/money.ts'
import { Instant, instantAt, parseDuration } from '../time/instant.ts'
import { durationPattern, instantInPattern, noInstantPattern } from './patterns.ts'

/** What belongs to the sandbox alone. */
export const sandbox = { source: 'sandbox' }

/** An object whose fields rest on one source, but for those that name another. */
export function objectFrom<Shape extends Record<string, z.ZodType>>(source: string, shape: Shape) {
  const fields = Object.entries(shape).map(([key, field]) => [
    key,
    field.meta()?.['source'] === undefined ? field.meta({ source }) : field,
  ])
  return strictObject(Object.fromEntries(fields) as Shape)
}

/** No fields at all. */
export const NoFields = strictObject({})

/** An identifier that its caller chooses. */
export const ChosenId = Id.meta({
  accepts: '1 to 64 of A-Z, a-z, 0-9, _, ., : and -, beginning with a letter or digit',
  source: '2',
})

/** An identifier that names something that should exist; whether it does is no matter of shape. */
export const Reference = z
  .string()
  .min(1)
  .max(255)
  .meta({ accepts: 'an identifier of 1 to 255 characters' })

/** Which subscriptions a list is about, as a query names them: `a,b`. */
export const SubscriptionIds = z
  .array(
    Reference.regex(/^[^,]+$/).meta({ accepts: 'an identifier of 1 to 255 characters, no commas' }),
  )
  .min(1)
  .max(100)
  .meta({ accepts: '1 to 100 identifiers, separated by commas', joined: true })

/** A name or a text for people. */
export const Label = z.string().min(1).max(200).meta({ accepts: 'a text of 1 to 200 characters' })

/** An integer within bounds, both of them allowed, of a unit that the words about it name. */
export function boundedInt(min: number, max: number, unit: string) {
  const accepts = `an integer from ${min} to ${max} (${unit})`
  return z.int().min(min).max(max).meta({ accepts })
}

/** A list of at least one item, in words that name the items. */
export function boundedList<Item extends z.ZodType>(item: Item, max: number, items: string) {
  return z
    .array(item)
    .min(1)
    .max(max)
    .meta({ accepts: `a list of 1 to ${max} ${items}` })
}

export const Amount = boundedInt(0, AMOUNT_MAX, 'minor units').meta({ source: 'amount-rounding' })

/** An amount that may be negative, such as a credit. */
export const SignedAmount = z.int().meta({ source: 'amount-rounding' })

/** A currency as the sandbox prints it. */
export const Currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: 'The ISO 4217 code of the currency.', source: 'currency-match' })

/** A currency as a caller names it: one that is in use. */
export const CurrencyIn = z.enum([...currencies.keys()]).meta({
  id: 'CurrencyCode',
  accepts: 'the ISO 4217 code of a currency in use, such as USD',
  description: 'The ISO 4217 code of a currency that is in use.',
  source: 'currency-match',
  nearest: nearestCurrency,
})

/** A limit to how often something may happen. */
export const Limit = z
  .int()
  .min(1)
  .max(REDEMPTIONS_MAX)
  .meta({ accepts: `an integer from 1 to ${REDEMPTIONS_MAX}` })

/** An instant as the sandbox prints it. */
export const InstantOut = Instant.meta({
  // With a pattern beside it, clients that read instants as such match it against no text.
  type: 'string',
  format: 'date-time',
  description: 'An instant: UTC, to the millisecond.',
})

const rfc3339 =
  /^(19[7-9]\d|[2-9]\d{3})-(\d\d)-(\d\d)(?:T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d)))?$/

/** An offset may lead out of the years that can be written; no schema can tell when, so that none is read there. */
const edgeWithOffset = /^(?:1970-01-01|9999-12-31)T.*[+-]/

/** An instant as a caller may write it, or a date for its midnight; it becomes one in UTC, to the millisecond. */
export const InstantIn = z
  .string()
  .transform(readOr(readInstant))
  .meta({
    accepts:
      'an RFC 3339 instant from 1970 to 9999 with at most milliseconds, such as 2027-01-31T10:00:00Z, or a date such as 2027-01-31',
    type: 'string',
    pattern: instantInPattern,
    // Of texts alone: without its type, a pattern fits null.
    not: { type: 'string', pattern: noInstantPattern },
  })

/** A span of time, as ISO 8601 writes it. */
export const DurationIn = z
  .string()
  .transform(readOr(parseDuration))
  .meta({
    accepts: 'an ISO 8601 duration such as P14D, P2W, P1M or PT12H',
    pattern: durationPattern('years'),
  })

/** How many records one page of a list has at most. */
export const PageLimit = z
  .int()
  .min(1)
  .max(1000)
  .default(100)
  .meta({ accepts: 'an integer from 1 to 1000' })

/** After how many records a stream ends. */
export function streamLimit(records: string) {
  return z
    .int()
    .min(1)
    .max(COUNT_MAX)
    .optional()
    .describe(`How many ${records} to answer, after which the stream ends; without it, it goes on.`)
}

/** One page of a list. */
export const PageQuery = strictObject({
  limit: PageLimit.describe('How many records to answer.'),
  after: Reference.meta({
    accepts: 'the next_after of the page before',
    description: 'Where to go on: `next_after` of the page before.',
  }).optional(),
})

/** A list of records, oldest first; `next_after`, a cursor of the list's own kind, is null on the last page. */
export function pageOf<Item extends z.ZodType, Cursor extends z.ZodType>(
  name: string,
  item: Item,
  cursor: Cursor,
) {
  return strictObject({
    data: z.array(item).describe('The records, oldest first.'),
    has_more: z.boolean().describe('Whether there are more.'),
    next_after: cursor
      .nullable()
      .describe('What to send as `after` for the next page; null on the last.'),
  }).meta({ id: `${name}List`, source: 'sandbox' })
}

/** The currency that a wrong code most likely means: of the same letters, else of two in the same places; null for none. */
function nearestCurrency(code: unknown): string | null {
  if (typeof code !== 'string' || code.length !== 3) return null
  const upper = code.toUpperCase()
  const sorted = (text: string) => [...text].sort().join('')
  const hasLetters = (each: string) => sorted(each) === sorted(upper)
  const hasTwo = (each: string) =>
    [...each].filter((letter, at) => letter === upper[at]).length === 2
  const codes = [...currencies.keys()]
  return codes.find(hasLetters) ?? codes.find(hasTwo) ?? null
}

/** Reads text by a function that answers null for what it cannot read, which is then refused. */
function readOr<Value>(read: (text: string) => Value | null) {
  return (text: string, context: z.core.$RefinementCtx): Value => {
    const value = read(text)
    if (value !== null) return value
    context.addIssue({ code: 'custom' })
    return z.NEVER
  }
}

function readInstant(text: string): Instant | null {
  const millis = readRfc3339(text)
  return millis === null || edgeWithOffset.test(text) ? null : instantAt(millis)
}

/** Milliseconds since 1970 of an RFC 3339 instant or date; null where no such moment exists. */
function readRfc3339(text: string): number | null {
  const parts = rfc3339.exec(text)
  if (parts === null) return null
  const at = (index: number) => Number(parts[index] ?? 0)
  const millis = Date.UTC(at(1), at(2) - 1, at(3), at(4), at(5), at(6))
  // Date.UTC rolls 30 February over, and takes the years 0 to 99 for 1900 to 1999.
  if (!new Date(millis).toISOString().startsWith(`${parts[1]}-${parts[2]}-${parts[3]}`)) return null
  const offsetMs = (at(9) * 60 + at(10)) * 60_000 * (parts[8] === '-' ? -1 : 1)
  return millis + Number((parts[7] ?? '').padEnd(3, '0')) - offsetMs
}
