import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Bindings } from '../../src/http/request/context.ts'
import { type Listener, listen } from '../../src/server/listen.ts'

const LARGE_BYTES = 4 * 1024 * 1024
const limits = { handled: 4, pending: 5000, connections: 40, lookMs: 2000 }

/** What the app below was asked, and the requests that it answers only when a test says so. */
interface Probe {
  handled: number
  underWay: number
  mostUnderWay: number
  readonly held: (() => void)[]
}

let probe: Probe
let listener: Listener
const sockets: Socket[] = []

beforeEach(async () => {
  probe = { handled: 0, underWay: 0, mostUnderWay: 0, held: [] }
  listener = await listen(appOf(probe), { host: '127.0.0.1', port: 0, limits })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const answer of probe.held) answer()
  await listener.close()
})

function appOf(probe: Probe): Hono {
  const app = new Hono()
  app.onError((_, c) => c.text('failed', 400))
  app.use(async (_, next) => {
    probe.handled += 1
    probe.underWay += 1
    probe.mostUnderWay = Math.max(probe.mostUnderWay, probe.underWay)
    await next()
    probe.underWay -= 1
  })
  app.get('/number/:number', (c) => c.text(`<${c.req.param('number')}>`))
  app.get('/large', (c) => c.text('x'.repeat(LARGE_BYTES)))
  app.get('/health/live', (c) => c.text('live'))
  app.get('/held', async (c) => {
    await new Promise<void>((resolve) => probe.held.push(resolve))
    return c.text('held')
  })
  app.get('/aside', async (c) => {
    const waited = new Promise<void>((resolve) => probe.held.push(resolve))
    await (c.env as Bindings).releaseSlot?.(waited)
    return c.text('held')
  })
  app.post('/body', async (c) => c.text(await c.req.text()))
  app.get('/stream', (c) =>
    streamSSE(c, async (sink) => {
      await sink.writeSSE({ data: 'open' })
      await new Promise<void>((resolve) => sink.onAbort(resolve))
    }),
  )
  return app
}

/** A connection, and what came back on it. */
async function client() {
  const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
  })
  return { socket, text: () => text, get: (path: string) => socket.write(getOf(path)) }
}

function getOf(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}

it('handles pipelined requests one at a time, and answers all of them in their order', async () => {
  const numbers = Array.from({ length: 3000 }, (_, at) => at)
  const { socket, text } = await client()
  socket.write(numbers.map((number) => getOf(`/number/${number}`)).join(''))
  await vi.waitUntil(() => text().includes('<2999>'))
  const answered = [...text().matchAll(/<(\d+)>/g)].map(([, number]) => Number(number))
  expect(answered).toEqual(numbers)
  expect(probe.mostUnderWay).toBe(1)
})

it('reads bodies of pipelined requests, also where they come in pieces', async () => {
  const { socket, text } = await client()
  const bodyOf = (letter: string) => letter.repeat(100_000)
  const post = (letter: string) =>
    `POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n${bodyOf(letter)}`
  socket.write(['a', 'b', 'c'].map(post).join(''))
  await vi.waitUntil(() => text().includes(bodyOf('c')))
  expect(text()).toContain(bodyOf('a'))
  expect(text()).toContain(bodyOf('b'))
})

it('makes no further answer while the client does not take the one before', async () => {
  const { socket, text } = await client()
  socket.pause()
  socket.write(getOf('/large').repeat(50))
  await vi.waitUntil(() => probe.handled > 0)
  await (await fetch(`${listener.url}/number/1`)).text()
  // What the system buffers for a connection takes a few answers.
  expect(probe.handled).toBeLessThan(10)
  socket.resume()
  await vi.waitUntil(() => text().length > 50 * LARGE_BYTES)
})

it('handles so many requests of all connections at a time, and the others as these are answered', async () => {
  const clients = await Promise.all(Array.from({ length: 20 }, client))
  for (const { get } of clients) get('/held')
  await vi.waitUntil(() => probe.underWay === limits.handled)
  const health = await fetch(`${listener.url}/health/live`)
  expect(await health.text()).toBe('live')
  for (const _ of clients) (await vi.waitUntil(() => probe.held.shift()))()
  await vi.waitUntil(() => clients.every(({ text }) => text().includes('held')))
  // The one above the limit asked for the health.
  expect(probe.mostUnderWay).toBe(limits.handled + 1)
})

it('gives the place of a stream back once the stream is open', async () => {
  const streams = await Promise.all(Array.from({ length: 20 }, client))
  for (const { get } of streams) get('/stream')
  await vi.waitUntil(() => streams.every(({ text }) => text().includes('data: open')))
  expect(await (await fetch(`${listener.url}/number/7`)).text()).toBe('<7>')
})

it('forgets the request of a connection that is gone', async () => {
  const first = await Promise.all(Array.from({ length: limits.handled }, client))
  for (const { get } of first) get('/held')
  await vi.waitUntil(() => probe.underWay === limits.handled)
  const gone = await Promise.all(Array.from({ length: 20 }, client))
  for (const { get } of gone) get('/number/1')
  await (await fetch(`${listener.url}/health/live`)).text()
  for (const { socket } of gone) socket.resetAndDestroy()
  const asked = fetch(`${listener.url}/number/2`)
  await (await fetch(`${listener.url}/health/live`)).text()
  for (const answer of probe.held.splice(0)) answer()
  expect(await (await asked).text()).toBe('<2>')
  expect(probe.handled).toBe(limits.handled + 3)
})

it('handles no more than one of the requests that a connection left behind', async () => {
  const first = await Promise.all(Array.from({ length: limits.handled }, client))
  for (const { get } of first) get('/held')
  await vi.waitUntil(() => probe.underWay === limits.handled)
  const gone = await client()
  gone.socket.write(getOf('/number/1').repeat(500))
  await (await fetch(`${listener.url}/health/live`)).text()
  gone.socket.resetAndDestroy()
  await once(gone.socket, 'close')
  for (const answer of probe.held.splice(0)) answer()
  expect(await (await fetch(`${listener.url}/number/2`)).text()).toBe('<2>')
  expect(probe.handled).toBeLessThanOrEqual(limits.handled + 3)
})

it('gives the place of a body back that is never sent whole, once its connection is gone', async () => {
  const half = await Promise.all(Array.from({ length: limits.handled }, client))
  const head = 'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf'
  for (const { socket } of half) socket.write(head)
  await vi.waitUntil(() => probe.underWay === limits.handled)
  const answer = fetch(`${listener.url}/number/3`)
  for (const { socket } of half) socket.resetAndDestroy()
  expect(await (await answer).text()).toBe('<3>')
})

it('cuts a connection that brings more than may wait in all', async () => {
  const flooding = await Promise.all(Array.from({ length: 6 }, client))
  const closed = flooding.map(({ socket }) => once(socket, 'close').catch(() => undefined))
  for (const { socket } of flooding) {
    socket.write(getOf('/held') + getOf('/number/1').repeat(1400))
  }
  await Promise.race(closed)
  expect(await (await fetch(`${listener.url}/health/live`)).text()).toBe('live')
})

it('takes so many connections, and for a further one closes the oldest that never sent anything', async () => {
  const asking = await client()
  asking.get('/number/5')
  await vi.waitUntil(() => asking.text().includes('<5>'))
  const silent: Awaited<ReturnType<typeof client>>[] = []
  while (silent.length < limits.connections - 1) silent.push(await client())
  const oldest = once(silent[0]?.socket as Socket, 'close')
  const further = await client()
  await oldest
  for (const each of [asking, further, silent[1]]) each?.get('/number/6')
  await vi.waitUntil(() =>
    [asking, further, silent[1]].every((each) => each?.text().includes('<6>')),
  )
})

it('then closes one that is between two requests, then one whose body does not come', async () => {
  const held = await Promise.all(Array.from({ length: limits.connections - 2 }, client))
  for (const { get } of held) get('/held')
  const between = await client()
  between.get('/health/live')
  const unread = await client()
  unread.socket.write('POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n1234')
  await vi.waitUntil(() => between.text().includes('live') && probe.held.length === limits.handled)
  for (const least of [between, unread]) {
    const closed = once(least.socket, 'close')
    const further = await client()
    await closed
    further.get('/held')
  }
})

it('closes the one between two requests that was used longest ago', async () => {
  const used = async (each: Awaited<ReturnType<typeof client>>, number: number) => {
    each.get(`/number/${number}`)
    await vi.waitUntil(() => each.text().includes(`<${number}>`))
    return each
  }
  const first = await used(await client(), 1)
  const second = await used(await client(), 1)
  for (let count = 2; count < limits.connections; count += 1) await used(await client(), 1)
  await used(first, 2)
  const closed = once(second.socket, 'close')
  await client()
  await closed
  expect(first.socket.destroyed).toBe(false)
})

it('closes a further connection where all others wait for their answers', async () => {
  const held = await Promise.all(Array.from({ length: limits.connections }, client))
  // Node says so of those that wait in the queue, too.
  let read = 0
  const onRead = () => {
    read += 1
  }
  subscribe('http.server.request.start', onRead)
  for (const { get } of held) get('/held')
  await vi.waitUntil(() => read === limits.connections)
  unsubscribe('http.server.request.start', onRead)
  const further = await client()
  await once(further.socket, 'close')
  expect(held.every(({ socket }) => !socket.destroyed)).toBe(true)
})

it('closes in its grace period with requests waiting, and answers those that it can', async () => {
  const stuck = await Promise.all(Array.from({ length: limits.handled - 1 }, client))
  for (const { get } of stuck) get('/held')
  const pipelined = await client()
  await vi.waitUntil(() => probe.underWay === limits.handled - 1)
  pipelined.socket.write(getOf('/held') + getOf('/number/1').repeat(100) + getOf('/number/9'))
  await vi.waitUntil(() => probe.underWay === limits.handled)
  const waiting = await Promise.all(Array.from({ length: 10 }, client))
  for (const { get } of waiting) get('/number/1')
  const closing = listener.close()
  probe.held.pop()?.()
  await vi.waitUntil(() => pipelined.text().includes('<9>'))
  await closing
})

it('lets a client take the whole of an answer when it closes', async () => {
  const slow = await client()
  slow.socket.pause()
  slow.get('/large')
  await vi.waitUntil(() => probe.handled === 1 && probe.underWay === 0)
  const closing = listener.close()
  slow.socket.resume()
  await closing
  await vi.waitUntil(() => slow.text().length > LARGE_BYTES)
})

it('handles others in the place of those that step aside, and no more of them when these are back', async () => {
  const aside = await Promise.all(Array.from({ length: 6 }, client))
  for (const { get } of aside) get('/aside')
  await vi.waitUntil(() => probe.underWay === aside.length)
  for (const answer of probe.held.splice(0)) answer()
  await vi.waitUntil(() => aside.every(({ text }) => text().includes('held')))
  const clients = await Promise.all(Array.from({ length: 8 }, client))
  for (const { get } of clients) get('/held')
  await vi.waitUntil(() => probe.underWay === limits.handled)
  await (await fetch(`${listener.url}/health/live`)).text()
  expect(probe.underWay).toBe(limits.handled)
})
