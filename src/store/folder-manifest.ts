/**
 * Changing what a sandbox's folder holds: files are written first, then the manifest that names them, then what it names
 * no more is removed. A crash anywhere leaves everything as before, or as after. Owns that order.
 */
import { readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Low } from 'lowdb'
import { makeFolder, syncFolder, UNFINISHED } from './files.ts'
import { filesOf, MANIFEST, type Manifest, manifestIn } from './manifest.ts'
import { StoreUnavailable, unlessFull } from './store.ts'

/** The names of our files; others, which somebody else put there, stay. */
const ourFile = /^(?:state|journal|checkpoints|pacts)-\d{6,}\.ndjson$/

export interface ManifestPlace {
  /** Where the folder is now, and where it belongs once it is whole. */
  readonly folder: string
  readonly final: string
  /** Whether the data folder is still the one that this process locked. */
  readonly isOurs: () => boolean
}

/** Its identity is what it knows of the folder. */
export class FolderManifest {
  readonly #place: ManifestPlace
  #folder: string
  #db: Low<Manifest | null>
  /** The newest change; each waits for the one before it. */
  #changing: Promise<void> = Promise.resolve()

  constructor(place: ManifestPlace) {
    this.#place = place
    this.#folder = place.folder
    this.#db = manifestIn(place.folder)
  }

  /** Where the files are. */
  pathOf(file: string): string {
    return join(this.#folder, file)
  }

  /** Null for a new sandbox, which nothing is kept of yet. */
  get current(): Manifest | null {
    return this.#db.data
  }

  async load(): Promise<Manifest | null> {
    await this.#changing
    if (this.#folder === this.#place.final) await this.#db.read()
    return this.#db.data
  }

  /** Has the folder be there, for the files that a change will name. */
  async prepare(): Promise<void> {
    if (this.#db.data !== null) return
    await unlessFull(`${this.#folder} cannot be made`, () => makeFolder(this.#folder))
  }

  /** Changes what belongs to the sandbox. The files are written by now, and synced. */
  change(next: (before: Manifest | null) => Manifest): Promise<void> {
    const done = this.#changing.then(() =>
      unlessFull(`${this.#folder} cannot be written`, () => this.#change(next)),
    )
    this.#changing = done.catch(() => undefined)
    return done
  }

  /** Removes what a crash left behind. */
  async sweep(manifest: Manifest): Promise<void> {
    const named = new Set(filesOf(manifest))
    const isLeft = (name: string) =>
      (ourFile.test(name) && !named.has(name)) || name === `${MANIFEST}${UNFINISHED}`
    await this.#remove((await readdir(this.#folder)).filter(isLeft))
  }

  async #change(next: (before: Manifest | null) => Manifest): Promise<void> {
    if (!this.#place.isOurs()) {
      throw new StoreUnavailable(`${this.#folder} was removed or replaced while the sandbox runs`)
    }
    const before = this.#db.data
    const after = next(before)
    await syncFolder(this.#folder)
    try {
      this.#db.data = after
      await this.#db.write()
      if (this.#folder !== this.#place.final) await this.#moveIn()
    } catch (error) {
      this.#db.data = before
      // The disk may have failed when the new one had its name already.
      if (before !== null) await this.#db.read().catch(() => undefined)
      throw error
    }
    const named = new Set(filesOf(after))
    await this.#remove(before === null ? [] : filesOf(before).filter((file) => !named.has(file)))
  }

  /** Puts the folder of a new sandbox in its place, which makes it exist. */
  async #moveIn(): Promise<void> {
    const { folder, final } = this.#place
    await rename(folder, final)
    this.#folder = final
    const { data } = this.#db
    this.#db = manifestIn(final)
    this.#db.data = data
    await syncFolder(dirname(final))
  }

  /** What is named no more is only in the way: what cannot be removed now is swept up later. */
  async #remove(files: readonly string[]): Promise<void> {
    for (const file of files) await rm(this.pathOf(file), { force: true }).catch(() => undefined)
  }
}
