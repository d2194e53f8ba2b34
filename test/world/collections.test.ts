import { expect, it } from 'vitest'
import { countRecords, countsOf } from '../../src/world/capacity.ts'
import { collectionNames, documentNames } from '../../src/world/collections.ts'
import { emptyWorld, forkWorld } from '../../src/world/world.ts'
import { applyEntry, markJournaled, takeJournalEntry } from '../../src/world/world-entries.ts'
import { documentOf } from '../support/document.ts'
import { openShop } from '../support/shop.ts'

/** A record with the id of every kind. */
const record = {
  ...{ productId: 'planted', planId: 'planted', customerId: 'planted', couponId: 'planted' },
  ...{ code: 'planted', subscriptionId: 'planted', invoiceId: 'planted', chargeId: 'planted' },
  ...{ familyId: 'planted', digest: 'planted', faultId: 'planted', webhookId: 'planted' },
  deliveryId: 'planted',
  scope: { subscriptionId: null, customerId: 'planted' },
} as never

it.each(documentNames)('%s are in a document and in the counts', (name) => {
  const world = openShop()
  const records = world[name]
  const before = records.size
  records.put(record)
  expect(documentOf(world)[name]).toContain(record)
  expect(countsOf(world)[name]).toBe(before + 1)
})

it('what webhooks are told, which real time shapes, is in no document, and in no count', () => {
  const world = openShop()
  const before = {
    document: documentOf(world),
    counts: countsOf(world),
    records: countRecords(world),
  }
  for (const name of ['webhooks', 'webhookDeliveries'] as const) {
    const records = world[name]
    records.put(record)
  }
  const after = {
    document: documentOf(world),
    counts: countsOf(world),
    records: countRecords(world),
  }
  expect(after).toEqual(before)
})

it.each(collectionNames)('%s are in a fork and in the journal', async (name) => {
  const world = openShop()
  const taken = markJournaled(world)
  const records = world[name]
  records.put(record)
  const id = name === 'paymentScripts' ? 'customer planted' : 'planted'

  const fork = forkWorld(world)
  expect(fork[name].get(id)).toBe(record)
  fork[name].delete(id)
  expect(records.get(id)).toBe(record)

  expect(takeJournalEntry(world, taken)?.put).toEqual({ [name]: [record] })
  records.delete(id)
  const entry = takeJournalEntry(world, taken)
  expect(entry?.deleted).toEqual({ [name]: [id] })
  const other = emptyWorld('other', world.origin, world.clock.now())
  const copies = other[name]
  copies.put(record)
  if (entry !== null) applyEntry(other, entry)
  expect(copies.has(id)).toBe(false)
})
