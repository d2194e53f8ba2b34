/** The lane of a subscription: the spans of its life, its discounts, and the moments at which something happens. */
import type { Schemas } from '../../library/sandbox.ts'
import { eventSentence, moneyFigure, moneyText } from '../ui/values.tsx'
import { attemptsOf, type NumberedAttempt } from './attempts.ts'
import { conditionOf, type LaneSources, ribbonsOf, sinceOf, spansOf } from './spans.ts'

/** The kinds of marks by importance: of several, the first is shown. */
export const momentKinds = [
  'failed',
  'ended',
  'paused',
  'resumed',
  'recovered',
  'started',
  'changed',
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
  readonly note?: string | undefined
  readonly attempt?: Attempt
}
/** The attempt to pay that it is, if it is one of several. */
type Attempt = NumberedAttempt | undefined

export type Lane = Readonly<ReturnType<typeof laneOf>>

export function laneOf(sources: LaneSources) {
  const { subscription, events, agenda } = sources
  const spans = spansOf(sources)
  const attempts = attemptsOf(sources)
  const expected = expectedMoments(agenda, subscription.status, attempts.expected)
  const past = events.map((event, index) => momentOf(event, attempts.past[index]))
  const moments = [...past, ...expected]
  const { ended_at: endedAt, status } = subscription
  const end = past.find(({ kind }) => kind === 'ended')
  return {
    ...{ subscription, spans, moments, ribbons: ribbonsOf(sources) },
    /** When it ended and why, in words; null if it goes on. */
    ended:
      endedAt === null ? null : { at: endedAt, words: end?.note ?? `${status} ${day(endedAt)}` },
    words: wordsOf(sources),
  }
}

/** What will happen, as things stand, to one that has a status now. */
export function expectedMoments(
  agenda: readonly Schemas['AgendaItem'][],
  status: string,
  attempts: readonly Attempt[],
): Moment[] {
  return agenda.flatMap((item, index) =>
    dueMoments(item, agenda[index - 1]?.status ?? status, attempts[index]),
  )
}

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

function momentOf(event: Schemas['Event'], attempt: Attempt): Moment {
  const { at, type, detail } = event
  const moment = { at, kind: eventKinds[type] ?? 'other', text: eventSentence(event), event }
  if (type === 'invoice.created') {
    return { ...moment, note: moneyFigure(detail.amount_due, detail.currency) }
  }
  if (type !== 'subscription.canceled' && type !== 'subscription.expired') {
    return { ...moment, attempt }
  }
  const status = type.replace('subscription.', '')
  const note = `${status} ${day(at)}, ${whyEnded(detail.reason, attempt)}`
  return { ...moment, note }
}

/** By the reason of an event, or by the kind of what falls due. */
function whyEnded(reason: string, last: Attempt): string {
  if (reason === 'requested') return 'by a request'
  if (reason === 'no_payment_method') return 'without a payment method'
  if (reason !== 'retries_exhausted' && reason !== 'payment_retry') return 'as scheduled'
  return last === undefined ? 'after the last attempt' : `after attempt ${last.number}`
}

/** The change that a due item makes, in words, and its amount: an end after a last attempt is a moment of its own. */
function dueMoments(item: Schemas['AgendaItem'], statusBefore: string, attempt: Attempt) {
  const { at, kind, status, amount_due: amount, currency } = item
  const [before, after] = [conditionOf(statusBefore), conditionOf(status)]
  const { fails, succeeds } = dueTexts[kind]
  const money = amount === null || currency === null ? null : ([amount, currency] as const)
  const [due, note] = money ? [`: ${moneyText(...money)}`, moneyFigure(...money)] : ['']
  const moment = (kind: MomentKind, words: string): Moment => {
    return { at, kind, event: null, attempt, text: `${words}${due}`, note }
  }
  if (after === null) return [...(attempt ? [moment('failed', fails)] : []), endOf(item, attempt)]
  const isStill = after === 'past_due'
  if (isStill && item.invoice_status !== 'paid') return [moment('failed', fails)]
  const isRecovered = kind === 'payment_retry' || (before === 'past_due' && !isStill)
  const words = isStill ? `${succeeds}, still past due` : succeeds
  return [moment(isRecovered ? 'recovered' : 'period', words)]
}

/** An end to come: of a first payment that fails without a retry, too. */
function endOf(item: Schemas['AgendaItem'], attempt: Attempt): Moment {
  const { at, status } = item
  const cause = attempt === undefined ? item.kind : 'payment_retry'
  const why = whyEnded(status === 'expired' ? 'no_payment_method' : cause, attempt)
  const text = `${dueTexts[cause].ends} (${status})`
  return { at, kind: 'ended', event: null, note: `${endToCome(status, at)}, ${why}`, text }
}

/** An end that has not come yet: `will be canceled 2027-02-08`. */
export function endToCome(status: string, at: string): string {
  return `will ${status === 'expired' ? 'expire' : `be ${status}`} ${day(at)}`
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
    ends: 'no attempt is left, and the subscription ends',
    fails: 'the payment is tried again, and fails',
    succeeds: 'the payment is tried again and succeeds',
    next: 'tried again',
  },
} satisfies Record<Schemas['AgendaItem']['kind'], object>

/** Since when it has its status, and what comes next. */
function wordsOf(sources: LaneSources): string {
  const { status, ended_at: endedAt } = sources.subscription
  const name = status.replaceAll('_', ' ')
  if (conditionOf(status) === null) return endedAt === null ? name : `${name} ${day(endedAt)}`
  const since = sinceOf(sources)
  return `${name}${since === null ? '' : ` since ${day(since)}`}${nextWords(sources)}`
}

function nextWords({ subscription, agenda }: LaneSources): string {
  const { status, cancel_at_period_end: endsThen, current_period_end: end } = subscription
  const [next] = agenda
  // A failing payment may end it earlier; while it is paused, its period has no end.
  const last = agenda.find((item) => conditionOf(item.status) === null)?.at ?? end
  if (endsThen && conditionOf(status) !== 'paused') return `, ends ${day(last)}`
  if (next === undefined) return ''
  return `, ${dueTexts[next.kind].next} ${day(next.at)}`
}

export const day = (at: string) => at.slice(0, 10)
