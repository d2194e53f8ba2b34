import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Store, StoredSandbox } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/process.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let store: Store
let kept: StoredSandbox

/** What is kept is a list of numbers; entry n appends n. */
const LONG = 20_000
const upTo = (last: number) => ({
  list: Array.from({ length: last }, (_, index) => ({ n: index + 1 })),
})

beforeEach(async () => {
  folder = await temporaryFolder()
  store = await storeIn(folder.path)
  kept = await store.open('default')
  await kept.read()
  await kept.replace(upTo(LONG))
})

afterEach(async () => {
  await kept.close()
  await store.close()
  await folder.remove()
})

const file = (name: string) => join(folder.path, 'default', name)

/** The numbers that a start would find, once every file is closed. */
async function found(): Promise<number[]> {
  await kept.close()
  kept = await store.open('default')
  const { document, entries } = (await kept.read()) ?? { document: { list: [] }, entries: [] }
  const { list } = document as ReturnType<typeof upTo>
  return [...list, ...(entries as { n: number }[])].map(({ n }) => n)
}

const numbers = (last: number) => upTo(last).list.map(({ n }) => n)

it('puts the whole in place of what was appended, and keeps what is appended meanwhile', async () => {
  await kept.append({ n: LONG + 1 })
  const folded = kept.fold(upTo(LONG + 1))
  let last = LONG + 1
  let isFolding = true
  const done = folded.finally(() => {
    isFolding = false
  })
  while (isFolding) {
    last += 1
    await kept.append({ n: last })
  }
  await done
  expect(last).toBeGreaterThan(LONG + 3)
  expect(await readFile(file('state.json'), 'utf8')).toContain(`"n": ${LONG + 1}\n`)
  expect(await readFile(file('journal.ndjson'), 'utf8')).not.toContain(`{"n":${LONG + 1}}`)
  await kept.append({ n: last + 1 })
  expect(await found()).toEqual(numbers(last + 1))
})

it('loses nothing to a crash, whichever file was the last to be written', async () => {
  await kept.append({ n: LONG + 1 })
  await kept.append({ n: LONG + 2 })
  const [state, journal] = await Promise.all(
    ['state.json', 'journal.ndjson'].map((name) => readFile(file(name))),
  )
  await kept.fold(upTo(LONG + 2))
  await kept.append({ n: LONG + 3 })
  const [newState, newJournal] = await Promise.all(
    ['state.json', 'journal.ndjson'].map((name) => readFile(file(name))),
  )
  // While the state was written.
  await kept.close()
  await writeFile(file('state.json'), state ?? '')
  await writeFile(file('journal.ndjson'), journal ?? '')
  await writeFile(file('state.json.new'), newState?.subarray(0, 1000) ?? '')
  expect(await found()).toEqual(numbers(LONG + 2))
  // Before the journal was cut, and while it was.
  await kept.close()
  await writeFile(file('state.json'), newState ?? '')
  await writeFile(file('journal.ndjson.new'), newJournal?.subarray(0, 10) ?? '')
  expect(await found()).toEqual(numbers(LONG + 2))
  await kept.append({ n: LONG + 3 })
  await kept.fold(upTo(LONG + 3))
  await kept.append({ n: LONG + 4 })
  expect(await found()).toEqual(numbers(LONG + 4))
})

it.each<[string, () => Promise<unknown>]>([
  ['a start anew', () => kept.read()],
  ['a stop', () => kept.close()],
])('is called off by %s, which loses nothing', async (_, end) => {
  await kept.append({ n: LONG + 1 })
  const folded = kept.fold(upTo(LONG + 1))
  const appended = kept.append({ n: LONG + 2 })
  const ended = end()
  await expect(folded).rejects.toThrow('aborted')
  await ended
  await appended
  expect(await found()).toEqual(numbers(LONG + 2))
})

it('is called off by a whole that takes the place of everything', async () => {
  await kept.append({ n: LONG + 1 })
  const folded = kept.fold(upTo(LONG + 1))
  const replaced = kept.replace(upTo(3))
  await expect(folded).rejects.toThrow('aborted')
  await replaced
  expect(await found()).toEqual([1, 2, 3])
})

it('changes nothing where the disk does not take the state, and is not due again at once', async () => {
  await mkdir(file('state.json.new'))
  await kept.append({ n: LONG + 1 })
  await expect(kept.fold(upTo(LONG + 1))).rejects.toThrow('cannot be written')
  expect(kept.isOutgrown()).toBe(false)
  await kept.append({ n: LONG + 2 })
  expect(await found()).toEqual(numbers(LONG + 2))
})

it('goes on with the old journal where it cannot be cut', async () => {
  await mkdir(file('journal.ndjson.new'))
  await kept.append({ n: LONG + 1 })
  await expect(kept.fold(upTo(LONG + 1))).rejects.toThrow('cannot be written')
  await kept.append({ n: LONG + 2 })
  expect(await readFile(file('journal.ndjson'), 'utf8')).toContain(`{"n":${LONG + 1}}`)
  expect(await found()).toEqual(numbers(LONG + 2))
})

it('goes on with the old journal where its rest cannot be copied', async () => {
  await kept.append({ n: LONG + 1 })
  await symlink('/dev/full', file('journal.ndjson.new'))
  let isFolding = true
  const folded = kept.fold(upTo(LONG + 1)).finally(() => {
    isFolding = false
  })
  let last = LONG + 1
  while (isFolding) {
    last += 1
    // So much that it is not copied in one piece.
    await Promise.race([kept.append({ n: last, pad: 'x'.repeat(300_000) }), folded.catch(() => 0)])
  }
  await expect(folded).rejects.toThrow('cannot be written')
  for (let count = 0; count < 3; count += 1) {
    last += 1
    await kept.append({ n: last })
  }
  expect(await found()).toEqual(numbers(last))
})

it('is not due again at once where the journal could not be cut', async () => {
  const pad = 'x'.repeat(1024 * 1024)
  for (let n = LONG + 1; n <= LONG + 20; n += 1) await kept.append({ n, pad })
  expect(kept.isOutgrown()).toBe(true)
  await mkdir(file('journal.ndjson.new'))
  await expect(kept.fold(upTo(LONG + 20))).rejects.toThrow('cannot be written')
  expect(kept.isOutgrown()).toBe(false)
})

it('holds nothing that was refused', async () => {
  await kept.close()
  await rm(file('journal.ndjson'))
  await symlink('/dev/full', file('journal.ndjson'))
  kept = await store.open('default')
  const refused = kept.append({ n: LONG + 1 })
  const folded = kept.fold(upTo(LONG + 1))
  await expect(refused).rejects.toThrow('cannot be written')
  await expect(folded).rejects.toThrow('cannot be written')
  await kept.close()
  await rm(file('journal.ndjson'))
  await writeFile(file('journal.ndjson'), '')
  expect(await found()).toEqual(numbers(LONG))
})
