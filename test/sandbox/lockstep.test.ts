import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { CAUSED_MAX, HANGS_MAX } from '../../src/sandbox/clock-moves.ts'
import type { WireAdvance } from '../../src/wire/billing/advance.ts'
import type { WireInvoice } from '../../src/wire/billing/invoice.ts'
import type { WireEvent } from '../../src/wire/events/event.ts'
import { PATIENCE_MS } from '../../vitest.config.ts'
import { openShop, type Shop } from '../support/control.ts'
import { type Behaviour, type Handler, openReceiver, SECRET } from '../support/receiver.ts'

const ADVANCE = '/sandbox/clock/advance'
const YEAR = { by: 'P1Y', lockstep: true }
const KEY = { Authorization: 'Bearer sk_sandbox_default' }

/** Ada and Linus pay by the month; Ada's card fails from February on, and she is given up on the fifth attempt. */
async function subscribed(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_linus', plan: 'pro' })
  await shop.post('/sandbox/payment-outcomes', { customer_id: 'cus_ada', always: 'card_declined' })
  return shop
}

async function hook(shop: Shop, url: string, more: object = {}): Promise<void> {
  expect((await shop.post('/sandbox/webhooks', { url, secret: SECRET, ...more })).status).toBe(201)
}

function advance(shop: Shop, order: object = YEAR) {
  return shop.post<WireAdvance>(ADVANCE, order)
}

/** Cancels the subscription whose payment failed, at the second failure; answers as told otherwise. */
function cancelsOnSecond(shop: Shop, behaviour: () => Behaviour | Promise<Behaviour>): Handler {
  let failures = 0
  return async ({ type, event }) => {
    if (type !== 'payment.failed') return 200
    failures += 1
    if (failures !== 2) return 200
    const { body } = await shop.get<WireInvoice>(`/sandbox/invoices/${event.subject.id}`)
    const path = `/v1/subscriptions/${body.subscription_id}/cancel`
    expect((await shop.call('POST', path, { headers: KEY })).status).toBe(200)
    return behaviour()
  }
}

const CANCELED_AT = '2027-02-02T00:00:00.000Z'

describe('a receiver that cancels on the second failed payment', () => {
  const behaviours: readonly [
    string,
    Partial<WireAdvance>,
    () => Behaviour | Promise<Behaviour>,
  ][] = [
    ['answers at once', {}, () => 200],
    ['answers late', {}, () => pause(150).then(() => 200)],
    ['fails', {}, () => 500],
    ['drops the connection', {}, () => 'drop'],
    ['redirects', {}, () => 302],
  ]
  it.each(behaviours)('changes the year at that instant when it %s', async (_, __, behaviour) => {
    const shop = await subscribed()
    const receiver = await openReceiver(cancelsOnSecond(shop, behaviour))
    await hook(shop, receiver.url)
    const { status, body } = await advance(shop)
    expect(status).toBe(200)
    expect(body).toMatchObject({ to: '2028-01-01T00:00:00.000Z', stopped_because: 'reached' })
    const canceled = body.events.filter(({ type }) => type === 'subscription.canceled')
    expect(canceled).toMatchObject([
      { at: CANCELED_AT, subject: { id: 'sub_000001' }, detail: { reason: 'requested' } },
    ])
    expect(body.events.filter(({ type }) => type === 'payment.failed')).toHaveLength(2)
    expect(body.events_total).toBe(body.events.length)
    // In order, what its own call caused included.
    expect(receiver.seqs()).toEqual(body.events.map(({ seq }) => seq))
    expect(shop.log).toEqual([])
  })

  it('leaves the same bytes on ten runs, whether it answers at once, late or not at all', async () => {
    const states = new Set<string>()
    for (let run = 0; run < 10; run += 1) {
      const shop = await subscribed()
      const behaviour = behaviours[run % behaviours.length]?.[2] ?? (() => 200)
      const receiver = await openReceiver(cancelsOnSecond(shop, behaviour))
      await hook(shop, receiver.url)
      await advance(shop)
      states.add(await shop.state())
    }
    expect(states.size).toBe(1)
    expect([...states][0]).toContain('subscription.canceled')
  })
})

describe('an advance in lockstep', () => {
  it('stops only where something is for a webhook, and says what came of it', async () => {
    const shop = await subscribed()
    const at: string[] = []
    const receiver = await openReceiver(async ({ event }) => {
      at.push((await shop.get<{ now: string }>('/sandbox/clock')).body.now)
      return event.at === '2027-02-04T00:00:00.000Z' ? 503 : 200
    })
    await hook(shop, receiver.url, { event_types: ['payment.failed'] })
    const { body } = await advance(shop)
    expect(at).toEqual(receiver.heard.map(({ timestamp }) => timestamp))
    expect(at.map((instant) => instant.slice(5, 10))).toEqual([
      '02-01',
      '02-02',
      '02-04',
      '02-06',
      '02-08',
    ])
    const [, , failed] = receiver.heard
    expect(body.deliveries).toEqual({
      delivered: 4,
      failed: 1,
      failures: [
        {
          webhook_id: 'wh_000001',
          delivery_id: `wh_000001_${failed?.event.seq}`,
          event_seq: failed?.event.seq,
          reason: 'answered 503',
        },
      ],
      left_out: [],
    })
    const listed = await shop.get<{ data: object[] }>('/sandbox/webhooks/deliveries?status=failed')
    expect(listed.body.data).toMatchObject([{ attempts: 1, reason: 'answered 503' }])
  })

  it.each([
    [{ to: '2027-02-08T00:00:00Z' }, 'reached', '2027-02-08T00:00:00.000Z'],
    [{ to_next: 2 }, 'reached', '2027-02-02T00:00:00.000Z'],
    [
      { until: { subscription_id: 'sub_000001', status: 'canceled' }, within: 'P1Y' },
      'condition_met',
      '2027-02-08T00:00:00.000Z',
    ],
    [
      { until: { subscription_id: 'sub_000002', status: 'canceled' }, within: 'P40D' },
      'condition_not_met',
      '2027-02-10T00:00:00.000Z',
    ],
  ])('with %o goes where one without lockstep does', async (order, reason, to) => {
    const shop = await subscribed()
    const plain = await subscribed()
    const receiver = await openReceiver()
    await hook(shop, receiver.url)
    const { deliveries, ...told } = (await advance(shop, { ...order, lockstep: true })).body
    const { body } = await advance(plain, order)
    expect(told).toMatchObject({ stopped_because: reason, to })
    expect({ ...told, events: told.events.map(({ cause: _, ...each }) => each) }).toEqual({
      ...body,
      events: body.events.map(({ cause: _, ...each }) => each),
    })
    expect(deliveries?.delivered).toBe(body.events_total)
  })

  it('ends at an instant at which a receiver meets the condition', async () => {
    const shop = await subscribed()
    const receiver = await openReceiver(cancelsOnSecond(shop, () => 200))
    await hook(shop, receiver.url)
    const until = { subscription_id: 'sub_000001', status: 'canceled' }
    const { body } = await advance(shop, { until, within: 'P1Y', lockstep: true })
    expect(body).toMatchObject({ stopped_because: 'condition_met', to: CANCELED_AT })
    expect(receiver.seqs()).toEqual(body.events.map(({ seq }) => seq))
  })

  it('tells several webhooks of one event before the next, in the order in which they were made', async () => {
    const shop = await subscribed()
    const order: string[] = []
    for (const name of ['first', 'second']) {
      const { url } = await openReceiver(({ event }) => {
        order.push(`${event.seq} ${name}`)
        return 200
      })
      await hook(shop, url)
    }
    const { body } = await advance(shop, { by: 'P31D', lockstep: true })
    expect(order).toEqual(body.events.flatMap(({ seq }) => [`${seq} first`, `${seq} second`]))
  })

  it('keeps the clock to itself while a receiver works, and serves everything else', async () => {
    const shop = await subscribed()
    const codes: unknown[] = []
    const receiver = await openReceiver(async (_, count) => {
      if (count > 1) return 200
      const moves = [
        shop.post(ADVANCE, { by: 'P1D' }),
        shop.post(ADVANCE, { by: 'P1D', lockstep: true }),
        shop.call('PUT', '/sandbox/clock', { json: { now: '2027-12-01' } }),
        shop.call('PUT', '/sandbox/clock', { json: { mode: 'running' } }),
      ]
      for (const { status, body } of await Promise.all(moves)) {
        codes.push([status, (body as { code: string }).code])
      }
      const looks = [
        shop.post(ADVANCE, { by: 'P1D', dry_run: true }),
        shop.get('/sandbox/agenda'),
        shop.post('/sandbox/subscriptions', { customer_id: 'cus_linus', plan: 'pro' }),
      ]
      for (const { status } of await Promise.all(looks)) codes.push(status)
      return 200
    })
    await hook(shop, receiver.url)
    const { body } = await advance(shop)
    expect(codes).toEqual([...Array(4).fill([409, 'clock_busy']), 200, 200, 201])
    expect(body).toMatchObject({ stopped_because: 'reached', to: '2028-01-01T00:00:00.000Z' })
    expect((await advance(shop, { by: 'P1D' })).status).toBe(200)
  })

  it('goes on without a receiver that hangs three times, and tells it the rest afterwards', async () => {
    const shop = await subscribed()
    const { body: before } = await shop.call<{ data: WireEvent[] }>('GET', '/sandbox/events')
    const last = before.data.length + HANGS_MAX
    const receiver = await openReceiver(({ event: { seq } }) => (seq <= last ? 'hang' : 200))
    await hook(shop, receiver.url)
    const { body } = await advance(shop, { ...YEAR, receiver_timeout_ms: 50 })
    expect(body).toMatchObject({ stopped_because: 'reached', to: '2028-01-01T00:00:00.000Z' })
    expect(body.deliveries).toMatchObject({ failed: HANGS_MAX, left_out: ['wh_000001'] })
    expect(body.deliveries?.failures[0]?.reason).toBe('no answer within 50 ms')
    // On a busy machine a call can be given up before the receiver sees it.
    const later = (seqs: readonly number[]) => seqs.filter((seq) => seq > last)
    const rest = later(body.events.map(({ seq }) => seq))
    await vi.waitFor(() => expect(later(receiver.seqs())).toEqual(rest), { timeout: PATIENCE_MS })
  })

  it('ends where a receiver causes one event after the other', async () => {
    const shop = await openShop()
    const subscription = { customer_id: 'cus_ada', plan: 'basic' }
    await shop.post('/sandbox/subscriptions', subscription)
    const charge = { customer_id: 'cus_ada', amount: 100, currency: 'USD' }
    const receiver = await openReceiver(async (_, count) => {
      // The stop of the test ends the loop that goes on in the background.
      if (count > CAUSED_MAX + 10) return 'hang'
      await shop.post('/sandbox/charges', charge)
      return 200
    })
    await hook(shop, receiver.url, {
      event_types: ['subscription.renewed', 'charge.succeeded'],
    })
    const { body } = await advance(shop)
    expect(body).toMatchObject({ stopped_because: 'receiver_loop', to: '2027-02-01T00:00:00.000Z' })
    expect(body.deliveries?.delivered).toBe(CAUSED_MAX + 1)
    await shop.call('DELETE', '/sandbox/webhooks/wh_000001')
  })

  it.each([
    ['reset', (shop: Shop) => shop.post('/sandbox/reset')],
    ['restored', (shop: Shop) => shop.post('/sandbox/checkpoints/start/restore')],
    [
      'imported',
      async (shop: Shop) => shop.call('PUT', '/sandbox/state', { bytes: await shop.state() }),
    ],
  ])('ends with a sandbox that is %s, and says so', async (_, replace) => {
    const shop = await subscribed()
    await shop.post('/sandbox/checkpoints', { name: 'start' })
    let replaced: number | null = null
    const receiver = await openReceiver(async ({ event }) => {
      if (event.type === 'payment.failed') replaced = (await replace(shop)).status
      return 200
    })
    await hook(shop, receiver.url)
    const { status, body } = await advance(shop)
    expect([status, replaced]).toEqual([200, 200])
    expect(body.stopped_because).toBe('replaced')
    expect(body.events.at(-1)?.at).toBe('2027-02-01T00:00:00.000Z')
    expect(body.to).toBe((await shop.get<{ now: string }>('/sandbox/clock')).body.now)
    await receiver.until(body.events.findIndex(({ type }) => type === 'payment.failed') + 2)
    expect(receiver.heard.at(-1)?.type).toMatch(/^sandbox[.]re(?:set|stored)$/)
  })

  it('needs a clock that stands, and something that happens', async () => {
    const shop = await openShop({ startsRunning: true })
    const running = await advance(shop)
    expect(running).toMatchObject({ status: 409, body: { code: 'clock_running' } })
    const dry = await advance(shop, { ...YEAR, dry_run: true })
    expect(dry).toMatchObject({ status: 400, body: { errors: [{ field: 'lockstep' }] } })
    for (const receiver_timeout_ms of [0, 60_001, '5']) {
      const refused = await advance(shop, { ...YEAR, receiver_timeout_ms })
      expect(refused).toMatchObject({ body: { errors: [{ field: 'receiver_timeout_ms' }] } })
    }
  })

  it('ends at a whole instant when the sandbox stops', async () => {
    const shop = await subscribed()
    const receiver = await openReceiver(({ event }) =>
      event.type === 'payment.failed' ? 'hang' : 200,
    )
    await hook(shop, receiver.url)
    const advanced = advance(shop, { ...YEAR, receiver_timeout_ms: 60_000 })
    await receiver.until(1)
    while (receiver.heard.at(-1)?.type !== 'payment.failed') await pause(5)
    shop.registry.stop()
    const { body } = await advanced
    expect(body).toMatchObject({ stopped_because: 'stopped', to: '2027-02-01T00:00:00.000Z' })
  })
})
