/** The timeline: events of the control plane as lines that a person reads. */
import { eventText, type ReadableEvent } from '../wire/event-text.ts'

/** What the timeline reads of an event. */
export interface TimelineEvent extends ReadableEvent {
  readonly seq: number
  readonly at: string
}

/** One line for each event that says something new. */
export function timeline(events: readonly TimelineEvent[]): string[] {
  return events.flatMap((event) => {
    const text = eventText(event)
    return text === null ? [] : [`  ${event.at.slice(0, 16).replace('T', ' ')}  ${text}`]
  })
}
