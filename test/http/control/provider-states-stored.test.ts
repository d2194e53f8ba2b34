import { expect, it } from 'vitest'
import { StoreUnavailable } from '../../../src/store/store.ts'
import { openShop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { setUp, subscription, tearDown, tryUp } from '../../support/provider-states.ts'
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
