/**
 * The durable store: one folder for each sandbox, with a snapshot (`state.json`) and a journal of what was committed
 * since. Owns how the two go together: which entries a snapshot includes, and what must be there for a start.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { syncFolder } from './files.ts'
import { type JournalContent, readJournal } from './journal.ts'
import { JournalWriter } from './journal-writer.ts'
import { LOCK, type LockMode, lockFolder } from './lock.ts'
import { folderShelf } from './shelf.ts'
import { type Snapshot, snapshotFile } from './snapshot.ts'
import {
  type Durability,
  FolderRefused,
  type Kept,
  type Shelf,
  type ShelfName,
  type Store,
  type StoredSandbox,
  StoreError,
  StoreUnavailable,
} from './store.ts'

/** A journal is folded into the snapshot when it has outgrown this and the snapshot both. */
const JOURNAL_BYTES_MIN = 16 * 1024 * 1024

/** Other folders, such as the lost+found of a volume, are left alone. */
const folderOfSandbox = /^[a-z0-9][a-z0-9-]*$/

export interface FolderStoreOptions {
  readonly durability: Durability
  readonly lock: LockMode
  readonly warn: (line: string) => void
}

/** Keeps every sandbox below a folder. Throws `FolderRefused` when the folder cannot be locked. */
export async function folderStore(folder: string, options: FolderStoreOptions): Promise<Store> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new FolderRefused(`${folder} cannot be made: ${error.message}`)
  })
  const lock = await lockFolder(folder, options.lock)
  if (options.lock === 'none') {
    options.warn(
      `${folder} is not locked (--lock none); a second process would overwrite its data.`,
    )
  }
  return {
    list: () => listSandboxes(folder),
    open: async (sandboxId) => new SandboxFolder(join(folder, sandboxId), options),
    remove: (sandboxId) => rm(join(folder, sandboxId), { recursive: true, force: true }),
    close: lock.release,
  }
}

/** The ids of the sandboxes that a folder keeps, oldest first. */
export async function listSandboxes(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isDirectory() && folderOfSandbox.test(entry.name))
    .map((entry) => entry.name)
    .filter((name) => name !== LOCK)
    .sort()
  const born = await Promise.all(names.map((name) => stat(join(folder, name))))
  const birth = new Map(names.map((name, index) => [name, born[index]?.birthtimeMs ?? 0]))
  return names.sort((one, other) => (birth.get(one) ?? 0) - (birth.get(other) ?? 0))
}

/**
 * The entries that a snapshot does not include yet, and what is wrong where they do not follow on it. A crash between
 * the two writes leaves older ones behind.
 */
export function entriesAfter(snapshot: Snapshot, journal: JournalContent) {
  const lines = journal.lines.filter(({ n }) => n > snapshot.entries)
  const first = lines[0]?.n ?? snapshot.entries + 1
  if (first === snapshot.entries + 1) return { lines, gap: null }
  const gap = `begins with entry ${first}, but state.json ends with ${snapshot.entries}`
  return { lines: [], gap }
}

/** One sandbox's folder. Its identity is what it knows of its files. */
class SandboxFolder implements StoredSandbox {
  readonly isVolatile = false
  readonly #folder: string
  readonly #options: FolderStoreOptions
  readonly #snapshot: Low<Snapshot | null>
  #journal: JournalWriter
  /** The number of the newest entry handed to the journal. */
  #newest = 0
  /** How long the journal may become before it is folded into the snapshot. */
  #outgrownAt = JOURNAL_BYTES_MIN
  #folding: { readonly done: Promise<void>; readonly stop: AbortController } | null = null
  #isRead = false
  #isClosed = false

  constructor(folder: string, options: FolderStoreOptions) {
    this.#folder = folder
    this.#options = options
    this.#snapshot = new Low<Snapshot | null>(snapshotFile(this.#snapshotPath), null)
    this.#journal = this.#writer(0)
  }

  get #snapshotPath(): string {
    return join(this.#folder, 'state.json')
  }

  get #journalPath(): string {
    return join(this.#folder, 'journal.ndjson')
  }

  shelf(name: ShelfName): Shelf {
    return folderShelf(join(this.#folder, name))
  }

  async read(): Promise<Kept | null> {
    await this.#endFold()
    await this.#journal.close()
    // After a failed write only what was kept before it counts.
    const trusted = this.#isRead ? this.#journal.bytes : undefined
    await this.#snapshot.read()
    const snapshot = this.#snapshot.data
    this.#snapshot.data = null
    const journal = await readJournal(this.#journalPath, trusted)
    const { lines, newest } = this.#match(snapshot, journal)
    this.#newest = newest
    this.#journal = this.#writer(journal?.bytes ?? 0)
    this.#isRead = true
    if (snapshot === null) return null
    await this.#measure()
    return { document: snapshot.document, entries: lines.map(({ entry }) => entry) }
  }

  append(entry: object): Promise<void> {
    if (this.#isClosed) return Promise.reject(this.#closed())
    const kept = this.#journal.append({ n: this.#newest + 1, entry })
    this.#newest += 1
    return kept
  }

  async replace(document: unknown): Promise<void> {
    if (this.#isClosed) throw this.#closed()
    await this.#endFold()
    await this.#unlessFull(async () => {
      await this.#journal.settled()
      await mkdir(this.#folder, { recursive: true })
      // A state without its journal is refused at the next start, so the journal is there first.
      await writeFile(this.#journalPath, '', { flag: 'a' })
      await syncFolder(this.#folder)
      this.#snapshot.data = { entries: this.#newest, document }
      await this.#snapshot.write()
      this.#snapshot.data = null
      // The state is in place, which ends the entries before it whether or not the file can be emptied now.
      await this.#journal.clear().catch((error: Error) => this.#warnOfRest(error))
      this.#isRead = true
      await this.#measure()
    })
  }

  fold(document: unknown): Promise<void> {
    if (this.#isClosed) return Promise.reject(this.#closed())
    const stop = new AbortController()
    const done = this.#fold({ entries: this.#newest, document }, stop.signal).finally(() => {
      this.#folding = null
    })
    this.#folding = { done, stop }
    return done
  }

  async kept(): Promise<void> {
    if (this.#options.durability === 'commit') await this.#journal.settled()
  }

  settled(): Promise<void> {
    return this.#journal.settled()
  }

  isOutgrown(): boolean {
    return this.#journal.bytes > this.#outgrownAt
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#endFold()
    await this.#journal.close()
  }

  /** The folder may be another sandbox's by now. */
  #closed(): StoreUnavailable {
    return new StoreUnavailable(`${this.#folder} is closed`)
  }

  async #fold(snapshot: Snapshot, signal: AbortSignal): Promise<void> {
    const folded = this.#journal.bytes
    // Where this fails it is not tried again with the next change: a disk that is full would be filled over and over.
    this.#outgrownAt = folded + JOURNAL_BYTES_MIN
    await this.#unlessFull(async () => {
      // The snapshot must not hold what somebody may yet be told did not happen.
      await this.#journal.settled()
      await new Low<Snapshot | null>(snapshotFile(this.#snapshotPath, { signal }), snapshot).write()
      await this.#journal.cut(folded)
      await this.#measure()
    })
  }

  /** Calls off a fold under way. Whatever it had come to, the two files go together. */
  async #endFold(): Promise<void> {
    this.#folding?.stop.abort()
    await this.#folding?.done.catch(() => undefined)
  }

  async #unlessFull(change: () => Promise<void>): Promise<void> {
    await change().catch((error: Error) => {
      if (error instanceof StoreUnavailable) throw error
      throw new StoreUnavailable(`${this.#folder} cannot be written: ${error.message}`)
    })
  }

  #warnOfRest({ message }: Error): void {
    this.#options.warn(
      `${this.#journalPath} cannot be emptied: ${message}; the next change tries again.`,
    )
  }

  #writer(trusted: number): JournalWriter {
    return new JournalWriter(this.#journalPath, trusted, this.#options.durability)
  }

  async #measure(): Promise<void> {
    const { size } = await stat(this.#snapshotPath)
    this.#outgrownAt = Math.max(JOURNAL_BYTES_MIN, 2 * size)
  }

  #match(snapshot: Snapshot | null, journal: JournalContent | null) {
    const path = this.#journalPath
    const isBlank = journal === null || (journal.lines.length === 0 && !journal.isTorn)
    if (snapshot === null && isBlank) return { lines: [], newest: 0 }
    if (snapshot === null)
      throw new StoreError(`${path} is there, but the state.json before it is not`)
    if (journal === null) throw new StoreError(`${path} is missing, and state.json needs it`)
    if (journal.isTorn) {
      this.#options.warn(
        `${path}:${journal.lines.length + 1} was cut short by a crash; nobody was told that it happened, so it is dropped.`,
      )
    }
    const { lines, gap } = entriesAfter(snapshot, journal)
    if (gap !== null) throw new StoreError(`${path}:1 ${gap}`)
    return { lines, newest: lines.at(-1)?.n ?? snapshot.entries }
  }
}
