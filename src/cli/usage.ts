/** How the command line is used: reading options, and what its exit codes mean. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** 0 done, 1 the answer is no, 2 used wrongly, 3 the surroundings do not allow it. */
export const ExitCode = { ok: 0, no: 1, usage: 2, environment: 3 } as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

/** The command line was used wrongly; the message says what is right. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

type Accepted = NonNullable<ParseArgsConfig['options']>

/** What a command line said of each option. */
export type OptionValues<Options extends Accepted> = ReturnType<
  typeof parseArgs<{ options: Options; strict: true; allowPositionals: false }>
>['values']

/** Reads the options of one command. Throws `UsageError` for others. */
export function readOptions<const Options extends Accepted>(
  args: string[],
  options: Options,
): OptionValues<Options> {
  return parsed(() => parseArgs({ args, options, strict: true, allowPositionals: false })).values
}

/** Reads the options of a command that also takes names without an option. Throws `UsageError` for others. */
export function readArguments<const Options extends Accepted>(args: string[], options: Options) {
  return parsed(() => parseArgs({ args, options, strict: true, allowPositionals: true }))
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

function parsed<Read>(read: () => Read): Read {
  try {
    return read()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
