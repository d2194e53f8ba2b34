/** Those who want to know when something happens in a sandbox: followers of its events. */

export interface Watcher {
  readonly onChange: () => void
  /** Nothing will happen here any more. */
  readonly onEnd: () => void
}

/** Who watches one sandbox. */
export class Watchers {
  readonly #watchers = new Set<Watcher>()

  /** Tells a watcher of every change from now on; call what it answers to be told no more. */
  add(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  tellOfChange(): void {
    for (const watcher of this.#watchers) watcher.onChange()
  }

  /** Tells every watcher that it is over. */
  end(): void {
    for (const watcher of this.#watchers) watcher.onEnd()
    this.#watchers.clear()
  }
}
