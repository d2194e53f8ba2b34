/** Which published pacts a verifier is given: of each consumer the newest that its selectors fit. */
import type { PublishedPact } from './published-pacts.ts'

/** What a pact must be: of a consumer, of a branch, or both. */
interface Selector {
  readonly consumer?: string | null | undefined
  readonly branch?: string | null | undefined
}

/** The newest pact of each consumer of a provider that a selector fits; of every consumer where there is none. */
export function newestPacts(
  pacts: readonly PublishedPact[],
  provider: string,
  selectors: readonly Selector[],
): PublishedPact[] {
  const newest = new Map<string, PublishedPact>()
  for (const { consumer, branch } of selectors.length === 0 ? [{}] : selectors) {
    for (const pact of pacts) {
      const fits = pact.provider === provider && (!consumer || consumer === pact.consumer)
      if (fits && (!branch || branch === pact.branch)) {
        newest.set(`${pact.consumer} ${branch ?? ''}`, pact)
      }
    }
  }
  return [...new Set(newest.values())]
}
