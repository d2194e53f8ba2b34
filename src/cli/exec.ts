/** `exec`: runs a command with a new sandbox, and ends with the exit code or signal of the command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Started, start } from '../server/start.ts'
import { addWorldOptions, type WorldValues, worldOptionsOf } from './serve-options.ts'
import { endBy } from './stoppable.ts'
import { CannotRun, type Configure, ExitCode, examplesText } from './usage.ts'

export const execCommand: Configure = (command) => {
  addWorldOptions(command)
    .argument('<command...>', 'what to run, best after --')
    // What follows the command is its own.
    .passThroughOptions()
    .addHelpText(
      'after',
      `${examplesText('exec -- npm test', 'exec --fixture dunning -- pytest -q')}

The command finds SANDBOX_URL, SANDBOX_ID and SANDBOX_API_KEY set.`,
    )
    .action(async ([program = '', ...args]: string[], values: WorldValues) => {
      const started = await start(await worldOptionsOf(values))
      await endAs(await runWith(started, program, args))
    })
}

/** Signals that the command receives too. */
const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What npm and a terminal send both is one signal; a later one is of somebody who waited in vain. */
const ECHO_MS = 500

/** Ends this process as a program ended: with its exit code or its signal. */
export async function endAs({ exitCode, signalCode }: ChildProcess): Promise<void> {
  if (signalCode !== null) await endBy(signalCode)
  else process.exitCode = exitCode ?? ExitCode.no
}

/** Runs a program with a sandbox until both have ended. Signals go to the program, and a second one kills it. */
export async function runWith(
  { registry, url, close }: Started,
  program: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const { id, apiKey } = registry.default
  const env = { ...process.env, SANDBOX_URL: url, SANDBOX_ID: id, SANDBOX_API_KEY: apiKey }
  const child = spawn(program, [...args], { env, stdio: 'inherit' })
  let firstAt: number | null = null
  const pass = (signal: NodeJS.Signals) => {
    const now = performance.now()
    firstAt ??= now
    if (now - firstAt > ECHO_MS) child.kill('SIGKILL')
    // A terminal has sent it to both already; many programs take the second one for impatience.
    else if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of passed) process.on(signal, pass)
  const failed = ({ message }: Error) => {
    throw new CannotRun(`${program} cannot be run: ${message}.`)
  }
  await once(child, 'close').catch(failed).finally(close)
  for (const each of passed) process.off(each, pass)
  return child
}
