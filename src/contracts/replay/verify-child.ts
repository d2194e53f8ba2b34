/**
 * The process of the Pact core, which is native code: it prints to the standard streams and may crash. Verifies one file
 * after another, and sends each result to its parent.
 */
import type { CoreJob, CoreReply } from './core-result.ts'

// The parent is gone, or is done. A normal exit would wait for the native threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

process.on('message', async (job: CoreJob) => process.send?.(await verify(job)))

async function verify(job: CoreJob): Promise<CoreReply> {
  try {
    const { default: core } = (await import('@pact-foundation/pact-core')).default
    return { result: await core.verifyPacts({ ...job, logLevel: 'error' }) }
  } catch (error) {
    const { message } = error as Error
    // A verification that found something is rejected with the result as its message.
    return message.startsWith('{') ? { result: message } : { failure: reasonFor(message) }
  }
}

/** The core does not report that its native part is missing. */
function reasonFor(message: string): string {
  const { platform, arch } = process
  return /undefined .*pactffi/.test(message)
    ? `its native part for ${platform}-${arch} is not there or cannot be loaded`
    : message
}
