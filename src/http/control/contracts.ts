/** Contracts: the pacts that come with the sandbox, and whether a client's own still fits. */
import { readdir, readFile } from 'node:fs/promises'
import * as z from 'zod'
import type { PactFile } from '../../contracts/pacts/pact-file.ts'
import { findOne, readPage } from '../../operations/page.ts'
import { endpoints, json, listParts, reply } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import { invalidField, orThrow } from '../../surface/refusals.ts'
import { packageRoot } from '../../version.ts'
import { PactDocument, ShippedPactDocument, WireShippedPact } from '../../wire/pacts/pact.ts'
import { WireCheckReport } from '../../wire/pacts/pact-check.ts'
import { verifyLive } from '../contracts/live-verification.ts'
import { runContractJob } from '../contracts/run-job.ts'
import { stream } from '../streamed.ts'

/** The most bytes that a pact may have: its examples make it longer than other bodies. */
export const PACT_LIMIT_BYTES = 16 * 1024 * 1024

/** The most interactions of a pact that is replayed: each takes some requests to the sandbox. */
const LIVE_INTERACTIONS_MAX = 2000

const { get, post } = endpoints('Contracts')

export const contractRoutes = [
  route({
    ...get('/sandbox/contracts', 'listContracts'),
    ...listParts('ShippedPact', WireShippedPact),
    summary: 'List the pacts that come with the sandbox',
    description:
      'Lists the pacts. Those below `assumed/` also test assumptions of the sandbox; the others test only what is documented.',
    answer: async ({ query }) => ok(readPage(await pactsByFile(), query, presentShipped)),
  }),
  route({
    ...get('/sandbox/contracts/{file}', 'retrieveContract'),
    summary: 'Retrieve a pact that comes with the sandbox',
    description: 'Returns the pact with this `file`. In a path, each slash of it is written `%2F`.',
    replies: reply.ok('The pact.', ShippedPactDocument),
    answer: async ({ params }) => {
      const read = ({ document }: PactFile) => document as ShippedPactDocument
      return ok(orThrow<ShippedPactDocument>(findOne(await pactsByFile(), params, read)))
    },
  }),
  route({
    ...post('/sandbox/contracts/check', 'checkContract'),
    isQuestion: true,
    summary: 'Check a pact',
    description:
      'Compares the pact with the documented surface, without making any call. With `live` the official verifier then also replays it against a new sandbox, which takes a second or more; this sandbox is not changed.',
    emptyQuery: 'allowed',
    query: z.strictObject({
      live: z.enum(['', 'true', 'false']).default('false').meta({
        accepts: 'nothing, true or false',
        description: 'Whether to replay the pact against a new sandbox as well. Default: false.',
      }),
    }),
    body: { ...json, schema: PactDocument, raw: true, limitBytes: PACT_LIMIT_BYTES },
    replies: reply.ok('The result of the check.', WireCheckReport),
    answer: async ({ query, body, c }) => {
      const { signal } = c.req.raw
      const { interactions, ...found } = await runContractJob('check', body, signal)
      if (query.live === 'false') return ok({ ...found, verification: null })
      if (interactions > LIVE_INTERACTIONS_MAX) {
        const rule = `must be a list of at most ${LIVE_INTERACTIONS_MAX} to be replayed`
        throw invalidField('interactions', `${rule}; got one of ${interactions}`)
      }
      const { isOk, report } = await verifyLive(body, signal)
      // The verifier has the last word: what it let pass is worth a warning at most.
      const findings = isOk
        ? found.findings.map((finding) => ({ ...finding, severity: 'warning' }))
        : found.findings
      const answer = JSON.stringify({ ...found, findings, ok: isOk })
      const head = `${answer.slice(0, -1)},"verification":{"ok":${isOk},"report":`
      // The report may be long, and is passed on as it was printed.
      return stream([head, ...report, '}}'], { 'Content-Type': 'application/json' })
    },
  }),
]

/** The pacts that come with the product, by their path in its folder, sorted. Throws for a file that is not a pact. */
async function pactsByFile(): Promise<ReadonlyMap<string, PactFile>> {
  // Reading pacts is loaded when it is needed: a start without it is shorter.
  const { isUnreadable, readPact } = await import('../../contracts/pacts/pact-file.ts')
  const folder = new URL('contracts/pacts/', packageRoot)
  const files = (await readdir(folder, { recursive: true }))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replaceAll('\\', '/'))
  const pacts = new Map<string, PactFile>()
  // One after another, so that a server answers others between two files.
  for (const file of files.sort()) {
    const pact = readPact(file, await readFile(new URL(file, folder), 'utf8'))
    if (isUnreadable(pact)) throw new Error(`${file} is no pact: ${pact[0]?.message}`)
    pacts.set(file, pact)
  }
  return pacts
}

function presentShipped({ source: file, consumer, provider, version, interactions }: PactFile) {
  return { file, consumer, provider, specification: version, interactions: interactions.length }
}
