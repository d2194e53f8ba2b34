import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { post } from '../../src/sandbox/post.ts'
import { Receivers } from '../../src/sandbox/receivers.ts'
import type { WireEventList } from '../../src/wire/events/event-schema.ts'
import type { WireDelivery } from '../../src/wire/events/webhook.ts'
import { inSandbox, openShop, type Shop } from '../support/control.ts'
import { type Behaviour, openReceiver, type Receiver, SECRET } from '../support/receiver.ts'

const DELIVERIES = '/sandbox/webhooks/deliveries'
const timing = { retryAfterMs: [10, 20, 30], timeoutMs: 2000 }
const SUBSCRIPTION = { customer_id: 'cus_ada', plan: 'basic' }

function patient(): Promise<Shop> {
  return openShop({}, 10, { webhooks: { timing } })
}

async function hook(shop: Shop, { url }: Pick<Receiver, 'url'>, more: object = {}) {
  const made = await shop.post('/sandbox/webhooks', { url, secret: SECRET, ...more })
  expect(made.status).toBe(201)
}

async function deliveriesOf(shop: Shop, query = ''): Promise<readonly WireDelivery[]> {
  return (await shop.get<{ data: WireDelivery[] }>(`${DELIVERIES}${query}`)).body.data
}

/** Waits until nothing is on its way any more, and answers the events that there were. */
async function settled(shop: Shop, count: number): Promise<readonly WireDelivery[]> {
  for (;;) {
    const deliveries = await deliveriesOf(shop)
    const over = deliveries.filter(({ status }) => status !== 'pending')
    if (over.length >= count) return deliveries
    await pause(5)
  }
}

async function eventsAfter(shop: Shop, seq: number) {
  return (await shop.get<WireEventList>(`/sandbox/events?after=${seq}`)).body.data
}

describe('a receiver', () => {
  it('that fails, hangs and recovers gets each event, in order, signed', async () => {
    const shop = await patient()
    const behaviours: Behaviour[] = [500, 'hang', 'drop', 200, 302, 200, 200]
    const receiver = await openReceiver((_, count) => behaviours[count - 1] ?? 204)
    await hook(shop, receiver)
    await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
    await shop.post('/sandbox/clock/advance', { by: 'P3M' })
    const events = await eventsAfter(shop, 0)
    const deliveries = await settled(shop, events.length)
    const [first, second, ...rest] = events.map(({ seq }) => seq)
    // Three attempts too many for the first, one for the second.
    expect(receiver.seqs()).toEqual([first, first, first, first, second, second, ...rest])
    expect(deliveries.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['delivered', 4],
      ['delivered', 2],
      ...rest.map(() => ['delivered', 1]),
    ])
    expect(receiver.heard.map(({ event }) => event)).toEqual(
      receiver.seqs().map((seq) => events.find((each) => each.seq === seq)),
    )
    // One identifier for all attempts.
    const ids = new Set(receiver.heard.slice(0, 4).map(({ id }) => id))
    expect([...ids]).toEqual([expect.stringMatching(`^default_wh_000001_${first}_[0-9a-f]{12}$`)])
    const [heard] = receiver.heard
    expect(heard).toMatchObject({ type: events[0]?.type, timestamp: events[0]?.at })
    expect(shop.log).toEqual([])
  })

  it('is given up after its attempts, event by event, and can be told again', async () => {
    const shop = await patient()
    let isUp = false
    const receiver = await openReceiver(() => (isUp ? 200 : 500))
    await hook(shop, receiver, { event_types: ['subscription.created', 'invoice.paid'] })
    await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
    const deliveries = await settled(shop, 2)
    expect(deliveries).toMatchObject([
      { status: 'failed', attempts: 4, reason: 'answered 500', event_type: 'subscription.created' },
      { status: 'failed', attempts: 4, reason: 'answered 500', event_type: 'invoice.paid' },
    ])
    const again = `${DELIVERIES}/${deliveries[0]?.delivery_id}/redeliver`
    const failed = { status: 'failed', attempts: 5, reason: 'answered 500' }
    expect(await shop.post(again)).toMatchObject({ status: 200, body: failed })
    isUp = true
    const delivered = { status: 'delivered', attempts: 6, reason: null }
    expect(await shop.post(again)).toMatchObject({ status: 200, body: delivered })
    expect(new Set([0, 8, 9].map((at) => receiver.heard[at]?.id)).size).toBe(1)
    expect(await deliveriesOf(shop, '?status=failed')).toHaveLength(1)
    expect(await deliveriesOf(shop, '?webhook_id=wh_000002')).toEqual([])
  })

  it('has an identifier that no event had before a reset or a restore', async () => {
    const shop = await patient()
    const receiver = await openReceiver(() => 200)
    await hook(shop, receiver, {})
    await shop.post('/sandbox/checkpoints', { name: 'before' })
    for (const back of ['/sandbox/checkpoints/before/restore', '/sandbox/reset', null]) {
      const heard = receiver.heard.length
      await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
      await vi.waitFor(() => expect(receiver.heard.length).toBeGreaterThan(heard + 1))
      if (back !== null) await shop.post(back)
    }
    const ids = receiver.heard.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('of a redelivery is not mixed up with what has its identifier after a reset', async () => {
    const shop = await patient()
    let answer: (status: number) => void = () => undefined
    const receiver = await openReceiver((_, count) =>
      count === 2 ? new Promise<number>((resolve) => (answer = resolve)) : 200,
    )
    await hook(shop, receiver, { event_types: ['subscription.created', 'sandbox.reset'] })
    await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
    const [first] = await settled(shop, 1)
    const again = shop.post(`${DELIVERIES}/${first?.delivery_id}/redeliver`)
    await receiver.until(2)
    await shop.post('/sandbox/reset')
    const [second] = await settled(shop, 1)
    expect(second?.delivery_id).toBe(first?.delivery_id)
    answer(500)
    expect((await again).status).toBe(404)
    expect(await deliveriesOf(shop)).toMatchObject([{ status: 'delivered', attempts: 1 }])
  })

  it('that is slow slows nobody, another webhook included', async () => {
    const slowly = { retryAfterMs: [], timeoutMs: 600_000 }
    const shop = await openShop({}, 10, { webhooks: { timing: slowly } })
    const slow = await openReceiver(() => 'hang')
    const quick = await openReceiver()
    await hook(shop, slow)
    await hook(shop, quick)
    await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
    expect((await shop.post('/sandbox/clock/advance', { by: 'P1Y' })).status).toBe(200)
    const events = await eventsAfter(shop, 0)
    await quick.until(events.length)
    expect(quick.seqs()).toEqual(events.map(({ seq }) => seq))
    expect(slow.heard).toHaveLength(1)
    shop.registry.stop()
  })
})

describe('what takes the place of the world', () => {
  it.each([
    ['a reset', async (shop: Shop) => shop.post('/sandbox/reset'), 'sandbox.reset'],
    [
      'a restore',
      async (shop: Shop) => shop.post('/sandbox/checkpoints/start/restore'),
      'sandbox.restored',
    ],
    [
      'an import',
      async (shop: Shop) => shop.call('PUT', '/sandbox/state', { bytes: await shop.state() }),
      'sandbox.restored',
    ],
  ])('leaves the webhooks alone: %s', async (_, replace, type) => {
    const shop = await patient()
    await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
    await shop.post('/sandbox/checkpoints', { name: 'start' })
    const receiver = await openReceiver()
    await hook(shop, receiver)
    const known = (await eventsAfter(shop, 0)).length
    await shop.post('/sandbox/clock/advance', { by: 'P1M' })
    const before = await settled(shop, (await eventsAfter(shop, known)).length)
    expect((await replace(shop)).status).toBe(200)
    await receiver.until(before.length + 1)
    // Nothing twice: only what happened since.
    expect(receiver.heard.at(-1)?.type).toBe(type)
    expect(receiver.heard).toHaveLength(before.length + 1)
    expect(await settled(shop, 1)).toMatchObject([{ event_type: type, status: 'delivered' }])
    const { body } = await shop.get<{ data: object[] }>('/sandbox/webhooks')
    expect(body.data).toMatchObject([{ webhook_id: 'wh_000001', url: receiver.url }])
  })

  it('knows nothing of what was on its way in the old world', async () => {
    const shop = await patient()
    let answer: (status: number) => void = () => undefined
    const receiver = await openReceiver((_, count) =>
      count === 1 ? new Promise<number>((resolve) => (answer = resolve)) : 200,
    )
    await hook(shop, receiver)
    await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
    await receiver.until(1)
    await shop.post('/sandbox/reset')
    answer(200)
    await receiver.until(2)
    // Both are number 1, each in its world.
    expect(receiver.heard.map(({ event, type }) => [event.seq, type])).toEqual([
      [1, 'subscription.created'],
      [1, 'sandbox.reset'],
    ])
    expect(await settled(shop, 1)).toMatchObject([{ event_type: 'sandbox.reset', attempts: 1 }])
  })
})

it('a fork, a checkpoint and a look ahead tell nobody', async () => {
  const shop = await patient()
  const receiver = await openReceiver()
  await hook(shop, receiver)
  await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
  const told = (await settled(shop, (await eventsAfter(shop, 0)).length)).length
  await shop.post('/sandbox/checkpoints', { name: 'here' })
  for (const from of [{ sandbox: 'default' }, { sandbox: 'default', checkpoint: 'here' }]) {
    const fork = await shop.post<{ sandbox_id: string }>('/sandboxes', { from })
    expect(fork.status).toBe(201)
    const other = inSandbox(shop, fork.body.sandbox_id)
    expect((await other.get<{ data: object[] }>('/sandbox/webhooks')).body.data).toEqual([])
    await other.post('/sandbox/clock/advance', { by: 'P3M' })
    await other.post('/sandbox/clock/advance', { by: 'P3M', lockstep: true })
  }
  await shop.post('/sandbox/clock/advance', { by: 'P1Y', dry_run: true })
  await shop.get('/sandbox/agenda')
  await pause(50)
  expect(receiver.heard).toHaveLength(told)
})

it('the state has the same bytes with a webhook as without', async () => {
  const states = new Set<string>()
  for (const isHooked of [true, false]) {
    const shop = await patient()
    const receiver = await openReceiver((_, count) => (count === 1 ? 500 : 200))
    if (isHooked) await hook(shop, receiver)
    else await shop.post('/sandbox/payment-outcomes', {})
    await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
    await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
    states.add(await shop.state())
  }
  expect(states.size).toBe(1)
})

it('a name that leads elsewhere when it is connected to is told nothing', async () => {
  const receiver = await openReceiver()
  const url = receiver.url.replace('127.0.0.1', 'localhost')
  const { signal } = new AbortController()
  const posted = post({ id: 'm', url, secret: SECRET, body: '{}' }, () => false, signal)
  await expect(posted).rejects.toMatchObject({ code: 'ENOTLOOPBACK' })
  expect(receiver.heard).toEqual([])
})

it('a host that is no longer allowed is told nothing', async () => {
  const receiver = await openReceiver()
  const { port } = new URL(receiver.url)
  const url = `http://receiver.test:${port}/hook`
  const message = { id: 'm', url, secret: SECRET, body: '{}' }
  const { signal } = new AbortController()
  expect(await new Receivers().deliver(message, 1000, signal)).toMatchObject({
    isDelivered: false,
    reason: expect.stringMatching(/^url must have the host localhost/),
  })
  const local = { ...message, url: `http://localhost:${port}/hook` }
  expect(await new Receivers().deliver(local, 1000, signal)).toEqual({ isDelivered: true })
})

it('does not have a webhook wait for the next attempt of a deleted one with its id', async () => {
  const slow = { ...timing, retryAfterMs: [3_600_000] }
  const shop = await openShop({}, 10, { webhooks: { timing: slow } })
  const [failing, working] = [await openReceiver(() => 500), await openReceiver(() => 200)]
  await hook(shop, failing)
  await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
  while (failing.heard.length === 0) await pause(5)
  await shop.call('DELETE', '/sandbox/webhooks/wh_000001')
  await hook(shop, working)
  await shop.post('/sandbox/clock/advance', { by: 'P1M' })
  while (working.heard.length === 0) await pause(5)
})

it('stops an advance in lockstep where the receiver ends whatever was due', async () => {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  const receiver = await openReceiver(async ({ type }) => {
    if (type !== 'subscription.renewed') return 200
    return (await shop.call('POST', '/v1/subscriptions/sub_000001/cancel', { headers })).status
  })
  await hook(shop, receiver)
  const advanced = await shop.post('/sandbox/clock/advance', { to_next: 3, lockstep: true })
  expect(advanced.body).toMatchObject({ to: '2027-02-01T00:00:00.000Z' })
})
