/**
 * Load: many keep-alive connections that send one prepared request over and over. Reads of an answer only where it
 * ends and whether it is a 200, so that the client never is what is measured.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Post {
  readonly url: string
  readonly path: string
  readonly type: 'application/json' | 'application/x-www-form-urlencoded'
  readonly body: string
}

/** How many answers a second come back, over this many connections for this long. */
export async function answersPerSecond(
  post: Post,
  { connections, forMs }: { readonly connections: number; readonly forMs: number },
): Promise<number> {
  const request = requestOf(post)
  const startedAt = performance.now()
  const clients = Array.from({ length: connections }, () => client(post.url, request, forMs))
  const counts = await Promise.all(clients)
  const seconds = (performance.now() - startedAt) / 1000
  return counts.reduce((sum, each) => sum + each, 0) / seconds
}

/** One connection, for calls one after another; answers how long each took in milliseconds. */
export async function caller(url: string) {
  const socket = await open(url)
  return {
    timed: async (post: Post): Promise<number> => {
      const request = requestOf(post)
      const startedAt = performance.now()
      await exchange(socket, request)
      return performance.now() - startedAt
    },
    close: () => socket.destroy(),
  }
}

async function client(url: string, request: Buffer, forMs: number): Promise<number> {
  const socket = await open(url)
  const until = performance.now() + forMs
  let answers = 0
  while (performance.now() < until) {
    await exchange(socket, request)
    answers += 1
  }
  socket.destroy()
  return answers
}

async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}

function exchange(socket: Socket, request: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const take = (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (!isWhole(text)) return
      socket.off('data', take)
      socket.off('error', reject)
      if (text.startsWith('HTTP/1.1 200')) resolve()
      else reject(new Error(text))
    }
    socket.on('data', take)
    socket.on('error', reject)
    socket.write(request)
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: *(\d+)/im.exec(text)?.[1]
  if (length === undefined) return text.endsWith('0\r\n\r\n')
  return text.length >= end + 4 + Number(length)
}

function requestOf({ url, path, type, body }: Post): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${new URL(url).host}`,
    'Authorization: Bearer sk_sandbox_default',
    `Content-Type: ${type}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}
