import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Store, StoredSandbox } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/process.ts'
import { copySandboxes, entriesIn, storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let store: Store
let kept: StoredSandbox

/** What is kept is numbers; entry n appends n. */
interface Entry {
  readonly n: number
}

const FOLD_AT_BYTES = 4000
/** Several pieces of a file, so that much can happen while a state is written. */
const LONG = 40_000
const upTo = (last: number): Entry[] => Array.from({ length: last }, (_, index) => ({ n: index }))

beforeEach(async () => {
  folder = await temporaryFolder()
  store = await storeIn(folder.path, { foldAtBytes: FOLD_AT_BYTES })
  kept = await store.create('default')
  await kept.replace([])
})

afterEach(async () => {
  await kept.close()
  await store.close()
  await folder.remove()
})

const file = (name: string) => join(folder.path, 'sandboxes', 'default', name)
const files = async () => (await readdir(file('.'))).sort()

/** Appends numbers from `from` on until a fold is due; answers how many there are then. */
async function untilOutgrown(from = 0): Promise<number> {
  let next = from
  while (!kept.isOutgrown()) {
    await kept.append({ n: next })
    next += 1
  }
  return next
}

/** Appends more while a fold goes on; answers how many there are then. */
async function appendDuring(fold: Promise<void>, from: number): Promise<number> {
  let next = from
  let isOver = false
  const over = fold.finally(() => {
    isOver = true
  })
  while (!isOver) {
    await kept.append({ n: next })
    next += 1
  }
  await over
  return next
}

/** The numbers that a start would find. */
async function found(): Promise<number[]> {
  await kept.close()
  kept = await store.open('default')
  return (await entriesIn<Entry>(kept)).map(({ n }) => n)
}

/** The numbers that a start would find if the process were killed now. */
async function foundAfterKill(): Promise<number[]> {
  const copy = await temporaryFolder()
  copySandboxes(folder.path, copy.path)
  const other = await storeIn(copy.path)
  const stored = await other.open('default')
  const numbers = (await entriesIn<Entry>(stored)).map(({ n }) => n)
  await stored.close()
  await other.close()
  await copy.remove()
  return numbers
}

const numbers = (count: number) => upTo(count).map(({ n }) => n)

it('is due once the journal has outgrown its bound, and not before', async () => {
  expect(kept.isOutgrown()).toBe(false)
  const count = await untilOutgrown()
  expect(count).toBeGreaterThan(FOLD_AT_BYTES / 60)
  expect(count).toBeLessThan(FOLD_AT_BYTES / 20)
  expect(await foundAfterKill()).toEqual(numbers(count))
})

it('puts the whole in place of what was appended, and keeps what is appended meanwhile', async () => {
  await kept.replace(upTo(LONG))
  let count = LONG
  // So large a whole may have a journal as large beside it.
  while (!kept.isOutgrown()) {
    await kept.append({ n: count, pad: 'x'.repeat(1_000_000) })
    count += 1
  }
  const before = count
  count = await appendDuring(kept.fold(upTo(count)), count)
  expect(count).toBeGreaterThan(before + 3)
  expect(await files()).toEqual(['journal-000003.ndjson', 'sandbox.json', 'state-000003.ndjson'])
  await kept.append({ n: count })
  expect(await found()).toEqual(numbers(count + 1))
})

it('loses nothing to a kill at any moment, fold after fold', async () => {
  let count = 0
  for (let round = 0; round < 5; round += 1) {
    count = await untilOutgrown(count)
    expect(await foundAfterKill()).toEqual(numbers(count))
    const fold = kept.fold(upTo(count))
    const during = foundAfterKill()
    const before = count
    count = await appendDuring(fold, count)
    const there = await during
    expect(there).toEqual(numbers(Math.max(before, there.length)))
    expect(await foundAfterKill()).toEqual(numbers(count))
  }
  expect(await found()).toEqual(numbers(count))
})

it.each<[string, () => Promise<unknown>]>([
  ['a return to what is kept', () => entriesIn(kept)],
  ['a stop', () => kept.close()],
])('is called off by %s, which loses nothing', async (_, end) => {
  const count = await untilOutgrown()
  const folded = kept.fold(longer(count))
  const appended = kept.append({ n: count })
  const ended = end()
  await expect(folded).rejects.toThrow('aborted')
  await ended
  await appended
  expect(await found()).toEqual(numbers(count + 1))
  expect((await files()).filter((name) => name.startsWith('state'))).toEqual([
    'state-000001.ndjson',
  ])
})

it('is called off by a whole that takes the place of everything', async () => {
  const count = await untilOutgrown()
  const folded = kept.fold(longer(count))
  const replaced = kept.replace(upTo(3))
  await expect(folded).rejects.toThrow('aborted')
  await replaced
  expect(await found()).toEqual([0, 1, 2])
})

/** A whole that takes several pieces of a file to write. */
function longer(count: number): object[] {
  return [...upTo(count), ...Array.from({ length: 20 }, () => ({ pad: 'x'.repeat(100_000) }))]
}

describe('a journal that was made for a fold which never began', () => {
  it('goes on where the sandbox returned to what is kept, and is folded in turn', async () => {
    let count = await untilOutgrown()
    expect((await entriesIn<Entry>(kept)).length).toBe(count)
    for (let more = 0; more < 3; more += 1) {
      await kept.append({ n: count })
      count += 1
    }
    expect(await foundAfterKill()).toEqual(numbers(count))
    count = await untilOutgrown(count)
    const fold = kept.fold(upTo(count))
    expect(await foundAfterKill()).toEqual(numbers(count))
    await fold
    await kept.append({ n: count })
    expect(await found()).toEqual(numbers(count + 1))
  })

  it('goes with a whole that takes the place of everything, which then outgrows its own', async () => {
    await untilOutgrown()
    await kept.replace([])
    expect(kept.isOutgrown()).toBe(false)
    const count = await untilOutgrown()
    await kept.fold(upTo(count))
    await kept.append({ n: count })
    expect(await found()).toEqual(numbers(count + 1))
  })

  it('goes on after a start', async () => {
    let count = await untilOutgrown()
    expect(await found()).toEqual(numbers(count))
    count = await untilOutgrown(count)
    await kept.fold(upTo(count))
    expect(await found()).toEqual(numbers(count))
  })
})

describe('where the disk does not take it', () => {
  it('changes nothing for the state, leaves that unfinished nowhere, and is not due again at once', async () => {
    const count = await untilOutgrown()
    await mkdir(file('state-000002.ndjson'))
    await expect(kept.fold(upTo(count))).rejects.toThrow('cannot be written')
    await kept.append({ n: count })
    expect(kept.isOutgrown()).toBe(false)
    expect(await foundAfterKill()).toEqual(numbers(count + 1))
    const more = await untilOutgrown(count + 1)
    await kept.fold(upTo(more))
    await kept.append({ n: more })
    expect(await found()).toEqual(numbers(more + 1))
    expect(existsSync(file('state-000003.ndjson'))).toBe(true)
  })

  it('goes on with the one journal where the next cannot be made, and tries again later', async () => {
    await mkdir(file('journal-000002.ndjson'))
    const count = await untilOutgrown()
    expect(count).toBeGreaterThan(FOLD_AT_BYTES / 30)
    expect(await files()).toContain('journal-000003.ndjson')
    await kept.fold(upTo(count))
    expect(await found()).toEqual(numbers(count))
  })
})

it('keeps nothing that was refused before it began, nor what follows on that', async () => {
  const count = await untilOutgrown()
  // The same bytes in another file, which is not the one that is written to.
  await cp(file('journal-000001.ndjson'), file('copy'))
  await rename(file('copy'), file('journal-000001.ndjson'))
  const refused = kept.append({ n: count })
  const folded = kept.fold(upTo(count + 1))
  const after = kept.append({ n: count + 1 })
  const outcomes = await Promise.allSettled([refused, folded, after])
  expect(outcomes.map(({ status }) => status)).toEqual(Array(3).fill('rejected'))
  expect((await entriesIn<Entry>(kept)).length).toBe(count)
  await kept.append({ n: count })
  expect(await found()).toEqual(numbers(count + 1))
})
