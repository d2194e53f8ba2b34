/** A server on loopback, for one piece of work. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens until it is closed; port 0 is a free one. */
export async function listenOnLoopback(listener: RequestListener, asked = 0) {
  const server = createServer(listener)
  server.listen(asked, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${port}`, close }
}
