/** What every file of the store has in common: how it is written whole, put in place, and summed. */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/** What a file is called while it is not whole yet. */
const UNFINISHED = '.new'

/**
 * Puts a file in place of the one at `path`, so that a crash leaves the old one or the new one; which of them is certain
 * only once the folder is synced. Where it cannot be written, the old one stays.
 */
export async function replaceFile(
  path: string,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}${UNFINISHED}`
  try {
    await writeWhole(unfinished, write)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
}

async function writeWhole(
  path: string,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await write(handle)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A rename is on disk only once its folder is. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The checksum of a text or of bytes, as files carry it. */
export function sumOf(content: string | Buffer): string {
  return printSum(crc32(content))
}

/** A checksum as files carry it. */
export function printSum(sum: number): string {
  // With a digit before them, the eight come out whole; to pad them takes longer.
  return (sum + 2 ** 32).toString(16).slice(1)
}
