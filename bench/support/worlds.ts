/** Worlds of a given size to measure with: subscriptions of the same monthly plan. */
import { initialSettings } from '../../src/assumptions/register.ts'
import { folderStore } from '../../src/store/folder-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type Instant, instantAt, millisOf } from '../../src/time/instant.ts'
import { createCustomer, createPlan, createProduct } from '../../src/world/commands/catalog.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import { emptyWorld, type World } from '../../src/world/world.ts'
import { entriesOfWorld } from '../../src/world/world-entries.ts'

const cause = { kind: 'request', requestId: null } as const
const terms = { amount: 1000, currency: 'USD', interval: 'month', intervalCount: 1 } as const

/** Subscriptions of one plan, ten seconds apart, so that no two fall due together. */
export function subscribed(count: number): World {
  const origin = {
    fixture: 'empty',
    startAt: null,
    startsRunning: false,
    settings: initialSettings,
  }
  const world = emptyWorld('default', origin, '2027-01-15T10:00:00.000Z' as Instant)
  createProduct(world, { productId: 'app', name: 'App' })
  createPlan(world, { planId: 'basic', productId: 'app', name: 'Basic', ...terms })
  for (let made = 0; made < count; made += 1) {
    const customerId = `cus_${made}`
    const rest = { name: null, email: null, currency: null, balance: 0 }
    createCustomer(world, { customerId, paymentMethod: 'valid', ...rest })
    world.clock.moveTo(instantAt(millisOf(world.clock.now()) + 10_000), null)
    const order = { customerId, plan: 'basic', trialPeriodDays: null }
    createSubscription(world, { ...order, couponId: null, promotionCode: null }, cause)
  }
  return world
}

/** Writes a world into a folder, as a sandbox would have left it there. */
export async function keep(world: World, folder: string): Promise<void> {
  const store = await storeIn(folder)
  const stored = await store.create('default')
  await stored.replace(entriesOfWorld(world))
  await stored.close()
  await store.close()
}

/** The durable store over a folder of the bench's own. */
export function storeIn(folder: string): Promise<Store> {
  return folderStore(folder, { durability: 'commit', lock: 'kernel', warn: console.warn })
}
