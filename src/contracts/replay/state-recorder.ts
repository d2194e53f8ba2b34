/**
 * State changes of the core: records their answers, because the core does not say why one failed, and assigns them to
 * interactions, because it sends them in order without naming those.
 */
import { maskText } from '../../masking/mask.ts'
import { jsonIn } from '../common/json.ts'
import type { StateReport } from '../common/report-shape.ts'
import type { PactInteraction } from '../pacts/pact-file.ts'
import { headerIn, startRecorder } from './exchange-recorder.ts'

/** The setup of one state, and its answer. */
export interface StateCall {
  readonly state: string
  readonly status: number
  readonly body: string
}

/** The status of a state change that nobody answers. After 5xx the core would try again, for seconds. */
const UNREACHED = 424

/** The core retries a state change that fails with a 5xx status. */
const ATTEMPTS_MAX = 3

const JSON_BODY = { 'Content-Type': 'application/json' }

/**
 * Listens on loopback and passes every byte on to `target`, with these headers. `calls` has the setups in the order of
 * their answers. After a refused state the core sets the others up, and neither sends the request nor a teardown; a sandbox,
 * which would take the states of the next interaction for more of that one, gets the teardown from here.
 */
export async function startStateRecorder(
  target: string,
  interactions: readonly Pick<PactInteraction, 'states'>[],
  headers: Readonly<Record<string, string>> = {},
) {
  const calls: StateCall[] = []
  const { origin, pathname, search } = new URL(target)
  let started = 0
  const starts = new Set(interactions.map(({ states }) => (started += Math.max(states.length, 1))))
  let [settled, attempts, isLeft] = [0, 0, false]
  const { url, close } = await startRecorder({
    url: origin,
    edits: { headers, key: null },
    setups: () => 0,
    prepare: async () => {
      if (!isLeft || attempts > 0 || !starts.has(settled)) return
      isLeft = false
      const body = JSON.stringify({ state: '', params: {}, action: 'teardown' })
      await fetch(target, { method: 'POST', headers: { ...headers, ...JSON_BODY }, body })
    },
    unanswered: UNREACHED,
    onExchange: ({ body: sent, answer, failure }) => {
      const { state, action } = Object(jsonIn(sent))
      // Teardowns are passed on and not recorded; what is not JSON is no state change of the core's.
      if (action !== 'setup') return
      const unreached = { status: UNREACHED, body: `${target} cannot be reached: ${failure}` }
      const { status, body } = answer ?? unreached
      calls.push({ state: String(state), status, body })
      attempts = status < 500 ? 0 : (attempts + 1) % ATTEMPTS_MAX
      if (attempts === 0) settled += 1
      isLeft ||= status >= 400 && headerIn(answer?.headers ?? [], 'sandbox-id') !== null
    },
  })
  return { url: `${url}${pathname}${search}`, calls, close }
}

/**
 * The states of each interaction, with what setting them up was answered; how many had been set up when its request was
 * sent; and the values that they answered, for the generators of the pact.
 */
export function answersFor(interactions: readonly PactInteraction[], calls: readonly StateCall[]) {
  let next = 0
  return interactions.map(({ states }) => {
    // If an interaction names no state, the core still sets up one without a name.
    const asked = states.length === 0 ? [{ name: '', params: {} }] : states
    const values: Record<string, unknown> = {}
    const answered = asked.map(({ name, params }) => {
      const answers: StateReport['answers'] = []
      for (const { state, status, body } of calls.slice(next, next + ATTEMPTS_MAX)) {
        if (state !== name) break
        answers.push({ status, body: maskText(body) })
        // What is no JSON has no values; the core takes it as a success all the same.
        if (status < 300) Object.assign(values, jsonIn(body))
        if (status < 500) break
      }
      next += answers.length
      return { name, params, answers }
    })
    const hasFailed = answered.some(({ answers }) => answers.some(({ status }) => status >= 300))
    return { states: states.length === 0 && !hasFailed ? [] : answered, setups: next, values }
  })
}
