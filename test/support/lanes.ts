/** A subscription with its events and agenda as a timeline reads them, and its lane. */
import { type Lane, laneOf } from '../../src/dashboard/timeline/lane.ts'
import type { LaneSources } from '../../src/dashboard/timeline/spans.ts'
import type { Schemas } from '../../src/index.ts'

export type Event = Schemas['Event']

export const at = (day: string) => `${day}T00:00:00.000Z`

export const record: Schemas['SubscriptionRecord'] = {
  subscription_id: 'sub_1',
  customer_id: 'cus_ada',
  plan: 'basic',
  trial_period_days: null,
  status: 'active',
  trial_end: null,
  current_period_start: at('2027-02-01'),
  current_period_end: at('2027-03-01'),
  cancel_at_period_end: false,
  canceled_at: null,
  ended_at: null,
  pending_plan: null,
  discounts: [],
  created_at: at('2027-01-01'),
  access_until: null,
}

let seq = 0
export function event(day: string, type: string, detail: object = {}): Event {
  seq += 1
  const subject = { kind: 'subscription', id: 'sub_1' } as const
  const cause = { kind: 'clock', request_id: null } as const
  return { seq, type, at: at(day), subject, cause, detail } as Event
}

export function due(day: string, kind: Schemas['AgendaItem']['kind'], status: string) {
  const subject = { kind: 'subscription', id: 'sub_1' } as const
  const amounts = { amount_due: 1000, discount_total: 0, currency: 'USD' }
  const invoice = { plan: 'basic', ...amounts, invoice_status: invoiceStatuses[status] ?? null }
  return { at: at(day), kind, subject, subscription_id: 'sub_1', status, ...invoice }
}

/** What an item has that makes no invoice. */
const amounts = { amount_due: null, discount_total: null, currency: null }
export const noInvoice = { ...amounts, invoice_status: null }

const invoiceStatuses: Readonly<Record<string, Schemas['Invoice']['status']>> = {
  active: 'paid',
  past_due: 'open',
  canceled: 'uncollectible',
}

export function lane(given: Partial<LaneSources>): Lane {
  const now = at('2027-02-10')
  const horizon = at('2027-05-01')
  return laneOf({ subscription: record, events: [], agenda: [], now, horizon, ...given })
}

/** Spans as one reads them: `trialing 01-01 01-15`, with a `?` behind those to come. */
