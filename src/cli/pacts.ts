/**
 * `check`: compares pacts with the OpenAPI document of /v1 and with the catalogue of provider states, without a call and
 * without native code. Also what `verify` shares with it: finding and reading pacts, and exit codes.
 */
import type { Command } from 'commander'
import { CannotVerify } from '../contracts/failure.ts'
import { isUnreadable, type PactFile } from '../contracts/pact-file.ts'
import { pactReport, reportOf, skippedReport, unreadableReport } from '../contracts/report/build.ts'
import type { PactReport, Report } from '../contracts/report-shape.ts'
import { filtered } from '../contracts/selection.ts'
import { findPacts, readSource } from '../contracts/sources.ts'
import { comparing } from '../http/contracts/comparing.ts'
import { addReporters, type ReporterValues, readReporters, writeReport } from './reporters.ts'
import { type Configure, ExitCode, examplesText, UsageError } from './usage.ts'

export const checkCommand: Configure = (command) => {
  addReporters(addSelection(command))
    .addHelpText('after', examplesText('check pacts/', "check 'pacts/**/*.json' --reporter github"))
    .action(compareAll)
}

/** Prints what contradicts the document; ends with 1 when anything does. */
async function compareAll(named: readonly string[], values: ReporterValues & Selection) {
  const reporters = readReporters(values)
  const sources = await pactsNamed(named)
  const { operations, compareWithStates } = comparing()
  const pacts: PactReport[] = []
  const notes: string[] = []
  for (const source of sources) {
    const { read: pact, note } = await read(source, values)
    if (note !== null) notes.push(note)
    if (isReport(pact)) pacts.push(pact)
    else {
      const findings = await compareWithStates(pact)
      pacts.push(pactReport(pact, { operations, findings, verified: null, base: null }))
    }
  }
  const noProvider = { provider: null, base: null, differences: null, compared: null }
  const report = reportOf({ command: 'check', ...noProvider, notes, pacts })
  await writeReport(report, reporters)
  process.exitCode = exitCodes[report.result]
}

/** Adds the options that select pacts and interactions. */
export function addSelection(command: Command): Command {
  return command
    .argument('[pact...]', 'files, folders, patterns or addresses of pacts')
    .option('--provider <name>', "the provider that is meant, '*' for any", 'subscription-service')
    .option('--filter <text>', 'only interactions whose description holds this')
}

/** The selected pacts and interactions. */
export interface Selection {
  /** The name of the provider; `*` for any. */
  readonly provider: string
  /** A text that the description of an interaction must contain. */
  readonly filter?: string | undefined
}

/** A pact, or its report if it is not verified, and a note for the reader. */
export interface Reading {
  readonly read: PactFile | PactReport
  readonly note: string | null
}

/** Reads one pact. If it cannot be read or is not selected, answers its report. */
export async function read(source: string, selection: Selection): Promise<Reading> {
  const pact = await readSource(source).catch((error: unknown) => {
    if (!(error instanceof CannotVerify)) throw error
    return unreadableReport(source, [{ line: 1, column: 1, message: error.message }], 'unverified')
  })
  if ('result' in pact) return { read: pact, note: null }
  if (isUnreadable(pact)) return { read: unreadableReport(source, pact), note: null }
  return selected(pact, selection)
}

function selected(pact: PactFile, { provider, filter }: Selection): Reading {
  const { source } = pact
  if (provider !== '*' && folded(pact.provider) !== folded(provider)) {
    const note = `${source} is skipped: its provider is "${pact.provider}"; --provider NAME verifies that one, '*' any.`
    return { read: skippedReport(pact), note }
  }
  if (filter === undefined) return { read: pact, note: null }
  const left = filtered(pact, filter)
  const before = pact.interactions.length + pact.foreign.length
  const after = left.interactions.length + left.foreign.length
  const note = `${source}: --filter leaves ${before - after} of ${before} interactions out.`
  return { read: after === 0 ? skippedReport(pact) : left, note: after === before ? null : note }
}

/** Tools write one name as `Subscription Service` and as `subscription-service`. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '-')
}

/** Whether there is nothing to verify. */
export function isReport(read: PactFile | PactReport): read is PactReport {
  return 'result' in read
}

/** The files and addresses of the arguments. Throws `UsageError` for an argument that matches nothing. */
export async function pactsNamed(named: readonly string[]): Promise<readonly string[]> {
  const rule = 'it must be a file, folder, pattern or http address of pacts.'
  if (named.length === 0) throw new UsageError(`PACT is missing; ${rule}`)
  const { sources, missing } = await findPacts(named)
  if (missing.length > 0) {
    const names = missing.map((each) => `"${each}"`).join(', ')
    throw new UsageError(`PACT ${names} matches no file; ${rule}`)
  }
  return sources
}

/** The exit code of each result. Nothing to verify is never a pass. */
export const exitCodes: Readonly<Record<Report['result'], ExitCode>> = {
  passed: ExitCode.ok,
  broken: ExitCode.no,
  empty: ExitCode.usage,
  unverified: ExitCode.environment,
}
