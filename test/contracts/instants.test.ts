/** Which times between two instants are the same, where clocks differ. */
import { expect, it } from 'vitest'
import { isAsFar } from '../../src/contracts/common/instants.ts'

const pair = (text: string) => {
  const [from = '', to = ''] = text.split(' to ')
  return [new Date(from), new Date(to)] as const
}

it.each([
  ['2027-01-31 to 2027-02-28', '2027-02-28 to 2027-03-31', true],
  ['2027-01-30 to 2027-02-28', '2027-03-15 to 2027-04-15', true],
  ['2027-02-28 to 2027-03-30', '2027-03-15 to 2027-04-15', true],
  ['2027-01-31 to 2027-02-07', '2027-01-31 to 2027-02-14', false],
  ['2027-01-31 to 2027-02-07', '2027-01-31 to 2027-02-28', false],
  ['2027-01-15 to 2027-02-28', '2027-01-15 to 2027-02-15', false],
])('takes %s to be as far as %s: %s', (one, other, isSame) => {
  expect(isAsFar(pair(one), pair(other))).toBe(isSame)
})
