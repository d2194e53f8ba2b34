/** Progress of a long advance, for people at a terminal: the virtual now, in one line. */
import { setTimeout as pause } from 'node:timers/promises'
import { instantText } from '../wire/text.ts'
import { ask, type Connection } from './connection.ts'

/** How often the clock is read. */
const LOOK_MS = 500

/** Removes the line that the cursor is in. */
const ERASE = '\r\x1b[2K'

/** Waits for an advance, and shows the virtual now on stderr. */
export async function whileAdvancing(
  reply: Promise<Response>,
  connection: Connection,
): Promise<Response> {
  const ended = new AbortController()
  const showing = process.stderr.isTTY ? show(connection, ended.signal) : null
  try {
    return await reply
  } finally {
    ended.abort()
    await showing
  }
}

async function show(connection: Connection, ended: AbortSignal): Promise<void> {
  // Of the server, because those of the sandbox itself wait for the advance.
  const request = { method: 'GET', path: `/sandboxes/${encodeURIComponent(connection.sandbox)}` }
  const startedAt = performance.now()
  let isShown = false
  while (await stillAfter(LOOK_MS, ended)) {
    const now = await ask(connection, request).then(
      async (answer) => ((await answer.json()) as { now: string }).now,
      // The advance itself is about to say what is wrong.
      () => null,
    )
    if (now === null || ended.aborted) continue
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stderr.write(`${ERASE}advancing: ${instantText(now)}, ${seconds} s`)
    isShown = true
  }
  if (isShown) process.stderr.write(ERASE)
}

async function stillAfter(milliseconds: number, ended: AbortSignal): Promise<boolean> {
  await pause(milliseconds, null, { signal: ended }).catch(() => undefined)
  return !ended.aborted
}
