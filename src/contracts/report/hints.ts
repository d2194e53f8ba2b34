/** Hints on messages of the core that are easily misunderstood. */
import type { PactInteraction } from '../pact-file.ts'
import type { Exchange } from '../recorder.ts'
import type { Verified } from '../verify.ts'

/** Hints on the failure of one interaction. */
export function hintsFor(interaction: PactInteraction, live: Verified): string[] {
  const { mismatches, exchanges } = live
  const last = exchanges.at(-1)
  const unmatched = mismatches.flatMap(({ message }) => regexHint(message) ?? [])
  return [
    ...new Set(unmatched),
    ...(last?.failure == null ? [] : [noAnswerHint(last.failure, last)]),
    ...redirectHint(exchanges, interaction),
  ]
}

/** The core matches a regex against the whole text; most consumer libraries find it anywhere in the text. */
function regexHint(message: string): string | null {
  const [, text = '', pattern] = /^Expected '(.*)' to match '(.*)'$/s.exec(message) ?? []
  if (pattern === undefined || !isFoundIn(pattern, text)) return null
  return `The regex '${pattern}' is found in the text, but the core matches it against the whole of it; write '.*${pattern}.*' to find it anywhere.`
}

function isFoundIn(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    // A regex in the core's dialect, which cannot be checked here.
    return false
  }
}

function noAnswerHint(failure: string, { method, target }: Exchange): string {
  return failure.includes('within the timeout')
    ? `${method} ${target} got no answer before the timeout of --timeout.`
    : `${method} ${target} got no answer, and that is no timeout: ${failure}.`
}

function redirectHint(exchanges: readonly Exchange[], { status }: PactInteraction): string[] {
  const [first, ...more] = exchanges
  if (first?.answer == null || more.length === 0) return []
  return [
    `The provider answered ${first.answer.status}, and the core followed the redirect, so that an expected ${status} was compared with the answer of ${more.at(-1)?.target}.`,
  ]
}
