/**
 * The virtual clock of one sandbox, on a separate fake-timers clock: the process's timers are never touched. Owns the
 * virtual now; the caller defines what an alarm means.
 */
import { type Clock, createClock } from '@sinonjs/fake-timers'
import { type Instant, millisOf } from '../time/instant.ts'

export class VirtualClock {
  /** The offset to real time in milliseconds, negative if the clock is behind; null while it is frozen. */
  offsetMs: number | null
  #now: Instant
  /** Made at the first move: to make one takes as long as a short call, and most copies of a world never move. */
  #clock: Clock | null = null

  constructor(start: Instant, offsetMs: number | null = null) {
    this.offsetMs = offsetMs
    this.#now = start
  }

  now(): Instant {
    return this.#now
  }

  /** Moves to `target`, or to `alarmAt` if that is earlier. Returns whether the alarm rang. */
  moveTo(target: Instant, alarmAt: Instant | null): boolean {
    const end = alarmAt !== null && alarmAt < target ? alarmAt : target
    if (end > this.#now) {
      this.#clock ??= createClock(millisOf(this.#now))
      this.#clock.tick(millisOf(end) - this.#clock.now)
      this.#now = end
    }
    return alarmAt !== null && alarmAt <= this.#now
  }
}
