/**
 * Writes a journal: lines that arrive together share a write and an fsync. Owns when a line is committed, and which
 * part of the file can be trusted after a failed write.
 */
import {
  closeSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openAndSync, type WriteWatch, writeWhole } from './files.ts'
import { type Extent, LineChain } from './lines.ts'
import { type Durability, StoreUnavailable } from './store.ts'

/** The first line of a batch waits so long for others before it is written: half of what a crash may lose. */
const BATCH_MS = 25

export interface JournalPlace {
  readonly path: string
  readonly durability: Durability
  /** Throws if the folder, or the file before the journal, is not the one that this process read or wrote. */
  readonly refuseReplaced: () => void
  readonly writes: Pick<WriteWatch, 'succeeded' | 'failed'>
}

export class JournalWriter {
  readonly #place: JournalPlace
  readonly #chain: LineChain
  /** The part that is on disk. */
  trusted: Extent
  /** The part that the system has, on disk or not. */
  #written: Extent
  /** The length of the file, with its mark. */
  #length: number
  /** Opened at once, so that no other file is ever written to; -1 where that failed, and once it is closed. */
  #descriptor = -1
  /** Lines to write, and the flush that will write them. */
  #lines: Buffer[] = []
  #waiting: Promise<void> | null = null
  #newestFlush: Promise<void> = Promise.resolve()
  #newestSync: Promise<void> = Promise.resolve()
  #failure: StoreUnavailable | null = null

  constructor(place: JournalPlace, trusted: Extent) {
    this.#place = place
    this.#chain = new LineChain(trusted)
    this.trusted = trusted
    this.#written = trusted
    this.#length = trusted.bytes + markAfter(trusted).length
    try {
      this.#descriptor = openSync(place.path, 'r+')
    } catch (error) {
      // It may still be readable; the first append rejects.
      this.#failure = this.#failureOf(error)
    }
  }

  /** Appends an entry; resolves once it is committed. After a failure, every append rejects. */
  append(entry: object): Promise<void> {
    const failure = this.#failure
    if (failure !== null) {
      this.#place.writes.failed(failure.message)
      // Not before what is under way has ended.
      this.#newestFlush = this.#newestFlush.then(() => Promise.reject(failure))
      this.#newestFlush.catch(() => undefined)
      return this.#newestFlush
    }
    this.#lines.push(this.#chain.next(entry))
    if (this.#waiting === null) {
      this.#waiting = this.#flush()
      this.#newestFlush = this.#waiting
      // With `batch` no call awaits it; the next append rejects.
      this.#waiting.catch(() => undefined)
    }
    return this.#place.durability === 'commit' ? this.#waiting : Promise.resolve()
  }

  /** Resolves once everything appended is on disk; rejects if some of it is not. */
  flushed(): Promise<void> {
    return this.#newestFlush
  }

  async close(): Promise<void> {
    await this.flushed().catch(() => undefined)
    const descriptor = this.#descriptor
    if (descriptor === -1) return
    this.#descriptor = -1
    // Refused lines must not return with the next start: the disk may accept the end mark by now.
    if (this.#failure !== null) trySeal(descriptor, this.trusted)
    closeSync(descriptor)
  }

  /** Lines appended in one turn of the event loop, or in the time of a batch, share a write. */
  async #flush(): Promise<void> {
    await (this.#place.durability === 'batch' ? pause(BATCH_MS) : nextTurn())
    try {
      this.#waiting = null
      const fd = this.#descriptor
      this.#write(fd)
      const { bytes } = this.#written
      this.#newestSync = this.#newestSync.then(() => this.#sync(fd, bytes))
      await this.#newestSync
    } catch (error) {
      throw await this.#fail(error)
    }
  }

  /** Writes the lines and the mark after them, which the next lines overwrite. */
  #write(fd: number): void {
    // The file ends with its trusted part from then on; a line further on would leave a hole before it.
    if (this.#failure !== null) throw this.#failure
    this.#refuseChanged(fd)
    const bytes = Buffer.concat([...this.#lines, this.#chain.end()])
    this.#lines = []
    try {
      writeWhole(fd, bytes, this.#written.bytes)
    } catch (error) {
      // At once: no kill may leave whole lines without a mark.
      trySeal(fd, this.#written)
      throw error
    }
    this.#length = this.#written.bytes + bytes.length
    this.#written = this.#chain.extent
  }

  /** Syncs the first bytes of the file. A sync covers everything written so far, so the next one may have nothing to do. */
  async #sync(fd: number, bytes: number): Promise<void> {
    if (bytes <= this.trusted.bytes) return
    const written = this.#written
    // The promise of `FileHandle.datasync` costs more than the rest of the write.
    await promisify(fdatasync)(fd)
    this.trusted = written
    this.#place.writes.succeeded()
  }

  /** Throws if the file was removed, replaced or cut: the next lines would be lost, or leave a hole. */
  #refuseChanged(fd: number): void {
    const { path, refuseReplaced } = this.#place
    const [own, found] = [fstatSync(fd), statSync(path, { throwIfNoEntry: false })]
    if (found?.ino !== own.ino || found.dev !== own.dev) {
      throw new Error('it was removed or replaced while the sandbox runs')
    }
    if (own.size !== this.#length) {
      const lengths = `it has ${own.size} bytes instead of ${this.#length}`
      throw new Error(`it was cut or extended while the sandbox runs: ${lengths}`)
    }
    refuseReplaced()
  }

  /** Refuses everything from now on, and removes the refused lines from the file. */
  async #fail(error: unknown): Promise<StoreUnavailable> {
    this.#failure ??= this.#failureOf(error)
    this.#place.writes.failed(this.#failure.message)
    // Earlier lines may still reach the disk, and are then committed.
    await this.#newestSync.catch(() => undefined)
    trySeal(this.#descriptor, this.trusted)
    return this.#failure
  }

  #failureOf(error: unknown): StoreUnavailable {
    const { message } = error as Error
    return new StoreUnavailable(`${this.#place.path} cannot be written: ${message}`)
  }
}

/** Ends a journal after its trusted part, on disk. A file that ends there is only read: the disk may be full. */
export async function sealJournal(path: string, trusted: Extent): Promise<void> {
  let isDone = false
  await openAndSync(path, 'r', async (descriptor) => {
    const mark = markAfter(trusted)
    const end = Buffer.alloc(mark.length + 1)
    const length = readSync(descriptor, end, 0, end.length, trusted.bytes)
    isDone = mark.equals(end.subarray(0, length))
  })
  if (!isDone) await openAndSync(path, 'r+', async (descriptor) => seal(descriptor, trusted))
}

/** Cuts the file within the next line, as a crash does, and ends it there. A cut file stays as it is, for `doctor`. */
function seal(descriptor: number, trusted: Extent): void {
  if (fstatSync(descriptor).size < trusted.bytes) return
  // Whole lines must never stand behind a part of the mark, nor end the file.
  ftruncateSync(descriptor, trusted.bytes + 1)
  writeWhole(descriptor, markAfter(trusted), trusted.bytes)
}

function trySeal(descriptor: number, trusted: Extent): void {
  try {
    seal(descriptor, trusted)
  } catch {
    // If the disk refuses it, closing or reading the file tries again.
  }
}

function markAfter(trusted: Extent): Buffer {
  return new LineChain(trusted).end()
}
