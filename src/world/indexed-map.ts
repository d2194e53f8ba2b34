/**
 * Records by id, with an index of those that have an owner and a status. The index follows each write, is forked with
 * the records and never stored. No list reads a record that its filter excludes.
 */
import { KeyGroups } from './key-groups.ts'
import { LargeMap } from './large-map.ts'

export interface Indexing<Value> {
  /** Lower for an older record; it never changes. */
  readonly age: (record: Value) => number
  readonly status: (record: Value) => string
  readonly statuses: readonly string[]
  /** The owners of a record, by field. All records with the same owner in one field agree in the fields after it. */
  readonly owners: { readonly [field: string]: (record: Value) => string }
}

/** The records to list: those that match a filter, from the first, or after the one with an id. */
export interface Listing {
  readonly filter?: { readonly [field: string]: unknown }
  readonly after?: string | undefined
  readonly limit?: number
}

/** For each status, the ids of each owner's records; the last index treats all records as those of one owner. */
interface Index<Value> {
  readonly field: string | null
  readonly owner: (record: Value) => string
  readonly byStatus: ReadonlyMap<string, KeyGroups>
}

const NOBODY = ''

/** Lists the records of any map with their ids, in its order. */
export function listedOf<Value>(
  records: ReadonlyMap<string, Value>,
  listing: Listing,
): [string, Value][] {
  if (records instanceof IndexedMap) return records.listed(listing)
  return firstOf(entriesBehind(records, listing.after), listing)
}

export class IndexedMap<Value> extends LargeMap<Value> {
  readonly #indexing: Indexing<Value> | null
  #indexes: readonly Index<Value>[] = []

  constructor(indexing: Indexing<Value> | null) {
    super()
    this.#indexing = indexing
    if (indexing === null) return
    const owners = Object.entries(indexing.owners).map(([field, owner]) => ({ field, owner }))
    this.#indexes = [...owners, { field: null, owner: () => NOBODY }].map((by) => ({
      ...by,
      byStatus: new Map(indexing.statuses.map((each) => [each, new KeyGroups(this.#ageOf)])),
    }))
  }

  override set(id: string, value: Value): this {
    const before = this.replace(id, value)
    // Most changes leave a record in its groups.
    if (before !== undefined && this.#isGroupedAs(before, value)) return this
    if (before !== undefined) this.#ungroup(id, before)
    this.#group(id, value)
    return this
  }

  override delete(id: string): boolean {
    const before = this.#indexing === null ? undefined : this.get(id)
    if (before !== undefined) this.#ungroup(id, before)
    return super.delete(id)
  }

  override fork(fork: IndexedMap<Value> = new IndexedMap(this.#indexing)): IndexedMap<Value> {
    super.fork(fork)
    fork.#indexes = this.#indexes.map(({ byStatus, ...by }) => ({
      ...by,
      byStatus: new Map([...byStatus].map(([each, groups]) => [each, groups.fork(fork.#ageOf)])),
    }))
    return fork
  }

  /** Lists records with their ids, oldest first. Throws if the filter names a field without an index. */
  listed(listing: Listing): [string, Value][] {
    const { filter = {}, after, limit = Number.POSITIVE_INFINITY } = listing
    if (this.#indexing === null || Object.keys(filter).length === 0) {
      return firstOf(this.entriesAfter(after), listing)
    }
    const { status, ...owners } = filter
    const statuses = status === undefined ? this.#indexing.statuses : [String(status)]
    const { field, byStatus } = this.#indexFor(Object.keys(owners))
    const owner = field === null ? NOBODY : String(owners[field])
    const age = after === undefined ? Number.NEGATIVE_INFINITY : this.#ageOf(after)
    const ids = statuses.flatMap((each) => byStatus.get(each)?.after(owner, age, limit) ?? [])
    if (statuses.length > 1) ids.sort((one, other) => this.#ageOf(one) - this.#ageOf(other))
    return firstOf(this.#entriesOf(ids), { filter: owners, limit })
  }

  /** The index by the narrowest of some owners: either all records that it finds match the others, or none does. */
  #indexFor(fields: readonly string[]): Index<Value> {
    const isKnown = (field: string) => this.#indexes.some((index) => index.field === field)
    const index = this.#indexes.find(({ field }) => field === null || fields.includes(field))
    if (index === undefined || !fields.every(isKnown)) throw new Error(`No index is by ${fields}`)
    return index
  }

  *#entriesOf(ids: readonly string[]): Generator<[string, Value]> {
    for (const id of ids) {
      const value = this.get(id)
      if (value !== undefined) yield [id, value]
    }
  }

  #isGroupedAs(one: Value, other: Value): boolean {
    if (this.#indexing === null) return true
    if (this.#indexing.status(one) !== this.#indexing.status(other)) return false
    return this.#indexes.every(({ owner }) => owner(one) === owner(other))
  }

  #group(id: string, value: Value): void {
    if (this.#indexing === null) return
    const status = this.#indexing.status(value)
    for (const { owner, byStatus } of this.#indexes) byStatus.get(status)?.add(owner(value), id)
  }

  #ungroup(id: string, value: Value): void {
    const status = this.#indexing?.status(value) ?? ''
    for (const { owner, byStatus } of this.#indexes) byStatus.get(status)?.remove(owner(value), id)
  }

  readonly #ageOf = (id: string): number => {
    const record = this.get(id)
    return record === undefined || this.#indexing === null ? 0 : this.#indexing.age(record)
  }
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

function fieldOf(record: unknown, field: string): unknown {
  return (record as { readonly [field: string]: unknown })[field]
}

function* entriesBehind<Value>(
  records: ReadonlyMap<string, Value>,
  after: string | undefined,
): Generator<[string, Value]> {
  let isReached = after === undefined
  for (const entry of records) {
    if (isReached) yield entry
    isReached ||= entry[0] === after
  }
}
