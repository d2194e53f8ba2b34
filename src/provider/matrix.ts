/**
 * The matrix: which version of a consumer was verified by which version of a provider, and whether one can be deployed.
 * Owns what a row and the verdict are, and not how either is requested or shown.
 */
import type { Published, PublishedPact, VerificationResult } from './published-pacts.ts'
import { numbersOf, type VersionSelector, versionsOf } from './selection.ts'

/** Which versions of one consumer or provider are asked about. */
export interface MatrixSelector extends VersionSelector {
  readonly pacticipant: string
}

/** A question to the matrix. */
export interface MatrixQuery {
  readonly selectors: readonly MatrixSelector[]
  /** Which versions of all others count; null where only those that are named do, or all if one is asked about alone. */
  readonly others: VersionSelector | null
  readonly ignored: readonly Pick<MatrixSelector, 'pacticipant' | 'version'>[]
  /** Whether only the newest version of the provider that verified a pact counts. */
  readonly newestOnly: boolean
}

/** A pact and what one version of its provider found in it; null where it found nothing yet. */
export interface MatrixRow {
  readonly pact: PublishedPact
  readonly providerVersion: string | null
  readonly result: VerificationResult | null
}

/** The rows that count, and their verdict. */
export type MatrixAnswer = ReturnType<typeof matrix>

/** Whether the versions that are asked about work with each other, or with the chosen versions of all others. */
export function matrix(published: Published, query: MatrixQuery) {
  const { selectors, others } = query
  const isAlone = selectors.length === 1 && others === null
  const meant = (name: string, selector: VersionSelector) =>
    numbersOf(versionsOf(published, name), selector)
  const asked = new Map<string, readonly string[]>()
  for (const selector of selectors) {
    const { pacticipant } = selector
    asked.set(pacticipant, [...(asked.get(pacticipant) ?? []), ...meant(pacticipant, selector)])
  }
  const touched = published.pacts.filter(
    ({ consumer, provider, version }) =>
      asked.get(consumer)?.includes(version) ?? asked.has(provider),
  )
  const counted = (name: string) =>
    asked.get(name) ?? (isAlone || others ? meant(name, others ?? {}) : null)
  const rows = touched.flatMap((pact) => {
    const numbers = counted(pact.provider)
    const isCounted = counted(pact.consumer)?.includes(pact.version)
    return numbers !== null && isCounted ? rowsOf(pact, numbers, query.newestOnly) : []
  })
  const shown = isAlone
    ? rows.filter((row) => asked.has(row.pact.consumer) || isNews(row, rows))
    : rows
  const missing = selectors.find((selector) => meant(selector.pacticipant, selector).length === 0)
  const considered = shown.filter((row) => !isIgnored(query, row))
  const unseen = shown.length === 0 ? touched.length : 0
  return { rows: considered, summary: summaryOf(considered, missing, unseen) }
}

/** The names of all consumers and providers, by themselves: as what can be found. */
export function namesOf({ pacts, versions }: Published): ReadonlyMap<string, string> {
  const ofPacts = pacts.flatMap(({ consumer, provider }) => [consumer, provider])
  const names = [...ofPacts, ...versions.map(({ pacticipant }) => pacticipant)]
  return new Map(names.map((name) => [name, name]))
}

/** A row for the newest result of each version of the provider that counts; or else one without a result. */
function rowsOf(pact: PublishedPact, numbers: readonly string[], newestOnly: boolean): MatrixRow[] {
  const newest = new Map(pact.results.map((result) => [result.providerVersion, result]))
  const rows = numbers.flatMap((providerVersion) => {
    const result = newest.get(providerVersion)
    return result === undefined ? [] : [{ pact, providerVersion, result }]
  })
  if (rows.length > 0) return newestOnly ? rows.slice(-1) : rows
  const [only = null, ...more] = numbers
  return [{ pact, providerVersion: more.length === 0 ? only : null, result: null }]
}

/** Whether a row counts for a provider that is asked about alone: what it verified, or else the newest pact of a consumer. */
function isNews(row: MatrixRow, rows: readonly MatrixRow[]): boolean {
  const own = rows.filter(({ pact }) => pact.consumer === row.pact.consumer)
  return row.result !== null || (own.every(({ result }) => result === null) && own.at(-1) === row)
}

/** Whether a selector names a row to ignore; without a version, all rows of that name. */
function isIgnored({ ignored }: MatrixQuery, { pact, providerVersion }: MatrixRow): boolean {
  return ignored.some(
    ({ pacticipant, version }) =>
      (pacticipant === pact.consumer && (!version || version === pact.version)) ||
      (pacticipant === pact.provider && (!version || version === providerVersion)),
  )
}

/** The verdict; `unseen` is how many pacts there are of what is asked about where no row counts. */
function summaryOf(
  rows: readonly MatrixRow[],
  missing: MatrixSelector | undefined,
  unseen: number,
) {
  const failed = rows.filter(({ result }) => result?.success === false)
  const open = rows.filter(({ result }) => result === null)
  const counts = { failed: failed.length, unknown: open.length + unseen }
  const success = rows.length - failed.length - open.length
  const verdict = (deployable: boolean | null, reason: string) => {
    return { deployable, reason, success, ...counts }
  }
  if (failed[0]) return verdict(false, reasonFor(failed[0], 'failed'))
  if (missing !== undefined) {
    const which = missing.version ?? 'that was asked for'
    return verdict(false, `There is no version ${which} of ${missing.pacticipant}.`)
  }
  if (open[0]) return verdict(null, reasonFor(open[0], 'is missing'))
  if (unseen > 0) {
    const reason = `None of the pacts (${unseen}) of what is asked about is with a version that counts; no result was looked at.`
    return verdict(null, reason)
  }
  return verdict(true, rows.length === 0 ? 'No pact is in the way.' : 'Every pact was verified.')
}

function reasonFor({ pact, providerVersion }: MatrixRow, verdict: string): string {
  const provider = `${pact.provider}${providerVersion === null ? '' : ` ${providerVersion}`}`
  return `The verification of the pact of ${pact.consumer} ${pact.version} by ${provider} ${verdict}.`
}
