/**
 * The matrix: which version of a consumer was verified by which version of a provider, and whether one can be deployed.
 * Owns what a row and the verdict are, and not how either is requested or shown.
 */
import type { Published, PublishedPact, VerificationResult } from './published-pacts.ts'
import { chosenOf, mainBranchOf, type VersionSelector } from './selection.ts'

/** Which versions of one consumer or provider are asked about. */
export interface MatrixSelector extends VersionSelector {
  readonly pacticipant: string
  readonly version?: string | undefined
}

/** A question to the matrix. */
export interface MatrixQuery {
  readonly selectors: readonly MatrixSelector[]
  /** Which versions of all others count; null where only those that are named do. */
  readonly others: VersionSelector | null
  readonly ignored: readonly Pick<MatrixSelector, 'pacticipant' | 'version'>[]
}

/** A pact and what one version of its provider found in it; null where it found nothing yet. */
export interface MatrixRow {
  readonly pact: PublishedPact
  readonly providerVersion: string | null
  readonly result: VerificationResult | null
}

/** The rows that count, and their verdict. */
export interface MatrixAnswer {
  readonly rows: readonly MatrixRow[]
  readonly summary: {
    /** Null where a result is missing. */
    readonly deployable: boolean | null
    readonly reason: string
    readonly success: number
    readonly failed: number
    readonly unknown: number
  }
}

/** Whether the versions that are asked about work with each other, or with the chosen versions of all others. */
export function matrix(published: Published, query: MatrixQuery): MatrixAnswer {
  const asked = new Set(query.selectors.map(({ pacticipant }) => pacticipant))
  const counted = new Map(
    [...namesOf(published).keys()]
      .filter((name) => query.others !== null || asked.has(name))
      .map((name) => [name, numbersOf(published, query, name)]),
  )
  const missing = query.selectors.filter(({ pacticipant }) => !counted.get(pacticipant)?.length)
  const rows = published.pacts.flatMap((pact) => {
    const { consumer, provider, version } = pact
    if (!asked.has(consumer) && !asked.has(provider)) return []
    if (isIgnored(query, consumer, version) || isIgnored(query, provider)) return []
    const numbers = counted.get(provider)
    if (numbers === undefined || !counted.get(consumer)?.includes(version)) return []
    return rowsOf(
      pact,
      numbers.filter((number) => !isIgnored(query, provider, number)),
    )
  })
  return { rows, summary: summaryOf(rows, missing) }
}

/** The names of all consumers and providers, by themselves: as what can be found. */
export function namesOf({ pacts, versions }: Published): ReadonlyMap<string, string> {
  const names = [
    ...pacts.flatMap(({ consumer, provider }) => [consumer, provider]),
    ...versions.map(({ pacticipant }) => pacticipant),
  ]
  return new Map(names.map((name) => [name, name]))
}

/** Which versions of a consumer or provider count: those that any selector means, or all where it says nothing. */
function numbersOf(
  published: Published,
  { selectors, others }: MatrixQuery,
  pacticipant: string,
): readonly string[] {
  const own = published.versions.filter((version) => version.pacticipant === pacticipant)
  const asked = selectors.filter((selector) => selector.pacticipant === pacticipant)
  const wanted = asked.length > 0 || others === null ? asked : [others]
  const means = ({ version, ...selector }: Partial<MatrixSelector>) => {
    const { tag, branch, mainBranch, latest } = selector
    if (version !== undefined) return own.filter(({ number }) => number === version)
    if (!tag && !branch && !mainBranch && !latest) return own
    return chosenOf(own, selector, () => mainBranchOf(published, pacticipant))
  }
  const chosen = new Set(wanted.flatMap(means))
  return own.filter((version) => chosen.has(version)).map(({ number }) => number)
}

/** A row for each version of the provider that counts. */
function rowsOf(pact: PublishedPact, numbers: readonly string[]): MatrixRow[] {
  const rows = numbers.map((providerVersion) => {
    const results = pact.results.filter((result) => result.providerVersion === providerVersion)
    return { pact, providerVersion, result: results.at(-1) ?? null }
  })
  return rows.length > 0 ? rows : [{ pact, providerVersion: null, result: null }]
}

/** Whether a version does not count; without a number, whether none of that name does. */
function isIgnored({ ignored }: MatrixQuery, name: string, number?: string): boolean {
  return ignored.some(
    ({ pacticipant, version }) => pacticipant === name && (!version || version === number),
  )
}

function summaryOf(
  rows: readonly MatrixRow[],
  missing: readonly MatrixSelector[],
): MatrixAnswer['summary'] {
  const success = rows.filter(({ result }) => result?.success === true).length
  const failed = rows.filter(({ result }) => result?.success === false).length
  const unknown = rows.length - success - failed
  const counts = { success, failed, unknown }
  const [first] = missing
  if (failed > 0) return { deployable: false, reason: reasonFor(rows, false), ...counts }
  if (first !== undefined) {
    const which = first.version ?? 'that was asked for'
    const reason = `There is no version ${which} of ${first.pacticipant}.`
    return { deployable: null, reason, ...counts, unknown: unknown + missing.length }
  }
  if (unknown > 0) return { deployable: null, reason: reasonFor(rows, undefined), ...counts }
  const reason = rows.length === 0 ? 'No pact is in the way.' : 'Every pact was verified.'
  return { deployable: true, reason, ...counts }
}

/** The sentence about the first row whose result is this. */
function reasonFor(rows: readonly MatrixRow[], success: boolean | undefined): string {
  const row = rows.find(({ result }) => result?.success === success)
  if (row === undefined) throw new Error('No row has this result')
  const { pact, providerVersion } = row
  const provider = `${pact.provider}${providerVersion === null ? '' : ` ${providerVersion}`}`
  const verdict = success === false ? 'failed' : 'is missing'
  return `The verification of the pact of ${pact.consumer} ${pact.version} by ${provider} ${verdict}.`
}
