import { expect, it, vi } from 'vitest'
import type * as z from 'zod'
import type { WireAdvance } from '../../../src/wire/billing/advance.ts'
import type { WireAgenda } from '../../../src/wire/billing/clock.ts'
import type { WireWhatIf } from '../../../src/wire/billing/what-if.ts'
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

it('refuses the end of a forecast that is over, which would read as if nothing were billed', async () => {
  const shop = await monthly()
  const past = '2026-12-31T00:00:00.000Z'
  const rule = `must be 2027-01-01T00:00:00.000Z, the virtual now, or later; got ${past}.`
  for (const record of ['subscriptions/sub_000001', 'customers/cus_ada']) {
    const refused = await shop.get(`/sandbox/${record}/forecast?until=${past}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'clock_backwards' } })
    expect(refused.body).toMatchObject({ detail: `until ${rule}` })
  }
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

it('compares two futures no further than both are complete, and says why', async () => {
  const shop = await monthly()
  // The changed future has two things due each month, and comes half as far.
  const second = {
    operation: 'createSubscription',
    body: { customer_id: 'cus_linus', plan: 'pro' },
  }
  const question = { changes: [second], for: 'P1Y' }
  const { body } = await shop.post<z.output<typeof WireWhatIf>>('/sandbox/what-if', question)
  expect(body).toMatchObject({
    complete_until: '2027-04-01T00:00:00.000Z',
    stopped_because: 'item_limit',
    // Those of January to March: the instant at which it was cut is in neither.
    invoices_total: 3,
    customers: [{ customer_id: 'cus_linus', difference: { paid: 7500 } }],
    money: [{ as_is: { paid: 3000 }, changed: { paid: 10_500 } }],
  })
})

it('counts what is settled between the changes together', async () => {
  const shop = await monthly()
  const second = {
    operation: 'createSubscription',
    body: { customer_id: 'cus_linus', plan: 'pro' },
  }
  const nothing = ['2027-03-15', '2027-05-15'].map((at) => {
    return { operation: 'clearPaymentOutcomes', at }
  })
  const question = { changes: [second, ...nothing], for: 'P1Y' }
  const { body } = await shop.post<z.output<typeof WireWhatIf>>('/sandbox/what-if', question)
  expect(body).toMatchObject({
    complete_until: '2027-04-01T00:00:00.000Z',
    stopped_because: 'item_limit',
  })
})

it('says of a provider state which field leads past what one advance settles', async () => {
  const shop = await openShop()
  const state = async (name: string, params: object) => {
    const order = { consumer: 'shop', state: name, action: 'setup', params }
    return (await shop.post<{ detail: string }>('/sandbox/provider-states', order)).body.detail
  }
  await state('a subscription exists', { subscription_id: 'sub_abc' })
  const detail = await state('the virtual time is T', { at: '2028-01-01T00:00:00Z' })
  expect(detail).toContain(': at must be earlier than 2028-01-01T00:00:00.000Z: more falls due')
})

it('compares two futures no further than one of them is full', async () => {
  const shop = await monthly()
  for (let count = 0; count < 3; count += 1) {
    await shop.post('/sandbox/clock/advance', { to_next: 3 })
  }
  const cancel = { operation: 'cancelSubscription', params: { subscription_id: 'sub_000001' } }
  const question = { changes: [cancel], for: 'P1Y' }
  const { body } = await shop.post<z.output<typeof WireWhatIf>>('/sandbox/what-if', question)
  const { body: agenda } = await shop.get<WireAgenda>('/sandbox/agenda')
  expect(body).toMatchObject({
    complete_until: agenda.complete_until,
    stopped_because: 'sandbox_full',
    invoices_total: body.invoices.length,
  })
  for (const { created_at } of body.invoices) expect(created_at < agenda.complete_until).toBe(true)
})
