/**
 * The virtual clock of one sandbox, on a separate fake-timers clock: the process's timers are never touched. Owns the
 * virtual now and one alarm; the caller defines what the alarm means.
 */
import { type Clock, createClock } from '@sinonjs/fake-timers'
import { type Instant, instantAt, millisOf } from '../time/instant.ts'

/** The longest delay of a timer; fake-timers fires a longer one at once. */
const HOP_MS = 2 ** 31 - 1

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
    let rang = false
    const targetMs = millisOf(target)
    const alarmMs = alarmAt === null ? null : millisOf(alarmAt)
    while (!rang && this.#clock.now < targetMs) {
      const alarm = alarmMs === null ? null : this.#arm(alarmMs, () => (rang = true))
      const alarmInMs = alarmMs === null ? HOP_MS : alarmMs - this.#clock.now
      this.#clock.tick(Math.min(HOP_MS, targetMs - this.#clock.now, Math.max(alarmInMs, 0)))
      if (alarm !== null) this.#clock.clearTimeout(alarm)
    }
    const { now } = this.#clock
    // The text exists already: to format it for each alarm took a twentieth of an advance.
    if (alarmAt !== null && alarmMs === now) this.#written = { millis: now, instant: alarmAt }
    return rang || (alarmMs !== null && alarmMs <= now)
  }

  /** Sets the timer if the alarm is within one hop; a later alarm waits for the hops before it. */
  #arm(alarmMs: number, ring: () => void) {
    const delayMs = alarmMs - this.#clock.now
    return delayMs > HOP_MS ? null : this.#clock.setTimeout(ring, delayMs)
  }
}
