/**
 * Writing a journal: group commit, in which the lines of calls that come together share a write and an fsync. Owns
 * when a line counts as kept, and what part of the file can be trusted after a write that failed.
 */
import { fdatasync, fstatSync, statSync, writeSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { withFile } from './files.ts'
import { Chain, type Extent } from './lines.ts'
import { type Durability, StoreUnavailable } from './store.ts'

/** How long the first line of a batch waits for others before it is written: half of what a crash may lose. */
const BATCH_MS = 25

/** Lines that share a write and an fsync, and the promise to whoever waits for them. */
class Batch {
  readonly lines: string[] = []
  /** The lines of the file up to the end of this batch, once it is handed over. */
  extent: Extent | null = null
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

export interface JournalParts {
  readonly path: string
  readonly durability: Durability
  /** What the file holds that can be trusted: so many bytes, and the lines in them. */
  readonly bytes: number
  readonly extent: Extent
  /** Resolves once everything is on disk that these lines follow on. */
  readonly before?: Promise<void>
  /** Whether the folder is still the one that this process locked. */
  readonly isOurs: () => boolean
}

/** Appends to a journal file, after the part of it that can be trusted. */
export class JournalWriter {
  readonly #parts: JournalParts
  readonly #chain: Chain
  #handle: FileHandle | null = null
  #trusted: number
  #kept: Extent
  /** Where the next batch is written: after those that are not synced yet. */
  #written: number
  /** What is written next. */
  #next: Batch | null = null
  #writing: Promise<void> | null = null
  /** Resolves once it is known of all that was handed over whether it is kept. */
  #underway: Promise<void> = Promise.resolve()
  /** The sync under way, and the one after it, for what is written meanwhile. */
  #syncing: Promise<void> = Promise.resolve()
  #nextSync: Promise<void> | null = null
  #failure: StoreUnavailable | null = null

  constructor(parts: JournalParts) {
    this.#parts = parts
    this.#chain = new Chain(parts.extent)
    this.#trusted = parts.bytes
    this.#kept = parts.extent
    this.#written = parts.bytes
  }

  /** Bytes of the file that hold kept entries. */
  get bytes(): number {
    return this.#trusted
  }

  /** The lines that are kept. */
  get kept(): Extent {
    return this.#kept
  }

  /** The lines of the file once everything that was appended is in it. */
  get extent(): Extent {
    return this.#chain.extent
  }

  /** Appends an entry; resolves when the durability says that it is kept. After a failure nothing is appended any more. */
  append(entry: object): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    const line = this.#chain.next(entry)
    this.#next ??= new Batch()
    this.#next.lines.push(line)
    this.#writing ??= this.#writeAll()
    return this.#parts.durability === 'commit' ? this.#next.kept : Promise.resolve()
  }

  /** Resolves once everything appended so far is on disk; rejects when some of it is not. */
  async settled(): Promise<void> {
    if (this.#writing !== null) {
      this.#next ??= new Batch()
      await this.#next.kept
    }
    await this.#underway
    if (this.#failure !== null) throw this.#failure
  }

  /** Waits for what was appended, and closes the file. */
  async close(): Promise<void> {
    await this.#writing
    await this.#underway
    const handle = this.#handle
    this.#handle = null
    if (handle === null) return
    // What was refused must not come back with the next start: the disk may take the end of it by now.
    if (this.#failure !== null) await this.#seal(handle).catch(() => undefined)
    await handle.close()
  }

  /**
   * Two batches are under way at most where they wait for the disk: one that is synced, and one that is gathered
   * meanwhile. Where nobody waits, a slow disk must not keep what was answered from being written.
   */
  async #writeAll(): Promise<void> {
    const isAwaited = this.#parts.durability === 'commit'
    await this.#parts.before?.catch((error) => this.#fail(error))
    await this.#gathered()
    while (this.#next !== null) {
      const earlier = this.#underway
      await this.#handOver()
      if (isAwaited) await earlier
      await this.#gathered()
      if (isAwaited && this.#next === null) await this.#underway
    }
    this.#writing = null
  }

  /** What is appended in the same turn of the event loop, or in the time of a batch, shares a write. */
  #gathered(): Promise<void> {
    return this.#parts.durability === 'batch' ? pause(BATCH_MS) : nextTurn()
  }

  /** Hands the next batch to the system, and has it synced. */
  async #handOver(): Promise<void> {
    const batch = this.#next
    this.#next = null
    if (batch === null) return
    batch.extent = this.#chain.extent
    const earlier = this.#underway
    try {
      const written = batch.lines.length === 0 ? nothing : await this.#put(batch)
      this.#underway = this.#acknowledge(batch, written, earlier)
    } catch (error) {
      await earlier
      batch.reject(this.#failure ?? (await this.#fail(error)))
    }
  }

  /** Writes lines and the mark after them, which the next ones take the place of. */
  async #put({ lines, extent }: Batch): Promise<Written> {
    const mark = new Chain(extent ?? undefined).end()
    const bytes = Buffer.from(lines.join('') + mark)
    const { fd } = await this.#open()
    // The file ends with what can be trusted from then on; a line further on would leave a hole before it.
    if (this.#failure !== null) throw this.#failure
    this.#refuseReplaced(fd)
    for (let done = 0; done < bytes.length; ) {
      // Only the system's cache takes it here. That is over before a thread would have been asked, and what follows is
      // not kept waiting for another turn of the event loop.
      done += writeSync(fd, bytes, done, bytes.length - done, this.#written + done)
    }
    const size = bytes.length - mark.length
    this.#written += size
    return { size, sync: this.#parts.durability === 'commit' ? synced(fd) : this.#syncNext(fd) }
  }

  /** One at a time: slow ones would pile up, and each takes one of few threads. */
  #syncNext(file: number): Promise<void> {
    this.#nextSync ??= this.#syncing
      .catch(() => undefined)
      .then(() => {
        this.#nextSync = null
        this.#syncing = synced(file)
        return this.#syncing
      })
    return this.#nextSync
  }

  /** An open file can be written to after its folder was removed, and then nobody would ever find it. */
  #refuseReplaced(fd: number): void {
    const { path, isOurs } = this.#parts
    const [own, found] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })]
    if (found?.ino !== own.ino || found.dev !== own.dev || !isOurs()) throw replaced()
  }

  /** In their order: a sync says nothing of what an earlier one lost. */
  async #acknowledge(batch: Batch, { size, sync }: Written, earlier: Promise<void>): Promise<void> {
    const [outcome] = await Promise.allSettled([sync, earlier])
    if (this.#failure !== null) batch.reject(this.#failure)
    else if (outcome.status === 'rejected') batch.reject(await this.#fail(outcome.reason))
    else {
      this.#trusted += size
      this.#kept = batch.extent ?? this.#kept
      batch.resolve()
    }
  }

  /** Refuses whoever waits, and whoever comes, and has the file hold nothing of what is refused. */
  async #fail(error: unknown): Promise<StoreUnavailable> {
    const { message } = error as Error
    const failure = new StoreUnavailable(`${this.#parts.path} cannot be written: ${message}`)
    this.#failure = failure
    this.#next?.reject(failure)
    this.#next = null
    // A disk that does not take this either is left as it is; it is tried again when the file is closed or read.
    if (this.#handle !== null) await this.#seal(this.#handle).catch(() => undefined)
    return failure
  }

  async #open(): Promise<FileHandle> {
    if (this.#handle !== null) return this.#handle
    if (!this.#parts.isOurs()) throw replaced()
    const handle = await open(this.#parts.path, 'r+').catch((error) => {
      throw error.code === 'ENOENT' ? replaced() : error
    })
    try {
      if (!(await isSealed(handle, this.#sound))) throw replaced()
    } catch (error) {
      await handle.close()
      throw error
    }
    this.#handle = handle
    return handle
  }

  #seal(handle: FileHandle): Promise<void> {
    return seal(handle, this.#sound)
  }

  get #sound(): Trusted {
    return { bytes: this.#trusted, extent: this.#kept }
  }
}

function replaced(): Error {
  return new Error('it was removed or replaced while the sandbox runs')
}

/** What of a journal can be trusted. */
interface Trusted {
  readonly bytes: number
  readonly extent: Extent
}

/** Has a journal end with what can be trusted, on disk. One that does is only read: the disk may take nothing. */
export async function sealJournal(path: string, trusted: Trusted): Promise<void> {
  const isDone = await withFile(path, 'r', async (handle) => {
    await handle.sync()
    return isSealed(handle, trusted)
  })
  if (isDone) return
  await withFile(path, 'r+', async (handle) => {
    await seal(handle, trusted)
    await handle.sync()
  })
}

async function isSealed(handle: FileHandle, { bytes, extent }: Trusted): Promise<boolean> {
  const mark = Buffer.from(new Chain(extent).end())
  const length = mark.length + 1
  const end = await handle.read(Buffer.alloc(length), 0, length, bytes)
  return mark.equals(end.buffer.subarray(0, end.bytesRead))
}

/** The mark comes first: a crash never leaves the file without one. */
async function seal(handle: FileHandle, { bytes, extent }: Trusted): Promise<void> {
  const mark = new Chain(extent).end()
  await handle.write(mark, bytes)
  await handle.truncate(bytes + mark.length)
}

/** The handle's own promise of this costs more than the rest of the write. */
function synced(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error === null ? resolve() : reject(error)))
  })
}
