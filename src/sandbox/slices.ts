/** Long work in slices: between two of them the rest of the process has a turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long work goes on before it lets the rest of the process have a turn. */
const SLICE_MS = 8

/** How many steps are taken between two looks at the time. */
const STEPS = 32

/** Asked after each step, it pauses where the slice is over. */
export type Pause = () => Promise<void> | undefined

/** Begins a slice. */
export function slices(): Pause {
  let startedAt = performance.now()
  let steps = 0
  return () => {
    steps += 1
    if (steps % STEPS !== 0 || performance.now() - startedAt < SLICE_MS) return undefined
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
