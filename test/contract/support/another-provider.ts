/**
 * Another provider that keeps to the interface: the sandbox, with everything decided otherwise that the interface
 * leaves open. A pact that it passes too rests on nothing that the sandbox assumes.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type Body = Readonly<Record<string, unknown>>

interface Decided {
  readonly status: number
  readonly body: Body
}

const REFRESH = '/v1/auth/refresh'
const otherStatus: Readonly<Record<number, number>> = { 400: 401, 401: 403, 403: 400 }

/** Serves it on a free port, in front of a sandbox. */
export async function serveAnotherProvider(sandboxUrl: string) {
  const server = createServer((request, response) => {
    void relay(sandboxUrl, request, response).catch((error: unknown) => {
      response.destroy(error as Error)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

async function relay(
  sandboxUrl: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const sent = await buffer(request)
  const { authorization, 'content-type': type } = request.headers
  const answer = await fetch(`${sandboxUrl}${url}`, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(type === undefined ? {} : { 'Content-Type': type }),
    },
    ...(sent.byteLength === 0 ? {} : { body: new Uint8Array(sent) }),
  })
  const text = await answer.text()
  if (!url.startsWith('/v1')) {
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(text)
    return
  }
  const told: Decided = { status: answer.status, body: JSON.parse(text) }
  const { status, body } = url === REFRESH ? refreshed(told) : subscribed(told)
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

/** No new refresh token, another lifetime, and the codes under other statuses of the three. */
function refreshed({ status, body }: Decided): Decided {
  if (status !== 200) {
    return { status: otherStatus[status] ?? status, body: { ...body, message: 'No.' } }
  }
  const { refresh_token: _kept, ...tokens } = body
  return { status, body: { ...tokens, expires_in: 60 } }
}

/** Another status of success, the documented fields beside unknown ones, and errors of another shape. */
function subscribed({ status, body }: Decided): Decided {
  if (status >= 300) return { status: 422, body: { code: 7, detail: 'No.' } }
  const { customer_id, plan, trial_period_days } = body
  const trial = trial_period_days === null ? {} : { trial_period_days }
  return { status: 201, body: { id: 1, customer_id, plan, ...trial, state: 'ACTIVE' } }
}
