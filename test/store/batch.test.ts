import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { JournalWriter } from '../../src/store/journal-writer.ts'
import { Chain, LineReader, writeLines } from '../../src/store/lines.ts'
import { temporaryFolder } from '../support/process.ts'

const realSync = fs.fdatasync

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let path: string
let journal: JournalWriter

beforeEach(async () => {
  folder = await temporaryFolder()
  path = join(folder.path, 'journal-000001.ndjson')
  await writeLines(path, [])
  const parts = { path, bytes: 0, extent: new Chain().extent, isOurs: () => true }
  journal = new JournalWriter({ ...parts, durability: 'batch' })
})

afterEach(async () => {
  syncWith(realSync)
  await folder.remove()
})

async function entries(): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const entry of new LineReader(path).entries()) found.push(entry)
  return found
}

/** Has every sync go another way. */
function syncWith(sync: unknown): void {
  Object.assign(fs, { fdatasync: sync })
  syncBuiltinESMExports()
}

type Done = (error: Error | null) => void

/** What is promised, and far less than the slow disk takes. */
const BOUND_MS = 50
const SLOW_MS = 400

it('is answered at once, and synced once it is settled', async () => {
  await journal.append({ n: 1 })
  expect(await entries()).toHaveLength(0)
  await journal.append({ n: 2 })
  await journal.settled()
  expect(await entries()).toHaveLength(2)
  expect(journal.kept.lines).toBe(2)
  await journal.close()
})

it('is written within 50 ms, also while the disk takes long to sync what came before', async () => {
  let syncs = 0
  const underway = { now: 0, most: 0 }
  syncWith((file: number, done: Done) => {
    syncs += 1
    underway.now += 1
    underway.most = Math.max(underway.most, underway.now)
    setTimeout(() => {
      underway.now -= 1
      realSync(file, done)
    }, SLOW_MS)
  })
  const written = new Map<number, number>()
  const realWrite = fs.writeSync
  Object.assign(fs, {
    writeSync: (...args: Parameters<typeof fs.writeSync>) => {
      const size = Reflect.apply(realWrite, fs, args) as number
      for (const [, n] of String(args[1]).matchAll(/\{"n":(\d+)\}/g)) {
        written.set(Number(n), performance.now())
      }
      return size
    },
  })
  syncBuiltinESMExports()
  const answered = new Map<number, number>()
  // The loop itself may be late on a machine with other work; that much is not the journal's.
  let late = 0
  for (let n = 1; n <= 100; n += 1) {
    await journal.append({ n })
    answered.set(n, performance.now())
    const before = performance.now()
    await pause(10)
    late = Math.max(late, performance.now() - before - 10)
  }
  await journal.close()
  Object.assign(fs, { writeSync: realWrite })
  syncBuiltinESMExports()
  const waited = [...answered].map(([n, at]) => (written.get(n) ?? Number.POSITIVE_INFINITY) - at)
  expect(waited).toHaveLength(100)
  expect(Math.max(...waited)).toBeLessThan(BOUND_MS + late)
  // They do not pile up either, and the last one covers everything.
  expect(underway.most).toBe(1)
  expect(syncs).toBeLessThan(10)
  expect(journal.kept.lines).toBe(100)
})

it('is refused from the first one on that comes after a failed write', async () => {
  syncWith((_: number, done: Done) => done(new Error('no sync')))
  await journal.append({ n: 1 })
  await expect(journal.settled()).rejects.toThrow('no sync')
  await expect(journal.append({ n: 2 })).rejects.toThrow('no sync')
  await journal.close()
})
