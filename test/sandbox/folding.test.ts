import { expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { type Store, type StoredSandbox, StoreUnavailable } from '../../src/store/store.ts'
import { openShop } from '../support/control.ts'

const order = { customer_id: 'cus_ada', plan: 'basic' }

/** A store whose journal is always outgrown, and whose folds end when the test says so. */
function outgrown() {
  const folded: number[] = []
  const ends: ((failure?: Error) => void)[] = []
  const always = (stored: StoredSandbox): StoredSandbox => ({
    ...stored,
    isOutgrown: () => ends.length === 0,
    fold: (entries) => {
      folded.push(subscriptionsIn(entries))
      return new Promise((resolve, reject) => {
        ends.push((failure) => (failure === undefined ? resolve() : reject(failure)))
      })
    },
  })
  const memory = memoryStore()
  const store: Store = { ...memory, create: async (id) => always(await memory.create(id)) }
  return { store, sizes: () => folded, end: async (failure?: Error) => ends.shift()?.(failure) }
}

function subscriptionsIn(entries: Iterable<object>): number {
  const pieces = [...entries] as { put?: { subscriptions?: unknown[] } }[]
  return pieces.reduce((sum, { put }) => sum + (put?.subscriptions?.length ?? 0), 0)
}

it('answers changes while the journal is folded, one fold at a time', async () => {
  const { store, sizes, end } = outgrown()
  const shop = await openShop({}, 10, { store })
  for (let count = 0; count < 3; count += 1) {
    expect((await shop.post('/sandbox/subscriptions', order)).status).toBe(201)
  }
  expect(sizes()).toEqual([1])
  await end()
  expect((await shop.post('/sandbox/subscriptions', order)).status).toBe(201)
  expect(sizes()).toEqual([1, 4])
})

it('goes on where the disk does not take a fold, and reports only a defect', async () => {
  const { store, sizes, end } = outgrown()
  const shop = await openShop({}, 10, { store })
  for (const failure of [new StoreUnavailable('full'), new Error('a defect'), undefined]) {
    expect((await shop.post('/sandbox/subscriptions', order)).status).toBe(201)
    await end(failure)
  }
  expect(sizes()).toEqual([1, 2, 3])
  expect(shop.log).toEqual(['Error: a defect'])
})
