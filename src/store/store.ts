/**
 * The store's port: where sandboxes are stored between two runs. A sandbox appends what each command changed, and
 * now and then writes all of its state anew; how that reaches the disk is the adapter's business.
 */

/** A document that is stored beside a sandbox. */
export interface StoredDocument {
  /** Its description, as JSON. */
  readonly about: unknown
  /** How the store finds it. */
  readonly place: unknown
}

/** A document to be stored. */
export interface NewDocument {
  readonly about: unknown
  readonly entries: Iterable<object>
}

/** All documents of one kind beside a sandbox. */
export interface DocumentFolder {
  /** Oldest first. */
  readonly documents: readonly StoredDocument[]
  /** The entries of a document. Throws `StoreError` where it is damaged. */
  read(document: StoredDocument): AsyncIterable<unknown> | Iterable<unknown>
  /**
   * Stores exactly these documents, in one step: a stored one stays, with another description if it is given one; a new
   * one is written; all others are removed. Rejects with `StoreUnavailable`, and then nothing changes.
   */
  set(documents: readonly (StoredDocument | NewDocument)[]): Promise<void>
}

export const documentKinds = ['checkpoints', 'pacts'] as const
export type DocumentKind = (typeof documentKinds)[number]

/** One sandbox in the store. Calls take effect in the order in which they are made. */
export interface StoredSandbox {
  /** Whether it stores no state, so that there is nothing to read back. */
  readonly isVolatile: boolean
  documents(kind: DocumentKind): DocumentFolder
  /**
   * The entries of the state, then those that were appended. Throws `StoreError` where they are damaged. After a failed
   * append it answers what was stored before that, and appending works again.
   */
  read(): AsyncIterable<unknown>
  /** Appends what a command changed; resolves once it is committed. Rejects with `StoreUnavailable`. */
  append(entry: object): Promise<void>
  /**
   * Writes a state in place of everything that was appended, and removes all documents of some kinds, in one step.
   * Rejects with `StoreUnavailable`; only `read` can say then which state is stored.
   */
  replace(entries: Iterable<object>, emptied?: readonly DocumentKind[]): Promise<void>
  /** Whether so much was appended that the state should be written anew. */
  isOutgrown(): boolean
  /** Resolves once everything appended is committed; rejects where some of it is not. */
  committed(): Promise<void>
  /** Resolves once everything appended is on disk, whatever the durability. */
  flushed(): Promise<void>
  /** Notes beside the sandbox whether the next start may have events to deliver for it. */
  markUndelivered(isUndelivered: boolean): void
  /** Waits for what was appended. Nothing is written any more that only a restart would read, before a removal. */
  close(before?: 'removal'): Promise<void>
}

export interface Store {
  /** The ids of the stored sandboxes, oldest first. */
  list(): Promise<string[]>
  /** The ids of those that may have events to deliver; of a store that never noted that, all. */
  undelivered(): Promise<string[]>
  /** A stored sandbox. Throws `StoreError` where it cannot be read. */
  open(sandboxId: string): Promise<StoredSandbox>
  /** A new sandbox, which is stored as soon as its state was first written. */
  create(sandboxId: string): Promise<StoredSandbox>
  /** Deletes a sandbox in one step. Rejects with `StoreUnavailable` where it stays. */
  remove(sandboxId: string): Promise<void>
  /** Why no change can be stored, where the newest one could not be; null where one can. */
  failure(): Promise<string | null>
  /** Lets another process have the store. */
  close(): Promise<void>
}

/** When a change counts as committed: `commit` once it is on disk, `batch` at once; on disk at most 50 ms later. */
export type Durability = 'commit' | 'batch'

/** What is stored is damaged: which file, where, and why. Nothing is overwritten. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The data folder itself cannot be used: locked, or not writable. What it holds may be in order. */
export class FolderRefused extends StoreError {}

/** The disk does not take a write, for now. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Has a failure of the disk name what failed. */
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
