/**
 * Comparing pacts with the document of /v1, as the command line and the server do. Owns the findings about the sandbox's
 * own headers and provider states.
 */
import { readFileSync } from 'node:fs'
import { CannotVerify } from '../../contracts/common/failure.ts'
import type { Finding } from '../../contracts/common/report-shape.ts'
import { type Compare, createComparison, findingAt } from '../../contracts/comparison/compare.ts'
import { operationsOf } from '../../contracts/comparison/operations.ts'
import type { PactFile, PactInteraction } from '../../contracts/pacts/pact-file.ts'
import { v1Document } from '../../openapi/v1.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { packageRoot, VERSION } from '../../version.ts'
import { requestedStates } from './state-change.ts'

export type Comparer = ReturnType<typeof createComparer>

/**
 * Prepares comparing with the document of /v1, which is loaded and compiled with the first pact. `onMissing` gets the
 * reason why there is no comparator, for a run that goes on without; without it comparing rejects with `CannotVerify`.
 */
export function createComparer(onMissing?: (why: string) => void) {
  const document = v1Document(VERSION)
  const yaml = () => readFileSync(new URL('openapi.yaml', packageRoot), 'utf8')
  let comparator: Promise<Compare> | null = null
  const compare: Compare = async (pact) => {
    comparator ??= createComparison(document).catch((error: unknown): Compare => {
      if (onMissing === undefined || !(error instanceof CannotVerify)) throw error
      onMissing(error.message)
      return async ({ interactions }) => interactions.map(() => [])
    })
    return addFindings(pact, await (await comparator)(pact), ownFindings)
  }
  /** The same, and whether the catalogue has the states: for who does not set them up. */
  const compareWithStates: Compare = async (pact) =>
    addFindings(pact, await compare(pact), stateFindings)
  return { operations: operationsOf(document, yaml), compare, compareWithStates }
}

/** The findings of each interaction, and more of them. */
function addFindings(
  pact: PactFile,
  found: Awaited<ReturnType<Compare>>,
  more: (pact: PactFile, interaction: PactInteraction) => Finding[],
) {
  return pact.interactions.map((each, position) => [
    ...(found[position] ?? []),
    ...more(pact, each),
  ])
}

/** Headers that the sandbox adds to every answer. */
const own = /^(?:sandbox-.*|request-id)$/i

/** What in an interaction only a sandbox has. An error always: the service does not have it. */
function ownFindings(pact: PactFile, { index, written, request }: PactInteraction): Finding[] {
  const path = ['interactions', index, 'request', 'path']
  const message = `The path ${request.path} is the sandbox's own; a pact with it can hold against a sandbox only. States are set up by provider states, such as those of GET /sandbox/provider-states.`
  const ofPath = /^\/sandbox(es)?(\/|$)/.test(request.path)
    ? [findingAt(pact, path, { severity: 'error', code: 'never.own-path', message })]
    : []
  const ofHeaders = (['request', 'response'] as const).flatMap((side) => {
    const { headers } = Object(written[side]) as { headers?: object | null }
    const names = Object.keys(headers ?? {}).filter((name) => own.test(name))
    return names.map((name) => {
      const path = ['interactions', index, side, 'headers', name]
      const message = `The header ${name} is the sandbox's own; the service does not know it, so a pact must not name it.`
      return findingAt(pact, path, { severity: 'error', code: 'never.own-header', message })
    })
  })
  return [...ofPath, ...ofHeaders]
}

/** The states of an interaction that are not in the catalogue, or not with these params. */
function stateFindings(pact: PactFile, { states, index, written }: PactInteraction): Finding[] {
  // Version 2 has one state, by its name alone.
  const names = ['providerStates', 'providerState', 'provider_state']
  const field = names.find((name) => Object(written)[name] != null) ?? ''
  return states.flatMap(({ name, params }, at): Finding[] => {
    try {
      requestedStates({ action: 'setup', texts: [name], params, where: 'body' })
      return []
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error
      const path = ['interactions', index, field, ...(field === names[0] ? [at] : [])]
      const message = `State ${JSON.stringify(name)}: ${error.message}`
      return [findingAt(pact, path, { severity: 'error', code: 'state.refused', message })]
    }
  })
}
