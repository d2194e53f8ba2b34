import type { SSEStreamingApi } from 'hono/streaming'
import { describe, expect, it } from 'vitest'
import { follow, startOf } from '../../../src/http/control/event-stream.ts'
import { WireEvent, type WireEventList } from '../../../src/wire/event.ts'
import { openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/events'

async function active(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  return shop
}

describe('the list of events', () => {
  it('lists what happened and what led to it, in pages', async () => {
    const shop = await active()
    const whole = await shop.get<WireEventList>(path)
    expect(whole.body.data.map((each) => each.type)).toEqual([
      'subscription.created',
      'invoice.created',
      'payment.succeeded',
      'invoice.paid',
    ])
    expect(whole.body.data[0]?.cause).toEqual({ kind: 'request', request_id: 'req_000001' })
    const first = await shop.get<WireEventList>(`${path}?limit=3`)
    expect(first.body).toMatchObject({ has_more: true, next_after: 3 })
    const second = await shop.get<WireEventList>(`${path}?limit=3&after=3`)
    expect(second.body).toMatchObject({ has_more: false, next_after: null })
    expect([...first.body.data, ...second.body.data]).toEqual(whole.body.data)
  })

  it('is empty after the newest, and knows no number beyond it', async () => {
    const shop = await active()
    expect((await shop.get(`${path}?after=4`)).body).toMatchObject({ data: [], has_more: false })
    const beyond = await shop.get(`${path}?after=5`)
    expect(beyond).toMatchObject({ status: 400, body: { errors: [{ field: 'after' }] } })
    for (const odd of [
      'after=-1',
      'after=x',
      'after=1.0',
      'limit=0',
      'limit=1001',
      'limit=',
      'x=1',
    ]) {
      expect((await shop.get(`${path}?${odd}`)).status, odd).toBe(400)
    }
  })
})

describe('the stream of events', () => {
  /** Opens a stream; answers a way to read its next events, and to hang up. */
  async function listen(shop: Shop, headers: Record<string, string> = {}, query = '') {
    const response = await shop.app.request(`${path}/stream${query}`, { headers })
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    if (reader === undefined) throw new Error('The stream has no body')
    let text = ''
    const next = async () => {
      while (!text.includes('\n\n')) {
        const { value, done } = await reader.read()
        if (done) return null
        text += value
      }
      const [block = '', ...rest] = text.split('\n\n')
      text = rest.join('\n\n')
      const field = (name: string) =>
        block
          .split('\n')
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? ''
      const event = WireEvent.parse(JSON.parse(field('data')))
      expect([field('id'), field('event')]).toEqual([String(event.seq), event.type])
      return event
    }
    return { next, hangUp: () => reader.cancel() }
  }

  it('sends what happens from now on', async () => {
    const shop = await active()
    const { next, hangUp } = await listen(shop)
    await shop.post('/sandbox/clock/advance', { by: 'P31D' })
    expect(await next()).toMatchObject({ seq: 5, type: 'subscription.renewed' })
    expect(await next()).toMatchObject({ seq: 6, type: 'invoice.created' })
    await hangUp()
  })

  it('goes on after the event that the client saw last', async () => {
    const shop = await active()
    const { next, hangUp } = await listen(shop, { 'Last-Event-ID': '2' })
    expect(await next()).toMatchObject({ seq: 3 })
    expect(await next()).toMatchObject({ seq: 4 })
    await hangUp()
  })

  it('begins after a number, and ends after as many events as were asked for', async () => {
    const shop = await active()
    const { next } = await listen(shop, {}, '?after=1&limit=2')
    expect(await next()).toMatchObject({ seq: 2 })
    expect(await next()).toMatchObject({ seq: 3 })
    expect(await next()).toBeNull()
  })

  it('waits for what is missing to its limit', async () => {
    const shop = await active()
    const { next } = await listen(shop, {}, '?after=3&limit=2')
    expect(await next()).toMatchObject({ seq: 4 })
    await shop.post('/sandbox/clock/advance', { by: 'P31D' })
    expect(await next()).toMatchObject({ seq: 5 })
    expect(await next()).toBeNull()
  })

  it('goes on where a client that reconnects was, and not at its first address', async () => {
    const shop = await active()
    const { next } = await listen(shop, { 'Last-Event-ID': '3' }, '?after=0&limit=1')
    expect(await next()).toMatchObject({ seq: 4 })
    expect(await next()).toBeNull()
  })

  it('sends the event of a reset, and goes on with what happens then', async () => {
    const shop = await active()
    const { next, hangUp } = await listen(shop)
    await shop.post('/sandbox/reset')
    expect(await next()).toMatchObject({ seq: 1, type: 'sandbox.reset' })
    await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' })
    expect(await next()).toMatchObject({ seq: 2, type: 'charge.succeeded' })
    await hangUp()
  })

  it('begins anew for a client that saw more than there is', async () => {
    const shop = await active()
    const { next, hangUp } = await listen(shop, { 'Last-Event-ID': '99' })
    expect(await next()).toMatchObject({ seq: 1 })
    await hangUp()
  })

  it('ends when its sandbox does, and when the process stops', async () => {
    const shop = await active()
    await shop.call('PUT', '/sandboxes/brief')
    const brief = await listen(shop, { 'Sandbox-Id': 'brief' })
    const lasting = await listen(shop)
    await shop.call('DELETE', '/sandboxes/brief')
    expect(await brief.next()).toBeNull()
    shop.registry.stop()
    expect(await lasting.next()).toBeNull()
  })

  it('leaves nothing behind of a sandbox that ended before it was followed', async () => {
    const sandbox = (await active()).registry.default
    const start = await sandbox.read((world) =>
      startOf(world, { lastEventId: undefined, after: 0 }),
    )
    await sandbox.close()
    const sink = { onAbort: () => undefined } as unknown as SSEStreamingApi
    await follow(sandbox, { start, limit: 1 }, sink)
    expect(sandbox.notifications.listenerCount('change')).toBe(0)
  })

  it('is not opened by HEAD', async () => {
    const shop = await active()
    const { status, headers, body } = await shop.app.request(`${path}/stream`, { method: 'HEAD' })
    expect([status, headers.get('Content-Type'), body]).toEqual([200, 'text/event-stream', null])
  })

  it('refuses a Last-Event-ID that is no number', async () => {
    const shop = await active()
    const headers = { 'Last-Event-ID': 'yesterday' }
    const refused = await shop.call('GET', `${path}/stream`, { headers })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'Last-Event-ID' }] } })
    const beyond = await shop.get(`${path}/stream?after=99`)
    expect(beyond).toMatchObject({ status: 400, body: { errors: [{ field: 'after' }] } })
  })
})
