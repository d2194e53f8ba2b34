/**
 * `verify`: compares pacts as `check` does, and verifies them with the Pact core against a new sandbox or a provider that
 * listens; with `--diff` also against a second provider, to see where the two disagree.
 */
import type { Command } from 'commander'
import { headerFault } from '../../contracts/pacts/pact-request.ts'
import type { BrokerValues } from '../../verification/broker-source.ts'
import { pactsNamed } from '../../verification/pacts.ts'
import { ownSandbox, remoteProvider } from '../../verification/providers.ts'
import { type StudyValues, studiesOf } from '../../verification/studies.ts'
import { valueOrFailure, verifyPacts } from '../../verification/verify-all.ts'
import { stoppable } from '../terminal/stoppable.ts'
import {
  addExamples,
  addReaders,
  type Configure,
  controlTokenOption,
  createReader,
  ExitCode,
  optionNames,
  type Reader,
  readAddress,
  readControlToken,
  refuseWithout,
  repeatableOption,
  UsageError,
} from '../terminal/usage.ts'
import { addBrokerOptions, brokerOf } from './broker-options.ts'
import { addPactOptions, type PactValues, reportWriter } from './pacts.ts'

export const verifyCommand: Configure = (command) => {
  addExamples(
    command,
    'verify pacts/',
    'verify pacts/ --reporter junit=reports/pacts.xml',
    'verify pacts/ --url http://127.0.0.1:4010',
    'verify pacts/ --diff https://service.example',
    'verify pacts/ --vary --mutate',
    'verify --broker-url https://broker.example --selector mainBranch',
  )
  const header = '"NAME: VALUE" for each request; may be repeated'
  addReaders(addBrokerOptions(addPactOptions(command)), readers)
    .option('--url <base>', 'a sandbox server, or the real service')
    .option('--sandbox <id>', 'an existing sandbox, in place of a new one')
    .addOption(controlTokenOption('the control token of that server'))
    .addOption(repeatableOption('--header <header>', header))
    .option('--states <url>', 'the URL that sets up provider states, or none')
    .option('--diff <base>', 'a second provider; list the differences')
    .option('--diff-states <url>', 'where its provider states are set up, or none')
    .addOption(repeatableOption('--diff-header <header>', 'as --header, for that provider'))
    .option('--strict-documented', 'fail each interaction that rests on an assumption')
    .option('--timeout <seconds>', 'the time limit of each request', '30')
    .option('--vary', 'report which assumptions each interaction rests on')
    .option('--mutate', 'report which changes of an answer go unnoticed')
    .action(verifyNamed)
}

type Header = readonly [name: string, value: string]

export interface VerifyValues
  extends BrokerValues,
    StudyValues,
    Pick<PactValues, 'reporter' | 'json'> {
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
  const fault = headerFault(name, value)
  if (fault === null) return [name, value]
  // The value may be secret, and is not repeated.
  const rule = `must be a header such as "X-Team: billing"; the name got was "${name}"`
  throw new UsageError(`${option} ${rule}: ${fault}.`)
}

const readStates: Reader<string> = (text, option) =>
  text === 'none' ? text : readAddress(text, option)

const readers = {
  ...{ url: readAddress, states: readStates, header: readHeader },
  ...{ diff: readAddress, diffStates: readStates, diffHeader: readHeader },
  timeout: createReader('a number of seconds up to 3600', (text) => {
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
    if (values[option] !== undefined) continue
    const rule = `is for the provider that --${option} names, and there is none`
    refuseWithout(command, dependents[option], rule)
  }
}

/** Progress, for people; reports do not contain it. Of many lines alike a pipe gets the first, which has their count. */
export function logProgress(line: string, before = 0): void {
  if (before === 0 || process.stderr.isTTY) process.stderr.write(`${line}\n`)
}

/** Prints what does not hold; ends with 1 when anything does not. */
export async function verifyNamed(
  named: readonly string[],
  values: VerifyValues,
  command: Command,
): Promise<void> {
  const { url, header, states = null, sandbox = null, diff } = values
  const write = await reportWriter(values)
  const studies = studiesOf(values, optionNames(command))
  requireProviders(values, command)
  const broker = brokerOf(named, values, command)
  const sources = await (broker === null
    ? pactsNamed(named, 'PACT', optionNames(command))
    : broker.sources())
  const provider =
    url === undefined
      ? await ownSandbox(states)
      : await remoteProvider({
          ...{ url, states, header, sandbox },
          controlToken: readControlToken(values.controlToken),
        })
  const other = { states: values.diffStates ?? null, header: values.diffHeader }
  await stoppable(async (signal) => {
    const asked = diff === undefined ? null : remoteProvider({ url: diff, ...other })
    const base = asked && (await valueOrFailure(asked, { signal, log: logProgress }))
    const failures = typeof base === 'string' ? [`--diff compared nothing: ${base}`] : []
    const run = {
      ...{ provider, studies, values, timeoutMs: values.timeout, signal, log: logProgress },
      base: typeof base === 'string' ? null : base,
      publication: broker?.publication ?? null,
    }
    const report = await verifyPacts(sources, run, failures)
    const exitCode = await write(report)
    // A broken pact takes precedence over a missing comparison or study.
    const isWhole = failures.length === 0 || report.result === 'broken'
    process.exitCode = isWhole ? exitCode : ExitCode.environment
  })
}
