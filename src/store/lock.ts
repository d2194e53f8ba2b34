/**
 * The lock on a data folder: one process at a time. The kernel holds it for an open file, and releases it when the
 * process ends, however it ends. No time, process id or host name decides anything.
 */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { FolderRefused } from './store.ts'

/** The file in the folder that is locked. It is never deleted: a lock on a deleted file excludes nobody. */
export const LOCK = 'lock'

/** How long a start waits for a process that is about to end: the kernel takes a while to end a large one. */
const PATIENCE_MS = 1000
const RETRY_EVERY_MS = 50

export interface FolderLock {
  /**
   * Whether the file at the lock's path is still the one that is locked: a folder that was removed or replaced is
   * nobody's. Synchronous, one `stat`.
   */
  isHeld(): boolean
  /** Lets another process have the folder. */
  release(): Promise<void>
}

/** `none` goes without a lock, for systems on which the kernel holds none. */
export type LockMode = 'kernel' | 'none'

/** The process that has a folder, for messages only; null where it cannot be read. */
export interface Owner {
  readonly pid: number | null
  readonly host: string | null
}

/** What is used of `fs-native-extensions`, which comes without types. */
interface FileLocks {
  /** Whether the lock was granted. Throws where the file system has no locks. */
  tryLock(descriptor: number, options?: { readonly shared: boolean }): boolean
}

/**
 * Locks a folder that exists. Throws `FolderRefused` when another process has it, and where the kernel cannot lock it:
 * `none` must be asked for.
 */
export async function lockFolder(folder: string, mode: LockMode): Promise<FolderLock> {
  const locks = mode === 'none' ? null : loadLocks(folder)
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    const lock = tryFolder(folder, locks)
    if (lock?.isHeld()) return lock
    // It was removed between opening and locking, which leaves a lock on nothing.
    await lock?.release()
    if (performance.now() > giveUpAt) throw inUse(folder)
    await pause(RETRY_EVERY_MS)
  }
}

/** The process that has a folder right now; null when none does. Creates nothing. Throws where no lock can be tried. */
export async function whoHas(folder: string): Promise<Owner | null> {
  const path = join(folder, LOCK)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null
  const descriptor = openSync(path, 'r')
  try {
    // A shared lock, held for an instant: a start that meets it tries again.
    const isFree = isGranted(folder, () => loadLocks(folder).tryLock(descriptor, { shared: true }))
    return isFree ? null : readOwner(path)
  } finally {
    closeSync(descriptor)
  }
}

/** How messages name an owner. */
export function nameOf({ pid, host }: Owner): string {
  return pid === null ? 'another process' : `process ${pid} on ${host}`
}

/** One attempt; null when another process has the folder. */
function tryFolder(folder: string, locks: FileLocks | null): FolderLock | null {
  const path = join(folder, LOCK)
  const descriptor = openLock(folder)
  let lock: FolderLock | null = null
  try {
    const isFree = locks === null || isGranted(folder, () => locks.tryLock(descriptor))
    if (isFree) lock = lockOn(path, descriptor)
    if (isFree && locks !== null) writeOwner(descriptor)
  } finally {
    if (lock === null) closeSync(descriptor)
  }
  return lock
}

function openLock(folder: string): number {
  const path = join(folder, LOCK)
  try {
    return openSync(path, 'a+')
  } catch (error) {
    if (statOf(path)?.isDirectory()) {
      throw new FolderRefused(
        `${path} is a folder, but must be a file; an earlier version left it there. Stop that version if it still runs, then move ${path} to another place.`,
      )
    }
    throw new FolderRefused(`${folder} cannot be locked: ${(error as Error).message}`)
  }
}

/** The descriptor is a number and no `FileHandle`, which the garbage collector would close, and the lock with it. */
function lockOn(path: string, descriptor: number): FolderLock {
  const locked = fstatSync(descriptor, { bigint: true })
  let isReleased = false
  return {
    isHeld: () => {
      const found = isReleased ? undefined : statOf(path)
      return found?.dev === locked.dev && found.ino === locked.ino
    },
    release: async () => {
      if (isReleased) return
      isReleased = true
      closeSync(descriptor)
    },
  }
}

function statOf(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    // What cannot be looked at cannot be shown to be ours.
    return undefined
  }
}

/** What a lock request answers. The kernel refuses it as a whole where the file system has no locks. */
function isGranted(folder: string, request: () => boolean): boolean {
  try {
    return request()
  } catch (error) {
    if (error instanceof FolderRefused) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw notLockable(folder, `its file system answers ${code}, ${message}`)
  }
}

/** Loaded when a folder is locked, because it is native and some platforms have no build of it. */
function loadLocks(folder: string): FileLocks {
  try {
    // A dynamic import of this CommonJS package takes a third longer, and every start waits for it.
    const require = createRequire(import.meta.url)
    return require('fs-native-extensions')
  } catch (error) {
    const { message } = ((error as Error).cause ?? error) as Error
    const reason = `fs-native-extensions cannot be loaded on ${process.platform} ${process.arch}`
    throw notLockable(folder, `${reason} (${message.split('\n')[0]})`)
  }
}

function notLockable(folder: string, reason: string): FolderRefused {
  return new FolderRefused(
    `${folder} cannot be locked: ${reason}. Without a lock, two processes could overwrite each other's data. If only one process uses ${folder}, --lock none goes without a lock.`,
  )
}

function inUse(folder: string): FolderRefused {
  const who = nameOf(readOwner(join(folder, LOCK)))
  return new FolderRefused(
    `${folder} is in use by ${who}; stop it first, or choose another folder.`,
  )
}

function writeOwner(descriptor: number): void {
  try {
    ftruncateSync(descriptor)
    writeSync(descriptor, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`)
  } catch {
    // The lock holds on a full disk too; only messages cannot name the owner then.
  }
}

function readOwner(path: string): Owner {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, 'utf8')) as Owner
    return { pid, host }
  } catch {
    // It has locked the file and not written to it yet, or the system lets nobody read a locked file.
    return { pid: null, host: null }
  }
}
