/**
 * The running clock: a virtual clock that follows real time. Owns where it should stand by now, and the one real
 * timer that wakes a sandbox when something falls due; settling it is the sandbox's business.
 */
import { type Instant, instantAt, millisOf } from '../time/instant.ts'
import { CLOCK_MAX } from '../world/advance.ts'
import type { VirtualClock } from '../world/virtual-clock.ts'

/** Whether time passes by itself. */
export type ClockMode = 'frozen' | 'running'

/** How a clock is set: moved on to a later now where one is named, then run or frozen where that is asked for. */
export interface ClockOrder {
  readonly now: Instant | null
  readonly mode: ClockMode | null
}

/** Time as the machine has it. */
export interface RealTime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after so many milliseconds, or later; answers how to call that off. */
  readonly wake: (afterMs: number, call: () => void) => () => void
}

/** The machine's own time. Waiting for it keeps no process alive. */
export const realTime: RealTime = {
  now: () => Date.now(),
  wake: (afterMs, call) => {
    const timer = setTimeout(call, afterMs)
    timer.unref()
    return () => clearTimeout(timer)
  },
}

/** A machine that slept does not count it as waiting, so no wait is long: it is late by this at most. */
const WAIT_MAX_MS = 30_000

/** How long after a failure it is tried again. */
const RETRY_MS = 1000

export function modeOf({ offsetMs }: VirtualClock): ClockMode {
  return offsetMs === null ? 'frozen' : 'running'
}

/** Has a clock run from where it stands, at real time `realMs`. */
export function run(clock: VirtualClock, realMs: number): void {
  clock.offsetMs = millisOf(clock.now()) - realMs
}

/**
 * Where a clock should stand at real time `realMs`; a frozen one where it stands. Real time that was set back does not
 * take it back: it goes on from where it stands.
 */
export function standsAt(clock: VirtualClock, realMs: number): Instant {
  if (clock.offsetMs === null) return clock.now()
  if (realMs + clock.offsetMs < millisOf(clock.now())) run(clock, realMs)
  const millis = realMs + clock.offsetMs
  return millis < millisOf(CLOCK_MAX) ? instantAt(millis) : CLOCK_MAX
}

/** Has a running clock stay as far ahead as it is moved from here on: call what this answers after each move. */
export function followMoves(clock: VirtualClock): () => void {
  const { offsetMs } = clock
  const fromMs = millisOf(clock.now())
  return () => {
    if (offsetMs !== null) clock.offsetMs = offsetMs + millisOf(clock.now()) - fromMs
  }
}

/** The one timer of a sandbox. Its identity is the wait under way. */
export class Alarm {
  readonly #time: RealTime
  readonly #ring: () => void
  #callOff: (() => void) | null = null

  constructor(time: RealTime, ring: () => void) {
    this.#time = time
    this.#ring = ring
  }

  /** Rings when `dueAt` is reached, or sooner to look again; not at all for a frozen clock or with nothing due. */
  setFor({ offsetMs }: VirtualClock, dueAt: Instant | null): void {
    this.clear()
    if (offsetMs === null || dueAt === null) return
    this.#wait(millisOf(dueAt) - (this.#time.now() + offsetMs))
  }

  /** Rings a while later, when what failed may be over. */
  setForRetry(): void {
    this.clear()
    this.#wait(RETRY_MS)
  }

  clear(): void {
    this.#callOff?.()
    this.#callOff = null
  }

  #wait(afterMs: number): void {
    this.#callOff = this.#time.wake(Math.min(Math.max(afterMs, 0), WAIT_MAX_MS), this.#ring)
  }
}
