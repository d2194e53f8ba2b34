/** Events as the wire shows them. */
import type { Event } from '../../sandbox/event.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { WireEvent } from '../../wire/event.ts'

/** An event on the wire; the names of its facts are spelled as the wire does. */
export function presentEvent({ seq, type, at, subject, cause, detail }: Event): WireEvent {
  return { seq, type, at, subject, cause: snakeKeys(cause), detail: snakeKeys(detail) }
}
