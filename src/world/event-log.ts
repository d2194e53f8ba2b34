/**
 * The event log of one world: its newest events, in the order of their numbers. Owns which events are kept: at most
 * `EVENTS_KEPT`.
 */
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import type { Event } from './event.ts'
import { compareNumbers, sortedTree } from './sorted-tree.ts'

/** Filters events. `subscriptionId` is the subscription of the event; null for an event without one. */
export type EventCondition = (event: Event, subscriptionId: string | null) => boolean

/** An event with its subscription: a lookup for each event that is read would be too slow. */
interface Entry {
  readonly event: Event
  readonly subscriptionId: string | null
}

export class EventLog implements Iterable<Event> {
  #entries = sortedTree<number, Entry>(compareNumbers)

  get length(): number {
    return this.#entries.size
  }

  get newest(): Event | undefined {
    return this.findLast(() => true)
  }

  /** Appends an event, whose number must be above all others, and drops the oldest one if the log is full. */
  push(event: Event, subscriptionId: string | null = null): void {
    this.#entries.set(event.seq, { event, subscriptionId })
    if (this.length > EVENTS_KEPT) this.#entries.delete(this.droppedSeq + 1)
  }

  /** The number before the oldest event in the log. No event with this or a lower number is in the log. */
  get droppedSeq(): number {
    return (this.#entries.minKey() ?? 1) - 1
  }

  /** The matching events after a number, oldest first, at most `limit`. Dropped events are left out. */
  after(seq: number, limit = EVENTS_KEPT, matches: EventCondition = () => true): Event[] {
    const events: Event[] = []
    if (seq >= (this.#entries.maxKey() ?? 0)) return events
    for (const { event, subscriptionId } of this.#entries.values(seq + 1)) {
      if (events.length >= limit) break
      if (matches(event, subscriptionId)) events.push(event)
    }
    return events
  }

  /** The events before a number that match a condition, newest first, at most `limit`; without a number, of all. */
  before(seq: number | undefined, limit: number, matches: EventCondition): Event[] {
    const events: Event[] = []
    const from = seq === undefined ? undefined : seq - 1
    for (const [, { event, subscriptionId }] of this.#entries.entriesReversed(from)) {
      if (events.length >= limit) break
      if (matches(event, subscriptionId)) events.push(event)
    }
    return events
  }

  copy(): EventLog {
    const copy = new EventLog()
    copy.#entries = this.#entries.clone()
    return copy
  }

  findLast(condition: EventCondition): Event | undefined {
    return this.before(undefined, 1, condition)[0]
  }

  /** The number of the event with which the world began, where it replaced another one; else 1. */
  get replacedSeq(): number {
    return this.findLast(({ subject }) => subject.kind === 'sandbox')?.seq ?? 1
  }

  *[Symbol.iterator](): Generator<Event, void> {
    for (const { event } of this.#entries.values()) yield event
  }
}
