/**
 * The server: one process, one port. Owns listening, limits, and a stop that lets calls under way finish.
 */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { answerBeforeApp, answerMissingHost } from './before-app.ts'
import { pacedRequests } from './paced-request.ts'
import { type RequestLimits, RequestQueue } from './request-queue.ts'

/** How long a stop waits for calls under way before it cuts them off. */
const GRACE_MS = 4000

/** How often Node checks for requests that arrive too slowly. */
const CHECK_MS = 5000

const serverLimits: RequestLimits = {
  handled: 256,
  pending: 10_000,
  connections: 2000,
  lookMs: 2000,
}

export interface ListenOptions {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  readonly limits?: RequestLimits
}

export interface Listener {
  readonly url: string
  /** Takes no more calls, and resolves once those under way are answered or cut off. */
  readonly close: () => Promise<void>
}

/** Listens on a host and port. Rejects when the port is taken. */
export async function listen(
  app: Hono,
  { host, port, limits = serverLimits }: ListenOptions,
): Promise<Listener> {
  const queue = new RequestQueue(app, host, limits)
  // Node would refuse a request without a Host by itself, with nothing said.
  const settings = {
    connectionsCheckingInterval: CHECK_MS,
    requireHostHeader: false,
    IncomingMessage: pacedRequests(),
  }
  const server = createServer(settings, (request, response) => {
    if (!answerMissingHost(request, response)) queue.take(request, response)
  })
  server.on('connection', (socket) => queue.connect(socket))
  answerBeforeApp(server, queue)
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  // Longer than proxies keep one, 60 s, and than a test waits: a call on a connection that closes just then is lost.
  server.keepAliveTimeout = 65_000
  // Node calls it when it closes, and counts a connection as idle while its client still takes an answer.
  server.closeIdleConnections = () => queue.close()
  server.listen(port, host.replace(/^\[(.*)\]$/, '$1'))
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${shown}:${address.port}`, close: () => close(server) }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearTimeout(cut)
}
