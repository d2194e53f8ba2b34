/**
 * Which versions and which pacts a selector means. Owns what `latest`, `tag`, `branch` and `mainBranch` say; deployments
 * and releases are not recorded.
 */
import { consumerOf, type Published, type PublishedPact } from './published-pacts.ts'
import { type PacticipantVersion, versionNamed } from './versions.ts'

/** What a version must be; an empty selector means the newest of all. */
export interface VersionSelector {
  readonly tag?: string | null | undefined
  readonly branch?: string | null | undefined
  readonly mainBranch?: boolean | null | undefined
  /** Only the newest that fits; always so for a branch. */
  readonly latest?: boolean | null | undefined
}

/** What a pact must be: of a consumer, and of a version of it. */
export interface PactSelector extends VersionSelector {
  readonly consumer?: string | null | undefined
  /** Taken for a consumer without a pact of that branch. */
  readonly fallbackBranch?: string | null | undefined
  readonly fallbackTag?: string | null | undefined
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
  { fallbackBranch, fallbackTag, ...selector }: PactSelector,
): readonly PublishedPact[] {
  const versions = own.flatMap((pact) => versionNamed(published.versions, consumerOf(pact)) ?? [])
  const fits = (wanted: VersionSelector) => {
    const chosen = chosenVersions(published, versions, wanted).map(({ number }) => number)
    return own.filter(({ version }) => chosen.includes(version))
  }
  const found = fits(selector)
  if (found.length > 0) return found
  if (fallbackBranch) return fits({ branch: fallbackBranch })
  return fallbackTag ? fits({ tag: fallbackTag, latest: true }) : []
}

/** Of the versions of one consumer or provider those that a selector means, in their order. */
export function chosenVersions(
  published: Published,
  versions: readonly PacticipantVersion[],
  { tag, branch, mainBranch, latest }: VersionSelector,
): readonly PacticipantVersion[] {
  const [first] = versions
  if (first === undefined) return []
  const main = mainBranch ? mainBranchOf(published, first.pacticipant) : null
  if (mainBranch && main === null) return []
  const fitting = versions.filter(
    ({ branches, tags }) =>
      (!tag || tags.includes(tag)) &&
      (!branch || branches.includes(branch)) &&
      (main === null || branches.includes(main)),
  )
  const isEveryOne = Boolean(tag) && !latest && !branch && main === null
  return isEveryOne ? fitting : fitting.slice(-1)
}

/** The main branch of a consumer or provider; null where no branch of it has the name of one. */
function mainBranchOf({ versions }: Published, pacticipant: string): string | null {
  const own = versions.filter((version) => version.pacticipant === pacticipant)
  const branches = new Set(own.flatMap((version) => version.branches))
  return mainBranches.find((name) => branches.has(name)) ?? null
}
