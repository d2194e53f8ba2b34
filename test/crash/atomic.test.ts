import { cp } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { listSandboxes, sandboxFolder } from '../../src/store/folder-store.ts'
import { chanceOf, seeded } from '../support/chance.ts'
import { call, type Order, sendTo, untilKilled } from '../support/crash-call.ts'
import { difference, mustAddUp, type Seen, see } from '../support/crash-observe.ts'
import { publication } from '../support/crash-operations.ts'
import { mustBeSound } from '../support/crash-traces.ts'
import { type Served, serve, temporaryFolder } from '../support/process.ts'

/** How often each change is killed: `KILLS=100 npx vitest run test/crash/atomic.test.ts` for more. */
const KILLS = Number(process.env['KILLS'] ?? 3)
/** A kill may also come so much later than the answer: what follows on it can be cut off as well. */
const LATEST = 1.3

/** A change, and the sandboxes that it is about. */
interface Change {
  readonly order: Order
  readonly about: readonly string[]
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>

/** One sandbox for each kill, all alike, and a first one that shows what the change comes to. */
const shops = Array.from({ length: KILLS + 1 }, (_, number) => `shop-${number}`)

beforeEach(async () => {
  folder = await temporaryFolder()
  const sandbox = await serve('--data', folder.path)
  await fill(sandbox, 'shop')
  await sandbox.stop()
  for (const shop of shops) {
    const [from, to] = ['shop', shop].map((id) => sandboxFolder(folder.path, id))
    await cp(from ?? '', to ?? '', { recursive: true })
  }
})

afterEach(() => folder.remove())

/** Makes a sandbox with records, two checkpoints and pacts. */
async function fill(sandbox: Served, of: string): Promise<void> {
  const told = (operation: string, body: object) => call(sandbox, operation, { of, body })
  await call(sandbox, `PUT /sandboxes/${of}`)
  await told('POST /sandbox/checkpoints', { name: 'empty' })
  for (let made = 0; made < 30; made += 1) {
    await told('POST /v1/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  }
  await told('POST /sandbox/clock/advance', { by: 'P1Y' })
  await told('POST /sandbox/checkpoints', { name: 'full' })
  await told('POST /sandbox/broker/contracts/publish', publication(1))
}

/** Sandboxes as they are, under names that are the same for every shop. */
async function seeAll(sandbox: Served, { about }: Change): Promise<(Seen | null)[]> {
  const seen = await Promise.all(about.map((id) => see(sendTo(sandbox), id)))
  const text = about.reduce(
    (named, id, at) => named.replaceAll(`"${id}"`, `"sandbox ${at}"`),
    JSON.stringify(seen),
  )
  return JSON.parse(text) as (Seen | null)[]
}

const isSame = (one: readonly (Seen | null)[], other: readonly (Seen | null)[]) =>
  one.every((each, at) => difference(each, other[at] ?? null) === null)

async function carryOut(sandbox: Served, { order }: Change): Promise<void> {
  await call(sandbox, order.operation, order)
}

/** Carries a change out on the first shop; answers what it came to, and how long that took. */
async function showChange(sandbox: Served, change: Change) {
  const before = await seeAll(sandbox, change)
  const startedAt = performance.now()
  await carryOut(sandbox, change)
  const tookMs = performance.now() - startedAt
  return { before, tookMs, after: await seeAll(sandbox, change) }
}

/** Kills a process within a change of each shop, and looks at what the next start makes of it. */
async function killWithin(
  seed: number,
  change: (shop: string) => Change,
  whatFollows: (sandbox: Served, shop: string) => Promise<void> = async () => undefined,
): Promise<{ readonly all: number; readonly nothing: number }> {
  const chance = chanceOf(seed)
  const counts = { all: 0, nothing: 0 }
  const [first = '', ...rest] = shops
  let sandbox = await serve('--data', folder.path)
  const shown = await showChange(sandbox, change(first))
  expect(isSame(shown.before, shown.after)).toBe(false)
  for (const shop of rest) {
    const planned = change(shop)
    expect(await seeAll(sandbox, planned)).toEqual(shown.before)
    const cut = untilKilled(carryOut(sandbox, planned))
    // Most of a change is on disk long before it is answered.
    await pause(chance() ** 2 * shown.tookMs * LATEST)
    sandbox.child.kill('SIGKILL')
    await Promise.all([sandbox.ended, cut])
    await mustBeSound(folder.path, await listSandboxes(folder.path))
    sandbox = await serve('--data', folder.path)
    const found = await seeAll(sandbox, planned)
    if (isSame(found, shown.before)) counts.nothing += 1
    else {
      expect(found, shop).toEqual(shown.after)
      counts.all += 1
    }
    for (const [at, id] of planned.about.entries()) {
      if (found[at] !== null) await mustAddUp(sendTo(sandbox), id)
    }
    await whatFollows(sandbox, shop)
  }
  await sandbox.stop()
  return counts
}

const changes: readonly (readonly [string, (of: string) => Change])[] = [
  ['a reset', (of) => on(of, 'POST /sandbox/reset', {})],
  ['a reset to another fixture', (of) => on(of, 'POST /sandbox/reset', { fixture: 'dunning' })],
  ['a return to a checkpoint', (of) => on(of, 'POST /sandbox/checkpoints/empty/restore')],
  ['a new checkpoint', (of) => on(of, 'POST /sandbox/checkpoints', { name: 'new' })],
  ['a deleted checkpoint', (of) => on(of, 'DELETE /sandbox/checkpoints/full')],
  [
    'a publication of several pacts',
    (of) => on(of, 'POST /sandbox/broker/contracts/publish', publication(2)),
  ],
  ['a fork', (of) => fork(of, { sandbox: of })],
  ['a fork of a checkpoint', (of) => fork(of, { sandbox: of, checkpoint: 'empty' })],
]

function on(of: string, operation: string, body?: object): Change {
  return { order: { operation, of, ...(body !== undefined && { body }) }, about: [of] }
}

function fork(of: string, from: object): Change {
  const made = `${of}-fork`
  return { order: { operation: `PUT /sandboxes/${made}`, body: { from } }, about: [of, made] }
}

it.each(changes)(
  'keeps all of %s or nothing, whenever it is killed',
  async (_, change) => {
    const { all, nothing } = await seeded((seed) => killWithin(seed, change))
    expect(all + nothing).toBe(KILLS)
  },
  600_000,
)

it('keeps all of a sandbox that is deleted or nothing, and a new one has nothing of it', async () => {
  let fresh: (Seen | null)[] | null = null
  const change = (of: string): Change => ({
    order: { operation: `DELETE /sandboxes/${of}` },
    about: [of],
  })
  const makeAnew = async (sandbox: Served, shop: string) => {
    const planned = change(shop)
    const [found] = await seeAll(sandbox, planned)
    if (found !== null) await carryOut(sandbox, planned)
    await call(sandbox, `PUT /sandboxes/${shop}`)
    const made = await seeAll(sandbox, planned)
    fresh ??= made
    expect(made).toEqual(fresh)
    expect(made).toMatchObject([
      { checkpoints: [], pacts: [], state: { subscriptions: [], events: [] } },
    ])
  }
  const { all, nothing } = await seeded((seed) => killWithin(seed, change, makeAnew))
  expect(all + nothing).toBe(KILLS)
}, 600_000)
