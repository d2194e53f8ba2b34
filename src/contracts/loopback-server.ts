/** A server of a verification's own, on a free port of loopback. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'

export interface LoopbackServer {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Listens until it is closed. */
export async function listenOnLoopback(
  fetch: (request: Request) => Promise<Response>,
): Promise<LoopbackServer> {
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
