import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Instant, instantAt, millisOf } from '../../src/time/instant.ts'
import { advanceTo, settleDue } from '../../src/world/engine.ts'
import type { World } from '../../src/world/world.ts'
import {
  bytesOf,
  history,
  type Journaled,
  journal,
  journaled,
  oneJump,
  openShop,
  perform,
  performAll,
  RUNS,
  recovered,
} from '../support/shop.ts'

const TIMEOUT_MS = 300_000
const LOOK_AHEAD_MS = 200 * 86_400_000
const clock = { kind: 'clock', requestId: 'req_000001' } as const

it(
  '10.1: a journal replayed after any call leaves the same bytes as the calls themselves',
  async () => {
    const property = fc.asyncProperty(history, async (actions) => {
      let world = openShop()
      const kept = journaled(world)
      for (const action of actions) {
        world = (await perform(world, action)).world
        journal(world, kept)
        expect(bytesOf(await recovered(kept))).toBe(bytesOf(world))
      }
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

it(
  '10.1: a process killed within an advance and started again ends with the same bytes',
  async () => {
    const after = fc.integer({ min: 1, max: 40 })
    const property = fc.asyncProperty(history, after, async (actions, settled) => {
      const world = await performAll(actions)
      const target = instantAt(millisOf(world.clock.now()) + LOOK_AHEAD_MS)
      const cut = await killed(world, { target, settled })
      await settleDue(cut)
      const whole = await oneJump(await performAll(actions), target)
      const ended = await oneJump(cut, target)
      expect(withoutRequests(ended)).toBe(withoutRequests(whole))
    })
    await fc.assert(property, RUNS)
  },
  TIMEOUT_MS,
)

/** What a process finds again that was killed after so many due items, each of which had been journaled. */
async function killed(
  world: World,
  { target, settled }: { readonly target: Instant; readonly settled: number },
): Promise<World> {
  const kept: Journaled = journaled(world)
  let count = 0
  const onSettled = () => {
    count += 1
    if (count <= settled) journal(world, kept)
  }
  await advanceTo(world, target, { cause: clock, onSettled, isDone: () => count >= settled })
  return recovered(kept)
}

/** Whoever settles after a restart was asked by nobody. */
function withoutRequests(world: World): string {
  return bytesOf(world).replaceAll(/"requestId":(?:null|"[^"]*")/g, '"requestId":null')
}
