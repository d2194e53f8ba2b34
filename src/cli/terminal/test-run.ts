/** One run of the tests, with a separate server: what they printed, how they ended, and which calls they made. */
import type { ChildProcess } from 'node:child_process'
import type { AssumptionSlug } from '../../assumptions/register.ts'
import type { Deviation } from '../../http/request/deviation.ts'
import type { CapturedCall } from '../../provider/capture/captured-call.ts'
import { type Started, type StartOptions, start } from '../../server/start.ts'
import { startProgram } from './files.ts'

export interface TestCommand {
  readonly program: string
  readonly args: readonly string[]
  /** What its sandboxes begin with. */
  readonly world: Partial<StartOptions>
  /** Ends what runs. */
  readonly signal: AbortSignal
}

export type TestRun = Awaited<ReturnType<typeof runTests>>

/** Runs the tests with a new server; stops them after `limitMs`. Throws `CannotRun` for a program that does not start. */
export async function runTests(command: TestCommand, deviation?: Deviation, limitMs?: number) {
  const calls: CapturedCall[] = []
  const onCall = (call: CapturedCall) => {
    // Only what the first run rests on is asked of its worlds.
    calls.push(deviation === undefined ? call : { ...call, before: null })
  }
  const assumed = new Set<AssumptionSlug>()
  const observer: StartOptions['observer'] = (_, sandbox) => {
    for (const slug of sandbox.assumed) assumed.add(slug)
  }
  const started = await start({ ...command.world, deviation, onCall, observer })
  const began = performance.now()
  try {
    const ended = await endOf(command, started, limitMs)
    return { ...ended, ms: performance.now() - began, calls, assumed }
  } finally {
    await started.close()
  }
}

/** What a program finds to reach its sandbox, also where the machine reaches all else by a proxy. */
export function environmentOf(url: string, { id, apiKey }: { id: string; apiKey: string }) {
  const { env } = process
  const direct = [env['no_proxy'] ?? env['NO_PROXY'], new URL(url).hostname].filter(Boolean).join()
  const proxy = { no_proxy: direct, NO_PROXY: direct }
  return { ...env, ...proxy, SANDBOX_URL: url, SANDBOX_ID: id, SANDBOX_API_KEY: apiKey }
}

/** What the command printed, and how it ended; null where it was stopped because it took too long. */
async function endOf(
  { program, args, signal }: TestCommand,
  started: Started,
  limitMs: number | undefined,
) {
  signal.throwIfAborted()
  // A separate group, so that what the command starts ends with it.
  const { child, closed } = startProgram(program, args, {
    env: environmentOf(started.url, started.registry.default),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  let isLate = false
  const stop = () => killGroup(child)
  const late = () => {
    isLate = true
    stop()
  }
  const timer = limitMs === undefined ? undefined : setTimeout(late, limitMs)
  signal.addEventListener('abort', stop, { once: true })
  try {
    const [code, name] = (await closed) as [number | null, NodeJS.Signals | null]
    signal.throwIfAborted()
    return { end: isLate ? null : (code ?? name), output }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All of it has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
