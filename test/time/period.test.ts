import { describe, expect, it } from 'vitest'
import { boundary, type Interval, sameInterval } from '../../src/time/period.ts'
import { instant } from '../support/catalog.ts'

const daily: Interval = { unit: 'day', count: 1 }
const weekly: Interval = { unit: 'week', count: 1 }
const monthly: Interval = { unit: 'month', count: 1 }
const yearly: Interval = { unit: 'year', count: 1 }

/** The days on which the first boundaries of a schedule fall, after the anchor. */
function firstDays(anchor: string, interval: Interval, count: number): string[] {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  return numbers.map((n) => boundary(instant(anchor), interval, n).slice(0, 10))
}

describe('the schedule of periods', () => {
  it('1.6: bills a subscriber of 31 January on 28 February, 31 March and 30 April', () => {
    const days = ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']
    expect(firstDays('2027-01-31', monthly, 5)).toEqual(days)
  })

  it('1.6: bills a subscriber of 31 January on 29 February in a leap year', () => {
    expect(firstDays('2028-01-31', monthly, 2)).toEqual(['2028-02-29', '2028-03-31'])
  })

  it('1.6: bills a yearly subscriber of 29 February on 28, 28, 28 and then 29 February', () => {
    const days = ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']
    expect(firstDays('2028-02-29', yearly, 4)).toEqual(days)
  })

  it('1.6: bills on 28 February in 2100, which is no leap year, and on 29 February in 2104', () => {
    expect(firstDays('2096-02-29', yearly, 8).at(3)).toBe('2100-02-28')
    expect(firstDays('2096-02-29', yearly, 8).at(7)).toBe('2104-02-29')
  })

  it('1.6: keeps the time of day to the millisecond', () => {
    const anchor = instant('2027-01-31T23:59:59.999Z')
    expect(boundary(anchor, monthly, 1)).toBe('2027-02-28T23:59:59.999Z')
    expect(boundary(anchor, yearly, 5)).toBe('2032-01-31T23:59:59.999Z')
  })

  it('1.6: boundary 0 is the anchor itself', () => {
    const anchor = instant('2027-01-31T10:00:00Z')
    for (const interval of [daily, weekly, monthly, yearly]) {
      expect(boundary(anchor, interval, 0)).toBe(anchor)
    }
  })

  it.each<{ every: string; interval: Interval; anchor: string; days: string[] }>([
    { every: 'day', interval: daily, anchor: '2028-02-28', days: ['2028-02-29', '2028-03-01'] },
    {
      every: '10 days',
      interval: { unit: 'day', count: 10 },
      anchor: '2027-02-25',
      days: ['2027-03-07', '2027-03-17'],
    },
    { every: 'week', interval: weekly, anchor: '2027-12-27', days: ['2028-01-03', '2028-01-10'] },
    {
      every: '2 weeks',
      interval: { unit: 'week', count: 2 },
      anchor: '2028-02-20',
      days: ['2028-03-05', '2028-03-19'],
    },
    {
      every: '3 months',
      interval: { unit: 'month', count: 3 },
      anchor: '2027-11-30',
      days: ['2028-02-29', '2028-05-30'],
    },
    {
      every: '18 months',
      interval: { unit: 'month', count: 18 },
      anchor: '2027-08-31',
      days: ['2029-02-28', '2030-08-31'],
    },
    {
      every: '2 years',
      interval: { unit: 'year', count: 2 },
      anchor: '2028-02-29',
      days: ['2030-02-28', '2032-02-29'],
    },
  ])('1.6: bills every $every by the calendar', ({ interval, anchor, days }) => {
    expect(firstDays(anchor, interval, 2)).toEqual(days)
  })

  it('1.6: never chains from the boundary before, so the 31st comes back after ten years', () => {
    expect(boundary(instant('2027-01-31'), monthly, 120)).toBe('2037-01-31T00:00:00.000Z')
  })

  it('5.4: the same interval means the same unit and the same count', () => {
    expect(sameInterval(monthly, { unit: 'month', count: 1 })).toBe(true)
    expect(sameInterval(monthly, { unit: 'month', count: 2 })).toBe(false)
    expect(sameInterval({ unit: 'month', count: 12 }, yearly)).toBe(false)
  })
})
