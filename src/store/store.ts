/**
 * The store's port: where sandboxes are kept between two runs. A sandbox appends what each command changed, and
 * now and then has the whole of itself written anew; how that reaches the disk is the adapter's business.
 */

/** What is kept of one sandbox: its whole state at some time, and what was appended since, oldest first. */
export interface Kept {
  readonly document: unknown
  readonly entries: readonly unknown[]
}

/** Whole documents that are kept beside a sandbox, by keys that can be file names. */
export interface Shelf {
  /** The document under a key; null when there is none. Throws `StoreError` for one that does not check. */
  read(key: string): Promise<object | null>
  /** Resolves once the document is on disk. Rejects with `StoreUnavailable` and keeps what was there. */
  write(key: string, document: object): Promise<void>
  remove(key: string): Promise<void>
}

/** What is kept beside a sandbox, each kind on a shelf of its own. */
export type ShelfName = 'checkpoints' | 'pacts'

/** One sandbox's place in the store. Calls take effect in the order in which they are made. */
export interface StoredSandbox {
  /** Whether it keeps nothing, so that there is nothing to return to. */
  readonly isVolatile: boolean
  /** Where whole documents of one kind are kept beside it. */
  shelf(name: ShelfName): Shelf
  /**
   * What is kept; null when nothing is yet. Throws `StoreError` for what cannot be read or does not check. After a
   * failed append it answers what was kept before it, and appending can be tried again.
   */
  read(): Promise<Kept | null>
  /** Appends what a command changed; resolves once it is kept. Rejects with `StoreUnavailable` when it is not. */
  append(entry: object): Promise<void>
  /** Puts a whole document in place of everything kept. Rejects with `StoreUnavailable` and keeps what was there. */
  replace(document: unknown): Promise<void>
  /**
   * Writes a whole document in place of what was appended so far, which it must include; more can be appended while it
   * does. Rejects with `StoreUnavailable` where it cannot, or another call ends it early; what is kept is the same.
   */
  fold(document: unknown): Promise<void>
  /** Resolves once everything appended so far counts as kept, and rejects when some of it does not. */
  kept(): Promise<void>
  /** Resolves once everything appended so far is on disk, whatever counts as kept. */
  settled(): Promise<void>
  /** Whether so much was appended that it should be folded. */
  isOutgrown(): boolean
  close(): Promise<void>
}

export interface Store {
  /** The ids of the sandboxes kept, oldest first. */
  list(): Promise<string[]>
  open(sandboxId: string): Promise<StoredSandbox>
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
