/** The running clock: a virtual clock that follows real time. Owns its current now; the session wakes for what is due. */
import { type Instant, instantAt, millisOf } from '../time/instant.ts'
import { CLOCK_MAX } from '../world/advance.ts'
import type { VirtualClock } from '../world/virtual-clock.ts'

/** How to set a clock: first move it to a later now, then run or freeze it; each is optional. */
export interface ClockChange {
  readonly now: Instant | null
  readonly mode: 'frozen' | 'running' | null
}

export interface RealTime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after so many milliseconds, or later. Returns a function that cancels it. */
  readonly wake: (afterMs: number, call: () => void) => () => void
}

/** The machine's own time. A wait does not keep the process alive. */
export const realTime: RealTime = {
  now: () => Date.now(),
  wake: (afterMs, call) => {
    const timer = setTimeout(call, afterMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** Runs a clock from its current now, at real time `realMs`. */
export function runClock(clock: VirtualClock, realMs: number): void {
  clock.offsetMs = millisOf(clock.now()) - realMs
}

/** The now of a clock at real time `realMs`. It never goes backwards, also if real time is set back. */
export function clockNow(clock: VirtualClock, realMs: number): Instant {
  if (clock.offsetMs === null) return clock.now()
  if (realMs + clock.offsetMs < millisOf(clock.now())) runClock(clock, realMs)
  const millis = realMs + clock.offsetMs
  return millis < millisOf(CLOCK_MAX) ? instantAt(millis) : CLOCK_MAX
}

/** Keeps a running clock as far ahead as it is moved: call the returned function after each move. */
export function keepOffset(clock: VirtualClock): () => void {
  const { offsetMs } = clock
  const fromMs = millisOf(clock.now())
  return () => {
    if (offsetMs !== null) clock.offsetMs = offsetMs + millisOf(clock.now()) - fromMs
  }
}
