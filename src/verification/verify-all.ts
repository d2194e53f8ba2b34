/** Verifies pacts one after another, for a report: what `verify` and the library do once their options are read. */

import { CannotVerify } from '../contracts/common/failure.ts'
import type { PactReport, Report } from '../contracts/common/report-shape.ts'
import type { PactFile } from '../contracts/pacts/pact-file.ts'
import type { PactSource } from '../contracts/pacts/sources.ts'
import type { Publication } from '../contracts/replay/broker-relay.ts'
import { pactCore } from '../contracts/replay/core.ts'
import { differencesBetween, extentOf, textsOfPact } from '../contracts/replay/diff.ts'
import { type Verified, type VerifyTarget, verifyPact } from '../contracts/replay/verify.ts'
import { pactReport, reportOf, unreadableReport } from '../contracts/report/build.ts'
import { type Comparer, createComparer } from '../http/contracts/comparing.ts'
import { buildFolder } from '../version.ts'
import { type PactFilter, reportOnPacts } from './pacts.ts'
import { type ProviderSource, SERVED_AT } from './providers.ts'
import { type StudyRun, studyPact } from './studies.ts'

const PROGRESS_MS = 2000

/** The process of the Pact core. */
export const verifyProgram = new URL('contracts/verify-child.js', buildFolder)

interface Run extends StudyRun {
  readonly base: ProviderSource | null
  readonly comparer: Comparer
  readonly values: PactFilter & { readonly strictDocumented?: boolean | undefined }
  /** Where the results of a broker's pacts go; null for nowhere. */
  readonly publication: (() => Publication) | null
  readonly signal: AbortSignal
  /** What was left out, for the report. */
  readonly notes: readonly string[]
}

/** Answers the reason of a failure for the report, so that other pacts are still verified. */
export async function valueOrFailure<Found>(
  work: Promise<Found>,
  { signal, log }: Pick<Run, 'signal' | 'log'>,
): Promise<Found | string> {
  return work.catch((error: unknown) => {
    if (signal.aborted) return 'The run was stopped before that.'
    if (!(error instanceof CannotVerify)) throw error
    log(error.message)
    return error.message
  })
}

/**
 * The report on all pacts, with a core that it starts and ends. Without a comparator, nothing is compared, and a note says
 * so. Adds to `failures` what was not done, such as studies that were not finished.
 */
export async function verifyPacts(
  sources: readonly PactSource[],
  run: Omit<Run, 'core' | 'comparer' | 'notes'>,
  failures: string[],
): Promise<Report> {
  const core = pactCore({ program: verifyProgram, signal: run.signal })
  const notes: string[] = []
  const comparer = createComparer((why) =>
    notes.push(`Nothing was compared with openapi.yaml: ${why}`),
  )
  try {
    return await verifyAll(sources, { ...run, core, notes, comparer }, failures)
  } finally {
    core.close()
  }
}

async function verifyAll(
  sources: readonly PactSource[],
  run: Run,
  failures: string[],
): Promise<Report> {
  const { provider, base, studies } = run
  const unpublished = { ...run, publication: undefined }
  const ofBase = new Map<number, PactReport>()
  const named = new Map<string, Set<string>>()
  const { pacts, notes } = await reportOnPacts(sources, run.values, async (pact, position) => {
    // Progress for people; reports do not contain it.
    run.log(`verifying ${position + 1}/${sources.length}: ${pact.source}`)
    const publication = run.publication?.()
    const judged = await reportOn(provider, pact, { ...run, publication })
    const { verified } = judged
    if (base !== null) {
      const { report } = await reportOn(base, pact, unpublished)
      ofBase.set(position, report)
      const nothing = `--diff compared nothing of ${pact.source}`
      failures.push(...report.problems.map(({ message }) => `${nothing}: ${message}`))
    }
    for (const each of pact.interactions) {
      // A broker writes a pact in one line.
      const place = `${pact.source}:${each.line}`
      const names = named.get(place) ?? new Set()
      for (const name of textsOfPact(each)) names.add(name)
      named.set(place, names)
    }
    const failure = verified && (await valueOrFailure(studyPact(pact, verified, run), run))
    if (failure) failures.push(`The studies of ${pact.source} were not finished: ${failure}`)
    return withBroker(judged, { pact, publication, failures, run })
  })
  if (sources.length === 0) {
    notes.push(`The broker has no pacts of "${run.values.provider}" that the selectors mean.`)
  }
  const others = pacts.map((report, position) => ofBase.get(position) ?? report)
  const report = reportOf({
    command: 'verify',
    provider: provider.shown,
    base: base?.shown ?? null,
    notes: [
      ...new Set([...provider.notes, ...(base?.notes ?? []), ...notes, ...run.notes, ...failures]),
    ],
    pacts,
    differences: base && differencesBetween(pacts, others, named),
    compared: base && extentOf(pacts, others),
  })
  return { ...report, ...studies }
}

/** The report of a pact with one provider, and the result of each interaction; null if the pact was not verified. */
interface VerifiedPact {
  readonly report: PactReport
  readonly verified: readonly Verified[] | null
}

interface Publishing {
  readonly pact: PactFile
  readonly publication: Publication | undefined
  readonly failures: string[]
  readonly run: Pick<Run, 'signal' | 'log'>
}

/** A report with what the broker says about its pact; the result is published. Adds to `failures` why it is not. */
async function withBroker(
  { report, verified }: VerifiedPact,
  { pact, publication, failures, run }: Publishing,
): Promise<PactReport> {
  if (pact.offered === undefined) return report
  const { pending, notices } = pact.offered.verificationProperties
  const hasPassed = report.interactions.every(({ result }) => result === 'passed')
  const isVerified = verified !== null && verified.length > 0
  const publishing = isVerified && publication && publishResult(publication, hasPassed, run)
  const failure = publishing && (await valueOrFailure(publishing, run))
  if (failure) failures.push(`The result of ${pact.source} is not published: ${failure}`)
  const isPublished = Boolean(publishing) && !failure
  const after = `after_verification:success_${hasPassed}_published_${isPublished}`
  const isMeant = (when: string) => when === 'before_verification' || (isVerified && when === after)
  const shown = notices.filter(({ when }) => isMeant(when)).map(({ text }) => text)
  return { ...report, broker: { pending, notices: shown, published: isPublished } }
}

/** Publishes a result. Rejects with `CannotVerify` where the report is stricter than the core, whose result it is; and after a stop. */
async function publishResult(
  publication: Publication,
  hasPassed: boolean,
  { signal }: Pick<Run, 'signal'>,
): Promise<undefined> {
  signal.throwIfAborted()
  if (publication.isSuccess() && !hasPassed) {
    throw new CannotVerify('the Pact core passed what the report does not.')
  }
  await publication.send()
}

/** A run as far as one pact is concerned. */
type PactRun = Pick<Run, 'values' | 'comparer' | 'signal' | 'log'> &
  Pick<VerifyTarget, 'core' | 'timeoutMs' | 'publication'>

/** The report of one pact with one provider. */
export async function reportOn(
  source: ProviderSource,
  pact: PactFile,
  run: PactRun,
): Promise<VerifiedPact> {
  const judged = await valueOrFailure(verifyWith(source, pact, run), run)
  if (typeof judged !== 'string') return judged
  return { report: unreadableReport(pact.source, judged, 'unverified'), verified: null }
}

async function verifyWith(
  source: ProviderSource,
  pact: PactFile,
  { core, timeoutMs, values, comparer, publication, log }: PactRun,
): Promise<VerifiedPact> {
  const provider = await source.open()
  try {
    const onExchange = progressReporter(pact.interactions.length, log)
    // The core loads in another process, and takes as long as the comparison.
    const [verified, findings] = await Promise.all([
      verifyPact(pact, { ...provider, timeoutMs, core, publication, onExchange }),
      comparer.compare(pact),
    ])
    if ('refusal' in verified) {
      const report = unreadableReport(pact.source, verified.refusal)
      return { report, verified: null }
    }
    const report = pactReport(pact, {
      ...{ operations: comparer.operations, findings, verified },
      base: source.shown.url ?? SERVED_AT,
      reproduction: provider.reproduction,
      assumptionsHeader: 'Sandbox-Assumptions',
      strictDocumented: values.strictDocumented,
    })
    return { report, verified }
  } finally {
    await provider.close()
  }
}

/** Reports how many interactions are done. */
function progressReporter(total: number, log: Run['log']): () => void {
  // Counted from the first one, without loading the core.
  let next: number | null = null
  let count = 0
  return () => {
    count += 1
    const now = performance.now()
    next ??= now + PROGRESS_MS
    if (now < next) return
    next = now + PROGRESS_MS
    log(`  ${count} of ${total} interactions`)
  }
}
