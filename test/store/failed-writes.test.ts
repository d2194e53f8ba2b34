/** Writes that fail at one moment: what random faults of the disk come upon only now and then. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type StoredSandbox, StoreUnavailable } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folders.ts'
import { copySandboxes, entriesIn, storeIn } from '../support/store.ts'

/** A store in a folder of its own, with some calls of the system in place of Node's. */
async function withCalls(
  work: (stored: StoredSandbox, put: (calls: object) => void, folder: string) => Promise<void>,
) {
  const { openSync, writeSync, fdatasync } = fs
  const put = (calls: object) => {
    Object.assign(fs, { openSync, writeSync, fdatasync, ...calls })
    syncBuiltinESMExports()
  }
  const { path, remove } = await temporaryFolder()
  const store = await storeIn(path)
  const stored = await store.create('default')
  await work(stored, put, path).finally(() => put({}))
  await stored.close()
  await store.close()
  await remove()
}

it('keeps nothing that was refused because the journal could not be opened', () =>
  withCalls(async (stored, put) => {
    const { openSync } = fs
    put({
      openSync: (file: string, flags: string) => {
        if (flags === 'r+') throw new Error('EMFILE: too many open files')
        return openSync(file, flags)
      },
    })
    await stored.replace([{ n: 1 }])
    put({})
    await stored.flushed()
    await expect(stored.append({ n: 2 })).rejects.toThrow(StoreUnavailable)
    await expect(stored.replace([{ n: 1 }, { n: 2 }])).rejects.toThrow(StoreUnavailable)
    expect(await entriesIn(stored)).toEqual([{ n: 1 }])
    await stored.append({ n: 3 })
    expect(await entriesIn(stored)).toEqual([{ n: 1 }, { n: 3 }])
  }))

it('can be opened after a kill behind a write that failed between two lines', () =>
  withCalls(async (stored, put, folder) => {
    const { writeSync, fdatasync } = fs
    await stored.replace([{ n: 0 }])
    let sync = () => {}
    const isSynced = new Promise<void>((resolve) => {
      put({
        fdatasync: (...given: Parameters<typeof fdatasync>) => {
          sync = () => fdatasync(...given)
          resolve()
        },
      })
    })
    const first = stored.append({ n: 1 })
    await isSynced
    put({
      fdatasync: (_: number, done: fs.NoParamCallback) => done(null),
      writeSync: (fd: number, bytes: Buffer, ...[, , at]: [number, number, number]) => {
        if (!bytes.includes('"n":3')) return writeSync(fd, bytes, 0, bytes.length, at)
        writeSync(fd, bytes, 0, bytes.indexOf('\n') + 1, at)
        throw new Error('ENOSPC: no space left on device')
      },
    })
    const refused = [stored.append({ n: 2 }), stored.append({ n: 3 })].map((each) =>
      expect(each).rejects.toThrow(StoreUnavailable),
    )
    await pause(20)
    const copy = await temporaryFolder()
    copySandboxes(folder, copy.path)
    const other = await storeIn(copy.path)
    const killed = await other.open('default')
    expect(await entriesIn(killed)).toEqual([{ n: 0 }, { n: 1 }])
    await killed.close()
    await other.close()
    await copy.remove()
    sync()
    await Promise.all([first, ...refused])
    expect(await entriesIn(stored)).toEqual([{ n: 0 }, { n: 1 }])
  }))
