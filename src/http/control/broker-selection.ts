/**
 * Versions in the broker: which pacts a verifier takes, whether a version can be deployed, and the branches and tags that
 * verifiers and command lines give to versions.
 */
import type { Context } from 'hono'
import type * as z from 'zod'
import { type MatrixQuery, type MatrixSelector, matrix, namesOf } from '../../provider/matrix.ts'
import type { Marks, PacticipantVersion, Published } from '../../provider/published-pacts.ts'
import { type PactSelector, selectedPacts, versionsOf } from '../../provider/selection.ts'
import { controlPlane, endpoints, json } from '../../surface/declarations.ts'
import { created, route } from '../../surface/operation.ts'
import { fieldRefused, orThrow, printValue } from '../../surface/refusals.ts'
import { MarkIn, PartyName } from '../../wire/pact.ts'
import { Matrix, MatrixParameters } from '../../wire/pact-matrix.ts'
import { PactSelection } from '../../wire/pact-selection.ts'
import { find } from '../../world/answer.ts'
import * as hal from './broker-resources.ts'

/** The parameters of paths are names that teams chose. */
const { get, post, put } = endpoints('Broker', controlPlane.source, PartyName)

/** The most bytes of a selection: it names consumers and branches, and nothing else. */
const SELECTION_LIMIT_BYTES = 64 * 1024

const marking = {
  description: 'Marks the version; one that was not named before is stored with the mark.',
  body: { ...json, schema: MarkIn, required: false },
  replies: hal.storedResource('The version.'),
  refusals: [],
} as const

export const brokerSelectionRoutes = [
  route({
    ...get(hal.selectionAt, 'retrieveProviderPacts'),
    refusals: [],
    summary: 'Find where to ask for the pacts of a provider',
    description: 'Returns where to ask for pacts: the first of two steps that a verifier takes.',
    replies: hal.resource('The link to the pacts to verify.'),
    answer: ({ params, c }) => hal.showHal(c, hal.presentProvider(params.provider)),
  }),
  route({
    ...post(hal.selectionAt, 'selectProviderPacts'),
    refusals: [],
    isQuestion: true,
    summary: 'List the pacts of a provider to verify',
    description:
      'Lists the pacts that a selector fits; without selectors those of the main branch of each consumer, or its newest where it has no main branch. Selectors of deployments and releases, pending pacts and work in progress are refused: a Pact Broker or PactFlow has them.',
    body: { ...json, schema: PactSelection, required: false, limitBytes: SELECTION_LIMIT_BYTES },
    replies: hal.resource('The links to the pacts.'),
    answer: async ({ params: { provider }, body, c }) => {
      const pacts = selectedPacts(await hal.publishedIn(c), provider, selectorsOf(body))
      return hal.showHal(c, hal.presentSelection(provider, pacts))
    },
  }),
  route({
    ...get(hal.allLatestAt, 'listLatestPacts'),
    summary: 'List the newest pact of each consumer and provider',
    description: 'Lists pacts as the command line of the Pact Broker prints them.',
    replies: hal.resource('The newest pacts.'),
    answer: async ({ c }) => {
      const published = await hal.publishedIn(c)
      return showLatest(c, published, new Set(published.pacts.map(({ provider }) => provider)))
    },
  }),
  route({
    ...get(hal.latestAt, 'listLatestProviderPacts'),
    refusals: [],
    summary: 'List the newest pact of each consumer of a provider',
    description: 'Lists the pacts that a verifier without selectors asks for.',
    replies: hal.resource('The pacts and links to them.'),
    answer: async ({ params: { provider }, c }) =>
      showLatest(c, await hal.publishedIn(c), [provider]),
  }),
  route({
    ...get(hal.pacticipantAt, 'retrievePacticipant'),
    summary: 'Retrieve a consumer or provider',
    description:
      'Returns the links by which a verifier puts a version of its provider on a branch, and tags it.',
    replies: hal.resource('The consumer or provider.'),
    answer: async ({ params: { pacticipant: id }, c }) => {
      const found = find(namesOf(await hal.publishedIn(c)), { field: 'pacticipant', id })
      return hal.showHal(c, hal.presentPacticipant(orThrow<string>(found)))
    },
  }),
  route({
    ...get(hal.versionAt, 'retrievePacticipantVersion'),
    summary: 'Retrieve a version of a consumer or provider',
    description: 'Returns the version with its branches and tags.',
    replies: hal.resource('The version.'),
    answer: async ({ params: { pacticipant, version: id }, c }) => {
      const own = versionsOf(await hal.publishedIn(c), pacticipant)
      const found = find(new Map(own.map((each) => [each.number, each])), { field: 'version', id })
      return hal.showHal(c, hal.presentVersion(orThrow<PacticipantVersion>(found)))
    },
  }),
  route({
    ...put(hal.tagAt, 'tagPacticipantVersion'),
    ...marking,
    summary: 'Tag a version',
    answer: ({ params: { tag, ...of }, body, c }) =>
      markVersion(c, of, { ...body, kind: 'tags', mark: tag }),
  }),
  route({
    ...put(hal.branchVersionAt, 'putPacticipantVersionOnBranch'),
    ...marking,
    summary: 'Put a version on a branch',
    answer: ({ params: { branch, ...of }, body, c }) =>
      markVersion(c, of, { ...body, kind: 'branches', mark: branch }),
  }),
  route({
    ...get(`${hal.BROKER}/matrix`, 'retrieveMatrix'),
    summary: 'Find out whether a version can be deployed',
    description:
      'Says which versions work together, as `can-i-deploy` asks. Each `q[][pacticipant]` begins a selector. One selector alone has every row of its versions; with `latest`, `tag`, `branch` or `mainBranch` all others that have a pact with it count. What was never verified cannot be deployed.',
    query: MatrixParameters,
    replies: {
      200: { description: 'The matrix.', schema: Matrix, mediaType: hal.HAL, source: 'sandbox' },
    },
    refusals: ['not_found'],
    answer: async ({ query, c }) => {
      const published = await hal.publishedIn(c)
      const names = namesOf(published)
      for (const id of query['q[][pacticipant]']) {
        orThrow(find(names, { field: 'q[][pacticipant]', id }))
      }
      const answer = matrix(published, matrixQueryOf(c.req.url, query))
      return hal.showHal(c, hal.presentMatrix(answer))
    },
  }),
]

/** The newest pact of each consumer of providers. */
function showLatest(c: Context, published: Published, providers: Iterable<string>) {
  const pacts = [...providers].flatMap((provider) =>
    selectedPacts(published, provider, [{ latest: true }]),
  )
  return hal.showHal(c, hal.presentLatest(c.req.path, pacts))
}

/** Gives a mark to a version. Throws 400 where the body names another one than the path. */
async function markVersion(
  c: Context,
  { pacticipant, version: number }: { readonly pacticipant: string; readonly version: string },
  { kind, mark, name = mark }: z.output<typeof MarkIn> & { kind: keyof Marks; mark: string },
) {
  if (name !== mark) {
    const rule = `must be ${printValue(mark)}, as the path says, or absent; got ${printValue(name)}`
    throw fieldRefused('name', rule)
  }
  const named = { pacticipant, number }
  const version = await hal.workOnPacts<PacticipantVersion>(c, (pacts) =>
    pacts.mark(named, { [kind]: [mark] }),
  )
  return created(hal.versionPath(named), hal.addressed(c, hal.presentVersion(version)))
}

/** The selectors of a selection. Throws 400 where one misses a field, or has two that exclude each other. */
function selectorsOf(selection: PactSelection): PactSelector[] {
  const { consumerVersionSelectors, providerVersionBranch } = selection
  return (consumerVersionSelectors ?? []).map((selector, index) => {
    const refused = (name: string, rule: string) =>
      fieldRefused(`consumerVersionSelectors[${index}].${name}`, rule)
    const { branch, fallbackBranch, tag, fallbackTag, mainBranch, matchingBranch } = selector
    if (fallbackBranch && !branch) throw refused('fallbackBranch', 'must come with branch')
    if (fallbackTag && !tag) throw refused('fallbackTag', 'must come with tag')
    const chosen = Object.entries({ branch, tag, mainBranch, matchingBranch }).filter(
      ([, is]) => is,
    )
    const [[first], [second]] = [chosen[0] ?? [], chosen[1] ?? []]
    if (first && second) throw refused(second, `must not come with ${first}`)
    if (!matchingBranch) return selector
    if (providerVersionBranch) return { ...selector, branch: providerVersionBranch }
    throw refused('matchingBranch', 'must come with providerVersionBranch')
  })
}

/** The question that a query string asks the matrix. Throws 400 where a part belongs to no selector. */
function matrixQueryOf(
  url: string,
  { latest, mainBranch, tag, branch, latestby }: z.output<typeof MatrixParameters>,
): MatrixQuery {
  const parts = new URL(url).searchParams
  const others = { latest, mainBranch, tag, branch }
  return {
    selectors: selectorsIn(parts, 'q'),
    others: Object.values(others).some(Boolean) ? others : null,
    ignored: selectorsIn(parts, 'ignore'),
    newestOnly: latestby === 'cvp',
  }
}

/** The selectors of a list: a pacticipant begins one. The order of the query string is all that tells them apart. */
function selectorsIn(parts: URLSearchParams, list: string): MatrixSelector[] {
  const selectors: (MatrixSelector & Record<string, string>)[] = []
  for (const [name, value] of parts) {
    if (!name.startsWith(`${list}[][`)) continue
    const part = name.slice(list.length + 3, -1)
    const last = selectors.at(-1)
    if (part === 'pacticipant') selectors.push({ pacticipant: value })
    else if (last !== undefined && !Object.hasOwn(last, part)) last[part] = value
    else throw fieldRefused(name, `must come once after each ${list}[][pacticipant]; got one more`)
  }
  return selectors
}
