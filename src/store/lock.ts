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
import { notPermitted, requireRegularFile } from './files.ts'
import { FolderRefused } from './store.ts'

/** The file in the folder that is locked. It is never deleted: a lock on a deleted file excludes nobody. */
export const LOCK = 'lock'

/** How long a start waits for a process that is about to end: the kernel takes a while to end a large one. */
const PATIENCE_MS = 1000
const RETRY_EVERY_MS = 50

export interface FolderLock {
  /** Whether the locked file is still the one in the folder, which may have been removed or replaced. */
  isHeld(): boolean
  /** Lets another process have the folder. */
  release(): void
}

/** `none` goes without a lock, for systems on which the kernel holds none. */
export type LockMode = 'kernel' | 'none'

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
  const path = join(folder, LOCK)
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    const descriptor = openLock(folder)
    if (mode === 'none') return lockOn(path, descriptor)
    if (tryLock(folder, descriptor)) {
      const lock = lockOn(path, descriptor)
      // Otherwise it was removed between opening and locking, which leaves a lock on nothing.
      if (lock.isHeld()) {
        writeOwner(descriptor)
        return lock
      }
    }
    closeSync(descriptor)
    if (performance.now() > giveUpAt) {
      throw new FolderRefused(
        `${folder} is in use by ${ownerIn(path)}; stop it first, or choose another folder.`,
      )
    }
    await pause(RETRY_EVERY_MS)
  }
}

/** The process that has a folder right now, for messages; null when none does. Throws where no lock can be tried. */
export function ownerOf(folder: string): string | null {
  const path = join(folder, LOCK)
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null
  const descriptor = openSync(path, 'r')
  // A shared lock, held for an instant: a start that meets it tries again.
  const isFree = tryLock(folder, descriptor, { shared: true })
  closeSync(descriptor)
  return isFree ? null : ownerIn(path)
}

function openLock(folder: string): number {
  const path = join(folder, LOCK)
  try {
    requireRegularFile(path)
    return openSync(path, 'a+')
  } catch (error) {
    throw new FolderRefused(`${folder} cannot be locked: ${notPermitted(path, error as Error)}`)
  }
}

/** The descriptor is a number and no `FileHandle`, which the garbage collector would close, and the lock with it. */
function lockOn(path: string, descriptor: number): FolderLock {
  const locked = fstatSync(descriptor, { bigint: true })
  let isReleased = false
  return {
    isHeld: () => {
      if (isReleased) return false
      try {
        const found = statSync(path, { bigint: true })
        return found.dev === locked.dev && found.ino === locked.ino
      } catch {
        // It is not there, or cannot be looked at.
        return false
      }
    },
    release: () => {
      if (!isReleased) closeSync(descriptor)
      isReleased = true
    },
  }
}

/** Whether the kernel grants the lock. It refuses any where the file system has no locks; then the descriptor is closed. */
function tryLock(folder: string, descriptor: number, options?: { readonly shared: boolean }) {
  let reason = `fs-native-extensions cannot be loaded on ${process.platform} ${process.arch}`
  try {
    // Loaded here, because it is native and some platforms have no build of it. A dynamic import takes a third longer.
    const require = createRequire(import.meta.url)
    const locks: FileLocks = require('fs-native-extensions')
    reason = 'its file system refuses locks'
    return locks.tryLock(descriptor, options)
  } catch (error) {
    closeSync(descriptor)
    const { message } = ((error as Error).cause ?? error) as Error
    throw new FolderRefused(
      `${folder} cannot be locked: ${reason} (${message.split('\n')[0]}). Without a lock, two processes could overwrite each other's data. If only one process uses ${folder}, --lock none goes without a lock.`,
    )
  }
}

function writeOwner(descriptor: number): void {
  try {
    ftruncateSync(descriptor)
    writeSync(descriptor, `process ${process.pid} on ${hostname()}\n`)
  } catch {
    // The lock holds on a full disk too; only messages cannot name the owner then.
  }
}

function ownerIn(path: string): string {
  try {
    // It may have locked the file and not written to it yet.
    return readFileSync(path, 'utf8').trim() || 'another process'
  } catch {
    // Some systems let nobody read a locked file.
    return 'another process'
  }
}
