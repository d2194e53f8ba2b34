/**
 * `check`: compares pacts with the OpenAPI document of /v1 and with the catalogue of provider states, without a call and
 * without native code.
 */
import { pactReport, reportOf } from '../contracts/report/build.ts'
import type { PactReport } from '../contracts/report-shape.ts'
import { comparing } from '../http/contracts/comparing.ts'
import { addSelection, exitCodes, isReport, pactsNamed, read, type Selection } from './pacts.ts'
import { addReporters, type ReporterValues, readReporters, writeReport } from './reporters.ts'
import { type Configure, examplesText } from './usage.ts'

/** Adds what `check` takes. */
export const checkCommand: Configure = (command) => {
  addReporters(addSelection(command))
    .addHelpText('after', examplesText('check pacts/', "check 'pacts/**/*.json' --reporter github"))
    .action(compareAll)
}

/** Prints what contradicts the document; ends with 1 when anything does. */
async function compareAll(
  named: readonly string[],
  values: ReporterValues & Selection,
): Promise<void> {
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
