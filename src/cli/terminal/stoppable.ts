/** Long work that ends in order on a signal. */
import { constants } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** How long other listeners of the same signal have. */
const GRACE_MS = 1000

/**
 * Does the work; on SIGINT or SIGTERM, and when a process that started this one to talk to it is gone, the signal is
 * aborted, and the process ends of it once the work has let go.
 */
export async function stoppable(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) => controller.abort(name)
  const end = () => stop('SIGTERM')
  process.once('SIGINT', stop).once('SIGTERM', stop).once('disconnect', end)
  // Gone before anybody listened; where no process waits, this is undefined.
  if (process.connected === false) end()
  // Listening to it would keep this process alive for as long as that one.
  process.channel?.unref()
  try {
    await work(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('disconnect', end)
  }
  if (controller.signal.aborted) await endBySignal(controller.signal.reason)
}

/** Ends this process by a signal, so that the process that started it sees which. */
export async function endBySignal(signal: NodeJS.Signals): Promise<void> {
  process.kill(process.pid, signal)
  // Others may listen too, such as those who hold locks, and a signal alone does not keep a process waiting for them.
  await pause(GRACE_MS)
  exitAs(signal)
}

/** Ends this process at once. A signal does not end the first process of a container. */
export function exitAs(signal: NodeJS.Signals): never {
  process.exit(128 + (constants.signals[signal] ?? 0))
}
