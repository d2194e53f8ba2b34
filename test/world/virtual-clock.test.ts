import { expect, it } from 'vitest'
import { VirtualClock } from '../../src/world/virtual-clock.ts'
import { instant } from '../support/catalog.ts'

it('stops at the alarm when that comes before the target', () => {
  const clock = new VirtualClock(instant('2027-01-01'))
  expect(clock.moveTo(instant('2027-03-01'), instant('2027-02-01'))).toBe(true)
  expect(clock.now()).toBe(instant('2027-02-01'))
})

it('goes to the target when there is no alarm', () => {
  const clock = new VirtualClock(instant('2027-01-01'))
  expect(clock.moveTo(instant('2027-03-01'), null)).toBe(false)
  expect(clock.now()).toBe(instant('2027-03-01'))
})

it('rings an alarm at the very target', () => {
  const clock = new VirtualClock(instant('2027-01-01'))
  expect(clock.moveTo(instant('2027-03-01'), instant('2027-03-01'))).toBe(true)
  expect(clock.now()).toBe(instant('2027-03-01'))
})

it('reaches an alarm decades away, further than any timer, to the millisecond', () => {
  const clock = new VirtualClock(instant('1999-12-31T23:59:59.999Z'))
  expect(clock.moveTo(instant('2100-01-01'), instant('2099-06-15T12:34:56.789Z'))).toBe(true)
  expect(clock.now()).toBe(instant('2099-06-15T12:34:56.789Z'))
})

it('leaves the time of the process alone', () => {
  const before = Date.now()
  new VirtualClock(instant('2027-01-01')).moveTo(instant('2099-01-01'), null)
  expect(Date.now() - before).toBeLessThan(60_000)
})
