/**
 * One sandbox's folder: a state, the journal of the changes since, and documents. Owns when the journal is folded into
 * the state, and which writer appends.
 */
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { removeFolder, requireRegularFile, runBoth } from './files.ts'
import { FolderManifest, type ManifestPlace } from './folder-manifest.ts'
import { JournalWriter, sealJournal } from './journal-writer.ts'
import { type Extent, readWhole } from './lines.ts'
import {
  fileOf,
  journalStart,
  type Manifest,
  type ManifestDocument,
  readJournal,
  readState,
} from './manifest.ts'
import {
  type DocumentFolder,
  type DocumentKind,
  type Durability,
  type NewDocument,
  type StoredDocument,
  type StoredSandbox,
  StoreUnavailable,
  withStoreErrors,
} from './store.ts'

/** A journal is folded into the state when it is larger than this and than twice the state. */
const JOURNAL_BYTES_MIN = 16 * 1024 * 1024

/** The place of a sandbox, and its mark: a file that exists while it may have events to deliver. */
interface SandboxPlace extends ManifestPlace {
  readonly mark: string
}

export interface FolderOptions {
  readonly durability: Durability
  readonly warn: (line: string) => void
  /** The minimum length of a journal before it is folded; for tests. */
  readonly foldAtBytes?: number
}

export class SandboxFolder implements StoredSandbox {
  readonly isVolatile = false
  readonly #options: SandboxPlace & FolderOptions
  readonly #manifest: FolderManifest
  /** Null until something is read or written. */
  #journal: JournalWriter | null = null
  #generation = 0
  readonly #foldAtBytes: number
  #outgrownAt: number
  #isClosed = false
  #isUndelivered: boolean | null = null
  #hasWarned = false

  constructor(options: SandboxPlace & FolderOptions) {
    this.#options = options
    this.#manifest = new FolderManifest(options)
    this.#foldAtBytes = options.foldAtBytes ?? JOURNAL_BYTES_MIN
    this.#outgrownAt = this.#foldAtBytes
  }

  documents(kind: DocumentKind): DocumentFolder {
    const manifest = this.#manifest
    return {
      get documents() {
        const stored = manifest.current?.documents[kind] ?? []
        return stored.map((place) => ({ about: place.about, place }))
      },
      read: ({ place }) => {
        const { file, ...extent } = place as ManifestDocument
        return readWhole(manifest.pathOf(file), extent)
      },
      set: (documents) => this.#setDocuments(kind, documents),
    }
  }

  /** Reads the names of the files. Throws `StoreError` if the manifest is damaged. */
  async load(): Promise<this> {
    await this.#manifest.load()
    return this
  }

  async *read(): AsyncGenerator<unknown> {
    if (this.#isClosed) throw this.#closed()
    const written = this.#journal
    await written?.close()
    const manifest = await this.#manifest.load()
    // After a failed write, only what was on disk before it is valid.
    const isSame = written !== null && this.#generation === manifest.generation
    const trusted = isSame ? written.trusted.bytes : null
    const folder = this.#manifest.pathOf('')
    yield* readState(folder, manifest)
    const { path, extent, warning } = yield* readJournal(folder, manifest, trusted)
    if (warning !== null) this.#options.warn(warning)
    await withStoreErrors(`${path} cannot be written`, () => sealJournal(path, extent))
    this.#openJournal(manifest.generation, extent)
    await this.#manifest.sweep(manifest)
  }

  async append(entry: object): Promise<void> {
    if (this.#isClosed || this.#journal === null) throw this.#closed()
    return this.#journal.append(entry)
  }

  async replace(entries: Iterable<object>, emptied: readonly DocumentKind[] = []): Promise<void> {
    if (this.#isClosed) throw this.#closed()
    // The state must not contain changes that are still refused to their callers.
    await this.flushed()
    // If the disk refuses it, it is not tried again with each change.
    this.#outgrownAt = (this.#journal?.trusted.bytes ?? 0) + this.#foldAtBytes
    const id = this.#manifest.current?.id ?? randomUUID()
    const generation = this.#manifest.nextNumber()
    const start = journalStart({ id, generation })
    const [, state] = await runBoth(
      this.#manifest.write(fileOf('journal', generation), [], start),
      this.#manifest.write(fileOf('state', generation), entries),
    )
    const next = { id, generation, state, journalLines: 0 }
    const none = Object.fromEntries(emptied.map((kind) => [kind, []]))
    await this.#manifest.change((before) => ({
      ...next,
      documents: { checkpoints: [], pacts: [], ...before?.documents, ...none },
    }))
    await this.#journal?.close()
    this.#outgrownAt = this.#foldAtBytes
    this.#openJournal(generation, start)
  }

  isOutgrown(): boolean {
    return (this.#journal?.trusted.bytes ?? 0) > this.#outgrownAt
  }

  async committed(): Promise<void> {
    if (this.#options.durability === 'commit') await this.flushed()
  }

  async flushed(): Promise<void> {
    await this.#journal?.flushed()
  }

  markUndelivered(isUndelivered: boolean): void {
    const { mark, isOurs, warn } = this.#options
    if (isUndelivered === this.#isUndelivered || !isOurs()) return
    try {
      requireRegularFile(mark)
      // Synchronous: the next reply may be the last one of this process.
      if (isUndelivered) writeFileSync(mark, '')
      else rmSync(mark, { force: true })
      this.#isUndelivered = isUndelivered
    } catch (error) {
      // Each change tries again, but the failure is logged once.
      if (!this.#hasWarned) warn(`${mark} cannot be changed: ${(error as Error).message}`)
      this.#hasWarned = true
    }
  }

  async close(before?: 'removal'): Promise<void> {
    this.#isClosed = true
    await this.#journal?.close()
    // What could not be made only takes space; a stored one stays, whatever is wrong with it.
    const { folder, final } = this.#options
    if (this.#manifest.current === null && folder !== final) await removeFolder(folder)
    if (before === 'removal' || this.#journal === null) return
    if (this.#lines === this.#manifest.current?.journalLines) return
    // It only helps to find damage later: if the disk refuses it, nothing else fails.
    await this.#change((before) => before).catch(() => undefined)
  }

  get #lines(): number {
    return this.#journal?.trusted.lines ?? 0
  }

  /** Another sandbox may have the folder by now. */
  #closed(): StoreUnavailable {
    return new StoreUnavailable(`${this.#options.final} is closed`)
  }

  #openJournal(generation: number, trusted: Extent): void {
    const { durability, writes } = this.#options
    const refuseReplaced = () => this.#manifest.refuseReplaced()
    const path = this.#manifest.pathOf(fileOf('journal', generation))
    this.#generation = generation
    this.#journal = new JournalWriter({ durability, refuseReplaced, writes, path }, trusted)
    const stateBytes = this.#manifest.current?.state.bytes ?? 0
    this.#outgrownAt = Math.max(this.#outgrownAt, 2 * stateBytes)
  }

  async #setDocuments(
    kind: DocumentKind,
    documents: readonly (StoredDocument | NewDocument)[],
  ): Promise<void> {
    const next: ManifestDocument[] = []
    for (const document of documents) {
      const { about } = document
      if ('entries' in document) {
        const file = fileOf(kind, this.#manifest.nextNumber())
        next.push({ about, file, ...(await this.#manifest.write(file, document.entries)) })
      } else next.push({ ...(document.place as ManifestDocument), about })
    }
    await this.#change((before) => ({
      ...before,
      documents: { ...before.documents, [kind]: next },
    }))
  }

  /** Also writes the length of the journal into the manifest, so that a cut is detected. */
  #change(next: (before: Manifest) => Manifest): Promise<void> {
    return this.#manifest.change((before) => {
      if (before === null) throw new Error(`${this.#options.final} is not stored yet`)
      const isSame = before.generation === this.#generation
      return { ...next(before), journalLines: isSame ? this.#lines : before.journalLines }
    })
  }
}
