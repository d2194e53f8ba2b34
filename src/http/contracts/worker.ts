/** The program of the worker thread for pacts: does one job after another, and replies with each result. */
import { parentPort } from 'node:worker_threads'
import { CannotVerify } from '../../contracts/common/failure.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { contractJobs } from './jobs.ts'
import type { ContractJob, ContractReply } from './run-job.ts'

parentPort?.on('message', async (request: ContractJob) => {
  parentPort?.postMessage(await replyTo(request))
})

async function replyTo({ job, bytes }: ContractJob): Promise<ContractReply> {
  try {
    return { answer: await contractJobs[job](bytes) }
  } catch (failure) {
    const error = unavailable(failure)
    if (!(error instanceof RefusalError)) return { defect: error }
    // A class does not pass from one thread to another.
    const { code, message, fields, assumptions, headers } = error
    return { refusal: { code, message, fields, assumptions, headers } }
  }
}

/** What an optional package is missing for is no defect: its message has the command that installs it. */
function unavailable(error: unknown): unknown {
  return error instanceof CannotVerify ? new RefusalError('unavailable', error.message) : error
}
