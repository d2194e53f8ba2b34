/**
 * The process of the Pact core: native code, which prints what it likes, and which must be able to die without taking
 * anybody along. Verifies one file after another and says each result to the process that started it.
 */
import type { CoreJob, CoreReply } from './core-result.ts'

// Who started it is gone, or has its answers. An orderly exit would wait for the native threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

process.on('message', async (job: CoreJob) => process.send?.(await verify(job)))

async function verify(job: CoreJob): Promise<CoreReply> {
  try {
    const { default: core } = (await import('@pact-foundation/pact-core')).default
    const pactUrls = [...job.pactUrls]
    return { result: await core.verifyPacts({ ...job, pactUrls, logLevel: 'error' }) }
  } catch (error) {
    const { message } = error as Error
    // A verification that found something is rejected with the result as its message.
    return message.startsWith('{') ? { result: message } : { failure: reasonFor(message) }
  }
}

/** The core says nothing of its native part that is missing, and then does without it. */
function reasonFor(message: string): string {
  const { platform, arch } = process
  return /undefined .*pactffi/.test(message)
    ? `its native part for ${platform}-${arch} is not there or cannot be loaded`
    : message
}
