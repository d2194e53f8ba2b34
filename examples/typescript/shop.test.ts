/** A year of the shop's billing, in a second. All of it at once: each test has a sandbox of its own. */
import { test as base } from 'subscription-sandbox/vitest'
import { expect } from 'vitest'
import { Shop } from './shop.ts'

const test = base.extend<{ shop: Shop }>({
  shop: ({ sandbox }, use) => use(new Shop(sandbox.url, sandbox.apiKey)),
})

test.concurrent('a trial becomes paid', async ({ shop, sandbox }) => {
  const subscription = await shop.subscribe('cus_ada', 'pro', 14)
  expect(await sandbox.invoices.list()).toEqual([])
  await sandbox.clock.advance('P14D')
  expect(await sandbox.subscriptions.get(subscription)).toMatchObject({ status: 'active' })
  expect(await sandbox.invoices.list()).toMatchObject([{ amount_paid: 2500 }])
})

test.concurrent('a coupon takes 20 percent for three months', async ({ shop, sandbox }) => {
  await shop.redeem(await shop.subscribe('cus_ada', 'pro', 14), 'SAVE20')
  await sandbox.clock.advance('P5M')
  const amounts = (await sandbox.invoices.list()).map((invoice) => invoice.amount_paid)
  expect(amounts).toEqual([2000, 2000, 2000, 2500, 2500])
})

test.concurrent('a card that fails once is charged again', async ({ shop, sandbox }) => {
  const subscription_id = await shop.subscribe('cus_ada', 'basic')
  await sandbox.payments.fail({ subscription_id, reason: 'insufficient_funds' })
  await sandbox.clock.until({ subscription_id, status: 'past_due' })
  await sandbox.clock.until({ subscription_id, status: 'active' })
  const renewal = (await sandbox.invoices.list()).at(-1)
  expect(renewal?.attempts.map((attempt) => attempt.outcome)).toEqual([
    'insufficient_funds',
    'succeeded',
  ])
})

test.concurrent('access goes on until the end of the period', async ({ shop, sandbox }) => {
  const subscription_id = await shop.subscribe('cus_ada', 'basic')
  await shop.cancelAtPeriodEnd(subscription_id)
  expect(await sandbox.subscriptions.get(subscription_id)).toMatchObject({ status: 'active' })
  await sandbox.clock.until({ subscription_id, status: 'canceled', within: 'P1M' })
})

test.concurrent('a coupon that has expired is refused', async ({ shop }) => {
  const subscription = await shop.subscribe('cus_ada', 'basic')
  await expect(shop.redeem(subscription, 'EXPIRED')).rejects.toThrow('expired')
})
