/** `shrink`: cuts a recording to the fewest calls after which a condition still holds, and writes those as a script. */
import { type Sandbox, SandboxError, type ShrinkTrial, shrink, startSandbox } from '../../index.ts'
import { countText } from '../../wire/common/text.ts'
import { EventType } from '../../world/event.ts'
import { readNamed, startProgram } from '../terminal/files.ts'
import { environmentOf } from '../terminal/test-run.ts'
import {
  addExamples,
  addReaders,
  type Configure,
  choice,
  UsageError,
  variableOption,
} from '../terminal/usage.ts'

type Format = Parameters<Sandbox['recording']>[0] & string

interface ShrinkValues {
  readonly event?: EventType
  readonly fixture?: string
  readonly format: Format
}

export const shrinkCommand: Configure = (command) => {
  addExamples(
    command,
    'shrink .sandbox/my-test-1a2b3c4d/recording.json',
    'shrink recording.json --event invoice.uncollectible',
    'shrink recording.json --format vitest -- ./still-wrong.sh',
  )
  addReaders(command, {
    event: choice(...EventType.options),
    format: choice('json', 'curl', 'vitest', 'pytest'),
  })
    .argument('<recording>', 'what recording --format json wrote, or a failed test left')
    .argument('[command...]', 'ends with 0 while what matters still happens, best after --')
    .option('--event <type>', 'what matters is an event of this type, as events --help lists them')
    .option('--format <format>', 'json, curl, vitest or pytest', 'curl')
    .addOption(
      variableOption('--fixture <fixture>', 'the fixture of the recording, if it is a file'),
    )
    .addHelpText(
      'after',
      `
Without --event and a command, what matters is that the last call is refused as
it was. The command finds SANDBOX_URL, SANDBOX_ID and SANDBOX_API_KEY set.`,
    )
    .action(shrinkFile)
}

async function shrinkFile(file: string, words: string[], values: ShrinkValues): Promise<void> {
  const { event, fixture, format } = values
  if (event !== undefined && words.length > 0) {
    throw new UsageError('shrink takes --event or a command, not both.')
  }
  const recording = await readNamed('RECORDING', file)
  await using server = await startSandbox(fixture === undefined ? {} : { fixture }).catch(
    (error: Error) => {
      const message = error.message.replace(/^fixture/, '--$&')
      throw error instanceof SandboxError ? new UsageError(message) : error
    },
  )
  const holds = conditionOf(event, words)
  const shrunk = await shrink(server, recording, {
    ...(holds && { holds }),
    onProgress: (left, trials) =>
      process.stderr.write(
        `  ${countText(left, 'call')} left after ${countText(trials, 'trial')}\n`,
      ),
  }).catch((error: Error) => {
    throw error instanceof SandboxError ? new UsageError(wordsOf(file, error, values.event)) : error
  })
  const { calls, trials, sandbox } = shrunk
  process.stdout.write(await sandbox.recording(format))
  const { left, of } = calls
  process.stderr.write(
    `${left} of ${countText(of, 'call')} ${left === 1 ? 'is' : 'are'} needed (${countText(trials, 'trial')}).\n`,
  )
}

/** What is wrong with a recording, in the words of the command line. */
function wordsOf(
  file: string,
  { message, fields: [field] }: SandboxError,
  event: string | undefined,
): string {
  const unmet =
    event === undefined
      ? 'the command must end with 0 after all calls of'
      : `no event ${event} happens in`
  if (message.startsWith('holds must be true')) return `${unmet} ${file}.`
  const words = message.replace(
    /^recording (must be what )recording\('json'\) returns/,
    '$1recording --format json wrote',
  )
  if (/^fixture "/.test(words))
    return `${file}: ${words.replace(/\.$/, '')}, or --fixture with its file.`
  if (field?.field !== 'holds') return `${file}: ${words}`
  return `the last call of ${file} is not refused; say what matters by --event, or by a command after --.`
}

/** What must still hold; undefined for the default of `shrink`. */
function conditionOf(event: EventType | undefined, [program, ...args]: readonly string[]) {
  if (event !== undefined) {
    return async ({ sandbox }: ShrinkTrial) => {
      return (await sandbox.events.list({ type: event })).length > 0
    }
  }
  if (program === undefined) return undefined
  return async ({ sandbox }: ShrinkTrial) => {
    const env = environmentOf(sandbox.url, sandbox)
    const [code] = await startProgram(program, args, { env, stdio: 'ignore' }).closed
    return code === 0
  }
}
