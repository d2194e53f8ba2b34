/** A folder that is changed is synced: what was made, renamed or removed in it is so on disk only afterwards. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PENDING } from '../../src/store/folder-store.ts'
import { type Store, type StoredSandbox, StoreUnavailable } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folders.ts'
import { storeIn } from '../support/store.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let store: Store
let synced: string[]
/** Whether the disk fails to sync a folder. */
let fails: (path: string) => boolean
const { openSync, fsync } = fs
const { open: openFile } = fs.promises

beforeEach(async () => {
  folder = await temporaryFolder()
  store = await storeIn(folder.path)
  synced = []
  fails = () => false
  const folders = new Map<number, string>()
  const open = async (path: string, flags: string) => {
    const handle = await openFile(path, flags)
    const sync = handle.sync.bind(handle)
    handle.sync = async () => {
      await sync()
      synced.push(path)
    }
    return handle
  }
  Object.assign(fs.promises, { open })
  Object.assign(fs, {
    openSync: (path: string, flags: string) => {
      const descriptor = openSync(path, flags)
      folders.set(descriptor, path)
      return descriptor
    },
    fsync: (descriptor: number, done: fs.NoParamCallback) =>
      fsync(descriptor, (error) => {
        const path = folders.get(descriptor) ?? ''
        if (fails(path)) return done(new Error('EIO: injected'))
        if (error === null) synced.push(path)
        done(error)
      }),
  })
  syncBuiltinESMExports()
})

afterEach(async () => {
  Object.assign(fs.promises, { open: openFile })
  Object.assign(fs, { openSync, fsync })
  syncBuiltinESMExports()
  await store.close()
  await folder.remove()
})

const file = (...names: string[]) => join(folder.path, 'sandboxes', 'default', ...names)

async function make(id: string): Promise<StoredSandbox> {
  const made = await store.create(id)
  await made.replace([{ whole: id }])
  return made
}

it('syncs the folders when a sandbox is made: after its files, and where it is moved to', async () => {
  const made = await make('default')
  const inMaking = join(folder.path, PENDING, 'new-default')
  const files = ['journal-000001.ndjson', 'state-000001.ndjson']
  const [journal, state, manifest, own, ...above] = synced
  // What is synced at once has no order.
  expect([journal, state].sort()).toEqual(files.map((name) => join(inMaking, name)))
  expect([manifest, own].sort()).toEqual([inMaking, join(inMaking, 'sandbox.json')])
  expect(above.sort()).toEqual([dirname(inMaking), join(folder.path, 'sandboxes')])
  await made.close()
})

it('syncs the folder when a document is stored: before it is named, and after', async () => {
  const made = await make('default')
  synced.length = 0
  await made.documents('pacts').set([{ about: {}, entries: [] }])
  expect(synced).toEqual([file('pacts-000002.ndjson'), file(), file('sandbox.json.new'), file()])
  await made.close()
})

it('undoes a change that it refuses because its last sync failed', async () => {
  const made = await make('default')
  const { set } = made.documents('pacts')
  const failing = [file()]
  fails = (path) =>
    path === failing[0] && synced.at(-1) === file('sandbox.json.new') && failing.pop() === path
  await expect(set([{ about: { name: 'refused' }, entries: [] }])).rejects.toThrow(StoreUnavailable)
  expect(failing).toEqual([])
  expect(made.documents('pacts').documents).toEqual([])
  await set([{ about: { name: 'again' }, entries: [] }])
  await made.close()
  const again = await store.open('default')
  expect(again.documents('pacts').documents).toMatchObject([{ about: { name: 'again' } }])
  await again.close()
})

it('syncs the folders when a sandbox is deleted, for which no file of it is written any more', async () => {
  const made = await make('default')
  await made.append({ a: 1 })
  synced.length = 0
  await made.close('removal')
  expect(synced).toEqual([])
  await store.remove('default')
  expect(synced.sort()).toEqual([PENDING, 'sandboxes'].map((name) => join(folder.path, name)))
})

it('syncs the data folder when it is made, and every one above it', async () => {
  const deep = join(folder.path, 'a', 'b', 'c')
  await (await storeIn(deep)).close()
  const [b, a] = [dirname(deep), dirname(dirname(deep))]
  expect(synced).toEqual([folder.path, a, b, deep, deep, deep])
})
