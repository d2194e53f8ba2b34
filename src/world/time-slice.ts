/** Runs long work in slices. The rest of the process has a turn between two slices. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { holdMeter } from './hold-meter.ts'

const SLICE_MS = 4

/** Short steps between two readings of the time. A reading after each one took a tenth of the check of a world. */
const STEPS = 16

export class TimeSlice {
  readonly #run = holdMeter.running
  #startedAt = performance.now()

  isOver(): boolean {
    return performance.now() - this.#startedAt > SLICE_MS
  }

  /** Gives the rest of the process a turn and begins the next slice. */
  async next(): Promise<void> {
    await nextTurn()
    holdMeter.mark(this.#run)
    this.#startedAt = performance.now()
  }
}

/** Runs work of short steps, which can pause at each `yield`. */
export async function runInSlices<Value>(work: Generator<void, Value>): Promise<Value> {
  const slice = new TimeSlice()
  for (let steps = 1; ; steps += 1) {
    const step = work.next()
    if (step.done) return step.value
    if (steps % STEPS === 0 && slice.isOver()) await slice.next()
  }
}
