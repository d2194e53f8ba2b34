import { expect, it } from 'vitest'
import { attempt } from '../support/crash-call.ts'
import { temporaryFolder } from '../support/folders.ts'
import { type Served, serve } from '../support/process.ts'

const CLIENTS = 200
/** `CLIENTS_MS=30000` for a long run. */
const FOR_MS = Number(process.env['CLIENTS_MS'] ?? 4000)
const REDEMPTIONS_MAX = 100

it('answers 200 clients at once, loses no update, and redeems exactly as often as allowed', async () => {
  const folder = await temporaryFolder()
  const sandbox = await serve('--data', folder.path)
  const post = (path: string, body: object) => attempt(sandbox, `POST ${path}`, { body })
  const coupon = { coupon_id: 'FEW', type: 'percentage', value: 10 }
  await post('/sandbox/coupons', { ...coupon, max_redemptions: REDEMPTIONS_MAX })
  const told = { customers: 0, subscriptions: 0, redeemed: 0, exhausted: 0 }
  const endsAt = Date.now() + FOR_MS
  const live = async (client: number) => {
    for (let turn = 0; Date.now() < endsAt; turn += 1) {
      const customer_id = `cus-${client}-${turn}`
      const made = await post('/sandbox/customers', { customer_id })
      const order = { customer_id, plan: 'basic' }
      const subscribed = await post('/v1/subscriptions', order)
      const path = `/v1/subscriptions/${subscribed.body['subscription_id']}/apply-coupon`
      const applied = await post(path, { coupon_id: 'FEW' })
      expect([made.status, subscribed.status]).toEqual([201, 200])
      expect([200, 409]).toContain(applied.status)
      told.customers += 1
      told.subscriptions += 1
      if (applied.status === 200) told.redeemed += 1
      else told.exhausted += 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => live(client)))

  const { customers, subscriptions, redeemed, exhausted } = told
  expect(redeemed).toBe(Math.min(REDEMPTIONS_MAX, subscriptions))
  expect(exhausted).toBe(subscriptions - redeemed)
  expect(exhausted).toBeGreaterThan(0)
  const check = async (at: Served) => {
    const { body } = await attempt<{ counts: Record<string, number> }>(at, 'GET /sandbox')
    expect(body.counts).toMatchObject({
      customers: 3 + customers,
      subscriptions,
      invoices: subscriptions,
    })
    const kept = await attempt(at, 'GET /sandbox/coupons/FEW')
    expect(kept.body['times_redeemed']).toBe(redeemed)
    expect((await attempt(at, 'GET /sandbox/audit')).body['ok']).toBe(true)
  }
  await check(sandbox)
  expect(await sandbox.stop()).toBe(0)
  const again = await serve('--data', folder.path)
  await check(again)
  await again.stop()
  await folder.remove()
})
