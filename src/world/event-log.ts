/**
 * The event log of one world: its newest events, in the order of their numbers. Owns which events are kept: at most
 * `EVENTS_KEPT`.
 */
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import type { Event } from './event.ts'

/** Filters events. `subscriptionId` is the subscription of the event; null for an event without one. */
export type EventCondition = (event: Event, subscriptionId: string | null) => boolean

/** A ring buffer: a new event overwrites the oldest one, and no other moves. */
export class EventLog implements Iterable<Event> {
  #slots: Event[] = []
  /** The subscription of the event in the same slot. A lookup for each event that is read would be too slow. */
  #subscriptionIds: (string | null)[] = []
  /** The slot of the oldest event. */
  #oldest = 0

  get length(): number {
    return this.#slots.length
  }

  /** The newest event; undefined in an empty log. */
  get newest(): Event | undefined {
    return this.#at(this.length - 1)
  }

  /** Appends an event, whose number must be above all others, and drops the oldest one if the log is full. */
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

  /** The number before the oldest event in the log. No event with this or a lower number is in the log. */
  get droppedSeq(): number {
    return (this.#at(0)?.seq ?? 1) - 1
  }

  /**
   * The events after a number that match a condition, oldest first, at most `limit`. If that event was dropped, starts
   * with the oldest event in the log.
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

  /** The newest event that matches a condition. */
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

  /** The number of events up to `seq`, by binary search. */
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
