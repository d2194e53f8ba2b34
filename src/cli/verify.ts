/**
 * `verify`: compares pacts as `check` does, and verifies them with the Pact core against a new sandbox or a provider that
 * listens; with `--diff` also against a second provider, to see where the two disagree.
 */
import { type Core, pactCore } from '../contracts/core.ts'
import { differencesBetween, extentOf } from '../contracts/diff.ts'
import { CannotVerify } from '../contracts/failure.ts'
import type { PactFile } from '../contracts/pact-file.ts'
import { type Known, pactReport, reportOf, unreadableReport } from '../contracts/report/build.ts'
import type { PactReport, Report } from '../contracts/report/report.ts'
import { type Verified, verifyPact } from '../contracts/verify.ts'
import { type Comparing, comparing } from '../http/contracts/comparing.ts'
import { buildFolder } from '../version.ts'
import { exitCodes, isReport, pactsNamed, read, type Selection } from './pacts.ts'
import { ownSandbox, type Providing, remote } from './providers.ts'
import { type Reporting, readReporters, writeReport } from './reporters.ts'
import { stoppable } from './stoppable.ts'
import { type Studies, studiesOf, study } from './studies.ts'
import { type Configure, ExitCode, readControlToken } from './usage.ts'
import {
  addVerifyOptions,
  readBase,
  readHeaders,
  readStates,
  readTimeout,
  requireWith,
  type VerifyValues,
} from './verify-options.ts'

/** The program that runs the core. */
const program = new URL('contracts/verify-child.js', buildFolder)

/** The header in which a sandbox lists the assumptions of an answer. */
const ASSUMPTIONS_HEADER = 'Sandbox-Assumptions'

/** How often a long run reports progress. */
const PROGRESS_MS = 2000

/** The providers, and how pacts are verified. */
interface Run {
  readonly provider: Providing
  readonly base: Providing | null
  readonly studies: Studies
  readonly comparing: Comparing
  readonly timeoutMs: number
  readonly core: Core
  readonly selection: Selection
  /** Why the provider of `--diff` cannot be reached. */
  readonly baseFailure: string | null
  readonly onAssumptions: Known['onAssumptions']
}

/** Adds what `verify` takes. */
export const verifyCommand: Configure = (command) => addVerifyOptions(command).action(verifyNamed)

/** Prints what does not hold; ends with 1 when anything does not. */
async function verifyNamed(named: readonly string[], values: VerifyValues): Promise<void> {
  const reporters = readReporters(values)
  const timeoutMs = readTimeout(values.timeout)
  const url = readBase('--url', values.url)
  const diff = readBase('--diff', values.diff)
  const states = readStates('--states', values.states)
  const studies = studiesOf(values, url)
  const diffStates = readStates('--diff-states', values.diffStates)
  const headers = readHeaders('--header', values.header)
  const diffHeaders = readHeaders('--diff-header', values.diffHeader)
  requireWith('--url', url, {
    '--header': values.header?.[0],
    '--sandbox': values.sandbox,
    '--control-token': values.controlToken,
  })
  const ofDiff = { '--diff-states': diffStates, '--diff-header': values.diffHeader?.[0] }
  requireWith('--diff', diff, ofDiff)
  const sources = await pactsNamed(named)
  const sandbox = values.sandbox ?? null
  const controlToken = readControlToken(values.controlToken)
  const provider =
    url === null
      ? await ownSandbox(states)
      : await remote({ url, states, headers, sandbox, controlToken })
  const compared = { states: diffStates, headers: diffHeaders, sandbox: null, controlToken: null }
  const base = diff === null ? null : await orFailure(remote({ url: diff, ...compared }))
  await stoppable(async (signal) => {
    const core = pactCore({ program, signal })
    const run: Run = {
      provider,
      base: typeof base === 'string' ? null : base,
      baseFailure: typeof base === 'string' ? base : null,
      comparing: comparing(),
      timeoutMs,
      core,
      selection: values,
      studies,
      onAssumptions: values.strictDocumented ? 'fail' : undefined,
    }
    try {
      await verifyAll(sources, run, reporters)
    } finally {
      core.close()
    }
  })
}

/** Answers the reason of a failure for the report, so that other pacts are still verified. */
async function orFailure<Found>(work: Promise<Found>): Promise<Found | string> {
  return work.catch((error: unknown) => {
    if (!(error instanceof CannotVerify)) throw error
    process.stderr.write(`${error.message}\n`)
    return error.message
  })
}

async function verifyAll(
  sources: readonly string[],
  run: Run,
  reporters: readonly Reporting[],
): Promise<void> {
  const pacts: PactReport[] = []
  const others: PactReport[] = []
  const notes: string[] = []
  const failures = run.baseFailure === null ? [] : [`--diff compared nothing: ${run.baseFailure}`]
  for (const [index, source] of sources.entries()) {
    const { read: pact, note } = await read(source, run.selection)
    if (note !== null) notes.push(note)
    if (isReport(pact)) {
      pacts.push(pact)
      others.push(pact)
      continue
    }
    // Progress for people; reports do not contain it.
    process.stderr.write(`verifying ${index + 1}/${sources.length}: ${source}\n`)
    const { report, verified } = await reportOn(run.provider, pact, run)
    pacts.push(report)
    if (run.base !== null) others.push((await reportOn(run.base, pact, run)).report)
    failures.push(...(await studied(pact, verified, run)))
  }
  const { provider, base } = run
  const report = reportOf({
    command: 'verify',
    provider: provider.shown,
    base: base?.shown ?? null,
    notes: [...new Set([...provider.notes, ...(base?.notes ?? []), ...notes, ...failures])],
    pacts,
    differences: base === null ? null : differencesBetween(pacts, others),
    compared: base === null ? null : extentOf(pacts, others),
  })
  await writeReport({ ...report, ...run.studies }, reporters)
  process.exitCode = exitCodeOf(report, failures)
}

/** A broken pact takes precedence over a missing comparison or study. */
function exitCodeOf({ result }: Report, failures: readonly string[]): ExitCode {
  if (failures.length === 0 || result === 'broken') return exitCodes[result]
  return ExitCode.environment
}

/** The report of a pact, and the result of each interaction; null if the pact was not verified. */
interface Judged {
  readonly report: PactReport
  readonly verified: readonly Verified[] | null
}

/** Makes the studies of a verified pact. Answers the reason if that fails, so that other reports are not lost. */
async function studied(pact: PactFile, base: Judged['verified'], run: Run): Promise<string[]> {
  if (base === null) return []
  const failure = await orFailure(study({ pact, base }, run))
  return typeof failure === 'string'
    ? [`The studies of ${pact.source} were not finished: ${failure}`]
    : []
}

/** The result of one pact with one provider, or why it cannot be verified. */
async function reportOn(providing: Providing, pact: PactFile, run: Run): Promise<Judged> {
  const judged = await orFailure(verifiedBy(providing, pact, run))
  return typeof judged === 'string' ? notVerified(pact, judged, 'unverified') : judged
}

async function verifiedBy(
  providing: Providing,
  pact: PactFile,
  { comparing: { operations, compare }, timeoutMs, core, onAssumptions }: Run,
): Promise<Judged> {
  const provider = await providing.open()
  try {
    const onExchange = progress(pact.interactions.length)
    // The core loads in another process, and takes as long as the comparison.
    const [verified, findings] = await Promise.all([
      verifyPact(pact, { ...provider, timeoutMs, core, onExchange }),
      compare(pact),
    ])
    if ('refusal' in verified) return notVerified(pact, verified.refusal, 'unreadable')
    const { base } = providing
    const { reproduction } = provider
    const assumed = { assumptionsHeader: ASSUMPTIONS_HEADER, onAssumptions }
    const known: Known = { operations, findings, verified, base, reproduction, ...assumed }
    return { report: pactReport(pact, known), verified }
  } finally {
    await provider.close()
  }
}

function notVerified(
  { source }: PactFile,
  message: string,
  result: 'unreadable' | 'unverified',
): Judged {
  return {
    report: unreadableReport(source, [{ line: 1, column: 1, message }], result),
    verified: null,
  }
}

/** Reports how many interactions are done. */
function progress(total: number): () => void {
  // Counted from the first one, without loading the core.
  let next: number | null = null
  let count = 0
  return () => {
    count += 1
    const now = performance.now()
    next ??= now + PROGRESS_MS
    if (now < next) return
    next = now + PROGRESS_MS
    process.stderr.write(`  ${count} of ${total} interactions\n`)
  }
}
