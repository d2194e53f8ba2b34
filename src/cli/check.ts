/** `check`: compares pacts with the OpenAPI document of /v1, without a call and without native code. */
import { pactReport, reportOf } from '../contracts/report/build.ts'
import type { PactReport } from '../contracts/report/report.ts'
import { comparing } from '../http/contracts/comparing.ts'
import { exitCodes, isReport, pactsNamed, read } from './pacts.ts'
import { readReporters, reportOptions, writeReport } from './reporters.ts'
import { readArguments } from './usage.ts'

/** Prints what contradicts the document; ends with 1 when anything does. */
export async function checkPacts(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args, reportOptions)
  const reporters = readReporters(values)
  const sources = await pactsNamed(positionals)
  const { operations, compare } = comparing()
  const pacts: PactReport[] = []
  for (const source of sources) {
    const pact = await read(source)
    if (isReport(pact)) pacts.push(pact)
    else {
      const findings = await compare(pact)
      pacts.push(pactReport(pact, { operations, findings, verified: null, base: null }))
    }
  }
  const noProvider = { provider: null, base: null, differences: null, notes: [] }
  const report = reportOf({ command: 'check', ...noProvider, pacts })
  await writeReport(report, reporters)
  process.exitCode = exitCodes[report.result]
}
