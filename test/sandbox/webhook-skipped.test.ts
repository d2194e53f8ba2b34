/** Webhooks that are further behind than events are kept. */
import { afterEach, expect, it, vi } from 'vitest'
import { Session } from '../../src/sandbox/session.ts'
import type { WireDelivery } from '../../src/wire/events/webhook.ts'
import { TimeSlice } from '../../src/world/time-slice.ts'
import { openShop, type Shop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { openReceiver, SECRET } from '../support/receiver.ts'
import { storeIn } from '../support/store.ts'

vi.mock('../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  EVENTS_KEPT: 12,
}))

afterEach(() => {
  vi.restoreAllMocks()
})

const SUBSCRIPTION = { customer_id: 'cus_ada', plan: 'basic' }
const CHARGE = { customer_id: 'cus_ada', amount: 5, currency: 'USD' }

async function hook(shop: Shop, url: string, eventTypes?: readonly string[]) {
  const types = eventTypes === undefined ? {} : { event_types: eventTypes }
  const made = await shop.post('/sandbox/webhooks', { url, secret: SECRET, ...types })
  expect(made.status).toBe(201)
}

/** Something to wait for. */
function gateway() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Ada for a year: 52 events, of which the newest 12 are kept. */
async function yearOfAda(shop: Shop) {
  await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
  await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
}

async function standing(shop: Shop) {
  const { body } = await shop.get<{ done_seq: number; skipped: number }>(
    '/sandbox/webhooks/wh_000001',
  )
  return { done: body.done_seq, skipped: body.skipped }
}

it('a webhook that is too far behind says how many events it skipped, and so does the log', async () => {
  const shop = await openShop()
  const gate = gateway()
  const receiver = await openReceiver(async (_, count) => {
    if (count === 1) await gate.opened
    return count === 1 ? 500 : 204
  })
  await hook(shop, receiver.url)
  await yearOfAda(shop)
  expect(await standing(shop)).toEqual({ done: 0, skipped: 40 })
  gate.open()
  await receiver.until(13)
  await vi.waitFor(async () => expect(await standing(shop)).toEqual({ done: 52, skipped: 40 }))
  expect(receiver.seqs()).toEqual([1, ...Array.from({ length: 12 }, (_, index) => 41 + index)])
  const said =
    'Webhook "wh_000001" skipped 40 events: sandbox "default" keeps the newest 12 events.'
  expect(shop.log).toEqual([said])
  // What it was told in vain is not told again.
  const { body } = await shop.get<{ data: WireDelivery[] }>('/sandbox/webhooks/deliveries?limit=1')
  expect(body.data).toMatchObject([{ event_seq: 1, status: 'failed', attempts: 1 }])
})

it('a webhook says what it skipped where nothing that is kept is for it', async () => {
  const shop = await openShop()
  const gate = gateway()
  const receiver = await openReceiver(() => gate.opened.then(() => 204))
  await hook(shop, receiver.url, ['subscription.created'])
  await yearOfAda(shop)
  gate.open()
  // It is said once what was noted is on disk, which is after it shows.
  await vi.waitFor(() => expect(shop.log).toHaveLength(1))
  expect(await standing(shop)).toEqual({ done: 52, skipped: 39 })
  expect(receiver.seqs()).toEqual([1])
})

it('a webhook skipped nothing where no event was for it, also after a restart', async () => {
  const folder = await temporaryFolder()
  try {
    const first = await openShop({}, 10, { store: await storeIn(folder.path) })
    const receiver = await openReceiver()
    await hook(first, receiver.url, ['charge.succeeded'])
    await first.post('/sandbox/subscriptions', SUBSCRIPTION)
    for (let month = 1; month <= 12; month += 1) {
      await first.post('/sandbox/clock/advance', { by: 'P1M' })
    }
    await vi.waitFor(async () => expect((await standing(first)).done).toBeGreaterThan(40))
    await first.registry.close()
    const second = await openShop({}, 10, { store: await storeIn(folder.path) })
    await second.post('/sandbox/charges', CHARGE)
    await receiver.until(1)
    expect((await standing(second)).skipped).toBe(0)
    expect([first.log, second.log]).toEqual([[], []])
    await second.registry.close()
  } finally {
    await folder.remove()
  }
})

it('a webhook skipped nothing where no event of one long advance was for it', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  await hook(shop, receiver.url, ['charge.succeeded'])
  await shop.post('/sandbox/subscriptions', SUBSCRIPTION)
  // The advance of a year takes many slices.
  vi.spyOn(TimeSlice.prototype, 'isOver').mockReturnValue(true)
  await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
  await vi.waitFor(async () => expect(await standing(shop)).toEqual({ done: 52, skipped: 0 }))
  expect(shop.log).toEqual([])
})

it('a webhook has skipped nothing of the world that a reset begins', async () => {
  const shop = await openShop()
  const gate = gateway()
  const receiver = await openReceiver(() => gate.opened.then(() => 204))
  await hook(shop, receiver.url)
  await yearOfAda(shop)
  gate.open()
  await vi.waitFor(async () => expect(await standing(shop)).toEqual({ done: 52, skipped: 39 }))
  await shop.post('/sandbox/reset', {})
  expect((await standing(shop)).skipped).toBe(0)
})

it('what comes after an event was delivered takes no turn from other calls', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  await hook(shop, receiver.url)
  const executed = vi.spyOn(Session.prototype, 'execute')
  await shop.post('/sandbox/charges', CHARGE)
  await vi.waitFor(async () => expect(await standing(shop)).toEqual({ done: 1, skipped: 0 }))
  await shop.get('/sandbox/events')
  const world = await shop.registry.default.read((world) => world)
  const turns = executed.mock.contexts.filter(
    (each) => each instanceof Session && each.world === world,
  )
  // The charge, and what came of the attempt; other sandboxes may still deliver.
  expect(turns).toHaveLength(2)
})
