import { expect, it } from 'vitest'
import { downConvert } from '../../src/openapi/down-convert.ts'

const ref = { $ref: '#/components/schemas/Line' }
const onlyNull = { type: 'object', nullable: true, enum: [null] }

it.each([
  [
    { type: ['string', 'null'], format: 'date-time' },
    { type: 'string', format: 'date-time', nullable: true },
  ],
  [
    { type: ['string', 'number', 'null'], format: 'double' },
    {
      anyOf: [{ type: 'string' }, { type: 'number', format: 'double' }, onlyNull],
    },
  ],
  [{ anyOf: [ref, { type: 'null' }] }, { anyOf: [ref, onlyNull] }],
  [
    { const: 'Bearer', type: 'string' },
    { enum: ['Bearer'], type: 'string' },
  ],
  [
    { type: 'number', exclusiveMinimum: 0 },
    { type: 'number', minimum: 0, exclusiveMinimum: true },
  ],
  [
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [
    { ...ref, description: 'One line.' },
    { allOf: [ref], description: 'One line.' },
  ],
  [
    { type: 'object', properties: { value: { const: 5 }, const: { type: 'null' } } },
    { type: 'object', properties: { value: { enum: [5] }, const: onlyNull } },
  ],
  [
    { enum: [{ const: 1 }], default: { type: ['a'] } },
    { enum: [{ const: 1 }], default: { type: ['a'] } },
  ],
])('writes %j in words of 3.0', (schema, expected) => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1', license: { name: 'MIT', identifier: 'MIT' } },
    paths: {},
    components: { schemas: { Drawn: schema } },
  }
  const converted = downConvert(document as unknown as Parameters<typeof downConvert>[0])
  expect(converted.openapi).toBe('3.0.3')
  expect(converted.info.license).toEqual({ name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' })
  expect(converted.components?.schemas?.['Drawn']).toEqual(expected)
})

it('keeps the named examples of a media type as they are', () => {
  const examples = { paused: { summary: 'Paused', value: { examples: ['x'], type: ['y'] } } }
  const content = { 'application/json': { examples } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: { '/x': { post: { requestBody: { content }, responses: {} } } },
  }
  expect(downConvert(document).paths['/x']?.post?.requestBody).toEqual({ content })
})
