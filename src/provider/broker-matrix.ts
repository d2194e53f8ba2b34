/**
 * The matrix: which version of a consumer was verified by which version of a provider, and whether one can be deployed.
 * Owns what a row and the verdict are, and not how either is requested or shown.
 */
import { orThrow } from '../surface/refusals.ts'
import type { MatrixParameters } from '../wire/pacts/pact-matrix.ts'
import { findRecord } from '../world/results.ts'
import type { Published, PublishedPact } from './published-pacts.ts'
import { numbersOf, type VersionSelector, versionsOf } from './selection.ts'

/** Which versions of one consumer or provider are asked about. */
export type MatrixSelector = VersionSelector & { readonly pacticipant: string }

/** A pact and what one version of its provider found in it; null where it found nothing yet. */
type MatrixRow = ReturnType<typeof rowsOf>[number]

/**
 * Whether the versions that are asked about work with each other, or with those of all others that `query` chooses. One
 * selector alone has every row of its versions. Throws 404 for a name that nobody has.
 */
export function buildMatrix(
  published: Published,
  selectors: MatrixSelector[],
  query: MatrixParameters,
) {
  const hasOthers = Boolean(query.latest || query.mainBranch || query.tag || query.branch)
  const isAlone = selectors.length === 1 && !hasOthers
  const meant = (name: string, selector: VersionSelector) =>
    numbersOf(versionsOf(published, name), selector)
  const asked = new Map<string, readonly string[]>()
  for (const { pacticipant: id, ...selector } of selectors) {
    const name = pacticipantNamed(published, 'q[][pacticipant]', id)
    asked.set(name, [...(asked.get(name) ?? []), ...meant(name, selector)])
  }
  const counted = (name: string) =>
    asked.get(name) ?? (isAlone || hasOthers ? meant(name, query) : null)
  const touched = published.pacts.filter(
    ({ consumer, provider, version }) =>
      asked.get(consumer)?.includes(version) ?? asked.has(provider),
  )
  const all = touched.flatMap((pact) => {
    const numbers = counted(pact.provider)
    if (numbers === null || !counted(pact.consumer)?.includes(pact.version)) return []
    return rowsOf(pact, numbers).slice(query.latestby === 'cvp' ? -1 : 0)
  })
  const rows = isAlone ? all.filter((row) => asked.has(row.pact.consumer) || isNews(row, all)) : all
  const missing = selectors.find((selector) => meant(selector.pacticipant, selector).length === 0)
  return { rows, summary: summaryOf(rows, missing, rows.length === 0 ? touched.length : 0) }
}

/** The name of a consumer or provider. Throws 404 where none has it, with the names that there are. */
export function pacticipantNamed({ pacts, versions }: Published, field: string, id: string) {
  const ofPacts = pacts.flatMap(({ consumer, provider }) => [consumer, provider])
  const names = [...ofPacts, ...versions.map(({ pacticipant }) => pacticipant)]
  return orThrow<string>(findRecord(new Map(names.map((name) => [name, name])), field, id))
}

/** A row for the newest result of each version of the provider that counts; or else one without a result. */
function rowsOf(pact: PublishedPact, numbers: readonly string[]) {
  const newest = new Map(pact.results.map((result) => [result.providerVersion, result]))
  const rowOf = (providerVersion: string | null) => {
    return { pact, providerVersion, result: newest.get(providerVersion ?? '') ?? null }
  }
  const rows = numbers.map(rowOf).filter(({ result }) => result !== null)
  const [only = null, ...more] = numbers
  return rows.length > 0 ? rows : [rowOf(more.length === 0 ? only : null)]
}

/** Whether a row counts for a provider that is asked about alone: what it verified, or else the newest pact of a consumer. */
function isNews(row: MatrixRow, rows: readonly MatrixRow[]): boolean {
  const own = rows.filter(({ pact }) => pact.consumer === row.pact.consumer)
  return row.result !== null || (own.every(({ result }) => result === null) && own.at(-1) === row)
}

/** The verdict; `unseen` is how many pacts there are of what is asked about where no row counts. */
function summaryOf(rows: MatrixRow[], missing: MatrixSelector | undefined, unseen: number) {
  const failed = rows.filter(({ result }) => result?.success === false)
  const open = rows.filter(({ result }) => result === null)
  const success = rows.length - failed.length - open.length
  const verdict = (deployable: boolean | null, reason: string) => {
    const [failures, unknown] = [failed.length, open.length + unseen]
    return { deployable, reason, success, failed: failures, unknown }
  }
  if (failed[0]) return verdict(false, reasonFor(failed[0], 'failed'))
  if (missing) {
    const which = missing.version ?? 'that was asked for'
    return verdict(false, `There is no version ${which} of ${missing.pacticipant}.`)
  }
  if (open[0]) return verdict(null, reasonFor(open[0], 'is missing'))
  if (unseen > 0) {
    const none = `None of the pacts (${unseen}) of what is asked about is with a version that counts`
    return verdict(null, `${none}; no result was looked at.`)
  }
  return verdict(true, rows.length === 0 ? 'No pact is in the way.' : 'Every pact was verified.')
}

function reasonFor({ pact, providerVersion }: MatrixRow, verdict: string): string {
  const provider = `${pact.provider}${providerVersion === null ? '' : ` ${providerVersion}`}`
  return `The verification of the pact of ${pact.consumer} ${pact.version} by ${provider} ${verdict}.`
}
