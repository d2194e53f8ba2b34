/**
 * The lane of a subscription: the spans of its life and the moments at which something happens, from what happened
 * (events), what will as things stand (the agenda) and the record, which knows what the events no longer do.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { amountText } from '../../wire/text.ts'

/** The condition of a subscription for a while. */
export type Condition = 'trialing' | 'active' | 'past_due' | 'paused'

export interface Span {
  readonly condition: Condition
  readonly from: string
  readonly until: string
  readonly isFuture: boolean
}

/** The kinds of marks by importance: of several, the first is shown. */
export const momentKinds = [
  'failed',
  'ended',
  'paused',
  'resumed',
  'recovered',
  'changed',
  'started',
  'period',
  'other',
] as const
export type MomentKind = (typeof momentKinds)[number]

/** Something that happened or will happen; `event` is null for the future. */
export interface Moment {
  readonly at: string
  readonly kind: MomentKind
  /** Null where another moment of the same instant says it already. */
  readonly text: string | null
  readonly event: Schemas['Event'] | null
  /** The text beside its mark if there is room. */
  readonly note?: string
}

export interface Lane {
  readonly subscription: Schemas['SubscriptionRecord']
  readonly spans: readonly Span[]
  readonly moments: readonly Moment[]
  /** Its description in a sentence. */
  readonly words: string
}

export interface LaneSources {
  readonly subscription: Schemas['SubscriptionRecord']
  /** Those that are kept, oldest first. */
  readonly events: readonly Schemas['Event'][]
  /** What falls due, in order. */
  readonly agenda: readonly Schemas['AgendaItem'][]
  /** The invoices to come; absent if they were not read. */
  readonly forecast?: readonly Schemas['Invoice'][]
  readonly now: string
  /** How far the agenda looks. */
  readonly horizon: string
}

export function laneOf(sources: LaneSources): Lane {
  const { subscription, events, agenda, forecast = [] } = sources
  const past = pastSpans(sources)
  const spans = [...past, ...futureSpans(sources)]
  const expected = [
    ...agenda.map((item, index) => dueMoment(sources, item, index)),
    ...forecast.map(invoiceMoment),
  ]
  // Sorting keeps what falls due before the invoice that it makes.
  expected.sort((one, other) => Number(one.at > other.at) - Number(one.at < other.at))
  const moments = [...events.map(momentOf), ...expected]
  return { subscription, spans, moments, words: wordsOf(sources, past) }
}

/** From when on it is in a condition; null from its end on. */
interface Turn {
  readonly at: string
  readonly condition: Condition | null
}

const turning: Readonly<Record<string, Condition | null>> = {
  'subscription.activated': 'active',
  'subscription.paused': 'paused',
  'subscription.resumed': 'active',
  'subscription.past_due': 'past_due',
  'subscription.recovered': 'active',
  'subscription.canceled': null,
  'subscription.expired': null,
}

/** The name of the paused status is a setting: it is the one that has no other name. */
function conditionOf(status: string): Condition | null {
  if (status === 'canceled' || status === 'expired') return null
  const known = status === 'trialing' || status === 'active' || status === 'past_due'
  return known ? status : 'paused'
}

function pastSpans(sources: LaneSources): Span[] {
  const { subscription, now } = sources
  const turns = [...beginningOf(sources), ...sources.events.flatMap(turnOf)]
  const last = turns.at(-1)
  const condition = conditionOf(subscription.status)
  // Where events are no longer kept, the record says how it stands.
  if (last !== undefined && last.condition !== condition) {
    const at = condition === null ? subscription.ended_at : subscription.current_period_start
    turns.push({ at: latest(last.at, at ?? now), condition })
  }
  return spansOf(turns, { until: now, isFuture: false })
}

function turnOf({ type, at, detail }: Schemas['Event']): Turn[] {
  if (type === 'subscription.created')
    return [{ at, condition: conditionOf(String(detail['status'])) }]
  const condition = turning[type]
  return condition === undefined ? [] : [{ at, condition }]
}

/** How it began, where the event that says so is no longer kept. */
function beginningOf({ subscription, events, now }: LaneSources): Turn[] {
  if (events.some(({ type }) => type === 'subscription.created')) return []
  const { created_at: at, trial_end: trialEnd } = subscription
  if (trialEnd === null || trialEnd <= at) return [{ at, condition: 'active' }]
  const begun: Turn = { at, condition: 'trialing' }
  const oldest = events[0]?.at ?? now
  return trialEnd < oldest ? [begun, { at: trialEnd, condition: 'active' }] : [begun]
}

function futureSpans({ subscription, agenda, now, horizon }: LaneSources): Span[] {
  const turns: Turn[] = [{ at: now, condition: conditionOf(subscription.status) }]
  for (const { at, status } of agenda) turns.push({ at, condition: conditionOf(status) })
  return spansOf(turns, { until: horizon, isFuture: true })
}

function spansOf(
  turns: readonly Turn[],
  { until, isFuture }: { readonly until: string; readonly isFuture: boolean },
): Span[] {
  const spans: Span[] = []
  for (const [index, { at, condition }] of turns.entries()) {
    const end = turns[index + 1]?.at ?? until
    const before = spans.at(-1)
    if (condition === null || end <= at) continue
    if (before?.condition === condition && before.until === at) {
      spans[spans.length - 1] = { ...before, until: end }
    } else spans.push({ condition, from: at, until: end, isFuture })
  }
  return spans
}

function latest(one: string, other: string): string {
  return one > other ? one : other
}

const kindsOfEvents: Readonly<Record<string, MomentKind>> = {
  'subscription.created': 'started',
  'subscription.trial_ended': 'period',
  'subscription.activated': 'period',
  'subscription.renewed': 'period',
  'subscription.plan_changed': 'changed',
  'subscription.paused': 'paused',
  'subscription.resumed': 'resumed',
  'subscription.canceled': 'ended',
  'subscription.expired': 'ended',
  'subscription.past_due': 'failed',
  'subscription.recovered': 'recovered',
  'discount.applied': 'changed',
  'discount.ended': 'changed',
  'trial.extended': 'changed',
  'payment.failed': 'failed',
}

function momentOf(event: Schemas['Event']): Moment {
  const kind = kindsOfEvents[event.type] ?? 'other'
  return { at: event.at, kind, text: eventText(event), event }
}

/** The change that a due item makes, in words. */
function dueMoment(sources: LaneSources, item: Schemas['AgendaItem'], index: number): Moment {
  const before = conditionOf(sources.agenda[index - 1]?.status ?? sources.subscription.status)
  const after = conditionOf(item.status)
  const said = { before, after, status: item.status }
  return {
    at: item.at,
    kind: dueKind(item.kind, said),
    text: dueTexts[item.kind](said),
    event: null,
  }
}

function invoiceMoment({
  created_at: at,
  reason,
  amount_due: amount,
  currency,
  status,
}: Schemas['Invoice']): Moment {
  const text = `an invoice (${reason.replaceAll('_', ' ')}) of ${amountText(amount, currency)}, ${status}`
  return { at, kind: 'other', text, event: null }
}

interface Led {
  readonly before: Condition | null
  readonly after: Condition | null
  readonly status: string
}

const dueTexts: Readonly<Record<Schemas['AgendaItem']['kind'], (led: Led) => string>> = {
  trial_end: ({ after, status }) => {
    if (after === null) return `the trial ends, and the subscription with it (${status})`
    return after === 'past_due'
      ? 'the trial ends, the payment fails'
      : 'the trial ends, active from then on'
  },
  period_end: ({ before, after, status }) => {
    if (after === null) return `ends with its period (${status})`
    if (after !== 'past_due') return 'renews'
    return before === 'past_due'
      ? 'a new period begins, still past due'
      : 'renews, the payment fails'
  },
  payment_retry: ({ after, status }) => {
    if (after === null) return `the last attempt fails, and the subscription ends (${status})`
    return after === 'past_due'
      ? 'the payment is tried again, still past due'
      : 'the payment is tried again and succeeds'
  },
}

function dueKind(kind: Schemas['AgendaItem']['kind'], { before, after }: Led): MomentKind {
  if (after === null) return 'ended'
  if (after === 'past_due') return 'failed'
  return kind === 'payment_retry' || before === 'past_due' ? 'recovered' : 'period'
}

/** Since when it stands as it does, and what comes next. */
function wordsOf({ subscription, agenda }: LaneSources, past: readonly Span[]): string {
  const { status, ended_at: endedAt } = subscription
  const name = status.replaceAll('_', ' ')
  if (conditionOf(status) === null) return endedAt === null ? name : `${name} ${day(endedAt)}`
  const since = past.at(-1)?.from ?? subscription.created_at
  return `${name} since ${day(since)}${nextWords(subscription, agenda[0])}`
}

function nextWords(
  { cancel_at_period_end: endsThen, current_period_end: end }: Schemas['SubscriptionRecord'],
  next: Schemas['AgendaItem'] | undefined,
): string {
  if (endsThen && end !== null) return `, ends ${day(end)}`
  if (next === undefined) return ''
  const words = { trial_end: 'the trial ends', period_end: 'renews', payment_retry: 'tried again' }
  return `, ${words[next.kind]} ${day(next.at)}`
}

function day(at: string): string {
  return at.slice(0, 10)
}
