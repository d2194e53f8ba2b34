/** File operations that the store shares: opening files, making, moving and syncing folders, and watching writes. */
import {
  closeSync,
  existsSync,
  fsync,
  openSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { mkdir, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { getSystemErrorMap, promisify } from 'node:util'
import { StoreError } from './store.ts'

/** Why a file that was named cannot be read or written. */
export function fileErrorText(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'there is no such file'
  return error.code === 'EISDIR' ? 'it is a folder' : systemText(error)
}

function systemText({ errno = 0, message }: NodeJS.ErrnoException): string {
  return getSystemErrorMap().get(errno)?.[1] ?? message
}

/** Throws `StoreError` for a pipe, a device or a socket, where a read would wait for a writer. */
export function requireRegularFile(path: string): void {
  if (isIrregular(path)) throw new StoreError(`${path} must be a regular file`)
}

function isIrregular(path: string): boolean {
  try {
    const found = statSync(path)
    return !found.isFile() && !found.isDirectory()
  } catch {
    // It does not exist, or opening it gives the reason.
    return false
  }
}

/** The file at a path, and its length; null if absent. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.size}`
}

/** Opens a file or folder, does some work and syncs it. To open it here is ten times as fast as in a thread. */
export async function openAndSync(
  path: string,
  flags: string,
  work: (descriptor: number) => Promise<void>,
): Promise<void> {
  const descriptor = openSync(path, flags)
  try {
    await work(descriptor)
    await promisify(fsync)(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Syncs a file; of a folder, so the files made, renamed or removed in it. */
export function syncPath(path: string): Promise<void> {
  return openAndSync(path, 'r', async () => undefined)
}

/** Writes all bytes. This only fills the system's cache, which is faster than asking another thread. */
export function writeWhole(descriptor: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, at + done)
  }
}

/** Removes a folder and its files. Node's own recursive removal first looks at each, which takes twice as long. */
export async function removeFolder(path: string): Promise<void> {
  try {
    for (const name of await readdir(path)) await unlink(join(path, name))
    await rmdir(path)
  } catch {
    await rm(path, { recursive: true, force: true })
  }
}

/** Does both at once, so that their syncs share one flush of the disk. If one fails, the other still ends first. */
export async function runBoth<One, Other>(
  one: Promise<One>,
  other: Promise<Other>,
): Promise<[One, Other]> {
  await Promise.allSettled([one, other])
  return Promise.all([one, other])
}

/** Moves a folder, on disk; if that fails it stays. */
export async function moveFolder(from: string, to: string): Promise<void> {
  renameSync(from, to)
  try {
    await runBoth(syncPath(dirname(from)), syncPath(dirname(to)))
  } catch (error) {
    renameSync(to, from)
    throw error
  }
}

/**
 * Makes a folder and its missing parents, on disk. One by one: Node's recursive call never ends on a file system such
 * as /proc, which reports an existing folder as missing.
 */
export async function makeFolder(path: string): Promise<void> {
  const above = dirname(resolve(path))
  try {
    await mkdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    if (code !== 'ENOENT' || existsSync(above)) throw error
    await makeFolder(above)
    await makeFolder(path)
    return
  }
  // The new folder is an entry of its parent.
  await syncPath(above)
}

/**
 * Why the system does not let this process write a file or folder. If another user owns it, or the folder above it, the
 * text says so and how to change it: containers often mount such folders. Nothing but `own` is to be changed.
 */
export function permissionText(path: string, error: NodeJS.ErrnoException, own = path): string {
  const [user, group] = [process.getuid?.(), process.getgid?.()]
  const { found, owner } = nearestExisting(path)
  const isFile = error.code === 'EEXIST'
  const text = isFile ? 'a file has that name; choose another folder' : systemText(error)
  if (error.code !== 'EACCES' || user === undefined || owner.uid === user) return text
  const advice = `${found}/`.startsWith(`${resolve(own)}/`)
    ? `Give it to that user, chown -R ${user}:${group} ${own}`
    : `Make ${own} for that user, install -d -o ${user} -g ${group} ${own}`
  return `${text}. ${found} belongs to user ${owner.uid}, and this process runs as user ${user}. ${advice}, or run as its owner, a container with --user ${owner.uid}:${owner.gid}`
}

/** The folder that holds it, where this process may not look for it. */
function nearestExisting(path: string): { readonly found: string; readonly owner: Stats } {
  for (let found = resolve(path); ; found = dirname(found)) {
    try {
      return { found, owner: statSync(found) }
    } catch {}
  }
}

export function unreadableFile(path: string, error: NodeJS.ErrnoException): StoreError {
  const why = error.code === 'ENOENT' ? 'is missing' : `cannot be read: ${systemText(error)}`
  return new StoreError(`${path} ${why}`)
}

/** Larger than most changes, so that the last free bytes of a disk do not count. */
const TRIAL_BYTES = 64 * 1024

export interface WriteWatch {
  succeeded(): void
  failed(reason: string): void
  /** Why the disk refuses writes; null if it accepts them. */
  failure(): Promise<string | null>
}

/**
 * Watches whether the disk accepts writes: the newest failed one counts until a change to a sandbox or a trial succeeds.
 * A trial, which writes and removes the file `path`, runs only when `failure` is called after a failure.
 */
export function writeWatch(path: string, isOurs: () => boolean): WriteWatch {
  let failure: string | null = null
  let trial: Promise<void> | null = null
  const endTrial = (isTaken: boolean) => {
    if (isTaken) failure = null
    trial = null
  }
  return {
    succeeded: () => {
      failure = null
    },
    failed: (reason) => {
      failure = reason
    },
    failure: async () => {
      if (failure === null) return null
      trial ??= tryWrite(path, isOurs).then(endTrial)
      await trial
      return failure
    },
  }
}

async function tryWrite(path: string, isOurs: () => boolean): Promise<boolean> {
  try {
    const bytes = Buffer.alloc(TRIAL_BYTES)
    await openAndSync(path, 'w', async (descriptor) => writeWhole(descriptor, bytes, 0))
    return isOurs()
  } catch {
    return false
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}
