/** Contracts: the pacts that come with the sandbox, and whether a client's own still fits. */
import * as z from 'zod'
import type { ShippedPact } from '../../contracts/shipped.ts'
import { find } from '../../sandbox/answer.ts'
import { packageRoot } from '../../version.ts'
import { PageQuery, pageOf, Reference } from '../../wire/fields.ts'
import { PactDocument, WireCheckReport, WireShippedPact } from '../../wire/pact.ts'
import { checkPact } from '../contract-check.ts'
import { granted } from '../errors.ts'
import { verifyLive } from '../live-verification.ts'
import { ok, operation, route } from '../operation.ts'
import { controlPlane, json, takePage } from './calls.ts'

/** The most bytes and values that a pact may have: its examples make it longer than other bodies. */
export const PACT_LIMITS = { limitBytes: 16 * 1024 * 1024, valuesMax: 1_000_000 } as const

const shared = { ...controlPlane, tag: 'Contracts' } as const

const list = operation({
  ...shared,
  operationId: 'listContracts',
  method: 'get',
  path: '/sandbox/contracts',
  summary: 'List the pacts that come with the sandbox',
  description:
    'Those below `assumed/` pin what the sandbox assumes; the others hold what is documented and nothing else.',
  query: PageQuery,
  replies: {
    200: {
      description: 'One page of them.',
      schema: pageOf('ShippedPact', WireShippedPact),
      source: 'sandbox',
    },
  },
  refusals: [],
})

const retrieve = operation({
  ...shared,
  operationId: 'retrieveContract',
  method: 'get',
  path: '/sandbox/contracts/{file}',
  summary: 'Retrieve a pact that comes with the sandbox',
  description: 'By its `file`, in which a slash is written `%2F`.',
  params: z.strictObject({ file: Reference }),
  replies: { 200: { description: 'The pact.', schema: PactDocument, source: 'sandbox' } },
  refusals: ['not_found'],
})

const check = operation({
  ...shared,
  operationId: 'checkContract',
  method: 'post',
  path: '/sandbox/contracts/check',
  summary: 'Check a pact',
  description:
    'Compares it with the documented surface, without a call. With `live` the official verifier then replays it against a sandbox of its own, which takes a second or more; this sandbox is not touched.',
  emptyQuery: 'kept',
  query: z.strictObject({
    live: z.enum(['', 'true', 'false']).default('false').meta({
      accepts: 'nothing, true or false',
      description: 'Whether to replay it too.',
    }),
  }),
  body: { ...json, schema: PactDocument, ...PACT_LIMITS },
  replies: {
    200: { description: 'What was found.', schema: WireCheckReport, source: 'sandbox' },
  },
  refusals: [],
})

export const contractRoutes = [
  route(list, async ({ query }) => {
    const pacts = await pactsByFile()
    return ok(takePage(pacts, query, { present: ({ document: _, ...pact }) => pact }))
  }),
  route(retrieve, async ({ params: { file } }) => {
    const pact = granted<ShippedPact>(find(await pactsByFile(), { field: 'file', id: file }))
    return ok(pact.document as PactDocument)
  }),
  route(check, async ({ query, body }) => {
    const found = await checkPact(body)
    const verification = query.live === 'false' ? null : await verifyLive(body)
    return ok({ ...found, verification, ok: found.ok && (verification?.ok ?? true) })
  }),
]

async function pactsByFile(): Promise<ReadonlyMap<string, ShippedPact>> {
  // Reading pacts is loaded when it is needed: a start without it is shorter.
  const { shippedPacts } = await import('../../contracts/shipped.ts')
  const pacts = await shippedPacts(new URL('contracts/pacts/', packageRoot))
  return new Map(pacts.map((pact) => [pact.file, pact]))
}
