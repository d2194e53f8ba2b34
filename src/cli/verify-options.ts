/** The options of `verify`: what there are, and how they are read. */
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { type Command, Option } from 'commander'
import { reasonOf } from '../contracts/failure.ts'
import { readAddress } from './address.ts'
import { addSelection, type Selection } from './pacts.ts'
import type { StatesOption } from './providers.ts'
import { addReporters, type ReporterValues } from './reporters.ts'
import type { StudyValues } from './studies.ts'
import { controlTokenOption, examplesText, repeated, UsageError } from './usage.ts'

/** The values of the options. */
export interface VerifyValues extends ReporterValues, Selection, StudyValues {
  readonly url?: string
  readonly states?: string
  readonly header?: readonly string[]
  readonly sandbox?: string
  readonly controlToken?: string
  readonly diff?: string
  readonly diffStates?: string
  readonly diffHeader?: readonly string[]
  readonly timeout: string
  readonly strictDocumented?: boolean
}

/** Adds the arguments and options of `verify`. */
export function addVerifyOptions(command: Command): Command {
  return addReporters(addSelection(command))
    .option('--url <base>', 'a server of sandboxes, where it makes a new one, or the real service')
    .option('--sandbox <id>', 'one of that server, in place of a new one')
    .addOption(controlTokenOption('the control token of that server'))
    .addOption(
      repeated(new Option('--header <header>', '"NAME: VALUE" for each request; may be repeated')),
    )
    .option('--states <url>', 'where provider states are set up, or none')
    .option('--diff <base>', 'a second provider; lists where the two disagree')
    .option('--diff-states <url>', 'where its provider states are set up, or none')
    .addOption(repeated(new Option('--diff-header <header>', 'as --header, for that provider')))
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
}

/** Throws `UsageError` for an option that needs another one. */
export function requireWith(
  option: string,
  given: string | null,
  others: Readonly<Record<string, string | null | undefined>>,
): void {
  if (given !== null) return
  for (const [name, value] of Object.entries(others)) {
    if (value == null) continue
    throw new UsageError(`${name} is for the provider that ${option} names, and there is none.`)
  }
}

export function readHeaders(option: string, texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(texts.map((text) => readHeader(option, text)))
}

function readHeader(option: string, text: string): [name: string, value: string] {
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

/** Reads the address of an option that may be absent. Throws `UsageError`. */
export function readBase(option: string, text: string | undefined): string | null {
  return text === undefined ? null : readAddress(option, text)
}

export function readStates(option: string, text: string | undefined): StatesOption {
  return text === 'none' ? 'none' : readBase(option, text)
}

export function readTimeout(text: string): number {
  const seconds = Number(text)
  if (Number.isFinite(seconds) && seconds >= 0.001 && seconds <= 3600) return seconds * 1000
  throw new UsageError(`--timeout must be a number of seconds up to 3600; got "${text}".`)
}
