/** Which state changes were for which interaction: the core sends them one after another and names neither. */
import type { PactInteraction } from './pact-file.ts'
import type { StateReport } from './report/report.ts'
import { withoutTokens } from './secrets.ts'
import type { StateCall } from './state-recorder.ts'

/** The core tries a state change again that fails on the provider's side. */
const ATTEMPTS_MAX = 3

/** The states of each interaction, with what setting them up was answered. */
export function answersFor(
  interactions: readonly PactInteraction[],
  calls: readonly StateCall[],
): StateReport[][] {
  let next = 0
  return interactions.map(({ states }) => {
    // Where an interaction names none, the core still asks for the one without a name.
    const asked = states.length === 0 ? [{ name: '', params: {} }] : states
    const answered = asked.map(({ name, params }) => {
      const answers = attemptsFor(name, calls.slice(next))
      next += answers.length
      return { name, params, answers: answers.map(shown) }
    })
    const hasFailed = answered.some(({ answers }) => answers.some(({ status }) => status >= 300))
    return states.length === 0 && !hasFailed ? [] : answered
  })
}

function shown({ status, body }: StateCall): StateReport['answers'][number] {
  return { status, body: withoutTokens(body) }
}

function attemptsFor(name: string, calls: readonly StateCall[]): StateCall[] {
  const attempts: StateCall[] = []
  for (const call of calls.slice(0, ATTEMPTS_MAX)) {
    if (call.state !== name) break
    attempts.push(call)
    if (call.status < 500) break
  }
  return attempts
}
