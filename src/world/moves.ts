/**
 * The transitions of the subscriptions of one world, counted by request until they are taken. Owns no state of the
 * sandbox: nothing here is stored.
 */
import type { Move } from '../billing/status.ts'

const none: ReadonlyMap<Move, number> = new Map()

/** Counts. Its identity is the set of transitions that were not taken yet. */
export class Moves {
  readonly #byRequest = new Map<string | null, Map<Move, number>>()

  /** Counts the transitions that a request caused; null if real time did. */
  add(requestId: string | null, moves: readonly Move[]): void {
    if (moves.length === 0) return
    const counts = this.#byRequest.get(requestId) ?? new Map<Move, number>()
    for (const move of moves) counts.set(move, (counts.get(move) ?? 0) + 1)
    this.#byRequest.set(requestId, counts)
  }

  /** Returns the number of each transition of a request and removes them. */
  take(requestId: string | null): ReadonlyMap<Move, number> {
    const counts = this.#byRequest.get(requestId)
    if (counts === undefined) return none
    this.#byRequest.delete(requestId)
    return counts
  }
}
