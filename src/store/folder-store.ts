/**
 * The durable store: one folder for each sandbox, with a snapshot (`state.json`) and a journal of what was committed
 * since. Owns how the two go together: which entries a snapshot includes, and what must be there for a start.
 */
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Low } from 'lowdb'
import { type JournalContent, JournalWriter, readJournal } from './journal.ts'
import { LOCK, lockFolder } from './lock.ts'
import { folderShelf } from './shelf.ts'
import { type Snapshot, snapshotFile, syncFolder } from './snapshot.ts'
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
  readonly warn: (line: string) => void
  /** Told when another process took the folder. */
  readonly onLost: () => void
}

/** Keeps every sandbox below a folder. Throws `FolderRefused` when another process has the folder. */
export async function folderStore(folder: string, options: FolderStoreOptions): Promise<Store> {
  await mkdir(folder, { recursive: true }).catch((error: Error) => {
    throw new FolderRefused(`${folder} cannot be made: ${error.message}`)
  })
  const unlock = await lockFolder(folder, options.onLost)
  return {
    list: () => listSandboxes(folder),
    open: async (sandboxId) => new SandboxFolder(join(folder, sandboxId), options),
    remove: (sandboxId) => rm(join(folder, sandboxId), { recursive: true, force: true }),
    close: unlock,
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
  #snapshotBytes = 0
  #isRead = false

  constructor(folder: string, options: FolderStoreOptions) {
    this.#folder = folder
    this.#options = options
    this.#snapshot = new Low<Snapshot | null>(snapshotFile(join(folder, 'state.json')), null)
    this.#journal = this.#writer(0)
  }

  get #journalPath(): string {
    return join(this.#folder, 'journal.ndjson')
  }

  shelf(name: ShelfName): Shelf {
    return folderShelf(join(this.#folder, name))
  }

  async read(): Promise<Kept | null> {
    // After a failed write only what was kept before it counts.
    const trusted = this.#isRead ? this.#journal.bytes : undefined
    await this.#journal.close()
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
    this.#newest += 1
    return this.#journal.append({ n: this.#newest, entry })
  }

  async replace(document: unknown): Promise<void> {
    try {
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
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error
      throw new StoreUnavailable(`${this.#folder} cannot be written: ${(error as Error).message}`)
    }
  }

  async kept(): Promise<void> {
    if (this.#options.durability === 'commit') await this.#journal.settled()
  }

  settled(): Promise<void> {
    return this.#journal.settled()
  }

  isOutgrown(): boolean {
    return this.#journal.bytes > Math.max(JOURNAL_BYTES_MIN, 2 * this.#snapshotBytes)
  }

  close(): Promise<void> {
    return this.#journal.close()
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
    this.#snapshotBytes = (await stat(join(this.#folder, 'state.json'))).size
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
