import { describe, expect, it } from 'vitest'
import { type Fault, type FaultCall, hits, hitsLeft, matches } from '../../src/world/fault.ts'

const fault: Fault = {
  faultId: 'flt_000001',
  match: { operation: null, header: null, field: null },
  nth: 1,
  times: null,
  probability: 1,
  seed: 0,
  when: 'before',
  effect: {
    ...{ status: 503, body: null, headers: [], delayMs: 0, slowMs: 0 },
    ...{ drop: false, cut: false, malformed: false },
  },
  matched: 0,
  used: 0,
}

const call: FaultCall = {
  operation: 'createSubscription',
  header: (name) => (name === 'x-try' ? '1' : undefined),
  fields: { plan: 'basic', trial_period_days: 14 },
}

const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1)

/** Which of the first calls a seed hits, at a probability. */
function hitBy(seed: number, probability: number): readonly number[] {
  return numbers.filter((number) => hits({ ...fault, seed, probability }, number))
}

describe('a probability', () => {
  it.each([0, 1, 42, 2 ** 32 - 1])('is kept over many calls by the seed %i', (seed) => {
    for (const probability of [0.05, 0.5, 0.95]) {
      const share = hitBy(seed, probability).length / numbers.length
      expect(Math.abs(share - probability)).toBeLessThan(0.02)
    }
  })

  it('hits the same calls with the same seed, in every version, and others with another', () => {
    expect(hitBy(7, 0.5).slice(0, 10)).toEqual([3, 4, 5, 7, 8, 10, 13, 14, 16, 17])
    expect(hitBy(7, 0.5)).toEqual(hitBy(7, 0.5))
    const [one, other] = [hitBy(7, 0.5), new Set(hitBy(8, 0.5))]
    const both = one.filter((number) => other.has(number)).length
    expect(Math.abs(both / numbers.length - 0.25)).toBeLessThan(0.02)
  })

  it('of 1 hits every call, and one above 0 does not hit all of them', () => {
    expect(hitBy(3, 1)).toHaveLength(numbers.length)
    expect(hitBy(3, 0.0001).length).toBeLessThan(10)
  })
})

describe('a fault matches', () => {
  const named = (name: string, value: string) => ({ name, value })

  it.each([
    ['every call where it asks for nothing', {}, true],
    ['its operation', { operation: 'createSubscription' }, true],
    ['no other operation', { operation: 'cancelSubscription' }, false],
    ['a header', { header: named('x-try', '1') }, true],
    ['no other value of it', { header: named('x-try', '2') }, false],
    ['a field', { field: named('plan', 'basic') }, true],
    ['a number as text', { field: named('trial_period_days', '14') }, true],
    ['no field that is not sent', { field: named('coupon_id', 'undefined') }, false],
    ['only what has all of them', { field: named('plan', 'basic'), operation: 'pause' }, false],
  ])('%s', (_, match, expected) => {
    expect(matches({ ...fault, match: { ...fault.match, ...match } }, call)).toBe(expected)
  })

  it('by a field no body that could not be read', () => {
    const match = { ...fault.match, field: named('plan', 'basic') }
    expect(matches({ ...fault, match }, { ...call, fields: null })).toBe(false)
  })

  it('no call any more when it is used up', () => {
    const twice = { ...fault, times: 2, used: 2 }
    expect([hitsLeft(twice), matches(twice, call)]).toEqual([0, false])
    expect([hitsLeft({ ...twice, used: 1 }), hitsLeft(fault)]).toEqual([1, null])
  })
})

it('hits no call before the nth', () => {
  expect(numbers.slice(0, 5).filter((number) => hits({ ...fault, nth: 4 }, number))).toEqual([4, 5])
})
