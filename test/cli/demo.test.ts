import { expect, it } from 'vitest'
import { runProgram } from '../support/process.ts'

it('runs a year and ends with 0, with amounts as the rules have them', async () => {
  const demo = runProgram([process.execPath, 'dist/cli/demo.js'])
  expect(await demo.ended).toBe(0)
  const stdout = demo.output()
  const told = (words: string) => stdout.split('\n').filter((line) => line.includes(words))
  expect(told('paid: 8.00 USD')).toHaveLength(3)
  expect(told('card_declined, next attempt 2027-02-16')).toHaveLength(1)
  expect(told('insufficient_funds, next attempt 2027-02-18')).toHaveLength(1)
  expect(told('2027-02-18 00:00  active again')).toHaveLength(1)
  // Half of 31 days at 800 and at 2000: 400 back, 1000 more.
  expect(told('inv_000004 (proration): 6.00 USD due')).toHaveLength(1)
  expect(told('SAVE20 has run out')).toHaveLength(1)
  expect(told('paid: 25.00 USD')).toHaveLength(8)
  expect(told('2027-12-15 00:00  canceled (period_end)')).toHaveLength(1)
  expect(stdout).toContain('A year, 230.00 USD collected')
})
