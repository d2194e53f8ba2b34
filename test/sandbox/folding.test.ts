import { expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { type Store, type StoredSandbox, StoreUnavailable } from '../../src/store/store.ts'
import { openShop } from '../support/control.ts'

const order = { customer_id: 'cus_ada', plan: 'basic' }

/** A store whose journal is always outgrown, and whose folds end when the test says so. */
function outgrown() {
  const documents: { subscriptions: unknown[] }[] = []
  const ends: ((failure?: Error) => void)[] = []
  const always = (stored: StoredSandbox): StoredSandbox => ({
    ...stored,
    isOutgrown: () => true,
    fold: (document) => {
      documents.push(document as (typeof documents)[number])
      return new Promise((resolve, reject) => {
        ends.push((failure) => (failure === undefined ? resolve() : reject(failure)))
      })
    },
  })
  const memory = memoryStore()
  const store: Store = { ...memory, open: async (id) => always(await memory.open(id)) }
  const sizes = () => documents.map(({ subscriptions }) => subscriptions.length)
  return { store, sizes, end: async (failure?: Error) => ends.shift()?.(failure) }
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
