/** Faults as a client meets them, on a real port and on a bare connection. */
import { setTimeout as pause } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listen } from '../../../src/server/listen.ts'
import {
  type FaultyShop,
  faultsOf,
  faultsPath,
  fetchSubscribe,
  loggedCalls,
  makeFault,
  openFaultyShop,
  partsOf,
  rawSubscribe,
  sendRaw,
  subscribe,
  subscriptionsIn,
} from '../../support/fault-client.ts'

let open: FaultyShop

beforeEach(async () => {
  open = await openFaultyShop()
})
afterEach(() => open.listener.close())

const lengthIn = (head: string) => Number(/content-length: (\d+)/i.exec(head)?.[1])

describe('a status', () => {
  it('is answered with body and headers, marked with the fault, and nothing is done', async () => {
    const effect = { status: 429, headers: { 'Retry-After': '2' }, body: { error: 'later' } }
    const { fault_id: id } = await makeFault(open.shop, { times: 1, effect })
    const answer = await fetchSubscribe(open)
    expect(answer.status).toBe(429)
    expect(answer.headers.get('Retry-After')).toBe('2')
    expect(answer.headers.get('Sandbox-Fault')).toBe(id)
    expect(answer.headers.get('Sandbox-Id')).toBe('default')
    expect(answer.headers.get('Sandbox-Assumptions')).toBeNull()
    expect(await answer.json()).toEqual({ error: 'later' })
    expect(await subscriptionsIn(open.shop)).toBe(0)
    const next = await fetchSubscribe(open)
    expect([next.status, next.headers.get('Sandbox-Fault')]).toEqual([200, null])
  })

  it('has the media type of its headers, however they are spelled', async () => {
    const headers = { 'content-type': 'text/html' }
    await makeFault(open.shop, { effect: { status: 502, headers, body: '<h1>Down</h1>' } })
    expect((await fetchSubscribe(open)).headers.get('Content-Type')).toBe('text/html')
  })

  it.each([
    [400, 'invalid_request'],
    [401, 'unauthorized'],
    [403, 'invalid_grant'],
  ])('%i has the error body that the interface shows where none is given', async (status, code) => {
    const { fault_id: id } = await makeFault(open.shop, { effect: { status } })
    const answer = await fetchSubscribe(open)
    expect(answer.headers.get('Content-Type')).toBe('application/json')
    const message = `Fault ${id} answers this call.`
    expect([answer.status, await answer.json()]).toEqual([status, { error: code, message }])
  })

  it('that the interface shows no error of has no body unless one is given', async () => {
    await makeFault(open.shop, { times: 1, effect: { status: 503 } })
    await makeFault(open.shop, { effect: { status: 502, body: 'Bad gateway' } })
    const bare = await fetchSubscribe(open)
    expect([bare.status, bare.headers.get('Content-Type'), await bare.text()]).toEqual([
      503,
      null,
      '',
    ])
    const text = await fetchSubscribe(open)
    expect(text.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
    expect([text.status, await text.text()]).toEqual([502, 'Bad gateway'])
  })
})

describe('a delay', () => {
  it.each(['before', 'after'])('%s the operation leaves the answer to it', async (when) => {
    await makeFault(open.shop, { when, effect: { delay_ms: 4000 } })
    const start = performance.now()
    const answering = fetchSubscribe(open)
    await vi.waitUntil(async () => (await faultsOf(open.shop))[0]?.used === 1)
    const made = when === 'before' ? 0 : 1
    await vi.waitFor(async () => expect(await subscriptionsIn(open.shop)).toBe(made))
    const answer = await answering
    expect(performance.now() - start).toBeGreaterThan(3990)
    expect(await answer.json()).toMatchObject({ subscription_id: 'sub_000001' })
    expect(answer.headers.get('Sandbox-Fault')).toBe('flt_000001')
    expect(answer.headers.get('Sandbox-Assumptions')).toContain('subscription-fields')
  })

  it.each([
    ['before', 0],
    ['after', 1],
  ])('%s the operation ends when its client is gone, and the call goes on', async (when, done) => {
    await makeFault(open.shop, { when, effect: { delay_ms: 60_000 } })
    const raw = await sendRaw(open, rawSubscribe())
    await vi.waitUntil(async () => (await faultsOf(open.shop))[0]?.used === 1)
    await vi.waitFor(async () => expect(await subscriptionsIn(open.shop)).toBe(done))
    raw.socket.destroy()
    await raw.ended
    await vi.waitUntil(async () => (await loggedCalls(open.shop)) === 1)
    expect(await subscriptionsIn(open.shop)).toBe(1)
  })

  it('carries nothing over into the world after a reset', async () => {
    await makeFault(open.shop, { effect: { delay_ms: 3000 } })
    const dropped = expect(fetchSubscribe(open)).rejects.toThrow('fetch failed')
    await vi.waitUntil(async () => (await faultsOf(open.shop))[0]?.used === 1)
    await open.shop.post('/sandbox/reset')
    await dropped
    expect(await subscriptionsIn(open.shop)).toBe(0)
  })

  it('holds up no call but its own, however few are handled at a time', async () => {
    const narrow = await openFaultyShop({ handled: 1, pending: 10, connections: 20, lookMs: 2000 })
    await makeFault(narrow.shop, { times: 2, effect: { delay_ms: 60_000 } })
    const slow = [fetchSubscribe(narrow), fetchSubscribe(narrow)]
    await vi.waitUntil(async () => (await faultsOf(narrow.shop))[0]?.used === 2)
    expect((await fetch(`${narrow.listener.url}${faultsPath}`)).status).toBe(200)
    expect((await fetchSubscribe(narrow)).status).toBe(200)
    narrow.shop.registry.stop()
    expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([200, 200])
    await narrow.listener.close()
  })
})

it('a delayed call with a long body keeps its place among those that are handled', async () => {
  const narrow = await openFaultyShop({ handled: 1, pending: 10, connections: 20, lookMs: 2000 })
  await makeFault(narrow.shop, { times: 1, effect: { delay_ms: 500 } })
  const start = performance.now()
  const slow = fetchSubscribe(narrow, { note: 'x'.repeat(65_536) })
  await vi.waitUntil(async () => (await faultsOf(narrow.shop))[0]?.used === 1)
  expect((await fetchSubscribe(narrow)).status).toBe(200)
  expect(performance.now() - start).toBeGreaterThan(490)
  await slow
  await narrow.listener.close()
})

describe('a dropped connection', () => {
  it('ends without a byte, and the next one is served', async () => {
    await makeFault(open.shop, { times: 1, effect: { drop: true } })
    // The second call is sent behind the first one on the same connection, and goes with it.
    const raw = await sendRaw(open, rawSubscribe() + rawSubscribe())
    await raw.ended
    expect(raw.text()).toBe('')
    expect(await subscriptionsIn(open.shop)).toBe(0)
    expect((await fetchSubscribe(open)).status).toBe(200)
  })

  it('after the operation is work that was done, as a client that retries meets it', async () => {
    await makeFault(open.shop, { times: 1, when: 'after', effect: { drop: true } })
    await expect(fetchSubscribe(open)).rejects.toThrow('fetch failed')
    expect(await subscriptionsIn(open.shop)).toBe(1)
    await fetchSubscribe(open)
    expect(await subscriptionsIn(open.shop)).toBe(2)
  })
})

describe('a body', () => {
  it('that is cut announces more than comes, and the operation was carried out', async () => {
    await makeFault(open.shop, { effect: { cut: true } })
    const raw = await sendRaw(open, rawSubscribe())
    await raw.ended
    const { head, body } = partsOf(raw.text())
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    expect(body).toMatch(/^\{"subscription_id":"sub_000001"/)
    expect(body.length).toBe(Math.floor(lengthIn(head) / 2))
    const answer = await fetchSubscribe(open)
    await expect(answer.text()).rejects.toThrow('terminated')
    expect(await subscriptionsIn(open.shop)).toBe(2)
  })

  it('that is cut is cut also where something around looked at the answer', async () => {
    const around = new Hono()
    around.use(async (c, next) => {
      await next()
      expect(c.res.body?.locked).toBe(false)
    })
    around.route('/', open.shop.app)
    const listener = await listen(around, { host: '127.0.0.1', port: 0 })
    await makeFault(open.shop, { effect: { cut: true } })
    const raw = await sendRaw({ ...open, listener }, rawSubscribe())
    await raw.ended
    const { head, body } = partsOf(raw.text())
    expect(body.length).toBe(Math.floor(lengthIn(head) / 2))
    await listener.close()
  })

  it('that is cut although there is none announces one all the same', async () => {
    await makeFault(open.shop, { effect: { status: 500, cut: true } })
    const raw = await sendRaw(open, rawSubscribe())
    await raw.ended
    const { head, body } = partsOf(raw.text())
    expect([/^HTTP\/1\.1 500 /.test(head), lengthIn(head), body]).toEqual([true, 1, ''])
  })

  it('that is malformed comes whole, and is no JSON', async () => {
    const { when } = await makeFault(open.shop, { times: 1, effect: { malformed: true } })
    expect(when).toBe('after')
    await makeFault(open.shop, { effect: { status: 503, malformed: true } })
    const answer = await fetchSubscribe(open)
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    const text = await answer.text()
    expect(text.length).toBe(Number(answer.headers.get('Content-Length')))
    expect(() => JSON.parse(text)).toThrow()
    expect(JSON.parse(`${text}}`)).toMatchObject({ subscription_id: 'sub_000001' })
    expect(await (await fetchSubscribe(open)).text()).toBe('{')
  })

  it('that is slow comes in pieces, and the next call of its connection after it', async () => {
    await makeFault(open.shop, { times: 1, effect: { slow_ms: 800 } })
    const raw = await sendRaw(open, rawSubscribe() + rawSubscribe())
    await vi.waitUntil(() => raw.text().includes('sub_000002'))
    raw.socket.destroy()
    const [first, second] = raw.text().split(/(?=HTTP\/1\.1 )/)
    const { head, body } = partsOf(first ?? '')
    expect(body.length).toBe(lengthIn(head))
    expect(JSON.parse(body)).toMatchObject({ subscription_id: 'sub_000001' })
    // A client with other work takes several at once.
    expect(raw.pieces.length).toBeGreaterThan(2)
    expect(raw.pieces.at(-1)?.afterMs).toBeGreaterThan(780)
    expect(second).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a call inside the process', () => {
  it('shows which fault hit it to what stands around it', async () => {
    await makeFault(open.shop, { times: 1, when: 'after', effect: { drop: true } })
    const seen: (string | undefined)[] = []
    const around = new Hono()
    around.use(async (c, next) => {
      await next()
      seen.push(c.get('fault'))
    })
    around.route('/', open.shop.app)
    for (let left = 2; left > 0; left -= 1) await subscribe({ ...open.shop, app: around })
    expect(seen).toEqual(['flt_000001', undefined])
  })

  it('that is dropped gets the network error of fetch', async () => {
    await makeFault(open.shop, { effect: { drop: true } })
    const { type, status } = await subscribe(open.shop)
    expect([type, status]).toEqual(['error', 0])
  })

  it('that is cut ends in an error when its body is read, and a slow one comes whole', async () => {
    await makeFault(open.shop, { times: 1, effect: { cut: true } })
    await makeFault(open.shop, { effect: { slow_ms: 100 } })
    await expect((await subscribe(open.shop)).text()).rejects.toThrow(TypeError)
    expect(await (await subscribe(open.shop)).json()).toMatchObject({ status: 'active' })
  })
})

describe('a stop', () => {
  it.each([
    ['a delay', { delay_ms: 60_000 }],
    ['a slow body', { slow_ms: 60_000 }],
  ])('does not wait for %s', async (_, effect) => {
    await makeFault(open.shop, { effect })
    const answering = fetchSubscribe(open).then((answer) => answer.json())
    await vi.waitUntil(async () => (await faultsOf(open.shop))[0]?.used === 1)
    await pause(50)
    const start = performance.now()
    open.shop.registry.stop()
    await Promise.all([open.listener.close(), answering])
    expect(performance.now() - start).toBeLessThan(30_000)
    expect(await answering).toMatchObject({ subscription_id: 'sub_000001' })
    open = await openFaultyShop()
  })

  it('waits for no delay that begins after it, and all calls of a connection are answered', async () => {
    await makeFault(open.shop, { effect: { delay_ms: 60_000 } })
    const raw = await sendRaw(open, rawSubscribe().repeat(3))
    await vi.waitUntil(async () => (await faultsOf(open.shop))[0]?.used === 1)
    await pause(50)
    open.shop.registry.stop()
    await Promise.all([open.listener.close(), raw.ended])
    expect(raw.text().match(/sub_00000\d/g)).toEqual(['sub_000001', 'sub_000002', 'sub_000003'])
    open = await openFaultyShop()
  })
})
