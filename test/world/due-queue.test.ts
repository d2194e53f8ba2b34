import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Instant } from '../../src/time/instant.ts'
import { type DueItem, DueQueue } from '../../src/world/due-queue.ts'
import { settleNext } from '../../src/world/engine.ts'
import { LargeMap } from '../../src/world/large-map.ts'
import { documentOf } from '../../src/world/state-document.ts'
import { bytesOf, history, performAll, restarted } from '../support/shop.ts'

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
      rank: isRetry ? 2 : 1,
      subscriptionSequence,
      invoiceSequence,
    }
  })

const keyOf = ({ due, subscriptionId }: DueItem) =>
  due.kind === 'payment_retry' ? due.invoiceId : subscriptionId

it('4.2: takes ends before retries, then older subscriptions, then older invoices', () => {
  const property = fc.property(fc.uniqueArray(item, { selector: keyOf }), (items) => {
    const waiting = new LargeMap<DueItem>()
    for (const each of items) waiting.set(keyOf(each), each)
    const queue = new DueQueue(waiting)
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
