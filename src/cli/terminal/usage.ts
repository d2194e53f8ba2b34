/** How the command line is used: options and how they are read, examples, and the meaning of exit codes. */
import { type Command, Option } from 'commander'
import { distance } from 'fastest-levenshtein'
import type { OptionNames } from '../../verification/pacts.ts'
import { nearestNames } from '../../world/results.ts'
import { USUAL_WIDTH, widthOfOutput, wrapText } from './terminal.ts'

/** 0 done, 1 a check failed or a refusal, 2 used wrongly, 3 the environment does not allow it. */
export const ExitCode = { ok: 0, no: 1, usage: 2, environment: 3 } as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** The command line was used wrongly; the message says what is right. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The environment does not allow it; the message says what to do. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun'
}

/** Adds to a command its arguments, its options and what it does. */
export type Configure = (command: Command) => void

/** The command that words lead to, whatever else is among them. */
export function findCommand(program: Command, words: readonly string[]): Command {
  return words.reduce(
    (command, word) => command.commands.find((each) => each.name() === word) ?? command,
    program,
  )
}

/** Reads the text of an option; `name` is the option or the variable that gave it. Throws `UsageError`. */
export interface Reader<Value> {
  (text: string, name: string): Value
  /** All that it takes, where that is a few words. */
  readonly choices?: readonly string[]
}

/** A reader of certain texts; `read` answers undefined for all others, which may mean one of some words. */
export function createReader<Value>(
  accepts: string,
  read: (text: string) => Value | undefined,
  words: readonly string[] = [],
): Reader<Value> {
  return (text, name) => {
    const value = read(text)
    if (value !== undefined) return value
    const { likely } = nearestNames(text, words)
    const near = likely === null ? '' : `; the nearest is "${likely}"`
    throw new UsageError(`${name} must be ${accepts}; got "${text}"${near}.`)
  }
}

/** A message with the nearest few names in place of a long list of them. */
export function withNearest(message: string): string {
  const list = /(?<= one of:? )((?:[^\s,;]+, ){10,}[^\s,;]+)(?:(?=; got "(.*?)")|(?=\.$))/gs
  return message.replace(list, (_, names: string, got = '') => nearestFew(got, names.split(', ')))
}

/** The names nearest to a text, themselves or by a word in them, and how many there are. */
export function nearestFew(text: string, names: readonly string[]): string {
  const away = (name: string) =>
    Math.min(...[name, ...name.split(/(?=[A-Z])|\W/)].map((word) => distance(word, text)))
  const few = names.toSorted((one, other) => away(one) - away(other)).slice(0, 5)
  return `${few.join(', ')} (${few.length} of ${names.length})`
}

export function choice<Choice extends string>(
  ...choices: readonly Choice[]
): Reader<Choice> & { readonly choices: readonly Choice[] } {
  const accepts = `one of: ${choices.join(', ')}`
  const read = createReader(accepts, (text) => choices.find((each) => each === text), choices)
  return Object.assign(read, { choices })
}

type Readers = Readonly<Record<string, Reader<unknown>>>

const readersOf = new WeakMap<Command, Readers>()

/** Adds readers of options, by attribute. They apply when the command runs, so that help needs no valid variables. */
export function addReaders(command: Command, readers: Readers): Command {
  readersOf.set(command, { ...readersOf.get(command), ...readers })
  return command
}

/** The words that an option takes, where there are only some. */
export function wordsOf(command: Command, option: Option): readonly string[] {
  return option.argChoices ?? readersOf.get(command)?.[option.attributeName()]?.choices ?? []
}

/** Variables of options that are not only `SANDBOX_` and the name of the option; the first one that is set counts. */
const variables: Readonly<Record<string, readonly string[]>> = {
  port: ['SANDBOX_PORT', 'PORT'],
  'allow-host': ['SANDBOX_ALLOW_HOST', 'ALLOW_HOSTS'],
  'allow-origin': ['SANDBOX_ALLOW_ORIGIN', 'ALLOW_ORIGINS'],
  sandbox: ['SANDBOX_ID'],
  'broker-url': ['PACT_BROKER_BASE_URL'],
  'broker-token': ['PACT_BROKER_TOKEN'],
  'broker-username': ['PACT_BROKER_USERNAME'],
  'broker-password': ['PACT_BROKER_PASSWORD'],
}

/** The options that variables can give. */
const variableOptions = new WeakSet<Option>()

/** The variables that can give an option. */
export function variableNames(option: Option): readonly string[] {
  const own = `SANDBOX_${option.name().replaceAll('-', '_').toUpperCase()}`
  return variables[option.name()] ?? [own]
}

/** An option that a variable can give as well. An empty variable counts as absent: files of compose write those. */
export function variableOption(flags: string, description: string): Option {
  const option = new Option(flags, description)
  const names = variableNames(option)
  variableOptions.add(option)
  // Kubernetes gives an address as SANDBOX_PORT to every pod beside a Service with the name sandbox.
  const textOf = (name: string) => process.env[name]?.replace(/^tcp:.*/, '')
  const name = names.find((each) => (textOf(each) ?? '') !== '') ?? names[0] ?? ''
  return textOf(name) === '' ? option : option.env(name)
}

/** Adds options that variables can give as well, by their flags: what each is, and perhaps its value without either. */
export function addVariableOptions(
  command: Command,
  options: Readonly<Record<string, string | readonly [description: string, initially: string]>>,
): Command {
  for (const [flags, texts] of Object.entries(options)) {
    const [description = '', initially] = [texts].flat()
    const option = variableOption(flags, description).default(initially)
    // What is allowed is a list.
    command.addOption(option.name().startsWith('allow-') ? makeRepeatable(option, ',') : option)
  }
  return command
}

/** Says which variables seem to be misspelled ones of a command. Others may belong to other programs. */
export function misspelledVariables(command: Command): string[] {
  const known = command.options.filter((each) => variableOptions.has(each)).flatMap(variableNames)
  const unknown = Object.keys(process.env).filter(
    (name) => name.startsWith('SANDBOX_') && process.env[name] !== '' && !known.includes(name),
  )
  return unknown.flatMap((name) => {
    const meant = known.find((each) => isNear(name, each))
    return meant === undefined ? [] : `${name} is not read; did you mean ${meant}?`
  })
}

/** Of the same letters, or one letter away, or two in a long name. */
function isNear(one: string, other: string): boolean {
  const sorted = (text: string) => [...text].sort().join('')
  const most = other.length >= LONG_NAME ? 2 : 1
  return sorted(one) === sorted(other) || distance(one, other) <= most
}

/** As long as `SANDBOX_FIXTURE`: of shorter names, two letters are another word. */
const LONG_NAME = 15

/** Has an option be given several times, or once with a separator between its values. */
function makeRepeatable(option: Option, separator?: string): Option {
  return option.argParser((text: string, before: readonly string[] = []) => [
    ...before,
    ...(separator === undefined ? [text] : text.split(separator)),
  ])
}

/** An option that can be given several times. */
export function repeatableOption(flags: string, description: string): Option {
  return makeRepeatable(new Option(flags, description))
}

/** Throws `UsageError` for an option that is given, and says nothing without another one, which is not. */
export function refuseWithout(command: Command, names: readonly string[], rule: string): void {
  const name = names.find((each) => /^(cli|env)$/.test(command.getOptionValueSource(each) ?? ''))
  if (name !== undefined) throw new UsageError(`${nameOf(command, name)} ${rule}.`)
}

/** Adds `--lock`, which every command that opens a data folder has. */
export function addLockOption(command: Command): Command {
  const lock = variableOption(
    '--lock <by>',
    'the lock that keeps other processes out of the data folder: kernel or none',
  )
  return addReaders(command.addOption(lock.default('kernel')), { lock: choice('kernel', 'none') })
}

/** What gave an option its value, for messages: the option, or the variable. Those that begin with an option have it by themselves. */
export function nameOf(command: Command, name: string): string {
  const option = command.options.find((each) => [each.long, each.attributeName()].includes(name))
  const isVariable = command.getOptionValueSource(option?.attributeName() ?? '') === 'env'
  return (isVariable ? option?.envVar : option?.long) ?? name
}

/** The options of a command by what gave their values, for rules that do not know the command line. */
export function optionNames(command: Command): OptionNames {
  return { name: (option) => nameOf(command, option), wrong: (message) => new UsageError(message) }
}

/** Reads the texts of the options of a command. Throws `UsageError`. */
export function readOptions(command: Command): void {
  for (const option of command.options) {
    const attribute = option.attributeName()
    const source = command.getOptionValueSource(attribute)
    const name = nameOf(command, attribute)
    // Commander ignores the text of the variable of a switch.
    const isVariable = option.isBoolean() && source === 'env'
    const given: unknown = isVariable ? process.env[name] : command.getOptionValue(attribute)
    const read = isVariable ? readSwitch : readersOf.get(command)?.[attribute]
    if (given === undefined || read === undefined) continue
    const value = Array.isArray(given)
      ? given.map((each) => read(String(each), name))
      : read(String(given), name)
    command.setOptionValueWithSource(attribute, value, source)
  }
}

/** True, false, and what else people write for them, in any case. */
const readSwitch = createReader('true, yes, on or 1, or false, no, off or 0', (text) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  return /^(0|false|no|off)$/i.test(text) ? false : undefined
})

/** Adds to the help of a command what is typed: a long line as a shell takes it in several. */
export function addExamples(command: Command, ...examples: readonly string[]): Command {
  // Without its margin and a backslash.
  const width = Math.min(widthOfOutput(), USUAL_WIDTH) - 4
  const texts = examples.map((example) => {
    const lines = wrapText(`subscription-sandbox ${example}`, width, {
      indent: '  ',
      at: /(?= --)/,
    })
    return `\n  ${lines.join(' \\\n  ')}`
  })
  return command.addHelpText('after', `\nExamples:${texts.join('')}`)
}

/** The option of a control token; its variable is read with it, because an empty one is refused. */
export function controlTokenOption(description: string): Option {
  const option = new Option(
    '--control-token <token>',
    `${description}; a list of processes shows it, but not SANDBOX_CONTROL_TOKEN`,
  )
  variableOptions.add(option)
  return option
}

/**
 * The control token of an option, or of the environment, which no list of processes shows; null if neither has one. Throws
 * `UsageError`, without the value, for what no header can carry, and for an empty one, where a secret is missing.
 */
export function readControlToken(option: string | undefined): string | null {
  const token = option ?? process.env['SANDBOX_CONTROL_TOKEN']
  if (token === undefined || /^[\x21-\x7e]{1,200}$/.test(token)) return token ?? null
  const name = option === undefined ? 'SANDBOX_CONTROL_TOKEN' : '--control-token'
  throw new UsageError(
    `${name} must be 1 to 200 visible ASCII characters without spaces; got another value, which is not shown.`,
  )
}

export function readAddress(text: string, name: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
    // The part before an @ is a secret, even if the rest is not an address.
    const shown = text.replace(/^.*@/s, '...@')
    throw new UsageError(
      `${name} must be an address such as http://127.0.0.1:4010; got "${shown}".`,
    )
  }
  const { username, password } = new URL(text)
  if (username === '' && password === '') return text
  throw new UsageError(`${name} must be without a user and a password; they are not shown.`)
}

/** Reads the address of a server of sandboxes: one without a path. */
export function readServer(text: string, name: string): string {
  const { origin, href } = new URL(readAddress(text, name))
  if (/^\/*$/.test(href.slice(origin.length))) return origin
  throw new UsageError(`${name} must have no path, such as http://127.0.0.1:4010; got "${text}".`)
}
