/** Child processes: the built sandbox, and the bare Hono server that it is compared with. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** How long a process may take to be ready. */
const PATIENCE_MS = 120_000

export interface Served {
  readonly url: string
  readonly pid: number
  /** From the start of the process to the first 200 on /health/ready. */
  readonly readyAfterMs: number
  readonly stop: () => Promise<void>
}

/** The built sandbox on a free port; `data` is a folder or `memory`. */
export function serveSandbox(data: string): Promise<Served> {
  return serve([
    'dist/cli/main.js',
    'serve',
    '--port',
    '0',
    '--quiet',
    '--fixture',
    'starter',
    '--data',
    data,
  ])
}

/** The least that the same libraries do: a Hono app with a JSON echo on the same server. */
export function serveBare(): Promise<Served> {
  return serve(['bench/bare-server.mjs'])
}

/** The resident memory of a process, in KiB. */
export async function residentKiB({ pid }: Served): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout)
}

/** The most memory that a process had resident so far, in KiB. Linux alone says so. */
export async function peakResidentKiB({ pid }: Served): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1])
}

/** Gives the work a folder of its own and removes it afterwards. */
export async function inFolder<Value>(work: (folder: string) => Promise<Value>): Promise<Value> {
  const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function serve(args: readonly string[]): Promise<Served> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const begun = Promise.race([once(child.stdout, 'data', { signal }), ended])
  const [line] = await begun.catch((error) => {
    child.kill('SIGKILL')
    throw error
  })
  const url = /is ready at (\S+)/.exec(String(line))?.[1]
  if (url === undefined || child.pid === undefined) throw new Error(`${args[0]} did not get ready`)
  const answer = await fetch(`${url}/health/ready`)
  if (answer.status !== 200) throw new Error(`${url} is not ready`)
  const readyAfterMs = performance.now() - startedAt
  await answer.text()
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { url, pid: child.pid, readyAfterMs, stop }
}
