import { expect, it, vi } from 'vitest'
import type { WireAdvance, WireAgenda } from '../../../src/wire/clock.ts'
import { openShop, type Shop } from '../../support/control.ts'

vi.mock('../../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  ITEMS_MAX: 6,
  RECORDS_MAX: 30,
}))

async function monthly(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  return shop
}

it('says that a forecast and an agenda were cut, and until when they are complete', async () => {
  const shop = await monthly()
  const cut = { complete_until: '2027-07-01T00:00:00.000Z', stopped_because: 'item_limit' }
  const path = '/sandbox/subscriptions/sub_000001/forecast'
  const forecast = await shop.get<{ data: unknown[] }>(path)
  expect(forecast.body).toMatchObject({ ...cut, has_more: false })
  expect(forecast.body.data).toHaveLength(6)
  const agenda = await shop.get<WireAgenda>('/sandbox/agenda')
  expect(agenda.body).toMatchObject({ ...cut, has_more: false })
  expect(agenda.body.data).toHaveLength(6)
})

it('says where a look ahead reached its end, or that of its page', async () => {
  const shop = await monthly()
  const before = '2027-05-15T00:00:00.000Z'
  expect((await shop.get(`/sandbox/agenda?before=${before}`)).body).toMatchObject({
    has_more: false,
    complete_until: before,
    stopped_because: 'reached',
  })
  expect((await shop.get(`/sandbox/agenda?before=${before}&limit=2`)).body).toMatchObject({
    has_more: true,
    complete_until: '2027-04-01T00:00:00.000Z',
    stopped_because: 'reached',
  })
})

it('says that a copy of the sandbox would be full', async () => {
  const shop = await monthly()
  for (let count = 0; count < 3; count += 1) {
    await shop.post('/sandbox/clock/advance', { to_next: 3 })
  }
  const { body } = await shop.get<{ data: unknown[] }>('/sandbox/agenda')
  expect(body).toMatchObject({ has_more: false, stopped_because: 'sandbox_full' })
  const dry = await shop.post<WireAdvance>('/sandbox/clock/advance', { by: 'P1Y', dry_run: true })
  expect(dry.body.stopped_because).toBe('sandbox_full')
  expect(dry.body.next_due?.at).toBe((body as unknown as WireAgenda).complete_until)
})
