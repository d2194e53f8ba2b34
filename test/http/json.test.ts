import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JSON_DEPTH_MAX, parseJson } from '../../src/http/json.ts'

it('reads every JSON text as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

it('refuses exactly what JSON.parse refuses, and what is ambiguous', () => {
  const mangled = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + 1)
    })
  fc.assert(
    fc.property(mangled, (text) => {
      const message = thrownBy(() => parseJson(text))
      const isJson = thrownBy(() => JSON.parse(text)) === null
      if (message === null || !isJson) expect(message === null).toBe(isJson)
      else expect(message).toMatch(/given twice/)
    }),
    { numRuns: 1000 },
  )
})

it.each([
  ['{', 'The body is not JSON: at its end, a name in double quotes would be accepted.'],
  ['{"a" 1}', 'The body is not JSON: at character 6, a colon would be accepted.'],
  ['{"a":1 "b"', 'The body is not JSON: at character 8, a comma or } would be accepted.'],
  ['[1,]', 'The body is not JSON: at character 4, a value would be accepted.'],
  ['{"a":1}x', 'The body is not JSON: at character 8, nothing more would be accepted.'],
  ['{"a":1,"\\u0061":2}', 'a is given twice; it would be accepted once.'],
])('says where %s goes wrong', (text, message) => {
  expect(() => parseJson(text)).toThrow(message)
})

it('never repeats what it could not read', () => {
  const message = thrownBy(() => parseJson('{"refresh_token":"rt_secret"'))
  expect(message).not.toContain('secret')
})

it('bounds how deep the text is nested, however deep that is', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(() => parseJson(nested(JSON_DEPTH_MAX))).not.toThrow()
  expect(() => parseJson(nested(JSON_DEPTH_MAX + 1))).toThrow('nested deeper than 32 levels')
  expect(() => parseJson('['.repeat(500_000))).toThrow('nested deeper than 32 levels')
})

function thrownBy(act: () => unknown): string | null {
  try {
    act()
    return null
  } catch (error) {
    return (error as Error).message
  }
}
