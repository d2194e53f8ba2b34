/**
 * The matrix: which version of a consumer was verified by which version of a provider, and whether one can be deployed.
 * Owns what a row and the verdict are, and not how either is requested or shown.
 */
import {
  consumerOf,
  type Published,
  type PublishedPact,
  type VerificationResult,
} from './published-pacts.ts'
import { chosenVersions, type VersionSelector } from './selection.ts'
import { type PacticipantVersion, unmarked } from './versions.ts'

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
  const numbers = numbersOf(published, query)
  const asked = new Set(query.selectors.map(({ pacticipant }) => pacticipant))
  const counts = query.others === null ? [...asked] : [...namesOf(published).keys()]
  const missing = query.selectors.filter(({ pacticipant }) => numbers(pacticipant).length === 0)
  const rows = published.pacts.flatMap((pact) => {
    const { consumer, provider, version } = pact
    const isAsked = asked.has(consumer) || asked.has(provider)
    const isCounted = counts.includes(consumer) && counts.includes(provider)
    if (!isAsked || !isCounted || isIgnored(query, consumer, version)) return []
    if (!numbers(consumer).includes(version)) return []
    return rowsOf(pact, numbers(provider), query)
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

/** Which versions of a consumer or provider count. */
function numbersOf(published: Published, { selectors, others }: MatrixQuery) {
  const known = new Map<string, readonly string[]>()
  return (pacticipant: string): readonly string[] => {
    const before = known.get(pacticipant)
    if (before !== undefined) return before
    const own = versionsOf(published, pacticipant)
    const asked = selectors.filter((selector) => selector.pacticipant === pacticipant)
    const wanted = asked.length > 0 || others === null ? asked : [{ ...others, pacticipant }]
    const chosen = own.filter((version) =>
      wanted.some((selector) => isMeant(published, own, { version, selector })),
    )
    const numbers = chosen.map(({ number }) => number)
    known.set(pacticipant, numbers)
    return numbers
  }
}

function isMeant(
  published: Published,
  own: readonly PacticipantVersion[],
  { version, selector }: { version: PacticipantVersion; selector: MatrixSelector },
): boolean {
  const { version: number, pacticipant: _, ...rest } = selector
  if (number !== undefined) return version.number === number
  const isEveryOne = Object.values(rest).every((value) => !value)
  return isEveryOne || chosenVersions(published, own, rest).includes(version)
}

/** The versions of a consumer or provider, those included that only a pact names. */
function versionsOf({ pacts, versions }: Published, pacticipant: string): PacticipantVersion[] {
  const own = versions.filter((version) => version.pacticipant === pacticipant)
  const numbers = new Set(own.map(({ number }) => number))
  const others = pacts
    .filter(({ consumer, version }) => consumer === pacticipant && !numbers.has(version))
    .map((pact) => ({ ...consumerOf(pact), ...unmarked, at: pact.at }))
  return [...others, ...own]
}

function rowsOf(pact: PublishedPact, numbers: readonly string[], query: MatrixQuery): MatrixRow[] {
  if (query.ignored.some(({ pacticipant, version }) => pacticipant === pact.provider && !version)) {
    return []
  }
  const counted = numbers.filter((number) => !isIgnored(query, pact.provider, number))
  const rows = counted.map((providerVersion) => {
    const results = pact.results.filter((result) => result.providerVersion === providerVersion)
    return { pact, providerVersion, result: results.at(-1) ?? null }
  })
  return rows.length > 0 ? rows : [{ pact, providerVersion: null, result: null }]
}

function isIgnored({ ignored }: MatrixQuery, name: string, number: string): boolean {
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
