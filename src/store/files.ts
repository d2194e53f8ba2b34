/** File operations that the store shares: opening files, and making, moving and syncing folders. */
import { existsSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StoreError } from './store.ts'

/** Opens a file for some work and closes it, also after a failure. */
export async function withFile<Value>(
  path: string,
  flags: string,
  work: (handle: FileHandle) => Promise<Value>,
): Promise<Value> {
  const handle = await open(path, flags)
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}

/**
 * Throws `StoreError` if a path is a pipe, a device or a socket: a read would wait for a writer. Opening a folder fails
 * at once.
 */
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

/** Syncs a folder: a file that was made, renamed or removed in it is so on disk only afterwards. */
export async function syncFolder(path: string): Promise<void> {
  await withFile(path, 'r', (handle) => handle.sync())
}

/** Moves a folder, on disk; if that fails it stays. */
export async function moveFolder(from: string, to: string): Promise<void> {
  await rename(from, to)
  try {
    await syncFolder(dirname(from))
    await syncFolder(dirname(to))
  } catch (error) {
    await rename(to, from)
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
  await syncFolder(above)
}

/**
 * Why the system does not let this process write a file or folder. If another user owns it, or the folder above it, the
 * text says so and how to change it: containers often mount such folders.
 */
export function notPermitted(path: string, { code, message }: NodeJS.ErrnoException): string {
  const [user, group] = [process.getuid?.(), process.getgid?.()]
  const { found, owner } = nearest(path)
  if (code !== 'EACCES' || user === undefined || owner.uid === user) return message
  return `${message}. ${found} belongs to user ${owner.uid}, and this process runs as user ${user}. Give it to that user, chown -R ${user}:${group} ${found}, or run as its owner, a container with --user ${owner.uid}:${owner.gid}`
}

/** The path itself if it exists, else the nearest existing folder above it. */
function nearest(path: string): { readonly found: string; readonly owner: Stats } {
  for (let found = resolve(path); ; found = dirname(found)) {
    const owner = statSync(found, { throwIfNoEntry: false })
    if (owner !== undefined) return { found, owner }
  }
}

/** The message about a file or folder that cannot be read. */
export function unreadable(path: string, { code, message }: NodeJS.ErrnoException): StoreError {
  return new StoreError(
    `${path} ${code === 'ENOENT' ? 'is missing' : `cannot be read: ${message}`}`,
  )
}
