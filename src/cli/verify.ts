/**
 * `verify`: compares pacts as `check` does, and verifies them with the Pact core against a new sandbox or a provider that
 * listens; with `--diff` also against a second provider, to see where the two disagree.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type Command, Option } from 'commander'
import { pactCore } from '../contracts/core.ts'
import { differencesBetween, extentOf } from '../contracts/diff.ts'
import { CannotVerify, reasonOf } from '../contracts/failure.ts'
import type { PactFile } from '../contracts/pact-file.ts'
import { pactReport, reportOf } from '../contracts/report/build.ts'
import type { PactReport } from '../contracts/report-shape.ts'
import { type Verified, verifyPact } from '../contracts/verify.ts'
import { type Comparing, comparing } from '../http/contracts/comparing.ts'
import { buildFolder } from '../version.ts'
import {
  addPactOptions,
  type PactValues,
  pactsNamed,
  reportOnPacts,
  reportWriter,
  unverifiedReport,
} from './pacts.ts'
import { ownSandbox, type Providing, remote, SERVED_AT } from './providers.ts'
import { stoppable } from './stoppable.ts'
import { type StudyRun, type StudyValues, studiesOf, study } from './studies.ts'
import {
  addReaders,
  type Configure,
  controlTokenOption,
  ExitCode,
  examplesText,
  nameOf,
  type Reader,
  readAddress,
  readControlToken,
  reader,
  repeated,
  UsageError,
} from './usage.ts'

const program = new URL('contracts/verify-child.js', buildFolder)

const PROGRESS_MS = 2000

export const verifyCommand: Configure = (command) => {
  const header = new Option('--header <header>', '"NAME: VALUE" for each request; may be repeated')
  const diffHeader = new Option('--diff-header <header>', 'as --header, for that provider')
  addReaders(addPactOptions(command), readers)
    .option('--url <base>', 'a server of sandboxes, where it makes a new one, or the real service')
    .option('--sandbox <id>', 'one of that server, in place of a new one')
    .addOption(controlTokenOption('the control token of that server'))
    .addOption(repeated(header))
    .option('--states <url>', 'where provider states are set up, or none')
    .option('--diff <base>', 'a second provider; lists where the two disagree')
    .option('--diff-states <url>', 'where its provider states are set up, or none')
    .addOption(repeated(diffHeader))
    .option('--strict-documented', 'fail what rests on an assumption')
    .option('--timeout <seconds>', 'how long each request may take', '30')
    .option('--vary', 'say which assumptions each interaction rests on')
    .option('--mutate', 'say which changes of an answer go unnoticed')
    .addHelpText(
      'after',
      examplesText(
        'verify pacts/',
        'verify pacts/ --reporter junit=reports/pacts.xml',
        'verify pacts/ --url http://127.0.0.1:4010',
        'verify pacts/ --diff https://service.example',
        'verify pacts/ --vary --mutate',
      ),
    )
    .action(verifyNamed)
}

type Header = readonly [name: string, value: string]

interface VerifyValues extends PactValues, StudyValues {
  readonly states?: string
  readonly header?: readonly Header[]
  readonly sandbox?: string
  readonly controlToken?: string
  readonly diff?: string
  readonly diffStates?: string
  readonly diffHeader?: readonly Header[]
  /** In milliseconds. */
  readonly timeout: number
  readonly strictDocumented?: boolean
}

const readHeader: Reader<Header> = (text, option) => {
  const [, name = '', value = ''] = /^([^:]*):\s*(.*)$/s.exec(text) ?? []
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return [name, value]
  } catch (error) {
    // The value may be secret, and is not repeated.
    const rule = `must be a header such as "X-Team: billing"; the name got was "${name}"`
    throw new UsageError(`${option} ${rule}: ${reasonOf(error)}.`)
  }
}

const readStates: Reader<string> = (text, option) =>
  text === 'none' ? text : readAddress(text, option)

const readers = {
  ...{ url: readAddress, states: readStates, header: readHeader },
  ...{ diff: readAddress, diffStates: readStates, diffHeader: readHeader },
  timeout: reader('a number of seconds up to 3600', (text) => {
    const seconds = Number(text)
    return seconds >= 0.001 && seconds <= 3600 ? seconds * 1000 : undefined
  }),
}

/** Options for the provider that another option names. */
const dependents = {
  url: ['header', 'sandbox', 'controlToken'],
  diff: ['diffStates', 'diffHeader'],
} as const

function requireProviders(values: VerifyValues, command: Command): void {
  for (const option of ['url', 'diff'] as const) {
    const name = dependents[option].find((each) => values[each] !== undefined)
    if (name === undefined || values[option] !== undefined) continue
    throw new UsageError(
      `${nameOf(command, name)} is for the provider that --${option} names, and there is none.`,
    )
  }
}

interface Run extends StudyRun {
  readonly base: Providing | null
  readonly comparing: Comparing
  readonly values: VerifyValues
}

/** Prints what does not hold; ends with 1 when anything does not. */
async function verifyNamed(named: readonly string[], values: VerifyValues, command: Command) {
  const { url, header, states = null, sandbox = null, diff } = values
  const write = reportWriter(values)
  const studies = studiesOf(values)
  requireProviders(values, command)
  const sources = await pactsNamed(named)
  const controlToken = readControlToken(values.controlToken)
  const provider =
    url === undefined
      ? await ownSandbox(states)
      : await remote({ url, states, header, sandbox, controlToken })
  const other = { states: values.diffStates ?? null, header: values.diffHeader }
  const base = diff === undefined ? null : await orFailure(remote({ url: diff, ...other }))
  const failures = typeof base === 'string' ? [`--diff compared nothing: ${base}`] : []
  await stoppable(async (signal) => {
    const core = pactCore({ program, signal })
    const run: Run = {
      ...{ provider, core, studies, values, comparing: comparing(), timeoutMs: values.timeout },
      base: typeof base === 'string' ? null : base,
    }
    try {
      const report = await verifyAll(sources, run, failures)
      const exitCode = await write(report)
      // A broken pact takes precedence over a missing comparison or study.
      const isWhole = failures.length === 0 || report.result === 'broken'
      process.exitCode = isWhole ? exitCode : ExitCode.environment
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

/** The report on all pacts; adds to `failures` why studies were not finished. */
async function verifyAll(sources: readonly string[], run: Run, failures: string[]) {
  const { provider, base, studies } = run
  const ofBase = new Map<number, PactReport>()
  const { pacts, notes } = await reportOnPacts(sources, run.values, async (pact, position) => {
    // Progress for people; reports do not contain it.
    process.stderr.write(`verifying ${position + 1}/${sources.length}: ${pact.source}\n`)
    const { report, verified } = await reportOn(provider, pact, run)
    if (base !== null) ofBase.set(position, (await reportOn(base, pact, run)).report)
    const failure = verified && (await orFailure(study(pact, verified, run)))
    if (failure) failures.push(`The studies of ${pact.source} were not finished: ${failure}`)
    return report
  })
  const others = pacts.map((report, position) => ofBase.get(position) ?? report)
  const report = reportOf({
    command: 'verify',
    provider: provider.shown,
    base: base?.shown ?? null,
    notes: [...new Set([...provider.notes, ...(base?.notes ?? []), ...notes, ...failures])],
    pacts,
    differences: base && differencesBetween(pacts, others),
    compared: base && extentOf(pacts, others),
  })
  return { ...report, ...studies }
}

/** The report of a pact with one provider, and the result of each interaction; null if the pact was not verified. */
interface Judged {
  readonly report: PactReport
  readonly verified: readonly Verified[] | null
}

async function reportOn(providing: Providing, pact: PactFile, run: Run): Promise<Judged> {
  const judged = await orFailure(verifiedBy(providing, pact, run))
  if (typeof judged !== 'string') return judged
  return { report: unverifiedReport(pact.source, judged), verified: null }
}

async function verifiedBy(providing: Providing, pact: PactFile, run: Run): Promise<Judged> {
  const { core, timeoutMs, values, comparing } = run
  const provider = await providing.open()
  try {
    const onExchange = progress(pact.interactions.length)
    // The core loads in another process, and takes as long as the comparison.
    const [verified, findings] = await Promise.all([
      verifyPact(pact, { ...provider, timeoutMs, core, onExchange }),
      comparing.compare(pact),
    ])
    if ('refusal' in verified) {
      const report = unverifiedReport(pact.source, verified.refusal, 'unreadable')
      return { report, verified: null }
    }
    const report = pactReport(pact, {
      ...{ operations: comparing.operations, findings, verified },
      base: providing.shown.url ?? SERVED_AT,
      reproduction: provider.reproduction,
      assumptionsHeader: 'Sandbox-Assumptions',
      onAssumptions: values.strictDocumented ? 'fail' : undefined,
    })
    return { report, verified }
  } finally {
    await provider.close()
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
