/**
 * Answers in the order of a pact. The core asks for one interaction after another, so that the n-th request belongs to
 * the n-th interaction.
 */
import { type LoopbackServer, listenOnLoopback } from './loopback-server.ts'
import type { ProviderAnswer } from './recorder.ts'

/** Serves the answers one after another, whatever the request. */
export function replayAnswers(answers: readonly ProviderAnswer[]): Promise<LoopbackServer> {
  const left = answers.values()
  return listenOnLoopback((_, outgoing) => {
    const { status, headers, body } = left.next().value ?? { status: 410, headers: [], body: '' }
    // The body may be longer or shorter than it was.
    const kept = headers.filter(([name]) => !/^content-length$/i.test(name))
    outgoing.writeHead(status, kept.flat()).end(body)
  })
}
