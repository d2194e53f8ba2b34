/**
 * The keys of some records of a collection, oldest record first, in pieces: an addition moves only the keys of its
 * piece. Forks share a piece until one of them writes to it.
 */

/** The most keys that are moved or copied at once. */
const PIECE = 512

/** Never empty; `ages` is parallel to `keys`. */
interface Piece {
  readonly ages: number[]
  readonly keys: string[]
  /** The list that may write to it. */
  readonly owner: KeyList
}

export class KeyList {
  #pieces: Piece[] = []

  /** Adds a key; `age` is lower for an older record, and no two have the same. */
  add(age: number, key: string): void {
    const at = this.#pieceOf(age)
    const piece = this.#writable(at)
    const index = piece === undefined ? PIECE : countUpTo(piece.ages, age)
    // Most keys are added at the end, where the piece before stays full.
    if (piece === undefined || index === PIECE) {
      this.#pieces.splice(at + 1, 0, { ages: [age], keys: [key], owner: this })
      return
    }
    const { ages, keys } = piece
    if (index === keys.length) {
      ages.push(age)
      keys.push(key)
      return
    }
    ages.splice(index, 0, age)
    keys.splice(index, 0, key)
    if (keys.length <= PIECE) return
    const rest = { ages: ages.splice(PIECE / 2), keys: keys.splice(PIECE / 2), owner: this }
    this.#pieces.splice(at + 1, 0, rest)
  }

  /** Removes the key with an age, if it exists. */
  remove(age: number): void {
    const at = this.#pieceOf(age)
    const index = this.#pieces[at]?.ages.indexOf(age) ?? -1
    const piece = index < 0 ? undefined : this.#writable(at)
    piece?.ages.splice(index, 1)
    piece?.keys.splice(index, 1)
    if (piece?.keys.length === 0) this.#pieces.splice(at, 1)
  }

  /** The keys of the records that are younger than an age, at most `limit`. */
  after(age: number, limit: number): string[] {
    const found: string[] = []
    for (let at = this.#pieceOf(age); at < this.#pieces.length; at += 1) {
      const { ages, keys } = this.#pieces[at] as Piece
      const from = countUpTo(ages, age)
      found.push(...keys.slice(from, from + limit - found.length))
      if (found.length >= limit) break
    }
    return found
  }

  get length(): number {
    return this.#pieces.reduce((sum, { keys }) => sum + keys.length, 0)
  }

  /** A second list with the same keys, which may be written to: this one must not be any more. */
  fork(): KeyList {
    const fork = new KeyList()
    fork.#pieces = [...this.#pieces]
    return fork
  }

  /** The last piece that does not begin after an age. */
  #pieceOf(age: number): number {
    const pieces = this.#pieces
    let [low, high] = [0, pieces.length - 1]
    if ((pieces[high]?.ages[0] ?? 0) <= age) return Math.max(0, high)
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((pieces[middle]?.ages[0] ?? 0) <= age) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The piece, or a copy in its place if it belongs to another list. */
  #writable(at: number): Piece | undefined {
    const piece = this.#pieces[at]
    if (piece === undefined || piece.owner === this) return piece
    const copy = { ages: [...piece.ages], keys: [...piece.keys], owner: this }
    this.#pieces[at] = copy
    return copy
  }
}

/** The number of ages, in ascending order, that are not above one. A binary search, unless all are. */
function countUpTo(ages: readonly number[], age: number): number {
  let [low, high] = [0, ages.length]
  if ((ages[high - 1] ?? 0) <= age) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ages[middle] ?? 0) <= age) low = middle + 1
    else high = middle
  }
  return low
}
