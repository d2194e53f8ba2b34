/**
 * The event log of one world: its newest events, in the order of their numbers. Owns which of them are kept, exactly
 * `EVENTS_KEPT` at the most, however they came in.
 */
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import type { Event } from './event.ts'

/** Chooses events; `subscriptionId` is that of the subscription that one belongs to, null for what is of none. */
export type EventCondition = (event: Event, subscriptionId: string | null) => boolean

/** A ring: a new event takes the place of the oldest one, and nothing is moved. */
export class EventLog implements Iterable<Event> {
  #slots: Event[] = []
  /** The subscription of the event in the same slot: to look up that of each when they are read would take too long. */
  #subscriptionIds: (string | null)[] = []
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
  push(event: Event, subscriptionId: string | null = null): void {
    if (this.length < EVENTS_KEPT) {
      this.#slots.push(event)
      this.#subscriptionIds.push(subscriptionId)
      return
    }
    this.#slots[this.#oldest] = event
    this.#subscriptionIds[this.#oldest] = subscriptionId
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
      if (matches(event, this.#subscriptionIdAt(index))) events.push(event)
    }
    return events
  }

  copy(): EventLog {
    const copy = new EventLog()
    copy.#slots = [...this.#slots]
    copy.#subscriptionIds = [...this.#subscriptionIds]
    copy.#oldest = this.#oldest
    return copy
  }

  /** The newest event for which a condition holds. */
  findLast(condition: EventCondition): Event | undefined {
    for (let index = this.length - 1; index >= 0; index -= 1) {
      const event = this.#at(index)
      if (event !== undefined && condition(event, this.#subscriptionIdAt(index))) return event
    }
    return undefined
  }

  *[Symbol.iterator](): Generator<Event, void> {
    for (let index = 0; index < this.length; index += 1) yield this.#at(index) as Event
  }

  #at(index: number): Event | undefined {
    return this.#slots[(this.#oldest + index) % this.length]
  }

  #subscriptionIdAt(index: number): string | null {
    return this.#subscriptionIds[(this.#oldest + index) % this.length] ?? null
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
