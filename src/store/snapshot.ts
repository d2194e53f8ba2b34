/**
 * The snapshot: `state.json`, one sandbox whole. Owns writing it so that a crash leaves the old one or the new one,
 * and checking it before anything in it is believed. Is the adapter that lowdb reads and writes with.
 */
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Adapter } from 'lowdb'
import { printSum, replaceFile, sumOf, syncFolder } from './files.ts'
import { documentIn, piecesOf } from './pieces.ts'
import { StoreError } from './store.ts'
import { bringUp, refuseVersion, type Versions } from './versions.ts'

/** What follows on the document, and tells a whole file from one cut short. */
const END = '\n}\n'

/** The versions of the file's shape; the document inside has its own. Format 1 was never released. */
const fileVersions: Versions = { current: 2, steps: {} }

export interface Snapshot {
  /** The number of the last journal entry that the document includes. */
  readonly entries: number
  readonly document: unknown
}

/** What was found where a snapshot should be. */
export type SnapshotFinding =
  | { readonly is: 'missing' }
  | { readonly is: 'sound'; readonly snapshot: Snapshot }
  | { readonly is: 'of another version'; readonly at: string; readonly reason: string }
  | {
      readonly is: 'damaged'
      readonly at: string
      readonly reason: string
      /** What can be read all the same; null where it is no JSON any more. */
      readonly unverified: Snapshot | null
    }

interface SnapshotOptions {
  /** Others than the product's own are for tests. */
  readonly versions: Versions
  /** Calls off a write, which leaves the old file. */
  readonly signal?: AbortSignal
}

/** lowdb's adapter over one `state.json`. */
export function snapshotFile(
  path: string,
  { versions = fileVersions, ...rest }: Partial<SnapshotOptions> = {},
): Adapter<Snapshot | null> {
  return {
    read: () => readSnapshot(path, versions),
    write: async (snapshot) => {
      if (snapshot !== null) await writeSnapshot(path, snapshot, { versions, ...rest })
    },
  }
}

/** Reads a snapshot and says what is wrong with it. Throws `StoreError` only where the disk does not let it. */
export async function inspectSnapshot(
  path: string,
  versions = fileVersions,
): Promise<SnapshotFinding> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StoreError(`${path} cannot be read: ${error.message}`)
  })
  if (content === null) return { is: 'missing' }
  const { head, text, end } = partsOf(content)
  if (head === null) {
    return {
      is: 'damaged',
      at: `${path}:1`,
      reason: 'is not the head of a state file',
      unverified: null,
    }
  }
  const { format, entries, sum } = head
  const refusal = refuseVersion(format, versions)
  if (refusal !== null) {
    return { is: 'of another version', at: `${path}:1`, reason: `has format ${refusal}` }
  }
  const lines = linesOf(content)
  if (end !== END) {
    return { is: 'damaged', at: `${path}:${lines}`, reason: 'is cut short', unverified: null }
  }
  if (sumOf(text) !== sum) {
    const reason = 'does not match the checksum of line 1'
    const unverified = readUnverified(text, head, versions)
    return { is: 'damaged', at: `${path}:2-${lines}`, reason, unverified }
  }
  return { is: 'sound', snapshot: snapshotOf(text, { format, entries }, versions) }
}

/**
 * The first line says what follows; the rest is the document, indented for people, and a brace. It is written in pieces,
 * between which the process goes on with other work.
 */
async function writeSnapshot(
  path: string,
  { entries, document }: Snapshot,
  { versions, signal }: SnapshotOptions,
): Promise<void> {
  const headOf = (sum: number) =>
    `{"format":${versions.current},"entries":${entries},"sum":"${printSum(sum)}","state":\n`
  await replaceFile(path, async (handle) => {
    await handle.writeFile(headOf(0))
    let sum = 0
    for (const piece of piecesOf(document as object)) {
      signal?.throwIfAborted()
      const bytes = Buffer.from(piece)
      sum = crc32(bytes, sum)
      await handle.writeFile(bytes)
    }
    await handle.writeFile(END)
    await handle.write(headOf(sum), 0)
  })
  await syncFolder(dirname(path))
}

async function readSnapshot(path: string, versions: Versions): Promise<Snapshot | null> {
  const finding = await inspectSnapshot(path, versions)
  if (finding.is === 'missing') return null
  if (finding.is === 'sound') return finding.snapshot
  throw new StoreError(`${finding.at} ${finding.reason}`)
}

function partsOf(content: Buffer) {
  const firstEnd = Math.max(content.indexOf(0x0a), 0)
  const [, format, entries, sum] =
    /^\{"format":(\d+),"entries":(\d+),"sum":"([0-9a-f]{8})","state":$/.exec(
      content.subarray(0, firstEnd).toString('utf8'),
    ) ?? []
  return {
    head: sum === undefined ? null : { format: Number(format), entries: Number(entries), sum },
    text: content.subarray(firstEnd + 1, -END.length),
    end: content.subarray(-END.length).toString('utf8'),
  }
}

interface Head {
  readonly format: number
  readonly entries: number
}

/** A step is given a snapshot of its version, which is one of the next when it is done. */
function snapshotOf(text: Buffer, { format, entries }: Head, versions: Versions): Snapshot {
  const written: Snapshot = { entries, document: documentIn(text) }
  return bringUp(written, format, versions) as Snapshot
}

function readUnverified(text: Buffer, head: Head, versions: Versions): Snapshot | null {
  try {
    return snapshotOf(text, head, versions)
  } catch {
    // Whatever is wrong with it beyond its checksum, it is not something that can be read.
    return null
  }
}

function linesOf(content: Buffer): number {
  let lines = 1
  for (let at = content.indexOf(0x0a); at !== -1; at = content.indexOf(0x0a, at + 1)) lines += 1
  return lines
}
