/** Hints on messages of the core that are easily misunderstood. */
import { MASK, maskTarget } from '../../masking/mask.ts'
import type { PactInteraction } from '../pacts/pact-file.ts'
import type { Verified } from '../replay/verify.ts'

/** Hints on the failure of one interaction. */
export function hintsFor({ status, written, states }: PactInteraction, live: Verified): string[] {
  const { mismatches, exchanges } = live
  const [first, last] = [exchanges[0], exchanges.at(-1)]
  const hints = new Set(mismatches.flatMap(({ message }) => regexHint(message)))
  if (last?.failure != null) {
    const request = `${last.method} ${maskTarget(last.target)} got no answer`
    const isLate = last.failure.includes('within the timeout')
    const why = isLate ? ' before its timeout' : `, and that is no timeout: ${last.failure}`
    hints.add(`${request}${why}.`)
  }
  if (first?.answer != null && exchanges.length > 1) {
    hints.add(
      `The provider answered ${first.answer.status}, and the core followed the redirect, so that an expected ${status} was compared with the answer of ${maskTarget(last?.target ?? '')}.`,
    )
  }
  // Libraries drop params without a word where they write version 2.
  const [state] = 'providerStates' in Object(written) ? [] : states
  if (state && last?.answer?.status === 404 && status !== 404) {
    hints.add(
      `Pacts of version 2 have no params, so that the state ${JSON.stringify(state.name)} was set up without any. Say in its text which record is meant, as the provider words it, or write a later version.`,
    )
  }
  return [...hints]
}

/** The core matches a regex against the whole text; most consumer libraries find it anywhere in the text. */
function regexHint(message: string): string[] {
  const [, text = '', pattern] = /(?:^|: )Expected '(.*)' to match '(.*)'$/s.exec(message) ?? []
  if (pattern === undefined) return []
  const isHidden = text === MASK
  try {
    if (!isHidden && !new RegExp(pattern, 'u').test(text)) return []
  } catch {
    // A regex in the core's dialect, which cannot be checked here.
    return []
  }
  const [before, after] = [pattern.startsWith('^') ? '' : '.*', pattern.endsWith('$') ? '' : '.*']
  return [
    `The regex '${pattern}' ${isHidden ? 'may be' : 'is'} found in the text, but the core matches it against the whole of it; write '${before}${pattern}${after}' to find it there.`,
  ]
}
