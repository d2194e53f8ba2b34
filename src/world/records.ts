/**
 * Records by id, which remember which of them changed since they were last asked. That is what a command hands to
 * the journal: its cost is that of what it changed, not of what there is.
 */
import { IndexedMap } from './indexed-map.ts'

export class Records<Value> extends IndexedMap<Value> {
  readonly #put = new Set<string>()
  readonly #deleted = new Set<string>()

  override set(id: string, value: Value): this {
    this.#put.add(id)
    return super.set(id, value)
  }

  override delete(id: string): boolean {
    const wasThere = super.delete(id)
    if (!wasThere) return false
    // Put again later, it stands last; so does it after a replay, which deletes first.
    this.#put.delete(id)
    this.#deleted.add(id)
    return true
  }

  /** Takes everything as unchanged from here on. */
  markUnchanged(): void {
    // To clear a set makes a new one inside, even of an empty one.
    if (this.#put.size > 0) this.#put.clear()
    if (this.#deleted.size > 0) this.#deleted.clear()
  }

  /**
   * What changed since this was last called, in the order in which a replay must put it; null where nothing did, as most
   * commands leave most collections alone.
   */
  drain(): { readonly put: Value[]; readonly deleted: string[] } | null {
    if (this.#put.size + this.#deleted.size === 0) return null
    const put: Value[] = []
    for (const id of this.#put) {
      const value = this.get(id)
      if (value !== undefined) put.push(value)
    }
    const deleted = [...this.#deleted]
    this.markUnchanged()
    return { put, deleted }
  }
}
