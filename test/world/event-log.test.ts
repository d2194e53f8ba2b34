import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { parseDuration } from '../../src/time/instant.ts'
import { advance } from '../../src/world/advance.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import type { Event } from '../../src/world/event.ts'
import { EventLog } from '../../src/world/event-log.ts'
import { booksOf } from '../../src/world/state-checks.ts'
import { audit } from '../support/audit.ts'
import { instant } from '../support/catalog.ts'
import {
  type Action,
  bytesOf,
  halfWay,
  history,
  type Jump,
  journal,
  journaled,
  oneJump,
  openShop,
  performAll,
  recovered,
  restarted,
} from '../support/shop.ts'

const KEPT = 12

vi.mock('../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  EVENTS_KEPT: 12,
}))

function event(seq: number): Event {
  return {
    seq,
    type: 'invoice.paid',
    at: instant('2027-01-01'),
    subject: { kind: 'invoice', id: `inv_${seq}` },
    cause: { kind: 'clock', requestId: `req_${seq % 5}` },
    detail: {},
  }
}

it('holds what an array holds that is cut to its newest events', () => {
  const property = fc.property(fc.integer({ min: 0, max: 60 }), fc.nat(70), (count, seq) => {
    const log = new EventLog()
    for (let next = 1; next <= count; next += 1) log.push(event(next))
    const all = Array.from({ length: count }, (_, index) => event(index + 1))
    const kept = all.slice(-KEPT)
    expect([...log]).toEqual(kept)
    expect(log.length).toBe(kept.length)
    expect(log.newest).toEqual(kept.at(-1))
    const after = kept.filter((each) => each.seq > seq)
    expect(log.after(seq)).toEqual(after)
    expect(log.after(seq, 3)).toEqual(after.slice(0, 3))
    const isThird = ({ cause }: Event) => cause.requestId === 'req_3'
    expect(log.after(seq, 3, isThird)).toEqual(after.filter(isThird).slice(0, 3))
    expect(log.findLast(isThird)).toEqual(kept.findLast(isThird))
  })
  fc.assert(property, { numRuns: 500 })
})

/** Ends the process at the target; the next one reads what the whole jump left in one journal entry. */
const throughJournal: Jump = async (world, target) => {
  const kept = journaled(world)
  journal(await oneJump(world, target), kept)
  return recovered(kept)
}

it.each<[string, Jump]>([
  ['two jumps', halfWay((world) => world)],
  ['a restart', halfWay(restarted)],
  ['a journal', throughJournal],
])('11.4: the newest events are kept, the same ones with %s', async (_, jump) => {
  const property = fc.asyncProperty(history, async (actions: readonly Action[]) => {
    const jumped = await performAll(actions)
    const other = await performAll(actions, jump)
    expect(bytesOf(other)).toBe(bytesOf(jumped))
    expect(jumped.events.length).toBe(Math.min(KEPT, jumped.sequences.events))
    expect(audit(booksOf(jumped))).toEqual([])
  })
  await fc.assert(property, { numRuns: 300 })
})

it('carries the first events of an advance, also those that the log dropped on the way', async () => {
  const world = openShop()
  const order = { customerId: 'ada', plan: 'basic', trialPeriodDays: null }
  const cause = { kind: 'request', requestId: 'req_000001' } as const
  createSubscription(world, { ...order, couponId: null, promotionCode: null }, cause)
  const by = parseDuration('P1Y') ?? { months: 0, millis: 0 }
  const answer = await advance(world, { by }, { cause })
  if (isRefusal(answer)) throw new Error(answer.message)
  expect(answer.events.map(({ seq }) => seq)).toEqual(
    Array.from({ length: 48 }, (_, index) => index + 5),
  )
  expect(world.events.length).toBe(KEPT)
})

it('11.4: a log that begins late is in order only where it holds as many events as are kept', async () => {
  const world = openShop()
  for (let seq = 2; seq <= KEPT; seq += 1) world.events.push(event(seq))
  const broken = { invariant: 'event_stream', id: 'event 2' }
  expect(audit(booksOf(world))).toMatchObject([broken])
  world.events.push(event(KEPT + 1))
  expect(audit(booksOf(world))).toEqual([])
})
