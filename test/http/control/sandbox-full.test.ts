import { expect, it, vi } from 'vitest'
import { billingOperations } from '../../../src/operations/billing-operations.ts'
import { millisOf } from '../../../src/time/instant.ts'
import type { WireAdvance } from '../../../src/wire/billing/advance.ts'
import { instant } from '../../support/catalog.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { machineAt } from '../../support/machine-time.ts'

const RECORDS = 30

vi.mock('../../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  RECORDS_MAX: 30,
}))

const client = { Authorization: 'Bearer sk_sandbox_default' }
const order = { customer_id: 'cus_ada', plan: 'basic' }

/** Ada subscribes, and billing goes on until there is no room left: that of her last period end. */
async function fullShop(...given: Parameters<typeof openShop>): Promise<Shop> {
  const shop = await openShop(...given)
  await shop.post('/sandbox/subscriptions', order)
  const { body } = await shop.post<WireAdvance>('/sandbox/clock/advance', { by: 'P10Y' })
  expect(body.stopped_because).toBe('sandbox_full')
  expect(body.next_due?.at).toBe(body.to)
  return shop
}

async function recordsOf(shop: Shop): Promise<number> {
  const document = JSON.parse(await shop.state())
  const { events: _, api_keys: __, ...lists } = document
  return Object.values(lists).reduce<number>(
    (sum, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  )
}

it('stops an advance and finds its books in order with what waits', async () => {
  const shop = await fullShop()
  expect(await recordsOf(shop)).toBe(RECORDS)
  expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true, violations: [] })
})

it.each([
  ['/v1/subscriptions', order],
  ['/v1/subscriptions/sub_000001/update', { plan: 'pro' }],
  ['/sandbox/subscriptions', order],
  ['/sandbox/products', { name: 'Another' }],
  ['/sandbox/customers', { name: 'Another' }],
  ['/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' }],
  ['/sandbox/payment-outcomes', { always: 'card_declined' }],
  ['/sandbox/tokens', {}],
])('refuses POST %s with the bound and what to do, and changes nothing', async (path, json) => {
  const shop = await fullShop()
  const before = await shop.state()
  const headers = path.startsWith('/v1') ? client : {}
  const refused = await shop.call<{ error?: string; code?: string }>('POST', path, {
    json,
    headers,
  })
  expect(refused.status).toBe(409)
  expect(refused.body.error ?? refused.body.code).toBe('sandbox_full')
  expect(refused.text).toMatch(/at most 30 records, and this one would have \d+; reset it/)
  expect(await shop.state()).toBe(before)
})

it('refuses a refresh for the records of its tokens, and takes it once there are fewer', async () => {
  const shop = await openShop()
  const issued = await shop.post<{ refresh_token: string }>('/sandbox/tokens', {})
  for (let left = RECORDS - (await recordsOf(shop)); left > 0; left -= 1) {
    await shop.post('/sandbox/products', { product_id: `extra_${left}`, name: 'Extra' })
  }
  const { refresh_token: token } = issued.body
  const refresh = () =>
    shop.call('POST', '/v1/auth/refresh', {
      json: { refresh_token: token },
      headers: { Authorization: `Bearer ${token}` },
    })
  const refused = await refresh()
  expect(refused).toMatchObject({ status: 409, body: { error: 'sandbox_full' } })
  expect(refused.headers.get('Sandbox-Assumptions')).toContain('record-limit')
  for (const left of [1, 2]) await shop.call('DELETE', `/sandbox/products/extra_${left}`)
  expect((await refresh()).status).toBe(200)
})

it('refuses a cancellation that credits and a resume that bills, as both declare', async () => {
  const shop = await openShop()
  const settings = { cancel_without_refund: 'credit', resume_restores_remaining_period: false }
  await shop.call('PATCH', '/sandbox/settings', { json: settings })
  for (const _ of [1, 2]) await shop.post('/sandbox/subscriptions', order)
  await shop.call('POST', '/v1/subscriptions/sub_000002/pause', { headers: client })
  await shop.post('/sandbox/clock/advance', { by: 'P45D' })
  for (let left = RECORDS - (await recordsOf(shop)); left > 0; left -= 1) {
    await shop.post('/sandbox/products', { name: 'Extra' })
  }
  for (const [operationId, path] of [
    ['cancelSubscription', '/v1/subscriptions/sub_000001/cancel'],
    ['resumeSubscription', '/sandbox/subscriptions/sub_000002/resume'],
  ] as const) {
    expect((await shop.call('POST', path, { headers: client })).text).toContain('sandbox_full')
    expect(billingOperations[operationId].refusals).toContain('sandbox_full')
  }
})

it('refuses a state with too many records, and a start that would make too many', async () => {
  const shop = await fullShop()
  const document = JSON.parse(await shop.state())
  const another = { ...document.products[0], product_id: 'one_more' }
  const json = { ...document, products: [...document.products, another] }
  const before = await shop.state()
  const refused = await shop.call('PUT', '/sandbox/state', { json })
  expect(refused).toMatchObject({ status: 409, body: { code: 'sandbox_full' } })
  expect(await shop.state()).toBe(before)
  const late = { fixture: 'calendar-hazards', now: '2200-01-01T00:00:00Z' }
  expect(await shop.post('/sandboxes', late)).toMatchObject({
    status: 409,
    body: { code: 'sandbox_full' },
  })
})

it('leaves a clock in its mode where it stops before the instant that it is set to', async () => {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', order)
  const json = { now: '2037-01-01T00:00:00.000Z', mode: 'running' }
  const set = await shop.call<{ now: string }>('PUT', '/sandbox/clock', { json })
  expect(set).toMatchObject({ status: 200, body: { mode: 'frozen' } })
  expect(set.body.now < json.now).toBe(true)
})

it('has a running clock stop, without an alarm that cannot help', async () => {
  const machine = machineAt('2030-01-01T00:00:00Z')
  const shop = await fullShop({}, 10, { time: machine.time })
  const { body: clock } = await shop.get<{ now: string }>('/sandbox/clock')
  await shop.call('PUT', '/sandbox/clock', { json: { mode: 'running' } })
  expect(machine.waiting()).toBe(0)
  await machine.pass(3 * 86_400_000)
  const later = await shop.get<{ now: string }>('/sandbox/clock')
  expect(later.body).toMatchObject({ now: clock.now, mode: 'running' })
  expect(later.headers.get('Sandbox-Time')).toBe(clock.now)
  expect(machine.waiting()).toBe(0)
  expect((await shop.call('DELETE', '/sandbox/customers/cus_grace')).status).toBe(204)
  await machine.pass(1)
  const on = await shop.get<{ now: string }>('/sandbox/clock')
  expect(millisOf(instant(on.body.now)) - millisOf(instant(clock.now))).toBeGreaterThan(86_400_000)
})
