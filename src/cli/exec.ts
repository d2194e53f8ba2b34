/** `exec`: runs a command with a sandbox of its own, and ends as the command does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Started, start } from '../server/start.ts'
import { addWorldOptions, readWorldOptions, type WorldValues } from './serve-options.ts'
import { CannotRun, type Configure, ExitCode, examplesText } from './usage.ts'

/** How long a signal to this process may take to end it. */
const GRACE_MS = 1000

/** Adds what `exec` takes. */
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
      const sandbox = await start({
        ...readWorldOptions(command, values),
        host: '127.0.0.1',
        allowedHosts: [],
        port: 0,
        folder: null,
        durability: 'commit',
        lock: 'kernel',
        log: (line) => process.stderr.write(`${line}\n`),
      })
      await runWith(sandbox, program, args)
    })
}

/** Signals that are passed on. */
const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a program; signals go to it, and this process ends with its exit code or its signal. */
async function runWith(
  { registry, url, close }: Started,
  program: string,
  args: readonly string[],
): Promise<void> {
  const { id, apiKey } = registry.default
  const sandbox = { SANDBOX_URL: url, SANDBOX_ID: id, SANDBOX_API_KEY: apiKey }
  const env = { ...process.env, ...sandbox }
  const child = spawn(program, [...args], { env, stdio: 'inherit' })
  const pass = (signal: NodeJS.Signals) => {
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
  process.kill(process.pid, signal)
  // A signal alone does not keep a process waiting for it.
  await pause(GRACE_MS)
}

/** Resolves with how a program ended. Rejects where it cannot be run. */
function ended(child: ChildProcess, program: string) {
  return new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', ({ message }) => {
      reject(new CannotRun(`${program} cannot be run: ${message}.`))
    })
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}
