/** The events after a number, and the number before an instant. */
import type { Schemas } from '../../library/sandbox.ts'
import { CALL_MAX, type PageContext } from '../ui/page-context.ts'

/** Up to a thousand events after a number. */
export function eventsAfter(page: PageContext, query: object): Promise<Schemas['EventList']> {
  return page.list('/sandbox/events', { limit: CALL_MAX, ...query })
}

/** The number of the last event before an instant, found by halving: none of the kept events is left out. */
export async function lastEventBefore(page: PageContext, instant: string): Promise<number> {
  const oldest = (await eventsAfter(page, { limit: 1 })).data[0]
  let low = (oldest?.seq ?? 1) - 1
  let high = low + (page.summary.counts['events'] ?? 0)
  while (low < high) {
    const after = Math.floor((low + high) / 2)
    const [next] = (await eventsAfter(page, { after, limit: 1 })).data
    if (next !== undefined && next.at < instant) low = after + 1
    else high = after
  }
  return low
}
