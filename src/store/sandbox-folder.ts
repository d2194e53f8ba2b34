/**
 * One sandbox's folder: a state, and the journals of what changed since. Owns when a journal is begun and folded into a
 * state, and what counts as kept.
 */
import { randomUUID } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { FolderManifest, type ManifestPlace } from './folder-manifest.ts'
import {
  HEAD_LINES,
  type JournalFound,
  type JournalHead,
  readFolder,
  warningOf,
} from './folder-reader.ts'
import { folderShelf } from './folder-shelf.ts'
import { JournalWriter, sealJournal } from './journal-writer.ts'
import { fileOf, type Manifest } from './manifest.ts'
import { appendTo, beginJournal, type OpenJournal } from './open-journal.ts'
import {
  type Durability,
  type Shelf,
  type ShelfName,
  type StoredSandbox,
  StoreError,
  StoreUnavailable,
  unlessFull,
} from './store.ts'

/** Journals are folded into the state when they have outgrown this and the state both. */
const JOURNAL_BYTES_MIN = 16 * 1024 * 1024

export interface FolderParts extends ManifestPlace {
  readonly durability: Durability
  readonly warn: (line: string) => void
  /** How long journals become, at least, before they are folded. */
  readonly foldAtBytes?: number
}

/** Its identity is what it knows of its files. */
export class SandboxFolder implements StoredSandbox {
  readonly isVolatile = false
  readonly #parts: FolderParts
  readonly #manifest: FolderManifest
  /** Oldest first: two while a fold goes on, and none before anything was read or written. */
  #journals: OpenJournal[] = []
  /** Bytes in journals that are written no more. */
  #olderBytes = 0
  /** How long the journals may become before they are folded into the state. */
  #outgrownAt: number
  /** Makes the journal for what comes after the next fold. */
  #preparing: Promise<void> | null = null
  #prepared: number | null = null
  #folding: { readonly done: Promise<void>; readonly stop: AbortController } | null = null
  #isClosed = false

  constructor(parts: FolderParts) {
    this.#parts = parts
    this.#manifest = new FolderManifest(parts)
    this.#outgrownAt = this.#foldAtBytes
  }

  shelf(name: ShelfName): Shelf {
    return folderShelf(name, this.#manifest, (next) => this.#change(next))
  }

  /** Reads which files there are. Throws `StoreError` where that is damaged. */
  async load(): Promise<this> {
    await this.#manifest.load()
    return this
  }

  async *read(): AsyncGenerator<unknown> {
    await this.#endFold()
    for (const { writer } of this.#journals) await writer.close()
    // After a failed write only what was kept before it counts.
    const trusted = new Map(
      this.#journals.map(({ head, writer }) => [head.generation, writer.bytes]),
    )
    const manifest = await this.#manifest.load()
    if (manifest === null) throw new StoreError(`${this.#parts.final} holds nothing yet`)
    const found: JournalFound[] = []
    const folder = this.#manifest.pathOf('')
    yield* readFolder(folder, { manifest, trusted, onJournal: (each) => found.push(each) })
    await this.#goOn(found)
    await this.#manifest.sweep(manifest)
  }

  append(entry: object): Promise<void> {
    const journal = this.#journals.at(-1)
    if (this.#isClosed || journal === undefined) return Promise.reject(this.#closed())
    const kept = appendTo(journal, entry)
    if (this.#bytes > this.#outgrownAt) this.#preparing ??= this.#prepare(journal.head)
    return kept
  }

  async replace(entries: Iterable<object>, emptied: readonly ShelfName[] = []): Promise<void> {
    if (this.#isClosed) throw this.#closed()
    await this.#endFold()
    // The whole must not hold what somebody may yet be told did not happen.
    await this.settled()
    const id = this.#manifest.current?.id ?? randomUUID()
    const generation = this.#manifest.nextNumber()
    const state = fileOf('state', generation)
    const extent = await this.#manifest.write(state, entries)
    await this.#writeJournal({ sandbox: id, generation }).catch(async (error) => {
      await this.#manifest.discard([state])
      throw error
    })
    await this.#manifest.change((before) => ({
      id,
      state: { generation, ...extent },
      journals: [{ generation, atLeast: HEAD_LINES }],
      shelves: {
        checkpoints: [],
        pacts: [],
        ...before?.shelves,
        ...Object.fromEntries(emptied.map((name) => [name, []])),
      },
    }))
    for (const { writer } of this.#journals) await writer.close()
    await this.#goOnWith([this.#begin({ sandbox: id, generation })])
  }

  isOutgrown(): boolean {
    return this.#prepared !== null && this.#folding === null && this.#bytes > this.#outgrownAt
  }

  fold(entries: Iterable<object>): Promise<void> {
    const before = this.#journals.at(-1)
    const generation = this.#prepared
    if (this.#isClosed || before === undefined || generation === null) {
      return Promise.reject(this.#closed())
    }
    this.#prepared = null
    this.#preparing = null
    this.#journals.push(this.#begin({ ...before.head, generation }, before))
    const stop = new AbortController()
    const done = this.#fold({ generation, entries }, stop.signal).finally(() => {
      this.#folding = null
    })
    this.#folding = { done, stop }
    return done
  }

  async kept(): Promise<void> {
    if (this.#parts.durability === 'commit') await this.settled()
  }

  async settled(): Promise<void> {
    for (const { writer } of this.#journals) await writer.settled()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#endFold()
    for (const { writer } of this.#journals) await writer.close()
    await this.#note()
  }

  get #bytes(): number {
    return this.#journals.reduce((sum, { writer }) => sum + writer.bytes, this.#olderBytes)
  }

  /** The folder may be another sandbox's by now. */
  #closed(): StoreUnavailable {
    return new StoreUnavailable(`${this.#parts.final} is closed`)
  }

  get #foldAtBytes(): number {
    return this.#parts.foldAtBytes ?? JOURNAL_BYTES_MIN
  }

  #begin(head: JournalHead, before: OpenJournal | null = null): OpenJournal {
    return beginJournal(head, this.#partsOf(head), before)
  }

  #partsOf({ generation }: JournalHead) {
    const { durability, isOurs } = this.#parts
    return { durability, isOurs, path: this.#manifest.pathOf(fileOf('journal', generation)) }
  }

  /** Goes on after what was read. */
  async #goOn(found: readonly JournalFound[]): Promise<void> {
    const last = found.at(-1)
    if (last === undefined) throw new StoreError(`${this.#parts.final} has no journal`)
    for (const journal of found) if (journal.ending !== 'marked') await this.#mend(journal)
    const { head, link, bytes, extent } = last
    const writer = new JournalWriter({ ...this.#partsOf(head), bytes, extent })
    await this.#goOnWith([{ head, link, writer }])
    this.#olderBytes = found.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, 0)
    await this.#note()
  }

  /** Goes on with other journals than before. One that was prepared for a fold is one of them, or gone. */
  async #goOnWith(journals: OpenJournal[]): Promise<void> {
    this.#journals = journals
    this.#olderBytes = 0
    this.#prepared = null
    this.#preparing = null
    await this.#measure()
  }

  /** Has a journal end with what can be trusted. What this process itself could not write is no news. */
  async #mend(journal: JournalFound): Promise<void> {
    const warning = warningOf(journal)
    if (warning !== null) this.#parts.warn(warning)
    const { path, bytes, extent } = journal
    await unlessFull(`${path} cannot be written`, () => sealJournal(path, { bytes, extent }))
  }

  async #writeJournal(head: JournalHead): Promise<void> {
    await this.#manifest.write(fileOf('journal', head.generation), [head])
  }

  /** Makes the next journal, so that a fold can begin at once, between two entries. */
  async #prepare(head: JournalHead): Promise<void> {
    try {
      const generation = this.#manifest.nextNumber()
      await this.#writeJournal({ ...head, generation })
      await this.#change((before) => ({
        ...before,
        journals: [...before.journals, { generation, atLeast: HEAD_LINES }],
      }))
      this.#prepared = generation
    } catch {
      // The journal goes on. It is not tried again with each change: a full disk would be filled over and over.
      this.#outgrownAt = this.#bytes + this.#foldAtBytes
      this.#preparing = null
    }
  }

  async #fold(
    { generation, entries }: { readonly generation: number; readonly entries: Iterable<object> },
    signal: AbortSignal,
  ): Promise<void> {
    this.#outgrownAt = this.#bytes + this.#foldAtBytes
    const older = this.#journals.slice(0, -1)
    // Nor must a state that is folded.
    for (const { writer } of older) await writer.settled()
    const extent = await this.#manifest.write(fileOf('state', generation), entries, signal)
    await this.#change((before) => ({
      ...before,
      state: { generation, ...extent },
      journals: before.journals.filter((journal) => journal.generation >= generation),
    }))
    this.#journals = this.#journals.slice(older.length)
    this.#olderBytes = 0
    for (const { writer } of older) await writer.close()
    await this.#measure()
  }

  /** Calls off a fold under way. Whatever it had come to, the files go together. */
  async #endFold(): Promise<void> {
    await this.#preparing
    this.#folding?.stop.abort()
    await this.#folding?.done.catch(() => undefined)
  }

  #change(next: (before: Manifest) => Manifest): Promise<void> {
    return this.#manifest.change((before) => {
      if (before === null) throw new Error(`${this.#parts.final} is not kept yet`)
      return this.#noted(next(before))
    })
  }

  /** Says in the manifest how far the journals have come, so that a cut shows. */
  #noted(manifest: Manifest): Manifest {
    const known = new Map(
      this.#journals.map(({ head, writer }) => [head.generation, writer.kept.lines]),
    )
    const journals = manifest.journals.map(({ generation, atLeast }) => ({
      generation,
      atLeast: known.get(generation) ?? atLeast,
    }))
    return { ...manifest, journals }
  }

  async #note(): Promise<void> {
    const { current } = this.#manifest
    if (current === null) return
    const noted = this.#noted(current)
    const isNews = noted.journals.some(
      ({ atLeast }, index) => atLeast !== current.journals[index]?.atLeast,
    )
    // It only helps to find damage later on: a disk that does not take it stops nobody.
    if (isNews) await this.#change((before) => before).catch(() => undefined)
  }

  /** Where the state cannot be looked at, the journals are folded the sooner. */
  async #measure(): Promise<void> {
    const generation = this.#manifest.current?.state.generation ?? 0
    const state = await stat(this.#manifest.pathOf(fileOf('state', generation))).catch(() => null)
    this.#outgrownAt = Math.max(this.#foldAtBytes, 2 * (state?.size ?? 0))
  }
}
