/** Findings about the sandbox's own headers and provider states in a pact. */
import { placeOf } from '../../contracts/compare.ts'
import type { PactFile, PactInteraction } from '../../contracts/pact-file.ts'
import type { Finding } from '../../contracts/report/report.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { requestedStates } from '../control/state-change.ts'

/** Headers that the sandbox adds to every answer. */
const own = /^(?:sandbox-.*|request-id)$/i

/** The headers of an interaction that only a sandbox has. An error always: the service will not send them. */
export function ownHeaderFindings(pact: PactFile, { index, written }: PactInteraction): Finding[] {
  return (['request', 'response'] as const).flatMap((side) => {
    const { headers } = Object(written[side]) as { headers?: object | null }
    const names = Object.keys(headers ?? {}).filter((name) => own.test(name))
    return names.map((name): Finding => {
      const place = placeOf(pact, ['interactions', index, side, 'headers', name])
      const message = `The header ${name} is the sandbox's own; the service does not know it, so a pact must not name it.`
      return { severity: 'error', code: 'never.own-header', message, ...place, rests_on: [] }
    })
  })
}

/** The states of an interaction that are not in the catalogue, or not with these params. */
export function stateFindings(pact: PactFile, { states, index }: PactInteraction): Finding[] {
  return states.flatMap(({ name, params }, at) => {
    const refusal = refusalOf(name, params)
    if (refusal === null) return []
    const place = placeOf(pact, ['interactions', index, 'providerStates', at])
    return [{ severity: 'error', code: 'state.refused', message: refusal, ...place, rests_on: [] }]
  })
}

function refusalOf(text: string, params: Readonly<Record<string, unknown>>): string | null {
  try {
    requestedStates({ action: 'setup', texts: [text], params, where: 'body' })
    return null
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error
    return `State ${JSON.stringify(text)}: ${error.message}`
  }
}
