/** Bodies that hold a place and do not come, while other requests wait for one. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readBytes } from '../../src/http/request/body.ts'
import { type Listener, listen } from '../../src/server/listen.ts'
import { openShop } from '../support/control.ts'

const limits = { handled: 4, pending: 100, connections: 40, lookMs: 300 }
const LATE_BYTES = 1024 * 1024

/** How long a body is, and what of it comes at once. */
interface Body {
  readonly bytes: number
  readonly first: string
}

const half = { bytes: 9, first: '{"a"' }

let listener: Listener
let begun: number
/** Answers the requests that the app holds. */
let held: (() => void)[]
const sockets: Socket[] = []

beforeEach(async () => {
  begun = 0
  held = []
  listener = await listen(holding(), { host: '127.0.0.1', port: 0, limits })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const answer of held) answer()
  await listener.close()
})

function holding(): Hono {
  const app = new Hono()
  const hold = () => new Promise<void>((resolve) => held.push(resolve))
  app.onError((error, c) => c.text(error.message, 408))
  app.use((_, next) => {
    begun += 1
    return next()
  })
  app.get('/now', (c) => c.text('now'))
  app.get('/held', (c) => hold().then(() => c.text('held')))
  app.post('/body', async (c) => c.text(`<${(await readBytes(c, LATE_BYTES)).length}>`))
  app.post('/late', async (c) => {
    await hold()
    return c.text(`<${(await readBytes(c, LATE_BYTES)).length}>`)
  })
  return app
}

/** A connection that sends the first bytes of a body, and what came back on it. */
async function send(call: string, { bytes, first }: Body, { url } = listener) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  const lines = [
    `${call} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_default',
    'Content-Type: application/json',
    `Content-Length: ${bytes}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${first}`)
  return { socket, text: () => text, closed: once(socket, 'close') }
}

const get = async (path: string) => (await fetch(listener.url + path)).text()

/** Keeps the process from everything else. */
function block(ms: number): void {
  const until = performance.now() + ms
  for (;;) if (performance.now() >= until) return
}

/** Lets the process read and answer what is there, which takes it no time. */
async function turns(): Promise<void> {
  for (let left = 10; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve))
}

it('gives their places to others that wait, and leaves one alone that comes slowly', async () => {
  const stalled = await Promise.all(Array.from({ length: 3 }, () => send('POST /body', half)))
  const slow = await send('POST /body', { bytes: 60_000, first: '' })
  const drip = setInterval(() => slow.socket.write('x'.repeat(3000)), 50)
  await vi.waitUntil(() => begun === limits.handled)
  expect(await get('/now')).toBe('now')
  for (const { closed, text } of stalled) {
    await closed
    expect(text()).toMatch(/^HTTP\/1.1 408 .*in 300 ms while other requests wait; it brought 0\.$/s)
  }
  await vi.waitUntil(() => slow.text().includes('<60000>'))
  clearInterval(drip)
})

it('answers such a request in the shape of its surface, and notes it so', async () => {
  const shop = await openShop()
  const server = await listen(shop.app, { host: '127.0.0.1', port: 0, limits })
  const calls = ['POST /v1/subscriptions', 'POST /sandbox/customers', 'PUT /sandbox/state']
  const stalled = await Promise.all(
    [...calls, 'PUT /sandbox/state'].map((call) => send(call, half, server)),
  )
  await (await fetch(`${server.url}/health/live`)).text()
  const waiting = fetch(`${server.url}/sandbox`)
  await Promise.all(stalled.map(({ closed }) => closed))
  expect((await waiting).status).toBe(200)
  const said = stalled.map(({ text }) => /^HTTP\/1.1 (\d+).*\r\n(\{.*\})$/s.exec(text()))
  expect(said.map((each) => each?.[1])).toEqual(['408', '408', '408', '408'])
  expect(said[0]?.[2]).toContain('"error":"request_timeout"')
  expect(said[1]?.[2]).toContain('"code":"request_timeout"')
  const noted = await shop.get<{ data: { answer: { status: number } }[] }>(
    '/sandbox/requests?limit=4',
  )
  expect(noted.body.data.map(({ answer }) => answer.status)).toEqual([408, 408, 408, 408])
  await server.close()
})

it('leaves a body alone that is not read yet', async () => {
  const late = await send('POST /late', { bytes: LATE_BYTES, first: 'x'.repeat(LATE_BYTES) })
  await vi.waitUntil(() => held.length === 1)
  const others = [get('/held'), get('/held')]
  const stalled = await send('POST /body', half)
  await vi.waitUntil(() => begun === limits.handled)
  others.push(get('/now'))
  // By now all of them were looked at as often.
  await stalled.closed
  for (const answer of held.splice(0)) answer()
  await vi.waitUntil(() => late.text().endsWith(`<${LATE_BYTES}>`))
  await Promise.all(others)
})

it('leaves a body alone that came while the process did something else', async () => {
  const others = Array.from({ length: 3 }, () => get('/held'))
  const body = await send('POST /body', { bytes: 8000, first: '' })
  await vi.waitUntil(() => begun === limits.handled)
  others.push(get('/now'))
  await turns()
  for (let look = 0; look < 2; look += 1) {
    block(limits.lookMs + 50)
    await turns()
    body.socket.write('x'.repeat(4000))
  }
  await vi.waitUntil(() => body.text().endsWith('<8000>'))
  for (const answer of held.splice(0)) answer()
  await Promise.all(others)
})

it('leaves a body alone that does not come, once nobody waits for its place', async () => {
  const stalled = await Promise.all(Array.from({ length: 3 }, () => send('POST /body', half)))
  const other = get('/held')
  await vi.waitUntil(() => begun === limits.handled)
  const waiting = get('/now')
  await turns()
  block(limits.lookMs + 50)
  await turns()
  held.pop()?.()
  expect(await Promise.all([other, waiting])).toEqual(['held', 'now'])
  await pause(3 * limits.lookMs)
  for (const { socket } of stalled) socket.write('whole')
  for (const { text } of stalled) await vi.waitUntil(() => text().endsWith('<9>'))
})
