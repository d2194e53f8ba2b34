import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Utf8Check } from '../../src/http/request/utf8.ts'

/** Whether a check that is given some bytes in pieces of some length takes them. */
function isTaken(bytes: Uint8Array, length: number): boolean {
  const check = new Utf8Check()
  for (let from = 0; from < bytes.length; from += length) {
    if (!check.goesOn(bytes.subarray(from, from + length))) return false
  }
  return check.ends()
}

/** What the platform's own decoder says of the whole. */
function isDecoded(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

describe('the check of UTF-8', () => {
  it('takes what a decoder takes of the whole, whatever the pieces', () => {
    const text = fc.string({ unit: 'binary' }).map((each) => new TextEncoder().encode(each))
    const bytes = fc.array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xf5, 0x9f))
    const either = fc.oneof(
      text,
      bytes.map((each) => Uint8Array.from(each)),
    )
    fc.assert(
      fc.property(either, fc.integer({ min: 1, max: 7 }), (given, length) => {
        expect(isTaken(given, length)).toBe(isDecoded(given))
      }),
      { numRuns: 2000 },
    )
  })

  it.each([[0xff], [0xc0], [0xe0, 0x80], [0xed, 0xa0], [0xf4, 0x90]])(
    'refuses %j at once, which nothing completes',
    (...bytes) => {
      expect(new Utf8Check().goesOn(Uint8Array.from(bytes))).toBe(false)
    },
  )

  it.each(['é', '€', '😀'])('takes %s whole, and refuses it without its last byte', (text) => {
    const bytes = new TextEncoder().encode(text)

    expect(isTaken(bytes, 1)).toBe(true)
    expect(isTaken(bytes.subarray(0, -1), 1)).toBe(false)
  })
})
