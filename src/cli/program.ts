/** The program: every command by its name, of which the one that is asked for is loaded. */
import { Command, CommanderError, Help } from 'commander'
import { SandboxError } from '../library/sandbox-error.ts'
import { operationCommands } from '../operations/names.ts'
import { VERSION } from '../version.ts'
import { commands } from './commands.ts'
import { USUAL_WIDTH, widthOfOutput, withStyle, writeWarning } from './terminal/terminal.ts'
import {
  ExitCode,
  findCommand,
  misspelledVariables,
  nameOf,
  readOptions,
  UsageError,
  withNearest,
} from './terminal/usage.ts'

/** However long the options of a command are, what they mean is wrapped beside them. */
const DESCRIPTION_MIN = 26

const FURTHER = `
Exit codes:
  0  done
  1  a check failed, or the sandbox refused the request
  2  the command was used wrongly
  3  the environment does not allow it (a port, a folder, a server)

subscription-sandbox <command> --help says more, with examples.`

/** As commander does it, but if there is too little room beside a term, its description is below it. */
function formatItem(this: Help, ...item: Parameters<Help['formatItem']>): string {
  const [term, width, description] = item
  const room = this.helpWidth ?? USUAL_WIDTH
  // Two spaces each before and after a term, and six before a description below it.
  if (description === '' || room - width - 4 >= DESCRIPTION_MIN) {
    return Help.prototype.formatItem.apply(this, item)
  }
  const text = this.boxWrap(description, Math.max(room - 6, DESCRIPTION_MIN))
  return `  ${term}\n${text.replaceAll(/^/gm, ' '.repeat(6))}`
}

/** Makes the program for what was typed; `all` loads every command. */
export async function programFor(typed: readonly string[], all = false): Promise<Command> {
  const program = new Command('subscription-sandbox')
    .description('A local sandbox of the Subscription, Coupon and Token Refresh service.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .commandsGroup('Help:')
    .addHelpText('after', FURTHER)
    // What goes wrong is said in one place, which knows what it means to who called.
    .configureHelp({ minWidthToWrap: DESCRIPTION_MIN, formatItem })
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined, getOutHelpWidth: widthOfOutput })
    .hook('preAction', (_, command) => {
      // The log of `serve` may be for programs, and it says so itself.
      if (command.name() !== 'serve') misspelledVariables(command).forEach(writeWarning)
      readOptions(command)
    })
  // Where a command is named, no other is made: each takes time.
  const named = all ? [] : commands.filter(({ name }) => name === typed[0] && name !== 'complete')
  for (const { name, summary, heading, load } of named.length > 0 ? named : commands) {
    const command = program.command(name, { hidden: name === 'complete' })
    command.summary(summary).description(sentence(summary)).helpGroup(`${heading}:`)
    // A word may also be what is to be completed, or explained.
    if (all || typed.includes(name)) (await load())(command)
  }
  return program
}

/** What failures mean to who called. By name: their modules are loaded by the commands that need them only. */
const exitCodes: Readonly<Record<string, ExitCode>> = {
  UsageError: ExitCode.usage,
  SandboxError: ExitCode.no,
  StartRefused: ExitCode.usage,
  CannotRun: ExitCode.environment,
  StoreError: ExitCode.environment,
  StoreUnavailable: ExitCode.environment,
  CannotVerify: ExitCode.environment,
}

/** Of more commands that end in a word, such as `list`, none is meant more than another. */
const NEAR_MAX = 3

/** Does what was typed; a failure is written to stderr without secrets, and sets the exit code of the process. */
export async function runTyped(typed: readonly string[]): Promise<void> {
  try {
    await runCommand(typed)
  } catch (failure) {
    const error = failure as Error
    const code = exitCodes[error.name] ?? ('syscall' in error ? ExitCode.environment : null)
    const { maskSecrets } = await import('../masking/looks.ts')
    const message = maskSecrets((code === null ? error.stack : withNearest(error.message)) ?? '')
    const help = error instanceof UsageError ? `${commandIn(typed)} --help` : null
    process.exitCode = code ?? ExitCode.no
    if (isJsonAsked(typed)) {
      process.stderr.write(
        `${JSON.stringify({ error: { ...kindOf(error, code), message, help } })}\n`,
      )
      return
    }
    process.stderr.write(`${withStyle('red', message, process.stderr)}\n`)
    if (help !== null) process.stderr.write(`See: ${help}\n`)
  }
}

/** Whether what is for programs is asked for: then a failure is a line of JSON, too. */
function isJsonAsked(typed: readonly string[]): boolean {
  const end = typed.indexOf('--')
  const words = typed.slice(0, end === -1 ? typed.length : end).join('\0')
  return /(^|\0)(--json|(--output[=\0]|-o\0?)(nd)?json)(\0|$)/.test(words)
}

/** What a program tells failures apart by: the code, the status and the fields of a refusal, or whose fault it is. */
function kindOf(error: Error, exit: ExitCode | null) {
  const refused = error instanceof SandboxError ? error : error.cause
  if (refused instanceof SandboxError) {
    const { code, status, fields } = refused
    return { code, status, fields }
  }
  const own = exit === ExitCode.usage ? 'usage' : 'environment'
  return { code: exit === null ? 'internal' : own, status: null, fields: [] }
}

/** Throws `UsageError` with one line for what cannot be meant. */
async function runCommand(typed: readonly string[]): Promise<void> {
  if (typed.length === 0) throw new UsageError('A command is missing.')
  const program = await programFor(typed)
  try {
    const words = expandGroup(checkHelp(program, typed))
    await program.parseAsync(withSwitches(program, words), { from: 'user' })
  } catch (error) {
    const command = findCommand(program, expandGroup(typed))
    if (!(error instanceof CommanderError)) {
      const failure = error as Error
      failure.message = failure.message.replace(/^--[\w-]+/, (long) => nameOf(command, long))
      throw failure
    }
    if (error.exitCode === 0) return
    const meant = asOption(error, command, typed) ?? asArgument(error, command, typed)
    throw new UsageError(meant ?? oneLine(error, typed))
  }
}

/** `help serv` and `serv --help` are refused as `serv` is: commander itself prints the help of what is above it. */
function checkHelp(program: Command, typed: readonly string[]): readonly string[] {
  const [first, ...rest] = typed
  const isAsked = typed.includes('--help') || typed.includes('-h')
  const options = typed.findIndex((word) => word.startsWith('-'))
  const words = first === 'help' || !isAsked ? rest : typed.slice(0, options)
  const unknown = words.findIndex((word, at) => {
    const { commands: known } = findCommand(program, words.slice(0, at))
    return known.length > 0 && known.every((each) => each.name() !== word)
  })
  if ((first === 'help' || isAsked) && unknown !== -1) return words
  // commander's own `help` knows commands of one word.
  return first === 'help' && words.length > 1 ? [...words, '--help'] : typed
}

/** What follows a switch is its value only where it can be one. */
function withSwitches(program: Command, typed: readonly string[]): readonly string[] {
  const { options } = findCommand(program, typed)
  const end = typed.indexOf('--')
  return typed.flatMap((word, at) => {
    if (end !== -1 && at >= end) return word
    const isSwitch = (each?: string) =>
      options.some(({ long, optional }) => optional && long === each)
    const isValue = (each?: string) => each === 'true' || each === 'false'
    if (isSwitch(word)) return isValue(typed[at + 1]) ? `${word}=${typed[at + 1]}` : `${word}=true`
    return isValue(word) && isSwitch(typed[at - 1]) ? [] : word
  })
}

/** `coupons` alone lists them. */
function expandGroup(typed: readonly string[]): readonly string[] {
  const [group, ...rest] = typed
  const shown = operationCommands.find(
    ({ words }) => words === `${group} list` || words === `${group} show`,
  )
  const isAlone = /^(?!-h$|--help$)-|^$/.test(rest[0] ?? '')
  return shown === undefined || !isAlone ? typed : [...shown.words.split(' '), ...rest]
}

/** The command that was meant, as far as what was typed leads to one: which has the help. */
function commandIn(typed: readonly string[]): string {
  const words = expandGroup(typed).slice(0, 2).join(' ')
  const row = operationCommands.find((each) => each.words === words)
  const entry = commands.find(({ name }) => name === typed[0])
  return ['subscription-sandbox', row?.words ?? entry?.name ?? []].flat().join(' ')
}

/** What to type in place of an unknown option: an argument, as of `clock advance --by P1M`, or what it is a part of. */
function asArgument({ message }: CommanderError, command: Command, typed: readonly string[]) {
  const [, option] = /^error: unknown option '--([^'=]+)/.exec(message) ?? []
  if (option === undefined) return null
  const unknown = `Unknown option '--${option}'`
  if (typed[0]?.startsWith('-') && !/Did you mean/.test(message))
    return `${unknown}: options come after the command.`
  const { registeredArguments: all, options } = command
  const found = all.find((each) => [option, option.replace(/^.*-id$/, 'id')].includes(each.name()))
  const names = all.map((each) => `<${each.name()}>`)
  if (found) return `${unknown}: it is an argument. Write ${commandIn(typed)} ${names.join(' ')}.`
  const isNear = (long: string) =>
    long.includes(`-${option}`) || `-${option}`.endsWith(long.slice(1))
  const near = options.flatMap(({ long }) => long ?? []).filter(isNear)
  const isFew = near.length > 0 && near.length <= NEAR_MAX
  return isFew ? `${unknown} (Did you mean ${near.join(' or ')}?)` : null
}

/** What is wrong with an option of the command that has the name of an argument, no value, or a value that it lacks. */
function asOption({ message }: CommanderError, command: Command, typed: readonly string[]) {
  const optionOf = (long?: string) => command.options.find((each) => each.long === long)
  const [, missing] = /missing required argument '(\w+)'/.exec(message) ?? []
  const [, name, value] = /unknown option '(--[^'=]+)=(.*)'/s.exec(message) ?? []
  const other = optionOf(`--${missing}`)
  if (other !== undefined && typed.some((word) => word.split('=')[0] === other.long)) {
    return `Missing required argument '${missing}': ${other.long} is ${other.description}. Write ${commandIn(typed)} <${missing}>.`
  }
  if (optionOf(name) !== undefined) return `${name} takes no value; got "${value}".`
  const excess = command.args.slice(command.registeredArguments.length)
  const at = typed.findIndex((word, index) => {
    return optionOf(word)?.optional === true && excess.includes(typed[index + 1] ?? '')
  })
  return at === -1 ? null : `${typed[at]} must be true or false; got "${typed[at + 1]}".`
}

function oneLine({ code, message }: CommanderError, typed: readonly string[]): string {
  if (code === 'commander.help') return 'A command is missing.'
  // `clock advance` for `advance`: the commands of groups that go by one word alone.
  const all = operationCommands.map(({ words }) => words)
  const within = all.filter((words) => words.split(' ')[1] === typed[0])
  const isNear = within.length > 0 && within.length <= NEAR_MAX
  if (code === 'commander.unknownCommand' && isNear) {
    return `Unknown command '${typed[0]}' (Did you mean ${within.join(' or ')}?)`
  }
  // Of these two verbs, each group has at most one.
  const [, verb] = /^error: unknown command '(update|change)'/.exec(message) ?? []
  const meant = verb === 'update' ? 'change' : 'update'
  if (verb && all.includes(`${typed[0]} ${meant}`)) {
    return `Unknown command '${verb}' (Did you mean ${meant}?)`
  }
  // What is no option may have a secret as its value.
  const shown = message.replace(/^(error: unknown option '--[^'=]+)=.*'/s, "$1'")
  const chosen = /option '(--\S+).*' argument '(.*)' is invalid. Allowed choices are (.*)\.$/s
  const said = shown.replace(chosen, '$1 must be one of: $3; got "$2"')
  const text = said.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
  return sentence(text)
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.)]$/.test(text) ? '' : '.'}`
}
