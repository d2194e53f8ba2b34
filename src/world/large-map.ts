/**
 * A map in pieces, in the order of insertion. A Map moves all of its entries at once when it grows, which takes 100 ms
 * with a million of them; a piece stays small. Forks share a piece until one of them writes to it.
 */

/** The most entries that are moved or copied at once. */
const PIECE = 32_768

/** Entries in the order of insertion, with their lowest and highest id: a counted id is in one piece only. */
class Piece<Value> extends Map<string, Value> {
  first = ''
  last = ''

  put(id: string, value: Value): void {
    if (this.size === 0 || id < this.first) this.first = id
    if (id > this.last) this.last = id
    this.set(id, value)
  }

  holds(id: string): boolean {
    return id >= this.first && id <= this.last && this.has(id)
  }

  find(id: string): Value | undefined {
    return id >= this.first && id <= this.last ? this.get(id) : undefined
  }

  copy(): Piece<Value> {
    return Object.assign(new Piece(this), { first: this.first, last: this.last })
  }
}

export class LargeMap<Value> implements ReadonlyMap<string, Value> {
  /** Oldest first; only the first piece may be empty. */
  #pieces: Piece<Value>[] = [new Piece()]
  /** The pieces that no fork shares. */
  readonly #own = new Set(this.#pieces)
  /** The highest id. A new id is usually higher, and then no piece is searched. */
  #last = ''

  get size(): number {
    return this.#pieces.reduce((sum, { size }) => sum + size, 0)
  }

  get(id: string): Value | undefined {
    if (id > this.#last) return undefined
    for (let at = this.#pieces.length - 1; at >= 0; at -= 1) {
      const value = this.#pieces[at]?.find(id)
      if (value !== undefined) return value
    }
    return undefined
  }

  has(id: string): boolean {
    return this.#pieceWith(id) !== undefined
  }

  set(id: string, value: Value): this {
    this.replace(id, value)
    return this
  }

  /** Sets a value and returns the one before. */
  protected replace(id: string, value: Value): Value | undefined {
    const piece = this.#pieceWith(id)
    const before = piece?.get(id)
    this.#writable(piece ?? this.#pieceWithRoom()).put(id, value)
    if (id > this.#last) this.#last = id
    return before
  }

  delete(id: string): boolean {
    const found = this.#pieceWith(id)
    if (found === undefined) return false
    const piece = this.#writable(found)
    piece.delete(id)
    if (piece.size === 0 && this.#pieces.length > 1) {
      this.#pieces.splice(this.#pieces.indexOf(piece), 1)
      this.#own.delete(piece)
    }
    return true
  }

  clear(): void {
    for (const id of [...this.keys()]) this.delete(id)
  }

  /** Gives an empty map the same entries; neither sees the changes of the other. */
  fork(fork = new LargeMap<Value>()): LargeMap<Value> {
    fork.#pieces = [...this.#pieces]
    fork.#last = this.#last
    fork.#own.clear()
    this.#own.clear()
    return fork
  }

  *entries(): Generator<[string, Value], undefined> {
    for (const piece of this.#pieces) for (const each of piece) yield each
  }

  /** The entries after an id; all entries without one. Skips only within the piece of that id. */
  *entriesAfter(id?: string): Generator<[string, Value], undefined> {
    const within = id === undefined ? undefined : this.#pieceWith(id)
    let isReached = within === undefined
    for (const piece of this.#pieces.slice(
      within === undefined ? 0 : this.#pieces.indexOf(within),
    )) {
      for (const each of piece) {
        if (isReached) yield each
        isReached ||= each[0] === id
      }
    }
  }

  /** The entries in pieces that another map does not share. Shared pieces are the same in both. */
  *entriesApartFrom(other: LargeMap<Value>): Generator<[string, Value], undefined> {
    const shared = new Set(other.#pieces)
    for (const piece of this.#pieces) if (!shared.has(piece)) yield* piece
  }

  *keys(): Generator<string, undefined> {
    for (const piece of this.#pieces) for (const each of piece.keys()) yield each
  }

  *values(): Generator<Value, undefined> {
    for (const piece of this.#pieces) for (const each of piece.values()) yield each
  }

  /** All values at once, which is faster than one by one. */
  list(): Value[] {
    const none: Value[] = []
    return none.concat(...this.#pieces.map((piece) => [...piece.values()]))
  }

  [Symbol.iterator](): Generator<[string, Value], undefined> {
    return this.entries()
  }

  forEach(visit: (value: Value, id: string, map: ReadonlyMap<string, Value>) => void): void {
    for (const [id, value] of this) visit(value, id, this)
  }

  /** Most lookups are of the newest entries. */
  #pieceWith(id: string): Piece<Value> | undefined {
    if (id > this.#last) return undefined
    for (let at = this.#pieces.length - 1; at >= 0; at -= 1) {
      if (this.#pieces[at]?.holds(id)) return this.#pieces[at]
    }
    return undefined
  }

  #pieceWithRoom(): Piece<Value> {
    const newest = this.#pieces.at(-1)
    if (newest !== undefined && newest.size < PIECE) return newest
    const piece = new Piece<Value>()
    this.#pieces.push(piece)
    this.#own.add(piece)
    return piece
  }

  /** The piece itself, or a copy in its place if a fork shares it. */
  #writable(piece: Piece<Value>): Piece<Value> {
    if (this.#own.has(piece)) return piece
    const copy = piece.copy()
    this.#pieces[this.#pieces.indexOf(piece)] = copy
    this.#own.add(copy)
    return copy
  }
}
