import { describe, expect, it } from 'vitest'
import {
  addDuration,
  addMillis,
  addMillisAtMost,
  addMonths,
  addMonthsAtMost,
  exactMillis,
  Instant,
  instantAt,
  isWritable,
  millisBetween,
  parseDuration,
} from '../../src/time/instant.ts'
import { instant } from '../support/catalog.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('instants', () => {
  it('1.4: is written in UTC with milliseconds, as RFC 3339', () => {
    expect(instantAt(Date.UTC(2027, 0, 31, 10))).toBe('2027-01-31T10:00:00.000Z')
  })

  it.each([
    '2027-01-31',
    '2027-01-31T10:00:00Z',
    '2027-01-31T10:00:00.000+00:00',
    '2027-02-29T00:00:00.000Z',
    '2027-01-31T24:00:00.000Z',
    '2027-01-31T23:59:60.000Z',
    '1969-12-31T23:59:59.999Z',
    '+12027-01-01T00:00:00.000Z',
    '',
  ])('1.4: does not take "%s" as an instant', (text) => {
    expect(Instant.safeParse(text).success).toBe(false)
  })

  it.each(['1970-01-01T00:00:00.000Z', '2028-02-29T23:59:59.999Z', '9999-12-31T23:59:59.999Z'])(
    '1.4: takes %s as an instant',
    (text) => {
      expect(Instant.safeParse(text).success).toBe(true)
    },
  )

  it('1.4: writes nothing before 1970, after 9999 or between two milliseconds', () => {
    expect([-1, 253_402_300_800_000, 0.5, Number.NaN].map(isWritable)).toEqual(Array(4).fill(false))
    expect(() => instantAt(253_402_300_800_000)).toThrow(RangeError)
    expect(instantAt(253_402_300_799_999)).toBe('9999-12-31T23:59:59.999Z')
  })

  it('1.8: a day of trial is exactly 24 hours, over a leap day and a change of clocks alike', () => {
    expect(addMillis(instant('2028-02-28T10:00:00Z'), DAY)).toBe('2028-02-29T10:00:00.000Z')
    expect(addMillis(instant('2027-03-27T10:00:00Z'), 2 * DAY)).toBe('2027-03-29T10:00:00.000Z')
  })

  it('says how long it is from one instant to another', () => {
    const [one, other] = [instant('2027-03-01'), instant('2027-04-01')]
    expect(millisBetween(one, other)).toBe(2_678_400_000)
    expect(millisBetween(other, one)).toBe(-2_678_400_000)
  })

  it('ends nothing after the last instant that can be written', () => {
    const last = '9999-12-31T23:59:59.999Z'
    expect(addMillisAtMost(instant('9999-12-31T00:00:00Z'), DAY)).toBe(last)
    expect(addMillisAtMost(instant('9999-12-30T00:00:00Z'), DAY)).toBe('9999-12-31T00:00:00.000Z')
    expect(addMonthsAtMost(instant('9999-11-30T00:00:00Z'), 1)).toBe('9999-12-30T00:00:00.000Z')
    expect(addMonthsAtMost(instant('9999-11-30T00:00:00Z'), 2)).toBe(last)
    expect(addMonthsAtMost(instant('9990-11-30T00:00:00Z'), 100)).toBe('9999-03-30T00:00:00.000Z')
    expect(addMonthsAtMost(instant('9900-01-01T00:00:00Z'), 1200)).toBe(last)
  })

  it.each([
    ['2027-01-31T10:00:00.123Z', 1, '2027-02-28T10:00:00.123Z'],
    ['2028-01-31T10:00:00.123Z', 1, '2028-02-29T10:00:00.123Z'],
    ['2027-12-31T23:59:59.999Z', 2, '2028-02-29T23:59:59.999Z'],
    ['2027-11-30T00:00:00.000Z', 3, '2028-02-29T00:00:00.000Z'],
    ['2027-03-31T00:00:00.000Z', 13, '2028-04-30T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 12, '2029-02-28T12:00:00.000Z'],
    ['2027-05-15T08:30:00.000Z', 0, '2027-05-15T08:30:00.000Z'],
  ])('1.6: %s and %i calendar months make %s', (from, months, to) => {
    expect(addMonths(instant(from), months)).toBe(to)
  })
})

describe('durations', () => {
  it.each([
    ['P14D', 0, 14 * DAY],
    ['P1M', 1, 0],
    ['PT1M', 0, 60_000],
    ['P1Y', 12, 0],
    ['P2Y3M', 27, 0],
    ['P2W', 0, 14 * DAY],
    ['P1DT12H', 0, 36 * HOUR],
    ['PT36H', 0, 36 * HOUR],
    ['PT0.001S', 0, 1],
    ['PT1.5S', 0, 1500],
    ['PT1.05S', 0, 1050],
    ['P1Y2M3W4DT5H6M7.089S', 14, 25 * DAY + 5 * HOUR + 6 * 60_000 + 7089],
    ['P0D', 0, 0],
  ])('reads %s as %i months and %i ms', (text, months, millis) => {
    expect(parseDuration(text)).toEqual({ months, millis })
  })

  it.each([
    '',
    'P',
    'PT',
    'P1',
    '1D',
    'P1.5D',
    'P-1D',
    '-P1D',
    'P1DT',
    'p1d',
    'P1D ',
    'P1H',
    'PT1D',
    'P1D1M',
    'PT1S1M',
    'PT1.0001S',
    'PT.5S',
    'P1D\n',
  ])('does not take "%s" as a duration', (text) => {
    expect(parseDuration(text)).toBeNull()
  })

  it('adds whole months first, clamped to the end of the month, and then exact time', () => {
    const duration = { months: 1, millis: DAY }
    expect(addDuration(instant('2027-01-31T10:00:00Z'), duration)).toBe('2027-03-01T10:00:00.000Z')
  })

  it.each([
    ['P1D', DAY],
    ['PT12H', 12 * HOUR],
    ['P1DT1M', DAY + 60_000],
    ['PT5M', 300_000],
    ['P1M', null],
    ['P1W', null],
    ['P1Y', null],
    ['P0M', null],
    ['P1MT1M', null],
    ['soon', null],
  ])(
    '4.12: takes %s as an offset of %d ms: days, hours, minutes and seconds only',
    (text, millis) => {
      expect(exactMillis(text)).toBe(millis)
    },
  )
})
