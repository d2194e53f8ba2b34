import { cp, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store, StoredSandbox } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folders.ts'
import { copySandboxes, entriesIn, storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let store: Store
let kept: StoredSandbox

/** What is kept is numbers; entry n appends n. */
interface Entry {
  readonly n: number
}

const FOLD_AT_BYTES = 4000
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

it('puts the state in place of what was appended, which is outgrown by twice as much then', async () => {
  const count = await untilOutgrown()
  await kept.replace([...upTo(count), { n: count, pad: 'x'.repeat(FOLD_AT_BYTES) }])
  expect(await files()).toEqual([
    'journal-000002.ndjson',
    'sandbox.copy.json',
    'sandbox.json',
    'state-000002.ndjson',
  ])
  const more = await untilOutgrown(count + 1)
  expect(more - count).toBeGreaterThan(1.5 * count)
  expect(await found()).toEqual(numbers(more))
})

it('loses nothing to a kill at any moment, fold after fold', async () => {
  let count = 0
  for (let round = 0; round < 5; round += 1) {
    count = await untilOutgrown(count)
    const fold = kept.replace(upTo(count))
    for (let looks = 0; looks < 4; looks += 1)
      expect(await foundAfterKill()).toEqual(numbers(count))
    await fold
    expect(await foundAfterKill()).toEqual(numbers(count))
  }
  expect(await found()).toEqual(numbers(count))
})

it('changes nothing where the disk does not take it, and is not due again at once', async () => {
  let count = await untilOutgrown()
  await mkdir(file('state-000002.ndjson'))
  await expect(kept.replace(upTo(count))).rejects.toThrow('cannot be written')
  expect((await entriesIn<Entry>(kept)).length).toBe(count)
  await kept.append({ n: count })
  expect(kept.isOutgrown()).toBe(false)
  expect(await foundAfterKill()).toEqual(numbers(count + 1))
  count = await untilOutgrown(count + 1)
  await kept.replace(upTo(count))
  expect(await found()).toEqual(numbers(count))
  expect(await files()).toContain('state-000003.ndjson')
})

it('stores nothing that was refused before it began', async () => {
  const count = await untilOutgrown()
  // The same bytes in another file, which is not the one that is written to.
  await cp(file('journal-000001.ndjson'), file('copy'))
  await rename(file('copy'), file('journal-000001.ndjson'))
  const refused = kept.append({ n: count })
  const folded = kept.replace(upTo(count + 1))
  const outcomes = await Promise.allSettled([refused, folded])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await entriesIn<Entry>(kept)).length).toBe(count)
  await kept.append({ n: count })
  expect(await found()).toEqual(numbers(count + 1))
})
