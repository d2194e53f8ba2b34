/**
 * How the time of an advance grows with the number of subscriptions: a year of monthly renewals in memory, ten times
 * as many subscriptions against one time as many, in the same run. Prints a table, and JSON with `--json`.
 */
import { initialSettings } from '../src/assumptions/register.ts'
import { type Instant, instantAt, millisOf, parseDuration } from '../src/billing/instant.ts'
import { isRefusal } from '../src/billing/refusal.ts'
import { advance } from '../src/sandbox/advance.ts'
import { createCustomer, createPlan, createProduct } from '../src/sandbox/commands/catalog.ts'
import { subscribe } from '../src/sandbox/commands/subscriptions.ts'
import { emptyWorld, type World } from '../src/sandbox/world.ts'

const FEW = 1000
const MANY = 10 * FEW
const ROUNDS = 5
const TARGET = [10, 13] as const
const cause = { kind: 'request', requestId: null } as const

/** Subscriptions of the same plan, a minute apart, so that no two fall due together. */
function subscribed(count: number): World {
  const origin = { fixture: 'empty', startAt: null, settings: initialSettings }
  const world = emptyWorld('bench', origin, '2027-01-31T10:00:00.000Z' as Instant)
  createProduct(world, { productId: 'app', name: 'App' })
  const terms = { amount: 1000, currency: 'USD', interval: 'month', intervalCount: 1 } as const
  createPlan(world, { planId: 'basic', productId: 'app', name: 'Basic', ...terms })
  for (let made = 0; made < count; made += 1) {
    const customerId = `cus_${made}`
    const rest = { name: null, email: null, currency: null, balance: 0 }
    createCustomer(world, { customerId, paymentMethod: 'valid', ...rest })
    world.clock.moveTo(instantAt(millisOf(world.clock.now()) + 60_000), null)
    const order = { customerId, plan: 'basic', trialPeriodDays: null }
    subscribe(world, { ...order, couponId: null, promotionCode: null }, cause)
  }
  return world
}

async function yearOf(count: number): Promise<number> {
  const world = subscribed(count)
  const year = parseDuration('P1Y')
  if (year === null) throw new Error('P1Y is a duration')
  const startedAt = performance.now()
  const answer = await advance(world, { destination: { by: year }, dryRun: false }, { cause })
  const tookMs = performance.now() - startedAt
  const renewals = world.invoices.size - count
  if (isRefusal(answer) || renewals !== 12 * count) throw new Error(`${renewals} renewals`)
  return tookMs
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

const few: number[] = []
const many: number[] = []
await yearOf(FEW)
for (let round = 0; round < ROUNDS; round += 1) {
  few.push(await yearOf(FEW))
  many.push(await yearOf(MANY))
}
const result = {
  measure: `a year of ${MANY} monthly subscriptions against ${FEW}, in memory`,
  baselineMs: Math.round(median(few)),
  measuredMs: Math.round(median(many)),
  ratio: Number((median(many) / median(few)).toFixed(2)),
  target: `${TARGET[0]} to ${TARGET[1]}`,
}
if (process.argv.includes('--json')) console.log(JSON.stringify(result))
else console.table([result])
