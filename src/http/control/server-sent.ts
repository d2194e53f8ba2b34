/**
 * Server-sent events of one sandbox. Owns the end of a stream: when there is nothing more to send, the client goes away,
 * the sandbox is deleted, or the process stops.
 */
import type { SSEMessage, SSEStreamingApi } from 'hono/streaming'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { refuseStoreFailure } from '../../sandbox/store-failure.ts'

/** How often a silent stream gives a sign of life, so that a client that vanished is noticed. */
const HEARTBEAT_MS = 15_000

/** What a stream sends, and where. */
interface Stream {
  readonly sink: SSEStreamingApi
  /** What the sandbox gives notice of when there may be more. */
  readonly notice: 'change' | 'request'
  /** Answers what is to be sent now: nothing yet, or null for nothing more. */
  readonly next: () => Promise<readonly SSEMessage[] | null>
}

/** Sends what there is, and again whenever the sandbox gives notice; resolves at the end of the stream. */
export async function sendWhatComes(
  sandbox: Sandbox,
  { sink, notice, next }: Stream,
): Promise<void> {
  let isOver = false
  let wake: () => void = () => undefined
  const end = () => {
    isOver = true
    wake()
  }
  const onNotice = () => wake()
  sandbox.notifications.on(notice, onNotice).on('end', end)
  sink.onAbort(end)
  const heartbeat = setInterval(() => void sink.write(':\n\n'), HEARTBEAT_MS)
  try {
    while (!isOver) {
      const noticed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const messages = await next()
      if (messages === null) return
      for (const message of messages) await sink.writeSSE(message)
      if (messages.length === 0 && !isOver) await noticed
    }
  } catch (error) {
    // Deleted before its end could be heard of, or its store fails: the stream ends. Anything else is thrown again.
    refuseStoreFailure(error)
  } finally {
    clearInterval(heartbeat)
    sandbox.notifications.off(notice, onNotice).off('end', end)
  }
}
