import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Invoice } from '../../src/billing/invoice.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { type Instant, instantAt, millisOf } from '../../src/time/instant.ts'
import { advance } from '../../src/world/advance.ts'
import { scriptPayments } from '../../src/world/commands/payments.ts'
import type { Event } from '../../src/world/event.ts'
import { agenda, forecast } from '../../src/world/forecast.ts'
import { booksOf } from '../../src/world/state-checks.ts'
import { forkWorld, type World } from '../../src/world/world.ts'
import { audit } from '../support/audit.ts'
import { frozen } from '../support/frozen.ts'
import {
  bytesOf,
  everybody,
  forAll,
  history,
  type Jump,
  oneJump,
  openShop,
  perform,
  performAll,
  RUNS,
  restarted,
} from '../support/shop.ts'

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
  '10.1: an advance from a to c equals one from a to b and then to c, to the byte, restarted or not',
  async () => {
    const property = fc.asyncProperty(history, stops, async (actions, shares) => {
      const jumped = bytesOf(await performAll(actions))
      for (const stop of [(world: World) => world, restarted]) {
        expect(bytesOf(await performAll(actions, through(shares, stop)))).toBe(jumped)
      }
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

it(
  '10.2: the same calls on the same fixture give the same bytes',
  async () => {
    const property = fc.asyncProperty(history, async (actions) => {
      expect(bytesOf(await performAll(actions))).toBe(bytesOf(await performAll(actions)))
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

it(
  '2.3, 5.9, 9.7, 10.3: after every call the books are in order, and no record was changed in place',
  async () => {
    let refusals = 0
    const property = fc.asyncProperty(history, async (actions) => {
      let world = openShop()
      for (const action of actions) {
        const before = bytesOf(world)
        const ended = [...world.subscriptions.values()].filter(({ endedAt }) => endedAt !== null)
        freezeRecords(world)
        const done = await perform(world, action)
        world = done.world
        expect(audit(booksOf(world))).toEqual([])
        for (const each of ended) expect(world.subscriptions.get(each.subscriptionId)).toBe(each)
        for (const { lines } of world.invoices.values()) lines.forEach(mustBeWithinBasis)
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

/** Whatever changes one of them in place throws. */
function freezeRecords({ subscriptions, invoices, customers, coupons }: World): void {
  for (const records of [subscriptions, invoices, customers, coupons]) {
    for (const record of records.values()) frozen(record)
  }
}

/** A credit is never more than what the line cost, nor a charge than the new price. */
function mustBeWithinBasis({ kind, amount, basis, cut }: Invoice['lines'][number]): void {
  if (basis === null) return
  expect(basis.remainingMs).toBeLessThanOrEqual(basis.lengthMs)
  expect(Math.abs(amount) + cut).toBeLessThanOrEqual(basis.amount)
  expect(kind === 'proration_credit' ? -amount : amount).toBeGreaterThanOrEqual(0)
}

it(
  '10.7: a dry run, the agenda and a forecast say what the advance then does, and change nothing',
  async () => {
    const days = fc.integer({ min: 1, max: 120 })
    const property = fc.asyncProperty(history, days, forAll, async (actions, ahead, outcomes) => {
      const world = await performAll(actions)
      scriptPayments(world, { scope: everybody, outcomes, always: null })
      const before = bytesOf(world)
      const target = instantAt(millisOf(world.clock.now()) + ahead * 86_400_000)
      const foretold = await advance(forkWorld(world), { to: target }, { cause: clock })
      const asked = { before: instantAt(millisOf(target) + 1), limit: 10_000 }
      const { items } = await agenda(forkWorld(world), asked)
      const invoices = await forecastAll(world, target)
      expect(bytesOf(world)).toBe(before)

      const [newest, lastSeq] = [world.sequences.invoices, world.sequences.events]
      const done = await advance(world, { to: target }, { cause: clock })
      if (isRefusal(done) || isRefusal(foretold)) throw new Error('refused')
      expect(foretold).toEqual(done)
      expect(new Set(done.events.map((event) => event.at))).toEqual(
        new Set(items.map((item) => item.at)),
      )
      const billed = items.filter(
        (each) => each.kind !== 'payment_retry' && each.amountDue !== null,
      )
      expect(billed.map((each) => [each.at, each.subscriptionId, each.amountDue])).toEqual(
        world.events.after(lastSeq).flatMap(invoiced),
      )
      const made = [...world.invoices.values()].filter((invoice) => invoice.sequence > newest)
      expect(invoices).toEqual(bySubscription(world, made))
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

/** The invoice that an event makes: when, for whom, and of how much. */
function invoiced({ at, type, detail }: Event) {
  return type === 'invoice.created' ? [[at, detail['subscriptionId'], detail['amountDue']]] : []
}

/** The invoices to come of each subscription, without their numbers: a forecast counts those of one customer alone. */
async function forecastAll(world: World, until: Instant) {
  const all: Invoice[] = []
  for (const subscriptionId of world.subscriptions.keys()) {
    const found = await forecast(forkWorld(world), { scope: { subscriptionId }, until })
    if (isRefusal(found)) throw new Error(found.message)
    expect(found).toMatchObject({ completeUntil: until, stoppedBecause: 'reached' })
    all.push(...found.invoices)
  }
  return bySubscription(world, all)
}

function bySubscription({ subscriptions }: World, invoices: readonly Invoice[]) {
  return [...subscriptions.keys()].map((id) =>
    invoices
      .filter(({ subscriptionId }) => subscriptionId === id)
      .map(({ invoiceId: _, sequence: __, ...rest }) => rest),
  )
}
