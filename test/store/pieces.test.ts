import fc from 'fast-check'
import { expect, it } from 'vitest'
import { documentIn, piecesOf } from '../../src/store/pieces.ts'

/** Strings that look like what stands between two pieces; JSON writes them otherwise. */
const text = fc.oneof(fc.string(), fc.constantFrom('\n "', '\n  },\n  {', ': [', ']', '\ud800'))
const record = fc.dictionary(
  text,
  fc.oneof(text, fc.integer(), fc.constant(null), fc.array(text)),
  {
    maxKeys: 4,
  },
)
const document = fc.dictionary(
  text,
  fc.oneof(
    fc.array(record, { maxLength: 12 }),
    fc.array(text),
    record,
    text,
    fc.constant(undefined),
  ),
  { maxKeys: 6 },
)

it('writes the bytes that JSON does, however short the pieces are', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 5 }), (written, elements) => {
      expect([...piecesOf(written, elements)].join('')).toBe(JSON.stringify(written, null, 1))
    }),
  )
})

it('reads what was written, however short the pieces are', () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 1, max: 200 }), (written, pieceBytes) => {
      const whole = JSON.stringify(written, null, 1)
      expect(documentIn(Buffer.from(whole), pieceBytes)).toEqual(JSON.parse(whole))
    }),
  )
})

it('writes a long list in more than one piece, and reads it in more than one', () => {
  const list = Array.from({ length: 1000 }, (_, n) => ({ n }))
  const pieces = [...piecesOf({ list })]
  expect(pieces.length).toBeGreaterThan(4)
  expect(documentIn(Buffer.from(pieces.join('')), 1000)).toEqual({ list })
})

it.each([
  '{"list":[1,2',
  '{\n "list": [\n  {\n   "n"',
  '{\n "list": [\n  {\n   "n": 1\n  }\n ',
  '{\n "n": 1\n',
  '{\n "n": 1,,\n "m": 2\n}',
])('refuses %j, which is not what was written', (damaged) => {
  expect(() => documentIn(Buffer.from(damaged), 4)).toThrow(SyntaxError)
})
