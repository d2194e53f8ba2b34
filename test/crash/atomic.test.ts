import { cp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { listSandboxes, sandboxFolder } from '../../src/store/folder-store.ts'
import { type Chance, chanceOf, seeded, upTo } from '../support/chance.ts'
import { call, type Order, sendTo, untilKilled } from '../support/crash-call.ts'
import { mustAddUp, type Seen, see } from '../support/crash-observe.ts'
import { publication } from '../support/crash-operations.ts'
import { mustBeSound } from '../support/crash-traces.ts'
import { temporaryFolder } from '../support/folders.ts'
import { run, type Served, serve, served } from '../support/process.ts'

/** How often each change is killed: `KILLS=100 npx vitest run test/crash/atomic.test.ts` for more. */
const KILLS = Number(process.env['KILLS'] ?? 1)
/** The share of kills that come a while after a step began, and the longest such while. */
const LATE = 0.3
const LATE_MS_MAX = 3

/** A change, and the sandboxes that it is about. */
interface Change {
  readonly order: Order
  readonly about: readonly string[]
}

let filled: Awaited<ReturnType<typeof temporaryFolder>>
let folder: typeof filled

/** One sandbox for each kill, all alike, and a first one that shows what the change comes to. */
const shops = Array.from({ length: KILLS + 1 }, (_, number) => `shop-${number}`)

beforeAll(async () => {
  filled = await temporaryFolder()
  const sandbox = await serve('--data', filled.path)
  await fill(sandbox, 'shop')
  await sandbox.stop()
  for (const shop of shops) {
    await cp(sandboxFolder(filled.path, 'shop'), sandboxFolder(filled.path, shop), {
      recursive: true,
    })
  }
})

beforeEach(async () => {
  folder = await temporaryFolder()
  await cp(filled.path, folder.path, { recursive: true })
})

afterEach(() => folder.remove())
afterAll(() => filled.remove())

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
  isDeepStrictEqual(one, other)

async function perform(sandbox: Served, { order }: Change): Promise<void> {
  await call(sandbox, order.operation, order)
}

/** Serves with kills to come at a step of what is asked of the disk, counted from when the mark is made. */
function serveToKill(): Promise<Served> {
  const preload = pathToFileURL('test/support/kill-at-step.mjs').href
  const environment = { NODE_OPTIONS: `--import ${preload}`, KILL_MARK: mark() }
  return served(run(['serve', '--port', '0', '--data', folder.path], environment))
}

const mark = () => join(folder.path, 'mark')

/** Has steps be counted from now on, and the process be killed so long after one of them; none is step 0. */
const countSteps = (step = 0, afterMs = 0) => writeFile(mark(), `${step} ${afterMs}\n`)

/** Carries a change out on the first shop; answers what it came to, and how many steps it took. */
async function showChange(sandbox: Served, change: Change) {
  const before = await seeAll(sandbox, change)
  await countSteps()
  await perform(sandbox, change)
  const after = await seeAll(sandbox, change)
  const [, steps = ''] = (await readFile(mark(), 'utf8')).split('\n')
  await rm(mark())
  expect(isSame(before, after)).toBe(false)
  return { before, after, steps: steps.length }
}

async function killed(sandbox: Served): Promise<void> {
  sandbox.child.kill('SIGKILL')
  await sandbox.ended
}

/** Which steps are killed: spread over all of them, and the first after the last. */
function stepsToKill(steps: number, chance: Chance): number[] {
  return Array.from({ length: KILLS }, (_, kill) =>
    Math.min(
      steps + 1,
      Math.floor((kill * steps) / KILLS) + upTo(Math.ceil(steps / KILLS), chance),
    ),
  )
}

type Follow = (sandbox: Served, shop: string) => Promise<void>

/** Kills a process within a change of each shop, and looks at what the next start makes of it. */
async function killWithin(
  seed: number,
  change: (shop: string) => Change,
  follow: Follow = async () => undefined,
): Promise<{ readonly all: number; readonly nothing: number }> {
  const chance = chanceOf(seed)
  const counts = { all: 0, nothing: 0 }
  const [first = '', ...rest] = shops
  let sandbox = await serveToKill()
  const shown = await showChange(sandbox, change(first))
  const steps = stepsToKill(shown.steps, chance)
  for (const [at, shop] of rest.entries()) {
    const planned = change(shop)
    const isLate = chance() < LATE
    expect(await seeAll(sandbox, planned)).toEqual(shown.before)
    await countSteps(steps[at], isLate ? upTo(LATE_MS_MAX, chance) : 0)
    await untilKilled(perform(sandbox, planned))
    await killed(sandbox)
    await rm(mark())
    await mustBeSound(folder.path, await listSandboxes(folder.path))
    // Where this shop is looked at, the next one is killed.
    sandbox = await serveToKill()
    const found = await seeAll(sandbox, planned)
    const isNothing = isSame(found, shown.before)
    counts[isNothing ? 'nothing' : 'all'] += 1
    const told = `${shop}, killed at step ${steps[at]} of ${shown.steps}`
    if (!isNothing) expect(found, told).toEqual(shown.after)
    for (const [place, id] of planned.about.entries()) {
      if (found[place] !== null) await mustAddUp(sendTo(sandbox), id)
    }
    await follow(sandbox, shop)
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
    if (found !== null) await perform(sandbox, planned)
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
