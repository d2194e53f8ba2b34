import { expect, it } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { loadFixtures } from '../../src/sandbox/fixtures.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { realTime } from '../../src/sandbox/running-clock.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { SandboxOrder } from '../../src/sandbox/sandbox-types.ts'
import { memoryStore } from '../../src/store/memory-store.ts'
import type { Store } from '../../src/store/store.ts'
import { orThrow } from '../../src/surface/refusals.ts'
import { changeCustomer } from '../../src/world/commands/catalog.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import { settleNext } from '../../src/world/engine.ts'
import { success } from '../../src/world/results.ts'
import { instant } from '../support/catalog.ts'
import { documentOf } from '../support/document.ts'
import { temporaryFolder } from '../support/folders.ts'
import { storeIn } from '../support/store.ts'

const blank = { fixture: null, now: null, startsRunning: false, settings: {}, from: null }

/** Nothing breaks while nobody waits, unless a test says so. */
function unexpected(defect: unknown): never {
  throw defect
}

async function open(store: Store = memoryStore(), sandboxesMax = 3): Promise<Registry> {
  const parts = {
    store,
    fixtures: await loadFixtures(),
    sandboxesMax,
    time: realTime,
    report: unexpected,
  }
  return orThrow(await Registry.open(parts, blank))
}

async function made(registry: Registry, order: Partial<SandboxOrder>): Promise<Sandbox> {
  const sandbox = await registry.create({ ...blank, sandboxId: null, ...order })
  if (isRefusal(sandbox)) throw new Error(sandbox.message)
  return sandbox
}

async function rename(sandbox: Sandbox, name: string): Promise<void> {
  await sandbox.execute(
    (world) => changeCustomer(world, 'cus_ada', { name }),
    () => 'req_000001',
  )
}

function nameOf(sandbox: Sandbox): Promise<string | null | undefined> {
  return sandbox.read((world) => world.customers.get('cus_ada')?.name)
}

it('always has a default sandbox, which cannot be deleted', async () => {
  const registry = await open()
  expect(registry.default.id).toBe('default')
  expect(await registry.remove('default')).toMatchObject({ refused: 'in_use' })
  expect(registry.default.id).toBe('default')
})

it('refuses an id that is taken or being taken, and one sandbox too many', async () => {
  const registry = await open()
  const order = { ...blank, sandboxId: 'one' }
  const [first, second] = await Promise.all([registry.create(order), registry.create(order)])
  expect(isRefusal(first)).toBe(false)
  expect(second).toMatchObject({ refused: 'exists' })
  await made(registry, {})
  expect(await registry.create({ ...blank, sandboxId: 'four' })).toMatchObject({
    refused: 'sandbox_limit',
  })
  await registry.remove('one')
  expect((await made(registry, { sandboxId: 'four' })).id).toBe('four')
})

it('counts a sandbox once while it is being deleted', async () => {
  const registry = await open()
  await made(registry, { sandboxId: 'one' })
  const removal = registry.remove('one')
  expect((await made(registry, { sandboxId: 'two' })).id).toBe('two')
  expect(await removal).toBe(null)
})

it('refuses an id until the sandbox that had it is gone from the disk', async () => {
  const folder = await temporaryFolder()
  const registry = await open(await storeIn(folder.path))
  for (let round = 0; round < 20; round += 1) {
    await made(registry, { sandboxId: 'one' })
    const removed = registry.remove('one')
    const early = await registry.create({ ...blank, sandboxId: 'one' })
    expect(early).toMatchObject({ refused: 'exists' })
    expect(await removed).toBeNull()
  }
  expect(isRefusal(await registry.create({ ...blank, sandboxId: 'one' }))).toBe(false)
  await registry.close()
  await folder.remove()
})

it('keeps sandboxes apart: data, clock and settings', async () => {
  const registry = await open()
  const one = await made(registry, { sandboxId: 'one', settings: { pausedStatusName: 'on_hold' } })
  const two = await made(registry, { sandboxId: 'two', now: instant('2030-01-01') })
  await rename(one, 'Countess')
  expect(await nameOf(two)).toBe('Ada Lovelace')
  expect([one.now(), two.now()]).toEqual([instant('2027-01-01'), instant('2030-01-01')])
  expect([one.settings.pausedStatusName, two.settings.pausedStatusName]).toEqual([
    'on_hold',
    'paused',
  ])
})

it('forks a sandbox as it is now, and each changes by itself from there', async () => {
  const registry = await open()
  await rename(registry.default, 'Countess')
  const fork = await made(registry, { sandboxId: 'fork', from: { sandbox: 'default' } })
  await rename(registry.default, 'Baroness')
  expect([await nameOf(fork), await nameOf(registry.default)]).toEqual(['Countess', 'Baroness'])
  expect(fork.apiKey).toBe('sk_sandbox_fork')
  const orphan = { ...blank, sandboxId: 'orphan', from: { sandbox: 'nobody' } }
  expect(await registry.create(orphan)).toMatchObject({ refused: 'not_found' })
})

it('lists the oldest first', async () => {
  const registry = await open()
  await made(registry, { sandboxId: 'b' })
  await made(registry, { sandboxId: 'a' })
  expect(registry.ids).toEqual(['default', 'b', 'a'])
})

it('keeps what it settles at a start, after an advance that was cut short', async () => {
  const folder = await temporaryFolder()
  const first = await open(await storeIn(folder.path))
  for (const customerId of ['cus_ada', 'cus_linus']) {
    const order = { customerId, plan: 'basic', trialPeriodDays: null }
    const checkout = { ...order, couponId: null, promotionCode: null }
    await first.default.execute(
      (world, cause) => createSubscription(world, checkout, cause),
      () => 'req_000001',
    )
  }
  // Killed between two renewals of one instant: the first was journaled, the second was not reached.
  await first.default.execute(
    (world, cause) => {
      world.clock.moveTo(instant('2027-02-01'), null)
      return success(settleNext(world, cause))
    },
    () => 'req_000002',
  )
  await first.close()

  const second = await open(await storeIn(folder.path))
  await rename(second.default, 'Countess')
  const settled = await second.default.read((world) => JSON.stringify(documentOf(world)))
  expect(JSON.parse(settled).invoices).toHaveLength(4)
  await second.close()
  const third = await open(await storeIn(folder.path))
  expect(await third.default.read((world) => JSON.stringify(documentOf(world)))).toBe(settled)
  await third.close()
  await folder.remove()
})

it('finds every sandbox again after a restart', async () => {
  const folder = await temporaryFolder()
  const first = await open(await storeIn(folder.path))
  await rename(await made(first, { sandboxId: 'one' }), 'Countess')
  await first.close()

  const second = await open(await storeIn(folder.path))
  expect(second.ids).toEqual(['default', 'one'])
  const one = orThrow(await second.find('one'))
  expect(one === null ? null : await nameOf(one)).toBe('Countess')
  await folder.remove()
})
