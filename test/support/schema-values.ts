/** Values that the schemas of a document allow, drawn by fast-check; names that calls answered stand in for themselves. */
import fc from 'fast-check'

export type Schema = Readonly<Record<string, unknown>>

/** What an earlier call named: a field's value as the answers had it, the newest first. */
export class Seen {
  readonly name: string
  readonly back: number

  constructor(name: string, back: number) {
    this.name = name
    this.back = back
  }
}

/** Something seen under a name. */
export function seen(name: string): fc.Arbitrary<Seen> {
  return fc.nat(5).map((back) => new Seen(name, back))
}

/** Under which name of an answer a field or parameter was seen. */
const aliases: Readonly<Record<string, string>> = {
  plan: 'plan_id',
  promotion_code: 'code',
  sandbox: 'sandbox_id',
  checkpoint: 'name',
  pacticipant: 'provider',
}

/** None is so far away that billing until then takes seconds. */
const instants = [
  '2026-01-01T00:00:00Z',
  '2026-02-28T23:59:59.999Z',
  '2027-01-31',
  '2027-03-01T10:00:00+02:00',
  '2028-02-29T00:00:00.000Z',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
]
const durations = ['PT0S', 'PT1S', 'PT12H', 'P1D', 'P14D', 'P1M', 'P3M', 'P1Y', 'P7000Y1D', 'P9Y']

/** What no operation can do anything with, or that breaks programs. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      '',
      ' ',
      '\0',
      '\ud800',
      '🙂'.repeat(90),
      'x'.repeat(300),
      '../../etc/passwd',
      '%00',
      '{{7*7}}',
    ],
    ...['__proto__', 'constructor', 'toString', 'null', 'NaN', '-0', '1e999', "' OR 1=1 --", '<b>'],
    ...[0, -0, -1, 0.1, 1e21, 2 ** 53, -(2 ** 53), 1e308, null, true, false],
    ...[[], {}, [[]], [null], { a: { b: [] } }, { toString: 1 }, { length: -1 }],
    ...['2027-02-30T00:00:00Z', '0000-01-01', 'P-1D', 'P', 'P99999999999Y', 'Infinity'],
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
)

/** Where a value stands. */
interface Place {
  readonly name: string
  readonly depth: number
}

/** Draws values of the schemas of one document. */
export function valuesOf(
  document: unknown,
): (schema: Schema, name?: string) => fc.Arbitrary<unknown> {
  const resolve = (schema: Schema): Schema => {
    const { $ref } = schema
    if (typeof $ref !== 'string') return schema
    const steps = $ref.slice(2).split('/')
    return resolve(
      steps.reduce((node, step) => (node as Schema)[step] as Schema, document as Schema),
    )
  }

  const draw = (given: Schema, name: string, depth: number): fc.Arbitrary<unknown> => {
    const schema = resolve(given)
    const options = (schema['oneOf'] ?? schema['anyOf']) as Schema[] | undefined
    if (options !== undefined) return fc.oneof(...options.map((each) => draw(each, name, depth)))
    if ('const' in schema) return fc.constant(schema['const'])
    if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...schema['enum'])
    const types = [schema['type'] ?? 'any'].flat() as string[]
    return fc.oneof(...types.map((type) => ofType(type, schema, { name, depth })))
  }

  const ofType = (type: string, schema: Schema, { name, depth }: Place) => {
    if (type === 'null') return fc.constant(null)
    if (type === 'boolean') return fc.boolean()
    if (type === 'integer' || type === 'number') return numberIn(schema, type)
    if (type === 'string') return textIn(schema, name)
    if (type === 'array') {
      const items = (schema['items'] ?? {}) as Schema
      return fc.array(draw(items, name, depth + 1), { maxLength: 3 })
    }
    if (type === 'object' && depth < 6) return recordOf(schema, depth)
    return fc.jsonValue({ maxDepth: 1 })
  }

  const recordOf = (schema: Schema, depth: number): fc.Arbitrary<unknown> => {
    const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
    const fields = properties.map(([key, field]) => [key, draw(field, key, depth + 1)] as const)
    const required = ((schema['required'] ?? []) as string[]).filter((key) =>
      properties.some(([known]) => known === key),
    )
    return fc.record(Object.fromEntries(fields), { requiredKeys: required })
  }

  return (schema, name = '') => draw(schema, name, 0)
}

function numberIn({ minimum, maximum }: Schema, type: string): fc.Arbitrary<number> {
  const min = Number(minimum ?? -10)
  const max = Number(maximum ?? 1e12)
  const small = fc.integer({ min: Math.ceil(min), max: Math.ceil(Math.min(max, min + 40)) })
  const whole = fc.oneof({ arbitrary: small, weight: 3 }, fc.constantFrom(min, max))
  return type === 'integer' ? whole : fc.oneof(whole, fc.double({ min, max, noNaN: true }))
}

function textIn(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { pattern, format, minLength = 0, maxLength = 30 } = schema
  if (String(pattern).startsWith('^P(')) return fc.constantFrom(...durations)
  if (String(pattern).includes('19[7-9]') || format === 'date-time') {
    return fc.constantFrom(...instants)
  }
  const known = seen(aliases[name] ?? name)
  const own =
    typeof pattern === 'string'
      ? fc.stringMatching(new RegExp(pattern), { size: 'xsmall' })
      : fc.string({
          minLength: Number(minLength),
          maxLength: Math.min(30, Number(maxLength)),
        })
  return fc.oneof({ arbitrary: known, weight: 4 }, own)
}
