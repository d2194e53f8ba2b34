/**
 * Reads what the lanes of a page are drawn from: an agenda, and the events. Owns that this is bounded, however many
 * subscriptions a page shows and however much happened to them.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { answerData } from '../../library/transport.ts'
import { eventsAfter, lastEventBefore } from '../reading/events.ts'
import type { PageContext, Query } from '../ui/page-context.ts'
import { laneOf } from './lane.ts'
import { monthsOf } from './money.ts'
import { endAhead, type Look, lookOf, lookQuery, type TimeWindow, timeShown } from './window.ts'

type Subscription = Schemas['SubscriptionRecord']

/** How many things that fall due are worked out for one page. */
export const AGENDA_MAX = 1000

/** How many customers are listed; those of a page beyond them are read one by one. */
const CUSTOMERS_LISTED = 200

/** How many invoices to come are read. */
const INVOICES_MAX = 100

/** How many pages of events are read where one does not hold them all. */
const EVENT_PAGES_MAX = 5

/** The invoices to come of a subscription, a year ahead; null for a subscription that has ended. */
export async function futureOf({ control }: PageContext, subscription: Subscription) {
  const { subscription_id, ended_at } = subscription
  if (ended_at !== null) return null
  const params = { path: { subscription_id }, query: { limit: INVOICES_MAX } }
  return answerData(control.GET('/sandbox/subscriptions/{subscription_id}/forecast', { params }))
}

interface TimelineOrder {
  /** Up to 100 of them. */
  readonly subscriptions: readonly Subscription[]
  /** What is shown of time, if the address of the page does not say it. */
  readonly window?: TimeWindow
  /** The page that it is on, and what its address says beside the window. */
  readonly path: string
  readonly query?: Query
}

/** A timeline as its page needs it. */
export type Timeline = Readonly<Awaited<ReturnType<typeof readTimeline>>>

/** Reads the lanes of subscriptions, in the window that the address of the page asks for. */
export async function readTimeline(page: PageContext, order: TimelineOrder) {
  const { subscriptions, path, query } = order
  const { now } = page.clock
  const look = lookOf(page.query)
  const { window = timeShown(look, now) } = order
  const before = endAhead(window)
  const ids = subscriptions.map((each) => each.subscription_id)
  const isAhead = ids.length > 0 && before > now
  const [{ events, seen }, agenda, names] = await Promise.all([
    ids.length > 0 ? eventsOf(page, ids, window) : { events: [], seen: null },
    isAhead
      ? page.list('/sandbox/agenda', { before, limit: AGENDA_MAX, subscription_id: ids })
      : { data: [], complete_until: before },
    namesOf(page, subscriptions),
  ])
  const groups = await bySubscription(page, events)
  const agendaItems = groupBy(agenda.data, ({ subscription_id: id }) => id)
  const horizon = agenda.complete_until
  const lanes = subscriptions.map((subscription) => {
    const id = subscription.subscription_id
    const sources = { events: groups.get(id) ?? [], agenda: agendaItems.get(id) ?? [] }
    return laneOf({ subscription, ...sources, now, horizon })
  })
  const isRead = ({ from, until }: TimeWindow) => {
    const past = until < now ? until : now
    const isPastRead = seen === null || from >= now || (from >= seen.from && past <= seen.until)
    return isPastRead && (until <= now || until <= horizon)
  }
  return {
    lanes,
    months: monthsOf(window, { events, agenda: agenda.data, isRead }),
    /** The name of a customer; the id of one without a name. */
    nameOf: (customer: string) => names.get(customer) ?? customer,
    look,
    window,
    /** How far the future is worked out; the end of the window unless there is too much of it. */
    horizon,
    /** Between which instants the events were read; null if all of them were. */
    seen,
    /** The address of its page: with this part of time, and a mark or another order. */
    to: (shown: Look, more?: Query) => page.to(path, { ...query, ...lookQuery(shown), ...more }),
  }
}

/** The names of the customers of these subscriptions: one list has them all, unless there are many. */
async function namesOf({ list, sandbox }: PageContext, subscriptions: readonly Subscription[]) {
  const ids = new Set(subscriptions.map((each) => each.customer_id))
  if (ids.size === 0) return new Map<string, string>()
  const { data } = await list('/sandbox/customers', { limit: CUSTOMERS_LISTED })
  for (const { customer_id: id } of data) ids.delete(id)
  const others = await Promise.all([...ids].map((id) => sandbox.customers.get(id)))
  return new Map([...data, ...others].map(({ customer_id: id, name }) => [id, name]))
}

/**
 * All events of these subscriptions if one page holds them; if not, those of the window, and a few pages of these.
 * Then what came before, or after, is as the records say.
 */
async function eventsOf(page: PageContext, ids: string[], { from, until }: TimeWindow) {
  const filter = { subscription_id: ids }
  const all = await eventsAfter(page, filter)
  if (!all.has_more) return { events: all.data, seen: null }
  const events: Schemas['Event'][] = []
  let after: number | null = await lastEventBefore(page, from)
  for (let pages = 0; pages < EVENT_PAGES_MAX && after !== null; pages += 1) {
    const part: Schemas['EventList'] = await eventsAfter(page, { ...filter, after })
    events.push(...part.data)
    after = (events.at(-1)?.at ?? until) >= until ? null : part.next_after
  }
  // Of the last instant, some may be missing.
  const end = after === null ? until : (events.at(-1)?.at ?? until)
  return { events: events.filter(({ at }) => at < end), seen: { from, until: end } }
}

/** Events by subscription. An invoice belongs to the one that its first event names, or else its record. */
async function bySubscription({ sandbox }: PageContext, events: readonly Schemas['Event'][]) {
  const owners = new Map<string, string>()
  const others = new Set<string>()
  for (const { type, subject, detail } of events) {
    if (type === 'invoice.created') owners.set(subject.id, String(detail['subscription_id']))
    else if (subject.kind === 'invoice' && !owners.has(subject.id)) others.add(subject.id)
  }
  const older = await Promise.all([...others].map((id) => sandbox.invoices.get(id)))
  for (const { invoice_id: id, subscription_id: owner } of older) owners.set(id, owner)
  return groupBy(events, ({ subject }) => owners.get(subject.id) ?? subject.id)
}

export function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string) {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key) ?? []
    if (group.push(value) === 1) groups.set(key, group)
  }
  return groups
}
