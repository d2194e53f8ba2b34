import { expect, it } from 'vitest'
import * as z from 'zod'
import { openSchemaBook } from '../../src/surface/schema-book.ts'

it('does not let two schemas have one name', () => {
  const book = openSchemaBook()
  const thing = (field: z.ZodType) => z.strictObject({ field }).meta({ id: 'Thing' })
  book.draw(thing(z.string()), 'output')
  expect(() => book.draw(thing(z.int()), 'output')).toThrow(
    'Two different schemas are called Thing',
  )
})

it('writes where a field comes from, and nothing that only messages need', () => {
  const field = z.string().meta({ accepts: 'a text', secret: true, source: 'status-names' })
  expect(openSchemaBook().draw(field, 'input')).toEqual({
    type: 'string',
    format: 'password',
    'x-interface': 'status-names',
  })
})

it('lets a form carry the text of numbers and booleans, and leaves JSON strict', () => {
  const book = openSchemaBook()
  const Order = z
    .strictObject({ plan: z.string(), days: z.int().min(0).optional(), now: z.boolean() })
    .meta({ id: 'Order' })
  expect(book.drawForm(Order)).toEqual({ $ref: '#/components/schemas/OrderForm' })
  const { Order: json, OrderForm: form } = book.components()
  expect(json?.properties?.['days']).toEqual({ type: 'integer', minimum: 0 })
  expect(form?.properties).toEqual({
    plan: { type: 'string' },
    days: {
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', pattern: '^(0|[1-9][0-9]*)$' },
      ],
    },
    now: { anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }] },
  })
  expect(form?.required).toEqual(['plan', 'now'])
})
