import { expect, it } from 'vitest'
import { COUNT_MAX } from '../../src/billing/money.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import type { Duration } from '../../src/time/instant.ts'
import { parseDuration } from '../../src/time/instant.ts'
import { type Advance, advance, type Destination, instantAfter } from '../../src/world/advance.ts'
import { createCustomer } from '../../src/world/commands/catalog.ts'
import { scriptPayments } from '../../src/world/commands/payments.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import { agenda, forecast } from '../../src/world/forecast.ts'
import { forkWorld, putRecord, type World } from '../../src/world/world.ts'
import { instant } from '../support/catalog.ts'
import { bytesOf, openShop } from '../support/shop.ts'

const cause = { kind: 'clock', requestId: 'req_000009' } as const

/** Opens on 31 January 2027 at 10:00. */
function shopWith(plan: string, trialPeriodDays: number | null = null): World {
  const world = openShop()
  const order = { customerId: 'ada', plan, trialPeriodDays, couponId: null, promotionCode: null }
  createSubscription(world, order, { kind: 'request', requestId: 'req_000001' })
  return world
}

async function move(world: World, destination: Destination): Promise<Advance> {
  const answer = await advance(world, destination, { cause })
  if (isRefusal(answer)) throw new Error(answer.message)
  return answer
}

function duration(text: string): Duration {
  const parsed = parseDuration(text)
  if (parsed === null) throw new Error(`${text} is no duration`)
  return parsed
}

it('answers what happened on the way, in order, with the instant of each and the request behind it', async () => {
  const answer = await move(shopWith('basic'), { by: duration('P60D') })
  expect(answer.from).toBe(instant('2027-01-31T10:00:00Z'))
  expect(answer.to).toBe(instant('2027-04-01T10:00:00Z'))
  expect(answer.stoppedBecause).toBe('reached')
  expect(answer.events.map(({ type, at }) => `${at.slice(0, 10)} ${type}`)).toEqual([
    '2027-02-28 subscription.renewed',
    '2027-02-28 invoice.created',
    '2027-02-28 payment.succeeded',
    '2027-02-28 invoice.paid',
    '2027-03-31 subscription.renewed',
    '2027-03-31 invoice.created',
    '2027-03-31 payment.succeeded',
    '2027-03-31 invoice.paid',
  ])
  expect(answer.events.every((event) => event.cause.requestId === 'req_000009')).toBe(true)
  expect(answer.nextDue).toEqual({
    at: instant('2027-04-30T10:00:00Z'),
    kind: 'period_end',
    subject: { kind: 'subscription', id: 'sub_000001' },
  })
})

it('carries the first thousand events and counts them all', async () => {
  const world = shopWith('weekly')
  const answer = await move(world, { by: duration('P20Y') })
  expect(answer.events).toHaveLength(1000)
  expect(answer.eventsTotal).toBe(world.events.length - 4)
  expect(answer.events[0]?.seq).toBe(5)
})

it('settles what is due at the very instant that it goes to', async () => {
  const world = shopWith('basic')
  await move(world, { to: instant('2027-02-28T09:59:59.999Z') })
  expect(world.invoices.size).toBe(1)
  await move(world, { to: instant('2027-02-28T10:00:00Z') })
  expect(world.invoices.size).toBe(2)
})

it('goes to the n-th instant at which something is due, and as far as something is due', async () => {
  const world = shopWith('basic')
  const third = await move(world, { toNext: 3 })
  expect([third.to, third.stoppedBecause]).toEqual([instant('2027-04-30T10:00:00Z'), 'reached'])

  const ending = shopWith('basic', 14)
  const end = ending.subscriptions.get('sub_000001')
  if (end === undefined) throw new Error('not there')
  ending.subscriptions.put({ ...end, cancelAtPeriodEnd: true })
  const last = await move(ending, { toNext: 5 })
  expect(last.to).toBe(instant('2027-02-14T10:00:00Z'))
  expect(last.nextDue).toBeNull()
})

it('stays where it is when nothing is due', async () => {
  const world = openShop()
  const answer = await move(world, { toNext: 1 })
  expect([answer.from, answer.to, answer.eventsTotal]).toEqual([world.clock.now(), answer.from, 0])
})

it('11.2: leaves the clock where it stands where nothing falls due before its end', async () => {
  const world = shopWith('basic')
  const near = instant('8999-12-31T10:00:00Z')
  world.clock.moveTo(near, null)
  const due = world.subscriptions.get('sub_000001')
  if (due === undefined) throw new Error('not there')
  const currentPeriodEnd = instant('9000-01-31T10:00:00Z')
  putRecord(world, 'subscriptions', { ...due, currentPeriodEnd })
  const answer = await move(world, { toNext: 1 })
  expect([answer.to, answer.stoppedBecause, answer.eventsTotal]).toEqual([near, 'reached', 0])
})

it('11.2: goes to what falls due last, and not to the end of the clock', async () => {
  const world = shopWith('yearly')
  const last = instant('8999-01-31T10:00:00Z')
  await move(world, { to: instant('8998-06-01T00:00:00Z') })
  const answer = await move(world, { toNext: 5 })
  expect(answer.to).toBe(last)
})

it('goes until a status is reached, stays where it is met already, and stops at the limit', async () => {
  const world = shopWith('basic', 14)
  const until = { subscriptionId: 'sub_000001', status: 'active' } as const
  const limit = await move(world, { until, within: duration('P13D') })
  expect([limit.to, limit.stoppedBecause]).toEqual([
    instant('2027-02-13T10:00:00Z'),
    'condition_not_met',
  ])
  const met = await move(world, { until, within: duration('P1Y') })
  expect([met.to, met.stoppedBecause]).toEqual([instant('2027-02-14T10:00:00Z'), 'condition_met'])
  const again = await move(world, { until, within: duration('P1Y') })
  expect([again.to, again.stoppedBecause]).toEqual([met.to, 'condition_met'])
})

it('finds the first instant at which a failing card shows', async () => {
  const world = shopWith('basic')
  scriptPayments(world, {
    scope: { subscriptionId: 'sub_000001', customerId: null },
    outcomes: ['succeed', 'card_declined'],
    always: null,
  })
  const until = { subscriptionId: 'sub_000001', status: 'past_due' } as const
  const answer = await move(world, { until, within: duration('P1Y') })
  expect(answer.to).toBe(instant('2027-03-31T10:00:00Z'))
})

it.each([
  ['backwards', { to: instant('2027-01-31T09:59:59.999Z') }, 'clock_backwards'],
  ['past its end', { to: instant('9000-01-01T00:00:00.001Z') }, 'clock_limit'],
  ['past its end by a duration', { by: duration('P9000Y') }, 'clock_limit'],
  ['until something that is not there', unknown(), 'not_found'],
])('refuses to go %s, and changes nothing', async (_, destination, code) => {
  const world = shopWith('basic')
  const before = bytesOf(world)
  const answer = await advance(world, destination, { cause })
  expect(answer).toMatchObject({ refused: code })
  expect(bytesOf(world)).toBe(before)
})

it('goes by days as far as by years', () => {
  const end = instantAfter(instant('2027-01-01T00:00:00Z'), duration('P2546300D'), 'by')
  expect(end).toBe(instant('8998-07-14T00:00:00Z'))
})

function unknown(): Destination {
  return { until: { subscriptionId: 'sub_000009', status: 'active' }, within: duration('P1D') }
}

it('gives the rest of the process a turn during a long advance', async () => {
  const world = shopWith('weekly')
  let turns = 0
  const ticking = setInterval(() => {
    turns += 1
  }, 1)
  await move(world, { by: duration('P400Y') })
  clearInterval(ticking)
  expect(turns).toBeGreaterThan(3)
})

it('lists what will fall due before an instant, that instant excluded, at most as many as asked', async () => {
  const world = shopWith('basic')
  const order = { before: instant('2027-04-30T10:00:00Z'), limit: 100 }
  const { items } = await agenda(forkWorld(world), order)
  expect(items.map(({ at }) => at)).toEqual([
    instant('2027-02-28T10:00:00Z'),
    instant('2027-03-31T10:00:00Z'),
  ])
  const many = { before: instant('2037-01-01'), limit: 5 }
  expect((await agenda(forkWorld(world), many)).items).toHaveLength(5)
})

it('forecasts invoices with the failures that are scripted for them', async () => {
  const world = shopWith('basic')
  scriptPayments(world, {
    scope: { subscriptionId: null, customerId: null },
    outcomes: ['card_declined', 'succeed'],
    always: null,
  })
  const asked = { scope: { subscriptionId: 'sub_000001' }, until: instant('2027-03-01T10:00:00Z') }
  const found = await forecast(forkWorld(world), asked)
  if (isRefusal(found)) throw new Error(found.message)
  expect(found).toMatchObject({ completeUntil: asked.until, stoppedBecause: 'reached' })
  expect(found.invoices).toMatchObject([
    {
      amountDue: 1000,
      status: 'paid',
      createdAt: instant('2027-02-28T10:00:00Z'),
      paidAt: instant('2027-03-01T10:00:00Z'),
      attempts: [{ outcome: 'card_declined' }, { outcome: 'succeeded' }],
    },
  ])
  expect(world.invoices.size).toBe(1)
})

it('counts ids from the beginning again once no number is higher', () => {
  const world = openShop()
  world.sequences.customers = COUNT_MAX
  const order = { customerId: null, name: null, email: null, currency: null, balance: 0 }
  const created = createCustomer(world, { ...order, paymentMethod: 'valid' })
  expect(created).toMatchObject({ value: { customerId: 'cus_000001' } })
  expect(world.sequences.customers).toBe(1)
})

it('says that it was stopped, and not that it reached a limit, where its pace ends it at a whole due item', async () => {
  const world = shopWith('weekly')
  const pace = { onPause: () => undefined, isCut: () => true }
  const answer = await advance(world, { by: duration('P900Y') }, { cause, pace })
  if (isRefusal(answer)) throw new Error(answer.message)
  expect(answer.stoppedBecause).toBe('stopped')
  expect(answer.to).toBe(world.clock.now())
  expect(answer.to < instant('2900-01-01T00:00:00Z')).toBe(true)
})
