import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeLines } from '../../src/store/lines.ts'
import { temporaryFolder } from '../support/folders.ts'
import { journalAt, keepAt, readAt } from '../support/journal.ts'

const realSync = fs.fdatasync

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let path: string

beforeEach(async () => {
  folder = await temporaryFolder()
  path = join(folder.path, 'journal-000001.ndjson')
  await writeLines(path, [])
})

afterEach(async () => {
  syncWith(realSync)
  await folder.remove()
})

const writer = (parts: Parameters<typeof journalAt>[1] = {}) => journalAt(path, parts)
const keep = (...entries: readonly object[]) => keepAt(path, entries)
const read = () => readAt(path)
const entries = async () => (await read()).entries

/** Has calls of the system go another way. */
function put(calls: object): void {
  Object.assign(fs, calls)
  syncBuiltinESMExports()
}

const syncWith = (fdatasync: unknown) => put({ fdatasync })

type Done = (error: Error | null) => void

it('reads back what was appended, one line for each entry, and a mark that counts them', async () => {
  await keep({ a: 1 }, { b: 'ü\n' })
  expect(await read()).toMatchObject({ entries: [{ a: 1 }, { b: 'ü\n' }], ending: 'marked' })
  const lines = (await readFile(path, 'utf8')).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[2]).toMatch(/^\{"sum":"[0-9a-f]{8}","end":2\}$/)
})

it('has lines of any length, also across the pieces in which files are read', async () => {
  const long = [10, 262_100, 262_200, 600_000, 1].map((length) => ({ text: 'ä'.repeat(length) }))
  await keep(...long)
  expect(await entries()).toEqual(long)
})

it('keeps every entry and their order when many come at once', async () => {
  const journal = writer()
  await Promise.all(Array.from({ length: 500 }, (_, n) => journal.append({ n })))
  await journal.close()
  expect(await entries()).toEqual(Array.from({ length: 500 }, (_, n) => ({ n })))
})

it('has those that come at once share a sync', async () => {
  let syncs = 0
  syncWith((file: number, done: Done) => {
    syncs += 1
    realSync(file, done)
  })
  const journal = writer()
  await Promise.all(Array.from({ length: 100 }, (_, n) => journal.append({ n })))
  expect(syncs).toBe(1)
  await journal.close()
})

it('has an entry on disk once its append resolves', async () => {
  const journal = writer()
  for (let n = 1; n <= 20; n += 1) {
    await journal.append({ n })
    expect(await entries()).toHaveLength(n)
  }
  await journal.close()
})

it('resolves nothing before it is synced', async () => {
  const synced: Done[] = []
  syncWith((_: number, done: Done) => synced.push(done))
  const journal = writer()
  let isKept = false
  const kept = journal.append({ a: 1 }).then(() => {
    isKept = true
  })
  while (synced.length === 0) await nextTurn()
  expect([isKept, journal.trusted.bytes]).toEqual([false, 0])
  synced[0]?.(null)
  await kept
  expect(journal.trusted.lines).toBe(1)
  await journal.close()
})

it('keeps the order of batches that are under way together', async () => {
  const journal = writer()
  const kept: number[] = []
  const appended: Promise<void>[] = []
  for (let n = 1; n <= 50; n += 1) {
    appended.push(journal.append({ n }).then(() => void kept.push(n)))
    if (n % 3 === 0) await nextTurn()
  }
  await Promise.all(appended)
  expect(kept).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  expect(await entries()).toHaveLength(50)
  await journal.close()
})

it('refuses every batch that comes after one that could not be synced, and keeps nothing of them', async () => {
  const before = await readFile(path)
  syncWith((_: number, done: Done) => setTimeout(() => done(new Error('no sync')), 2))
  const journal = writer()
  const appended: Promise<unknown>[] = []
  for (let n = 1; n <= 5; n += 1) {
    appended.push(journal.append({ n }).catch((error) => error.message))
    await nextTurn()
  }
  for (const message of await Promise.all(appended)) expect(message).toContain('cannot be written')
  await expect(journal.flushed()).rejects.toThrow('cannot be written: no sync')
  expect(journal.trusted.bytes).toBe(0)
  expect(await readFile(path)).toEqual(before)
  await journal.close()
})

/** Has no file of this process become longer than so many bytes; answers whether the system can do so. */
const limitFiles = (bytes: string) =>
  spawnSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${bytes}:`]).status === 0

it.runIf(limitFiles('unlimited'))('leaves nothing in the file of what it refused', async () => {
  const journal = writer()
  await journal.append({ a: 1 })
  const before = await readFile(path, 'utf8')
  // Room for two lines and half of a third.
  limitFiles(`${Math.round(before.length * 2)}`)
  const appended = [2, 3, 4, 5].map((n) => journal.append({ a: n }))
  const outcomes = await Promise.allSettled(appended)
  limitFiles('unlimited')
  expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
  expect(await readFile(path, 'utf8')).toBe(before)
  await journal.close()
})

describe('a batch', () => {
  /** Far more than is promised, far less than the slow disk takes. */
  const BOUND_MS = 50
  const SLOW_MS = 400

  it('is answered at once, and synced once it is settled', async () => {
    const journal = writer({ durability: 'batch' })
    await journal.append({ n: 1 })
    // Read in the same turn: the batch may be written in any later one.
    expect(fs.readFileSync(path, 'utf8')).not.toContain('{"n":1}')
    await journal.append({ n: 2 })
    await journal.flushed()
    expect(await entries()).toHaveLength(2)
    expect(journal.trusted.lines).toBe(2)
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
    put({
      writeSync: (...args: Parameters<typeof fs.writeSync>) => {
        const size = Reflect.apply(realWrite, fs, args) as number
        for (const [, n] of String(args[1]).matchAll(/\{"n":(\d+)\}/g)) {
          written.set(Number(n), performance.now())
        }
        return size
      },
    })
    const [journal, answered] = [writer({ durability: 'batch' }), new Map<number, number>()]
    // The loop itself may be late on a machine with other work; that much is not the journal's.
    let [late, lookedAt] = [0, performance.now()]
    const looks = setInterval(() => {
      late = Math.max(late, performance.now() - lookedAt - 10)
      lookedAt = performance.now()
    }, 10)
    for (let n = 1; n <= 100; n += 1) {
      await journal.append({ n })
      answered.set(n, performance.now())
      await pause(10)
    }
    await journal.close()
    clearInterval(looks)
    put({ writeSync: realWrite })
    const waited = [...answered].map(([n, at]) => (written.get(n) ?? Number.POSITIVE_INFINITY) - at)
    expect(waited).toHaveLength(100)
    expect(Math.max(...waited)).toBeLessThan(BOUND_MS + late)
    // They do not pile up either, and the last one covers everything.
    expect(underway.most).toBe(1)
    expect(syncs).toBeLessThan(10)
    expect(journal.trusted.lines).toBe(100)
  })

  it('is refused from the first one on that comes after a failed write', async () => {
    syncWith((_: number, done: Done) => done(new Error('no sync')))
    const journal = writer({ durability: 'batch' })
    await journal.append({ n: 1 })
    await expect(journal.flushed()).rejects.toThrow('no sync')
    await expect(journal.append({ n: 2 })).rejects.toThrow('no sync')
    await journal.close()
  })
})

it('goes on after what was read, over the mark', async () => {
  await keep({ a: 1 })
  const { extent } = await read()
  const journal = writer({ extent })
  await journal.append({ c: 3 })
  await journal.close()
  expect(await read()).toMatchObject({ entries: [{ a: 1 }, { c: 3 }], ending: 'marked' })
})

describe('a file that was taken away', () => {
  it('is not written to where it is gone, or where another one stands in its place', async () => {
    const journal = writer()
    await journal.append({ a: 1 })
    const whole = await readFile(path)
    await rm(path)
    await writeFile(path, whole)
    await expect(journal.append({ b: 2 })).rejects.toThrow('was removed or replaced')
    expect(await readFile(path)).toEqual(whole)
    await journal.close()
  })

  it('is not written to once it was cut, and stays as it is', async () => {
    const journal = writer()
    for (const entry of [{ a: 1 }, { b: 2 }]) await journal.append(entry)
    await truncate(path, 20)
    const cut = await readFile(path)
    await expect(journal.append({ c: 3 })).rejects.toThrow('was cut or extended')
    await journal.close()
    expect(await readFile(path)).toEqual(cut)
  })

  it('is not written to once it was extended, and then ends as it did before', async () => {
    const journal = writer()
    await journal.append({ a: 1 })
    const whole = await readFile(path)
    await appendFile(path, 'more\n')
    await expect(journal.append({ b: 2 })).rejects.toThrow('was cut or extended')
    await journal.close()
    expect(await readFile(path)).toEqual(whole)
  })

  it('has nothing of what was refused once it is closed, where the disk took nothing until then', async () => {
    const journal = writer()
    await journal.append({ a: 1 })
    const { writeSync, ftruncateSync } = fs
    syncWith((_: number, done: Done) => {
      put(Object.fromEntries(['writeSync', 'ftruncateSync'].map((name) => [name, expect.fail])))
      done(new Error('EIO'))
    })
    await expect(journal.append({ b: 2 })).rejects.toThrow('EIO')
    expect(await entries()).toEqual([{ a: 1 }, { b: 2 }])
    put({ writeSync, ftruncateSync, fdatasync: realSync })
    await journal.close()
    expect(await read()).toMatchObject({ entries: [{ a: 1 }], ending: 'marked' })
  })

  it('is not made anew where it is gone', async () => {
    await rm(path)
    const journal = writer()
    await expect(journal.append({ b: 2 })).rejects.toThrow('cannot be written: ENOENT')
    await journal.close()
  })

  it('is not written to where the data folder is no longer this process’s', async () => {
    const isOurs = { now: true }
    const refuseReplaced = () => {
      if (!isOurs.now) throw new Error('The folder was removed or replaced')
    }
    const journal = writer({ refuseReplaced })
    await journal.append({ a: 1 })
    isOurs.now = false
    await expect(journal.append({ b: 2 })).rejects.toThrow('was removed or replaced')
    await expect(journal.append({ c: 3 })).rejects.toThrow('was removed or replaced')
    await expect(journal.flushed()).rejects.toThrow('was removed or replaced')
    await journal.close()
    expect(await entries()).toEqual([{ a: 1 }])
  })
})
