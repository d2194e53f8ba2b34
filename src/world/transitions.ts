/**
 * The transitions of the subscriptions of one world, counted by request until they are taken. Owns no state of the
 * sandbox: nothing here is stored.
 */
import type { Transition } from '../billing/status.ts'

const none: ReadonlyMap<Transition, number> = new Map()

/** Counts. Its identity is what was not taken yet. */
export class TransitionCounts {
  readonly #byRequest = new Map<string | null, Map<Transition, number>>()

  /** Counts transitions that a request led to; null where real time did. */
  add(requestId: string | null, transitions: readonly Transition[]): void {
    if (transitions.length === 0) return
    const counts = this.#byRequest.get(requestId) ?? new Map<Transition, number>()
    for (const transition of transitions) counts.set(transition, (counts.get(transition) ?? 0) + 1)
    this.#byRequest.set(requestId, counts)
  }

  /** How often each transition was made for a request; they are then forgotten. */
  take(requestId: string | null): ReadonlyMap<Transition, number> {
    const counts = this.#byRequest.get(requestId)
    if (counts === undefined) return none
    this.#byRequest.delete(requestId)
    return counts
  }
}
