/**
 * The journal: a file to which one line is appended for every committed command. Owns group commit (lines that wait
 * share a write and an fsync), the checksum of each line, and what a torn last line means.
 */
import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, readFile } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { type Durability, StoreError, StoreUnavailable } from './store.ts'

/** How long a batch waits for company before it is written. */
const BATCH_MS = 50

/** An entry as it stands in the file: numbered without a gap, so that one that is missing shows. */
export interface JournalLine {
  readonly n: number
  readonly entry: unknown
}

/** What a journal file holds, and how much of it, from its start, can be trusted. */
export interface JournalContent {
  readonly lines: readonly JournalLine[]
  readonly bytes: number
  /** Whether a last line was cut short; nobody was told that what it says happened. */
  readonly isTorn: boolean
}

/** A journal whose damage was looked for: the lines before it, and where it is. */
export interface JournalFinding extends JournalContent {
  /** How many whole lines the file has, those after the damage among them. */
  readonly linesInFile: number
  readonly damage: { readonly at: string; readonly reason: string } | null
}

/** Reads a journal, or its first bytes where no more can be trusted. Throws `StoreError` with file, line and reason for anything but a torn last line. */
export async function readJournal(path: string, trusted?: number): Promise<JournalContent | null> {
  const finding = await inspectJournal(path, trusted)
  if (finding === null || finding.damage === null) return finding
  throw new StoreError(`${finding.damage.at} ${finding.damage.reason}`)
}

/** Reads a journal up to the first line that is damaged. Throws `StoreError` only where the disk does not let it. */
export async function inspectJournal(
  path: string,
  trusted = Number.POSITIVE_INFINITY,
): Promise<JournalFinding | null> {
  const whole = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StoreError(`${path} cannot be read: ${error.message}`)
  })
  if (whole === null) return null
  const content = whole.subarray(0, trusted)
  const bytes = content.lastIndexOf(0x0a) + 1
  const texts = content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1)
  const lines: JournalLine[] = []
  let damage: JournalFinding['damage'] = null
  for (const text of texts) {
    const read = readLine(text, lines.at(-1) ?? null)
    if (typeof read === 'string') {
      damage = { at: `${path}:${lines.length + 1}`, reason: read }
      break
    }
    lines.push(read)
  }
  return { lines, bytes, isTorn: bytes < content.length, linesInFile: texts.length, damage }
}

/** A line that waits to be written, and whoever waits for it. */
interface Waiting {
  readonly text: string
  readonly resolve: () => void
  readonly reject: (failure: StoreUnavailable) => void
}

/** Appends to a journal file, after the part of it that can be trusted. */
export class JournalWriter {
  readonly #path: string
  readonly #durability: Durability
  #handle: FileHandle | null = null
  #trusted: number
  #waiting: Waiting[] = []
  #writing: Promise<void> | null = null
  #failure: StoreUnavailable | null = null

  constructor(path: string, trusted: number, durability: Durability) {
    this.#path = path
    this.#trusted = trusted
    this.#durability = durability
  }

  /** Bytes of the file that hold kept entries. */
  get bytes(): number {
    return this.#trusted
  }

  /** Appends an entry; resolves when the durability says that it is kept. After a failure nothing is appended any more. */
  append(line: JournalLine): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    const kept = new Promise<void>((resolve, reject) => {
      this.#waiting.push({ text: writeLine(line), resolve, reject })
    })
    this.#writing ??= this.#writeAll()
    if (this.#durability === 'commit') return kept
    kept.catch(() => undefined)
    return Promise.resolve()
  }

  /** Resolves once everything appended so far is on disk; rejects when some of it is not. */
  async settled(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    if (this.#writing === null) return
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ text: '', resolve, reject })
    })
  }

  /** Empties the file: what it held stands in the snapshot now. */
  async clear(): Promise<void> {
    // A file opened anew is cut to what can be trusted, which is nothing now.
    await this.close()
    this.#trusted = 0
    await (await this.#open()).datasync()
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#handle?.close()
    this.#handle = null
  }

  /** Writes until nobody waits. Whoever comes during a write shares the next one. */
  async #writeAll(): Promise<void> {
    // What is told in the same turn of the event loop shares the first write.
    if (this.#durability === 'batch') await pause(BATCH_MS)
    else await nextTurn()
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      await this.#write(batch)
    }
    this.#writing = null
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const bytes = Buffer.from(batch.map(({ text }) => text).join(''))
      if (bytes.length > 0) await this.#writeBytes(bytes)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      const failure = new StoreUnavailable(
        `${this.#path} cannot be written: ${(error as Error).message}`,
      )
      this.#failure = failure
      for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(failure)
    }
  }

  async #writeBytes(bytes: Buffer): Promise<void> {
    const handle = await this.#open()
    let written = 0
    while (written < bytes.length) {
      const at = this.#trusted + written
      // Only the system's cache takes it here. That is over before a thread would have been asked, and what follows is
      // not kept waiting for another turn of the event loop.
      written += writeSync(handle.fd, bytes, written, bytes.length - written, at)
    }
    await handle.datasync()
    this.#trusted += bytes.length
  }

  /** Opens the file, and cuts off what an earlier write left behind the part that can be trusted. */
  async #open(): Promise<FileHandle> {
    if (this.#handle === null) {
      this.#handle = await open(this.#path, 'r+')
      const { size } = await this.#handle.stat()
      if (size > this.#trusted) await this.#handle.truncate(this.#trusted)
    }
    return this.#handle
  }
}

function writeLine(line: JournalLine): string {
  const body = JSON.stringify(line)
  return `{"sum":"${sumOf(body)}","body":${body}}\n`
}

/** A line, or what is wrong with it. */
function readLine(text: string, before: JournalLine | null): JournalLine | string {
  const [, sum, body] = /^\{"sum":"([0-9a-f]{8})","body":(.*)\}$/s.exec(text) ?? []
  if (sum === undefined || body === undefined) return 'is not a journal entry'
  if (sumOf(body) !== sum) return 'does not match its checksum'
  const line = JSON.parse(body) as JournalLine
  if (before === null || line.n === before.n + 1) return line
  return `is entry ${line.n}, which does not follow ${before.n}`
}

/** The checksum of a text, as files carry it. */
export function sumOf(text: string | Buffer): string {
  return crc32(text).toString(16).padStart(8, '0')
}
