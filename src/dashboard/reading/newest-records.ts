/**
 * The newest of the records that the control plane lists oldest first. Owns that no page reads more than a few thousand
 * of them for its last rows.
 */
import type { Schemas } from '../../library/sandbox.ts'
import type { PageContext } from '../ui/page-context.ts'

/** The longest part of a list, and how many of these are read. */
const PART = 1000
const PARTS_MAX = 3

/** A few invoices, and in which order they are. */
export type FewInvoices = Awaited<ReturnType<typeof newestInvoicesOf>>

/** The newest invoices; if there are too many to read them all, the oldest. */
export async function newestInvoicesOf(page: PageContext, filter: object, shown: number) {
  const invoices: Schemas['Invoice'][] = []
  let cursor: { after?: string } = {}
  for (let parts = 0; parts < PARTS_MAX; parts += 1) {
    const found = await page.list('/sandbox/invoices', { ...filter, limit: PART, ...cursor })
    invoices.push(...found.data)
    if (found.next_after === null) {
      return { caption: 'Invoices, newest first', invoices: invoices.slice(-shown).reverse() }
    }
    cursor = { after: found.next_after }
  }
  return { caption: 'Invoices, oldest first', invoices: invoices.slice(0, shown) }
}

/** Up to a thousand events after a number. */
export function eventsAfter(page: PageContext, query: object): Promise<Schemas['EventList']> {
  return page.list('/sandbox/events', { limit: PART, ...query })
}

/** The numbers of the kept events: those after `before`, up to `newest`. None is left out. */
export async function eventNumbers(page: PageContext): Promise<{ before: number; newest: number }> {
  const { data } = await eventsAfter(page, { limit: 1 })
  const before = (data[0]?.seq ?? 1) - 1
  return { before, newest: before + (page.summary.counts['events'] ?? 0) }
}

/** The newest events, oldest first: `shown` of them, or all there are. */
export async function newestEvents(
  page: PageContext,
  filter: object,
  shown: number,
): Promise<readonly Schemas['Event'][]> {
  const read = (after: number) => eventsAfter(page, { ...filter, limit: shown, after })
  const all = await read(0)
  if (!all.has_more) return all.data
  return (await read(await halved(page, async (after) => (await read(after)).has_more))).data
}

/** The number of the last event before an instant. */
export async function lastEventBefore(page: PageContext, instant: string): Promise<number> {
  return halved(page, async (after) => {
    const { data } = await eventsAfter(page, { after, limit: 1 })
    return data[0] !== undefined && data[0].at < instant
  })
}

/** The first number of an event that is not too early, found by halving. */
async function halved(
  page: PageContext,
  isTooEarly: (after: number) => Promise<boolean>,
): Promise<number> {
  let { before: low, newest: high } = await eventNumbers(page)
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (await isTooEarly(middle)) low = middle + 1
    else high = middle
  }
  return low
}
