import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Invoice } from '../../src/billing/invoice.ts'
import type { Subscription } from '../../src/billing/subscription.ts'
import type { Instant } from '../../src/time/instant.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import { type DueItem, DueQueue } from '../../src/world/due-queue.ts'
import { settleNext } from '../../src/world/engine.ts'
import { documentOf } from '../support/document.ts'
import { bytesOf, history, openShop, performAll, restarted } from '../support/shop.ts'

const cause = { kind: 'clock', requestId: null } as const

const item = fc
  .record({
    day: fc.integer({ min: 1, max: 5 }),
    subscriptionSequence: fc.integer({ min: 1, max: 9 }),
    invoiceSequence: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ day, subscriptionSequence, invoiceSequence }): DueItem => {
    const isRetry = invoiceSequence > 0
    return {
      at: `2027-01-0${day}T00:00:00.000Z` as Instant,
      subscriptionId: `sub_${subscriptionSequence}`,
      due: isRetry
        ? { kind: 'payment_retry', invoiceId: `inv_${invoiceSequence}` }
        : { kind: 'period_end' },
      rank: isRetry ? 1 : 2,
      subscriptionSequence,
      invoiceSequence,
    }
  })

const keyOf = ({ due, subscriptionId }: DueItem) =>
  due.kind === 'payment_retry' ? due.invoiceId : subscriptionId

/** Queues an item as the records do that it is of. */
function schedule(queue: DueQueue, item: DueItem): void {
  const { at, subscriptionId, subscriptionSequence, invoiceSequence: sequence, due } = item
  if (due.kind === 'payment_retry') {
    const { invoiceId } = due
    const invoice = { invoiceId, subscriptionId, sequence, nextAttemptAt: at } as Invoice
    queue.scheduleRetry(invoice, subscriptionSequence)
    return
  }
  const active = { subscriptionId, status: 'active', currentPeriodEnd: at }
  queue.scheduleBoundary({ ...active, sequence: subscriptionSequence } as Subscription)
}

it('4.2: takes retries before ends, then older subscriptions, then older invoices', () => {
  const property = fc.property(fc.uniqueArray(item, { selector: keyOf }), (items) => {
    const queue = new DueQueue()
    for (const each of items) schedule(queue, each)
    const taken = items.map(() => queue.take())
    const inOrder = [...items].sort(
      (one, other) =>
        one.at.localeCompare(other.at) ||
        one.rank - other.rank ||
        one.subscriptionSequence - other.subscriptionSequence ||
        one.invoiceSequence - other.invoiceSequence,
    )
    expect(taken).toEqual(inOrder)
    expect(queue.take()).toBeNull()
  })
  fc.assert(property, { numRuns: 1000 })
})

it('10.1: is the same after a restart, whatever happened before', async () => {
  const property = fc.asyncProperty(history, async (actions) => {
    const world = await performAll(actions)
    const again = await restarted(world)
    for (let settled = 0; settled < 20 && world.due.head() !== null; settled += 1) {
      expect(again.due.head()).toEqual(world.due.head())
      for (const each of [world, again]) {
        const at = each.due.head()?.at
        if (at === undefined) continue
        each.clock.moveTo(at, null)
        settleNext(each, cause)
      }
    }
    expect(bytesOf(again)).toBe(bytesOf(world))
    expect(documentOf(again).clock.now).toBe(world.clock.now())
  })
  await fc.assert(property, { numRuns: 300 })
})

it('4.1: renews a subscription that has the id of its own invoice', () => {
  const world = openShop()
  const none = { trialPeriodDays: null, couponId: null, promotionCode: null }
  const order = { subscriptionId: 'inv_000001', customerId: 'ada', plan: 'basic', ...none }
  createSubscription(world, order, cause)
  expect(world.invoices.get('inv_000001')?.status).toBe('paid')
  expect(world.due.head()).toMatchObject({
    subscriptionId: 'inv_000001',
    due: { kind: 'period_end' },
  })
})
