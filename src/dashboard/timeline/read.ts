/** Reads what the lanes of a page are drawn from: two calls, however many subscriptions there are, and for one alone a third. */
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import type { Visit } from '../visit.ts'
import { type Lane, laneOf } from './lane.ts'
import type { TimeWindow } from './window.ts'

/** How many things that fall due are worked out for one page. */
const AGENDA_MAX = 1000

export interface Lanes {
  readonly lanes: readonly Lane[]
  /** How far the future is worked out; the end of the window unless there is too much of it. */
  readonly horizon: string
}

/** The lanes of up to 100 subscriptions, as far as a window needs them. */
export async function readLanes(
  visit: Visit,
  subscriptions: readonly Schemas['Subscription'][],
  { until }: TimeWindow,
): Promise<Lanes> {
  if (subscriptions.length === 0) return { lanes: [], horizon: until }
  const { now } = visit.clock
  const ids = subscriptions.map((each) => each.subscription_id)
  const [events, agenda, forecast] = await Promise.all([
    visit.sandbox.events.list({ subscription_id: ids }),
    until > now ? agendaOf(visit, ids, until) : { data: [], complete_until: until },
    until > now ? forecastOf(visit, ids, until) : [],
  ])
  const eventsOf = bySubscription(events)
  const agendaItems = groupedBy(agenda.data, ({ subscription_id: id }) => id)
  const horizon = agenda.complete_until
  const lanes = subscriptions.map((subscription) => {
    const id = subscription.subscription_id
    const sources = { events: eventsOf.get(id) ?? [], agenda: agendaItems.get(id) ?? [] }
    return laneOf({ subscription, ...sources, forecast, now, horizon })
  })
  return { lanes, horizon }
}

function agendaOf({ control }: Visit, ids: string[], before: string): Promise<Schemas['Agenda']> {
  const query = { before, limit: AGENDA_MAX, subscription_id: ids }
  return answered(control.GET('/sandbox/agenda', { params: { query } }))
}

/** The invoices to come, of one subscription alone: each has a look ahead of its own. */
async function forecastOf({ sandbox }: Visit, [id = '', ...others]: string[], until: string) {
  return others.length > 0 ? [] : sandbox.subscriptions.forecast(id, { until })
}

/** An invoice belongs to the subscription that its first event names. */
function bySubscription(events: readonly Schemas['Event'][]): Map<string, Schemas['Event'][]> {
  const owners = new Map<string, string>()
  for (const { type, subject, detail } of events) {
    if (type === 'invoice.created') owners.set(subject.id, String(detail['subscription_id']))
  }
  return groupedBy(events, ({ subject }) => owners.get(subject.id) ?? subject.id)
}

/** Values by a key that each has. */
export function groupedBy<Value>(values: readonly Value[], keyOf: (value: Value) => string) {
  const groups = new Map<string, Value[]>()
  for (const value of values) {
    const key = keyOf(value)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [value])
    else group.push(value)
  }
  return groups
}
