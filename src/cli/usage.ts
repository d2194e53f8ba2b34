/** How the command line is used: what its options are, what they read, and what its exit codes mean. */
import { type Command, Option } from 'commander'
import { USUAL_WIDTH, widthOfOutput } from './terminal.ts'

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

/**
 * An option that an environment variable can give as well: `SANDBOX_` and the name of the option, or else `other`. An
 * empty one is as if it were not there: files of compose write those.
 */
export function variableOption(flags: string, description: string, other?: string): Option {
  const option = new Option(flags, description)
  const own = `SANDBOX_${option.name().replaceAll('-', '_').toUpperCase()}`
  const set = [own, other].find((name) => name !== undefined && (process.env[name] ?? '') !== '')
  return process.env[set ?? own] === '' ? option : option.env(set ?? own)
}

/** Has an option be given several times, or once with commas between its values. */
export function listed(option: Option): Option {
  return option.argParser((text: string, before: readonly string[] = []) => [
    ...before,
    ...text.split(','),
  ])
}

/** Has an option be given several times. */
export function repeated(option: Option): Option {
  return option.argParser((text: string, before: readonly string[] = []) => [...before, text])
}

/** What gave an option its value, for messages: the option, or the variable. */
export function nameOf(command: Command, attribute: string): string {
  const option = command.options.find((each) => each.attributeName() === attribute)
  const isVariable = command.getOptionValueSource(attribute) === 'env'
  return (isVariable ? option?.envVar : option?.long) ?? attribute
}

/** Reads the variables of options that have no value: true, false, and what else people write for them. */
export function readSwitches(command: Command): void {
  for (const option of command.options) {
    const attribute = option.attributeName()
    if (!option.isBoolean() || command.getOptionValueSource(attribute) !== 'env') continue
    const text = process.env[option.envVar ?? ''] ?? ''
    const isOn = /^(1|true|yes|on)$/i.test(text)
    if (!isOn && !/^(0|false|no|off)$/i.test(text)) {
      throw new UsageError(`${option.envVar} must be true or false; got "${text}".`)
    }
    command.setOptionValueWithSource(attribute, isOn, 'env')
  }
}

/** Adds to the help of a command what is typed, line by line. */
export function examplesText(...lines: readonly string[]): string {
  return `\nExamples:${lines.map((line) => `\n  ${inLines(`subscription-sandbox ${line}`)}`).join('')}`
}

/** What an example leaves free: its margin and a backslash. */
const EXAMPLE_MARGIN = 4

/** A long line as a shell takes it in several. */
function inLines(line: string): string {
  const [first = '', ...options] = line.split(/ (?=--)/)
  const lines = [first]
  const width = Math.min(widthOfOutput(), USUAL_WIDTH) - EXAMPLE_MARGIN
  for (const option of options) {
    const last = lines.at(-1) ?? ''
    if (last.length + option.length < width) lines[lines.length - 1] = `${last} ${option}`
    else lines.push(`  ${option}`)
  }
  return lines.join(' \\\n  ')
}

/** Reads the value of an option that has few. Throws `UsageError` for others. */
export function readChoice<Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((each) => each === text)
  if (choice !== undefined) return choice
  throw new UsageError(`${option} must be one of: ${choices.join(', ')}; got "${text}".`)
}

/** The option of a control token; its variable is read with it, because an empty one is refused. */
export function controlTokenOption(description: string): Option {
  return new Option(
    '--control-token <token>',
    `${description}; SANDBOX_CONTROL_TOKEN does the same, and ps does not show it`,
  )
}

/**
 * The control token of an option, or of the environment, which no list of processes shows; null where neither has one.
 * Throws `UsageError`, without the value, for what no header can carry, and for an empty one: that is a secret that is
 * missing where it was meant to be.
 */
export function readControlToken(option: string | undefined): string | null {
  const token = option ?? process.env['SANDBOX_CONTROL_TOKEN']
  if (token === undefined || /^[\x21-\x7e]{1,200}$/.test(token)) return token ?? null
  const name = option === undefined ? 'SANDBOX_CONTROL_TOKEN' : '--control-token'
  throw new UsageError(
    `${name} must be 1 to 200 visible ASCII characters without spaces; got another value, which is not shown.`,
  )
}

/** The values of `--lock`, which every command that writes a data folder has. */
export const lockModes = ['kernel', 'none'] as const
