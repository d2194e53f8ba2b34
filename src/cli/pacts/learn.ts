/** `learn`: which guesses of the sandbox a recording of the real service contradicts; and recording one. */
import { once } from 'node:events'
import type { Command } from 'commander'
import { isRefusal } from '../../billing/refusal.ts'
import { recordTraffic } from '../../learn/har-recorder.ts'
import { learn } from '../../learn/learn.ts'
import { RecordingError, readRecording } from '../../learn/recording.ts'
import type { LearnReport } from '../../learn/report.ts'
import { githubText, junitText, prettyText, settingsText } from '../../learn/report-texts.ts'
import { chooseFixture } from '../../server/fixture-choice.ts'
import { readSettings } from '../../server/settings-file.ts'
import { countText } from '../../wire/common/text.ts'
import { startListening } from '../commands/serve.ts'
import { readPort } from '../commands/serve-options.ts'
import { readNamed, writeNamed } from '../terminal/files.ts'
import {
  addExamples,
  addReaders,
  type Configure,
  ExitCode,
  readAddress,
  refuseWithout,
  UsageError,
  variableOption,
} from '../terminal/usage.ts'
import { addReportOptions, formsWriter, printable, type ReportValues } from './pacts.ts'

interface LearnValues extends ReportValues {
  readonly fixture?: string
  readonly settings?: string
  readonly write?: string
  readonly from?: string
  readonly out?: string
  readonly port: number
}

export const learnCommand: Configure = (command) => {
  addExamples(
    command,
    'learn --from https://service.example --out traffic.har',
    'learn traffic.har --write sandbox.yaml',
    'learn traffic.har --settings sandbox.yaml --reporter junit=learn.xml',
  )
  addReaders(addReportOptions(command), { from: readAddress, port: readPort })
    .argument('[recording]', 'a HAR, or NDJSON of requests as GET /sandbox/requests lists them')
    .option('--fixture <fixture>', 'the initial data of the service (default: inferred)')
    .addOption(variableOption('--settings <file>', 'the settings to compare the service with'))
    .option('--write <file>', 'write the matching settings here, for serve --settings')
    .option('--from <base>', 'record the traffic to this service until you stop it')
    .option('--out <file>', 'the file to write the recording to')
    .option('--port <number>', 'the TCP port to record at; 0 picks a free one', '0')
    .action(learnOrRecord)
}

async function learnOrRecord(
  file: string | undefined,
  values: LearnValues,
  command: Command,
): Promise<void> {
  const { from, out, port } = values
  if (file !== undefined && from === undefined && out === undefined) {
    refuseWithout(command, ['port'], 'is for what --from records, and there is none')
    return compare(file, values)
  }
  if (file !== undefined || from === undefined || out === undefined) {
    throw new UsageError('learn takes a RECORDING to read, or --from and --out to write one.')
  }
  const rule = 'is for a RECORDING to read, and there is none'
  // A variable may be for other commands.
  const settings = command.getOptionValueSource('settings') === 'cli' ? ['settings'] : []
  refuseWithout(command, [...settings, 'fixture', 'write', 'reporter', 'json'], rule)
  await record(from, out, port)
}

async function record(from: string, out: string, port: number): Promise<void> {
  // Before the traffic: a file that cannot be written would lose it.
  await writeNamed('--out', out, null)
  const report = (line: string) => void process.stderr.write(`not recorded: ${line}\n`)
  const target = { host: '127.0.0.1', port, folder: null }
  const begin = () => recordTraffic(from, port, report)
  const { url, har, close } = await startListening(target, begin)
  const stopped = Promise.race(['SIGTERM', 'SIGINT', 'SIGHUP'].map((name) => once(process, name)))
  process.stdout.write(
    `learn is ready at ${url}\nWhat is sent there goes to ${from}; ${out} is written when this is stopped.\n`,
  )
  await stopped
  await close()
  const traffic = har()
  await writeNamed('--out', out, `${JSON.stringify(traffic, null, 2)}\n`)
  process.stdout.write(`${out}: ${countText(traffic.log.entries.length, 'exchange')}\n`)
}

const writers = {
  pretty: async (report: LearnReport) => prettyText(printable(report)),
  json: async (report: LearnReport) => `${JSON.stringify(report, null, 2)}\n`,
  junit: async (report: LearnReport) => junitText(report),
  github: async (report: LearnReport) => githubText(report),
}

async function compare(file: string, values: LearnValues): Promise<void> {
  const show = await formsWriter(values, writers)
  if (values.write !== undefined) await writeNamed('--write', values.write, null)
  const settings = values.settings === undefined ? {} : await readSettings(values.settings)
  if (isRefusal(settings)) throw new UsageError(settings.message)
  const fixture = values.fixture === undefined ? null : await findFixture(values.fixture)
  const onProgress = (line: string) => process.stderr.write(`  ${line}\n`)
  const report = await readAndLearn(file, { settings, fixture, onProgress })
  await show(report)
  if (values.write !== undefined) await writeNamed('--write', values.write, settingsText(report))
  process.exitCode = report.result === 'same' ? ExitCode.ok : ExitCode.no
}

async function readAndLearn(file: string, options: Parameters<typeof learn>[1]) {
  const text = await readNamed('RECORDING', file)
  try {
    return await learn(readRecording(file, text), options)
  } catch (error) {
    throw error instanceof RecordingError ? new UsageError(error.message) : error
  }
}

async function findFixture(asked: string) {
  const choice = await chooseFixture(asked)
  if (isRefusal(choice)) throw new UsageError(choice.message)
  return choice.library.get(choice.name ?? asked) ?? null
}
