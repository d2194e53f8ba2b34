/**
 * Checking pacts over HTTP: in a worker thread, because parsing and comparing a large pact blocks for seconds. The
 * worker starts with the first job, is kept, and keeps no process alive while it has nothing to do.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { serialQueue } from '../../sandbox/serial-queue.ts'
import { type RefusalContext, RefusalError } from '../../surface/refusals.ts'
import { buildFolder } from '../../version.ts'
import type { ContractJobs } from './jobs.ts'

/** How long a job may take, and how much memory. */
const JOB_MS = 30_000
const MEMORY_MIB = 1024

/** A worker that read more than this has memory that it does not give back, and is not kept. */
const KEPT_MAX_BYTES = 2 * 1024 * 1024

export interface ContractJob {
  readonly job: keyof ContractJobs
  readonly bytes: Uint8Array
}

export type ContractReply =
  | { readonly answer: unknown }
  | { readonly refusal: Pick<RefusalError, 'code' | 'message' | keyof RefusalContext> }
  | { readonly defect: unknown }

/** One worker for the process, and one job at a time, so that other requests keep their share of the machine. */
const queue = serialQueue()
let worker: Worker | null = null

/** Runs a job in the worker, until its client is gone. Throws 400 if it refuses the body, or exceeds its time or memory. */
export async function runContractJob<Job extends keyof ContractJobs>(
  job: Job,
  bytes: Uint8Array,
  client: AbortSignal,
): Promise<Awaited<ReturnType<ContractJobs[Job]>>> {
  const reply = await queue(() => runInWorker({ job, bytes }, client))
  if ('defect' in reply) throw reply.defect
  if ('refusal' in reply) {
    const { code, message, ...context } = reply.refusal
    throw new RefusalError(code, message, context)
  }
  return reply.answer as Awaited<ReturnType<ContractJobs[Job]>>
}

async function runInWorker(request: ContractJob, signal: AbortSignal): Promise<ContractReply> {
  if (signal.aborted) throw closedByClient()
  worker ??= startWorker()
  const used = worker
  used.ref()
  used.postMessage(request)
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(JOB_MS)])
    const [reply] = await once(used, 'message', { signal: limit })
    if (request.bytes.byteLength > KEPT_MAX_BYTES) await endWorker(used)
    return reply
  } catch (error) {
    // Nothing else stops a thread that computes.
    await endWorker(used)
    throw signal.aborted ? closedByClient() : limitError(error as NodeJS.ErrnoException)
  } finally {
    used.unref()
  }
}

async function endWorker(ended: Worker): Promise<void> {
  if (worker === ended) worker = null
  await ended.terminate()
}

function startWorker(): Worker {
  const { program, options } = programOf(import.meta.url)
  const started = new Worker(program, {
    ...options,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
  })
  started.on('error', () => {
    if (worker === started) worker = null
  })
  return started
}

/** From source, a worker needs the loader for TypeScript: it does not inherit that of its process. */
function programOf(module: string): { program: URL | string; options: { eval?: boolean } } {
  if (!module.endsWith('.ts')) {
    return { program: new URL('http/contracts/worker.js', buildFolder), options: {} }
  }
  const source = new URL('./worker.ts', module).href
  const loader = import.meta.resolve('tsx/esm/api')
  const program = `import('${loader}').then(({ register }) => { register(); return import('${source}') })`
  return { program, options: { eval: true } }
}

function closedByClient(): RefusalError {
  return new RefusalError('invalid_request', 'The client closed the connection.')
}

function limitError(error: NodeJS.ErrnoException): Error {
  const isSlow = error.name === 'AbortError'
  if (!isSlow && error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error
  const [much, bound] = isSlow
    ? ['longer', `${JOB_MS / 1000} seconds`]
    : ['more memory', `${MEMORY_MIB} MiB`]
  const message = `The pact takes ${much} to read and compare than ${bound}; send one with fewer interactions.`
  return new RefusalError('invalid_request', message)
}
