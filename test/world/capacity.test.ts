import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { parseDuration } from '../../src/time/instant.ts'
import { advance } from '../../src/world/advance.ts'
import { countRecords } from '../../src/world/capacity.ts'
import { createCustomer, deleteRecord } from '../../src/world/commands/catalog.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import { isHeadBlocked } from '../../src/world/engine.ts'
import { booksOf } from '../../src/world/state-checks.ts'
import type { World } from '../../src/world/world.ts'
import { audit } from '../support/audit.ts'
import { instant } from '../support/catalog.ts'
import {
  type Action,
  bytesOf,
  halfWay,
  history,
  type Jump,
  openShop,
  perform,
  performAll,
  restarted,
} from '../support/shop.ts'

const RECORDS = 26

vi.mock('../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  RECORDS_MAX: 26,
}))

const cause = { kind: 'request', requestId: 'req_000001' } as const
const order = { customerId: 'ada', trialPeriodDays: null, couponId: null, promotionCode: null }

/** The shop holds 18 records; the subscriptions and their first invoices add 2 each. */
function shopWith(...plans: string[]): World {
  const world = openShop()
  for (const plan of plans) createSubscription(world, { ...order, plan }, cause)
  return world
}

async function move(world: World, by: string) {
  const duration = parseDuration(by)
  if (duration === null) throw new Error(`${by} is no duration`)
  const answer = await advance(world, { by: duration }, { cause })
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

it('stops an advance before the due item whose records exceed the limit, and says so', async () => {
  const world = shopWith('basic', 'basic', 'basic')
  const answer = await move(world, 'P1Y')
  expect(answer).toMatchObject({
    to: instant('2027-02-28T10:00:00Z'),
    stoppedBecause: 'sandbox_full',
    nextDue: { at: instant('2027-02-28T10:00:00Z'), subject: { id: 'sub_000003' } },
  })
  expect(countRecords(world)).toBe(RECORDS)
  const before = bytesOf(world)
  expect(await move(world, 'P1Y')).toMatchObject({ stoppedBecause: 'sandbox_full', eventsTotal: 0 })
  expect(bytesOf(world)).toBe(before)
})

it('goes on with what adds no record, and with everything once there are fewer records', async () => {
  const world = shopWith('basic', 'basic', 'basic')
  await move(world, 'P1Y')
  const last = world.subscriptions.get('sub_000003')
  if (last === undefined) throw new Error('not there')
  expect(isHeadBlocked(world)).toBe(true)
  expect(isRefusal(await deleteRecord(world, 'coupons', 'TWICE'))).toBe(false)
  expect(isHeadBlocked(world)).toBe(false)
  const again = await move(world, 'P1Y')
  expect(again.to).toBe(instant('2027-03-31T10:00:00Z'))
  expect(world.subscriptions.get('sub_000003')?.currentPeriodEnd).toBe(again.to)
})

it('refuses a command for the records that it would add, and changes nothing', () => {
  const world = shopWith('basic', 'basic', 'basic')
  const blank = { name: null, email: null, currency: null, balance: 0 }
  const customer = { ...blank, customerId: null, paymentMethod: 'valid' } as const
  createCustomer(world, customer)
  const before = bytesOf(world)
  expect(createSubscription(world, { ...order, plan: 'basic' }, cause)).toMatchObject({
    refused: 'sandbox_full',
    message: expect.stringMatching(/at most 26 records, and this one would have 27;/),
  })
  expect(bytesOf(world)).toBe(before)
  expect(
    isRefusal(createSubscription(world, { ...order, plan: 'basic', trialPeriodDays: 7 }, cause)),
  ).toBe(false)
  const full = bytesOf(world)
  expect(createCustomer(world, customer)).toMatchObject({ refused: 'sandbox_full' })
  expect(bytesOf(world)).toBe(full)
})

it.each<[string, Jump]>([
  ['two jumps', halfWay((world) => world)],
  ['a restart', halfWay(restarted)],
])('11.4: a full sandbox holds the same bytes with %s', async (_, jump) => {
  let full = 0
  const property = fc.asyncProperty(history, async (actions: readonly Action[]) => {
    const jumped = await performAll(actions)
    expect(bytesOf(await performAll(actions, jump))).toBe(bytesOf(jumped))
    if (isHeadBlocked(jumped)) full += 1
  })
  await fc.assert(property, { numRuns: 1000 })
  expect(full).toBeGreaterThan(50)
})

it('10.9: a full sandbox keeps its books in order after every call', async () => {
  const property = fc.asyncProperty(history, async (actions: readonly Action[]) => {
    let world = openShop()
    for (const action of actions) {
      const before = bytesOf(world)
      const done = await perform(world, action)
      world = done.world
      if (done.refused) expect(bytesOf(world)).toBe(before)
      expect(countRecords(world)).toBeLessThanOrEqual(RECORDS)
      const isWaiting = world.due.head()?.at === world.clock.now()
      const dueNow = isWaiting ? 'waiting' : 'settled'
      expect(audit({ ...booksOf(world), dueNow })).toEqual([])
    }
  })
  await fc.assert(property, { numRuns: 500 })
})
