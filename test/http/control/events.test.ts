import type { SSEStreamingApi } from 'hono/streaming'
import { describe, expect, it, vi } from 'vitest'
import { eventSource } from '../../../src/http/control/events.ts'
import { sendFrames } from '../../../src/http/control/server-sent.ts'
import { EventSchema, type WireEventList } from '../../../src/wire/events/event-schema.ts'
import { chanceOf, seeded } from '../../support/chance.ts'
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
    const newest = await shop.get<WireEventList>(`${path}?limit=3&order=newest`)
    expect(newest.body).toMatchObject({ has_more: true, next_after: 2 })
    const oldest = await shop.get<WireEventList>(`${path}?limit=3&order=newest&after=2`)
    expect(oldest.body).toMatchObject({ has_more: false, next_after: null })
    expect([...newest.body.data, ...oldest.body.data].reverse()).toEqual(whole.body.data)
    const last = await shop.get<WireEventList>(`${path}?order=newest&after=1`)
    expect(last.body.data).toEqual([])
  })

  it('lists those of a type, and those about something, in pages', async () => {
    const shop = await active()
    await shop.post('/sandbox/clock/advance', { by: 'P62D' })
    const { data } = (await shop.get<WireEventList>(path)).body
    const listed = async (query: string) => (await shop.get<WireEventList>(`${path}?${query}`)).body
    const paid = data.filter(({ type }) => type === 'invoice.paid')
    expect(paid).toHaveLength(3)
    const first = await listed('type=invoice.paid&limit=2')
    expect(first).toMatchObject({
      data: paid.slice(0, 2),
      has_more: true,
      next_after: paid[1]?.seq,
    })
    const second = await listed(`type=invoice.paid&limit=2&after=${first.next_after}`)
    expect(second).toMatchObject({ data: paid.slice(2), has_more: false, next_after: null })
    const about = data.filter(({ subject: { id } }) => id === 'inv_000002')
    expect((await listed('subject_kind=invoice&subject_id=inv_000002')).data).toEqual(about)
    expect((await listed('subject_id=inv_000002&type=invoice.paid')).data).toEqual(
      about.filter(({ type }) => type === 'invoice.paid'),
    )
    expect((await listed('subject_kind=charge&subject_id=inv_000002')).data).toEqual([])
  })

  it.each([
    ['type=invoice.payed', 'type', 'invoice.paid'],
    ['subject_kind=plan', 'subject_kind', 'token_family'],
    ['subject_id=', 'subject_id', 'is empty'],
  ])('refuses the filter %s', async (query, field, words) => {
    const refused = await (await active()).get(`${path}?${query}`)
    const message = expect.stringContaining(words)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field, message }] } })
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
      const event = EventSchema.parse(JSON.parse(field('data')))
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

  it('sends those of its filter alone, and waits for the next of them', async () => {
    const shop = await active()
    const { next, hangUp } = await listen(shop, {}, '?after=0&type=invoice.paid')
    expect(await next()).toMatchObject({ seq: 4, type: 'invoice.paid' })
    await shop.post('/sandbox/clock/advance', { by: 'P31D' })
    expect(await next()).toMatchObject({ type: 'invoice.paid', subject: { id: 'inv_000002' } })
    await shop.post('/sandbox/reset')
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    expect(await next()).toMatchObject({ seq: 5, type: 'invoice.paid' })
    await hangUp()
  })

  it('sends each event once and in order to a client that reconnects at random', async () => {
    await seeded(async (seed) => {
      const shop = await active()
      const chance = chanceOf(seed)
      const seen: number[] = []
      while (seen.length < 120) {
        const { next, hangUp } = await listen(shop, { 'Last-Event-ID': `${seen.at(-1) ?? 0}` })
        const order = shop.post('/sandbox/clock/advance', { by: 'P31D' })
        for (let left = 1 + Math.floor(chance() * 4); left > 0; left -= 1) {
          seen.push(Number((await next())?.seq))
        }
        await Promise.all(chance() < 0.5 ? [hangUp(), order] : [order.then(hangUp)])
      }
      expect(seen).toEqual(seen.map((_, index) => index + 1))
    })
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

  it('sends the event of a reset, and all after it, to a client that reads late', async () => {
    const shop = await active()
    const sandbox = shop.registry.default
    const start = { replacements: sandbox.replacements, seq: 3 }
    const sent: string[] = []
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const write = async (piece: Uint8Array) => {
      const names = Buffer.from(piece)
        .toString()
        .matchAll(/^event: (.*)$/gm)
      sent.push(...[...names].map(([, name = '']) => name))
      await released
    }
    const sink = { onAbort: () => undefined, write } as unknown as SSEStreamingApi
    const source = eventSource(sandbox, { start, limit: 6, matches: () => true })
    const following = sendFrames(sandbox, source, sink)
    await vi.waitUntil(() => sent.length > 0)
    await shop.post('/sandbox/reset')
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    release()
    await following
    expect(sent).toEqual([
      'invoice.paid',
      'sandbox.reset',
      'subscription.created',
      'invoice.created',
      'payment.succeeded',
      'invoice.paid',
    ])
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
    const start = { replacements: 0, seq: 0 }
    const source = eventSource(sandbox, { start, limit: 1, matches: () => true })
    await sandbox.close()
    const sink = { onAbort: () => undefined } as unknown as SSEStreamingApi
    await sendFrames(sandbox, source, sink)
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
