/**
 * The store's port: where sandboxes are kept between two runs. A sandbox hands over its whole state document when
 * it commits; how that reaches the disk is the adapter's business.
 */

/** One sandbox's place in the store. */
export interface StoredSandbox {
  /** The document of the last commit; null when there is none yet. Throws `StoreError` for what cannot be read. */
  read(): Promise<unknown>
  /** Keeps the document as it is when written; resolves once it is kept. Commits under way share one write. */
  commit(document: () => unknown): Promise<void>
}

export interface Store {
  /** The ids of the sandboxes kept, sorted. */
  list(): Promise<string[]>
  open(sandboxId: string): Promise<StoredSandbox>
  remove(sandboxId: string): Promise<void>
}

/** What the store holds cannot be used: which file, and why. Nothing is overwritten. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}
