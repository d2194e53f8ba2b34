import { expect, it } from 'vitest'
import { openShop, type Shop } from '../support/control.ts'

/** Each look ahead of this shop would settle a million due items, which takes many seconds. */
async function busyShop(): Promise<Shop> {
  const shop = await openShop()
  const terms = { amount: 5, currency: 'USD', interval: 'day' }
  await shop.post('/sandbox/plans', {
    plan_id: 'daily',
    product_id: 'prod_app',
    name: 'Daily',
    ...terms,
  })
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'daily' })
  return shop
}

const until = '8000-01-01T00:00:00Z'
const paths = [
  ['GET', `/sandbox/subscriptions/sub_000001/forecast?until=${until}`, undefined],
  ['GET', `/sandbox/agenda?before=${until}&after=999999`, undefined],
  ['POST', '/sandbox/clock/advance', { to: until, dry_run: true }],
] as const

it.each(paths)('%s %s lets other calls be answered, and ends with the sandbox', async (...row) => {
  const [method, path, json] = row
  const shop = await busyShop()
  let isOver = false
  const looking = shop.call(method, path, { json }).finally(() => {
    isOver = true
  })
  expect((await shop.post('/sandbox/products', { name: 'Another' })).status).toBe(201)
  expect((await shop.post('/sandbox/clock/advance', { by: 'P1D' })).status).toBe(200)
  expect(isOver).toBe(false)
  await shop.registry.close()
  expect(await looking).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
  expect(shop.log).toEqual([])
})

it('ends once its client is gone, so that the next one has its turn', async () => {
  const shop = await busyShop()
  const client = new AbortController()
  const [, path] = paths[0]
  const given = new Request(`http://localhost${path}`, { signal: client.signal })
  const looking = shop.app.request(given)
  expect((await shop.post('/sandbox/products', { name: 'Another' })).status).toBe(201)
  client.abort()
  const next = await shop.get('/sandbox/agenda?limit=5')
  expect(next.status).toBe(200)
  const ended = await looking
  expect(ended.status).toBe(503)
  expect(await ended.text()).toContain('or the client was gone')
  expect(shop.log).toEqual([])
})
