/** Long work in slices, between which the rest of the process has a turn. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { holdMeter } from './hold-meter.ts'

/** How long work goes on before it lets the rest of the process have a turn. */
const SLICE_MS = 4

/** How many short steps are made between two looks at the time, which cost a tenth of checking a world when each was one. */
const STEPS = 16

/** The slice of time that work is in. */
export class Slice {
  readonly #run = holdMeter.running
  #startedAt = performance.now()

  isOver(): boolean {
    return performance.now() - this.#startedAt > SLICE_MS
  }

  /** Gives the rest of the process a turn, and begins the next slice. */
  async next(): Promise<void> {
    await nextTurn()
    holdMeter.mark(this.#run)
    this.#startedAt = performance.now()
  }
}

/** Runs work of short steps, which can pause wherever it yields. */
export async function paced<Value>(work: Generator<void, Value>): Promise<Value> {
  const slice = new Slice()
  for (let steps = 1; ; steps += 1) {
    const step = work.next()
    if (step.done) return step.value
    if (steps % STEPS === 0 && slice.isOver()) await slice.next()
  }
}
