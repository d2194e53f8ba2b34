/** `exec`: runs a command with a new sandbox, and ends with the exit code or signal of the command. */
import { type ChildProcess, spawn } from 'node:child_process'
import { type Started, start } from '../server/start.ts'
import { addWorldOptions, type WorldValues, worldOf } from './serve-options.ts'
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
      await runWith(await start(await worldOf(values)), program, args)
    })
}

/** Signals that the command receives too. */
const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What npm and a terminal send both is one signal; a later one is of somebody who waited in vain. */
const ECHO_MS = 500

/** Runs a program; signals go to it, a second one kills it, and this process ends with its exit code or its signal. */
async function runWith(
  { registry, url, close }: Started,
  program: string,
  args: readonly string[],
): Promise<void> {
  const { id, apiKey } = registry.default
  const sandbox = { SANDBOX_URL: url, SANDBOX_ID: id, SANDBOX_API_KEY: apiKey }
  const env = { ...process.env, ...sandbox }
  const child = spawn(program, [...args], { env, stdio: 'inherit' })
  let firstAt: number | null = null
  const pass = (signal: NodeJS.Signals) => {
    const now = performance.now()
    firstAt ??= now
    if (now - firstAt > ECHO_MS) {
      child.kill('SIGKILL')
      return
    }
    // A terminal has sent it to both already; many programs take the second one for impatience.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of passed) process.on(signal, pass)
  const { code, signal } = await ended(child, program).finally(close)
  for (const each of passed) process.off(each, pass)
  if (signal === null) {
    process.exitCode = code ?? ExitCode.no
    return
  }
  await endBy(signal)
}

function ended(child: ChildProcess, program: string) {
  return new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', ({ message }) => {
      reject(new CannotRun(`${program} cannot be run: ${message}.`))
    })
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}
