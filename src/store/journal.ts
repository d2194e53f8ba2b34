/**
 * The journal: a file to which one line is appended for every committed command. Owns group commit (lines that wait
 * share a write and an fsync), the checksum of each line, and what a torn last line means.
 */
import { writeSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { replaceFile, sumOf, syncFolder } from './files.ts'
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
  const lines: JournalLine[] = []
  let damage: JournalFinding['damage'] = null
  let linesInFile = 0
  for (const text of textsOf(content.subarray(0, bytes))) {
    linesInFile += 1
    if (damage !== null) continue
    const read = readLine(text, lines.at(-1) ?? null)
    if (typeof read === 'string') damage = { at: `${path}:${linesInFile}`, reason: read }
    else lines.push(read)
  }
  return { lines, bytes, isTorn: bytes < content.length, linesInFile, damage }
}

/** One line after another: a journal may be longer than a string can be. */
function* textsOf(content: Buffer): Generator<string> {
  for (let from = 0; from < content.length; ) {
    const end = content.indexOf(0x0a, from)
    yield content.toString('utf8', from, end)
    from = end + 1
  }
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
  /** What is done before the next batch. */
  #between: (() => Promise<void>) | null = null
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

  /**
   * Drops the first bytes of the file, up to the end of a line: what they held stands in the snapshot now. What is
   * appended meanwhile waits. Rejects, and drops nothing, where the rest cannot be written anew.
   */
  cut(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#between = () => this.#cut(bytes).then(resolve, reject)
      this.#writing ??= this.#writeAll()
    })
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
    while (this.#next !== null || this.#between !== null) {
      await this.#between?.()
      this.#between = null
      const batch = this.#next
      this.#next = null
      if (batch !== null) await this.#write(batch)
    }
    this.#writing = null
  }

  async #write(batch: Batch): Promise<void> {
    try {
      if (batch.bodies.length > 0) await this.#writeBytes(linesOf(batch.bodies))
      batch.resolve()
    } catch (error) {
      batch.reject(this.#fail(error))
    }
  }

  /** Refuses whoever waits, and whoever comes. */
  #fail(error: unknown): StoreUnavailable {
    const { message } = error as Error
    this.#failure = new StoreUnavailable(`${this.#path} cannot be written: ${message}`)
    this.#next?.reject(this.#failure)
    this.#next = null
    return this.#failure
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

  async #cut(bytes: number): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    const handle = await this.#open()
    const rest = { start: bytes, end: this.#trusted - 1, autoClose: false }
    await replaceFile(this.#path, async (fresh) => {
      if (rest.start > rest.end) return
      for await (const chunk of handle.createReadStream(rest)) await fresh.writeFile(chunk)
    })
    await handle.close()
    this.#handle = null
    this.#trusted -= bytes
    // Until then a crash may bring the old file back, without what is appended from here on.
    await syncFolder(dirname(this.#path)).catch((error) => {
      throw this.#fail(error)
    })
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
  const frame = HEAD_BYTES + TAIL.length
  const size = bodies.reduce((sum, body) => sum + frame + Buffer.byteLength(body), 0)
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const body of bodies) {
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
