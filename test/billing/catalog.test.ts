import { describe, expect, it } from 'vitest'
import { compareRates, type Plan } from '../../src/billing/catalog.ts'
import { plan, yearly } from '../support/catalog.ts'

type Row = [string, [Plan, Plan], -1 | 0 | 1]

const every = (amount: number, interval: Plan['interval'], intervalCount = 1) =>
  plan(`${amount} every ${intervalCount} ${interval}`, amount, { interval, intervalCount })

describe('the rate of a plan', () => {
  it.each<Row>([
    ['2000 a month is above 1000 a month', [every(2000, 'month'), every(1000, 'month')], 1],
    ['1000 a month equals 12000 a year', [every(1000, 'month'), yearly('year', 12_000)], 0],
    ['1000 a month is below 12001 a year', [every(1000, 'month'), yearly('year', 12_001)], -1],
    ['1000 a month is above 11999 a year', [every(1000, 'month'), yearly('year', 11_999)], 1],
    ['100 a week (52 a year) equals 5200 a year', [every(100, 'week'), yearly('year', 5200)], 0],
    ['10 a day (365 a year) equals 3650 a year', [every(10, 'day'), yearly('year', 3650)], 0],
    ['70 a week is below 10 a day', [every(70, 'week'), every(10, 'day')], -1],
    ['3000 a quarter equals 1000 a month', [every(3000, 'month', 3), every(1000, 'month')], 0],
    ['3001 a quarter is above 1000 a month', [every(3001, 'month', 3), every(1000, 'month')], 1],
    ['1000 every 3 months is above 333 a month', [every(1000, 'month', 3), every(333, 'month')], 1],
    [
      '1000 every 3 months is below 334 a month',
      [every(1000, 'month', 3), every(334, 'month')],
      -1,
    ],
    ['2000 every 2 years equals 1000 a year', [every(2000, 'year', 2), yearly('year', 1000)], 0],
    ['nothing a day equals nothing a year', [every(0, 'day'), yearly('year', 0)], 0],
  ])('5.2: %s', (_, [one, other], order) => {
    expect(compareRates(one, other)).toBe(order)
    expect(compareRates(other, one)).toBe(order === 0 ? 0 : -order)
  })

  it('5.2: rates are compared exactly where floating point would call them equal', () => {
    const one = every(1_000_000_000_000, 'day', 366)
    const other = every(999_999_999_999, 'day', 366)
    expect(compareRates(one, other)).toBe(1)
  })
})
