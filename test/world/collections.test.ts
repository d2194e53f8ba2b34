import { expect, it } from 'vitest'
import { recordsIn } from '../../src/world/capacity.ts'
import { collectionNames, documentNames } from '../../src/world/collections.ts'
import { countsOf } from '../../src/world/counts.ts'
import { replay, takeAll, takeEntry } from '../../src/world/journal-entry.ts'
import type { LargeMap } from '../../src/world/large-map.ts'
import { documentOf } from '../../src/world/state-document.ts'
import { emptyWorld, forkWorld } from '../../src/world/world.ts'
import { openShop } from '../support/shop.ts'

it.each(documentNames)('%s are in a document and in the counts', (name) => {
  const world = openShop()
  const records: LargeMap<unknown> = world[name]
  const before = records.size
  const record = { planted: name }
  records.set('planted', record)
  expect(documentOf(world)[name]).toContain(record)
  expect(countsOf(world)[name]).toBe(before + 1)
})

it('what webhooks are told, which real time shapes, is in no document, and in no count', () => {
  const world = openShop()
  const before = { document: documentOf(world), counts: countsOf(world), records: recordsIn(world) }
  for (const name of ['webhooks', 'webhookDeliveries'] as const) {
    const records: LargeMap<unknown> = world[name]
    records.set('planted', { planted: name })
  }
  const after = { document: documentOf(world), counts: countsOf(world), records: recordsIn(world) }
  expect(after).toEqual(before)
})

it.each(collectionNames)('%s are in a fork and in the journal', async (name) => {
  const world = openShop()
  const taken = takeAll(world)
  const records: LargeMap<unknown> = world[name]
  const record = { planted: name }
  records.set('planted', record)

  const fork = forkWorld(world)
  expect(fork[name].get('planted')).toBe(record)
  fork[name].delete('planted')
  expect(records.get('planted')).toBe(record)

  expect(takeEntry(world, taken)?.put).toEqual({ [name]: [record] })
  records.delete('planted')
  const entry = takeEntry(world, taken)
  expect(entry?.deleted).toEqual({ [name]: ['planted'] })
  const other = emptyWorld('other', world.origin, world.clock.now())
  const copies: LargeMap<unknown> = other[name]
  copies.set('planted', record)
  if (entry !== null) replay(other, entry)
  expect(copies.has('planted')).toBe(false)
})
