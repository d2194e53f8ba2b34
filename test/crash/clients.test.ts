import { expect, it } from 'vitest'
import { serve, temporaryFolder } from '../support/process.ts'

const CLIENTS = 200
const FOR_MS = 30_000
const REDEMPTIONS_MAX = 1000

const headers = {
  Authorization: 'Bearer sk_sandbox_default',
  'Content-Type': 'application/json',
}

async function call<Body = Record<string, unknown>>(url: string, body?: object) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(url, { ...init, headers })
  return { status: response.status, body: (await response.json()) as Body }
}

it('answers 200 clients for 30 s, loses no update, and redeems exactly as often as allowed', async () => {
  const folder = await temporaryFolder()
  const { url, stop } = await serve('--data', folder.path)
  const coupon = { coupon_id: 'FEW', type: 'percentage', value: 10 }
  await call(`${url}/sandbox/coupons`, { ...coupon, max_redemptions: REDEMPTIONS_MAX })
  const told = { customers: 0, subscriptions: 0, redeemed: 0, exhausted: 0 }
  const endsAt = Date.now() + FOR_MS
  const live = async (client: number) => {
    for (let turn = 0; Date.now() < endsAt; turn += 1) {
      const customer_id = `cus-${client}-${turn}`
      const made = await call(`${url}/sandbox/customers`, { customer_id })
      const order = { customer_id, plan: 'basic' }
      const subscribed = await call(`${url}/v1/subscriptions`, order)
      const path = `/v1/subscriptions/${subscribed.body['subscription_id']}/apply-coupon`
      const applied = await call(`${url}${path}`, { coupon_id: 'FEW' })
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
  const check = async (at: string) => {
    const { body } = await call<{ counts: Record<string, number> }>(`${at}/sandbox`)
    expect(body.counts).toMatchObject({
      customers: 3 + customers,
      subscriptions,
      invoices: subscriptions,
    })
    const kept = await call(`${at}/sandbox/coupons/FEW`)
    expect(kept.body['times_redeemed']).toBe(redeemed)
    expect((await call(`${at}/sandbox/audit`)).body['ok']).toBe(true)
  }
  await check(url)
  expect(await stop()).toBe(0)
  const again = await serve('--data', folder.path)
  await check(again.url)
  await again.stop()
  await folder.remove()
}, 90_000)
