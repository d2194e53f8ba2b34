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

/** Lines that share a write and an fsync, as JSON, and the promise to whoever waits for them. */
class Batch {
  readonly bodies: string[] = []
  resolve: () => void = () => undefined
  reject: (failure: StoreUnavailable) => void = () => undefined
  readonly kept = new Promise<void>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor() {
    // Nobody waits for what counts as kept before it is written.
    this.kept.catch(() => undefined)
  }
}

/** Appends to a journal file, after the part of it that can be trusted. */
export class JournalWriter {
  readonly #path: string
  readonly #durability: Durability
  #handle: FileHandle | null = null
  #trusted: number
  /** What is written next. */
  #next: Batch | null = null
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
    const body = JSON.stringify(line)
    this.#next ??= new Batch()
    this.#next.bodies.push(body)
    this.#writing ??= this.#writeAll()
    return this.#durability === 'commit' ? this.#next.kept : Promise.resolve()
  }

  /** Resolves once everything appended so far is on disk; rejects when some of it is not. */
  async settled(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    if (this.#writing === null) return
    this.#next ??= new Batch()
    await this.#next.kept
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
    while (this.#next !== null) {
      const batch = this.#next
      this.#next = null
      await this.#write(batch)
    }
    this.#writing = null
  }

  async #write(batch: Batch): Promise<void> {
    try {
      if (batch.bodies.length > 0) await this.#writeBytes(linesOf(batch.bodies))
      batch.resolve()
    } catch (error) {
      const failure = new StoreUnavailable(
        `${this.#path} cannot be written: ${(error as Error).message}`,
      )
      this.#failure = failure
      batch.reject(failure)
      this.#next?.reject(failure)
      this.#next = null
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

/** What a line begins with, before its sum and before its body. */
const [BEFORE_SUM, BEFORE_BODY] = ['{"sum":"', '","body":']
const HEAD_BYTES = BEFORE_SUM.length + 8 + BEFORE_BODY.length
const TAIL = '}\n'

/** The lines of these bodies, each behind its checksum, which is drawn from the bytes as they will stand in the file. */
function linesOf(bodies: readonly string[]): Buffer {
  const sizes = bodies.map((body) => Buffer.byteLength(body))
  const frame = HEAD_BYTES + TAIL.length
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + frame + size, 0))
  let at = 0
  for (const [index, body] of bodies.entries()) {
    const start = at + HEAD_BYTES
    const end = start + bytes.write(body, start)
    bytes.write(BEFORE_SUM + sumOf(bytes.subarray(start, end)) + BEFORE_BODY, at, 'latin1')
    at = end + bytes.write(TAIL, end, 'latin1')
  }
  return bytes
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
