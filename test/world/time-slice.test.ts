import { expect, it } from 'vitest'
import { runInSlices } from '../../src/world/time-slice.ts'

/** Far longer than it takes where nothing is wrong. */
const WORK_MS_MAX = 5000

/** Works in small steps until `isDone`, and answers how many there were. */
function* busy(isDone: () => boolean): Generator<void, number> {
  const startedAt = performance.now()
  let steps = 0
  while (!isDone() && performance.now() - startedAt < WORK_MS_MAX) {
    steps += 1
    yield
  }
  return steps
}

it('gives the rest of the process turns during long work, and answers what it does', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  expect(await runInSlices(busy(() => turns > 1))).toBeGreaterThan(1)
  isOver = true
  expect(turns).toBeGreaterThan(1)
})
