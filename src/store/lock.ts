/**
 * The lock on a data folder: one process at a time. The kernel holds it for an open file and releases it when the
 * process ends, also by a crash. No time, process id or host name matters.
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
import { permissionText, requireRegularFile } from './files.ts'
import { FolderRefused } from './store.ts'

/** The locked file in the folder. It is never deleted: a lock on a deleted file excludes no process. */
export const LOCK = 'lock'

/** How long a start waits for a process that is ending: the kernel takes a while to end a large one. */
const PATIENCE_MS = 1000
const RETRY_EVERY_MS = 50

export interface FolderLock {
  /** Whether the locked file is still the one in the folder, which may have been removed or replaced. */
  isHeld(): boolean
  release(): void
}

/** `none` uses no lock, for systems whose kernel has none. */
export type LockMode = 'kernel' | 'none'

/** The native part of `fs-native-extensions`, as far as it is in use; the package has no types. */
interface FileLocks {
  /** Throws `EAGAIN` if another process has a lock of these bytes, and otherwise if the file system has no locks. */
  tryLock(descriptor: number, offset: number, length: number, isExclusive: boolean): void
}

/** Locks an existing folder. Throws `FolderRefused` if another process has it, or the kernel has no locks. */
export async function lockFolder(folder: string, mode: LockMode): Promise<FolderLock> {
  const path = join(folder, LOCK)
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    const descriptor = openLock(folder)
    if (mode === 'none') return lockOn(path, descriptor)
    if (tryLock(folder, descriptor)) {
      const lock = lockOn(path, descriptor)
      // If not, it was removed between opening and locking, and the lock is on a deleted file.
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

/** The process that currently has a folder, for messages; null if no process has it. Throws if no lock can be tried. */
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
    throw new FolderRefused(
      `${path} cannot be locked: ${permissionText(path, error as Error, folder)}`,
    )
  }
}

/** The descriptor is a number, not a `FileHandle`: the garbage collector would close that, and the lock with it. */
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
        // It does not exist or cannot be read.
        return false
      }
    },
    release: () => {
      if (!isReleased) closeSync(descriptor)
      isReleased = true
    },
  }
}

/** Whether the kernel grants the lock. If it fails, as on a file system without locks, the descriptor is closed. */
function tryLock(folder: string, descriptor: number, { shared } = { shared: false }): boolean {
  let reason = `fs-native-extensions cannot be loaded on ${process.platform} ${process.arch}`
  try {
    const locks = fileLocks()
    reason = 'its file system refuses locks'
    locks.tryLock(descriptor, 0, 0, !shared)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false
    closeSync(descriptor)
    const { message } = ((error as Error).cause ?? error) as Error
    throw new FolderRefused(
      `${folder} cannot be locked: ${reason} (${message.split('\n')[0]}). Without a lock, two processes could overwrite each other's data. If only one process uses ${folder}, --lock none goes without a lock.`,
    )
  }
}

/**
 * Loaded here, because some platforms have no build of it. Taken from its usual place, because the package reads 15 files
 * to look for it, which is a twentieth of a start.
 */
function fileLocks(): FileLocks {
  const require = createRequire(import.meta.url)
  const name = 'fs-native-extensions'
  try {
    return require(`${name}/prebuilds/${process.platform}-${process.arch}/${name}.node`)
  } catch {
    return require(`${name}/binding.js`)
  }
}

function writeOwner(descriptor: number): void {
  try {
    ftruncateSync(descriptor)
    writeSync(descriptor, `process ${process.pid} on ${hostname()}\n`)
  } catch {
    // The lock also holds on a full disk; only messages cannot name the owner then.
  }
}

function ownerIn(path: string): string {
  try {
    // Its owner may have locked the file but not written to it yet.
    return readFileSync(path, 'utf8').trim() || 'another process'
  } catch {
    // Some systems do not allow reading a locked file.
    return 'another process'
  }
}
