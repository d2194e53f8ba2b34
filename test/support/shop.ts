/** A world to try commands on, and commands to try, for properties that hold of every history. */

import fc from 'fast-check'
import { initialSettings } from '../../src/assumptions/register.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { type HistoryStep, histories } from '../../src/fast-check.ts'
import { actSchema, actsOf, performAct } from '../../src/sandbox/fixture-acts.ts'
import { type Instant, instantAt, millisOf, parseDuration } from '../../src/time/instant.ts'
import { advance } from '../../src/world/advance.ts'
import {
  createCoupon,
  createCustomer,
  createPlan,
  createProduct,
} from '../../src/world/commands/catalog.ts'
import { worldOfDocument } from '../../src/world/state-document.ts'
import { emptyWorld, type World } from '../../src/world/world.ts'
import {
  entriesOfWorld,
  type JournalPosition,
  journalPosition,
  markJournaled,
  takeJournalEntry,
  worldFromEntries,
} from '../../src/world/world-entries.ts'
import { fixedOff, percentage, repeating, trialExtension } from './catalog.ts'
import { documentOf } from './document.ts'

const clock = { kind: 'clock', requestId: 'req_000001' } as const

/** How many histories a property tries: `PROPERTY_RUNS=3000` for a long run. */
export const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) }

const opening = '2027-01-31T10:00:00.000Z' as Instant

const plans = [
  ['free', 0, 'month', 1],
  ['basic', 1000, 'month', 1],
  ['odd', 1979, 'month', 1],
  ['same', 1979, 'month', 1],
  ['pro', 2500, 'month', 1],
  ['quarter', 2500, 'month', 3],
  ['weekly', 333, 'week', 2],
  ['yearly', 10_000, 'year', 1],
] as const

const stackable = { duration: 'forever', stackable: true } as const
const coupons = [
  percentage('ONCE', 12.5),
  percentage('THREE', 20, repeating(3)),
  fixedOff('FIXED', 700, stackable),
  percentage('TEN', 10, stackable),
  trialExtension('LONGER', 9),
  percentage('PRO', 50, { duration: 'forever', appliesToPlans: ['pro'] }),
  percentage('TWICE', 99, { maxRedemptions: 2 }),
]

/** A shop with plans, coupons and two customers, one of whom has no payment method. */
export function openShop(): World {
  const world = emptyWorld(
    'shop',
    { fixture: 'empty', startAt: null, startsRunning: false, settings: initialSettings },
    opening,
  )
  createProduct(world, { productId: 'app', name: 'App' })
  for (const [planId, amount, interval, intervalCount] of plans) {
    const terms = { amount, currency: 'USD', interval, intervalCount }
    createPlan(world, { planId, productId: 'app', name: planId, ...terms })
  }
  for (const customerId of ['ada', 'grace']) {
    const paymentMethod = customerId === 'ada' ? 'valid' : 'none'
    const blank = { name: null, email: null, currency: null, balance: 0 }
    createCustomer(world, { customerId, paymentMethod, ...blank })
  }
  for (const { timesRedeemed: _, ...coupon } of coupons) createCoupon(world, coupon)
  return world
}

/** A history: two subscriptions, and then whatever was done, in order. */
export const history = histories({
  customers: ['ada', 'ada', 'grace'],
  plans: plans.map(([id]) => id),
  coupons: coupons.map((coupon) => coupon.couponId),
  changesSettings: true,
}).map(({ steps }) => steps)
export type Action = HistoryStep

/** The scope of a payment script that is for all payments of a world. */
export const everybody = { subscriptionId: null, customerId: null }

/** Half of the time, how the next payments end, whoever makes them. */
export const forAll = fc
  .array(fc.constantFrom('succeed' as const, 'card_declined' as const), { maxLength: 6 })
  .chain((outcomes) => fc.constantFrom([], outcomes))

/** Moves the clock of a world; how many jumps it takes is what a property varies. */
export type Jump = (world: World, target: Instant) => Promise<World>

export const oneJump: Jump = async (world, target) => {
  const answer = await advance(world, { to: target }, { cause: clock })
  if (isRefusal(answer)) throw new Error(answer.message)
  return world
}

/** Goes half-way, does there what is told, and goes on. */
export function halfWay(stop: (world: World) => World | Promise<World>): Jump {
  return async (world, target) => {
    const from = millisOf(world.clock.now())
    const middle = instantAt(from + Math.floor((millisOf(target) - from) / 2))
    return oneJump(await stop(await oneJump(world, middle)), target)
  }
}

/** Ends the world and reads it back from its own document, as a restart does. */
export function restarted(world: World): Promise<World> {
  return worldOfDocument(JSON.parse(JSON.stringify(documentOf(world))), world.sandboxId)
}

/** A world as a process holds it: with a snapshot behind it, and a journal of what it changed since. */
export interface Journaled {
  readonly entries: string[]
  taken: JournalPosition
}

/** Starts to journal what a world changes. */
export function journaled(world: World): Journaled {
  const entries = [...entriesOfWorld(world)].map((entry) => JSON.stringify(entry))
  return { entries, taken: markJournaled(world) }
}

/** Journals what changed, as text, the way it goes to the disk. */
export function journal(world: World, kept: Journaled): void {
  const entry = takeJournalEntry(world, kept.taken)
  if (entry === null) return
  kept.entries.push(JSON.stringify(entry))
  kept.taken = journalPosition(world)
}

/** The world that a process finds after the one before it was killed. */
export function recovered(kept: Journaled): Promise<World> {
  const entries = kept.entries.map((text) => JSON.parse(text))
  return worldFromEntries(entries, 'shop', 'unknown')
}

/** Does one thing; answers the world afterwards and whether it was refused. */
export async function perform(world: World, action: Action, jump: Jump = oneJump) {
  if ('advance' in action) {
    const by = parseDuration(action.advance)
    if (by === null) throw new Error(`${action.advance} is no duration`)
    const target = instantAt(millisOf(world.clock.now()) + by.millis)
    return { world: await jump(world, target), refused: false }
  }
  const [name] = actsOf(action)
  if (name === undefined) throw new Error(`${JSON.stringify(action)} is no act`)
  const fields = actSchema(name).parse(Object.values(action)[0])
  return { world, refused: (await performAct(world, { [name]: fields })) !== null }
}

/** Does everything in order. */
export async function performAll(actions: readonly Action[], jump: Jump = oneJump): Promise<World> {
  let world = openShop()
  for (const each of actions) world = (await perform(world, each, jump)).world
  return world
}

/** The whole world as text, to compare to the byte. */
export function bytesOf(world: World): string {
  return JSON.stringify(documentOf(world))
}
