import { expect, it } from 'vitest'
import { createCustomer } from '../../src/world/commands/catalog.ts'
import { scriptPayments } from '../../src/world/commands/payments.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import { agenda, forecast } from '../../src/world/forecast.ts'
import { forkWorld, type World } from '../../src/world/world.ts'
import { instant } from '../support/catalog.ts'
import { openShop } from '../support/shop.ts'

/** Customers with as many monthly subscriptions each; those of the first are the oldest. */
function crowd(customers: number, each: number): World {
  const world = openShop()
  const blank = { name: null, email: null, currency: null, balance: 0 }
  for (let number = 1; number <= customers; number += 1) {
    const customerId = `cus_${number}`
    createCustomer(world, { customerId, paymentMethod: 'valid', ...blank })
    for (let count = 0; count < each; count += 1) {
      const order = { customerId, plan: 'basic', trialPeriodDays: null }
      const cause = { kind: 'request', requestId: 'req_000001' } as const
      createSubscription(world, { ...order, couponId: null, promotionCode: null }, cause)
    }
  }
  return world
}

const before = instant('2028-01-31T10:00:00Z')

it('settles those of the customers of the subscriptions asked about, and no others of ten thousand', async () => {
  const fork = forkWorld(crowd(5000, 2))
  const made = fork.sequences.invoices
  const subscriptionIds = ['sub_000401', 'sub_005000']
  const { items } = await agenda(fork, { before, limit: 1000, subscriptionIds })
  expect(items).toHaveLength(2 * 11)
  expect(new Set(items.map(({ subject }) => subject.id))).toEqual(new Set(subscriptionIds))
  // Two customers with two subscriptions each, eleven months.
  expect(fork.sequences.invoices - made).toBe(2 * 2 * 11)
})

it('stops at its limit of those asked about', async () => {
  const fork = forkWorld(crowd(3, 2))
  const { items, completeUntil } = await agenda(fork, {
    before,
    limit: 3,
    subscriptionIds: ['sub_000003'],
  })
  expect(items).toHaveLength(3)
  expect(completeUntil).toBe(instant('2027-04-30T10:00:00Z'))
})

it('lists nothing of subscriptions that are not there, and settles nothing for it', async () => {
  const fork = forkWorld(crowd(3, 1))
  const made = fork.sequences.invoices
  const found = await agenda(fork, { before, limit: 9, subscriptionIds: ['sub_000009'] })
  expect(found).toEqual({ items: [], completeUntil: before, stoppedBecause: 'reached' })
  expect(fork.sequences.invoices).toBe(made)
})

it('lists the retry that a list of outcomes for all payments leads to, whoever draws before', async () => {
  const world = crowd(3, 1)
  const scope = { subscriptionId: null, customerId: null }
  scriptPayments(world, { scope, outcomes: ['succeed', 'card_declined'], always: null })
  const asked = { before: instant('2027-03-31T10:00:00Z'), limit: 9 }
  const kindsOf = async (id: string) => {
    const { items } = await agenda(forkWorld(world), { ...asked, subscriptionIds: [id] })
    return items.map(({ kind }) => kind)
  }
  expect(await kindsOf('sub_000001')).toEqual(['period_end'])
  expect(await kindsOf('sub_000002')).toEqual(['period_end', 'payment_retry'])
  expect(await kindsOf('sub_000003')).toEqual(['period_end'])
})

it('forecasts one subscription by settling those of its customer, and no others of ten thousand', async () => {
  const fork = forkWorld(crowd(5000, 2))
  const made = fork.sequences.invoices
  const asked = { scope: { subscriptionId: 'sub_005000' }, until: before }
  const found = await forecast(fork, asked)
  expect(found).toMatchObject({ completeUntil: before, stoppedBecause: 'reached' })
  expect('invoices' in found && found.invoices).toHaveLength(12)
  expect(fork.sequences.invoices - made).toBe(2 * 12)
}, 60_000)

it('forecasts it with all others only until their payments have used up a list of outcomes for all', async () => {
  const world = crowd(20, 1)
  const scope = { subscriptionId: null, customerId: null }
  scriptPayments(world, { scope, outcomes: ['succeed', 'card_declined', 'succeed'], always: null })
  const fork = forkWorld(world)
  const asked = { scope: { subscriptionId: 'sub_000002' }, until: before }
  const found = await forecast(fork, asked)
  const attempts = 'invoices' in found ? found.invoices.map((each) => each.attempts) : []
  expect(attempts.map((each) => each.map(({ outcome }) => outcome))).toEqual([
    ['card_declined', 'succeeded'],
    ...Array.from({ length: 11 }, () => ['succeeded']),
  ])
  // All renew once, before the retry; then it is one of them.
  expect(fork.sequences.invoices - world.sequences.invoices).toBe(20 + 11)
})

it('lists the retries of invoices that are open already', async () => {
  const world = crowd(2, 1)
  const scope = { subscriptionId: 'sub_000002', customerId: null }
  scriptPayments(world, { scope, outcomes: null, always: 'card_declined' })
  const until = { before: instant('2027-02-28T10:00:00.001Z'), limit: 9 }
  await agenda(world, until)
  const asked = { before: instant('2027-03-02T10:00:00Z'), limit: 9 }
  const { items } = await agenda(forkWorld(world), { ...asked, subscriptionIds: ['sub_000002'] })
  expect(items).toEqual((await agenda(forkWorld(world), asked)).items)
  expect(items).toMatchObject([{ kind: 'payment_retry', subject: { id: 'inv_000004' } }])
})

it('says whose each item is, and the status that it leaves: past due, and what the last retry comes to', async () => {
  const world = crowd(1, 1)
  const scope = { subscriptionId: 'sub_000001', customerId: null }
  scriptPayments(world, { scope, outcomes: null, always: 'card_declined' })
  const { items } = await agenda(forkWorld(world), { before, limit: 9 })
  expect(new Set(items.map(({ subscriptionId }) => subscriptionId))).toEqual(
    new Set(['sub_000001']),
  )
  expect(items.map(({ kind, status }) => [kind, status])).toEqual([
    ['period_end', 'past_due'],
    ['payment_retry', 'past_due'],
    ['payment_retry', 'past_due'],
    ['payment_retry', 'past_due'],
    ['payment_retry', 'canceled'],
  ])
})
