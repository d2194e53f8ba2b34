/**
 * The durable store: a folder of sandboxes, which one process has at a time. Owns which sandboxes there are; a sandbox is
 * made and deleted whole, by moving its folder.
 */
import { existsSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from './files.ts'
import { type LockMode, lockFolder } from './lock.ts'
import { SandboxFolder } from './sandbox-folder.ts'
import { type Durability, FolderRefused, type Store, StoreError, unlessFull } from './store.ts'

/** Where the sandboxes are, those that are being made, and those that are being deleted. */
const KEPT = 'sandboxes'
const NEW = 'new'
const OLD = 'old'

/** Other folders are left alone. */
const folderOfSandbox = /^[a-z0-9][a-z0-9-]*$/

export interface FolderStoreOptions {
  readonly durability: Durability
  readonly lock: LockMode
  readonly warn: (line: string) => void
  /** How long journals become, at least, before they are folded; for tests. */
  readonly foldAtBytes?: number
}

/** Keeps every sandbox below a folder. Throws `FolderRefused` when the folder cannot be locked. */
export async function folderStore(folder: string, options: FolderStoreOptions): Promise<Store> {
  await makeFolder(folder).catch((error: Error) => {
    throw new FolderRefused(`${folder} cannot be made: ${error.message}`)
  })
  const lock = await lockFolder(folder, options.lock)
  if (options.lock === 'none') {
    options.warn(
      `${folder} is not locked (--lock none); a second process would overwrite its data.`,
    )
  }
  const parts = { ...options, isOurs: () => lock.isHeld() }
  const placeOf = (sandboxId: string) => sandboxFolder(folder, sandboxId)
  let deleted = 0
  await prepare(folder, options.warn).catch((error) => {
    lock.release()
    throw error
  })
  return {
    list: () => listSandboxes(folder),
    open: (sandboxId) => {
      const place = placeOf(sandboxId)
      return new SandboxFolder({ ...parts, folder: place, final: place }).load()
    },
    create: async (sandboxId) => {
      const made = join(folder, NEW, sandboxId)
      await rm(made, { recursive: true, force: true })
      return new SandboxFolder({ ...parts, folder: made, final: placeOf(sandboxId) })
    },
    remove: async (sandboxId) => {
      deleted += 1
      const place = placeOf(sandboxId)
      const old = join(folder, OLD, `${deleted}-${sandboxId}`)
      await unlessFull(`${place} cannot be deleted`, async () => {
        if (!lock.isHeld()) throw new Error(`${folder} was removed or replaced`)
        await moveAway(place, old)
      })
      // It is deleted by now; what cannot be cleared away goes with the next start.
      await rm(old, { recursive: true, force: true }).catch(() => undefined)
    },
    close: async () => lock.release(),
  }
}

/** The folder that keeps a sandbox. */
export function sandboxFolder(folder: string, sandboxId: string): string {
  return join(folder, KEPT, sandboxId)
}

/** The ids of the sandboxes that a folder keeps, oldest first. */
export async function listSandboxes(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, KEPT)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new StoreError(`${join(folder, KEPT)} cannot be read: ${error.message}`)
  })
  const found = names
    .filter((name) => folderOfSandbox.test(name))
    .sort()
    .map(async (id) => {
      // One that cannot be looked at is a sandbox all the same, and damaged.
      const look = await stat(sandboxFolder(folder, id)).catch(() => null)
      return { id, bornMs: look?.birthtimeMs ?? 0 }
    })
  const sandboxes = await Promise.all(found)
  return sandboxes.sort((one, other) => one.bornMs - other.bornMs).map(({ id }) => id)
}

/** Has a sandbox be where nobody looks for it, on disk; one that is gone already is. */
async function moveAway(place: string, old: string): Promise<void> {
  if (!existsSync(place)) return
  await rename(place, old)
  await syncFolder(dirname(place)).catch(async (error) => {
    await rename(old, place)
    throw error
  })
}

/** Makes the folders that are missing, and clears away what a crash left in the making or the deleting. */
async function prepare(folder: string, warn: (line: string) => void): Promise<void> {
  for (const name of [KEPT, NEW, OLD]) {
    const path = join(folder, name)
    const cleared = name === KEPT ? Promise.resolve() : rm(path, { recursive: true, force: true })
    await cleared.catch((error: Error) => warn(`${path} cannot be cleared: ${error.message}`))
    await makeFolder(path).catch((error: Error) => {
      throw new FolderRefused(`${path} cannot be made: ${error.message}`)
    })
  }
}
