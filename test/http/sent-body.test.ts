import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { SubscriptionCreate } from '../../src/wire/subscription.ts'
import { echo, jsonType, serving } from '../support/surface.ts'

const body = { schema: SubscriptionCreate, media: ['form', 'json'], required: true } as const
let listener: Listener
let socket: Socket

beforeEach(async () => {
  const app = serving([echo('/v1/create', body)])
  listener = await listen(app, { host: '127.0.0.1', port: 0 })
  socket = connect({ host: '127.0.0.1', port: Number(new URL(listener.url).port), noDelay: true })
})
afterEach(async () => {
  socket.destroy()
  await listener.close()
})

const head = `POST /v1/create HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key\r\nContent-Type: ${jsonType}\r\n`
const order = { customer_id: 'cus_ada', plan: 'bäsic' }
const bytes = Buffer.from(JSON.stringify(order))

async function answer(): Promise<string> {
  const [chunk] = await once(socket, 'data')
  return chunk.toString()
}

it('reads a body that comes byte by byte, also in the middle of a character', async () => {
  socket.write(`${head}Content-Length: ${bytes.length}\r\n\r\n`)
  for (const byte of bytes) {
    socket.write(Buffer.of(byte))
    await pause(1)
  }
  expect(await answer()).toContain(JSON.stringify(order))
})

it('reads a body in chunks that nobody announced the length of', async () => {
  socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
  for (const piece of [bytes.subarray(0, 20), bytes.subarray(20)]) {
    socket.write(
      Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
    )
    await pause(5)
  }
  socket.write('0\r\n\r\n')
  expect(await answer()).toContain(JSON.stringify(order))
})

it('reads one body after another from the same connection', async () => {
  for (let count = 0; count < 3; count += 1) {
    socket.write(`${head}Content-Length: ${bytes.length}\r\n\r\n`)
    socket.write(bytes)
    expect(await answer()).toContain(JSON.stringify(order))
  }
})

it('gives up on a body whose sender goes away, and serves the next', async () => {
  socket.write(`${head}Content-Length: ${bytes.length}\r\n\r\n`)
  socket.write(bytes.subarray(0, 10))
  await pause(20)
  socket.destroy()
  const response = await fetch(`${listener.url}/v1/create`, {
    method: 'POST',
    headers: { Authorization: 'Bearer key', 'Content-Type': jsonType },
    body: bytes,
  })
  expect(await response.json()).toEqual(order)
})
