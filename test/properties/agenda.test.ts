import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantAt, millisOf } from '../../src/time/instant.ts'
import type { NextDue } from '../../src/world/advance.ts'
import { scriptPayments } from '../../src/world/commands/payments.ts'
import { agenda } from '../../src/world/forecast.ts'
import { forkWorld, type World } from '../../src/world/world.ts'
import { bytesOf, everybody, forAll, history, performAll, RUNS } from '../support/shop.ts'

const TIMEOUT_MS = 300_000

/** Some of them may not be there. */
const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 })

it(
  '10.7: the agenda of some subscriptions has the instants and kinds that they have in the whole one',
  async () => {
    let spared = 0
    const days = fc.integer({ min: 1, max: 200 })
    const asking = fc.record({ outcomes: forAll, chosen: numbers, ahead: days })
    const property = fc.asyncProperty(history, asking, async (actions, asks) => {
      const { outcomes, chosen, ahead } = asks
      const world = await performAll(actions)
      scriptPayments(world, { scope: everybody, outcomes, always: null })
      const before = bytesOf(world)
      const subscriptionIds = chosen.map((number) => `sub_00000${number}`)
      const asked = {
        before: instantAt(millisOf(world.clock.now()) + ahead * 86_400_000),
        limit: 10_000,
      }
      const [whole, some] = [forkWorld(world), forkWorld(world)]
      const all = await agenda(whole, asked)
      const { items, ...outlook } = await agenda(some, { ...asked, subscriptionIds })
      const theirs = all.items.filter((item) => subscriptionIds.includes(ownerOf(whole, item)))
      expect(items.map(withOwner(some))).toEqual(theirs.map(withOwner(whole)))
      expect(outlook).toEqual({ completeUntil: asked.before, stoppedBecause: 'reached' })
      expect(bytesOf(world)).toBe(before)
      if (some.sequences.events < whole.sequences.events) spared += 1
    })
    await fc.assert(property, RUNS)
    expect(spared).toBeGreaterThan(RUNS.numRuns / 10)
  },
  TIMEOUT_MS,
)

function ownerOf({ invoices }: World, { subject: { kind, id } }: NextDue): string {
  return kind === 'subscription' ? id : (invoices.get(id)?.subscriptionId ?? 'nobody')
}

/** Invoices to come may have other numbers. */
function withOwner(world: World) {
  return (item: NextDue) => [item.at, item.kind, ownerOf(world, item)]
}
