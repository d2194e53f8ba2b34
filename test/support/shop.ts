/** A world to try commands on, and commands to try, for properties that hold of every history. */

import fc from 'fast-check'
import { initialSettings } from '../../src/assumptions/register.ts'
import { numberedId } from '../../src/billing/id.ts'
import { FailureReason } from '../../src/billing/payment.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { type Instant, instantAt, millisOf } from '../../src/time/instant.ts'
import { advance } from '../../src/world/advance.ts'
import {
  createCoupon,
  createCustomer,
  createPlan,
  createProduct,
} from '../../src/world/commands/catalog.ts'
import { charge, scriptPayments } from '../../src/world/commands/payments.ts'
import {
  applyCoupon,
  cancel,
  changePlan,
  pause,
  payInvoice,
  removeScheduledCancellation,
  resume,
  subscribe,
} from '../../src/world/commands/subscriptions.ts'
import { documentOf, worldOfDocument } from '../../src/world/state-document.ts'
import { emptyWorld, type World } from '../../src/world/world.ts'
import {
  entriesOfWorld,
  reachOf,
  type Taken,
  takeAll,
  takeEntry,
  worldFromEntries,
} from '../../src/world/world-entries.ts'
import { fixedOff, percentage, repeating, trialExtension } from './catalog.ts'
import { drawnSettings } from './drawn-settings.ts'

const cause = { kind: 'request', requestId: 'req_000001' } as const
const clock = { kind: 'clock', requestId: 'req_000001' } as const
const DAY_MS = 86_400_000

/** How many histories a property tries: `PROPERTY_RUNS=3000` for a long run. */
export const RUNS = { numRuns: Number(process.env['PROPERTY_RUNS'] ?? 300) }

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

const planId = fc.constantFrom(...plans.map(([id]) => id))
const couponId = fc.constantFrom(...coupons.map((coupon) => coupon.couponId))
const customerId = fc.constantFrom('ada', 'ada', 'grace')
const nth = fc.integer({ min: 1, max: 3 })

const subscribing = fc.record({
  do: fc.constant('subscribe' as const),
  customerId,
  plan: planId,
  trialPeriodDays: fc.option(fc.constantFrom(0, 1, 14, 28)),
  couponId: fc.option(couponId, { freq: 2 }),
})

/** One thing that a test around the sandbox may do. */
const action = fc.oneof(
  { weight: 3, arbitrary: subscribing },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('changePlan' as const), nth, plan: planId }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('applyCoupon' as const), nth, couponId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('pause', 'resume'), nth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('cancel' as const),
      nth,
      when: fc.constantFrom('now' as const, 'at_period_end' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('removeScheduledCancellation' as const), nth }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pay' as const), nth }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('charge' as const),
      customerId,
      couponId: fc.option(couponId),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('script' as const),
      customerId: fc.option(customerId),
      outcomes: fc.array(fc.constantFrom('succeed' as const, ...FailureReason.options), {
        minLength: 1,
        maxLength: 6,
      }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      settings: drawnSettings,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      millis: fc.oneof(
        fc.integer({ min: 0, max: 70 * DAY_MS }),
        fc.integer({ min: 0, max: 70 }).map((days) => days * DAY_MS),
      ),
    }),
  },
)
export type Action = typeof action extends fc.Arbitrary<infer Value> ? Value : never

/** A history: two subscriptions, and then whatever was done, in order. */
export const history = fc
  .tuple(subscribing, subscribing, fc.array(action, { maxLength: 14 }))
  .map(([one, other, actions]): Action[] => [one, other, ...actions])

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
  taken: Taken
}

/** Starts to journal what a world changes. */
export function journaled(world: World): Journaled {
  const entries = [...entriesOfWorld(world)].map((entry) => JSON.stringify(entry))
  return { entries, taken: takeAll(world) }
}

/** Journals what changed, as text, the way it goes to the disk. */
export function journal(world: World, kept: Journaled): void {
  const entry = takeEntry(world, kept.taken)
  if (entry === null) return
  kept.entries.push(JSON.stringify(entry))
  kept.taken = reachOf(world)
}

/** The world that a process finds after the one before it was killed. */
export function recovered(kept: Journaled): Promise<World> {
  const entries = kept.entries.map((text) => JSON.parse(text))
  return worldFromEntries(entries, { sandboxId: 'shop', shape: 'unknown' })
}

/** Does one thing; answers the world afterwards and whether it was refused. */
export async function perform(world: World, action: Action, jump: Jump = oneJump) {
  if (action.do === 'advance') {
    const target = instantAt(millisOf(world.clock.now()) + action.millis)
    return { world: await jump(world, target), refused: false }
  }
  const answer = execute(world, action)
  return { world, refused: isRefusal(answer) }
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

function execute(world: World, action: Exclude<Action, { do: 'advance' }>) {
  switch (action.do) {
    case 'subscribe':
      return subscribe(world, { ...action, promotionCode: null }, cause)
    case 'changePlan':
      return changePlan(
        world,
        { subscriptionId: subscriptionId(action.nth), plan: action.plan },
        cause,
      )
    case 'applyCoupon': {
      const application = { subscriptionId: subscriptionId(action.nth), couponId: action.couponId }
      return applyCoupon(world, application, cause)
    }
    case 'cancel':
      return cancel(world, { subscriptionId: subscriptionId(action.nth), when: action.when }, cause)
    case 'pay':
      return payInvoice(world, numberedId('inv_', action.nth), cause)
    case 'charge':
      return charge(world, { ...action, amount: 1234, currency: 'USD' }, cause)
    case 'script': {
      const scope = { subscriptionId: null, customerId: action.customerId }
      return scriptPayments(world, { scope, outcomes: action.outcomes, always: null })
    }
    case 'set':
      world.settings = { ...world.settings, ...action.settings }
      return null
    case 'removeScheduledCancellation':
      return removeScheduledCancellation(world, subscriptionId(action.nth), cause)
    default: {
      const act = action.do === 'pause' ? pause : resume
      return act(world, subscriptionId(action.nth), cause)
    }
  }
}

function subscriptionId(nth: number): string {
  return numberedId('sub_', nth)
}
