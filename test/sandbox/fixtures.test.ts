import { beforeAll, expect, it } from 'vitest'
import { shippedFixtures } from '../../scripts/shipped-fixtures.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { Fixture } from '../../src/sandbox/fixture-format.ts'
import { type FixtureLibrary, loadFixtures, worldFromFixture } from '../../src/sandbox/fixtures.ts'
import { advanceTo } from '../../src/world/engine.ts'
import { booksOf } from '../../src/world/state-checks.ts'
import type { World } from '../../src/world/world.ts'
import { audit } from '../support/audit.ts'
import { instant } from '../support/catalog.ts'

let library: FixtureLibrary

beforeAll(async () => {
  library = await loadFixtures()
})

async function worldOf(name: string, startAt: string | null = null): Promise<World> {
  const fixture = library.get(name)
  if (fixture === undefined) throw new Error(`${name} is not there`)
  const start = startAt === null ? null : instant(startAt)
  const order = { sandboxId: 'test', name, startAt: start, startsRunning: false, settings: {} }
  const world = await worldFromFixture(fixture, order)
  if (isRefusal(world)) throw new Error(world.message)
  return world
}

async function advance(world: World, to: string): Promise<void> {
  const cause = { kind: 'clock', requestId: null } as const
  await advanceTo(world, instant(to), { cause })
}

function statuses(world: World): Record<string, string> {
  return Object.fromEntries(
    [...world.subscriptions.values()].map((each) => [each.customerId, each.status]),
  )
}

it('comes with the fixtures that the documents name, as their schema reads them', async () => {
  expect([...library.keys()]).toEqual(['calendar-hazards', 'dunning', 'empty', 'starter'])
  expect(library).toEqual(await shippedFixtures())
})

it.each(['calendar-hazards', 'dunning', 'empty', 'starter'])(
  'keeps the books of %s in order for two years',
  async (name) => {
    const world = await worldOf(name)
    expect(audit(booksOf(world))).toEqual([])
    await advance(world, '2030-03-01')
    expect(audit(booksOf(world))).toEqual([])
  },
)

it('starts at the instant that is given', async () => {
  const world = await worldOf('starter', '2031-05-05T05:05:05Z')
  expect(world.clock.now()).toBe(instant('2031-05-05T05:05:05Z'))
  const hazards = await worldOf('calendar-hazards', '2028-04-01')
  expect(hazards.clock.now()).toBe(instant('2028-04-01'))
  expect(audit(booksOf(hazards))).toEqual([])
})

it('refuses a start before the end of its history', async () => {
  await expect(worldOf('dunning', '2027-01-15')).rejects.toThrow('now must be 2027-02-03')
})

it('has a customer at every stage of a failing payment', async () => {
  const world = await worldOf('dunning')
  expect(statuses(world)).toEqual({
    cus_healthy: 'active',
    cus_recovers: 'past_due',
    cus_never_pays: 'past_due',
    cus_just_failed: 'past_due',
    cus_no_card: 'trialing',
    cus_last_retry: 'past_due',
  })
  await advance(world, '2027-02-04T12:00:00Z')
  expect(statuses(world)).toMatchObject({
    cus_last_retry: 'canceled',
    cus_no_card: 'expired',
    cus_just_failed: 'active',
  })
  await advance(world, '2027-02-09T12:00:00Z')
  expect(statuses(world)).toMatchObject({ cus_recovers: 'active', cus_never_pays: 'canceled' })
})

it('has every date that billing code gets wrong', async () => {
  const world = await worldOf('calendar-hazards')
  await advance(world, '2032-03-01')
  const starts = (customerId: string) =>
    [...world.invoices.values()]
      .filter((invoice) => invoice.customerId === customerId)
      .map((invoice) => invoice.createdAt.slice(0, 10))
  expect(starts('cus_31st').slice(0, 4)).toEqual([
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
  ])
  expect(starts('cus_leap')).toEqual([
    '2028-02-29',
    '2029-02-28',
    '2030-02-28',
    '2031-02-28',
    '2032-02-29',
  ])
  // A renewal and a trial's end at one instant: the older subscription goes first.
  expect(starts('cus_boundary').slice(0, 3)).toEqual(['2028-02-15', '2028-03-15', '2028-03-15'])
})

it('refuses a promotion that never runs', async () => {
  const at = '2027-01-02T00:00:00Z'
  const promotion = { code: 'NEVER', coupon_id: 'OFF', starts_at: at, expires_at: at }
  const fixture = Fixture.parse({
    ...{ description: 'A mistake in a window.', now: '2027-01-01T00:00:00Z' },
    coupons: [{ coupon_id: 'OFF', type: 'percentage', value: 10 }],
    promotions: [promotion],
  })
  const order = { sandboxId: 'default', name: 'mistaken', startAt: null, startsRunning: false }
  expect(await worldFromFixture(fixture, { ...order, settings: {} })).toMatchObject({
    refused: 'fixture_unusable',
    message: expect.stringMatching(
      /"mistaken".*promotions\[0\].*starts_at must be before expires_at/,
    ),
  })
})

it('ends a discount at the very instant of an invoice, and rounds every currency in its own units', async () => {
  const world = await worldOf('calendar-hazards')
  await advance(world, '2028-03-31T12:00:00Z')
  const due = (customerId: string) =>
    [...world.invoices.values()]
      .filter((invoice) => invoice.customerId === customerId)
      .map((invoice) => invoice.amountDue)
  // 12.5 % of 1004 is 125.5, so 126 off; the month ends with the period, so the next one is whole.
  expect(due('cus_last_moment')).toEqual([878, 1004])
  // 12.5 % of 1980 yen is 247.5, so 248 off; of 12.345 dinars 1543.125, so 1543 off.
  expect(due('cus_yen')).toEqual([1732, 1732, 1732])
  expect(due('cus_dinar')).toEqual([10_802, 10_802, 10_802])
})
