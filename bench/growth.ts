/** How an advance grows: a year of monthly renewals in memory, for ten times the subscriptions against one time. */

import { isRefusal } from '../src/billing/refusal.ts'
import { parseDuration } from '../src/time/instant.ts'
import { advance } from '../src/world/advance.ts'
import { median, print } from './support/figures.ts'
import { subscribed } from './support/worlds.ts'

const FEW = 1000
const MANY = 10 * FEW
const ROUNDS = 3
const cause = { kind: 'clock', requestId: null } as const

async function yearOf(count: number): Promise<number> {
  const world = subscribed(count)
  const by = parseDuration('P12M')
  if (by === null) throw new Error('P12M is a duration')
  const startedAt = performance.now()
  const answer = await advance(world, { by }, { cause })
  const tookMs = performance.now() - startedAt
  const renewals = world.invoices.size - count
  if (isRefusal(answer) || renewals !== 12 * count) throw new Error(`${renewals} renewals`)
  return tookMs
}

const few: number[] = []
const many: number[] = []
await yearOf(FEW)
for (let round = 0; round < ROUNDS; round += 1) {
  few.push(await yearOf(FEW))
  many.push(await yearOf(MANY))
}
print([
  {
    measure: `advance ${MANY} monthly subscriptions by 12 months, in memory`,
    against: `the same with ${FEW}`,
    ratio: median(many) / median(few),
    target: { atMost: 13 },
    behind: `${median(many).toFixed(0)} ms, ${median(few).toFixed(0)} ms`,
  },
])
