/**
 * Pages of lists, and single records. Owns how they are found, and the refusal of an unknown cursor, identifier or
 * status.
 */
import { isRefusal } from '../billing/refusal.ts'
import { Status, statusName } from '../billing/status.ts'
import { invalidField, printValue } from '../surface/refusals.ts'
import { camelKeys } from '../wire/common/case.ts'
import { type Listing, listRecords } from '../world/records.ts'
import type { Refusal } from '../world/refusal.ts'
import { findRecord, nearestNames } from '../world/results.ts'
import type { InsertionOrder } from '../world/sorted-tree.ts'
import { runInSlices } from '../world/time-slice.ts'

/** Which part of a list to answer, and what its records must have in other fields. */
export interface PageRequest {
  readonly limit: number
  readonly after?: string | undefined
  readonly order?: InsertionOrder
  /** A text that the records contain. */
  readonly search?: string | undefined
  readonly [field: string]: unknown
}

/** One page of records, by default in the order in which they were made. Throws 400 for an unknown cursor. */
export function readPage<Value extends object | string, Wire>(
  records: ReadonlyMap<string, Value>,
  page: PageRequest,
  present: (value: Value) => Wire,
) {
  return recordPage(listRecords(records, listingOf(records, page)), page.limit, present)
}

/** What to list for a page: one record more than it has. */
function listingOf(
  records: ReadonlyMap<string, unknown>,
  { limit, after, order = 'oldest', ...filter }: PageRequest,
) {
  if (after !== undefined && !records.has(after)) {
    throw unknownCursor(after, ', of a record that was not deleted since')
  }
  const wanted = Object.entries(camelKeys(filter)).filter(([, value]) => value !== undefined)
  return { filter: Object.fromEntries(wanted), after, limit: limit + 1, order }
}

/** How a search reads a record, and how it is presented. */
interface SearchTerms<Value, Wire> {
  readonly present: (value: Value) => Wire
  readonly textsOf: (value: Value) => readonly (string | null | undefined)[]
}

/** As `readPage`; with `search`, only records of which one text contains it, in capitals or not. */
export async function searchPage<Value extends object, Wire>(
  records: ReadonlyMap<string, Value>,
  { search, ...page }: PageRequest,
  { present, textsOf }: SearchTerms<Value, Wire>,
) {
  if (search === undefined) return readPage(records, page, present)
  const wanted = search.toLowerCase()
  const matches = (value: Value) =>
    textsOf(value).some((text) => text?.toLowerCase().includes(wanted))
  const found = await runInSlices(searchRecords(records, listingOf(records, page), matches))
  return recordPage(found, page.limit, present)
}

/** How many records a search reads in one step. */
const STEP = 20

/** The records of a listing that fulfil a condition, in steps: a rare text is searched for in all of them. */
function* searchRecords<Value>(
  records: ReadonlyMap<string, Value>,
  listing: Listing & { readonly limit: number },
  matches: (value: Value) => boolean,
): Generator<void, [string, Value][]> {
  const found: [string, Value][] = []
  let { after } = listing
  for (;;) {
    const read = listRecords(records, { ...listing, after, limit: STEP })
    found.push(...read.filter(([, value]) => matches(value)))
    after = read.at(-1)?.[0]
    if (read.length < STEP || found.length >= listing.limit) return found.slice(0, listing.limit)
    yield
  }
}

function recordPage<Value, Wire>(
  entries: readonly [string, Value][],
  limit: number,
  present: (value: Value) => Wire,
) {
  return toPage(entries, limit, {
    present: ([, record]) => present(record),
    cursorOf: ([id]) => id,
  })
}

/** The page of a list in which one more than `limit` was looked for. */
export function toPage<Item, Wire, Cursor>(
  found: readonly Item[],
  limit: number,
  terms: { readonly present: (item: Item) => Wire; readonly cursorOf: (item: Item) => Cursor },
) {
  const shown = found.slice(0, limit)
  const last = found.length > limit ? shown.at(-1) : undefined
  return {
    data: shown.map(terms.present),
    has_more: found.length > limit,
    next_after: last === undefined ? null : terms.cursorOf(last),
  }
}

/** The record that the parameter of a path names, as it is presented; a refusal if there is none. */
export function findOne<Value, Wire>(
  records: ReadonlyMap<string, Value>,
  named: Readonly<Record<string, string>>,
  present: (value: Value) => Wire,
): Wire | Refusal {
  const [[field, id] = ['', '']] = Object.entries(named)
  const found = findRecord(records, field, id)
  return isRefusal(found) ? found : present(found)
}

/** The refusal of a cursor that no page ended with, or that is gone with its record. */
export function unknownCursor(after: string | number, condition = ''): Error {
  const rule = `must be the next_after of the page before${condition}`
  return invalidField('after', `${rule}; got ${printValue(after)}`)
}

/** The status that a field names. Throws 400 for a name that no status has in this sandbox. */
export function parseStatus(
  name: string,
  field: string,
  settings: { readonly pausedStatusName: string },
): Status {
  const found = findStatus(name, settings)
  if ('status' in found) return found.status
  throw invalidField(field, found.rule)
}

/** The status with a name, or the rule that no name of a status breaks. */
export function findStatus(
  name: string,
  settings: { readonly pausedStatusName: string },
): { readonly status: Status } | { readonly rule: string } {
  const nameOf = (status: Status) => statusName(status, settings)
  const status = Status.options.find((each) => nameOf(each) === name)
  if (status !== undefined) return { status }
  const names = Status.options.map(nameOf)
  const { likely } = nearestNames(name, names)
  const near = likely === null ? '' : `; the nearest is ${JSON.stringify(likely)}`
  return { rule: `must be one of ${names.join(', ')}; got ${printValue(name)}${near}` }
}
