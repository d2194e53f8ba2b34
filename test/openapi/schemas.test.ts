import { expect, it } from 'vitest'
import * as z from 'zod'
import { createSchemaBook } from '../../src/surface/schema-book.ts'

it('does not let two schemas have one name', () => {
  const book = createSchemaBook()
  const thing = (field: z.ZodType) => z.strictObject({ field }).meta({ id: 'Thing' })
  book.toJsonSchema(thing(z.string()), 'output')
  expect(() => book.toJsonSchema(thing(z.int()), 'output')).toThrow(
    'Two different schemas are called Thing',
  )
})

it('writes where a field comes from, and nothing that only messages need', () => {
  const field = z.string().meta({ accepts: 'a text', secret: true, source: 'status-names' })
  expect(createSchemaBook().toJsonSchema(field, 'input')).toEqual({
    type: 'string',
    format: 'password',
    'x-interface': 'status-names',
  })
})

it('gives a form a schema of its own, with the same types and what writing them as text rests on', () => {
  const book = createSchemaBook()
  const Order = z
    .strictObject({ plan: z.string(), days: z.int().min(0).optional(), now: z.boolean() })
    .meta({ id: 'Order' })
  expect(book.toFormSchema(Order)).toEqual({ $ref: '#/components/schemas/OrderForm' })
  const { Order: json, OrderForm: form } = book.components()
  const days = { type: 'integer', format: 'int64', minimum: 0 }
  expect(json?.properties).toEqual({
    plan: { type: 'string' },
    days,
    now: { type: 'boolean' },
  })
  expect(form?.properties).toEqual({
    plan: { type: 'string' },
    days: { ...days, 'x-interface': 'form-scalars' },
    now: { type: 'boolean', 'x-interface': 'form-scalars' },
  })
  expect(form?.required).toEqual(['plan', 'now'])
})

it('tells a default in words, because generators take a field with one for one that is always there', () => {
  const book = createSchemaBook()
  const query = z.strictObject({
    limit: z.int().default(100).meta({ description: 'How many.' }),
    isDry: z.boolean().default(false),
  })
  book.toJsonSchema(query.meta({ id: 'Query' }), 'input')
  expect(book.components()['Query']?.properties).toEqual({
    limit: { type: 'integer', format: 'int64', description: 'How many. Default: 100.' },
    isDry: { type: 'boolean', description: 'Default: false.' },
  })
})

it('lists the variants of a union within a union, unless it has a name', () => {
  const variant = (kind: string, size: string) =>
    z.object({ kind: z.literal(kind), size: z.literal(size) }).meta({ id: kind + size })
  const inner = z.discriminatedUnion('size', [variant('A', 'small'), variant('A', 'large')])
  const union = z.discriminatedUnion('kind', [inner, variant('B', 'small')])
  const names = ['Asmall', 'Alarge', 'Bsmall']
  expect(createSchemaBook().toJsonSchema(union, 'input').oneOf).toEqual(
    names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
  )
})

it.each([
  ['whole numbers', z.int(), { type: 'integer', format: 'int64' }],
  ['other numbers', z.number(), { type: 'number', format: 'double' }],
  ['whole literals', z.literal([400, 401]), { type: 'integer', enum: [400, 401], format: 'int64' }],
  ['one whole number', z.literal(6), { type: 'integer', const: 6 }],
  ['null beside them', z.int().nullable(), { type: ['integer', 'null'], format: 'int64' }],
])('says how large %s can be', (_, schema, expected) => {
  expect(createSchemaBook().toJsonSchema(schema, 'output')).toEqual(expected)
})

it('writes what a bound and a single value rest on beside the field', () => {
  const field = z.enum(['once', 'repeating']).meta({
    source: '2',
    bounds: 'trial-period-bounds',
    members: { once: 'coupon-durations' },
  })
  expect(createSchemaBook().toJsonSchema(field, 'output')).toEqual({
    type: 'string',
    enum: ['once', 'repeating'],
    'x-interface': '2',
    'x-interface-bounds': 'trial-period-bounds',
    'x-interface-enum': { once: 'coupon-durations' },
  })
})
