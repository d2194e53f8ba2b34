/**
 * How an advance and a list grow: a year of monthly renewals in memory, and pages of the invoices of one subscription, for
 * ten times the subscriptions against one time. And what a forecast of one of them costs, against advancing all.
 */

import { isRefusal } from '../src/billing/refusal.ts'
import { readPage } from '../src/operations/page.ts'
import { addDuration, type Duration, parseDuration } from '../src/time/instant.ts'
import { advance } from '../src/world/advance.ts'
import { forecast } from '../src/world/forecast.ts'
import { forkWorld, type World } from '../src/world/world.ts'
import { type Figure, median, print } from './support/figures.ts'
import { subscribed } from './support/worlds.ts'

const FEW = 1000
const MANY = 10 * FEW
const ROUNDS = 3
/** A page takes microseconds. */
const PAGES = 1000
const cause = { kind: 'clock', requestId: null } as const
const YEAR: Duration = parseDuration('P12M') ?? { months: 12, millis: 0 }

/** How long each took, in milliseconds. */
interface Times {
  readonly advance: number
  readonly list: number
  readonly forecast: number
}

async function yearOf(count: number): Promise<Times> {
  const world = subscribed(count)
  const advanceMs = await took(async () => {
    const answer = await advance(world, { by: YEAR }, { cause })
    const renewals = world.invoices.size - count
    if (isRefusal(answer) || renewals !== 12 * count) throw new Error(`${renewals} renewals`)
  })
  return { advance: advanceMs, list: await listMs(world), forecast: await forecastMs(world) }
}

async function listMs({ invoices }: World): Promise<number> {
  const order = { subscription_id: 'sub_000500', status: 'paid', limit: 10 }
  return took(() => {
    for (let page = 0; page < PAGES; page += 1) readPage(invoices, order, (invoice) => invoice)
  })
}

async function forecastMs(world: World): Promise<number> {
  const order = {
    scope: { subscriptionId: 'sub_000500' },
    until: addDuration(world.clock.now(), YEAR),
  }
  return took(async () => {
    const found = await forecast(forkWorld(world), order)
    if (isRefusal(found) || found.invoices.length !== 12) throw new Error('No forecast of a year')
  })
}

async function took(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

const few: Times[] = []
const many: Times[] = []
await yearOf(FEW)
for (let round = 0; round < ROUNDS; round += 1) {
  few.push(await yearOf(FEW))
  many.push(await yearOf(MANY))
}

function medianOf(times: readonly Times[], name: keyof Times): number {
  return median(times.map((each) => each[name]))
}

/** A ratio of two times, in milliseconds. */
function figure(time: number, baseline: number, said: Omit<Figure, 'ratio' | 'behind'>): Figure {
  const behind = `${time.toFixed(1)} ms, ${baseline.toFixed(1)} ms`
  return { ...said, ratio: time / baseline, behind }
}

const all = medianOf(many, 'advance')
print([
  figure(all, medianOf(few, 'advance'), {
    measure: `advance ${MANY} monthly subscriptions by 12 months, in memory`,
    against: `the same with ${FEW}`,
    target: { atMost: 13 },
  }),
  figure(medianOf(many, 'list'), medianOf(few, 'list'), {
    measure: `${PAGES} pages of the paid invoices of one of ${MANY} subscriptions`,
    against: `the same with ${FEW}`,
    target: { atMost: 3 },
  }),
  figure(medianOf(many, 'forecast'), all, {
    measure: `forecast 12 months of one of ${MANY} subscriptions`,
    against: 'advancing all of them so far',
    target: { atMost: 0.1 },
  }),
])
