import { holdMeter } from '../world/hold-meter.ts'

/** A serial queue: runs work when everything before it has ended, and returns its result. */
export type SerialQueue = <Value>(work: () => Value | Promise<Value>) => Promise<Value>

/** A queue for calls that must not overlap. A failure reaches its own caller only. */
export function serialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = holdMeter.running
    const done = last.then(() => {
      holdMeter.mark(run)
      return work()
    })
    last = done.catch(() => undefined)
    return done
  }
}
