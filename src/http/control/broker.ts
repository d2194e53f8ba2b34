/**
 * The broker: as much of a Pact Broker as a stock verifier asks for, so that one in any language can take its pacts from
 * here. Publishing a pact compares it with the documented surface at once.
 */
import type { Context } from 'hono'
import { takePage } from '../../operations/page.ts'
import { pactText } from '../../provider/pact-text.ts'
import {
  PACTS_MAX,
  type PublishedPacts,
  type VerificationResult,
} from '../../provider/published-pacts.ts'
import { controlPlane, deletes, endpoints, json, lists } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { fieldsRefused, orThrow, printValue } from '../../surface/refusals.ts'
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
import { ELSEWHERE } from '../envelopes.ts'
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
      'Returns the links that a verifier follows. A verifier takes the address of this resource as that of its broker.',
    replies: hal.resource('The links of the broker.'),
    answer: ({ c }) => hal.showHal(c, hal.brokerIndex),
  }),
  route({
    ...get(`${hal.BROKER}/pacts`, 'listPublishedPacts'),
    ...lists('PublishedPact', WirePublishedPact),
    summary: 'List published pacts',
    description: 'Lists published pacts, with what verifiers found.',
    answer: async ({ query, c }) => {
      const { pacts } = await hal.publishedIn(c)
      const byPath = new Map(pacts.map((pact) => [hal.pactPath(pact), pact]))
      return ok(takePage(byPath, query, hal.presentPublished))
    },
  }),
  route({
    ...get(hal.pactAt, 'retrievePact'),
    summary: 'Retrieve a pact',
    description:
      'Returns the pact as it was published, with links, and an `_id` for each interaction.',
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
    description: `Publishes a pact. It is compared with the documented surface at once: \`check\` says what was found, and a pact that does not fit is stored all the same; one that cannot be read is refused. A published pact is never changed: the same content again is answered 200, another content 409. A sandbox has at most ${PACTS_MAX} pacts; a reset does not change them.`,
    body: { ...body, schema: PactDocument },
    replies: {
      ...hal.resource('The pact, which was published before with this content, with `check`.'),
      ...hal.storedResource('The published pact, with `check`.'),
    },
    refusals: ['exists', 'pact_limit'],
    answer: async ({ params, body, c }) => {
      const { check, ...ready } = await runContractJob('publish', contractRequest(c, body))
      sameParties(ready, params)
      const { isNew } = await store(c, [{ ...ready, ...params }])
      const members = { ...hal.addressed(c, hal.presentLinks(params)), check }
      const type = { 'Content-Type': hal.HAL }
      const reply = isNew
        ? { status: 201, headers: { ...type, Location: hal.pactPath(params) } }
        : { headers: type }
      return streamed(pactText({ gzip: ready.gzip }, members), reply)
    },
  }),
  route({
    ...post(hal.publishAt, 'publishContracts'),
    summary: 'Publish pacts',
    description:
      'Publishes several pacts, as the command line of the Pact Broker does. Notices say what was found in them.',
    body: { ...body, schema: ContractsPublish },
    replies: hal.resource('The notices about the pacts.'),
    refusals: ['exists', 'pact_limit'],
    answer: async ({ body, c }) => {
      const { version, marks, ...ready } = await runContractJob(
        'publishAll',
        contractRequest(c, body),
      )
      const pacts = ready.pacts.map((pact) => ({ ...pact, version: version.number }))
      await store(c, pacts, marks)
      return hal.showHal(c, hal.presentPublication(version, marks.tags, pacts))
    },
  }),
  route({
    ...remove(hal.pactAt, 'deletePact'),
    summary: 'Delete a pact',
    description: 'Deletes the pact and its verification results.',
    replies: deletes('The pact is deleted.'),
    answer: async ({ params, c }) => {
      await hal.workOnPacts(c, (pacts) => pacts.remove(params))
      return noContent()
    },
  }),
  route({
    ...post(hal.resultsAt, 'publishVerificationResult'),
    summary: 'Publish the result of a verification',
    description: 'Publishes the result of the verification of a pact, as verifiers do.',
    body: { ...body, schema: ResultIn },
    replies: hal.storedResource('The published verification result.'),
    answer: async ({ params, body, c }) => {
      const read = await runContractJob('readResult', contractRequest(c, body))
      const { implementation, version } = read.verifiedBy ?? {}
      const result = await hal.workOnPacts<VerificationResult>(c, (pacts) =>
        pacts.addResult(params, {
          success: read.success,
          providerVersion: read.providerApplicationVersion,
          verifiedBy: [implementation, version].filter(Boolean).join(' ') || null,
        }),
      )
      const shown = hal.addressed(c, hal.presentResult(params, result))
      return created(hal.resultPath(params, result), shown)
    },
  }),
  route({
    ...get(`${hal.resultsAt}/{number}`, 'retrieveVerificationResult'),
    params: get(hal.pactAt, '').params.extend({
      number: Reference.describe('The number of the verification result.'),
    }),
    summary: 'Retrieve the result of a verification',
    description:
      'Returns the verification result as long as it is stored: of each pact the newest 100 are.',
    replies: hal.resource('The verification result.'),
    answer: async ({ params: { number, ...name }, c }) => {
      const { pacts } = await hal.publishedIn(c)
      const pact = pacts.find((each) => hal.pactPath(each) === hal.pactPath(name))
      const results = new Map(pact?.results.map((each) => [String(each.number), each]))
      const result = orThrow<VerificationResult>(find(results, { field: 'number', id: number }))
      return hal.showHal(c, hal.presentResult(name, result))
    },
  }),
]

/** What no operation serves: refused before it is taken for a path that does not exist, which a command line forgives. */
export const brokerRest = {
  path: `${hal.BROKER}/*`,
  refusal: (c: Context) => {
    const message = `path ${printValue(c.req.path)} is not served. ${ELSEWHERE}`
    return fieldsRefused([{ field: 'path', message }])
  },
}

/** Stores pacts, all or none; throws where they are refused. */
function store(c: Context, ...added: Parameters<PublishedPacts['publish']>) {
  return hal.workOnPacts<{ isNew: boolean }>(c, (pacts) => {
    requestIdInTurn(c)
    return pacts.publish(...added)
  })
}
