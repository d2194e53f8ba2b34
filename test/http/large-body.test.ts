import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { SubscriptionCreate } from '../../src/wire/subscription.ts'
import { echo, formType, serving } from '../support/surface.ts'

const body = { schema: SubscriptionCreate, media: ['form', 'json'], required: true } as const
let listener: Listener

beforeAll(async () => {
  const app = serving([echo('/v1/create', body)])
  listener = await listen(app, { host: '127.0.0.1', port: 0 })
})
afterAll(() => listener.close())

const head = `POST /v1/create HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key\r\nContent-Type: ${formType}\r\n`
const piece = 'a'.repeat(65_536)

it.each([
  ['announced and sent whole', 'Content-Length: 5000000', Array(76).fill(piece)],
  ['announced and never sent', 'Content-Length: 5000000', []],
  [
    'sent in chunks without an end',
    'Transfer-Encoding: chunked',
    Array(40).fill(`10000\r\n${piece}\r\n`),
  ],
])('answers 413 and ends the connection when 5 MB are %s', async (...[, length, pieces]) => {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  // The server may end the connection while the client still writes; what it answered has come by then.
  socket.on('error', () => undefined)
  socket.write(`${head}${length}\r\n\r\n`)
  for (const each of pieces) socket.write(each)
  await once(socket, 'close')
  expect(Buffer.concat(received).toString()).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s)
})

it('answers fetch as anybody else', async () => {
  const response = await fetch(`${listener.url}/v1/create`, {
    method: 'POST',
    headers: { Authorization: 'Bearer key', 'Content-Type': formType },
    body: `plan=${'a'.repeat(3_000_000)}`,
  })
  expect(response.status).toBe(413)
})
