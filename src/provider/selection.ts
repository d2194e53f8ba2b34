/**
 * Which versions and which pacts a selector means. Owns what `latest`, `tag`, `branch` and `mainBranch` say; deployments
 * and releases are not recorded.
 */
import type { Marks, Published, PublishedPact } from './published-pacts.ts'

type Optional<Value> = Value | null | undefined

/** What a version must be; an empty selector means the newest of all. */
export interface VersionSelector {
  readonly tag?: Optional<string>
  readonly branch?: Optional<string>
  readonly mainBranch?: Optional<boolean>
  /** Only the newest that fits; always so for a branch. */
  readonly latest?: Optional<boolean>
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

/** The pacts of a provider that a selector fits, oldest first; the newest of each consumer without selectors. */
export function selectedPacts(
  published: Published,
  provider: string,
  selectors: readonly PactSelector[],
): PublishedPact[] {
  const all = published.pacts.filter((pact) => pact.provider === provider)
  const selected = new Set<PublishedPact>()
  for (const consumer of new Set(all.map((pact) => pact.consumer))) {
    const own = all.filter((pact) => pact.consumer === consumer)
    for (const selector of selectors.length === 0 ? [{}] : selectors) {
      if (selector.consumer && selector.consumer !== consumer) continue
      for (const pact of pactsOf(published, own, selector)) selected.add(pact)
    }
  }
  return all.filter((pact) => selected.has(pact))
}

function pactsOf(
  published: Published,
  own: readonly PublishedPact[],
  { consumer, fallbackBranch, fallbackTag, ...selector }: PactSelector,
): readonly PublishedPact[] {
  const fits = (wanted: VersionSelector) =>
    chosenOf(own, wanted, () => mainBranchOf(published, own[0]?.consumer))
  const found = fits(selector)
  if (found.length > 0) return found
  if (fallbackBranch) return fits({ branch: fallbackBranch })
  return fallbackTag ? fits({ tag: fallbackTag, latest: true }) : []
}

/** Of what has the marks of one consumer or provider, what a selector means, in its order. */
export function chosenOf<Marked extends Marks>(
  own: readonly Marked[],
  { tag, branch, mainBranch, latest }: VersionSelector,
  findMainBranch: () => string | undefined,
): readonly Marked[] {
  const main = mainBranch ? findMainBranch() : null
  if (main === undefined) return []
  const fitting = own.filter(
    ({ branches, tags }) =>
      (!tag || tags.includes(tag)) &&
      (!branch || branches.includes(branch)) &&
      (main === null || branches.includes(main)),
  )
  const isEveryOne = tag && !latest && !branch && main === null
  return isEveryOne ? fitting : fitting.slice(-1)
}

/** The main branch of a consumer or provider; undefined where no branch of it has the name of one. */
export function mainBranchOf({ versions }: Published, name: string | undefined) {
  const own = versions.filter(({ pacticipant }) => pacticipant === name)
  const branches = new Set(own.flatMap((version) => version.branches))
  return mainBranches.find((each) => branches.has(each))
}
