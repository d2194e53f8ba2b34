/**
 * The records of one collection by id, in the order of insertion, with an index by owner and status, and the changes that
 * the journal has not received. A list reads no record that its filter excludes, and a fork shares what it does not change.
 */
import {
  compareNumbers,
  compareTexts,
  entriesFrom,
  type InsertionOrder,
  type SortedTree,
  sortedTree,
} from './sorted-tree.ts'

export interface Lookup<Value> {
  readonly keyOf: (record: Value) => string
  readonly indexing: Indexing | null
}

/** What an index is by: the field `status`, and fields with owners, which a record keeps. */
export interface Indexing {
  readonly statuses: readonly string[]
  /** All records with the same owner in one field agree in the fields after it. */
  readonly owners: readonly string[]
}

/** The records to list: those that match a filter, from the first of an order, or after the one with an id. */
export interface Listing {
  readonly filter?: { readonly [field: string]: unknown }
  readonly after?: string | undefined
  readonly limit?: number
  /** By default the oldest first. */
  readonly order?: InsertionOrder
}

/** The index by the owners in one field. The last one has no field: all records are those of one owner. */
interface Index {
  readonly field: string | null
  readonly owners: SortedTree<string, number>
  /** A key for each record: the number of its owner, its status and its position. */
  readonly keys: SortedTree<number, undefined>
}

/** More positions than an indexed collection ever has. Below 2^53 this leaves 2^27 pairs of an owner and a status. */
const POSITIONS = 2 ** 26

const NOBODY = ''

/** The positions to read of one group of keys. */
type PositionRange = Readonly<Record<'group' | 'from' | 'limit', number>>

export class Records<Value> implements ReadonlyMap<string, Value> {
  readonly #lookup: Lookup<Value>
  /** A record that is added takes the next position, and keeps it. */
  #positions = sortedTree<string, number>(compareTexts)
  #records = sortedTree<number, Value>(compareNumbers)
  #nextPosition = 0
  #indexes: readonly Index[]
  #isJournaled = false
  /** What changed since the last `drain`, where changes are journaled; null where nothing did. */
  #changed: { readonly put: Map<string, Value>; readonly deleted: Set<string> } | null = null

  constructor(lookup: Lookup<Value>) {
    this.#lookup = lookup
    const fields = lookup.indexing === null ? [] : [...lookup.indexing.owners, null]
    this.#indexes = fields.map((field) => ({
      field,
      owners: sortedTree<string, number>(compareTexts),
      keys: sortedTree<number>(compareNumbers),
    }))
  }

  get size(): number {
    return this.#records.size
  }

  get(id: string): Value | undefined {
    const position = this.#positions.get(id)
    return position === undefined ? undefined : this.#records.get(position)
  }

  has(id: string): boolean {
    return this.#positions.get(id) !== undefined
  }

  put(record: Value): void {
    const id = this.#lookup.keyOf(record)
    const known = this.#positions.get(id)
    const position = known ?? this.#nextPosition++
    const before = known === undefined ? undefined : this.#records.get(known)
    if (known === undefined) this.#positions.set(id, position)
    this.#records.set(position, record)
    if (before === undefined || statusOf(before) !== statusOf(record)) {
      for (const index of this.#indexes) {
        if (before !== undefined) index.keys.delete(this.#keyIn(index, before, position))
        index.keys.set(this.#keyIn(index, record, position), undefined)
      }
    }
    this.#changes?.put.set(id, record)
  }

  delete(id: string): boolean {
    const position = this.#positions.get(id)
    if (position === undefined) return false
    const record = this.#records.get(position) as Value
    for (const index of this.#indexes) index.keys.delete(this.#keyIn(index, record, position))
    this.#positions.delete(id)
    this.#records.delete(position)
    // A record that is added again comes last, as after a replay, which deletes first.
    this.#changes?.put.delete(id)
    this.#changes?.deleted.add(id)
    return true
  }

  clear(): void {
    for (const id of [...this.keys()]) this.delete(id)
  }

  /** The same records; neither sees the changes of the other. The changes of a fork are not journaled. */
  fork(): Records<Value> {
    const fork = new Records(this.#lookup)
    fork.#positions = this.#positions.clone()
    fork.#records = this.#records.clone()
    fork.#nextPosition = this.#nextPosition
    fork.#indexes = this.#indexes.map((index) => ({
      ...index,
      owners: index.owners.clone(),
      keys: index.keys.clone(),
    }))
    return fork
  }

  /** Notes changes from here on, for the journal. */
  trackChanges(): this {
    this.#isJournaled = true
    return this
  }

  /** Treats everything as unchanged from here on. */
  markUnchanged(): void {
    if (!this.#isJournaled) throw new Error('The changes of a fork are not journaled')
    this.#changed = null
  }

  /** The changes since the last call, in the order in which a replay must apply them; null without any. */
  drain(): { readonly put: Value[]; readonly deleted: string[] } | null {
    const changes = this.#changed
    this.markUnchanged()
    return changes && { put: [...changes.put.values()], deleted: [...changes.deleted] }
  }

  *values(): Generator<Value, undefined> {
    for (const record of this.#records.values()) yield record
  }

  *keys(): Generator<string, undefined> {
    for (const record of this.values()) yield this.#lookup.keyOf(record)
  }

  entries(): Generator<[string, Value], undefined> {
    return this.#entriesFrom(0, 'oldest')
  }

  [Symbol.iterator](): Generator<[string, Value], undefined> {
    return this.entries()
  }

  forEach(visit: (record: Value, id: string, records: ReadonlyMap<string, Value>) => void): void {
    for (const [id, record] of this) visit(record, id, this)
  }

  /** Lists records with their ids. Throws if the filter names a field without an index. */
  list(listing: Listing): [string, Value][] {
    const { filter = {}, limit = Number.POSITIVE_INFINITY, order = 'oldest' } = listing
    const from = this.#startOf(listing)
    if (this.#lookup.indexing === null || Object.keys(filter).length === 0) {
      return firstOf(this.#entriesFrom(from, order), { filter, limit })
    }
    const { status, ...owners } = filter
    const all = this.#lookup.indexing.statuses
    const statuses = status === undefined ? all : [String(status)]
    const index = this.#indexFor(Object.keys(owners))
    const owner = index.owners.get(index.field === null ? NOBODY : String(owners[index.field]))
    if (owner === undefined) return []
    const positions = statuses.flatMap((each) =>
      positionsIn(index, { group: this.#groupOf(owner, each), from, limit, order }),
    )
    if (statuses.length > 1)
      positions.sort((one, other) => (order === 'newest' ? other - one : one - other))
    return firstOf(this.#entriesAt(positions), { filter: owners, limit })
  }

  /** The index by the narrowest of some owners: either all records that it finds match the others, or none does. */
  #indexFor(fields: readonly string[]): Index {
    const isKnown = (field: string) => this.#indexes.some((index) => index.field === field)
    const index = this.#indexes.find(({ field }) => field === null || fields.includes(field))
    if (index === undefined || !fields.every(isKnown)) throw new Error(`No index is by ${fields}`)
    return index
  }

  /** The key before those of the records with a status of the owner with a number. */
  #groupOf(owner: number, status: string): number {
    const { statuses = [] } = this.#lookup.indexing ?? {}
    // An unknown status has a group, which is empty.
    return (owner * (statuses.length + 1) + statuses.indexOf(status) + 1) * POSITIONS
  }

  #keyIn({ field, owners }: Index, record: Value, position: number): number {
    const owner = field === null ? NOBODY : String(fieldOf(record, field))
    const number = owners.get(owner) ?? owners.size
    if (number === owners.size) owners.set(owner, number)
    return this.#groupOf(number, statusOf(record)) + position
  }

  /** The first position that a listing can have. */
  #startOf({ after, order }: Listing): number {
    const position = after === undefined ? undefined : this.#positions.get(after)
    if (order === 'newest') return (position ?? POSITIONS) - 1
    return (position ?? -1) + 1
  }

  *#entriesFrom(from: number, order: InsertionOrder): Generator<[string, Value], undefined> {
    for (const [, record] of entriesFrom(this.#records, from, order)) {
      yield [this.#lookup.keyOf(record), record]
    }
  }

  *#entriesAt(positions: readonly number[]): Generator<[string, Value]> {
    for (const position of positions) {
      const record = this.#records.get(position)
      if (record !== undefined) yield [this.#lookup.keyOf(record), record]
    }
  }

  get #changes() {
    if (this.#isJournaled) this.#changed ??= { put: new Map(), deleted: new Set() }
    return this.#changed
  }
}

function positionsIn(
  { keys }: Index,
  { group, from, limit, order }: PositionRange & { readonly order: InsertionOrder },
): number[] {
  const positions: number[] = []
  for (const [key] of entriesFrom(keys, group + from, order)) {
    const position = key - group
    if (position < 0 || position >= POSITIONS || positions.length >= limit) break
    positions.push(position)
  }
  return positions
}

/** Lists the records of any map with their ids. */
export function listRecords<Value>(
  records: ReadonlyMap<string, Value>,
  listing: Listing,
): [string, Value][] {
  if (records instanceof Records) return records.list(listing)
  const entries = listing.order === 'newest' ? [...records].reverse() : records
  return firstOf(entriesAfter(entries, listing.after), listing)
}

/** The first entries that match a filter. A collection without an index is small enough to be read whole. */
function firstOf<Value>(
  entries: Iterable<[string, Value]>,
  { filter = {}, limit = Number.POSITIVE_INFINITY }: Listing,
): [string, Value][] {
  const conditions = Object.entries(filter)
  const found: [string, Value][] = []
  for (const entry of entries) {
    if (found.length >= limit) break
    if (conditions.every(([field, value]) => fieldOf(entry[1], field) === value)) found.push(entry)
  }
  return found
}

function statusOf(record: unknown): string {
  return String(fieldOf(record, 'status'))
}

function fieldOf(record: unknown, field: string): unknown {
  return (record as { readonly [field: string]: unknown })[field]
}

function* entriesAfter<Value>(
  records: Iterable<[string, Value]>,
  after: string | undefined,
): Generator<[string, Value]> {
  let isReached = after === undefined
  for (const entry of records) {
    if (isReached) yield entry
    isReached ||= entry[0] === after
  }
}
