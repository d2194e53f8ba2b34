/**
 * The fields that wire schemas share: identifiers, amounts, instants. `accepts` is the rule in words, for
 * messages; `source` what a field rests on, for the documents: a section of the interface, an assumption, or `sandbox`
 * for what belongs to the sandbox alone.
 */
import * as z from 'zod'
import { array, boolean, int, strictObject, string } from 'zod'
import { REDEMPTIONS_MAX } from '../../billing/coupon.ts'
import { currencies } from '../../billing/currency.ts'
import { Id, Name } from '../../billing/id.ts'
import { AMOUNT_MAX, COUNT_MAX } from '../../billing/money.ts'
import { durationPattern, nearestDuration } from '../../time/duration-text.ts'
import { Instant, instantAt, parseDuration } from '../../time/instant.ts'

// Patterns for the documents are of classes and groups alone: JavaScript reads more than other languages do.
const day = [
  '(0[1-9]|1[0-2])-(0[1-9]|[12][0-9])',
  '(0[13-9]|1[0-2])-30',
  '(0[13578]|1[02])-31',
].join('|')
const date = `(19[7-9][0-9]|[2-9][0-9]{3})-(${day})`
const hour = '([01][0-9]|2[0-3]):[0-5][0-9]'
const time = `T${hour}:[0-5][0-9](\\.[0-9]{1,3})?`

/** An instant from 1970 to 9999, or a date. */
const instantIn = new RegExp(`^${date}(${time}(Z|[+-]${hour}))?$`)

/** Two digits of a number that four does not divide. */
const noFourth = '([02468][1235679]|[13579][01345789])'

/** What the other pattern lets through: 29 February of other years, and offsets but zero on the first and the last day. */
const noInstant = new RegExp(
  `^(([0-9]{2}${noFourth}|${noFourth}00)-02-29|(1970-01-01|9999-12-31)T.*[+-].*[1-9])`,
)

/** What belongs to the sandbox alone. */
export const sandbox = { source: 'sandbox' }

/** What names a schema in the documents, and what it rests on. */
export function named(source: string, id: string, description: string) {
  return { id, description, source }
}

/** What names a schema in the documents that belongs to the sandbox alone. */
export function inSandbox(id: string, description: string) {
  return named(sandbox.source, id, description)
}

/** An object that is sent: its fields have the descriptions of those of a record, but for those with their own. */
export function describedAs<Shape extends Record<string, z.ZodType>>(
  record: z.ZodObject,
  fields: Shape,
) {
  const described = Object.entries(fields).map(([name, field]) => {
    const words = (record.shape[name] as z.ZodType | undefined)?.description
    // The description of a schema with a name is not about the field.
    const { id, description: own } = field.meta() ?? {}
    const isDescribed = own !== undefined && id === undefined
    if (isDescribed || words === undefined) return [name, field]
    // What is null in an answer is left out of what is sent, unless null may be sent.
    const isNullable = field.safeParse(null).success
    return [name, field.describe(isNullable ? words : words.replace('null', 'absent'))]
  })
  return strictObject(Object.fromEntries(described) as Shape)
}

/** Plain values of answers; each field says in words which one it is. */
export const Flag = boolean()
export const Natural = int().min(0)

export const TextOrNull = string().nullable()

/** A list of texts, as identifiers or names. */
export const Texts = array(string())

/** A list of objects, by their fields. */
export function objectsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return array(strictObject(shape))
}

/** A field that rests on another source than its object. */
export function sourced<Schema extends z.ZodType>(source: string, schema: Schema): Schema {
  return schema.meta({ source })
}

/** An object that rests on a source, with its fields, but for those that name another. */
export function objectFrom<Shape extends Record<string, z.ZodType>>(source: string, shape: Shape) {
  const fields = Object.entries(shape).map(([key, field]) => [
    key,
    field.meta()?.['source'] === undefined ? sourced(source, field) : field,
  ])
  return strictObject(Object.fromEntries(fields) as Shape).meta({ source })
}

export const NoFields = strictObject({})

/** An identifier that its caller chooses. */
export const ChosenId = Id.meta({
  accepts: '1 to 64 of A-Z, a-z, 0-9, _, ., : and -, beginning with a letter or digit',
  source: '2',
})

/** An identifier that names something that should exist; whether it does is no matter of shape. */
export const Reference = string()
  .min(1)
  .max(255)
  .meta({ accepts: 'an identifier of 1 to 255 characters' })

/** An identifier that names something of a kind. */
export function referenceTo(what: string) {
  const words = {
    accepts: `the identifier of a ${what}`,
    description: `The identifier of the ${what}.`,
  }
  return Reference.meta(words)
}

/** Which subscriptions a list is about, as a query names them: `a,b`. */
export const SubscriptionIds = array(
  Reference.regex(/^[^,]+$/).meta({ accepts: 'an identifier of 1 to 255 characters, no commas' }),
)
  .min(1)
  .max(100)
  .meta({
    accepts: '1 to 100 identifiers, separated by commas',
    joined: true,
    examples: [['sub_000001']],
  })

export const FixtureName = string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/)
  .meta({ accepts: 'the name of a fixture', examples: ['starter'] })

/** A name or a text for people. */
export const Label = Name.meta({ accepts: 'a text of 1 to 200 characters' })

/** An integer within bounds, both of them allowed, of a unit that the words about it name. */
export function boundedInt(min: number, max: number, unit?: string) {
  const accepts = `an integer from ${min} to ${max}${unit === undefined ? '' : ` (${unit})`}`
  return int().min(min).max(max).meta({ accepts })
}

/** A list of at least one item, in words that name the items. */
export function boundedList<Item extends z.ZodType>(item: Item, max: number, items: string) {
  return array(item)
    .min(1)
    .max(max)
    .meta({ accepts: `a list of 1 to ${max} ${items}` })
}

/** A list of no more items than a bound, in words that name the items. */
export function listUpTo<Item extends z.ZodType>(item: Item, max: number, items: string) {
  return array(item)
    .max(max)
    .meta({ accepts: `a list of at most ${max} ${items}` })
}

/** A text of no more characters than a bound. */
export function textUpTo(max: number) {
  return string()
    .max(max)
    .meta({ accepts: `a text of at most ${max} characters` })
}

export const Amount = boundedInt(0, AMOUNT_MAX, 'minor units').meta({ source: 'amount-rounding' })

/** An amount that may be negative, such as a credit. */
export const SignedAmount = int().meta({ source: 'amount-rounding' })

/** A currency as the sandbox prints it. */
export const Currency = string()
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
export const Limit = boundedInt(1, REDEMPTIONS_MAX)

/** An instant as the sandbox prints it. */
export const InstantOut = Instant.meta({
  // With a pattern beside it, clients that read instants as such match it against no text.
  type: 'string',
  format: 'date-time',
  description: 'An instant: UTC, to the millisecond.',
})

/** An instant as a caller may write it, or a date for its midnight; it becomes one in UTC, to the millisecond. */
export const InstantIn = string()
  .meta({ examples: ['2027-02-01T00:00:00Z'] })
  .transform(readOr(readInstant))
  .meta({
    accepts:
      'an RFC 3339 instant from 1970 to 9999 with at most milliseconds, such as 2027-01-31T10:00:00Z, or a date such as 2027-01-31',
    type: 'string',
    pattern: instantIn.source,
    // Of texts alone: without its type, a pattern fits null.
    not: { type: 'string', pattern: noInstant.source },
    // Without a zone, UTC is meant; forms of browsers leave out the seconds too.
    nearest: (text: unknown) =>
      [`${text}Z`, `${text}:00Z`].find((each) => readInstant(each) !== null) ?? null,
  })

/** A span of time, as ISO 8601 writes it. */
export const DurationIn = string()
  .meta({ examples: ['P1M'] })
  .transform(readOr(parseDuration))
  .meta({
    accepts: 'an ISO 8601 duration such as P14D, P2W, P1M or PT12H',
    pattern: durationPattern('years'),
    nearest: nearestDuration,
  })

/** How many records one page of a list has at most. */
export const PageLimit = boundedInt(1, 1000)
  .default(100)
  .describe('The maximum number of records of the page.')

/** After how many records a stream ends. */
export function streamLimit(records: string) {
  return int()
    .min(1)
    .max(COUNT_MAX)
    .optional()
    .describe(`The number of ${records} after which the stream ends. Default: it does not end.`)
    .meta({ examples: [10] })
}

/** Which records of a list come first. */
export const ListOrder = z.enum(['oldest', 'newest']).meta({ accepts: 'oldest or newest' })

/** One page of a list. */
export const PageQuery = strictObject({
  limit: PageLimit,
  order: ListOrder.default('oldest').describe('Which records come first.'),
  after: Reference.meta({
    accepts: 'the next_after of the page before',
    description: 'The `next_after` of the previous page.',
  }).optional(),
})

/** The filter of a list by a text; `what` says which records it finds. */
export function searchIn(what: string) {
  return {
    search: Reference.optional().meta({
      accepts: 'a text of 1 to 255 characters',
      description: `Only ${what}, in upper or lower case.`,
      examples: ['ada'],
    }),
  }
}

/** A list of records; `next_after`, a cursor of the list's own kind, is null on the last page. */
export function pageOf<Item extends z.ZodType, Cursor extends z.ZodType>(
  name: string,
  item: Item,
  cursor: Cursor,
) {
  return strictObject({
    data: array(item).describe('The records, in the order of the list.'),
    has_more: Flag.describe('Whether the list has more records after this page.'),
    next_after: cursor
      .nullable()
      .describe('The cursor to send as `after` for the next page; null on the last page.'),
  }).meta(inSandbox(`${name}List`, `One page of a list of ${name} records.`))
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
    if (value === null) context.addIssue({ code: 'custom' })
    return value ?? z.NEVER
  }
}

function readInstant(text: string): Instant | null {
  return instantIn.test(text) && !noInstant.test(text) ? instantAt(Date.parse(text)) : null
}
