/** Verifies one pact against a provider that listens, by the Pact core, and says what each interaction came to. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { applyEdits, modify } from 'jsonc-parser'
import { type CoreRun, runCore } from './core.ts'
import type { CoreResult } from './core-result.ts'
import { CannotVerify } from './failure.ts'
import { mismatchesOf } from './mismatches.ts'
import type { PactFile } from './pact-file.ts'
import type { Mismatch, StateReport } from './report/report.ts'
import { answersFor } from './state-answers.ts'
import { startStateRecorder } from './state-recorder.ts'

/** Who is asked. */
export interface Asked extends CoreRun {
  readonly url: string
  /** Where states are set up; null where nobody does. */
  readonly states: string | null
  /** How long each request may take. */
  readonly timeoutMs: number
}

/** What one interaction came to. */
export interface Verified {
  readonly result: 'passed' | 'failed' | 'pending'
  readonly durationMs: number
  readonly mismatches: readonly Mismatch[]
  readonly states: readonly StateReport[]
}

/** Why the core does not take a file that reads well: a matching rule that it does not know, for one. */
export interface CoreRefusal {
  readonly refusal: string
}

/** Verifies the HTTP interactions of a pact; answers one result for each, in the order of the file. */
export async function verifyPact(
  pact: PactFile,
  asked: Asked,
): Promise<readonly Verified[] | CoreRefusal> {
  if (pact.interactions.length === 0) return []
  const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-pact-'))
  const recorder = asked.states === null ? null : await startStateRecorder(asked.states)
  try {
    const file = join(folder, 'pact.json')
    await writeFile(file, httpText(pact))
    const job = { providerBaseUrl: asked.url, pactUrls: [file] as const, timeout: asked.timeoutMs }
    const states = recorder === null ? {} : { providerStatesSetupUrl: recorder.url }
    const result = await runCore({ ...job, ...states }, asked)
    const refusal = refusalIn(result)
    if (refusal !== null) return { refusal }
    return verified(pact, result, answersFor(pact.interactions, recorder?.calls ?? []))
  } finally {
    await recorder?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The text of a pact without what is not HTTP; where everything is, the very bytes that were read. */
function httpText({ text, foreign, document }: PactFile): string {
  const without = (left: string, path: (string | number)[]) => {
    return applyEdits(left, modify(left, path, undefined, {}))
  }
  const last = foreign.filter(({ path: [list] }) => list === 'interactions').reverse()
  const left = last.reduce((rest, { path }) => without(rest, [...path]), text)
  return document['messages'] === undefined ? left : without(left, ['messages'])
}

function verified(
  { source, interactions }: PactFile,
  { errors, pendingErrors, interactionResults }: CoreResult,
  states: readonly StateReport[][],
): Verified[] {
  const isSame = interactions.every(({ description }, index) => {
    return interactionResults[index]?.description === description
  })
  if (!isSame || interactionResults.length !== interactions.length) {
    throw new CannotVerify(
      `The Pact core verified ${interactionResults.length} of ${interactions.length} interactions of ${source}, or others.`,
    )
  }
  const failures = { failed: errors.values(), pending: pendingErrors.values() }
  return interactions.map(({ isPending }, index) => {
    const { result, duration } = interactionResults[index] ?? { result: '', duration: '' }
    const shared = { durationMs: millisOf(duration), states: states[index] ?? [] }
    if (result === 'OK') return { ...shared, result: 'passed', mismatches: [] }
    const failed = isPending ? 'pending' : 'failed'
    // The core lists what failed in the order in which it asked.
    const error = failures[failed].next().value
    return { ...shared, result: failed, mismatches: error === undefined ? [] : mismatchesOf(error) }
  })
}

/** The core says of a file that it cannot load that nothing in it was verified, and why. */
function refusalIn({ errors: [error], interactionResults }: CoreResult): string | null {
  if (interactionResults.length > 0 || error?.mismatch.message === undefined) return null
  const reason = error.mismatch.message.replace(/^Failed to load pact '[^']*' - /, '')
  return `The Pact core cannot read it: ${reason}.`
}

/** The core writes `77ms`, `1.5s`, and smaller units, all of which are nothing. */
function millisOf(duration: string): number {
  const [, amount = '0', unit] = /([\d.]+)(m?s)$/.exec(duration) ?? []
  return Number(amount) * (unit === 's' ? 1000 : 1)
}
