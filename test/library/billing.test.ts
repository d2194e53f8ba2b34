import { expect } from 'vitest'
import { test } from '../../src/vitest.ts'

test.override({ sandboxOrder: { now: '2027-01-01' } })

test('what customers were billed matches a snapshot that a person reads', async ({ sandbox }) => {
  await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
  await sandbox.charges.create({ customer_id: 'cus_linus', amount: 150, currency: 'USD' })
  await sandbox.clock.advance('P1M')
  await expect(sandbox).toMatchBilling()
  const { text, invoices, charges } = await sandbox.billing({ customer_id: 'cus_linus' })
  expect([invoices.length, charges.length]).toEqual([0, 1])
  expect(text).toMatchInlineSnapshot(`
    "cus_linus, USD
    month    day  subscription  for     amount  discounts  balance   due  status
    2027-01  01                 charge    1.50          -        -  1.50  paid
    total                                 1.50                      1.50

    Total 1.50 USD: 1.50 paid.
    "
  `)
  expect((await sandbox.billing({ subscription_id: 'sub_000001' })).charges).toEqual([])
})

test('nothing is billed at first', async ({ sandbox }) => {
  expect((await sandbox.billing()).text).toBe('Nothing is billed.\n')
})

test('only a sandbox has a billing, and it is not negated', async ({ sandbox }) => {
  await expect(expect('text').toMatchBilling()).rejects.toThrow(
    'toMatchBilling takes a sandbox; got string.',
  )
  await expect(expect(sandbox).not.toMatchBilling()).rejects.toThrow('cannot be negated')
})
