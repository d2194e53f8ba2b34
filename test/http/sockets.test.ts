/** What no client library sends: heads by hand, and bodies in pieces, too large or never whole. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { SubscriptionCreate } from '../../src/wire/billing/subscription.ts'
import { openShop } from '../support/control.ts'
import { echo, formType, jsonType, serving } from '../support/surface.ts'

const body = { schema: SubscriptionCreate, media: ['form', 'json'], required: true } as const
const address = { host: '127.0.0.1', port: 0 }
const sockets: Socket[] = []
let shop: Listener
let surface: Listener

beforeAll(async () => {
  shop = await listen((await openShop()).app, address)
  surface = await listen(serving([echo('/v1/create', body)]), address)
})
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})
afterAll(() => Promise.all([shop.close(), surface.close()]))

/** A connection; the server may end it while a test still writes. */
function connected({ url }: Listener): Socket {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), noDelay: true })
  socket.on('error', () => undefined)
  sockets.push(socket)
  return socket
}

/** All that comes back until the connection ends. */
async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}

describe('the Host header', () => {
  function answerTo(...lines: string[]): Promise<string> {
    const socket = connected(shop)
    socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
    return received(socket)
  }
  const hrefIn = (answer: string) => /"self":\{"href":"([^"]*)"/.exec(answer)?.[1] ?? ''
  const target = 'http://evil.example/sandbox'

  it('makes the links, whatever the target of the request is', async () => {
    const answer = await answerTo(`GET ${target}/broker HTTP/1.1`, 'Host: app.localhost:4010')
    expect(hrefIn(answer)).toBe('http://app.localhost:4010/sandbox/broker')
    expect(answer).not.toContain('evil')
  })

  it('is replaced by the address of the socket where there is none', async () => {
    const answer = await answerTo(`GET ${target}/broker HTTP/1.0`)
    expect(hrefIn(answer)).toBe(`${shop.url}/sandbox/broker`)
  })

  it('says which page is its own, and the target of the request does not', async () => {
    const origin = 'Origin: http://evil.example'
    const answer = await answerTo(`POST ${target}/reset HTTP/1.0`, origin, 'Content-Length: 0')
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*page of another site/s)
  })

  it.each(['evil.example/.localhost', 'evil.example#.localhost', 'evil@.localhost', '.localhost'])(
    'is no name of this server: %s',
    async (host) => {
      const answer = await answerTo('GET http://localhost/sandbox/broker HTTP/1.1', `Host: ${host}`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    },
  )
})

const headOf = (type: string) =>
  `POST /v1/create HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer key\r\nContent-Type: ${type}\r\n`

describe('a body that is too large', () => {
  const piece = 'a'.repeat(65_536)

  it.each([
    ['announced and sent whole', 'Content-Length: 5000000', Array(76).fill(piece)],
    ['announced and never sent', 'Content-Length: 5000000', []],
    ['sent without an end', 'Transfer-Encoding: chunked', Array(40).fill(`10000\r\n${piece}\r\n`)],
  ])(
    'is answered with 413 and ends the connection when it is %s',
    async (...[, length, pieces]) => {
      const socket = connected(surface)
      const answer = received(socket)
      for (const each of [`${headOf(formType)}${length}\r\n\r\n`, ...pieces]) socket.write(each)
      expect(await answer).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s)
    },
  )

  it('is answered to fetch too', async () => {
    const headers = { Authorization: 'Bearer key', 'Content-Type': formType }
    const request = { method: 'POST', headers, body: `plan=${'a'.repeat(3_000_000)}` }
    expect((await fetch(`${surface.url}/v1/create`, request)).status).toBe(413)
  })
})

it('keeps an idle connection for longer than nginx does, 60 s', async () => {
  const { headers } = await fetch(`${shop.url}/health/live`)
  expect(headers.get('keep-alive')).toBe('timeout=65')
})

describe('a body', () => {
  const order = { customer_id: 'cus_ada', plan: 'bäsic' }
  const bytes = Buffer.from(JSON.stringify(order))
  const head = `${headOf(jsonType)}Content-Length: ${bytes.length}\r\n\r\n`

  async function expectOrder(socket: Socket): Promise<void> {
    const [chunk] = await once(socket, 'data')
    expect(chunk.toString()).toContain(JSON.stringify(order))
  }

  it('is read byte by byte, also in the middle of a character', async () => {
    const socket = connected(surface)
    socket.write(head)
    for (const byte of bytes) {
      socket.write(Buffer.of(byte))
      await pause(1)
    }
    await expectOrder(socket)
  })

  it('is read in chunks without a Content-Length', async () => {
    const socket = connected(surface)
    socket.write(`${headOf(jsonType)}Transfer-Encoding: chunked\r\n\r\n`)
    for (const piece of [bytes.subarray(0, 20), bytes.subarray(20)]) {
      socket.write(`${piece.length.toString(16)}\r\n`)
      socket.write(piece)
      socket.write('\r\n')
      await pause(5)
    }
    socket.write('0\r\n\r\n')
    await expectOrder(socket)
  })

  it('is read after another one from the same connection', async () => {
    const socket = connected(surface)
    for (let count = 0; count < 3; count += 1) {
      socket.write(head)
      socket.write(bytes)
      await expectOrder(socket)
    }
  })

  it('is aborted when its sender disconnects, and the next is served', async () => {
    const socket = connected(surface)
    socket.write(head)
    socket.write(bytes.subarray(0, 10))
    await pause(20)
    socket.destroy()
    const headers = { Authorization: 'Bearer key', 'Content-Type': jsonType }
    const response = await fetch(`${surface.url}/v1/create`, {
      method: 'POST',
      headers,
      body: bytes,
    })
    expect(await response.json()).toEqual(order)
  })
})
