import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PENDING, UNDELIVERED } from '../../src/store/folder-store.ts'
import { type Store, type StoredSandbox, StoreUnavailable } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folders.ts'
import { documentsIn, entriesIn, storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let store: Store
let warnings: string[]

beforeEach(async () => {
  folder = await temporaryFolder()
  warnings = []
  store = await storeIn(folder.path, { warnings })
})

afterEach(async () => {
  await store.close()
  await folder.remove()
})

const file = (...names: string[]) => join(folder.path, 'sandboxes', 'default', ...names)

/** Makes a sandbox of a whole and then some entries. */
async function make(id: string, ...entries: readonly object[]): Promise<StoredSandbox> {
  const made = await store.create(id)
  await made.replace([{ whole: id }])
  for (const entry of entries) await made.append(entry)
  return made
}

async function read(id = 'default') {
  const stored = await store.open(id)
  const entries = await entriesIn(stored)
  await stored.close()
  return entries
}

/** Ends this store and begins another, as a restart does. */
async function restart(): Promise<void> {
  await store.close()
  store = await storeIn(folder.path, { warnings })
}

it('has no sandbox until a whole one is kept', async () => {
  const made = await store.create('default')
  expect(await store.list()).toEqual([])
  await expect(made.append({ a: 1 })).rejects.toThrow(StoreUnavailable)
  await made.replace([{ whole: 1 }])
  expect(await store.list()).toEqual(['default'])
  await made.close()
})

it('reads back the whole and what was appended since', async () => {
  await (await make('default', { a: 1 }, { b: 2 })).close()
  expect(await read()).toEqual([{ whole: 'default' }, { a: 1 }, { b: 2 }])
})

it('puts a whole in place of everything before it, and of its file', async () => {
  const made = await make('default', { a: 1 })
  await made.replace([{ whole: 2 }])
  await made.append({ c: 3 })
  await made.close()
  expect(await read()).toEqual([{ whole: 2 }, { c: 3 }])
  expect((await readdir(file())).sort()).toEqual([
    'journal-000002.ndjson',
    'sandbox.copy.json',
    'sandbox.json',
    'state-000002.ndjson',
  ])
})

it('reads back what was still being written when it was asked', async () => {
  const made = await make('default')
  const appended = made.append({ a: 1 })
  expect(await entriesIn(made)).toEqual([{ whole: 'default' }, { a: 1 }])
  await appended
  await made.append({ b: 2 })
  await made.close()
  expect(await read()).toEqual([{ whole: 'default' }, { a: 1 }, { b: 2 }])
})

it('writes nothing once it is closed, because the folder may be that of another sandbox by then', async () => {
  const closed = await make('default', { a: 1 })
  await closed.close()
  for (const late of [closed.append({ b: 2 }), closed.replace([{}])]) {
    await expect(late).rejects.toThrow('is closed')
  }
  expect(await read()).toEqual([{ whole: 'default' }, { a: 1 }])
})

it('shows no document before it is on disk', async () => {
  const documents = (await make('default')).documents('checkpoints')
  let isStored = false
  const stored = documents.set([{ about: { name: 'one' }, entries: [] }]).then(() => {
    isStored = true
  })
  while (!isStored) {
    const isOnDisk = readFileSync(file('sandbox.json'), 'utf8').includes('"name":"one"')
    if (!isOnDisk) expect(documents.documents).toEqual([])
    await nextTurn()
  }
  await stored
  expect(documents.documents).toHaveLength(1)
})

it('leaves no gap after an entry that cannot be written down', async () => {
  const made = await make('default')
  const endless: { self?: object } = {}
  endless.self = endless
  await expect(made.append(endless)).rejects.toThrow(TypeError)
  await made.append({ a: 1 })
  await made.close()
  expect(await read()).toEqual([{ whole: 'default' }, { a: 1 }])
})

it('lists its sandboxes oldest first, leaves other folders alone, and forgets what is removed', async () => {
  await mkdir(join(folder.path, 'sandboxes', 'lost+found'))
  for (const id of ['worker-2', 'default', 'a']) await (await make(id)).close()
  expect(await store.list()).toEqual(['worker-2', 'default', 'a'])
  await store.remove('worker-2')
  expect(await store.list()).toEqual(['default', 'a'])
  await restart()
  expect(await store.list()).toEqual(['default', 'a'])
})

it('has sandboxes of any name, also of those that its own files have', async () => {
  const names = ['lock', PENDING, 'sandboxes', 'state', 'journal', 'pacts']
  for (const name of names) await (await make(name, { a: name })).close()
  await restart()
  expect(await store.list()).toEqual(names)
  for (const name of names) {
    expect(await read(name)).toEqual([{ whole: name }, { a: name }])
    await store.remove(name)
  }
  await expect(storeIn(folder.path)).rejects.toThrow('is in use by process')
  expect(await store.list()).toEqual([])
})

it('lets one process at a time have the folder, and says which one has it', async () => {
  await expect(storeIn(folder.path)).rejects.toThrow(`is in use by process ${process.pid}`)
})

it('has nothing of a deleted sandbox when another one takes its name', async () => {
  const made = await make('default')
  await made.documents('pacts').set([{ about: { name: 'x' }, entries: [{ x: 1 }] }])
  await made.close()
  await store.remove('default')
  const again = await make('default')
  expect(await documentsIn(again, 'pacts')).toEqual([])
  await again.close()
})

describe('what a crash leaves behind', () => {
  it('goes when the sandbox is next read, and what somebody else put there stays', async () => {
    const made = await make('default')
    await made.documents('checkpoints').set([{ about: {}, entries: [{ x: 1 }] }])
    await made.close()
    const before = (await readdir(file())).sort()
    for (const name of [
      'state-000007.ndjson',
      'journal-000009.ndjson',
      'checkpoints-000011.ndjson',
      'pacts-000012.ndjson',
      'sandbox.json.new',
    ]) {
      await writeFile(file(name), 'a part')
    }
    await writeFile(file('notes.txt'), 'mine')
    await mkdir(file('state-mine'))
    await read()
    expect((await readdir(file())).sort()).toEqual([...before, 'notes.txt', 'state-mine'].sort())
  })

  it('goes at the next start where a sandbox was being made or deleted', async () => {
    await (await make('default')).close()
    for (const name of ['new-half', 'old-1-half']) {
      await mkdir(join(folder.path, PENDING, name, 'deep'), { recursive: true })
    }
    await restart()
    expect(await readdir(join(folder.path, PENDING))).toEqual([])
    expect(await store.list()).toEqual(['default'])
  })

  it('goes from no folder of somebody else, in which a start was tried', async () => {
    const theirs = ['pending/orders.csv', 'undelivered/letter', 'state-000001.ndjson', 'new-half/a']
    for (const path of theirs) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true })
      await writeFile(join(folder.path, path), 'theirs')
    }
    for (let start = 0; start < 2; start += 1) await restart()
    expect(await store.undelivered()).toEqual([])
    for (const path of theirs) {
      expect(await readFile(join(folder.path, path), 'utf8')).toBe('theirs')
    }
  })

  it('stands in the way of nobody where a new sandbox cannot be stored', async () => {
    const refused = await store.create('default')
    await rename(join(folder.path, 'sandboxes'), join(folder.path, 'elsewhere'))
    await expect(refused.replace([{ whole: 1 }])).rejects.toThrow(StoreUnavailable)
    await rename(join(folder.path, 'elsewhere'), join(folder.path, 'sandboxes'))
    await (await make('default')).close()
    expect(await store.list()).toEqual(['default'])
  })
})

describe('a folder that was taken away', () => {
  const gone = 'was removed or replaced while the sandbox runs'

  it('takes no change, and is not made again', async () => {
    const made = await make('default', { a: 1 })
    await rm(folder.path, { recursive: true })
    await expect(made.append({ b: 2 })).rejects.toThrow(gone)
    await expect(made.replace([{ whole: 2 }])).rejects.toThrow(gone)
    await expect(made.documents('pacts').set([{ about: {}, entries: [] }])).rejects.toThrow(gone)
    await expect(entriesIn(made)).rejects.toThrow(gone)
    await expect(make('other')).rejects.toThrow(gone)
    await expect(store.remove('default')).rejects.toThrow('was removed or replaced')
    await made.close()
    expect(existsSync(folder.path)).toBe(false)
  })

  it('is not taken for the one that stands in its place', async () => {
    const made = await make('default', { a: 1 })
    const other = await make('other', { z: 9 })
    await other.close()
    await rename(file(), file('..', 'away'))
    await rename(file('..', 'other'), file())
    const before = await readFile(file('journal-000001.ndjson'))
    await expect(made.append({ b: 2 })).rejects.toThrow('was removed or replaced')
    await expect(made.replace([{ whole: 2 }])).rejects.toThrow(gone)
    await expect(made.documents('pacts').set([])).rejects.toThrow(gone)
    await expect(entriesIn(made)).rejects.toThrow(gone)
    await made.close()
    expect(await readFile(file('journal-000001.ndjson'))).toEqual(before)
    expect(await read()).toEqual([{ whole: 'other' }, { z: 9 }])
  })

  it('can be deleted where it is gone already', async () => {
    await (await make('default')).close()
    await rm(file(), { recursive: true })
    await store.remove('default')
    expect(await store.list()).toEqual([])
  })
})

it('tries again to mark a sandbox where that failed, and says so once', async () => {
  const marks = join(folder.path, UNDELIVERED)
  const stored = await make('default')
  await rm(marks, { recursive: true })
  for (const _ of [1, 2]) stored.markUndelivered(true)
  expect(warnings).toHaveLength(1)
  await mkdir(marks)
  stored.markUndelivered(true)
  expect(await store.undelivered()).toEqual(['default'])
  await stored.close()
})
