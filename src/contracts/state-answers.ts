/** Assigns state changes to interactions: the core sends them in order, without naming the interaction. */
import { jsonIn } from './json.ts'
import type { PactInteraction } from './pact-file.ts'
import type { StateReport } from './report/report.ts'
import { withoutTokens } from './secrets.ts'
import type { StateCall } from './state-recorder.ts'

/** The core retries a state change that fails with a 5xx status. */
const ATTEMPTS_MAX = 3

/** The states of one interaction, and the results of setting them up. */
export interface StatesOf {
  readonly states: StateReport[]
  /** How many states had been set up when its request was sent. */
  readonly setups: number
  /** The values that its states answered, for the generators of the pact. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The states of each interaction, with what setting them up was answered. */
export function answersFor(
  interactions: readonly PactInteraction[],
  calls: readonly StateCall[],
): StatesOf[] {
  let next = 0
  return interactions.map(({ states }) => {
    // If an interaction names no state, the core still sets up one without a name.
    const asked = states.length === 0 ? [{ name: '', params: {} }] : states
    const values: Record<string, unknown> = {}
    const answered = asked.map(({ name, params }) => {
      const answers = attemptsFor(name, calls.slice(next))
      next += answers.length
      // An answer that is no JSON object has no values; the core takes it as a success all the same.
      const said = answers.map(({ body }) => jsonIn(body))
      Object.assign(values, ...said.filter((each) => typeof each === 'object'))
      return { name, params, answers: answers.map(shown) }
    })
    const hasFailed = answered.some(({ answers }) => answers.some(({ status }) => status >= 300))
    return { states: states.length === 0 && !hasFailed ? [] : answered, setups: next, values }
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
