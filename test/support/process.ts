/** Real processes: the built sandbox on a real port, started and ended by the test that needs it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { PATIENCE_MS } from '../../vitest.config.ts'

/** A command line that was run: what it printed, and how it ended. */
export interface Run {
  readonly child: ChildProcess
  readonly output: () => string
  /** What it printed on stderr, without the lines on how long calls held the event loop. */
  readonly errors: () => string
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>
}

export const commandLine = [process.execPath, 'dist/cli/main.js'] as const

/** Runs the built command line; `environment` is what it finds there beside ours. */
export function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Run {
  return runProgram([...commandLine, ...args], environment)
}

/** Runs the built command line where nothing but loopback can be reached. */
export function runAlone(args: readonly string[]): Run {
  const alone = 'ip link set lo up && exec "$@"'
  return runProgram([
    'unshare',
    ...asRoot,
    '--net',
    'sh',
    '-c',
    alone,
    'sh',
    ...commandLine,
    ...args,
  ])
}

/** Whether this machine lets a process have a network that leads nowhere. */
export function hasNetworksOfItsOwn(): boolean {
  return spawnSync('unshare', [...asRoot, '--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0
}

/** Runs any program with this process's environment. */
export function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  environment: NodeJS.ProcessEnv = {},
  cwd = process.cwd(),
): Run {
  const env = { ...process.env, ...environment }
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env, cwd })
  const printed = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    printed.out += chunk
  })
  child.stderr.on('data', (chunk) => {
    printed.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, output: () => printed.out, errors: () => withoutHolds(printed.err), ended }
}

/** Without the lines on how long calls held the event loop: a busy machine adds some. */
function withoutHolds(text: string): string {
  return text.replace(/^.*The event loop was held for .*\n/gm, '')
}

/** A sandbox that is ready: where, and how to stop it. */
export interface Served extends Run {
  readonly url: string
  /** Asks it to stop as Docker does; answers the exit code. */
  readonly stop: () => Promise<number | null>
}

/** Serves the sandbox on a free port, and waits until it is ready. */
export function serve(...args: readonly string[]): Promise<Served> {
  return served(run(['serve', '--port', '0', ...args]))
}

/** Runs `serve`, which must end by itself; answers how. Throws, and ends it, when it gets ready. */
export async function failToServe(...args: readonly string[]) {
  return failed(run(['serve', '--port', '0', ...args]))
}

/** Waits until a run of `serve` has ended by itself; answers how. Throws, and ends it, when it gets ready. */
export async function failed(running: Run) {
  const isReady = await readyAt(running).then(
    () => true,
    () => false,
  )
  if (isReady) {
    running.child.kill('SIGKILL')
    throw new Error(`It got ready: ${running.output()}`)
  }
  return { code: await running.ended, errors: running.errors() }
}

/** Serves the sandbox from src, as `npm run dev` does. */
export function serveSource(...args: readonly string[]): Promise<Served> {
  const program = [process.execPath, '--import', 'tsx', 'src/cli/main.ts'] as const
  return served(runProgram([...program, 'serve', '--port', '0', ...args]))
}

/** Serves the sandbox on a disk of so many KiB that nobody else sees, mounted on a folder. */
export function serveOnDisk(
  folder: string,
  sizeKiB: number,
  ...args: readonly string[]
): Promise<Served> {
  const mount = `mount -t tmpfs -o size=${sizeKiB}k tmpfs "$1" && shift && exec "$@"`
  const inside = ['sh', '-c', mount, 'sh', folder, ...commandLine, 'serve', '--port', '0']
  return served(runProgram(['unshare', ...asRoot, '--mount', ...inside, '--data', folder, ...args]))
}

/** Serves the sandbox where another process sees its own disks; it must not get ready. */
export async function failToServeBeside(other: Run, folder: string) {
  const beside = startBeside(other, [...commandLine, 'serve', '--port', '0', '--data', folder])
  return { code: await beside.ended, errors: beside.errors() }
}

/** Runs a command where a process sees its own disks. */
export async function runBeside(other: Run, script: string): Promise<void> {
  const beside = startBeside(other, ['sh', '-c', script])
  const code = await beside.ended
  if (code !== 0) throw new Error(`${script} ended with ${code}: ${beside.errors()}`)
}

/** Whether this machine lets a process have disks that nobody else sees; Linux does, most containers do not. */
export function hasDisksOfItsOwn(): boolean {
  return spawnSync('unshare', [...asRoot, '--mount', 'true']).status === 0
}

function startBeside({ child }: Run, command: readonly string[]): Run {
  const target = ['--target', String(child.pid), '--mount', ...besideRoot]
  return runProgram(['nsenter', ...target, `--wd=${process.cwd()}`, ...command])
}

/** Without the rights to mount, a process takes them within a namespace of its own. */
const isRoot = process.getuid?.() === 0
export const asRoot = isRoot ? [] : ['--map-root-user']
const besideRoot = isRoot ? [] : ['--user', '--preserve-credentials']

/** Waits until a run of `serve` is ready. Throws when it ends instead. */
export async function served(running: Run, patienceMs = PATIENCE_MS): Promise<Served> {
  const url = await readyAt(running, patienceMs)
  const stop = async () => {
    running.child.kill('SIGTERM')
    return running.ended
  }
  return { ...running, url, stop }
}

async function readyAt(
  { child, output, errors, ended }: Run,
  patienceMs = PATIENCE_MS,
): Promise<string> {
  const giveUpAt = Date.now() + patienceMs
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (!isOver && Date.now() < giveUpAt) {
    const url = /is ready at (\S+)/.exec(output())?.[1]
    if (url !== undefined) return url
    await Promise.race([once(child.stdout ?? child, 'data'), ended])
  }
  child.kill('SIGKILL')
  throw new Error(`It did not get ready: ${output()}${errors()}`)
}
