/**
 * The server: one process, one port. Owns listening, time limits, and a stop that lets calls under way finish.
 */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'

/** How long a stop waits for calls under way before it cuts them off. */
const GRACE_MS = 4000
const SWEEP_MS = 20

export interface Listener {
  readonly url: string
  /** Takes no more calls, and resolves once those under way are answered or cut off. */
  readonly close: () => Promise<void>
}

/** Listens on a host and port; port 0 picks a free one. Rejects when the port is taken. */
export async function listen(
  app: Hono,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listener> {
  const server = createAdaptorServer({ fetch: app.fetch, hostname: host }) as Server
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.keepAliveTimeout = 5000
  const unused = unusedConnections(server)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return { url: `http://${shown}:${address.port}`, close: () => close(server, unused) }
}

/** Connections that no call came on yet: clients open them in advance, and Node does not count them as idle. */
function unusedConnections(server: Server): ReadonlySet<Socket> {
  const unused = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  server.on('request', ({ socket }) => unused.delete(socket))
  return unused
}

async function close(server: Server, unused: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  // A connection is kept alive once its call is answered, and nobody else would close it then.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  for (const socket of unused) socket.destroy()
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}
