import { holdMeter } from '../world/hold-meter.ts'

/** A serial queue: runs work when everything before it has ended, and answers what it answers. */
export type SerialQueue = <Value>(work: () => Value | Promise<Value>) => Promise<Value>

/** A queue for calls that must not overlap. One that fails fails for its caller alone. */
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
