/**
 * The broker: as much of a Pact Broker as a stock verifier asks for, so that one in any language can take its pacts from
 * here. Publishing a pact compares it with the documented surface at once.
 */
import type { Context } from 'hono'
import * as z from 'zod'
import { takePage } from '../../operations/page.ts'
import { pactText, type StoredPact } from '../../pacts/pact-text.ts'
import {
  consumerOf,
  PACTS_MAX,
  type PactName,
  type PublishedPact,
  type VerificationResult,
} from '../../pacts/published-pacts.ts'
import { type Marks, unmarked, versionNamed } from '../../pacts/versions.ts'
import { deletes, json, pages } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import {
  ContractsPublish,
  PactDocument,
  PartyName,
  ResultIn,
  WirePublishedPact,
} from '../../wire/pact.ts'
import { find } from '../../world/answer.ts'
import { sameParties } from '../contracts/parties.ts'
import { runContractJob } from '../contracts/run-job.ts'
import { requestIdInTurn } from '../request-id.ts'
import { streamed } from '../streamed.ts'
import {
  addressed,
  brokerOperation,
  HAL,
  publishedIn,
  resource,
  storedResource,
  workOnPacts,
} from './broker-calls.ts'
import {
  BROKER,
  brokerIndex,
  pactAt,
  pactPath,
  presentLinks,
  presentPublication,
  presentPublished,
  presentResult,
} from './broker-resources.ts'
import { contractRequest, PACT_LIMIT_BYTES } from './contracts.ts'

const named = z.strictObject({ provider: PartyName, consumer: PartyName, version: PartyName })

export const brokerRoutes = [
  route({
    ...brokerOperation,
    operationId: 'retrieveBroker',
    method: 'get',
    path: BROKER,
    trailingSlash: true,
    summary: 'List the links of the broker',
    description:
      'The links that a verifier follows. Give its address to one as that of its broker.',
    replies: resource('The links.'),
    answer: ({ c }) => ok(addressed(c, brokerIndex)),
  }),
  route({
    ...brokerOperation,
    operationId: 'listPublishedPacts',
    method: 'get',
    path: `${BROKER}/pacts`,
    summary: 'List published pacts',
    description: 'Oldest first, with what verifiers found.',
    query: PageQuery,
    replies: pages('PublishedPact', WirePublishedPact),
    answer: async ({ query, c }) => {
      const { pacts, versions } = await publishedIn(c)
      const byPath = new Map(pacts.map((pact) => [pactPath(pact), pact]))
      const present = (pact: PublishedPact) =>
        presentPublished(pact, versionNamed(versions, consumerOf(pact)) ?? unmarked)
      return ok(takePage(byPath, query, present))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'retrievePact',
    method: 'get',
    path: pactAt,
    summary: 'Retrieve a pact',
    description: 'As it was published, with links, and an `_id` for each interaction.',
    params: named,
    replies: resource('The pact.'),
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      const stored = await workOnPacts<object>(c, (pacts) => pacts.read(params))
      const members = addressed(c, presentLinks(params))
      return streamed(pactText(stored, members), { headers: { 'Content-Type': HAL } })
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'publishPact',
    method: 'put',
    path: pactAt,
    summary: 'Publish a pact',
    description: `In place of one of the same name. It is compared with the documented surface at once: \`check\` says what was found, and a pact that does not fit is stored all the same; one that cannot be read is refused. At most ${PACTS_MAX}; a reset leaves them alone.`,
    params: named,
    body: { ...json, schema: PactDocument, raw: true, limitBytes: PACT_LIMIT_BYTES },
    replies: storedResource('The pact, with `check`.'),
    refusals: ['pact_limit'],
    answer: async ({ params, body, c }) => {
      const { gzip, check, ...parties } = await runContractJob('publish', contractRequest(c, body))
      sameParties(parties, params)
      await store(c, [{ ...params, gzip }], unmarked)
      const members = { ...addressed(c, presentLinks(params)), check }
      const headers = { 'Content-Type': HAL, Location: pactPath(params) }
      return streamed(pactText({ gzip }, members), { status: 201, headers })
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'publishContracts',
    method: 'post',
    path: `${BROKER}/contracts/publish`,
    summary: 'Publish pacts',
    description: 'As the command line of the Pact Broker does. Notices say what was found in them.',
    body: { ...json, schema: ContractsPublish, raw: true, limitBytes: PACT_LIMIT_BYTES },
    replies: resource('The notices.'),
    refusals: ['pact_limit'],
    answer: async ({ body, c }) => {
      const ready = await runContractJob('publishAll', contractRequest(c, body))
      const { pacts, version, marks } = ready
      const named = pacts.map(({ check: _, ...pact }) => ({ ...pact, version: version.number }))
      await store(c, named, marks)
      return ok(addressed(c, presentPublication(ready)))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'deletePact',
    method: 'delete',
    path: pactAt,
    summary: 'Delete a pact',
    description: 'With its results.',
    params: named,
    replies: deletes,
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      await workOnPacts(c, (pacts) => pacts.remove(params))
      return noContent()
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'publishVerificationResult',
    method: 'post',
    path: `${pactAt}/verification-results`,
    summary: 'Publish what a verification came to',
    description: 'A verifier does so when it publishes its results.',
    params: named,
    body: { ...json, schema: ResultIn, raw: true, limitBytes: PACT_LIMIT_BYTES },
    replies: storedResource('The stored result.'),
    refusals: ['not_found'],
    answer: async ({ params, body, c }) => {
      const read = await runContractJob('readResult', contractRequest(c, body))
      const { implementation, version } = read.verifiedBy ?? {}
      const result = await workOnPacts<VerificationResult>(c, (pacts, { clock }) =>
        pacts.addResult(params, {
          success: read.success,
          providerVersion: read.providerApplicationVersion,
          verifiedBy: [implementation, version].filter(Boolean).join(' ') || null,
          at: clock.now(),
        }),
      )
      const path = `${pactPath(params)}/verification-results/${result.number}`
      return created(path, addressed(c, presentResult(params, result)))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'retrieveVerificationResult',
    method: 'get',
    path: `${pactAt}/verification-results/{number}`,
    summary: 'Retrieve what a verification came to',
    description: 'As long as it is stored: of each pact the newest 100 are.',
    params: named.extend({ number: Reference }),
    replies: resource('The result.'),
    refusals: ['not_found'],
    answer: async ({ params: { number, ...name }, c }) => {
      const { pacts } = await publishedIn(c)
      const pact = pacts.find((each) => pactPath(each) === pactPath(name))
      const results = new Map((pact?.results ?? []).map((each) => [String(each.number), each]))
      const result = orThrow<VerificationResult>(find(results, { field: 'number', id: number }))
      return ok(addressed(c, presentResult(name, result)))
    },
  }),
]

/** Stores pacts, all or none; throws where they are refused. */
async function store(
  c: Context,
  added: readonly (PactName & StoredPact)[],
  marks: Marks,
): Promise<void> {
  await workOnPacts(c, (pacts, { clock }) => {
    requestIdInTurn(c)
    const at = clock.now()
    return pacts.publish(
      added.map(({ gzip, ...name }) => ({ pact: { ...name, at }, document: { gzip }, marks })),
    )
  })
}
