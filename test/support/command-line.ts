/**
 * The command line in this process: what a person types, and sees. Owns standard output, the environment, the working
 * folder and the exit code while a command runs, so that commands run one after another. `process.ts` runs them as
 * processes, for signals, terminals and streams.
 */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { WriteStream } from 'node:tty'
import { runTyped } from '../../src/cli/program.ts'
import { serialQueue } from '../../src/sandbox/serial-queue.ts'
import { type StartOptions, start } from '../../src/server/start.ts'

/** What came of a command. */
export interface Typed {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A command line that was run: what it printed, and how it ended. */
export interface CommandRun {
  readonly output: () => string
  readonly errors: () => string
  /** The exit code, once it has ended. */
  readonly ended: Promise<number>
}

/** Runs a command; `environment` is what it finds there beside ours, `folder` where it is. */
export function run(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  folder = process.cwd(),
): CommandRun {
  const printed = { out: '', err: '' }
  const ended = inTurn(async () => {
    const restore = [redirected(printed), withEnvironment(environment), workingIn(folder)]
    const { exitCode } = process
    process.exitCode = 0
    try {
      await runTyped(args)
      return Number(process.exitCode)
    } finally {
      process.exitCode = exitCode
      for (const each of restore) each()
    }
  })
  return { ended, output: () => printed.out, errors: () => printed.err }
}

const inTurn = serialQueue()

/** As long as the longest timer: it only keeps this process from ending. */
const ALIVE_MS = 2 ** 31 - 1

/** What a command listens to until its process ends. */
const events = ['exit', 'SIGINT', 'SIGTERM'] as const

/** Has what is written go into `printed`, and what is heard of this process end with the command. */
function redirected(printed: { out: string; err: string }): () => void {
  const { stdout, stderr } = process
  const { write: writeOut } = stdout
  const { write: writeErr } = stderr
  const before = new Map(events.map((event) => [event, process.rawListeners(event)]))
  // A command does not wait for the process that started it, and vitest loads the modules that it imports from there.
  const alive = setInterval(() => undefined, ALIVE_MS)
  const listeners = (event: (typeof events)[number]) =>
    process
      .rawListeners(event)
      .filter((each) => !before.get(event)?.includes(each)) as (() => void)[]
  stdout.write = (text: unknown) => {
    printed.out += text
    // Nobody else would stop a server that a test does not expect.
    if (printed.out.includes('is ready at')) for (const stop of listeners('SIGTERM')) stop()
    return true
  }
  stderr.write = (text: unknown) => {
    printed.err += text
    return true
  }
  return () => {
    stdout.write = writeOut
    stderr.write = writeErr
    for (const event of events) for (const each of listeners(event)) process.off(event, each)
    process.channel?.ref()
    clearInterval(alive)
  }
}

/** Those who run the tests may have colours of their own, and a CI shows none that Node knows of. */
const noColours = {
  ...{ NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined },
  TERM: 'xterm-256color',
}

function withEnvironment(environment: NodeJS.ProcessEnv): () => void {
  const before = process.env
  const entries = Object.entries({ ...before, ...noColours, ...environment })
  process.env = Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  return () => {
    process.env = before
  }
}

function workingIn(folder: string): () => void {
  const before = process.cwd()
  if (folder !== before) process.chdir(folder)
  return () => process.chdir(before)
}

/** Has commands take both standard streams for a terminal of so many columns, which shows colours. */
export async function atTerminal<Result>(
  columns: number,
  act: () => Promise<Result>,
): Promise<Result> {
  const streams = [process.stdout, process.stderr]
  const terminal = { isTTY: true, columns, getColorDepth: WriteStream.prototype.getColorDepth }
  const before = streams.map(({ isTTY, columns, getColorDepth }) => ({
    ...{ isTTY, columns, getColorDepth },
  }))
  for (const stream of streams) Object.assign(stream, terminal)
  try {
    return await act()
  } finally {
    for (const [at, stream] of streams.entries()) Object.assign(stream, before[at])
  }
}

/** How a run ended. */
export async function outcome(running: CommandRun): Promise<Typed> {
  const code = await running.ended
  return { code, out: running.output(), err: running.errors() }
}

/** A server in this process. */
export interface ServedHere {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Serves a sandbox on a free port, in memory unless options say otherwise. */
export async function serveHere(options: Partial<StartOptions> = {}): Promise<ServedHere> {
  const { url, close } = await start({ log: () => undefined, ...options })
  return { url, stop: close }
}

/** A server in memory, and commands that talk to it. */
export async function commandLineOn(): Promise<{
  readonly server: ServedHere
  readonly type: (line: string, environment?: NodeJS.ProcessEnv, folder?: string) => Promise<Typed>
}> {
  const server = await serveHere()
  const type = (line: string, environment: NodeJS.ProcessEnv = {}, folder?: string) =>
    typed(line, { SANDBOX_URL: server.url, ...environment }, folder)
  return { server, type }
}

/** Types a line; as in a shell, `> name` writes a file, and "$NAME" is what the environment has. */
async function typed(line: string, environment: NodeJS.ProcessEnv, folder = '.'): Promise<Typed> {
  const [command = '', file] = line.split(' > ')
  const named = command.replaceAll(/\$([A-Z_]+)/g, (_, name: string) => environment[name] ?? '')
  const { code, out, err } = await outcome(run(wordsOf(named), environment, resolve(folder)))
  if (file === undefined) return { code, out, err }
  await writeFile(resolve(folder, file), out)
  return { code, out: '', err }
}

/** Words as a shell splits them: by spaces, but not within quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, one, other, bare]) => one ?? other ?? bare ?? '',
  )
}
