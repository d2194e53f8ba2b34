/**
 * The store's port: where sandboxes are kept between two runs. A sandbox appends what each command changed, and
 * now and then has the whole of itself written anew; how that reaches the disk is the adapter's business.
 */

/** What is said of a document that is kept beside a sandbox, and where it is. */
export interface Item {
  /** What names the document, as JSON. */
  readonly about: unknown
  /** Whatever the store finds it by. */
  readonly place: unknown
}

/** A document to be kept: what is said of it, and its entries. */
export interface NewItem {
  readonly about: unknown
  readonly entries: Iterable<object>
}

/** Whole documents of one kind that are kept beside a sandbox. */
export interface Shelf {
  /** What is there, oldest first. */
  readonly items: readonly Item[]
  /** The entries of a document. Throws `StoreError` for one that does not check. */
  read(item: Item): AsyncIterable<unknown> | Iterable<unknown>
  /**
   * Has just these items there, in one step: an item of before stays as it is, or with something else said of it; a new
   * one is written; what is not among them goes. Rejects with `StoreUnavailable` and keeps what was there.
   */
  set(items: readonly (Item | NewItem)[]): Promise<void>
}

/** The shelves of a sandbox. */
export const shelfNames = ['checkpoints', 'pacts'] as const
export type ShelfName = (typeof shelfNames)[number]

/** One sandbox's place in the store. Calls take effect in the order in which they are made. */
export interface StoredSandbox {
  /** Whether it keeps nothing, so that there is nothing to return to. */
  readonly isVolatile: boolean
  shelf(name: ShelfName): Shelf
  /**
   * What is kept: the entries of the whole, then those that were appended. Throws `StoreError` for what cannot be read
   * or does not check. After a failed append it answers what was kept before, and appending can be tried again.
   */
  read(): AsyncIterable<unknown>
  /** Appends what a command changed; resolves once it is kept. Rejects with `StoreUnavailable` when it is not. */
  append(entry: object): Promise<void>
  /**
   * Puts a whole in place of everything that was appended, and empties shelves, in one step. Rejects with
   * `StoreUnavailable` and keeps what was there.
   */
  replace(entries: Iterable<object>, emptied?: readonly ShelfName[]): Promise<void>
  /** Whether so much was appended that it should be folded now. */
  isOutgrown(): boolean
  /**
   * Writes a whole in place of what was appended so far, which it must include; more can be appended while it does.
   * Rejects with `StoreUnavailable` where it cannot, or another call ends it early; what is kept is the same.
   */
  fold(entries: Iterable<object>): Promise<void>
  /** Resolves once everything appended so far counts as kept, and rejects when some of it does not. */
  kept(): Promise<void>
  /** Resolves once everything appended so far is on disk, whatever counts as kept. */
  settled(): Promise<void>
  close(): Promise<void>
}

export interface Store {
  /** The ids of the sandboxes kept, oldest first. */
  list(): Promise<string[]>
  /** A sandbox that is kept. Throws `StoreError` where it cannot be read. */
  open(sandboxId: string): Promise<StoredSandbox>
  /** A place for a new sandbox, which is kept once it was first replaced, and not before. */
  create(sandboxId: string): Promise<StoredSandbox>
  /** Deletes all of a sandbox, in one step. Rejects with `StoreUnavailable` where it stays. */
  remove(sandboxId: string): Promise<void>
  /** Lets another process have the store. */
  close(): Promise<void>
}

/** When a change counts as kept: `commit` after it is on disk, `batch` at once, on disk at most 50 ms later. */
export type Durability = 'commit' | 'batch'

/** What the store holds cannot be used: which file, where, and why. Nothing is overwritten. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The folder itself cannot be had: in use, or not writable. What it holds may well be in order. */
export class FolderRefused extends StoreError {}

/** The disk does not take what should be kept, for now. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Has a failure of the disk say what it was about. */
export async function unlessFull<Value>(
  what: string,
  change: () => Promise<Value>,
): Promise<Value> {
  try {
    return await change()
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error
    throw new StoreUnavailable(`${what}: ${(error as Error).message}`)
  }
}
