/** Long work in slices: between two of them the rest of the process has a turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long work goes on before it lets the rest of the process have a turn. */
const SLICE_MS = 8

/** Asked after each step, it pauses where the slice is over. */
export type Pause = () => Promise<void> | undefined

/** Begins a slice; the time is looked at once in so many steps. */
export function slices(stepsPerLook = 32): Pause {
  let startedAt = performance.now()
  let steps = 0
  return () => {
    steps += 1
    if (steps % stepsPerLook !== 0 || performance.now() - startedAt < SLICE_MS) return undefined
    return nextTurn().then(() => {
      startedAt = performance.now()
    })
  }
}

/** Does work that yields after each step, and answers what it comes to. */
export async function inSlices<Value>(work: Generator<unknown, Value>): Promise<Value> {
  const pause = slices()
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    const paused = pause()
    if (paused !== undefined) await paused
  }
}
