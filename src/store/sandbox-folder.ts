/**
 * One sandbox's folder: a state, the journal of what changed since, and documents beside them. Owns when the journal is
 * folded into the state, and which writer appends.
 */
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { requireRegularFile } from './files.ts'
import { FolderManifest, type ManifestPlace } from './folder-manifest.ts'
import { readJournal, readState } from './folder-reader.ts'
import { JournalWriter, sealJournal } from './journal-writer.ts'
import { type Extent, readWhole } from './lines.ts'
import { fileOf, journalStart, type Manifest, type ManifestDocument } from './manifest.ts'
import {
  type DocumentFolder,
  type DocumentKind,
  type Durability,
  type NewDocument,
  type StoredDocument,
  type StoredSandbox,
  StoreUnavailable,
  unlessFull,
} from './store.ts'

/** A journal is folded into the state when it has outgrown this, and the state twice. */
const JOURNAL_BYTES_MIN = 16 * 1024 * 1024

/** Where a sandbox is, and its mark: a file that is there while it may have events to deliver. */
interface SandboxPlace extends ManifestPlace {
  readonly mark: string
}

export interface FolderOptions {
  readonly durability: Durability
  readonly warn: (line: string) => void
  /** How long a journal becomes, at least, before it is folded; for tests. */
  readonly foldAtBytes?: number
}

/** Its identity is what it knows of its files. */
export class SandboxFolder implements StoredSandbox {
  readonly isVolatile = false
  readonly #parts: SandboxPlace & FolderOptions
  readonly #manifest: FolderManifest
  /** Null before anything was read or written. */
  #journal: JournalWriter | null = null
  /** Which journal that is. */
  #generation = 0
  readonly #foldAtBytes: number
  /** How long the journal may become before it is folded into the state. */
  #outgrownAt: number
  #isClosed = false
  /** Null before it was marked. */
  #isUndelivered: boolean | null = null
  /** Whether it was said that the mark cannot be changed. */
  #hasWarned = false

  constructor(parts: SandboxPlace & FolderOptions) {
    this.#parts = parts
    this.#manifest = new FolderManifest(parts)
    this.#foldAtBytes = parts.foldAtBytes ?? JOURNAL_BYTES_MIN
    this.#outgrownAt = this.#foldAtBytes
  }

  documents(kind: DocumentKind): DocumentFolder {
    const manifest = this.#manifest
    return {
      get documents() {
        const named = manifest.current?.documents[kind] ?? []
        return named.map((place) => ({ about: place.about, place }))
      },
      read: ({ place }) => {
        const { file, ...extent } = place as ManifestDocument
        return readWhole(manifest.pathOf(file), extent)
      },
      set: (documents) => this.#setDocuments(kind, documents),
    }
  }

  /** Reads which files there are. Throws `StoreError` where that is damaged. */
  async load(): Promise<this> {
    await this.#manifest.load()
    return this
  }

  async *read(): AsyncGenerator<unknown> {
    const written = this.#journal
    await written?.close()
    const manifest = await this.#manifest.load()
    // After a failed write only what was on disk before it counts.
    const isSame = written !== null && this.#generation === manifest.generation
    const trusted = isSame ? written.trusted.bytes : null
    const folder = this.#manifest.pathOf('')
    yield* readState(folder, manifest)
    const { path, extent, warning } = yield* readJournal(folder, manifest, trusted)
    if (warning !== null) this.#parts.warn(warning)
    await unlessFull(`${path} cannot be written`, () => sealJournal(path, extent))
    await this.#goOn(manifest.generation, extent)
    await this.#manifest.sweep(manifest)
  }

  async append(entry: object): Promise<void> {
    if (this.#isClosed || this.#journal === null) throw this.#closed()
    return this.#journal.append(entry)
  }

  async replace(entries: Iterable<object>, emptied: readonly DocumentKind[] = []): Promise<void> {
    if (this.#isClosed) throw this.#closed()
    // The state must not hold what is still refused to whoever waits for it.
    await this.flushed()
    // A disk that does not take it is not tried again with each change.
    this.#outgrownAt = (this.#journal?.trusted.bytes ?? 0) + this.#foldAtBytes
    const id = this.#manifest.current?.id ?? randomUUID()
    const generation = this.#manifest.nextNumber()
    const start = journalStart({ id, generation })
    await this.#manifest.write(fileOf('journal', generation), [], start)
    const state = await this.#manifest.write(fileOf('state', generation), entries)
    const next = { id, generation, state, journalLines: 0 }
    const none = Object.fromEntries(emptied.map((kind) => [kind, []]))
    await this.#manifest.change((before) => ({
      ...next,
      documents: { checkpoints: [], pacts: [], ...before?.documents, ...none },
    }))
    await this.#journal?.close()
    this.#outgrownAt = this.#foldAtBytes
    await this.#goOn(generation, start)
  }

  isOutgrown(): boolean {
    return (this.#journal?.trusted.bytes ?? 0) > this.#outgrownAt
  }

  async committed(): Promise<void> {
    if (this.#parts.durability === 'commit') await this.flushed()
  }

  async flushed(): Promise<void> {
    await this.#journal?.flushed()
  }

  markUndelivered(isUndelivered: boolean): void {
    const { mark, isOurs, warn } = this.#parts
    if (isUndelivered === this.#isUndelivered || !isOurs()) return
    try {
      requireRegularFile(mark)
      // At once: a call that is answered later may be the last one of this process.
      if (isUndelivered) writeFileSync(mark, '')
      else rmSync(mark, { force: true })
      this.#isUndelivered = isUndelivered
    } catch (error) {
      // Each change tries again: once is enough to hear of it.
      if (!this.#hasWarned) warn(`${mark} cannot be changed: ${(error as Error).message}`)
      this.#hasWarned = true
    }
  }

  async close(before?: 'removal'): Promise<void> {
    this.#isClosed = true
    await this.#journal?.close()
    if (before === 'removal' || this.#journal === null) return
    if (this.#lines === this.#manifest.current?.journalLines) return
    // It only helps to find damage later on: a disk that does not take it stops nobody.
    await this.#change((before) => before).catch(() => undefined)
  }

  get #lines(): number {
    return this.#journal?.trusted.lines ?? 0
  }

  /** The folder may be another sandbox's by now. */
  #closed(): StoreUnavailable {
    return new StoreUnavailable(`${this.#parts.final} is closed`)
  }

  /** Appends to the journal of a generation from here on. */
  async #goOn(generation: number, trusted: Extent): Promise<void> {
    const { durability, writes } = this.#parts
    const refuseReplaced = () => this.#manifest.refuseReplaced()
    const path = this.#manifest.pathOf(fileOf('journal', generation))
    this.#generation = generation
    this.#journal = new JournalWriter({ durability, refuseReplaced, writes, path }, trusted)
    // Where the state cannot be looked at, the journal is folded the sooner.
    const state = await stat(this.#manifest.pathOf(fileOf('state', generation))).catch(() => null)
    this.#outgrownAt = Math.max(this.#outgrownAt, 2 * (state?.size ?? 0))
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

  /** Also says in the manifest how far the journal has come, so that a cut shows. */
  #change(next: (before: Manifest) => Manifest): Promise<void> {
    return this.#manifest.change((before) => {
      if (before === null) throw new Error(`${this.#parts.final} is not stored yet`)
      const isSame = before.generation === this.#generation
      return { ...next(before), journalLines: isSame ? this.#lines : before.journalLines }
    })
  }
}
