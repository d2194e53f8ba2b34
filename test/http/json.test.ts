import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JSON_DEPTH_MAX, JSON_MEMBERS_MAX, parseJson } from '../../src/http/json.ts'

it('reads every JSON text as JSON.parse does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 5 }), async (text) => {
      expect(await parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

it('refuses exactly what JSON.parse refuses, and what is ambiguous', async () => {
  const mangled = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + 1)
    })
  await fc.assert(
    fc.asyncProperty(mangled, async (text) => {
      const message = await refusalOf(text)
      const isJson = isRead(text)
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
])('says where %s goes wrong', async (text, message) => {
  expect(await refusalOf(text)).toBe(message)
})

it('never repeats what it could not read', async () => {
  const message = await refusalOf('{"refresh_token":"rt_secret"')
  expect(message).not.toContain('secret')
})

it('bounds how deep the text is nested, however deep that is', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(await refusalOf(nested(JSON_DEPTH_MAX))).toBeNull()
  const deeper = 'The JSON is nested deeper than 32 levels.'
  expect(await refusalOf(nested(JSON_DEPTH_MAX + 1))).toBe(deeper)
  expect(await refusalOf('['.repeat(500_000))).toBe(deeper)
})

it('bounds how many values a text holds, where the reader says so', async () => {
  expect(await refusalOf('[1,2,3]', 4)).toBeNull()
  expect(await refusalOf('[1,2,3,4]', 4)).toBe('The JSON holds more than 4 values.')
})

it('bounds how many members an object has', async () => {
  const members = (count: number) => Array.from({ length: count }, (_, at) => `"${at}":1`).join()
  expect(await refusalOf(`{${members(JSON_MEMBERS_MAX)}}`)).toBeNull()
  expect(await refusalOf(`[{${members(JSON_MEMBERS_MAX + 1)}}]`)).toBe(
    'The JSON holds an object of more than 10000 members.',
  )
})

it.each(['\\n', '\\"', '\\\\'])('reads a string of millions of %s', async (escaped) => {
  const text = `"${escaped.repeat(4_000_000)}"`
  expect(await parseJson(text)).toBe(JSON.parse(text))
  expect(await refusalOf(text.slice(0, -1))).toMatch(/at character 1, a value/)
})

it('lets others go on while it reads a long text', async () => {
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 0)
  await parseJson(`[${'{"a":[1]},'.repeat(400_000)}1]`)
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(5)
})

it('gives a member no part in the prototype, whatever it is called', async () => {
  const read = await parseJson('{"__proto__":{"polluted":1},"constructor":2}')
  expect(Object.keys(read as object)).toEqual(['__proto__', 'constructor'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

/** Why a text is not taken; null where it is. */
async function refusalOf(text: string, valuesMax?: number): Promise<string | null> {
  return parseJson(text, valuesMax).then(
    () => null,
    (error: Error) => error.message,
  )
}

function isRead(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
