/**
 * A year of monthly renewals, durable: against only serialising and appending what it keeps, synced once; and for
 * each renewal against a tenth of the subscriptions.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { isRefusal } from '../src/billing/refusal.ts'
import { Checkpoints } from '../src/sandbox/checkpoints.ts'
import { realTime } from '../src/sandbox/running-clock.ts'
import { Sandbox } from '../src/sandbox/sandbox.ts'
import type { StoredSandbox } from '../src/store/store.ts'
import { parseDuration } from '../src/time/instant.ts'
import { type Figure, median, print } from './support/figures.ts'
import { inFolder } from './support/processes.ts'
import { storeIn, subscribed } from './support/worlds.ts'

const MANY = 10_000
const FEW = MANY / 10
const ROUNDS = 3

interface Year {
  readonly advanceMs: number
  readonly appendMs: number
}

/** Advances this many subscriptions by a year in a folder of its own. */
function yearOf(count: number): Promise<Year> {
  return inFolder(async (folder) => {
    const store = await storeIn(folder)
    const entries: object[] = []
    const stored = noting(await store.create('default'), entries)
    const world = subscribed(count)
    const checkpoints = new Checkpoints(stored)
    const sandbox = new Sandbox({
      world,
      stored,
      checkpoints,
      time: realTime,
      report: console.error,
    })
    if ((await sandbox.begin()) !== null) throw new Error('The disk is full')
    const by = parseDuration('P12M')
    if (by === null) throw new Error('P12M is a duration')
    const startedAt = performance.now()
    const answer = await sandbox.clock.advance({ by }, () => 'req_000001')
    const advanceMs = performance.now() - startedAt
    const renewals = world.invoices.size - count
    if (isRefusal(answer) || renewals !== 12 * count) throw new Error(`${renewals} renewals`)
    await sandbox.close()
    await store.close()
    return { advanceMs, appendMs: await appendAll(join(folder, 'baseline.ndjson'), entries) }
  })
}

/** A place in the store that notes what is appended, and leaves folding the journal for after the measurement. */
function noting(stored: StoredSandbox, entries: object[]): StoredSandbox {
  return {
    isVolatile: stored.isVolatile,
    read: () => stored.read(),
    append: (entry) => {
      entries.push(entry)
      return stored.append(entry)
    },
    replace: (document) => stored.replace(document),
    committed: () => stored.committed(),
    flushed: () => stored.flushed(),
    markUndelivered: (isUndelivered) => stored.markUndelivered(isUndelivered),
    isOutgrown: () => false,
    documents: (kind) => stored.documents(kind),
    close: () => stored.close(),
  }
}

async function appendAll(path: string, entries: readonly object[]): Promise<number> {
  const startedAt = performance.now()
  const file = await open(path, 'a')
  for (const entry of entries) await file.write(`${JSON.stringify(entry)}\n`)
  await file.datasync()
  await file.close()
  return performance.now() - startedAt
}

const few: Year[] = []
const many: Year[] = []
await yearOf(FEW)
for (let round = 0; round < ROUNDS; round += 1) {
  few.push(await yearOf(FEW))
  many.push(await yearOf(MANY))
}
const perRenewal = (years: readonly Year[], count: number) =>
  median(years.map(({ advanceMs }) => (1000 * advanceMs) / (12 * count)))
const advanceMs = median(many.map((year) => year.advanceMs))
const appendMs = median(many.map((year) => year.appendMs))
const figures: Figure[] = [
  {
    measure: `advance ${MANY} monthly subscriptions by 12 months, durable`,
    against: 'only serialising and appending what it keeps',
    ratio: median(many.map((year) => year.advanceMs / year.appendMs)),
    target: { atMost: 3 },
    behind: `${advanceMs.toFixed(0)} ms, ${appendMs.toFixed(0)} ms`,
  },
  {
    measure: 'the same, for each renewal',
    against: 'a tenth of the subscriptions, for each renewal',
    ratio: perRenewal(many, MANY) / perRenewal(few, FEW),
    target: { atMost: 1.5 },
    behind: `${perRenewal(many, MANY).toFixed(1)} us, ${perRenewal(few, FEW).toFixed(1)} us`,
  },
]
print(figures)
