/** Work that may take long: ends in order when the user or the system asks for it. */

/** Does the work; on SIGINT or SIGTERM the signal is aborted, and the process ends of it once the work has let go. */
export async function stoppable(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController()
  const stop = (name: NodeJS.Signals) => controller.abort(name)
  process.once('SIGINT', stop).once('SIGTERM', stop)
  try {
    await work(controller.signal)
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop)
  }
  if (controller.signal.aborted) process.kill(process.pid, controller.signal.reason)
}
