import { expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'
import { type Store, StoreUnavailable } from '../../src/store/store.ts'
import { openShop } from '../support/control.ts'
import { instead } from '../support/store.ts'

const order = { customer_id: 'cus_ada', plan: 'basic' }

/** A store whose journal has outgrown its state whenever the test says so; each fold fails as the test says. */
function outgrowing() {
  const failures: (Error | null)[] = []
  const folded: number[] = []
  const memory = memoryStore()
  const store: Store = {
    ...memory,
    create: async (id) => {
      const stored = await memory.create(id)
      return instead(stored, {
        isOutgrown: () => failures.length > 0,
        replace: async (entries) => {
          const failure = failures.shift()
          folded.push(subscriptionsIn(entries))
          if (failure) throw failure
        },
      })
    },
  }
  return { store, failures, folded }
}

function subscriptionsIn(entries: Iterable<object>): number {
  const pieces = [...entries] as { put?: { subscriptions?: unknown[] } }[]
  return pieces.reduce((sum, { put }) => sum + (put?.subscriptions?.length ?? 0), 0)
}

it('writes the state anew once after a change by which the journal outgrew it', async () => {
  const { store, failures, folded } = outgrowing()
  const shop = await openShop({}, 10, { store })
  await shop.post('/sandbox/subscriptions', order)
  failures.push(null)
  await Promise.all([
    shop.post('/sandbox/subscriptions', order),
    shop.post('/sandbox/subscriptions', order),
  ])
  await shop.post('/sandbox/subscriptions', order)
  expect(folded).toHaveLength(2)
  expect(folded[0]).toBe(0)
  expect(folded[1]).toBeGreaterThan(1)
})

it('writes the state anew in the midst of a long advance', async () => {
  const { store, failures, folded } = outgrowing()
  const shop = await openShop({}, 10, { store })
  for (let count = 0; count < 100; count += 1) await shop.post('/sandbox/subscriptions', order)
  const advance = shop.post('/sandbox/clock/advance', { by: 'P40Y' })
  failures.push(null)
  expect((await advance).status).toBe(200)
  expect(folded).toEqual([0, 100])
})

it('goes on where the disk does not take a fold, and reports only a defect', async () => {
  const { store, failures, folded } = outgrowing()
  const shop = await openShop({}, 10, { store })
  for (const failure of [new StoreUnavailable('full'), new Error('a defect'), null]) {
    failures.push(failure)
    expect((await shop.post('/sandbox/subscriptions', order)).status).toBe(201)
    await shop.get('/sandbox')
  }
  expect(folded).toEqual([0, 1, 2, 3])
  expect(shop.log).toEqual(['Error: a defect'])
})
