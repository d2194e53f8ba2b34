/**
 * Writing the journal: group commit, in which the lines of calls that come together share a write and an fsync. Owns
 * when a line counts as kept, and what part of the file can be trusted after a write that failed.
 */
import { createReadStream, fdatasync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { replaceFile, syncFolder } from './files.ts'
import { type JournalLine, linesOf } from './journal.ts'
import { type Durability, StoreUnavailable } from './store.ts'

/** How long a batch waits for company before it is written. */
const BATCH_MS = 50

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

/** Bytes that the system has, and the sync that brings them to the disk. */
interface Written {
  readonly size: number
  readonly sync: Promise<void>
}

/** What a batch without lines writes: whoever waits for it waits for those before it. */
const nothing: Written = { size: 0, sync: Promise.resolve() }

/** Appends to a journal file, after the part of it that can be trusted. */
export class JournalWriter {
  readonly #path: string
  readonly #durability: Durability
  #handle: FileHandle | null = null
  #trusted: number
  /** Where the next batch is written: after those that are not synced yet. */
  #written: number
  /** What is written next. */
  #next: Batch | null = null
  /** What is done before the next batch. */
  #between: (() => Promise<void>) | null = null
  #writing: Promise<void> | null = null
  /** Resolves once it is known of all that was handed over whether it is kept. */
  #underway: Promise<void> = Promise.resolve()
  #failure: StoreUnavailable | null = null

  constructor(path: string, trusted: number, durability: Durability) {
    this.#path = path
    this.#trusted = trusted
    this.#written = trusted
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
    this.#written = 0
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

  /**
   * Writes until nobody waits. Two batches are under way at most: while one is synced the next is gathered and handed
   * over, so that neither the disk nor the process waits for the other.
   */
  async #writeAll(): Promise<void> {
    await this.#gathered()
    while (this.#next !== null || this.#between !== null) {
      if (this.#between !== null) {
        await this.#underway
        await this.#between()
        this.#between = null
      }
      const earlier = this.#underway
      await this.#handOver()
      await earlier
      await this.#gathered()
      if (this.#next === null) await this.#underway
    }
    this.#writing = null
  }

  /** What is told in the same turn of the event loop, or in the time of a batch, shares a write. */
  #gathered(): Promise<void> {
    return this.#durability === 'batch' ? pause(BATCH_MS) : nextTurn()
  }

  /** Hands the next batch to the system, and has it synced. */
  async #handOver(): Promise<void> {
    const batch = this.#next
    this.#next = null
    if (batch === null) return
    const earlier = this.#underway
    try {
      const written = batch.bodies.length === 0 ? nothing : await this.#put(linesOf(batch.bodies))
      this.#underway = this.#acknowledge(batch, written, earlier)
    } catch (error) {
      await earlier
      batch.reject(this.#failure ?? (await this.#fail(error)))
    }
  }

  async #put(bytes: Buffer): Promise<Written> {
    const { fd } = await this.#open()
    // The file ends with what can be trusted from then on; a line further on would leave a hole before it.
    if (this.#failure !== null) throw this.#failure
    const size = bytes.length
    let done = 0
    while (done < size) {
      // Only the system's cache takes it here. That is over before a thread would have been asked, and what follows is
      // not kept waiting for another turn of the event loop.
      done += writeSync(fd, bytes, done, size - done, this.#written + done)
    }
    this.#written += size
    return { size, sync: synced(fd) }
  }

  /** In their order: a sync says nothing of what an earlier one lost. */
  async #acknowledge(batch: Batch, { size, sync }: Written, earlier: Promise<void>): Promise<void> {
    const [outcome] = await Promise.allSettled([sync, earlier])
    if (this.#failure !== null) batch.reject(this.#failure)
    else if (outcome.status === 'rejected') batch.reject(await this.#fail(outcome.reason))
    else {
      this.#trusted += size
      batch.resolve()
    }
  }

  /** Refuses whoever waits, and whoever comes, and has the file hold nothing of what is refused. */
  async #fail(error: unknown): Promise<StoreUnavailable> {
    const { message } = error as Error
    const failure = new StoreUnavailable(`${this.#path} cannot be written: ${message}`)
    this.#failure = failure
    this.#next?.reject(failure)
    this.#next = null
    // A disk that does not take this either is left as it is; the next who opens the file tries again.
    await this.#handle?.truncate(this.#trusted).catch(() => undefined)
    return failure
  }

  async #cut(bytes: number): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    const before = await this.#open()
    const rest = { start: bytes, end: this.#trusted - 1 }
    await replaceFile(this.#path, async (fresh) => {
      if (rest.start > rest.end) return
      // Through a handle of its own: a stream that breaks off closes the one that it reads from.
      for await (const chunk of createReadStream(this.#path, rest)) await fresh.writeFile(chunk)
    })
    this.#handle = null
    this.#trusted -= bytes
    this.#written = this.#trusted
    try {
      // Until the folder is synced a crash may bring the old file back, without what is appended from here on.
      await syncFolder(dirname(this.#path))
    } catch (error) {
      throw await this.#fail(error)
    } finally {
      await before.close()
    }
  }

  /** Opens the file, and cuts off what an earlier write left behind the part that can be trusted. */
  async #open(): Promise<FileHandle> {
    if (this.#handle !== null) return this.#handle
    const handle = await open(this.#path, 'r+')
    try {
      const { size } = await handle.stat()
      if (size > this.#trusted) await handle.truncate(this.#trusted)
      // The file may have taken the place of another one, which a crash would bring back.
      await syncFolder(dirname(this.#path))
    } catch (error) {
      await handle.close()
      throw error
    }
    this.#handle = handle
    return handle
  }
}

/** The handle's own promise of this costs more than the rest of the write. */
function synced(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error === null ? resolve() : reject(error)))
  })
}
