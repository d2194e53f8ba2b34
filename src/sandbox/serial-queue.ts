import { holdMeter } from '../world/hold-meter.ts'

/** A queue for calls that must not overlap: each runs when all before it have ended. A failure reaches its own caller only. */
export function serialQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <Value>(work: () => Value | Promise<Value>): Promise<Value> => {
    const run = holdMeter.running
    const done = last.then(() => {
      holdMeter.mark(run)
      return work()
    })
    last = done.catch(() => undefined)
    return done
  }
}
