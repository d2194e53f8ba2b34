/** Providers of the tests' own: one that keeps the bytes it is sent, and one that changes what a sandbox answers. */
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Listens with plain sockets, keeps every byte that arrives, and gives every request the same answer, or none. */
export async function serveRaw(answer: string | null) {
  const sockets = new Set<Socket>()
  let received = ''
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      const isProbe = chunk.toString('latin1').startsWith('GET /sandbox/provider-states ')
      if (isProbe) socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
      else if (answer !== null) socket.end(answer)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { url: urlOf(server.address()), received: () => received, sockets, close }
}

/** A sandbox's double that answers as it does, but for one change. */
export async function serveChanged(sandbox: string, change: (body: string) => string) {
  return serveHttp(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { url, method = 'GET', headers } = incoming
    const sent = method === 'GET' ? {} : { body: Buffer.concat(chunks) }
    const kept = {
      Authorization: headers.authorization ?? '',
      'Content-Type': headers['content-type'] ?? '',
      ...(headers['sandbox-id'] === undefined
        ? {}
        : { 'Sandbox-Id': String(headers['sandbox-id']) }),
    }
    const answer = await fetch(`${sandbox}${url}`, { method, headers: kept, ...sent })
    const type = answer.headers.get('content-type') ?? ''
    outgoing.writeHead(answer.status, { 'Content-Type': type }).end(change(await answer.text()))
  })
}

/** Listens on a free port. */
export async function serveHttp(listener: RequestListener) {
  const server = createHttpServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: urlOf(server.address()), server, close }
}

function urlOf(address: AddressInfo | string | null): string {
  return `http://127.0.0.1:${(address as AddressInfo).port}`
}
