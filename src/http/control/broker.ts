/**
 * The broker: as much of a Pact Broker as stock verifiers and command lines ask for, so that one in any language can take
 * its pacts from here. Publishing a pact compares it with the documented surface at once.
 */
import type { Context } from 'hono'
import { readPage } from '../../operations/page.ts'
import { buildMatrix, type MatrixSelector, pacticipantNamed } from '../../provider/broker-matrix.ts'
import { pactText } from '../../provider/pact-text.ts'
import { PACTS_MAX, type PublishedPacts, withPacts } from '../../provider/published-pacts.ts'
import { selectedPacts, versionsOf } from '../../provider/selection.ts'
import { controlPlane, endpoints, json, listParts, reply } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { invalidField, invalidFields, orThrow, printValue } from '../../surface/refusals.ts'
import { presentAs, snakeKeys } from '../../wire/common/case.ts'
import * as wire from '../../wire/pacts/pact.ts'
import { Matrix, MatrixParameters } from '../../wire/pacts/pact-matrix.ts'
import { PactSelection } from '../../wire/pacts/pact-selection.ts'
import { findRecord } from '../../world/results.ts'
import { assertParties } from '../contracts/parties.ts'
import { runContractJob } from '../contracts/run-job.ts'
import { ELSEWHERE } from '../envelopes.ts'
import { requestIdInTurn } from '../request-id.ts'
import { stream } from '../streamed.ts'
import * as hal from './broker-resources.ts'
import { PACT_LIMIT_BYTES } from './contracts.ts'

/** The parameters of paths are names that teams chose. */
const { get, post, put, remove } = endpoints('Broker', controlPlane.source, wire.PartyName)

/** The body of what a worker reads, since it may be long. */
const long = { ...json, raw: true, limitBytes: PACT_LIMIT_BYTES } as const

const marking = {
  description: 'Marks the version; one that was not named before is stored with the mark.',
  body: { ...json, schema: wire.MarkIn, required: false },
  replies: { 201: hal.storedResource('The version.') },
  refusals: [],
} as const

export const brokerRoutes = [
  route({
    ...get(hal.paths.self, 'retrieveBroker'),
    trailingSlash: true,
    summary: 'List the links of the broker',
    description: 'Lists the links that verifiers follow; its address is that of their broker.',
    replies: { 200: hal.resource('The links of the broker.') },
    answer: ({ c }) => showHal(c, { _links: hal.links(hal.paths) }),
  }),
  route({
    ...get(`${hal.paths.self}/pacts`, 'listPublishedPacts'),
    ...listParts('PublishedPact', wire.WirePublishedPact),
    summary: 'List published pacts',
    description: 'Lists published pacts, with what verifiers found.',
    answer: async ({ query, c }) => {
      const { pacts } = await publishedIn(c)
      const byPath = new Map(pacts.map((pact) => [hal.pactLink(pact).href, pact]))
      const present = ({ results, ...pact }: (typeof pacts)[number]) =>
        presentAs(wire.WirePublishedPact, { ...pact, results: results.map(snakeKeys) })
      return ok(readPage(byPath, query, present))
    },
  }),
  route({
    ...get(hal.pactAt, 'retrievePact'),
    summary: 'Retrieve a pact',
    description: 'Returns the published pact with links, and an `_id` for each interaction.',
    replies: { 200: hal.resource('The pact.') },
    answer: async ({ params, c }) => {
      const stored = await inBroker(c, (pacts) => pacts.read(params))
      const members = hal.withBaseUrl(c, hal.presentLinks(params))
      return stream(pactText(stored, members), { 'Content-Type': hal.HAL })
    },
  }),
  route({
    ...put(hal.pactAt, 'publishPact'),
    summary: 'Publish a pact',
    description: `Publishes a pact. It is compared with the documented surface at once: \`check\` says what was found, and a pact that does not fit is stored all the same; one that cannot be read is refused. A published pact is never changed: the same content again is answered 200, another content 409. A sandbox has at most ${PACTS_MAX} pacts; a reset does not change them.`,
    body: { ...long, schema: wire.PactDocument },
    replies: {
      200: hal.resource('The pact, which was published before with this content, with `check`.'),
      201: hal.storedResource('The published pact, with `check`.'),
    },
    refusals: ['exists', 'pact_limit'],
    answer: async ({ params, body, c }) => {
      const { check, ...ready } = await runContractJob('publish', body, c.req.raw.signal)
      assertParties(ready, params)
      const { isNew } = await inBroker(c, (pacts) => pacts.publish([{ ...ready, ...params }]))
      const members = { ...hal.withBaseUrl(c, hal.presentLinks(params)), check }
      const { href } = hal.pactLink(params)
      const headers = { 'Content-Type': hal.HAL, ...(isNew && { Location: href }) }
      return stream(pactText(ready, members), headers, isNew ? 201 : 200)
    },
  }),
  route({
    ...post(hal.paths['pb:publish-contracts'], 'publishContracts'),
    summary: 'Publish pacts',
    description: 'Publishes pacts as the command line of Pact does; notices say what was found.',
    body: { ...long, schema: wire.ContractsPublish },
    replies: { 200: hal.resource('The notices about the pacts.') },
    refusals: ['exists', 'pact_limit'],
    answer: async ({ body, c }) => {
      const publication = await runContractJob('publishAll', body, c.req.raw.signal)
      await inBroker(c, (pacts) => pacts.publish(publication.pacts, publication.marks))
      return showHal(c, hal.presentPublication(publication))
    },
  }),
  route({
    ...remove(hal.pactAt, 'deletePact'),
    summary: 'Delete a pact',
    description: 'Deletes the pact and its verification results.',
    replies: reply.deleted('The pact is deleted.'),
    answer: ({ params, c }) => inBroker(c, (pacts) => pacts.remove(params)).then(noContent),
  }),
  route({
    ...post(hal.resultsAt, 'publishVerificationResult'),
    summary: 'Publish the result of a verification',
    description: 'Publishes the result of the verification of a pact, as verifiers do.',
    body: { ...long, schema: wire.ResultIn },
    replies: { 201: { ...hal.storedResource('The result.'), schema: wire.WireResult } },
    answer: async ({ params, body, c }) => {
      const found = await runContractJob('readResult', body, c.req.raw.signal)
      const result = await inBroker(c, (pacts) => pacts.addResult(params, found))
      return created(`${hal.paths.self}/pacts`, snakeKeys(result))
    },
  }),
  route({
    ...get(hal.paths['pb:provider-pacts-for-verification'], 'retrieveProviderPacts'),
    refusals: [],
    summary: 'Find where to ask for the pacts of a provider',
    description: 'Returns where to ask for pacts: the first of two steps that a verifier takes.',
    replies: { 200: hal.resource('The link to the pacts to verify.') },
    answer: ({ c }) => showHal(c, { _links: { self: { href: c.req.path } } }),
  }),
  route({
    ...post(hal.paths['pb:provider-pacts-for-verification'], 'selectProviderPacts'),
    refusals: [],
    isQuestion: true,
    summary: 'List the pacts of a provider to verify',
    description:
      'Lists the pacts that a selector fits; without selectors those of the main branch of each consumer, or its newest where it has no main branch. Selectors of deployments and releases, fallbacks, pending pacts and work in progress are refused: a Pact Broker or PactFlow has them.',
    body: { ...json, schema: PactSelection, required: false, limitBytes: 64 * 1024 },
    replies: { 200: hal.resource('The links to the pacts.') },
    answer: async ({ params: { provider }, body, c }) => {
      const pacts = selectedPacts(await publishedIn(c), provider, body)
      return showHal(c, hal.presentSelection(c.req.path, pacts))
    },
  }),
  route({
    ...get(hal.paths['pb:latest-pact-versions'], 'listLatestPacts'),
    summary: 'List the newest pact of each consumer and provider',
    description: 'Lists pacts as the command line of the Pact Broker prints them.',
    replies: { 200: hal.resource('The newest pacts.') },
    answer: ({ c }) => showLatest(c),
  }),
  route({
    ...get(hal.paths['pb:latest-provider-pacts'], 'listLatestProviderPacts'),
    refusals: [],
    summary: 'List the newest pact of each consumer of a provider',
    description: 'Lists the pacts that a verifier without selectors asks for.',
    replies: { 200: hal.resource('The pacts and links to them.') },
    answer: ({ params, c }) => showLatest(c, params.provider),
  }),
  route({
    ...get(hal.paths['pb:pacticipant'], 'retrievePacticipant'),
    summary: 'Retrieve a consumer or provider',
    description: 'Returns the links by which verifiers give branches and tags to a version.',
    replies: { 200: hal.resource('The consumer or provider.') },
    answer: async ({ params: { pacticipant: id }, c }) => {
      const name = pacticipantNamed(await publishedIn(c), 'pacticipant', id)
      const relations = {
        self: hal.paths['pb:pacticipant'],
        'pb:version': hal.paths['pb:pacticipant-version'],
        'pb:version-tag': hal.paths['pb:pacticipant-version-tag'],
        'pb:branch-version': hal.paths['pb:pacticipant-branch-version'],
      }
      return showHal(c, { name, _links: hal.links(relations, { pacticipant: name }) })
    },
  }),
  route({
    ...get(hal.paths['pb:pacticipant-version'], 'retrievePacticipantVersion'),
    summary: 'Retrieve a version of a consumer or provider',
    description: 'Returns the version with its branches and tags.',
    replies: { 200: hal.resource('The version.') },
    answer: async ({ params: { pacticipant, version: id }, c }) => {
      const own = versionsOf(await publishedIn(c), pacticipant)
      const found = findRecord(new Map(own.map((each) => [each.number, each])), 'version', id)
      return showHal(c, hal.presentVersion(orThrow(found)))
    },
  }),
  route({
    ...put(hal.paths['pb:pacticipant-version-tag'], 'tagPacticipantVersion'),
    ...marking,
    summary: 'Tag a version',
    answer: ({ params, body, c }) => markVersion(c, params, { ...body, tags: [params.tag] }),
  }),
  route({
    ...put(hal.paths['pb:pacticipant-branch-version'], 'putPacticipantVersionOnBranch'),
    ...marking,
    summary: 'Put a version on a branch',
    answer: ({ params, body, c }) => markVersion(c, params, { ...body, branches: [params.branch] }),
  }),
  route({
    ...get(`${hal.paths.self}/matrix`, 'retrieveMatrix'),
    summary: 'Find out whether a version can be deployed',
    description:
      'Says which versions work together, as `can-i-deploy` asks. Each `q[][pacticipant]` begins a selector. One selector alone has every row of its versions; with `latest`, `tag`, `branch` or `mainBranch` all others that have a pact with it count. What was never verified cannot be deployed.',
    query: MatrixParameters,
    replies: { 200: { ...hal.resource('The matrix.'), schema: Matrix } },
    refusals: ['not_found'],
    answer: async ({ query, c }) => {
      const selectors = selectorsIn(c.req.url)
      const { summary, rows } = buildMatrix(await publishedIn(c), selectors, query)
      const types = { true: 'success', false: 'error', null: 'warning' } as const
      return showHal(c, {
        summary,
        notices: [{ type: types[`${summary.deployable}`], text: summary.reason }],
        matrix: rows.map(({ pact, providerVersion: number, result }) => ({
          consumer: { name: pact.consumer, version: { number: pact.version } },
          provider: { name: pact.provider, version: number === null ? null : { number } },
          pact: { _links: { self: hal.pactLink(pact) } },
          verificationResult: result === null ? null : snakeKeys(result),
        })),
      })
    },
  }),
]

/** What no operation serves: refused before it is taken for a path that does not exist, which a command line forgives. */
export const brokerRest = {
  path: `${hal.paths.self}/*`,
  refusal: (c: Context) => {
    const message = `path ${printValue(c.req.path)} is not served. ${ELSEWHERE}`
    return invalidFields([{ field: 'path', message }])
  },
}

/** Works on what was published to the sandbox of a request. Throws what is refused. */
function inBroker<Value>(c: Context, work: (pacts: PublishedPacts) => Promise<Value> | Value) {
  return withPacts(c.get('sandbox'), (pacts) => {
    requestIdInTurn(c)
    return work(pacts)
  })
}

function publishedIn(c: Context) {
  return inBroker(c, (pacts) => pacts.list())
}

function showHal<Resource>(c: Context, body: Resource) {
  return ok(hal.withBaseUrl(c, body))
}

/** Shows the newest pact of each consumer of one provider, or of all. */
async function showLatest(c: Context, provider?: string) {
  const published = await publishedIn(c)
  const providers = provider ? [provider] : published.pacts.map((pact) => pact.provider)
  const pacts = [...new Set(providers)].flatMap((each) =>
    selectedPacts(published, each, { consumerVersionSelectors: [{ latest: true }] }),
  )
  return showHal(c, hal.presentLatest(c.req.path, pacts))
}

/** Gives a mark to a version. Throws 400 where the body names another one than the path. */
async function markVersion(
  c: Context,
  { pacticipant, version: number }: Readonly<Record<'pacticipant' | 'version', string>>,
  { name, ...marks }: { name?: string | undefined; branches?: string[]; tags?: string[] },
) {
  const [mark] = Object.values(marks).flat()
  if (name !== undefined && name !== mark) {
    const rule = `must be ${printValue(mark)}, as the path says, or absent; got ${printValue(name)}`
    throw invalidField('name', rule)
  }
  const version = await inBroker(c, (pacts) => pacts.mark(pacticipant, number, marks))
  return created(hal.versionLink(version).href, hal.withBaseUrl(c, hal.presentVersion(version)))
}

/** The selectors of a query: a pacticipant begins one. The order of the query string is all that tells them apart. */
function selectorsIn(url: string): MatrixSelector[] {
  const selectors: (MatrixSelector & Record<string, string>)[] = []
  for (const [name, value] of new URL(url).searchParams) {
    if (!name.startsWith('q[][')) continue
    const [part, last] = [name.slice(4, -1), selectors.at(-1)]
    if (part === 'pacticipant') selectors.push({ pacticipant: value })
    else if (last && !Object.hasOwn(last, part)) last[part] = value
    else throw invalidField(name, 'must come once after each q[][pacticipant]; got one more')
  }
  return selectors
}
