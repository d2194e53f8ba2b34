/**
 * Records by id, which track their changes since the last call of `drain`. A command passes these to the journal: the
 * cost depends on what it changed, not on the size of the collection.
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
    // A record that is added again comes last, as after a replay, which deletes first.
    this.#put.delete(id)
    this.#deleted.add(id)
    return true
  }

  /** Treats everything as unchanged from here on. */
  markUnchanged(): void {
    // Even of an empty set, `clear` allocates a new table.
    if (this.#put.size > 0) this.#put.clear()
    if (this.#deleted.size > 0) this.#deleted.clear()
  }

  /**
   * The changes since the last call, in the order in which a replay must apply them. Null if there are none: most
   * commands change few collections.
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
