/** What `check` and `verify` share: the pacts that were named, and what a result means to who named them. */
import { isUnreadable, type PactFile } from '../contracts/pact-file.ts'
import { unreadableReport } from '../contracts/report/build.ts'
import type { PactReport, Report } from '../contracts/report/report.ts'
import { findPacts, readSource } from '../contracts/sources.ts'
import { ExitCode, UsageError } from './usage.ts'

/** Reads one; where it cannot be read, that is all there is to report. */
export async function read(source: string): Promise<PactFile | PactReport> {
  const pact = await readSource(source)
  return isUnreadable(pact) ? unreadableReport(source, pact) : pact
}

/** Whether there is nothing to verify in what was read. */
export function isReport(read: PactFile | PactReport): read is PactReport {
  return 'result' in read
}

/** The files and addresses that were named. Throws `UsageError` where something names nothing. */
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

/** What a result means to who runs the command; nothing to verify is never a pass. */
export const exitCodes: Readonly<Record<Report['result'], ExitCode>> = {
  passed: ExitCode.ok,
  broken: ExitCode.no,
  empty: ExitCode.usage,
}
