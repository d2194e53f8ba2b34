import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addMonths, type Instant } from '../../src/time/instant.ts'

it('adds months as the calendar has them, the leap years of centuries among them', () => {
  const from = fc.date({
    min: new Date('1970-01-01'),
    max: new Date('2499-12-31'),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(from, fc.integer({ min: 0, max: 6000 }), (date, months) => {
      const first = new Date(date)
      first.setUTCDate(1)
      first.setUTCMonth(first.getUTCMonth() + months)
      const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0))
      first.setUTCDate(Math.min(date.getUTCDate(), lastDay.getUTCDate()))
      expect(addMonths(date.toISOString() as Instant, months)).toBe(first.toISOString())
    }),
    { numRuns: 5000 },
  )
})

it.each([
  ['2096-02-29', 48, '2100-02-28'],
  ['2000-01-31', 1, '2000-02-29'],
])('from %s, %i months on, is %s', (date, months, later) => {
  const time = 'T10:00:00.001Z'
  expect(addMonths(`${date}${time}` as Instant, months)).toBe(`${later}${time}`)
})
