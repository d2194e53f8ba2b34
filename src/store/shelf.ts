/** A shelf of a durable sandbox, such as `checkpoints/`: one file for each document, in the format of the snapshot. */
import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from './files.ts'
import { snapshotFile } from './snapshot.ts'
import { type Shelf, StoreUnavailable } from './store.ts'

/** A shelf in a folder, which is made when something is first put there. */
export function folderShelf(folder: string): Shelf {
  const pathOf = (key: string) => join(folder, `${key}.json`)
  return {
    read: async (key) =>
      ((await snapshotFile(pathOf(key)).read())?.document as object | undefined) ?? null,
    write: (key, document) =>
      unlessFull(folder, async () => {
        const made = await mkdir(folder, { recursive: true })
        if (made !== undefined) await syncFolder(dirname(folder))
        await snapshotFile(pathOf(key)).write({ entries: 0, document })
      }),
    remove: (key) => unlessFull(folder, () => rm(pathOf(key), { force: true })),
  }
}

async function unlessFull(folder: string, change: () => Promise<void>): Promise<void> {
  await change().catch((error: Error) => {
    throw new StoreUnavailable(`${folder} cannot be written: ${error.message}`)
  })
}
