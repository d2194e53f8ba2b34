/**
 * One sandbox's folder: a state, and the journals of what changed since. Owns when a journal is begun and folded into a
 * state, and what counts as kept.
 */
import { stat } from 'node:fs/promises'
import { FolderManifest, type ManifestPlace } from './folder-manifest.ts'
import { type JournalFound, type JournalHead, readFolder } from './folder-reader.ts'
import { folderShelf } from './folder-shelf.ts'
import { JournalWriter, sealJournal } from './journal-writer.ts'
import { type Extent, writeLines } from './lines.ts'
import { fileOf, type Manifest } from './manifest.ts'
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
}

/** A journal that is written here. */
interface OpenJournal {
  readonly head: JournalHead
  readonly writer: JournalWriter
}

const nothing: Extent = { lines: 0, sum: '00000000' }

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
  #outgrownAt = JOURNAL_BYTES_MIN
  /** Makes the journal for what comes after the next fold. */
  #preparing: Promise<void> | null = null
  #prepared: number | null = null
  #folding: { readonly done: Promise<void>; readonly stop: AbortController } | null = null
  #isClosed = false

  constructor(parts: FolderParts) {
    this.#parts = parts
    this.#manifest = new FolderManifest(parts)
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
    this.#journals = []
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
    const { head, writer } = journal
    if (writer.extent.lines === 0) void writer.append(head).catch(() => undefined)
    const kept = writer.append(entry)
    if (this.#bytes > this.#outgrownAt) this.#preparing ??= this.#prepare()
    return kept
  }

  async replace(entries: Iterable<object>, emptied: readonly ShelfName[] = []): Promise<void> {
    if (this.#isClosed) throw this.#closed()
    await this.#endFold()
    await this.#manifest.prepare()
    const generation = (this.#manifest.current?.journals.at(-1)?.generation ?? 0) + 1
    const extent = await this.#write(fileOf('state', generation), entries)
    await this.#write(fileOf('journal', generation), [])
    await this.#manifest.change((before) => ({
      newestItem: 0,
      ...before,
      state: { generation, ...extent },
      journals: [{ generation, atLeast: 0 }],
      shelves: {
        checkpoints: [],
        pacts: [],
        ...before?.shelves,
        ...Object.fromEntries(emptied.map((name) => [name, []])),
      },
    }))
    for (const { writer } of this.#journals) await writer.close()
    this.#journals = [this.#journal(generation)]
    this.#olderBytes = 0
    await this.#measure()
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
    this.#journals.push(this.#journal(generation, before.writer))
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

  /** A writer for a journal that holds nothing yet. */
  #journal(generation: number, before?: JournalWriter): OpenJournal {
    const head = { generation, follows: (before?.extent ?? nothing).sum }
    const found = { path: this.#manifest.pathOf(fileOf('journal', generation)), bytes: 0 }
    const rest = before === undefined ? {} : { before: before.settled() }
    return { head, writer: this.#writer({ ...found, extent: nothing, ...rest }) }
  }

  #writer(found: Pick<JournalFound, 'path' | 'bytes' | 'extent'> & { before?: Promise<void> }) {
    const { durability, isOurs } = this.#parts
    const { path, bytes, extent, before } = found
    return new JournalWriter({ path, bytes, extent, durability, isOurs, ...(before && { before }) })
  }

  /** Goes on after what was read. */
  async #goOn(found: readonly JournalFound[]): Promise<void> {
    const last = found.at(-1)
    if (last === undefined) throw new StoreError(`${this.#parts.final} has no journal`)
    for (const journal of found) if (journal.ending !== 'marked') await this.#mend(journal)
    const follows = (found.at(-2)?.extent ?? nothing).sum
    this.#journals = [
      { head: { generation: last.generation, follows }, writer: this.#writer(last) },
    ]
    this.#olderBytes = found.slice(0, -1).reduce((sum, { bytes }) => sum + bytes, 0)
    await this.#measure()
    await this.#note()
  }

  /** Has a journal end with what can be trusted; only where no process wrote to it after a failure is that news. */
  async #mend({ path, bytes, extent, ending }: JournalFound): Promise<void> {
    if (ending === 'torn') {
      this.#parts.warn(
        `${path}:${extent.lines + 1} was cut short by a crash; it was not answered yet, so it is dropped.`,
      )
    }
    if (ending === 'trailed') {
      this.#parts.warn(`${path} goes on after its end mark, as a failed write leaves it: dropped.`)
    }
    await unlessFull(`${path} cannot be written`, () => sealJournal(path, { bytes, extent }))
  }

  /** Writes a file that the next manifest names. */
  #write(file: string, entries: Iterable<object>, signal?: AbortSignal): Promise<Extent> {
    const path = this.#manifest.pathOf(file)
    return unlessFull(`${path} cannot be written`, () => writeLines(path, entries, signal))
  }

  /** Makes the next journal, so that a fold can begin at once, between two entries. */
  async #prepare(): Promise<void> {
    try {
      const generation = (this.#manifest.current?.journals.at(-1)?.generation ?? 0) + 1
      await this.#write(fileOf('journal', generation), [])
      await this.#change((before) => ({
        ...before,
        journals: [...before.journals, { generation, atLeast: 0 }],
      }))
      this.#prepared = generation
    } catch {
      // The journal goes on. It is not tried again with each change: a full disk would be filled over and over.
      this.#outgrownAt = this.#bytes + JOURNAL_BYTES_MIN
      this.#preparing = null
    }
  }

  async #fold(
    { generation, entries }: { readonly generation: number; readonly entries: Iterable<object> },
    signal: AbortSignal,
  ): Promise<void> {
    this.#outgrownAt = this.#bytes + JOURNAL_BYTES_MIN
    const older = this.#journals.slice(0, -1)
    // The state must not hold what somebody may yet be told did not happen.
    for (const { writer } of older) await writer.settled()
    const extent = await this.#write(fileOf('state', generation), entries, signal)
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

  async #measure(): Promise<void> {
    const generation = this.#manifest.current?.state.generation ?? 0
    const { size } = await stat(this.#manifest.pathOf(fileOf('state', generation)))
    this.#outgrownAt = Math.max(JOURNAL_BYTES_MIN, 2 * size)
  }
}
