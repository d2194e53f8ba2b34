/** A machine whose time only a test moves: for clocks that follow real time. */
import { type Clock, createClock } from '@sinonjs/fake-timers'
import type { RealTime } from '../../src/sandbox/running-clock.ts'
import { millisOf } from '../../src/time/instant.ts'
import { instant } from './catalog.ts'

export interface MachineTime {
  readonly time: RealTime
  /** Lets so much time pass; everything that waits for it is called back when it is due. */
  readonly pass: (millis: number) => Promise<void>
  /** Has the machine sleep: whoever waited is called back once, when it wakes. */
  readonly sleep: (millis: number) => void
  /** Sets the machine's clock, as an administrator would. */
  readonly setTo: (now: string) => void
  /** How many wait for it. */
  readonly waiting: () => number
}

/** A machine where it is `now`. */
export function machineAt(now: string): MachineTime {
  const clock: Clock = createClock(millisOf(instant(now)))
  const time: RealTime = {
    now: () => clock.Date.now(),
    wake: (afterMs, call) => {
      const timer = clock.setTimeout(call, afterMs)
      return () => clock.clearTimeout(timer)
    },
  }
  return {
    time,
    pass: async (millis) => void (await clock.tickAsync(millis)),
    sleep: (millis) => void clock.jump(millis),
    setTo: (text) => clock.setSystemTime(millisOf(instant(text))),
    waiting: () => clock.countTimers(),
  }
}
