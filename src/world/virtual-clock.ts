/**
 * The virtual clock of one sandbox, on a separate fake-timers clock: the process's timers are never touched. Owns the
 * virtual now; the caller defines what an alarm means.
 */
import { type Clock, createClock } from '@sinonjs/fake-timers'
import { type Instant, instantAt, millisOf } from '../time/instant.ts'

export class VirtualClock {
  /** The offset to real time in milliseconds, negative if the clock is behind; null while it is frozen. */
  offsetMs: number | null
  readonly #clock: Clock
  /** The now as text, cached: it is read far more often than it changes. */
  #written: { readonly millis: number; readonly instant: Instant } | null = null

  constructor(start: Instant, offsetMs: number | null = null) {
    this.offsetMs = offsetMs
    this.#clock = createClock(millisOf(start))
  }

  now(): Instant {
    const millis = this.#clock.now
    if (this.#written?.millis !== millis) this.#written = { millis, instant: instantAt(millis) }
    return this.#written.instant
  }

  /** Moves to `target`, or to `alarmAt` if that is earlier. Returns whether the alarm rang. */
  moveTo(target: Instant, alarmAt: Instant | null): boolean {
    const end = alarmAt !== null && alarmAt < target ? alarmAt : target
    const millis = millisOf(end)
    if (millis > this.#clock.now) {
      this.#clock.tick(millis - this.#clock.now)
      // The text exists already: to format it for each alarm took a twentieth of an advance.
      this.#written = { millis, instant: end }
    }
    return alarmAt !== null && alarmAt <= this.now()
  }
}
