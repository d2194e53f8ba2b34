/** Runs the Pact core in a process of its own, with an environment that lets nothing but the verification out. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type CoreJob, CoreReply, CoreResult } from './core-result.ts'
import { CannotVerify, reasonOf } from './failure.ts'

/** How much of what the core printed is remembered in case it ends without a result. */
const PRINTED_MAX = 4000

export interface CoreRun {
  /** The program of the process. */
  readonly program: URL
  /** Ends the process when aborted. */
  readonly signal: AbortSignal
}

/** Verifies one file. Rejects with `CannotVerify` when the core cannot be loaded, or ends without a result. */
export async function runCore(job: CoreJob, { program, signal }: CoreRun): Promise<CoreResult> {
  const child = fork(program, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment(process.env),
    execArgv: [],
    signal,
    killSignal: 'SIGKILL',
  })
  const printed = lastPrinted(child)
  const reply = replyOf(child)
  child.send(job, () => undefined)
  const answer = CoreReply.safeParse(await reply)
  if (!answer.success) throw new CannotVerify(`The Pact core ended without a result. ${printed()}`)
  if ('failure' in answer.data) {
    throw new CannotVerify(`The Pact core cannot verify: ${answer.data.failure}. ${printed()}`)
  }
  return CoreResult.parse(JSON.parse(answer.data.result))
}

/** The environment without proxies, without the core's own filters, and without its call home. */
export function environment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const allowed = Object.entries(given).filter(([name]) => {
    return !/^(https?|all|no)_proxy$/i.test(name) && !/^PACT_/i.test(name)
  })
  return { ...Object.fromEntries(allowed), PACT_DO_NOT_TRACK: 'true', NO_PROXY: '*', no_proxy: '*' }
}

/** The message of the process once it has ended; undefined where it sent none. */
async function replyOf(child: ChildProcess): Promise<unknown> {
  let reply: unknown
  child.once('message', (message) => {
    reply = message
  })
  try {
    await once(child, 'close')
  } catch (error) {
    throw (error as Error).name === 'AbortError'
      ? error
      : new CannotVerify(`The Pact core cannot be started: ${reasonOf(error)}`)
  }
  return reply
}

function lastPrinted({ stdout, stderr }: ChildProcess): () => string {
  let printed = ''
  const append = (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-PRINTED_MAX)
  }
  stdout?.on('data', append)
  stderr?.on('data', append)
  return () => `It printed:\n${printed.trim()}`
}
