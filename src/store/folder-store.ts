/**
 * The durable store: a folder of sandboxes, used by one process at a time. Owns which sandboxes exist. A sandbox is
 * created and deleted in one step, by moving its folder.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  makeFolder,
  moveFolder,
  permissionText,
  removeFolder,
  syncPath,
  unreadableFile,
  writeWatch,
} from './files.ts'
import { type LockMode, lockFolder } from './lock.ts'
import { type FolderOptions, SandboxFolder } from './sandbox-folder.ts'
import { FolderRefused, type Store, withStoreErrors } from './store.ts'

/** The folder of the sandboxes, and the folder of those that are being created or deleted. */
export const SANDBOXES = 'sandboxes'
export const PENDING = 'pending-sandboxes'

/** An empty file for each sandbox that may have events to deliver, so that a start reads no other sandbox. */
export const UNDELIVERED = 'undelivered-events'

const folderOfSandbox = /^[a-z0-9][a-z0-9-]*$/

export interface FolderStoreOptions extends FolderOptions {
  readonly lock: LockMode
}

/** Stores every sandbox in a folder. Throws `FolderRefused` if the folder cannot be locked. */
export async function folderStore(folder: string, options: FolderStoreOptions): Promise<Store> {
  await makeOwnFolder(folder)
  const lock = await lockFolder(folder, options.lock)
  if (options.lock === 'none') {
    options.warn(
      `${folder} is not locked (--lock none); a second process would overwrite its data.`,
    )
  }
  const isOurs = () => lock.isHeld()
  const assertOurs = () => {
    if (!isOurs()) throw new Error(`${folder} was removed or replaced while the sandbox runs`)
  }
  const writes = writeWatch(join(folder, PENDING, 'trial'), isOurs)
  const parts = { ...options, isOurs, writes }
  const placeOf = (sandboxId: string) => sandboxFolder(folder, sandboxId)
  const markOf = (sandboxId: string) => join(folder, UNDELIVERED, sandboxId)
  const sandboxIn = (place: string, sandboxId: string) => {
    const mark = markOf(sandboxId)
    return new SandboxFolder({ ...parts, folder: place, final: placeOf(sandboxId), mark })
  }
  let deleted = 0
  const removals = new Set<Promise<void>>()
  await prepareFolder(folder, options.warn).catch((error) => {
    lock.release()
    throw error
  })
  return {
    list: () => listSandboxes(folder),
    undelivered: async () => {
      const marked = await readdir(join(folder, UNDELIVERED))
      for (const id of marked) if (!existsSync(placeOf(id))) rmSync(markOf(id), { force: true })
      return marked.filter((id) => existsSync(placeOf(id)))
    },
    open: (sandboxId) => sandboxIn(placeOf(sandboxId), sandboxId).load(),
    create: async (sandboxId) => {
      const newFolder = join(folder, PENDING, `new-${sandboxId}`)
      await withStoreErrors(`${newFolder} cannot be made`, async () => {
        assertOurs()
        await makeNewFolder(newFolder)
      })
      return sandboxIn(newFolder, sandboxId)
    },
    remove: async (sandboxId) => {
      deleted += 1
      const place = placeOf(sandboxId)
      const old = join(folder, PENDING, `old-${deleted}-${sandboxId}`)
      await withStoreErrors(`${place} cannot be deleted`, async () => {
        assertOurs()
        if (existsSync(place)) await moveFolder(place, old)
      })
      const mark = markOf(sandboxId)
      if (existsSync(mark)) await rm(mark, { force: true }).catch(() => undefined)
      // It is deleted already, and nobody waits for the rest. The next start removes what remains.
      const removal = removeFolder(old).catch(() => undefined)
      removals.add(removal)
      void removal.then(() => removals.delete(removal))
    },
    failure: () => writes.failure(),
    close: async () => {
      await Promise.all(removals)
      lock.release()
    },
  }
}

/** Makes the folder of a new sandbox. It is on disk once it is moved to its place, which syncs the one above it. */
async function makeNewFolder(folder: string): Promise<void> {
  if (existsSync(folder)) await rm(folder, { recursive: true })
  try {
    mkdirSync(folder)
  } catch {
    await makeFolder(folder)
  }
}

export function sandboxFolder(folder: string, sandboxId: string): string {
  return join(folder, SANDBOXES, sandboxId)
}

/** The ids of the sandboxes in a data folder, oldest first. */
export async function listSandboxes(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, SANDBOXES)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw unreadableFile(join(folder, SANDBOXES), error)
  })
  const births = names
    .filter((name) => folderOfSandbox.test(name))
    .sort()
    .map(async (id) => {
      // A folder that cannot be read is still a sandbox, and damaged.
      const look = await stat(sandboxFolder(folder, id)).catch(() => null)
      return { id, bornMs: look?.birthtimeMs ?? 0 }
    })
  const sandboxes = await Promise.all(births)
  return sandboxes.sort((one, other) => one.bornMs - other.bornMs).map(({ id }) => id)
}

/** Makes the missing folders, and removes what a crash left half made or half deleted. */
async function prepareFolder(folder: string, warn: (line: string) => void): Promise<void> {
  const pending = join(folder, PENDING)
  await rm(pending, { recursive: true, force: true }).catch((error: Error) =>
    warn(`${pending} cannot be cleared: ${error.message}`),
  )
  for (const path of [join(folder, SANDBOXES), pending]) await makeOwnFolder(path, folder)
  await makeMarks(folder)
}

/** Without marks, as in a backup of the sandboxes alone, each of these may have events to deliver. */
async function makeMarks(folder: string): Promise<void> {
  const marks = join(folder, UNDELIVERED)
  if (existsSync(marks)) return
  const sandboxIds = await listSandboxes(folder)
  if (sandboxIds.length === 0) return makeOwnFolder(marks, folder)
  await withFolderErrors(marks, folder, async () => {
    // In one step: a crash leaves all marks, or no mark at all.
    const newMarks = join(folder, PENDING, UNDELIVERED)
    await makeFolder(newMarks)
    for (const id of sandboxIds) await writeFile(join(newMarks, id), '')
    await syncPath(newMarks)
    await moveFolder(newMarks, marks)
  })
}

function makeOwnFolder(path: string, folder = path): Promise<void> {
  return withFolderErrors(path, folder, () => makeFolder(path))
}

function withFolderErrors(path: string, folder: string, make: () => Promise<void>): Promise<void> {
  return make().catch((error: Error) => {
    throw new FolderRefused(`${path} cannot be made: ${permissionText(path, error, folder)}`)
  })
}
