/** `exec`: runs a command with a new sandbox, and ends with the exit code or signal of the command. */
import type { ChildProcess } from 'node:child_process'
import type { Command } from 'commander'
import { type Started, start } from '../../server/start.ts'
import { addMatrixOptions, type MatrixValues, requireMatrix } from '../matrix/matrix-options.ts'
import { startProgram } from '../terminal/files.ts'
import { endBySignal } from '../terminal/stoppable.ts'
import { environmentOf } from '../terminal/test-run.ts'
import { addExamples, type Configure, ExitCode, UsageError } from '../terminal/usage.ts'
import {
  addCoverageOptions,
  type CoverageValues,
  reportCoverage,
  requireCoverage,
} from './coverage-options.ts'
import { addWorldOptions, type WorldValues, worldOptionsOf } from './serve-options.ts'

type ExecValues = WorldValues & MatrixValues & CoverageValues

export const execCommand: Configure = (command) => {
  addExamples(
    command,
    'exec -- npm test',
    'exec --fixture dunning -- pytest -q',
    'exec --coverage --min transitions=50 -- npm test',
    'exec --matrix -- npm test',
  )
  addCoverageOptions(addMatrixOptions(addWorldOptions(command)))
    .argument('<command...>', 'what to run, best after --')
    // What follows the command is its own.
    .passThroughOptions()
    .addHelpText('after', '\nThe command finds SANDBOX_URL, SANDBOX_ID and SANDBOX_API_KEY set.')
    .action(exec)
}

async function exec(words: string[], values: ExecValues, command: Command): Promise<void> {
  const [program = '', ...args] = words
  const world = await worldOptionsOf(values)
  requireMatrix(values, command)
  requireCoverage(values, command)
  if (values.matrix !== true) {
    const started = await start(world)
    const child = await runWith(started, program, args)
    const isMet = values.coverage !== true || (await reportCoverage(started, values))
    await endLike(child)
    if (!isMet && process.exitCode === 0) process.exitCode = ExitCode.no
    return
  }
  if (values.deviation !== undefined) {
    throw new UsageError('--deviation is one cell of the matrix; take --only, or no --matrix.')
  }
  const { runMatrix } = await import('../matrix/matrix.ts')
  await runMatrix({ program, args, world }, values, command)
}

/** Signals that the command receives too. */
const passed = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** What npm and a terminal send both is one signal; a later one is of somebody who waited in vain. */
const ECHO_MS = 500

/** Ends this process as a program ended: with its exit code or its signal. */
export async function endLike({ exitCode, signalCode }: ChildProcess): Promise<void> {
  if (signalCode !== null) await endBySignal(signalCode)
  else process.exitCode = exitCode ?? ExitCode.no
}

/** Runs a program with a sandbox until both have ended. Signals go to the program, and a second one kills it. */
export async function runWith(
  started: Started,
  program: string,
  args: readonly string[],
): Promise<ChildProcess> {
  const env = environmentOf(started.url, started.registry.default)
  let child: ChildProcess | undefined
  let firstAt: number | null = null
  const pass = (signal: NodeJS.Signals) => {
    const now = performance.now()
    firstAt ??= now
    if (now - firstAt > ECHO_MS) child?.kill('SIGKILL')
    // A terminal has sent it to both already; many programs take the second one for impatience.
    else if (signal !== 'SIGINT' || !process.stdin.isTTY) child?.kill(signal)
  }
  for (const signal of passed) process.on(signal, pass)
  try {
    const running = startProgram(program, args, { env, stdio: 'inherit' })
    child = running.child
    await running.closed
    return child
  } finally {
    await started.close()
    for (const each of passed) process.off(each, pass)
  }
}
