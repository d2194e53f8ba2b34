/** The options of `exec --coverage`, and the report at its end. */
import type { Command } from 'commander'
import type { Started } from '../../server/start.ts'
import { measureNames } from '../../wire/sandbox/coverage.ts'
import { widthOfOutput } from '../terminal/terminal.ts'
import {
  addReaders,
  createReader,
  refuseWithout,
  repeatableOption,
  UsageError,
} from '../terminal/usage.ts'

export interface CoverageValues {
  readonly coverage?: boolean
  readonly min?: readonly ReturnType<typeof min>[]
  readonly how?: boolean
  readonly matrix?: boolean
}

const rule = `a measure and a percentage, such as transitions=50; measures: ${measureNames.join(', ')}`

/** The least percentage of one measure. */
const min = createReader(rule, (text) => {
  const [, name, digits] = /^(\w+)=(\d{1,3})$/.exec(text) ?? []
  const measure = measureNames.find((each) => each === name)
  const percent = Number(digits)
  return measure === undefined || percent > 100 ? undefined : { measure, percent }
})

export function addCoverageOptions(command: Command): Command {
  return addReaders(command, { min })
    .option('--coverage', 'print at the end which part of /v1 the sandboxes used')
    .addOption(repeatableOption('--min <measure=percent>', 'exit with 1 below it; may be repeated'))
    .option('--how', 'print commands that reach what was not used')
}

/** Throws `UsageError` for options of coverage that do not go together with others. */
export function requireCoverage(values: CoverageValues, command: Command): void {
  if (values.coverage !== true) {
    refuseWithout(command, ['min', 'how'], 'is for the coverage; add --coverage')
  } else if (values.matrix === true) {
    throw new UsageError('exec takes --matrix or --coverage, not both.')
  }
}

/** Prints the coverage of all sandboxes of a server. Returns whether all thresholds are met. */
export async function reportCoverage(
  { registry }: Pick<Started, 'registry'>,
  { min: least = [], how = false }: CoverageValues,
): Promise<boolean> {
  const { coverageReport } = await import('../../http/control/coverage-report.ts')
  const { coverageTables } = await import('../../http/control/coverage-text.ts')
  const thresholds = least.map(({ measure, percent }) => [`min_${measure}`, percent])
  const query = { how: `${how}` as const, ...Object.fromEntries(thresholds) }
  const report = coverageReport(registry.coverage(), query)
  process.stdout.write(`\n${coverageTables(report, widthOfOutput())}`)
  return report.ok
}
