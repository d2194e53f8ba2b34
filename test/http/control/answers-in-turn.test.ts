/** What an operation answers is what it left, also where the next call is waiting for its turn. */
import { expect, it } from 'vitest'
import type { WireClock } from '../../../src/wire/billing/clock.ts'
import type { WireSandboxSummary } from '../../../src/wire/sandbox/sandbox.ts'
import { openShop, type Shop } from '../../support/control.ts'

const START = '2027-01-01T00:00:00.000Z'

async function subscribed(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await shop.post('/sandbox/checkpoints', { name: 'begin' })
  return shop
}

const day = { by: 'P1D' }

it.each([
  ['/sandbox/checkpoints/begin/restore', 5],
  ['/sandbox/reset', 1],
] as const)('POST %s', async (path, events) => {
  const shop = await subscribed()
  const [replaced, next] = await Promise.all([
    shop.call<WireSandboxSummary>('POST', path),
    shop.post<{ from: string }>('/sandbox/clock/advance', day),
  ])
  expect([replaced.status, next.body.from]).toEqual([200, START])
  expect(replaced.body).toMatchObject({ now: START, counts: { events } })
})

it('PUT /sandbox/clock', async () => {
  const shop = await subscribed()
  const now = '2027-01-02T00:00:00.000Z'
  const [set, next] = await Promise.all([
    shop.call<WireClock>('PUT', '/sandbox/clock', { json: { now } }),
    shop.post<{ from: string }>('/sandbox/clock/advance', day),
  ])
  expect([set.status, next.body.from]).toEqual([200, now])
  expect(set.body.now).toBe(now)
  expect(set.headers.get('Sandbox-Time')).toBe(now)
})

it('a call of /v1, whose virtual time and settings are those of its turn', async () => {
  const shop = await subscribed()
  const settings = { paused_status_name: 'on_hold', success_status: ['202'] }
  const [paused, changed, advanced, again] = await Promise.all([
    shop.call('POST', '/v1/subscriptions/sub_000001/pause', {
      headers: { Authorization: 'Bearer sk_sandbox_default' },
    }),
    shop.call('PATCH', '/sandbox/settings', { json: settings }),
    shop.post('/sandbox/clock/advance', day),
    shop.post('/sandbox/clock/advance', day),
  ])
  expect([changed.status, again.status]).toEqual([200, 200])
  expect(advanced.headers.get('Sandbox-Time')).toBe('2027-01-02T00:00:00.000Z')
  expect(paused).toMatchObject({ status: 200, body: { status: 'paused' } })
  expect(paused.headers.get('Sandbox-Time')).toBe(START)
})
