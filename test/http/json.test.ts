import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonReader } from '../../src/http/request/json.ts'
import {
  JSON_DEPTH_MAX,
  JSON_MEMBERS_MAX,
  JSON_TEXT_MAX_BYTES,
} from '../../src/surface/operation.ts'

async function parsePieces(pieces: Iterable<Uint8Array>): Promise<unknown> {
  const reader = new JsonReader()
  for (const piece of pieces) await reader.take(piece)
  return reader.end()
}

function parseJson(text: string): Promise<unknown> {
  return parsePieces([Buffer.from(text)])
}

it('refuses exactly what JSON.parse refuses, and what is ambiguous', async () => {
  const mangled = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.string({ maxLength: 2 }))
    .map(([text, at, put]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + put + text.slice(place + 1)
    })
  await fc.assert(
    fc.asyncProperty(mangled, async (text) => {
      const message = await thrownBy(() => parseJson(text))
      const isJson = (await thrownBy(async () => JSON.parse(text))) === null
      if (message === null || !isJson) expect(message === null).toBe(isJson)
      else expect(message).toMatch(/must be given once; got it twice/)
    }),
    { numRuns: 1000 },
  )
})

it.each([
  ['{', 'The body must be JSON; expected a name in double quotes at its end.'],
  ['{"a" 1}', 'The body must be JSON; expected a colon at byte 6.'],
  ['{"a":1 "b"', 'The body must be JSON; expected a comma or } at byte 8.'],
  ['[1,]', 'The body must be JSON; expected a value at byte 4.'],
  ['{"a":1}x', 'The body must be JSON; expected nothing more at byte 8.'],
  ['{"a":1,"\\u0061":2}', 'a must be given once; got it twice.'],
])('says where %s goes wrong', async (text, message) => {
  await expect(parseJson(text)).rejects.toThrow(message)
})

it('bounds how deep the text is nested, however deep that is', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  await parseJson(nested(JSON_DEPTH_MAX))
  for (const text of [nested(JSON_DEPTH_MAX + 1), '['.repeat(10_000)]) {
    await expect(parseJson(text)).rejects.toThrow('nested deeper than 32 levels')
  }
})

it('reads a text the same however it is cut into pieces', async () => {
  const cut = fc.asyncProperty(
    fc.json({ maxDepth: 4 }),
    fc.array(fc.nat(20)),
    async (text, cuts) => {
      expect(await parsePieces(piecesOf(Buffer.from(text), cuts))).toEqual(JSON.parse(text))
    },
  )
  await fc.assert(cut)
})

it('refuses a byte order mark, and what is no UTF-8', async () => {
  await expect(parseJson('\ufeff{}')).rejects.toThrow('a value at byte 1')
  for (const bytes of [
    [0x22, 0xff, 0x22],
    [0x22, 0xed, 0xa0, 0x80, 0x22],
    [0x22, 0xe2, 0x82],
  ]) {
    await expect(parsePieces([Uint8Array.from(bytes)])).rejects.toThrow('not UTF-8')
    await expect(parsePieces(bytes.map((byte) => Uint8Array.of(byte)))).rejects.toThrow('not UTF-8')
  }
})

it('bounds the members of an object, and lets others go on while it reads a long text', async () => {
  const members = (count: number) =>
    Buffer.from(`{${Array.from({ length: count }, (_, n) => `"k${n}":${n}`).join(',')}}`)
  expect(Object.keys((await parsePieces([members(JSON_MEMBERS_MAX)])) as object)).toHaveLength(
    10_000,
  )
  await expect(parsePieces([members(JSON_MEMBERS_MAX + 1)])).rejects.toThrow(
    'more than 10000 members',
  )
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  await parseJson(`[${'{"a":[1,2,3]},'.repeat(200_000)}0]`)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(5)
})

/** Whether the bytes are taken in pieces of some length. */
async function isTaken(bytes: Uint8Array, length: number): Promise<boolean> {
  const cuts = Array.from({ length: Math.floor(bytes.length / length) }, () => length)
  return (await thrownBy(() => parsePieces(piecesOf(bytes, cuts)))) === null
}

it('takes what a decoder takes of the whole as UTF-8, whatever the pieces', async () => {
  const text = fc
    .string({ unit: 'binary' })
    .map((each) => new TextEncoder().encode(JSON.stringify(each)))
  const bytes = fc.array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf5, 0x9f))
  const either = fc.oneof(
    text,
    bytes.map((each) => Uint8Array.of(0x22, ...each, 0x22)),
  )
  const same = fc.asyncProperty(either, fc.integer({ min: 1, max: 7 }), async (given, length) => {
    const decoded = await thrownBy(async () =>
      new TextDecoder('utf-8', { fatal: true }).decode(given),
    )
    expect(await isTaken(given, length)).toBe(decoded === null)
  })
  await fc.assert(same, { numRuns: 2000 })
})

it.each([[0xff], [0xc0, 0x80], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]])(
  'refuses %j, which is no UTF-8, before more has come',
  async (...bytes) => {
    const endless = function* () {
      yield Uint8Array.of(0x22, ...bytes)
      for (;;) yield Uint8Array.of(0x41)
    }
    await expect(parsePieces(endless())).rejects.toThrow('not UTF-8')
  },
)

it.each(['é', '€', '😀'])(
  'takes %s in single bytes, and refuses it without its last',
  async (text) => {
    const bytes = Buffer.from(`"${text}"`)
    expect(await isTaken(bytes, 1)).toBe(true)
    expect(await isTaken(Buffer.concat([bytes.subarray(0, -2), bytes.subarray(-1)]), 1)).toBe(false)
    expect(await isTaken(bytes.subarray(0, -2), 1)).toBe(false)
  },
)

function piecesOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  let from = 0
  for (const size of cuts) {
    pieces.push(bytes.subarray(from, from + size))
    from += size
  }
  return [...pieces, bytes.subarray(from)]
}

async function thrownBy(act: () => Promise<unknown>): Promise<string | null> {
  return act().then(
    () => null,
    (error: Error) => error.message,
  )
}

it('bounds the length of one text, before it has come to its end', async () => {
  const long = 'a'.repeat(JSON_TEXT_MAX_BYTES - 2)
  expect(await parseJson(`{"a":"${long}"}`)).toEqual({ a: long })
  let pieces = 0
  const endless = function* () {
    yield Buffer.from('{"a":"')
    for (; pieces < 1000; pieces += 1) yield Buffer.alloc(1_048_576, 'a')
  }
  await expect(parsePieces(endless())).rejects.toThrow('a text of more than 16777216 bytes')
  expect(pieces).toBeLessThan(20)
})
