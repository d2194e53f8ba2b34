/** Which versions and pacts a selector means, as a Pact Broker defines them. Versions are in the order of their naming. */
import type { PactSelection } from '../wire/pacts/pact-selection.ts'
import type { PacticipantVersion, Published, PublishedPact } from './published-pacts.ts'

type Optional<Value> = Value | null | undefined

/** What a version must be; an empty selector means all, `latest` the newest of them. In a query a flag is a text. */
export type VersionSelector = {
  readonly [Field in 'version' | 'tag' | 'branch']?: Optional<string>
} & { readonly [Flag in 'mainBranch' | 'latest']?: Optional<boolean | 'true'> }

/** What the main branch of a consumer or provider is called where it has a branch of such a name; first comes first. */
const mainBranches = ['main', 'master', 'develop', 'trunk']

/**
 * The pacts of a provider that a selector fits, oldest first. Without selectors those of the main branch of each consumer,
 * or its newest where it has no main branch.
 */
export function selectedPacts(published: Published, provider: string, selection: PactSelection) {
  const { consumerVersionSelectors: given, providerVersionBranch } = selection
  const all = published.pacts.filter((pact) => pact.provider === provider)
  const selected = new Set<PublishedPact>()
  for (const name of new Set(all.map((pact) => pact.consumer))) {
    const pacts = all.filter((pact) => pact.consumer === name)
    const versions = versionsOf(published, name)
    const usual: typeof given = [{ mainBranch: mainBranchOf(versions) !== undefined }]
    const selectors = given?.length ? given : usual
    for (const selector of selectors.filter(({ consumer }) => !consumer || consumer === name)) {
      const branch = selector.matchingBranch ? providerVersionBranch : selector.branch
      for (const pact of pactsOf({ pacts, versions }, { ...selector, branch })) selected.add(pact)
    }
  }
  return all.filter((pact) => selected.has(pact))
}

/** The pacts of one consumer that a selector fits: all of a tag without `latest`, otherwise one at most. */
function pactsOf({ pacts, versions }: Published, selector: VersionSelector) {
  const { tag, branch, mainBranch, latest } = selector
  if (!tag && !branch && !mainBranch) return pacts.slice(-1)
  // The newest version of a branch or tag may have no pact any more; then an older one does not count.
  const chosen = new Set(numbersOf(versions, { ...selector, latest: latest || !tag }))
  return pacts.filter(({ version }) => chosen.has(version))
}

/** The versions of a consumer or provider. */
export function versionsOf({ versions }: Published, name: string) {
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
