/**
 * The lane of a subscription: the spans of its life and the moments at which something happens, from what happened
 * (events), what will as things stand (the agenda) and the record, which knows what the events no longer do.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { amountText } from '../../wire/text.ts'

/** The conditions in which a subscription is for a while. */
export const conditions = ['trialing', 'active', 'past_due', 'paused'] as const
export type Condition = (typeof conditions)[number]

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
  const spans = spansOf(sources)
  const expected = [
    ...agenda.map((item, index) => dueMoment(sources, item, index)),
    ...forecast.map(invoiceMoment),
  ]
  // Sorting keeps what falls due before the invoice that it makes.
  expected.sort((one, other) => Number(one.at > other.at) - Number(one.at < other.at))
  const moments = [...events.map(momentOf), ...expected]
  return { subscription, spans, moments, words: wordsOf(sources, spans) }
}

/** From when on it is in a condition; null from its end on. */
interface Turn {
  readonly at: string
  readonly condition: Condition | null
}

/** What an event is as a mark, and the condition that begins with it. */
const eventKinds: Readonly<Record<string, readonly [MomentKind, (Condition | null)?]>> = {
  'subscription.created': ['started'],
  'subscription.trial_ended': ['period'],
  'subscription.activated': ['period', 'active'],
  'subscription.renewed': ['period'],
  'subscription.plan_changed': ['changed'],
  'subscription.paused': ['paused', 'paused'],
  'subscription.resumed': ['resumed', 'active'],
  'subscription.canceled': ['ended', null],
  'subscription.expired': ['ended', null],
  'subscription.past_due': ['failed', 'past_due'],
  'subscription.recovered': ['recovered', 'active'],
  'discount.applied': ['changed'],
  'discount.ended': ['changed'],
  'trial.extended': ['changed'],
  'payment.failed': ['failed'],
}

/** The name of the paused status is a setting: it is the one that has no other name. */
function conditionOf(status: string): Condition | null {
  if (status === 'canceled' || status === 'expired') return null
  return conditions.find((each) => each === status) ?? 'paused'
}

function spansOf(sources: LaneSources): Span[] {
  const turns = turnsOf(sources)
  const spans: Span[] = []
  for (const [index, { at: from, condition }] of turns.entries()) {
    const until = turns[index + 1]?.at ?? sources.horizon
    if (condition === null || until <= from) continue
    const isFuture = from >= sources.now
    const before = spans.at(-1)
    const isSame = before?.condition === condition && before.isFuture === isFuture
    const goesOn = isSame && before.until === from
    if (goesOn) spans.pop()
    spans.push({ condition, from: goesOn ? before.from : from, until, isFuture })
  }
  return spans
}

/** What it was, is from now on, and will be. */
function turnsOf(sources: LaneSources): Turn[] {
  const { subscription, events, agenda, now } = sources
  const condition = conditionOf(subscription.status)
  const turns = [...beginningOf(sources), ...events.flatMap(turnOf)]
  const last = turns.at(-1)
  // If events are no longer kept, the record says its condition.
  if (last !== undefined && last.condition !== condition) {
    const since = condition === null ? subscription.ended_at : subscription.current_period_start
    const at = since ?? now
    turns.push({ at: at > last.at ? at : last.at, condition })
  }
  const due = agenda.map(({ at, status }) => ({ at, condition: conditionOf(status) }))
  return [...turns, { at: now, condition }, ...due]
}

function turnOf(event: Schemas['Event']): Turn[] {
  const [, turned] = eventKinds[event.type] ?? []
  const isFirst = event.type === 'subscription.created'
  const condition = isFirst ? conditionOf(event.detail.status) : turned
  return condition === undefined ? [] : [{ at: event.at, condition }]
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

function momentOf(event: Schemas['Event']): Moment {
  const [kind] = eventKinds[event.type] ?? ['other']
  return { at: event.at, kind, text: eventText(event), event }
}

/** The change that a due item makes, in words. */
function dueMoment(sources: LaneSources, item: Schemas['AgendaItem'], index: number): Moment {
  const { at, kind, status } = item
  const before = conditionOf(sources.agenda[index - 1]?.status ?? sources.subscription.status)
  const after = conditionOf(status)
  const { ends, fails, succeeds } = dueTexts[kind]
  if (after === null) return { at, kind: 'ended', text: `${ends} (${status})`, event: null }
  const isAgain = kind === 'period_end' && before === 'past_due'
  if (after === 'past_due') {
    const text = isAgain ? 'a new period begins, still past due' : fails
    return { at, kind: 'failed', text, event: null }
  }
  const isRecovered = kind === 'payment_retry' || before === 'past_due'
  return { at, kind: isRecovered ? 'recovered' : 'period', text: succeeds, event: null }
}

/** What a due item does: it ends the subscription, or its payment fails or succeeds; and what will happen next. */
const dueTexts = {
  trial_end: {
    ends: 'the trial ends, and the subscription with it',
    fails: 'the trial ends, the payment fails',
    succeeds: 'the trial ends, active from then on',
    next: 'the trial ends',
  },
  period_end: {
    ends: 'ends with its period',
    fails: 'renews, the payment fails',
    succeeds: 'renews',
    next: 'renews',
  },
  payment_retry: {
    ends: 'the last attempt fails, and the subscription ends',
    fails: 'the payment is tried again, still past due',
    succeeds: 'the payment is tried again and succeeds',
    next: 'tried again',
  },
} satisfies Record<Schemas['AgendaItem']['kind'], object>

function invoiceMoment(invoice: Schemas['Invoice']): Moment {
  const reason = invoice.reason.replaceAll('_', ' ')
  const due = amountText(invoice.amount_due, invoice.currency)
  const text = `an invoice (${reason}) of ${due}, ${invoice.status}`
  return { at: invoice.created_at, kind: 'other', text, event: null }
}

/** Since when it has its status, and what comes next. */
function wordsOf({ subscription, agenda }: LaneSources, spans: readonly Span[]): string {
  const { status, ended_at: endedAt } = subscription
  const name = status.replaceAll('_', ' ')
  if (conditionOf(status) === null) return endedAt === null ? name : `${name} ${day(endedAt)}`
  const since = spans.findLast(({ isFuture }) => !isFuture)?.from ?? subscription.created_at
  return `${name} since ${day(since)}${nextWords(subscription, agenda[0])}`
}

function nextWords(
  { cancel_at_period_end: endsThen, current_period_end: end }: Schemas['SubscriptionRecord'],
  next: Schemas['AgendaItem'] | undefined,
): string {
  if (endsThen && end !== null) return `, ends ${day(end)}`
  if (next === undefined) return ''
  return `, ${dueTexts[next.kind].next} ${day(next.at)}`
}

/** The day of an instant. */
export function day(at: string): string {
  return at.slice(0, 10)
}
