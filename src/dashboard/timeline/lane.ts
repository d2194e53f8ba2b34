/** The lane of a subscription: the spans of its life, its discounts, and the moments at which something happens. */
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { amountText } from '../../wire/text.ts'
import {
  conditionOf,
  type LaneSources,
  type Ribbon,
  ribbonsOf,
  type Span,
  sinceOf,
  spansOf,
} from './spans.ts'

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
  readonly ribbons: readonly Ribbon[]
  readonly moments: readonly Moment[]
  /** Its description in a sentence. */
  readonly words: string
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
  return {
    ...{ subscription, spans, moments, ribbons: ribbonsOf(sources) },
    words: wordsOf(sources),
  }
}

/** What an event is as a mark. */
const eventKinds: Readonly<Record<string, MomentKind>> = {
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
  const { at, type } = event
  const detail: Readonly<Record<string, unknown>> = event.detail
  const note = type === 'invoice.created' ? figure(detail['amount_due'], detail['currency']) : null
  const end = endWords[type]
  return {
    ...{ at, kind: eventKinds[type] ?? 'other', text: eventText(event), event },
    ...(note !== null && { note }),
    ...(end !== undefined && { note: `${end} ${day(at)}, ${whyEnded[String(detail['reason'])]}` }),
  }
}

const endWords: Readonly<Record<string, string>> = {
  'subscription.canceled': 'canceled',
  'subscription.expired': 'expired',
}

/** By the reason of an event, and by the kind of what falls due. */
const whyEnded: Readonly<Record<string, string>> = {
  requested: 'by a request',
  period_end: 'as scheduled',
  trial_end: 'as scheduled',
  no_payment_method: 'without a payment method',
  retries_exhausted: 'after the last attempt',
  payment_retry: 'after the last attempt',
}

/** An amount without its currency, for which there is no room. */
export function figure(amount: unknown, currency: unknown): string {
  return amountText(Number(amount), String(currency)).replace(/ .*/, '')
}

/** The change that a due item makes, in words, and its amount. */
function dueMoment(sources: LaneSources, item: Schemas['AgendaItem'], index: number): Moment {
  const { at, kind, status, amount_due: amount, currency } = item
  const before = conditionOf(sources.agenda[index - 1]?.status ?? sources.subscription.status)
  const after = conditionOf(status)
  const { ends, fails, succeeds } = dueTexts[kind]
  if (after === null) {
    const why = whyEnded[status === 'expired' ? 'no_payment_method' : kind]
    const note = `${status} ${day(at)}, ${why}`
    return { at, kind: 'ended', text: `${ends} (${status})`, event: null, note }
  }
  const money = currency !== null && amount !== null ? amountText(amount, currency) : null
  const said = (text: string) => (money === null ? text : `${text}: ${money}`)
  const shown = money === null ? {} : { note: figure(amount, currency) }
  const isAgain = kind === 'period_end' && before === 'past_due'
  if (after === 'past_due') {
    const text = isAgain ? 'a new period begins, still past due' : fails
    return { at, kind: 'failed', text: said(text), event: null, ...shown }
  }
  const isRecovered = kind === 'payment_retry' || before === 'past_due'
  const mark = isRecovered ? 'recovered' : 'period'
  return { at, kind: mark, text: said(succeeds), event: null, ...shown }
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
function wordsOf(sources: LaneSources): string {
  const { subscription, agenda } = sources
  const { status, ended_at: endedAt } = subscription
  const name = status.replaceAll('_', ' ')
  if (conditionOf(status) === null) return endedAt === null ? name : `${name} ${day(endedAt)}`
  const since = sinceOf(sources)
  return `${name}${since === null ? '' : ` since ${day(since)}`}${nextWords(subscription, agenda[0])}`
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
