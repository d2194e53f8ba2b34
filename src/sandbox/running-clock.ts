/**
 * The running clock: a virtual clock that follows real time. Owns its current now, and the one real timer that wakes a
 * sandbox when something falls due; the sandbox settles it.
 */
import { type Instant, instantAt, millisOf } from '../time/instant.ts'
import { CLOCK_MAX } from '../world/advance.ts'
import type { VirtualClock } from '../world/virtual-clock.ts'

/** Whether time passes by itself. */
export type ClockMode = 'frozen' | 'running'

/** How to set a clock: first move it to a later now, then run or freeze it; each is optional. */
export interface ClockOrder {
  readonly now: Instant | null
  readonly mode: ClockMode | null
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

/** A machine that sleeps does not count it as waiting. So no wait is longer than this, which is the most delay. */
const WAIT_MAX_MS = 30_000

const RETRY_MS = 1000

export function modeOf({ offsetMs }: VirtualClock): ClockMode {
  return offsetMs === null ? 'frozen' : 'running'
}

/** Runs a clock from its current now, at real time `realMs`. */
export function run(clock: VirtualClock, realMs: number): void {
  clock.offsetMs = millisOf(clock.now()) - realMs
}

/**
 * The now of a clock at real time `realMs`; a frozen clock does not move. If real time is set back, the clock does not
 * go backwards.
 */
export function standsAt(clock: VirtualClock, realMs: number): Instant {
  if (clock.offsetMs === null) return clock.now()
  if (realMs + clock.offsetMs < millisOf(clock.now())) run(clock, realMs)
  const millis = realMs + clock.offsetMs
  return millis < millisOf(CLOCK_MAX) ? instantAt(millis) : CLOCK_MAX
}

/** Keeps a running clock as far ahead as it is moved: call the returned function after each move. */
export function followMoves(clock: VirtualClock): () => void {
  const { offsetMs } = clock
  const fromMs = millisOf(clock.now())
  return () => {
    if (offsetMs !== null) clock.offsetMs = offsetMs + millisOf(clock.now()) - fromMs
  }
}

/** The one timer of a sandbox. Its identity is the current wait. */
export class Alarm {
  readonly #time: RealTime
  readonly #ring: () => void
  #callOff: (() => void) | null = null

  constructor(time: RealTime, ring: () => void) {
    this.#time = time
    this.#ring = ring
  }

  /** Rings when `dueAt` is reached, or sooner to look again; never for a frozen clock or with nothing due. */
  setFor({ offsetMs }: VirtualClock, dueAt: Instant | null): void {
    this.clear()
    if (offsetMs === null || dueAt === null) return
    this.#wait(millisOf(dueAt) - (this.#time.now() + offsetMs))
  }

  /** Rings after a while, when a failure may be over. */
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
