import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Invoice } from '../../src/billing/invoice.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { type Instant, instantAt, millisOf } from '../../src/time/instant.ts'
import { advance } from '../../src/world/advance.ts'
import { agenda, forecast } from '../../src/world/forecast.ts'
import { booksOf } from '../../src/world/state-checks.ts'
import { forkWorld, type World } from '../../src/world/world.ts'
import { audit } from '../support/audit.ts'
import {
  bytesOf,
  carryOut,
  history,
  type Jump,
  live,
  oneJump,
  openShop,
  restarted,
} from '../support/shop.ts'

const RUNS = { numRuns: 1000 }
const TIMEOUT_MS = 300_000
const clock = { kind: 'clock', requestId: 'req_000001' } as const

/** Goes through every point on the way, each a share of the whole jump, and restarts there where told. */
function through(shares: readonly number[], stop: (world: World) => World | Promise<World>): Jump {
  return async (world, target) => {
    const from = millisOf(world.clock.now())
    const span = millisOf(target) - from
    let moved = world
    for (const share of [...shares].sort((one, other) => one - other)) {
      moved = await stop(await oneJump(moved, instantAt(from + Math.floor(span * share))))
    }
    return oneJump(moved, target)
  }
}

const stops = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 4 })

it(
  '10.1: an advance from a to c equals one from a to b and then to c, to the byte',
  async () => {
    const property = fc.asyncProperty(history, stops, async (deeds, shares) => {
      const jumped = await live(deeds)
      const walked = await live(
        deeds,
        through(shares, (world) => world),
      )
      expect(bytesOf(walked)).toBe(bytesOf(jumped))
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

it(
  '10.1: a restart at b changes no byte of what comes after',
  async () => {
    const property = fc.asyncProperty(history, stops, async (deeds, shares) => {
      const jumped = await live(deeds)
      const broken = await live(deeds, through(shares, restarted))
      expect(bytesOf(broken)).toBe(bytesOf(jumped))
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

it(
  '10.2: the same calls on the same fixture give the same bytes',
  async () => {
    const property = fc.asyncProperty(history, async (deeds) => {
      expect(bytesOf(await live(deeds))).toBe(bytesOf(await live(deeds)))
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

it(
  '10.3: money is conserved and periods are contiguous after every call',
  async () => {
    const property = fc.asyncProperty(history, async (deeds) => {
      let world = openShop()
      for (const deed of deeds) {
        world = (await carryOut(world, deed)).world
        expect(audit(booksOf(world))).toEqual([])
      }
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

it(
  '9.7: a refused request changes nothing at all',
  async () => {
    let refusals = 0
    const property = fc.asyncProperty(history, async (deeds) => {
      let world = openShop()
      for (const deed of deeds) {
        const before = bytesOf(world)
        const done = await carryOut(world, deed)
        world = done.world
        if (!done.refused) continue
        refusals += 1
        expect(bytesOf(world)).toBe(before)
      }
    })
    await fc.assert(property, RUNS)
    expect(refusals).toBeGreaterThan(RUNS.numRuns)
  },
  TIMEOUT_MS,
)

it(
  '10.7: a dry run, the agenda and a forecast say what the advance then does, and change nothing',
  async () => {
    const days = fc.integer({ min: 1, max: 120 })
    const property = fc.asyncProperty(history, days, async (deeds, ahead) => {
      const world = await live(deeds)
      const before = bytesOf(world)
      const target = instantAt(millisOf(world.clock.now()) + ahead * 86_400_000)
      const foretold = await advance(await forkWorld(world), { to: target }, { cause: clock })
      const asked = { before: instantAt(millisOf(target) + 1), limit: 10_000 }
      const { items } = await agenda(await forkWorld(world), asked)
      const invoices = await forecastAll(world, target)
      expect(bytesOf(world)).toBe(before)

      const newest = world.sequences.invoices
      const done = await advance(world, { to: target }, { cause: clock })
      if (isRefusal(done) || isRefusal(foretold)) throw new Error('refused')
      expect(foretold).toEqual(done)
      expect(new Set(done.events.map((event) => event.at))).toEqual(
        new Set(items.map((item) => item.at)),
      )
      const made = [...world.invoices.values()].filter((invoice) => invoice.sequence > newest)
      expect(invoices).toEqual(made)
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

async function forecastAll(world: World, until: Instant): Promise<Invoice[]> {
  const all: Invoice[] = []
  for (const subscriptionId of world.subscriptions.keys()) {
    const found = await forecast(await forkWorld(world), { subscriptionId, until })
    if (isRefusal(found)) throw new Error(found.message)
    all.push(...found.invoices)
  }
  return all.sort((one, other) => one.sequence - other.sequence)
}
