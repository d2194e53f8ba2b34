/**
 * Answers in the order of a pact. The core asks for one interaction after another, so that the n-th request belongs to
 * the n-th interaction.
 */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { RecordedAnswer } from './mutations.ts'

export interface AnswerServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Gives one answer after another, whatever is asked. */
export function replayAnswers(answers: readonly RecordedAnswer[]): Promise<AnswerServer> {
  const left = answers.values()
  return listen(async () => {
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

async function listen(fetch: (request: Request) => Promise<Response>): Promise<AnswerServer> {
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
