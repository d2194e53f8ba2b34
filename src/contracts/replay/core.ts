/** Runs the Pact core in a separate process, with an environment that allows no other calls than the verifications. */
import { fork } from 'node:child_process'
import { devNull } from 'node:os'
import { CannotVerify, reasonOf, requireOptional } from '../common/failure.ts'
import { type CoreJob, CoreReply, CoreResult } from './core-result.ts'

/** How much of what the core printed is remembered in case it ends without a result. */
const PRINTED_MAX = 4000

export interface CoreRun {
  readonly program: URL
  readonly signal: AbortSignal
}

export type Core = ReturnType<typeof pactCore>

/** Starts with the first file, and again after a crash. A start takes as long as about fifty interactions. */
export function pactCore(run: CoreRun) {
  let running: ReturnType<typeof startProcess> | null = null
  let isClosed = false
  return {
    /** Verifies one file. Rejects with `CannotVerify` when the core cannot be loaded, or ends without a result. */
    verify: async (job: CoreJob): Promise<CoreResult> => {
      // Other calls may still be running when one closes it. A process that they start would never end.
      if (isClosed) throw new CannotVerify('The Pact core is closed.')
      running ??= startProcess(run)
      const { ask, printed } = running
      const reply = await ask(job)
      const answer = CoreReply.safeParse(reply)
      if (!answer.success) {
        running.end()
        running = null
        throw failureOf(reply, printed())
      }
      if ('failure' in answer.data) {
        throw new CannotVerify(`The Pact core cannot verify: ${answer.data.failure}. ${printed()}`)
      }
      return CoreResult.parse(JSON.parse(answer.data.result))
    },
    close: () => {
      isClosed = true
      running?.end()
    },
  }
}

/** One job at a time: `ask` resolves with the reply or, if the process ends first, with its exit code or error. */
function startProcess({ program, signal }: CoreRun) {
  requireOptional('@pact-foundation/pact-core')
  const child = fork(program, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: environment(process.env),
    execArgv: [],
    signal,
    killSignal: 'SIGKILL',
  })
  let printed = ''
  const append = (chunk: Buffer) => {
    printed = (printed + chunk.toString()).slice(-PRINTED_MAX)
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
  return {
    ask: (job: CoreJob): Promise<unknown> => {
      const answered = new Promise((resolve) => child.once('message', resolve))
      child.send(job, () => undefined)
      return Promise.race([answered, ended])
    },
    printed: () => `It printed:\n${printed.trim()}`,
    end: () => {
      if (child.connected) child.disconnect()
    },
  }
}

function failureOf(end: unknown, printed: string): Error {
  if (!(end instanceof Error)) {
    return new CannotVerify(`The Pact core ended without a result. ${printed}`)
  }
  if (end.name === 'AbortError') return end
  return new CannotVerify(`The Pact core cannot be started: ${reasonOf(end)}`)
}

/**
 * The environment without proxies, the core's filters and its telemetry. It needs no certificates for loopback, and
 * would spend most of its time reading those of the system, once for each interaction.
 */
export function environment(given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const allowed = Object.entries(given).filter(([name]) => {
    return !/^(https?|all|no)_proxy$/i.test(name) && !/^PACT_/i.test(name)
  })
  const proxy = { NO_PROXY: '*', no_proxy: '*' }
  const certificates = { SSL_CERT_FILE: devNull, SSL_CERT_DIR: devNull }
  return { ...Object.fromEntries(allowed), PACT_DO_NOT_TRACK: 'true', ...proxy, ...certificates }
}
