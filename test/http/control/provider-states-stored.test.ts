import { describe, expect, it } from 'vitest'
import { StoreUnavailable } from '../../../src/store/store.ts'
import type { WireSubscription } from '../../../src/wire/billing/subscription.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { ask, setUp, subscription, tearDown, tryUp } from '../../support/provider-states.ts'
import { instead, storeIn } from '../../support/store.ts'

it('keeps what a state set up, and starts the next interaction clean after a restart', async () => {
  const folder = await temporaryFolder()
  const start = async () => openShop({}, 10, { store: await storeIn(folder.path) })
  const first = await start()
  await setUp(first, 'a subscription exists', { subscription_id: 'sub_one', status: 'past_due' })
  await setUp(first, 'a refresh token is fresh', { refresh_token: 'a-token' })
  const before = await first.state()
  await first.registry.close()
  const second = await start()
  expect(await second.state()).toBe(before)
  await setUp(second, 'a subscription exists', { subscription_id: 'sub_two' })
  expect((await second.get('/sandbox')).body).toMatchObject({ counts: { subscriptions: 1 } })
  await second.registry.close()
  await folder.remove()
})

it('adds up setups that come at the same time, one after another', async () => {
  const shop = await openShop()
  const ids = ['sub_a', 'sub_b', 'sub_c', 'sub_d']
  await Promise.all(ids.map((id) => setUp(shop, 'a subscription exists', { subscription_id: id })))
  for (const id of ids) expect(await subscription(shop, id)).toMatchObject({ status: 'active' })
})

it('changes nothing while the disk takes nothing, and starts clean once it does', async () => {
  const folder = await temporaryFolder()
  const store = await storeIn(folder.path)
  let isFull = false
  const fails = () => Promise.reject(new StoreUnavailable('The disk is full'))
  const full = instead(store, {
    create: async (sandboxId) => {
      const stored = await store.create(sandboxId)
      return instead(stored, { replace: (whole) => (isFull ? fails() : stored.replace(whole)) })
    },
  })
  const shop = await openShop({}, 10, { store: full })
  await setUp(shop, 'a subscription exists', { subscription_id: 'sub_one' })
  const before = await shop.state()
  isFull = true
  const refused = await tryUp(shop, 'a subscription exists', { subscription_id: 'sub_two' })
  expect(refused).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
  expect(await shop.state()).toBe(before)
  isFull = false
  await setUp(shop, 'a subscription exists', { subscription_id: 'sub_three' })
  expect((await shop.get('/sandbox')).body).toMatchObject({ counts: { subscriptions: 1 } })
  await tearDown(shop)
  await shop.registry.close()
  await folder.remove()
})

describe('after a refused state', () => {
  const exists = 'a subscription exists'
  const abc = { subscription_id: 'sub_abc' }
  const subscriptions = async (shop: Shop) => {
    const { body } = await shop.get<{ data: WireSubscription[] }>('/sandbox/subscriptions')
    return body.data.map(({ subscription_id: id, customer_id: customer }) => `${id} of ${customer}`)
  }

  it('the other states of its interaction are set up, and are not in the way of the next one', async () => {
    const shop = await openShop()
    expect((await tryUp(shop, 'nonsense')).status).toBe(404)
    await setUp(shop, exists, { ...abc, customer_id: 'cus_linus' })
    // Verifiers neither send the request of that interaction nor end it.
    await setUp(shop, 'a customer exists', { customer_id: 'cus_new', payment_method: 'none' })
    const { customer_id } = await setUp(shop, exists, { ...abc, customer_id: 'cus_new' })
    expect(customer_id).toBe('cus_new')
    expect(await subscriptions(shop)).toEqual(['sub_abc of cus_new'])
    expect((await shop.get('/sandbox/customers/cus_new')).body).toMatchObject({
      payment_method: 'none',
    })
    await ask(shop, '/sub_abc/pause')
    await setUp(shop, exists, abc)
    expect((await tryUp(shop, exists, abc)).status).toBe(409)
  })

  it('nor is what an earlier refusal of billing left', async () => {
    const shop = await openShop()
    await setUp(shop, exists, { ...abc, status: 'paused' })
    expect((await tryUp(shop, 'the period ends now', abc)).status).toBe(409)
    await setUp(shop, 'a coupon exists', { coupon_id: 'MINE' })
    await setUp(shop, exists, { subscription_id: 'sub_one' })
    await setUp(shop, exists, { subscription_id: 'sub_two' })
    expect(await subscriptions(shop)).toEqual(['sub_one of cus_ada', 'sub_two of cus_ada'])
    expect((await shop.get('/sandbox/coupons/MINE')).status).toBe(200)
  })

  it('what billing refuses is refused, and the states before it stay', async () => {
    const shop = await openShop()
    expect((await tryUp(shop, 'nonsense')).status).toBe(404)
    const plan = { plan_id: 'basic', amount: 7777, currency: 'USD', interval: 'month' }
    await setUp(shop, 'a plan exists', plan)
    await setUp(shop, 'a coupon is exhausted', { coupon_id: 'LAST1' })
    const refused = await tryUp(shop, exists, { ...abc, plan: 'basic', coupon_id: 'LAST1' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'coupon_exhausted' } })
    expect((await shop.get('/sandbox/plans/basic')).body).toMatchObject({ amount: 7777 })
  })
})
