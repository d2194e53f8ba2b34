/**
 * Changes the files of a sandbox's folder: writes new files first, then the manifest that names them, then removes
 * unnamed files. After a crash the folder is as before, or as after. Owns that order.
 */
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Low } from 'lowdb'
import { identityOf, moveFolder, requireRegularFile, syncPath, type WriteWatch } from './files.ts'
import { type Extent, UNFINISHED, writeLines } from './lines.ts'
import { fileOf, filesOf, MANIFEST, MANIFEST_COPY, type Manifest, manifestIn } from './manifest.ts'
import { StoreUnavailable, withStoreErrors } from './store.ts'

/** The names of our files. Other files in the folder stay. */
const ourFile = /^(?:state|journal|checkpoints|pacts)-(\d{6,})\.ndjson$/

export interface ManifestPlace {
  /** The current path of the folder, and its final path once it is complete. */
  readonly folder: string
  readonly final: string
  /** Whether the data folder is still the one that this process locked. */
  readonly isOurs: () => boolean
  readonly writes: WriteWatch
}

/** Its identity is its knowledge of the folder. One call at a time. */
export class FolderManifest {
  readonly #place: ManifestPlace
  #folder: string
  #db: Low<Manifest | null>
  #newestNumber = 0
  /** The identities of the manifest and its state; null while they change. */
  #identity: string | null = null

  constructor(place: ManifestPlace) {
    this.#place = place
    this.#folder = place.folder
    this.#db = manifestIn(place.folder)
  }

  pathOf(file: string): string {
    return join(this.#folder, file)
  }

  /** Null for a new sandbox, which has nothing stored. */
  get current(): Manifest | null {
    return this.#db.data
  }

  /** Reads it from the disk, which may differ from the last write; it must be the manifest of the same folder. */
  async load(): Promise<Manifest> {
    this.#refuseForeign()
    const known = this.#db.data
    requireRegularFile(this.pathOf(MANIFEST_COPY))
    await this.#db.read()
    const { data } = this.#db
    if (data !== null && (known === null || data.id === known.id)) {
      this.#identity = this.#look()
      return data
    }
    this.#db.data = known
    throw this.#foreign()
  }

  /** Throws if the manifest or its state was removed or replaced since this process read or wrote it. */
  refuseReplaced(): void {
    const isSame = this.#identity === null || this.#identity === this.#look()
    if (!isSame || !this.#place.isOurs()) throw this.#foreign()
  }

  /** A number for a new file, unique while this process runs. */
  nextNumber(): number {
    const files = this.#db.data === null ? [] : filesOf(this.#db.data)
    const numbers = files.map((file) => Number(ourFile.exec(file)?.[1]))
    this.#newestNumber = Math.max(this.#newestNumber, ...numbers) + 1
    return this.#newestNumber
  }

  /** Writes a file that a change will name. An existing file with its name stays. */
  write(file: string, entries: Iterable<object>, start?: Extent): Promise<Extent> {
    const path = this.pathOf(file)
    return this.#write(`${path} cannot be written`, async () => {
      this.#refuseForeign()
      return writeLines(path, entries, start)
    })
  }

  /** Changes the files of the sandbox. They are already written and synced. */
  change(next: (before: Manifest | null) => Manifest): Promise<void> {
    return this.#write(`${this.#folder} cannot be written`, async () => {
      const before = this.#db.data && (await this.load())
      const after = next(before)
      try {
        // That of a new sandbox is synced with its manifest, before it is moved to its place.
        if (before !== null) await syncPath(this.#folder)
        this.#identity = null
        await this.#db.adapter.write(after)
        this.#db.data = after
        if (before === null) await this.#moveIn()
        this.#identity = this.#look()
      } catch (error) {
        this.#db.data = before
        // The disk may have failed after the rename: it is undone if it can be, and what is on disk says which files to remove.
        const undone = before && this.#db.write().catch(() => undefined)
        const manifest = undone && (await undone.then(() => this.load()).catch(() => null))
        if (manifest !== null) await this.sweep(manifest)
        throw error
      }
      this.#place.writes.succeeded()
      if (before !== null) await this.sweep(after)
    })
  }

  /** Removes the files that a manifest does not name. A later start removes those that cannot be removed now. */
  async sweep(manifest: Manifest): Promise<void> {
    const files = new Set(filesOf(manifest))
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const isLeft = ourFile.test(name) ? !files.has(name) : name === `${MANIFEST}${UNFINISHED}`
      if (isLeft) await rm(this.pathOf(name), { force: true }).catch(() => undefined)
    }
  }

  /** Moves the folder of a new sandbox to its final path, which makes the sandbox exist. */
  async #moveIn(): Promise<void> {
    const { folder, final } = this.#place
    await moveFolder(folder, final)
    this.#folder = final
    const { data } = this.#db
    this.#db = manifestIn(final)
    this.#db.data = data
  }

  async #write<Value>(what: string, write: () => Promise<Value>): Promise<Value> {
    try {
      return await withStoreErrors(what, write)
    } catch (error) {
      this.#place.writes.failed((error as Error).message)
      throw error
    }
  }

  #look(): string {
    const { data } = this.#db
    const files = [MANIFEST, ...(data === null ? [] : [fileOf('state', data.generation)])]
    return files.map((file) => identityOf(this.pathOf(file))).join()
  }

  /** A folder in the place of a removed one may belong to another sandbox. */
  #refuseForeign(): void {
    const isThere = this.#db.data === null || existsSync(this.pathOf(MANIFEST))
    if (!isThere || !this.#place.isOurs()) throw this.#foreign()
  }

  #foreign(): StoreUnavailable {
    return new StoreUnavailable(`${this.#folder} was removed or replaced while the sandbox runs`)
  }
}
