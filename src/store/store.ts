/**
 * The store's port: where sandboxes are stored between two runs. A sandbox appends the changes of each command, and now
 * and then replaces its whole state; the adapter decides how that reaches the disk.
 */

export interface StoredDocument {
  readonly about: unknown
  /** Where the store finds it. */
  readonly place: unknown
}

export interface NewDocument {
  readonly about: unknown
  readonly entries: Iterable<object>
}

/** All documents of one kind beside a sandbox. */
export interface DocumentFolder {
  readonly documents: readonly StoredDocument[]
  read(document: StoredDocument): AsyncIterable<unknown> | Iterable<unknown>
  /**
   * Stores exactly these documents, in one step: keeps stored ones, with a new description if given; writes new ones;
   * removes all others. Rejects with `StoreUnavailable`, and then nothing changes.
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
   * The entries of the state, then the appended ones. Throws `StoreError` if they are damaged. After a failed append it
   * returns what was stored before, and appending works again.
   */
  read(): AsyncIterable<unknown>
  /** Appends the changes of a command; resolves once they are committed. Rejects with `StoreUnavailable`. */
  append(entry: object): Promise<void>
  /**
   * Replaces everything stored by a state, and removes all documents of some kinds, in one step. Rejects with
   * `StoreUnavailable`; only `read` can then return which state is stored.
   */
  replace(entries: Iterable<object>, emptied?: readonly DocumentKind[]): Promise<void>
  /** Whether the journal is so long that the state should be written again. */
  isOutgrown(): boolean
  /** Resolves once everything appended is committed; rejects if some of it is not. */
  committed(): Promise<void>
  /** Resolves once everything appended is on disk, whatever the durability. */
  flushed(): Promise<void>
  /** Stores whether the next start may have events to deliver for this sandbox. */
  markUndelivered(isUndelivered: boolean): void
  /** Waits for what was appended. Nothing is written any more that only a restart would read, before a removal. */
  close(before?: 'removal'): Promise<void>
}

export interface Store {
  /** The ids of the stored sandboxes, oldest first. */
  list(): Promise<string[]>
  /** The ids of those that may have events to deliver; all ids if the store never recorded that. */
  undelivered(): Promise<string[]>
  /** A stored sandbox. Throws `StoreError` if it cannot be read. */
  open(sandboxId: string): Promise<StoredSandbox>
  /** A new sandbox. It is stored when its state is first written. */
  create(sandboxId: string): Promise<StoredSandbox>
  /** Deletes a sandbox in one step. Rejects with `StoreUnavailable` if it stays. */
  remove(sandboxId: string): Promise<void>
  /** Why no change can be stored, if the newest one failed; null if changes can be stored. */
  failure(): Promise<string | null>
  /** Releases the store for another process. */
  close(): Promise<void>
}

/** When a change counts as committed: `commit` once it is on disk, `batch` at once; on disk at most 50 ms later. */
export type Durability = 'commit' | 'batch'

/** Stored data is damaged: which file, where, and why. Nothing is overwritten. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The data folder itself cannot be used: locked, or not writable. Its content may be intact. */
export class FolderRefused extends StoreError {}

export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Adds the name of what failed to a failure of the disk. */
export async function withStoreErrors<Value>(
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
