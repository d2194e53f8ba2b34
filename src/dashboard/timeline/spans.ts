/**
 * What lasts in the life of a subscription: its conditions with their plan, and its discounts. From what happened
 * (events), what will as things stand (the agenda) and the record, which knows what the events no longer do.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { addMonths, instantAt } from '../../time/instant.ts'
import { worthText } from '../../wire/common/text.ts'
import { moneyText } from '../ui/values.tsx'

export const conditions = ['trialing', 'active', 'past_due', 'paused'] as const
export type Condition = (typeof conditions)[number]

export interface Span {
  readonly condition: Condition
  readonly plan: string
  readonly from: string
  readonly until: string
  readonly isFuture: boolean
}

/** A discount, from its start to its end; null if it has none. */
export interface Ribbon {
  readonly coupon: string
  /** What it takes off, and its end, in words. */
  readonly words: string
  readonly from: string
  readonly until: string | null
}

export interface LaneSources {
  readonly subscription: Schemas['SubscriptionRecord']
  /** Those that are kept, oldest first. */
  readonly events: readonly Schemas['Event'][]
  /** What falls due, in order. */
  readonly agenda: readonly Schemas['AgendaItem'][]
  readonly now: string
  /** How far the agenda looks. */
  readonly horizon: string
}

/** From when on it is in a condition, null from its end on, and on a plan; what is absent stays as it was. */
interface Turn {
  readonly at: string
  readonly condition?: Condition | null
  readonly plan?: string
}

const conditionAfter: Readonly<Record<string, Condition | null>> = {
  'subscription.activated': 'active',
  'subscription.paused': 'paused',
  'subscription.resumed': 'active',
  'subscription.canceled': null,
  'subscription.expired': null,
  'subscription.past_due': 'past_due',
  'subscription.recovered': 'active',
}

/** The name of the paused status is a setting: it is the one that has no other name. */
export function conditionOf(status: string): Condition | null {
  if (status === 'canceled' || status === 'expired') return null
  return conditions.find((each) => each === status) ?? 'paused'
}

export function spansOf(sources: LaneSources): Span[] {
  const { subscription, now, horizon } = sources
  const turns = turnsOf(sources)
  let condition: Condition | null = null
  let plan = turns.find((turn) => turn.plan !== undefined)?.plan ?? subscription.plan
  const spans: Span[] = []
  for (const [index, turn] of turns.entries()) {
    if (turn.condition !== undefined) condition = turn.condition
    plan = turn.plan ?? plan
    const [from, until] = [turn.at, turns[index + 1]?.at ?? horizon]
    if (condition === null || until <= from) continue
    const span = { condition, plan, from, until, isFuture: from >= now }
    const before = spans.at(-1)
    const goesOn = before?.until === from && same.every((name) => before[name] === span[name])
    if (goesOn) spans.pop()
    spans.push(goesOn ? { ...span, from: before.from } : span)
  }
  return spans
}

/** What a span has in common with one that goes on in it. */
const same = ['condition', 'plan', 'isFuture'] as const

/** What it was, is from now on, and will be. */
function turnsOf(sources: LaneSources): Turn[] {
  const { subscription, agenda, now } = sources
  const condition = conditionOf(subscription.status)
  const turns = knownTurns(sources)
  const last = turns.findLast((turn) => turn.condition !== undefined)
  // If events are no longer kept, the record says its condition.
  if (last !== undefined && last.condition !== condition) {
    const since = condition === null ? subscription.ended_at : subscription.current_period_start
    const at = since ?? now
    const newest = turns.at(-1)?.at ?? at
    turns.push({ at: at > newest ? at : newest, condition })
  }
  const due = agenda.map(({ at, status, plan }) => ({ at, condition: conditionOf(status), plan }))
  return [...turns, { at: now, condition, plan: subscription.plan }, ...due]
}

function knownTurns(sources: LaneSources): Turn[] {
  return [...beginningOf(sources), ...sources.events.flatMap(turnOf)]
}

/** Since when it is in its condition; null if the event that says so is no longer kept. */
export function sinceOf(sources: LaneSources): string | null {
  const condition = conditionOf(sources.subscription.status)
  const turns = knownTurns(sources).filter((turn) => turn.condition !== undefined)
  return turns[turns.findLastIndex((turn) => turn.condition !== condition) + 1]?.at ?? null
}

function turnOf({ at, type, detail }: Schemas['Event']): Turn[] {
  if (type === 'subscription.created') {
    return [{ at, condition: conditionOf(detail.status), plan: detail.plan }]
  }
  if (type === 'subscription.plan_changed') return [{ at, plan: detail.to }]
  const condition = conditionAfter[type]
  return condition === undefined ? [] : [{ at, condition }]
}

/** How it began, if the event that says so is no longer kept. */
function beginningOf({ subscription, events, now }: LaneSources): Turn[] {
  if (events.some(({ type }) => type === 'subscription.created')) return []
  const { created_at: at, trial_end: trialEnd } = subscription
  if (trialEnd === null || trialEnd <= at) return [{ at, condition: 'active' }]
  const begun: Turn = { at, condition: 'trialing' }
  const oldest = events[0]?.at ?? now
  return trialEnd < oldest ? [begun, { at: trialEnd, condition: 'active' }] : [begun]
}

type Window = Pick<Schemas['Discount'], 'starts_at' | 'ends_at'>

/** The discounts that it had. Each leaves the list with the first invoice after its months. */
function endedRibbons(events: LaneSources['events']): Ribbon[] {
  const windows = new Map<string, Window>()
  return events.flatMap(({ at, type, detail }): Ribbon[] => {
    if (type === 'discount.applied') windows.set(detail.coupon_id, detail)
    if (type === 'trial.extended') {
      // What starts after the trial starts later.
      const later = [...windows].filter(([, { starts_at }]) => starts_at > at)
      for (const [id, window] of later) windows.set(id, movedTo(detail.period_end, window))
    }
    if (type !== 'discount.ended' && type !== 'discount.replaced') return []
    const { coupon_id: coupon } = detail
    const { starts_at: from = at, ends_at: endsAt } = windows.get(coupon) ?? {}
    const [until = at] = [endsAt ?? at, at].sort()
    return from < until ? [{ coupon, from, until, words: `ended ${until.slice(0, 10)}` }] : []
  })
}

/** A window that starts at another instant, and lasts as many months. */
function movedTo(start: string, { starts_at, ends_at }: Window): Window {
  if (ends_at === null) return { starts_at: start, ends_at }
  const [from, until] = [new Date(starts_at), new Date(ends_at)]
  const years = until.getUTCFullYear() - from.getUTCFullYear()
  const months = years * 12 + until.getUTCMonth() - from.getUTCMonth()
  return { starts_at: start, ends_at: addMonths(instantAt(Date.parse(start)), months) }
}

/** The discounts that it has, and those that it had. */
export function ribbonsOf({ subscription, events, agenda, now }: LaneSources): Ribbon[] {
  const lastDue = agenda.find(({ status }) => conditionOf(status) === null)
  const end = subscription.ended_at ?? lastDue?.at ?? null
  const facts = events.map(({ detail }) => detail as { currency?: string | null })
  const currency = [...agenda, ...facts].find((each) => each.currency)?.currency ?? null
  const next = agenda.find(({ kind, discount_total: off }) => kind !== 'payment_retry' && off)
  const current = subscription.discounts.map(({ coupon_id: coupon, ...discount }) => {
    // One that is taken once ends with the next invoice.
    const endsAt = (discount.duration === 'once' ? next?.at : discount.ends_at) ?? null
    const until = endsAt && `, ${endsAt > now ? 'ends' : 'ended'} ${endsAt.slice(0, 10)}`
    const words = `-${worthText({ ...discount, currency }, moneyText)}${until ?? ''}`
    // None outlasts its subscription.
    const isLonger = end !== null && (endsAt === null || endsAt > end)
    return { coupon, from: discount.starts_at, until: isLonger ? end : endsAt, words }
  })
  return [...endedRibbons(events), ...current]
}
