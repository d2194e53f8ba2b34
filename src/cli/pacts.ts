/** What `check` and `verify` share: the pacts that were named, and comparing them with the document of /v1. */
import { readFileSync } from 'node:fs'
import { comparison } from '../contracts/compare.ts'
import { type OpenApi, type Operations, operationsOf } from '../contracts/operations.ts'
import { isUnreadable, type PactFile } from '../contracts/pact-file.ts'
import { unreadableReport } from '../contracts/report/build.ts'
import type { Finding, PactReport, Report } from '../contracts/report/report.ts'
import { findPacts, readSource } from '../contracts/sources.ts'
import { v1Document } from '../openapi/v1.ts'
import { packageRoot, VERSION } from '../version.ts'
import { ExitCode, UsageError } from './usage.ts'

/** A pact that was read and compared. */
export interface Compared {
  readonly pact: PactFile
  readonly findings: readonly (readonly Finding[])[]
}

export interface Comparing {
  readonly operations: Operations
  /** Reads and compares one; where it cannot be read, that is all there is to report. */
  readonly read: (source: string) => Promise<Compared | PactReport>
}

/** Prepares comparing with the document of /v1. */
export async function comparing(): Promise<Comparing> {
  const document = v1Document(VERSION) as OpenApi
  const compare = await comparison(document)
  const yaml = () => readFileSync(new URL('openapi.yaml', packageRoot), 'utf8')
  return {
    operations: operationsOf(document, yaml),
    read: async (source) => {
      const pact = await readSource(source)
      if (isUnreadable(pact)) return unreadableReport(source, pact)
      return { pact, findings: await compare(pact) }
    },
  }
}

/** Whether there is nothing to verify in what was read. */
export function isReport(read: Compared | PactReport): read is PactReport {
  return 'result' in read
}

/** The files and addresses that were named. Throws `UsageError` where something names nothing. */
export async function pactsNamed(named: readonly string[]): Promise<readonly string[]> {
  const accepted = 'files, folders, patterns and http addresses of pacts would be accepted.'
  if (named.length === 0) throw new UsageError(`PACT is missing; ${accepted}`)
  const { sources, missing } = await findPacts(named)
  if (missing.length > 0) {
    const names = missing.map((each) => `"${each}"`).join(', ')
    throw new UsageError(`PACT ${names} matches no file; ${accepted}`)
  }
  return sources
}

/** What a result means to who runs the command; nothing to verify is never a pass. */
export const exitCodes: Readonly<Record<Report['result'], ExitCode>> = {
  passed: ExitCode.ok,
  broken: ExitCode.no,
  empty: ExitCode.usage,
}
