/**
 * Which versions and which pacts a selector means, as a Pact Broker defines them: `latest` and `tag`, `branch` and
 * `mainBranch`. Versions are in the order in which they were first named.
 */
import type { PacticipantVersion, Published, PublishedPact } from './published-pacts.ts'

type Optional<Value> = Value | null | undefined

/** What a version must be; an empty selector means all. */
export interface VersionSelector {
  readonly version?: Optional<string>
  readonly tag?: Optional<string>
  readonly branch?: Optional<string>
  readonly mainBranch?: Optional<boolean | 'true'>
  /** Only the newest that fits. In a query it is the text `true`, like `mainBranch`. */
  readonly latest?: Optional<boolean | 'true'>
}

/** What a pact must be: of a consumer, and of a version of it. */
export interface PactSelector extends VersionSelector {
  readonly consumer?: Optional<string>
  /** Taken for a consumer without a pact of that branch. */
  readonly fallbackBranch?: Optional<string>
  readonly fallbackTag?: Optional<string>
}

/** What the main branch of a consumer or provider is called where it has a branch of such a name; first comes first. */
const mainBranches = ['main', 'master', 'develop', 'trunk']

/**
 * The pacts of a provider that a selector fits, oldest first. Without selectors those of the main branch of each consumer,
 * or its newest where it has no main branch.
 */
export function selectedPacts(
  published: Published,
  provider: string,
  selectors: readonly PactSelector[],
): PublishedPact[] {
  const all = published.pacts.filter((pact) => pact.provider === provider)
  const selected = new Set<PublishedPact>()
  for (const consumer of new Set(all.map((pact) => pact.consumer))) {
    const pacts = all.filter((pact) => pact.consumer === consumer)
    const versions = versionsOf(published, consumer)
    const usual: PactSelector = { mainBranch: mainBranchOf(versions) !== undefined }
    for (const selector of selectors.length === 0 ? [usual] : selectors) {
      if (selector.consumer && selector.consumer !== consumer) continue
      for (const pact of pactsOf({ pacts, versions }, selector)) selected.add(pact)
    }
  }
  return all.filter((pact) => selected.has(pact))
}

/** The pacts of one consumer that a selector fits: all of a tag without `latest`, otherwise one at most. */
function pactsOf(
  { pacts, versions }: Published,
  { fallbackBranch, fallbackTag, ...selector }: PactSelector,
): readonly PublishedPact[] {
  const fits = (wanted: VersionSelector) => {
    const { tag, branch, mainBranch } = wanted
    const isOverall = !tag && !branch && !mainBranch
    // The newest version of a branch or tag may have no pact any more; then an older one does not count.
    const withPact = new Set(pacts.map(({ version }) => version))
    const own = isOverall ? versions.filter(({ number }) => withPact.has(number)) : versions
    const chosen = new Set(numbersOf(own, { ...wanted, latest: wanted.latest || !tag }))
    return pacts.filter(({ version }) => chosen.has(version))
  }
  const found = fits(selector)
  if (found.length > 0) return found
  if (fallbackBranch) return fits({ branch: fallbackBranch })
  return fallbackTag ? fits({ tag: fallbackTag, latest: true }) : []
}

/** The versions of a consumer or provider. */
export function versionsOf({ versions }: Published, name: string): readonly PacticipantVersion[] {
  return versions.filter(({ pacticipant }) => pacticipant === name)
}

/** Of the versions of one consumer or provider, the numbers of those that a selector means. */
export function numbersOf(
  own: readonly PacticipantVersion[],
  { version, tag, branch, mainBranch, latest }: VersionSelector,
): readonly string[] {
  const main = mainBranch ? mainBranchOf(own) : null
  const fitting = own.filter(
    ({ number, branches, tags }) =>
      (!version || number === version) &&
      (!tag || tags.includes(tag)) &&
      (!branch || branches.includes(branch)) &&
      (main === null || (main !== undefined && branches.includes(main))),
  )
  return (latest ? fitting.slice(-1) : fitting).map(({ number }) => number)
}

/** The main branch among versions; undefined where no branch of them has the name of one. */
function mainBranchOf(own: readonly PacticipantVersion[]): string | undefined {
  const branches = new Set(own.flatMap((version) => version.branches))
  return mainBranches.find((each) => branches.has(each))
}
