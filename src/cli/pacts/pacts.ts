/**
 * `check`: compares pacts with the OpenAPI document of /v1 and with the catalogue of provider states, without a call and
 * without native code. Also what `verify` shares with it: options, the forms of a report, and exit codes.
 */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Report } from '../../contracts/common/report-shape.ts'
import { pactReport, reportOf } from '../../contracts/report/build.ts'
import { github } from '../../contracts/report/github.ts'
import { pretty } from '../../contracts/report/pretty.ts'
import { createComparer } from '../../http/contracts/comparing.ts'
import { type PactFilter, pactsNamed, reportOnPacts } from '../../verification/pacts.ts'
import { writeNamed } from '../terminal/files.ts'
import { foldText, showsColours, withoutControls } from '../terminal/terminal.ts'
import {
  addExamples,
  addReaders,
  type Configure,
  createReader,
  ExitCode,
  optionNames,
  repeatableOption,
  UsageError,
} from '../terminal/usage.ts'

export const checkCommand: Configure = (command) => {
  addExamples(
    addPactOptions(command),
    'check pacts/',
    "check 'pacts/**/*.json' --reporter github",
  ).action(compareAll)
}

/** Prints what contradicts the document; ends with 1 when anything does. */
async function compareAll(
  named: readonly string[],
  values: PactValues,
  command: Command,
): Promise<void> {
  const write = await reportWriter(values)
  const sources = await pactsNamed(named, 'PACT', optionNames(command))
  const { operations, compareWithStates } = createComparer()
  const { pacts, notes } = await reportOnPacts(sources, values, async (pact) => {
    const findings = await compareWithStates(pact)
    return pactReport(pact, { operations, findings, verified: null, base: null })
  })
  const noProvider = { provider: null, base: null, differences: null, compared: null }
  process.exitCode = await write(reportOf({ command: 'check', ...noProvider, notes, pacts }))
}

/** Adds which pacts and interactions are meant, and how their report is written. */
export function addPactOptions(command: Command): Command {
  command
    .argument('[pact...]', 'files, folders, patterns or addresses of pacts')
    .option('--provider <name>', "the provider that is meant, '*' for any", 'subscription-service')
    .option('--filter <text>', 'only interactions whose description contains this')
  return addReportOptions(command)
}

/** Adds how a report is written. */
export function addReportOptions(command: Command): Command {
  const reporters = 'pretty, json, junit or github, perhaps with =FILE; may be repeated'
  return addReaders(command, { reporter: readReporter })
    .addOption(repeatableOption('--reporter <form>', reporters))
    .option('--json', 'as --reporter json')
}

/** The forms of a report. */
export interface ReportValues {
  readonly reporter?: readonly ReturnType<typeof readReporter>[]
  readonly json?: boolean
}

export interface PactValues extends PactFilter, ReportValues {}

/** The exit code of each result. Nothing to verify is never a pass. */
const exitCodes: Readonly<Record<Report['result'], ExitCode>> = {
  passed: ExitCode.ok,
  broken: ExitCode.no,
  empty: ExitCode.usage,
  unverified: ExitCode.environment,
}

type Writers<Shown> = Readonly<
  Record<
    'pretty' | 'json' | 'junit' | 'github',
    (shown: Shown, colours: Parameters<typeof pretty>[1]) => Promise<string>
  >
>

const writers: Writers<Report> = {
  pretty: async (report, colours) => pretty(printable(report), colours),
  json: async (report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: async (report) => (await import('../../contracts/report/junit.ts')).junit(report),
  github: async (report) => github(report),
}

const forms = Object.keys(writers) as (keyof typeof writers)[]
/** Reads one form of a report, and the file that it goes to; null is the terminal. */
const readReporter = createReader(
  `one of ${forms.join(', ')}, or one of them as name=FILE`,
  (text) => {
    const [, form, file = null] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? []
    const name = forms.find((each) => each === form)
    return name === undefined || file === '' ? undefined : { name, file }
  },
)

/** Writes a report in each form, for its exit code. */
export async function reportWriter(values: ReportValues) {
  const write = await formsWriter(values, writers)
  return async (report: Report): Promise<ExitCode> => {
    await write(report)
    return exitCodes[report.result]
  }
}

/**
 * Writes what it is given in each form, by these writers. Throws `UsageError` for two forms that cannot share the terminal,
 * and tries the files: what is to be written may take long.
 */
export async function formsWriter<Shown>(
  { reporter = [], json }: ReportValues,
  by: Writers<Shown>,
) {
  const asked = json ? [...reporter, { name: 'json', file: null } as const] : reporter
  const printed = asked.filter(({ file }) => file === null).map(({ name }) => name)
  const alone = printed.find((name) => name === 'json' || name === 'junit')
  if (alone !== undefined && printed.length > 1) {
    throw new UsageError(
      `--reporter ${printed.join(', ')} cannot be printed together; write ${alone}=FILE.`,
    )
  }
  await tryFiles(asked.flatMap(({ file }) => file ?? []))
  const forms = asked.length === 0 ? [{ name: 'pretty', file: null } as const] : asked
  return async (report: Shown): Promise<void> => {
    for (const { name, file } of forms) {
      const colours = file === null && showsColours() ? 'coloured' : 'plain'
      const text = await by[name](report, colours)
      if (file === null) process.stdout.write(name === 'pretty' ? foldText(text) : text)
      else await writeNamed('--reporter', file, text)
    }
  }
}

async function tryFiles(files: readonly string[]): Promise<void> {
  const paths = files.map((file) => resolve(file))
  const again = files.find((_, at) => paths.indexOf(paths[at] ?? '') < at)
  if (again !== undefined) {
    throw new UsageError(`--reporter must name each file once; got "${again}" again.`)
  }
  for (const file of files) await writeNamed('--reporter', file, null)
}

/** A report whose texts do not steer the terminal. */
export function printable<Shown>(report: Shown): Shown {
  return JSON.parse(JSON.stringify(report), (_, value) =>
    typeof value === 'string' ? value.split('\n').map(withoutControls).join('\n') : value,
  )
}
