/** Trouble first: past due, then payments that will fail, then ends to come. Owns how far that is looked for. */
import { CALL_MAX, NEWEST, PAGE_LENGTH, type PageContext, type Query } from '../ui/page-context.ts'
import { attemptsOf } from './attempts.ts'
import { expectedMoments, type Moment } from './lane.ts'
import { AGENDA_MAX, groupBy } from './read.ts'

/** 0 for what is past due, 1 for a payment that will fail, 2 for an end to come, 3 for all others. */
export function troubleRank(status: string, moments: readonly Moment[]): number {
  if (status === 'past_due') return 0
  const expected = moments.filter(({ event }) => event === null).map(({ kind }) => kind)
  if (expected.includes('failed')) return 1
  return expected.includes('ended') ? 2 : 3
}

/** One page of those that a filter asks for, sorted as a whole. */
export async function troubleFirst(page: PageContext, filter: Query, before: string) {
  const terms = { ...filter, order: page.query('order') ?? NEWEST, limit: CALL_MAX }
  const [first, pastDue, agenda] = await Promise.all([
    page.list('/sandbox/subscriptions', terms),
    page.list('/sandbox/subscriptions', { ...terms, status: 'past_due' }),
    page.list('/sandbox/agenda', { before, limit: AGENDA_MAX }),
  ])
  const items = groupBy(agenda.data, (item) => item.subscription_id)
  const rank = (id: string, status: string) => {
    const [own, events] = [items.get(id) ?? [], []]
    const attempts = attemptsOf({ events, agenda: own }).expected
    return troubleRank(status, expectedMoments(own, status, attempts))
  }
  const { status = 'past_due' } = filter
  const listed = [...(status === 'past_due' ? pastDue.data : []), ...first.data]
  const known = new Map(listed.map((each) => [each.subscription_id, each]))
  // Those beyond the first may not be what the filter asks for.
  const isWhole = Object.keys(filter).length > 0 || !first.has_more
  const others = isWhole ? [] : [...items.keys()].filter((id) => !known.has(id) && rank(id, '') < 3)
  const found = await Promise.all(others.map((id) => page.sandbox.subscriptions.get(id)))
  const ranked = [...known.values(), ...found].map((each) => {
    return { each, at: rank(each.subscription_id, each.status) }
  })
  const sorted = ranked.sort((one, other) => one.at - other.at).map(({ each }) => each)
  const start = Number(page.query('after')) || 0
  const end = start + PAGE_LENGTH
  const isCut = first.has_more || agenda.complete_until < before
  return {
    data: sorted.slice(start, end),
    next_after: end < sorted.length ? `${end}` : null,
    /** Until when that is known which will be, where not all is sorted or known. */
    until: isCut ? agenda.complete_until : null,
  }
}
