/**
 * A world and what the store keeps of it. Owns handing changes over, writing the whole anew, and the return to what is
 * kept once the store did not take a change. Turns are the sandbox's business: whoever calls this has one.
 */
import { type ShelfName, type StoredSandbox, StoreError } from '../store/store.ts'
import { type JournalEntry, reachOf, type Taken, takeAll, takeEntry } from './journal-entry.ts'
import { entriesOfWorld } from './state-document.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'
import { readWorld } from './world-entries.ts'

/** The world that the store keeps of a sandbox. Throws `StoreError` where what is kept cannot be used. */
export async function readKept(stored: StoredSandbox, sandboxId: string): Promise<World> {
  try {
    return await readWorld(stored.read(), { sandboxId, shape: 'unknown' })
  } catch (error) {
    if (!(error instanceof StateDocumentError)) throw error
    throw new StoreError(`The state of sandbox "${sandboxId}" cannot be used: ${error.message}`)
  }
}

export class KeptWorld {
  readonly #stored: StoredSandbox
  readonly #onKept: () => void
  #world: World
  /** How far the world's changes were handed to the store. */
  #taken: Taken
  #isAhead = false
  /** What the last change shares with those that are kept together with it. */
  #keeping: Promise<void> | null = null

  /** `onKept` is told whenever a change came to be kept. */
  constructor(world: World, stored: StoredSandbox, onKept: () => void) {
    this.#world = world
    this.#stored = stored
    this.#onKept = onKept
    this.#taken = takeAll(world)
  }

  get world(): World {
    return this.#world
  }

  /** Whether memory holds what the store did not take. */
  get isAhead(): boolean {
    return this.#isAhead
  }

  /** Hands what changed to the store; the promise is that it is kept, and all that came before it. */
  keep(): Promise<void> {
    const entry = takeEntry(this.#world, this.#taken)
    if (entry === null) return this.#stored.kept()
    this.#taken = reachOf(this.#world)
    const kept = this.#append(entry)
    if (kept !== this.#keeping) this.#follow(kept)
    return kept
  }

  #append(entry: JournalEntry): Promise<void> {
    try {
      return this.#stored.append(entry)
    } catch (error) {
      // What cannot even be written down is kept by nobody.
      this.#isAhead = true
      throw error
    }
  }

  /** Changes that are kept together have one promise. */
  #follow(kept: Promise<void>): void {
    this.#keeping = kept
    kept.then(this.#onKept, () => {
      this.#isAhead = true
    })
  }

  /** Has the store put the world as it was handed over in place of what was appended; changes go on meanwhile. */
  fold(): Promise<void> {
    return this.#stored.fold(entriesOfWorld(this.#world))
  }

  /**
   * Writes a world whole and puts it in place; when that fails, the one before stays in both. Only what is kept can say
   * so: the disk may have failed when the new one had its name already.
   */
  async replace(world: World, emptied: readonly ShelfName[] = []): Promise<void> {
    this.#isAhead = !this.#stored.isVolatile
    await this.#stored.replace(entriesOfWorld(world), emptied)
    this.#isAhead = false
    this.#world = world
    this.#taken = takeAll(world)
    this.#onKept()
  }

  /** Gives up what changed since it was last handed over, if anything did, because a command broke off half-way. */
  abandon(): void {
    if (!this.#stored.isVolatile && takeEntry(this.#world, this.#taken) !== null) {
      this.#isAhead = true
    }
  }

  /** Returns to what the store keeps. */
  async fallBack(): Promise<void> {
    this.#world = await readKept(this.#stored, this.#world.sandboxId)
    this.#taken = takeAll(this.#world)
    this.#isAhead = false
  }
}
