import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Instant } from '../../src/time/instant.ts'
import { advanceTo } from '../../src/world/engine.ts'
import { putRecord, type World } from '../../src/world/world.ts'
import { instant } from '../support/catalog.ts'
import { openShop, type Shop } from '../support/control.ts'
import { temporaryFolder } from '../support/folders.ts'
import { machineAt } from '../support/machine-time.ts'
import { storeIn } from '../support/store.ts'

const order = { customer_id: 'cus_ada', plan: 'basic' }
const watch = { cause: { kind: 'clock', requestId: null }, isDone: () => false } as const

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(() => folder.remove())

/** A schedule that lies so far back that each period ends before the last one did. */
function loopBack(world: World): void {
  const subscription = world.subscriptions.get('sub_000001')
  if (subscription === undefined) throw new Error('not there')
  putRecord(world, 'subscriptions', { ...subscription, anchor: instant('2020-01-01'), cycle: 1 })
}

/** A first failure so long ago that the next retry from it has passed already. */
function retryInThePast(world: World): void {
  const invoice = world.invoices.get('inv_000001')
  if (invoice === undefined) throw new Error('not there')
  const attempts = [{ at: instant('2020-01-01'), outcome: 'card_declined' as const }]
  putRecord(world, 'invoices', { ...invoice, attempts })
}

/** A retry that the clock has left behind. */
function overdue(world: World): void {
  const invoice = world.invoices.get('inv_000001')
  if (invoice === undefined) throw new Error('not there')
  putRecord(world, 'invoices', { ...invoice, nextAttemptAt: instant('2026-12-31') })
}

const cases: [string, (world: World) => void, RegExp][] = [
  [
    'a period that ends before it begins',
    loopBack,
    /period_end of subscription "sub_000001" at 2027-02-01T.* due again at 2020-/,
  ],
  [
    'a retry before its attempt',
    retryInThePast,
    /payment_retry of invoice "inv_000001" at 2027-01-02T.* due again at 2020-/,
  ],
  [
    'a retry that was passed over',
    overdue,
    /payment_retry of invoice "inv_000001" at 2026-12-31T.* the clock stands at 2027-01-01T/,
  ],
]

async function shopFor(
  plant: (world: World) => void,
  ...given: Parameters<typeof openShop>
): Promise<Shop> {
  const shop = await openShop(...given)
  const always = plant === loopBack ? 'succeed' : 'card_declined'
  await shop.post('/sandbox/payment-outcomes', { always })
  await shop.post('/sandbox/subscriptions', order)
  return shop
}

it.each(cases)('10.10: an advance stops at %s, and names it', async (...row) => {
  const [, plant, message] = row
  const { registry } = await shopFor(plant)
  const { world, before } = await registry.default.read((world) => {
    plant(world)
    return { world, before: world.clock.now() }
  })
  const target = '2028-01-01T00:00:00.000Z' as Instant
  await expect(advanceTo(world, target, watch)).rejects.toThrow(message)
  const due = world.due.head()
  expect(due).not.toBeNull()
  expect(world.clock.now() >= before).toBe(true)
  await expect(advanceTo(world, target, watch)).rejects.toThrow(message)
  expect(world.due.head()).toBe(due)
})

it.each(cases)('goes on answering after an advance met %s, and stops', async (...row) => {
  const [, plant, message] = row
  const shop = await shopFor(plant, {}, 10, { store: await storeIn(folder.path) })
  await shop.registry.default.execute(
    (world) => {
      plant(world)
      return { value: null, assumptions: [] }
    },
    () => 'req_000099',
  )
  const advanced = await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
  expect(advanced).toMatchObject({ status: 500, body: { code: 'internal' } })
  expect(shop.log.join('\n')).toMatch(message)
  expect((await shop.get('/sandbox')).status).toBe(200)
  expect((await shop.post('/sandbox/products', { name: 'Another' })).status).toBe(201)
  await shop.registry.close()
})

it('has a running clock stop there, report it once, and answer every call', async () => {
  const machine = machineAt('2027-01-01T00:00:00Z')
  const shop = await shopFor(loopBack, { startsRunning: true }, 10, { time: machine.time })
  await shop.registry.default.execute(
    (world) => {
      loopBack(world)
      return { value: null, assumptions: [] }
    },
    () => 'req_000099',
  )
  await machine.pass(365 * 86_400_000)
  for (let call = 0; call < 3; call += 1) {
    const { status, body } = await shop.get<{ now: string }>('/sandbox/clock')
    expect([status, body.now]).toEqual([200, '2027-02-01T00:00:00.000Z'])
  }
  expect(machine.waiting()).toBe(0)
  expect(shop.log).toHaveLength(1)
})
