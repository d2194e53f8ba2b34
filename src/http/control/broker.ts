/**
 * The broker: as much of a Pact Broker as a stock verifier asks for, so that one in any language can take its pacts from
 * here. Publishing a pact compares it with the documented surface at once.
 */
import type { Context } from 'hono'
import { takePage } from '../../operations/page.ts'
import { pactText, type StoredPact } from '../../provider/pact-text.ts'
import {
  type Marks,
  PACTS_MAX,
  type PactName,
  unmarked,
  type VerificationResult,
} from '../../provider/published-pacts.ts'
import { controlPlane, deletes, endpoints, json, lists } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { Reference } from '../../wire/fields.ts'
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
import * as hal from './broker-resources.ts'
import { contractRequest, PACT_LIMIT_BYTES } from './contracts.ts'

/** The parameters of paths are names that teams chose. */
const { get, post, put, remove } = endpoints('Broker', controlPlane.source, PartyName)

const body = { ...json, raw: true, limitBytes: PACT_LIMIT_BYTES } as const

export const brokerRoutes = [
  route({
    ...get(hal.BROKER, 'retrieveBroker'),
    trailingSlash: true,
    summary: 'List the links of the broker',
    description:
      'The links that a verifier follows. Give its address to one as that of its broker.',
    replies: hal.resource('The links.'),
    answer: ({ c }) => ok(hal.addressed(c, hal.brokerIndex)),
  }),
  route({
    ...get(`${hal.BROKER}/pacts`, 'listPublishedPacts'),
    ...lists('PublishedPact', WirePublishedPact),
    summary: 'List published pacts',
    description: 'Oldest first, with what verifiers found.',
    answer: async ({ query, c }) => {
      const { pacts } = await hal.publishedIn(c)
      const byPath = new Map(pacts.map((pact) => [hal.pactPath(pact), pact]))
      return ok(takePage(byPath, query, hal.presentPublished))
    },
  }),
  route({
    ...get(hal.pactAt, 'retrievePact'),
    summary: 'Retrieve a pact',
    description: 'As it was published, with links, and an `_id` for each interaction.',
    replies: hal.resource('The pact.'),
    answer: async ({ params, c }) => {
      const stored = await hal.workOnPacts<object>(c, (pacts) => pacts.read(params))
      const members = hal.addressed(c, hal.presentLinks(params))
      return streamed(pactText(stored, members), { headers: { 'Content-Type': hal.HAL } })
    },
  }),
  route({
    ...put(hal.pactAt, 'publishPact'),
    summary: 'Publish a pact',
    description: `In place of one of the same name. It is compared with the documented surface at once: \`check\` says what was found, and a pact that does not fit is stored all the same; one that cannot be read is refused. At most ${PACTS_MAX}; a reset leaves them alone.`,
    body: { ...body, schema: PactDocument },
    replies: hal.storedResource('The pact, with `check`.'),
    refusals: ['pact_limit'],
    answer: async ({ params, body, c }) => {
      const { gzip, check, ...parties } = await runContractJob('publish', contractRequest(c, body))
      sameParties(parties, params)
      await store(c, [{ ...params, gzip }], unmarked)
      const members = { ...hal.addressed(c, hal.presentLinks(params)), check }
      const headers = { 'Content-Type': hal.HAL, Location: hal.pactPath(params) }
      return streamed(pactText({ gzip }, members), { status: 201, headers })
    },
  }),
  route({
    ...post(hal.publishAt, 'publishContracts'),
    summary: 'Publish pacts',
    description: 'As the command line of the Pact Broker does. Notices say what was found in them.',
    body: { ...body, schema: ContractsPublish },
    replies: hal.resource('The notices.'),
    refusals: ['pact_limit'],
    answer: async ({ body, c }) => {
      const ready = await runContractJob('publishAll', contractRequest(c, body))
      const { version, marks } = ready
      const pacts = ready.pacts.map((pact) => ({ ...pact, version: version.number }))
      await store(c, pacts, marks)
      return ok(hal.addressed(c, hal.presentPublication(version, marks.tags, pacts)))
    },
  }),
  route({
    ...remove(hal.pactAt, 'deletePact'),
    summary: 'Delete a pact',
    description: 'With its results.',
    replies: deletes,
    answer: async ({ params, c }) => {
      await hal.workOnPacts(c, (pacts) => pacts.remove(params))
      return noContent()
    },
  }),
  route({
    ...post(hal.resultsAt, 'publishVerificationResult'),
    summary: 'Publish what a verification came to',
    description: 'A verifier does so when it publishes its results.',
    body: { ...body, schema: ResultIn },
    replies: hal.storedResource('The stored result.'),
    answer: async ({ params, body, c }) => {
      const read = await runContractJob('readResult', contractRequest(c, body))
      const { implementation, version } = read.verifiedBy ?? {}
      const result = await hal.workOnPacts<VerificationResult>(c, (pacts, { clock }) =>
        pacts.addResult(params, {
          success: read.success,
          providerVersion: read.providerApplicationVersion,
          verifiedBy: [implementation, version].filter(Boolean).join(' ') || null,
          at: clock.now(),
        }),
      )
      return created(
        hal.resultPath(params, result),
        hal.addressed(c, hal.presentResult(params, result)),
      )
    },
  }),
  route({
    ...get(`${hal.resultsAt}/{number}`, 'retrieveVerificationResult'),
    params: get(hal.pactAt, '').params.extend({ number: Reference }),
    summary: 'Retrieve what a verification came to',
    description: 'As long as it is stored: of each pact the newest 100 are.',
    replies: hal.resource('The result.'),
    answer: async ({ params: { number, ...name }, c }) => {
      const { pacts } = await hal.publishedIn(c)
      const pact = pacts.find((each) => hal.pactPath(each) === hal.pactPath(name))
      const results = new Map(pact?.results.map((each) => [String(each.number), each]))
      const result = orThrow<VerificationResult>(find(results, { field: 'number', id: number }))
      return ok(hal.addressed(c, hal.presentResult(name, result)))
    },
  }),
]

/** Stores pacts, all or none; throws where they are refused. */
async function store(
  c: Context,
  added: readonly (PactName & StoredPact)[],
  marks: Marks,
): Promise<void> {
  await hal.workOnPacts(c, (pacts, { clock }) => {
    requestIdInTurn(c)
    const at = clock.now()
    const stored = added.map(({ gzip, provider, consumer, version }) => {
      return { pact: { provider, consumer, version, at }, document: { gzip }, marks }
    })
    return pacts.publish(stored)
  })
}
