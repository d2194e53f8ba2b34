/**
 * The snapshot: `state.json`, one sandbox whole. Owns writing it so that a crash leaves the old one or the new one,
 * and checking it before anything in it is believed. Is the adapter that lowdb reads and writes with.
 */
import { open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import { sumOf } from './journal.ts'
import { StoreError } from './store.ts'

/** The version of the file's shape; the document inside has one of its own. */
const FORMAT = 2

export interface Snapshot {
  /** The number of the last journal entry that the document includes. */
  readonly entries: number
  readonly document: unknown
}

/** lowdb's adapter over one `state.json`. */
export function snapshotFile(path: string): Adapter<Snapshot | null> {
  return {
    read: () => readSnapshot(path),
    write: async (snapshot) => {
      if (snapshot !== null) await writeSnapshot(path, snapshot)
    },
  }
}

/** The first line says what follows; the rest is the document, indented for people, and a brace. */
async function writeSnapshot(path: string, { entries, document }: Snapshot): Promise<void> {
  const text = JSON.stringify(document, null, 1)
  const head = `{"format":${FORMAT},"entries":${entries},"sum":"${sumOf(text)}","state":\n`
  const temporary = `${path}.new`
  try {
    await writeWhole(temporary, `${head}${text}\n}\n`)
    await rename(temporary, path)
    await syncFolder(dirname(path))
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
}

async function readSnapshot(path: string): Promise<Snapshot | null> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StoreError(`${path} cannot be read: ${error.message}`)
  })
  if (content === null) return null
  const end = content.indexOf(0x0a)
  const head = content.subarray(0, Math.max(end, 0)).toString('utf8')
  const [, format, entries, sum] =
    /^\{"format":(\d+),"entries":(\d+),"sum":"([0-9a-f]{8})","state":$/.exec(head) ?? []
  if (sum === undefined) throw new StoreError(`${path}:1 is not the head of a state file`)
  if (Number(format) !== FORMAT) throw new StoreError(refuseFormat(path, Number(format)))
  const text = content.subarray(end + 1, -'\n}\n'.length)
  if (content.subarray(-'\n}\n'.length).toString('utf8') !== '\n}\n') {
    throw new StoreError(`${path}:${linesOf(content)} is cut short`)
  }
  if (sumOf(text) !== sum) {
    throw new StoreError(`${path}:2-${linesOf(content)} does not match the checksum of line 1`)
  }
  return { entries: Number(entries), document: JSON.parse(text.toString('utf8')) }
}

function refuseFormat(path: string, format: number): string {
  return format > FORMAT
    ? `${path}:1 has format ${format}, which a newer version wrote; this one reads format ${FORMAT}`
    : `${path}:1 has format ${format}, which this version cannot read; it reads format ${FORMAT}`
}

function linesOf(content: Buffer): number {
  let lines = 1
  for (let at = content.indexOf(0x0a); at !== -1; at = content.indexOf(0x0a, at + 1)) lines += 1
  return lines
}

async function writeWhole(path: string, text: string): Promise<void> {
  const handle = await open(path, 'w')
  try {
    await handle.writeFile(text)
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
