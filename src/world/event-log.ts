/**
 * The event log of one world: its newest events, in the order of their numbers. Owns which of them are kept, exactly
 * `EVENTS_KEPT` at the most, however they came in.
 */
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import type { Event } from './event.ts'

/** Chooses events. */
type EventCondition = (event: Event) => boolean

/** A ring: a new event takes the place of the oldest one, and nothing is moved. */
export class EventLog implements Iterable<Event> {
  #slots: Event[] = []
  /** The slot of the oldest event. */
  #oldest = 0

  /** How many events are kept. */
  get length(): number {
    return this.#slots.length
  }

  /** The newest event; undefined in an empty log. */
  get newest(): Event | undefined {
    return this.#at(this.length - 1)
  }

  /** Appends an event, whose number must be above all others, and drops the oldest one if there are too many. */
  push(event: Event): void {
    if (this.length < EVENTS_KEPT) {
      this.#slots.push(event)
      return
    }
    this.#slots[this.#oldest] = event
    this.#oldest = (this.#oldest + 1) % EVENTS_KEPT
  }

  /** The number before the oldest event that is kept: all up to it were dropped, or never were. */
  get droppedSeq(): number {
    return (this.#at(0)?.seq ?? 1) - 1
  }

  /**
   * The events after a number for which a condition holds, oldest first, at most `limit`; if that one was dropped, from
   * the oldest one kept on.
   */
  after(seq: number, limit = EVENTS_KEPT, matches: EventCondition = () => true): Event[] {
    const events: Event[] = []
    for (let index = this.#firstAfter(seq); index < this.length; index += 1) {
      if (events.length >= limit) break
      const event = this.#at(index) as Event
      if (matches(event)) events.push(event)
    }
    return events
  }

  copy(): EventLog {
    const copy = new EventLog()
    copy.#slots = [...this.#slots]
    copy.#oldest = this.#oldest
    return copy
  }

  /** The newest event for which a condition holds. */
  findLast(condition: EventCondition): Event | undefined {
    for (let index = this.length - 1; index >= 0; index -= 1) {
      const event = this.#at(index)
      if (event !== undefined && condition(event)) return event
    }
    return undefined
  }

  *[Symbol.iterator](): Generator<Event, void> {
    for (let index = 0; index < this.length; index += 1) yield this.#at(index) as Event
  }

  #at(index: number): Event | undefined {
    return this.#slots[(this.#oldest + index) % this.length]
  }

  /** How many events have a number up to `seq`, found by halving. */
  #firstAfter(seq: number): number {
    let [low, high] = [0, this.length]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((this.#at(middle)?.seq ?? 0) > seq) high = middle
      else low = middle + 1
    }
    return low
  }
}
