import { expect, it } from 'vitest'
import { startSandbox } from '../../src/index.ts'
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

test.for([
  [{ customer_id: 'cus_adda' }, 'customer_id "cus_adda" does not exist; did you mean "cus_ada"?'],
  [{ customer_id: 'cus_ada', subscription_id: 'sub_1' }, 'subscription_id "sub_1" does not exist'],
] as const)(
  'refuses %o, of which nothing could ever be billed',
  async ([filter, why], { sandbox }) => {
    expect((await sandbox.billing({ customer_id: 'cus_ada' })).text).toBe('Nothing is billed.\n')
    await expect(sandbox.billing(filter)).rejects.toThrow(why)
    await expect(expect(sandbox).toMatchBilling(filter)).rejects.toMatchObject({
      code: 'not_found',
    })
  },
)

test('only a sandbox has a billing, and it is not negated', async ({ sandbox }) => {
  await expect(expect('text').toMatchBilling()).rejects.toThrow(
    'toMatchBilling takes a sandbox; got string.',
  )
  await expect(expect(sandbox).not.toMatchBilling()).rejects.toThrow('cannot be negated')
})

test.concurrent('tests at the same time have a snapshot each', async ({ sandbox, expect }) => {
  await sandbox.charges.create({ customer_id: 'cus_linus', amount: 150, currency: 'USD' })
  await expect(sandbox).toMatchBilling()
})

// Its snapshot is the bill of another amount.
it.fails('a bill that differs from its snapshot fails', async () => {
  await using sandbox = await startSandbox({ now: '2027-01-01' })
  await sandbox.charges.create({ customer_id: 'cus_linus', amount: 151, currency: 'USD' })
  await expect(sandbox).toMatchBilling()
})
