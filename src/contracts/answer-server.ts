/**
 * Answers in the order of a pact. The core asks for one interaction after another, so that the n-th request belongs to
 * the n-th interaction.
 */
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts'
import type { RecordedAnswer } from './mutations.ts'

/** Gives one answer after another, whatever is asked. */
export function replayAnswers(answers: readonly RecordedAnswer[]): Promise<LoopbackServer> {
  const left = answers.values()
  return listenOnLoopback(async () => {
    const { value } = left.next()
    return value === undefined ? new Response(null, { status: 410 }) : responseOf(value)
  })
}

function responseOf({ status, headers, body }: RecordedAnswer): Response {
  const kept = new Headers(headers)
  for (const name of ['connection', 'keep-alive', 'content-length', 'transfer-encoding']) {
    kept.delete(name)
  }
  return new Response(body.byteLength === 0 ? null : body, { status, headers: kept })
}
