/** Verifies one pact with the Pact core against a provider that listens. Answers the result of each interaction. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CannotVerify } from '../common/failure.ts'
import type { Mismatch, StateReport } from '../common/report-shape.ts'
import type { PactFile } from '../pacts/pact-file.ts'
import { httpText } from '../pacts/selection.ts'
import { type Publication, startRelay } from './broker-relay.ts'
import type { Core } from './core.ts'
import { type CoreResult, mismatchesOf } from './core-result.ts'
import { type Exchange, headerIn, type RequestEdits, startRecorder } from './exchange-recorder.ts'
import { answersFor, startStateRecorder } from './state-recorder.ts'

/** The provider, and how it is called. */
export interface VerifyTarget {
  readonly core: Core
  readonly url: string
  /** Where states are set up; null for nowhere. */
  readonly states: string | null
  /** How long each request may take. */
  readonly timeoutMs: number
  /** What is changed in the requests of the pact. */
  readonly edits?: RequestEdits
  /** Headers for setting states up. */
  readonly stateHeaders?: Readonly<Record<string, string>>
  /** Where the result goes; absent for nowhere. */
  readonly publication?: Publication | undefined
  /** Called after each request, answered or not. */
  readonly onExchange?: () => void
}

/** The result of one interaction. */
export interface Verified {
  readonly result: 'passed' | 'failed' | 'pending'
  readonly durationMs: number
  readonly mismatches: readonly Mismatch[]
  readonly states: readonly StateReport[]
  /** The requests in order: several if the core followed a redirect, none if a state failed. */
  readonly exchanges: readonly Exchange[]
  /** The values that its states answered. */
  readonly values: Readonly<Record<string, unknown>>
}

/**
 * Verifies the HTTP interactions of a pact; answers one result for each, in the order of the file. `refusal` says why the
 * core refuses a file that can be read, such as for an unknown matching rule.
 */
export async function verifyPact(
  pact: PactFile,
  target: VerifyTarget,
): Promise<readonly Verified[] | { readonly refusal: string }> {
  if (pact.interactions.length === 0) return []
  const handed = await pactForCore(pact, target.publication)
  const { url, core, timeoutMs: timeout, edits = { headers: {}, key: null } } = target
  const states =
    target.states === null
      ? null
      : await startStateRecorder(target.states, pact.interactions, target.stateHeaders)
  const setups = () => states?.calls.length ?? 0
  const exchanges: Exchange[] = []
  const onExchange = (exchange: Exchange) => {
    exchanges.push(exchange)
    target.onExchange?.()
  }
  const provider = await startRecorder({ url, edits, setups, onExchange, unanswered: 'nothing' })
  try {
    const setup = states === null ? {} : { providerStatesSetupUrl: states.url }
    const job = { providerBaseUrl: provider.url, timeout, ...setup, ...handed.job }
    const result = await core.verify(job)
    const refusal = refusalIn(result)
    if (refusal !== null) return { refusal }
    const found = answersFor(pact.interactions, states?.calls ?? [])
    const sent =
      states === null
        ? groupInOrder(exchanges)
        : found.map((each) => exchanges.filter(({ setups }) => setups === each.setups))
    const known = found.map((each, position) => ({ ...each, exchanges: sent[position] ?? [] }))
    // The core names the address of the recorder.
    const placed = ({ message, ...mismatch }: Mismatch) => {
      return { ...mismatch, message: message.replaceAll(provider.url, url.replace(/\/$/, '')) }
    }
    return verifiedInteractions(pact, result, known).map((each) => {
      return { ...each, mismatches: each.mismatches.map(placed) }
    })
  } finally {
    await provider.close()
    await states?.close()
    await handed.close()
  }
}

/** Gives the core a pact: as a file, or as its broker offers it. */
async function pactForCore(pact: PactFile, publication: Publication | undefined) {
  const text = httpText(pact)
  const { provider, offered } = pact
  if (offered !== undefined) return startRelay({ provider, offered, text }, publication)
  const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-pact-'))
  const file = join(folder, 'pact.json')
  await writeFile(file, text)
  const close = () => rm(folder, { recursive: true, force: true })
  return { job: { pactUrls: [file] }, close }
}

/** The requests of each interaction without states. */
function groupInOrder(exchanges: readonly Exchange[]): Exchange[][] {
  const sent: Exchange[][] = []
  for (const exchange of exchanges) {
    const before = sent.at(-1)
    const { status = 0 } = before?.at(-1)?.answer ?? {}
    const isRedirected = status >= 300 && status < 400
    if (isRedirected && headerIn(exchange.headers, 'referer') !== null) before?.push(exchange)
    else sent.push([exchange])
  }
  return sent
}

function verifiedInteractions(
  { source, interactions }: PactFile,
  { result: holds, errors, pendingErrors, interactionResults }: CoreResult,
  known: readonly Pick<Verified, 'states' | 'exchanges' | 'values'>[],
): Verified[] {
  const isSame = interactions.every(
    ({ description }, index) => interactionResults[index]?.description === description,
  )
  if (!isSame || interactionResults.length !== interactions.length) {
    throw new CannotVerify(
      `The Pact core verified ${interactionResults.length} of ${interactions.length} interactions of ${source}, or others.`,
    )
  }
  const failures = { failed: errors.values(), pending: pendingErrors.values() }
  const results = interactions.map(({ isPending }, position): Verified => {
    const { result, duration } = interactionResults[position] ?? { result: '', duration: '' }
    const { states = [], exchanges = [], values = {} } = known[position] ?? {}
    const shared = { durationMs: millisOf(duration), states, exchanges, values }
    if (result === 'OK') return { ...shared, result: 'passed', mismatches: [] }
    const failed = isPending ? 'pending' : 'failed'
    // The core lists what failed in the order in which it asked.
    const error = failures[failed].next().value
    return { ...shared, result: failed, mismatches: error === undefined ? [] : mismatchesOf(error) }
  })
  if (!holds && results.every(({ result }) => result !== 'failed')) {
    throw new CannotVerify(
      `The Pact core failed ${source}, and no interaction was found that failed: nothing is known of it.`,
    )
  }
  return results
}

/** Why the core could not load the file; null if it could. */
function refusalIn({ errors: [error], interactionResults }: CoreResult): string | null {
  if (interactionResults.length > 0 || error?.mismatch.message === undefined) return null
  const reason = error.mismatch.message
    .replace(/^Failed to load pact (?:'[^']*' - |from '[^']*': )/, '')
    .replace(/^Error with the content of a HAL resource - /, '')
  return `The Pact core cannot read it: ${reason}.`
}

/** The core writes `77ms` or `1.5s`. Smaller units count as 0. */
function millisOf(duration: string): number {
  const [, amount = '0', unit] = /([\d.]+)(m?s)$/.exec(duration) ?? []
  return Number(amount) * (unit === 's' ? 1000 : 1)
}
