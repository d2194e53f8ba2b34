import { describe, expect, it } from 'vitest'
import {
  decimalText,
  isExactPercent,
  isRounded,
  percentOf,
  round,
  share,
} from '../../src/billing/money.ts'

describe('money', () => {
  it.each([
    [0n, 1n, 0],
    [1n, 2n, 1],
    [-1n, 2n, -1],
    [3n, 2n, 2],
    [-3n, 2n, -2],
    [5n, 2n, 3],
    [-5n, 2n, -3],
    [1n, 3n, 0],
    [-1n, 3n, 0],
    [2n, 3n, 1],
    [-2n, 3n, -1],
    [499_999n, 1_000_000n, 0],
    [500_000n, 1_000_000n, 1],
  ])('1.2: rounds %i/%i half away from zero to %i', (numerator, denominator, rounded) => {
    expect(round({ numerator, denominator }, 'half_away')).toBe(rounded)
  })

  it.each([
    [1n, 2n, 0],
    [3n, 2n, 2],
    [5n, 2n, 2],
    [-5n, 2n, -2],
    [-7n, 2n, -4],
    [501n, 200n, 3],
    [2n, 3n, 1],
  ])('1.2: rounds %i/%i half to even to %i', (numerator, denominator, rounded) => {
    expect(round({ numerator, denominator }, 'half_even')).toBe(rounded)
  })

  it.each([
    [2, true],
    [3, true],
    [1, false],
    [4, false],
  ])('1.2: knows %i as 5/2 rounded: %s', (amount, isRight) => {
    expect(isRounded(amount, { numerator: 5n, denominator: 2n })).toBe(isRight)
    expect(isRounded(amount, { numerator: 249n, denominator: 100n })).toBe(amount === 2)
  })

  it('1.2: rounds a tiny credit to zero, not to minus zero', () => {
    expect(Object.is(round({ numerator: -1n, denominator: 3n }, 'half_away'), 0)).toBe(true)
  })

  it.each([
    [1004, 12.5, 126],
    [1979, 99, 1959],
    [1000, 0.0001, 0],
    [5_000_000, 0.0001, 5],
    [4_999_999, 0.0001, 5],
    [500_000, 0.0001, 1],
    [499_999, 0.0001, 0],
    [1000, 33.3333, 333],
    [10_000, 33.3333, 3333],
    [100_000, 33.3335, 33_334],
    [105, 0.9524, 1],
    [350, 0.57, 2],
    [100_000_000, 0.57, 570_000],
    [100_000_000, 8.2, 8_200_000],
    [1, 50, 1],
    [1, 49.9999, 0],
    [999, 100, 999],
    [0, 20, 0],
  ])('1.2: takes of %i at %d percent exactly %i', (amount, percent, off) => {
    expect(round(percentOf(amount, percent), 'half_away')).toBe(off)
  })

  it.each([
    [999_999_999_999, 999_999_999_967],
    [1_000_000_000_000, 999_999_999_968],
  ])(
    '1.2: prorates %i by a year less a millisecond exactly, far above 2^53 on the way',
    (amount, rest) => {
      expect(round(share(amount, 31_535_999_999, 31_536_000_000), 'half_away')).toBe(rest)
    },
  )

  it('1.2: keeps the last minor unit of a percentage of the largest amount', () => {
    expect(round(percentOf(999_999_999_999, 99.9999), 'half_away')).toBe(999_998_999_999)
    expect(round(percentOf(9_007_199_254_740_991, 50), 'half_away')).toBe(4_503_599_627_370_496)
  })

  it.each([12.5, 0.0001, 33.3333, 99.9999, 100, 1, 0.57, 8.2, 16.6667])(
    '1.3: takes %d as a percentage, since it has at most four decimals',
    (percent) => {
      expect(isExactPercent(percent)).toBe(true)
    },
  )

  it.each([33.33333, 0.00001, 99.99999, 1 / 3])(
    '1.3: does not take %d as a percentage, since it has more than four decimals',
    (percent) => {
      expect(isExactPercent(percent)).toBe(false)
    },
  )

  it.each([
    { numerator: 125_500n, denominator: 1000n, places: 9, text: '125.5' },
    { numerator: -125_500n, denominator: 1000n, places: 9, text: '-125.5' },
    { numerator: 2n, denominator: 3n, places: 9, text: '0.666666666' },
    { numerator: 7n, denominator: 1n, places: 9, text: '7' },
    { numerator: 1n, denominator: 1000n, places: 3, text: '0.001' },
  ])(
    'prints $numerator/$denominator as $text, cut and never rounded',
    ({ text, places, ...exact }) => {
      expect(decimalText(exact, places)).toBe(text)
    },
  )
})
