/** What the files of the store have in common: how they are opened, and how folders are made, moved and synced. */
import { existsSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { StoreError } from './store.ts'

/** Opens a file for some work, and closes it whatever comes of that. */
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
 * Throws `StoreError` where a pipe, a device or a socket is at a path: reading one waits for whoever writes into it. To open
 * a folder fails at once.
 */
export function requireRegularFile(path: string): void {
  if (isIrregular(path)) throw new StoreError(`${path} must be a regular file`)
}

function isIrregular(path: string): boolean {
  try {
    const found = statSync(path)
    return !found.isFile() && !found.isDirectory()
  } catch {
    // It is not there, or whoever opens it says why it cannot be.
    return false
  }
}

/** Which file is at a path, and how long it is; null for none. */
export function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev} ${found.ino} ${found.size}`
}

/** A file that was made, renamed or removed is so on disk only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  await withFile(path, 'r', (handle) => handle.sync())
}

/** Has a folder be at another place, on disk; where that fails it stays. */
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
 * Makes a folder, and those above it that are missing, on disk. One by one: Node's own way tries for ever where a file
 * system such as /proc says of a folder that is there that it is not.
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
  // What was made is an entry of the one above it.
  await syncFolder(above)
}

/**
 * Why the system does not let this process write a file or folder. Where it is another user's, or what it is to be made
 * in, that is said, and how it is changed: containers are often given such ones.
 */
export function notPermitted(path: string, { code, message }: NodeJS.ErrnoException): string {
  const [user, group] = [process.getuid?.(), process.getgid?.()]
  const { found, owner } = nearest(path)
  if (code !== 'EACCES' || user === undefined || owner.uid === user) return message
  return `${message}. ${found} belongs to user ${owner.uid}, and this process runs as user ${user}. Give it to that user, chown -R ${user}:${group} ${found}, or run as its owner, a container with --user ${owner.uid}:${owner.gid}`
}

/** What is there of a path: itself, or the nearest folder above it. */
function nearest(path: string): { readonly found: string; readonly owner: Stats } {
  for (let found = resolve(path); ; found = dirname(found)) {
    const owner = statSync(found, { throwIfNoEntry: false })
    if (owner !== undefined) return { found, owner }
  }
}

/** What is said of a file or folder that the system does not read. */
export function unreadable(path: string, { code, message }: NodeJS.ErrnoException): StoreError {
  return new StoreError(
    `${path} ${code === 'ENOENT' ? 'is missing' : `cannot be read: ${message}`}`,
  )
}
