/**
 * The broker: as much of a Pact Broker as a stock verifier asks for, so that one in any language can take its pacts from
 * here. Publishing a pact compares it with the documented surface at once.
 */
import type { Context } from 'hono'
import * as z from 'zod'
import {
  PACTS_MAX,
  type PactName,
  type PublishedPact,
  type VerificationResult,
  withPacts,
} from '../../pacts/published-pacts.ts'
import { newestPacts } from '../../pacts/selection.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import {
  ContractsPublish,
  Hal,
  PactDocument,
  PactSelection,
  PartyName,
  ResultIn,
  WirePublishedPact,
} from '../../wire/pact.ts'
import { find } from '../../world/answer.ts'
import { runContractJob } from '../contracts/run-job.ts'
import { hostOf } from '../host.ts'
import { streamed } from '../streamed.ts'
import {
  BROKER,
  HAL,
  pactPath,
  presentIndex,
  presentLinks,
  presentNotices,
  presentPact,
  presentProvider,
  presentPublished,
  presentResult,
  presentSelection,
  type StoredPact,
} from './broker-resources.ts'
import { takePage } from './calls.ts'
import { contractRequest, PACT_LIMIT_BYTES } from './contracts.ts'
import { controlPlane, deletes, json, location, pages } from './declarations.ts'

/** The most bytes of a selection: it names consumers and branches, and nothing else. */
const SELECTION_LIMIT_BYTES = 64 * 1024

const shared = { ...controlPlane, tag: 'Broker' } as const
const named = z.strictObject({ provider: PartyName, consumer: PartyName, version: PartyName })
const ofProvider = z.strictObject({ provider: PartyName })
const pactAt = `${BROKER}/pacts/provider/{provider}/consumer/{consumer}/version/{version}` as const
const resource = (description: string) =>
  ({ description, schema: Hal, mediaType: HAL, source: 'sandbox' }) as const

export const brokerRoutes = [
  route({
    ...shared,
    operationId: 'retrieveBroker',
    method: 'get',
    path: BROKER,
    summary: 'List the links of the broker',
    description:
      'The links that a verifier follows. Give its address to one as that of its broker.',
    replies: { 200: resource('The links.') },
    answer: ({ c }) => ok(presentIndex(baseOf(c))),
  }),
  route({
    ...shared,
    operationId: 'listPublishedPacts',
    method: 'get',
    path: `${BROKER}/pacts`,
    summary: 'List published pacts',
    description: 'Oldest first, with what verifiers found.',
    query: PageQuery,
    replies: pages('PublishedPact', WirePublishedPact),
    answer: async ({ query, c }) => {
      const pacts = await publishedIn(c)
      const byPath = new Map(pacts.map((pact) => [pactPath(pact), pact]))
      return ok(takePage(byPath, query, presentPublished))
    },
  }),
  route({
    ...shared,
    operationId: 'retrieveProviderPacts',
    method: 'get',
    path: `${BROKER}/pacts/provider/{provider}/for-verification`,
    summary: 'Find where to ask for the pacts of a provider',
    description: 'The first of two steps that a verifier takes.',
    params: ofProvider,
    replies: { 200: resource('Where to ask.') },
    answer: ({ params, c }) => ok(presentProvider(baseOf(c), params.provider)),
  }),
  route({
    ...shared,
    operationId: 'selectProviderPacts',
    method: 'post',
    path: `${BROKER}/pacts/provider/{provider}/for-verification`,
    summary: 'List the pacts of a provider to verify',
    description:
      'The newest of each consumer. Selectors narrow it to consumers and branches; deployments and releases are not recorded here, so that selectors of those take the newest too.',
    params: ofProvider,
    body: { ...json, schema: PactSelection, required: false, limitBytes: SELECTION_LIMIT_BYTES },
    replies: { 200: resource('The pacts.') },
    answer: async ({ params, body, c }) => {
      const selectors = body.consumerVersionSelectors ?? []
      const pacts = newestPacts(await publishedIn(c), params.provider, selectors)
      return ok(presentSelection(baseOf(c), params.provider, pacts))
    },
  }),
  route({
    ...shared,
    operationId: 'retrievePact',
    method: 'get',
    path: pactAt,
    summary: 'Retrieve a pact',
    description: 'As it was published, with links, and an `_id` for each interaction.',
    params: named,
    replies: { 200: resource('The pact.') },
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      const stored = orThrow<object>(
        await withPacts(c.get('sandbox'), (pacts) => pacts.read(params)),
      )
      const members = presentLinks(baseOf(c), params)
      return streamed(presentPact(stored, members), { headers: { 'Content-Type': HAL } })
    },
  }),
  route({
    ...shared,
    operationId: 'publishPact',
    method: 'put',
    path: pactAt,
    summary: 'Publish a pact',
    description: `In place of one of the same name. It is compared with the documented surface at once: \`check\` says what was found, and a pact that does not fit is stored all the same; one that cannot be read is refused. At most ${PACTS_MAX}; a reset leaves them alone.`,
    params: named,
    body: { ...json, schema: PactDocument, raw: true, limitBytes: PACT_LIMIT_BYTES },
    replies: { 201: { ...resource('The pact, with `check`.'), headers: { Location: location } } },
    refusals: ['pact_limit'],
    answer: async ({ params, body, c }) => {
      const { gzip, check } = await runContractJob('publish', contractRequest(c, body))
      await store(c, [{ ...params, branch: null, gzip }])
      const members = { ...presentLinks(baseOf(c), params), check }
      const headers = { 'Content-Type': HAL, Location: pactPath(params) }
      return streamed(presentPact({ gzip }, members), { status: 201, headers })
    },
  }),
  route({
    ...shared,
    operationId: 'publishContracts',
    method: 'post',
    path: `${BROKER}/contracts/publish`,
    summary: 'Publish pacts',
    description: 'As the command line of the Pact Broker does. Notices say what was found in them.',
    body: { ...json, schema: ContractsPublish, raw: true, limitBytes: PACT_LIMIT_BYTES },
    replies: { 200: resource('The notices.') },
    refusals: ['pact_limit'],
    answer: async ({ body, c }) => {
      const ready = await runContractJob('publishAll', contractRequest(c, body))
      await store(
        c,
        ready.map(({ name, branch, gzip }) => ({ ...name, branch, gzip })),
      )
      return ok({ ...presentIndex(baseOf(c)), notices: presentNotices(ready) })
    },
  }),
  route({
    ...shared,
    operationId: 'deletePact',
    method: 'delete',
    path: pactAt,
    summary: 'Delete a pact',
    description: 'With its results.',
    params: named,
    replies: deletes,
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      orThrow(await withPacts(c.get('sandbox'), (pacts) => pacts.remove(params)))
      return noContent()
    },
  }),
  route({
    ...shared,
    operationId: 'publishVerificationResult',
    method: 'post',
    path: `${pactAt}/verification-results`,
    summary: 'Publish what a verification came to',
    description: 'A verifier does so when it publishes its results.',
    params: named,
    body: { ...json, schema: ResultIn, raw: true, limitBytes: PACT_LIMIT_BYTES },
    replies: { 201: { ...resource('The stored result.'), headers: { Location: location } } },
    refusals: ['not_found'],
    answer: async ({ params, body, c }) => {
      const read = await runContractJob('readResult', contractRequest(c, body))
      const { implementation, version } = read.verifiedBy ?? {}
      const result = orThrow(
        await withPacts(c.get('sandbox'), (pacts, { clock }) =>
          pacts.addResult(params, {
            success: read.success,
            providerVersion: read.providerApplicationVersion,
            verifiedBy: [implementation, version].filter(Boolean).join(' ') || null,
            at: clock.now(),
          }),
        ),
      )
      const shown = presentResult(baseOf(c), params, result)
      return created(`${pactPath(params)}/verification-results/${result.number}`, shown)
    },
  }),
  route({
    ...shared,
    operationId: 'retrieveVerificationResult',
    method: 'get',
    path: `${pactAt}/verification-results/{number}`,
    summary: 'Retrieve what a verification came to',
    description: 'As it was published.',
    params: named.extend({ number: Reference }),
    replies: { 200: resource('The result.') },
    refusals: ['not_found'],
    answer: async ({ params: { number, ...name }, c }) => {
      const pact = (await publishedIn(c)).find((each) => pactPath(each) === pactPath(name))
      const results = new Map(pact?.results.map((result) => [String(result.number), result]))
      const found = find(results, { field: 'number', id: number })
      return ok(presentResult(baseOf(c), name, orThrow<VerificationResult>(found)))
    },
  }),
]

function publishedIn(c: Context): Promise<readonly PublishedPact[]> {
  return withPacts(c.get('sandbox'), async (pacts) => pacts.list()).then(
    orThrow<readonly PublishedPact[]>,
  )
}

type Named = PactName & Pick<PublishedPact, 'branch'>

/** Stores pacts, all or none; throws where they are refused. */
async function store(c: Context, added: readonly (Named & StoredPact)[]): Promise<void> {
  orThrow(
    await withPacts(c.get('sandbox'), (pacts, { clock }) =>
      pacts.publish(
        added.map(({ gzip, ...name }) => ({
          pact: { ...name, at: clock.now() },
          document: { gzip },
        })),
      ),
    ),
  )
}

/** Where the client reached this server. */
function baseOf(c: Context): string {
  return `http://${hostOf(c)}`
}
