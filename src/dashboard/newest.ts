/**
 * The newest of what the control plane lists oldest first. Owns that no page reads more than a few thousand records
 * for its last rows.
 */
import type { QueryOf, Schemas } from '../library/sandbox.ts'
import { answered } from '../library/transport.ts'
import type { Visit } from './visit.ts'

type EventFilter = Omit<QueryOf<'listEvents'>, 'limit' | 'after'>
type InvoiceFilter = Omit<QueryOf<'listInvoices'>, 'limit' | 'after'>

/** The longest page of a list, and how many of these are read. */
const PAGE = 1000
const PAGES_MAX = 3

/** A few invoices, and in which order they are. */
export interface FewInvoices {
  readonly caption: string
  readonly invoices: readonly Schemas['Invoice'][]
}

/** The newest invoices; where there are too many to be read to the last, the oldest. */
export async function newestInvoicesOf(
  { control }: Visit,
  filter: InvoiceFilter,
  shown: number,
): Promise<FewInvoices> {
  let [oldest, newest]: Schemas['Invoice'][][] = []
  let cursor: { after?: string } = {}
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { ...filter, limit: PAGE, ...cursor }
    const found = await answered(control.GET('/sandbox/invoices', { params: { query } }))
    oldest ??= found.data.slice(0, shown)
    newest = [...(newest ?? []), ...found.data].slice(-shown)
    if (found.next_after === null) {
      return { caption: 'Invoices, newest first', invoices: newest.reverse() }
    }
    cursor = { after: found.next_after }
  }
  return { caption: 'Invoices, oldest first', invoices: oldest ?? [] }
}

/** Up to a thousand events after a number. */
export function eventsAfter(
  { control }: Visit,
  query: EventFilter & { after?: number; limit?: number },
): Promise<Schemas['EventList']> {
  return answered(control.GET('/sandbox/events', { params: { query: { limit: PAGE, ...query } } }))
}

/** Between which numbers the kept events are: no number is left out. */
async function eventNumbers(visit: Visit): Promise<{ before: number; newest: number }> {
  const { data } = await eventsAfter(visit, { limit: 1 })
  const before = (data[0]?.seq ?? 1) - 1
  return { before, newest: before + (visit.summary.counts['events'] ?? 0) }
}

/** The newest events that fit, oldest first: at least `shown`, or all there are. */
export async function newestEvents(
  visit: Visit,
  filter: EventFilter,
  shown: number,
): Promise<readonly Schemas['Event'][]> {
  const read = (after: number) => eventsAfter(visit, { ...filter, limit: shown * 8, after })
  let { before: low, newest: high } = await eventNumbers(visit)
  const all = await read(low)
  if (!all.has_more) return all.data
  // After `low` there are more than fit on one page, after `high` too few.
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const { data, has_more: isMore } = await read(middle)
    if (!isMore && data.length >= shown) return data
    if (isMore) low = middle
    else high = middle
  }
  return (await read(high)).data
}

/** The number of the last event before an instant, found by halving. */
export async function lastEventBefore(visit: Visit, instant: string): Promise<number> {
  let { before: low, newest: high } = await eventNumbers(visit)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const { data } = await eventsAfter(visit, { after: middle, limit: 1 })
    if (data[0] !== undefined && data[0].at < instant) low = middle + 1
    else high = middle
  }
  return low
}
