/**
 * `verify`: compares pacts as `check` does, and verifies them with the Pact core against a sandbox of their own or a
 * provider that listens; with `--diff` against a second one, to see where the two disagree.
 */
import { differencesBetween } from '../contracts/diff.ts'
import type { PactFile } from '../contracts/pact-file.ts'
import { type Known, pactReport, reportOf, unreadableReport } from '../contracts/report/build.ts'
import type { PactReport } from '../contracts/report/report.ts'
import { verifyPact } from '../contracts/verify.ts'
import { type Comparing, comparing } from '../http/contracts/comparing.ts'
import { packageRoot } from '../version.ts'
import { exitCodes, isReport, pactsNamed, read } from './pacts.ts'
import { ownSandbox, type Providing, remote, type StatesOption } from './providers.ts'
import { type Reporting, readReporters, reportOptions, writeReport } from './reporters.ts'
import { stoppable } from './stoppable.ts'
import { checkStudies, type Studies, type StudiesAsked, study, studyOptions } from './studies.ts'
import { readArguments, UsageError } from './usage.ts'

const options = {
  ...reportOptions,
  ...studyOptions,
  url: { type: 'string' },
  states: { type: 'string' },
  diff: { type: 'string' },
  'diff-states': { type: 'string' },
  timeout: { type: 'string', default: '30' },
} as const

/** The program that runs the core. */
const program = new URL('dist/contracts/verify-child.js', packageRoot)

/** Who the pacts are verified against, and how. */
interface Run {
  readonly provider: Providing
  readonly base: Providing | null
  readonly asked: StudiesAsked
  readonly comparing: Comparing
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/** Prints what does not hold; ends with 1 when anything does not. */
export async function verify(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, options)
  const reporters = readReporters(values)
  const timeoutMs = readTimeout(values.timeout)
  const url = readAddress('--url', values.url)
  const diff = readAddress('--diff', values.diff)
  const states = readStates('--states', values.states)
  checkStudies(values, url)
  const diffStates = readStates('--diff-states', values['diff-states'])
  if (diff === null && diffStates !== null) {
    throw new UsageError('--diff-states is for the provider that --diff names, and there is none.')
  }
  const sources = await pactsNamed(positionals)
  const provider = url === null ? await ownSandbox(states) : await remote(url, states)
  const base = diff === null ? null : await remote(diff, diffStates)
  await stoppable(async (signal) => {
    const run = { provider, base, comparing: comparing(), timeoutMs, signal, asked: values }
    await verifyAll(sources, run, reporters)
  })
}

async function verifyAll(
  sources: readonly string[],
  run: Run,
  reporters: readonly Reporting[],
): Promise<void> {
  const pacts: PactReport[] = []
  const others: PactReport[] = []
  const studies: Studies = {}
  for (const [index, source] of sources.entries()) {
    const pact = await read(source)
    if (isReport(pact)) {
      pacts.push(pact)
      others.push(pact)
      continue
    }
    // For people who wait; it stays out of what reporters print.
    process.stderr.write(`verifying ${index + 1} of ${sources.length}: ${source}\n`)
    pacts.push(await reportOn(run.provider, pact, run))
    if (run.base !== null) others.push(await reportOn(run.base, pact, run))
    await study(pact, { ...run, program }, studies)
  }
  const { provider, base } = run
  const report = reportOf({
    command: 'verify',
    provider: provider.shown,
    base: base?.shown ?? null,
    notes: [...new Set([...provider.notes, ...(base?.notes ?? [])])],
    pacts,
    differences: base === null ? null : differencesBetween(pacts, others),
  })
  await writeReport({ ...report, ...studies }, reporters)
  process.exitCode = exitCodes[report.result]
}

/** What one provider makes of one pact. */
async function reportOn(
  providing: Providing,
  pact: PactFile,
  { comparing: { operations, compare }, timeoutMs, signal }: Run,
): Promise<PactReport> {
  const provider = await providing.open()
  try {
    const { url, states } = provider
    // The core takes as long to load as the comparison, and does it in a process of its own.
    const [verified, findings] = await Promise.all([
      verifyPact(pact, { url, states, timeoutMs, program, signal }),
      compare(pact),
    ])
    if ('refusal' in verified) {
      return unreadableReport(pact.source, [{ line: 1, column: 1, message: verified.refusal }])
    }
    const known: Known = { operations, findings, verified, base: providing.base }
    return pactReport(pact, known)
  } finally {
    await provider.close()
  }
}

function readAddress(option: string, text: string | undefined): string | null {
  if (text === undefined) return null
  if (URL.canParse(text) && /^https?:\/\//i.test(text)) return text
  throw new UsageError(`${option} must be an address such as http://127.0.0.1:4010; got "${text}".`)
}

function readStates(option: string, text: string | undefined): StatesOption {
  return text === 'none' ? 'none' : readAddress(option, text)
}

function readTimeout(text: string): number {
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds >= 0.001 && seconds <= 3600) return seconds * 1000
  throw new UsageError(`--timeout must be a number of seconds up to 3600; got "${text}".`)
}
