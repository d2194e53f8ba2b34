/** Events as sentences that a person reads. Complete for billing; another event is named by its type. */
import { amountText, countText } from '../common/text.ts'

/** What a sentence is made of. */
export interface ReadableEvent {
  readonly type: string
  readonly subject: { readonly kind: string; readonly id: string }
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

/** How an amount of minor units is written. */
type MoneyText = typeof amountText

/** `money` writes the amount in a field of the detail, in its currency. */
type Phrase = (event: ReadableEvent, money: (field: string) => string) => string | null

/** How each type of event reads; null where another event of the same moment says it already. */
const phrases: Readonly<Record<string, Phrase>> = {
  'subscription.created': ({ detail }) => `subscribed to ${detail['plan']}, ${detail['status']}`,
  'subscription.trial_ended': () => 'the trial ended',
  'subscription.activated': ({ detail }) => `active, billed until ${day(detail['period_end'])}`,
  'subscription.renewed': ({ detail }) => `renewed until ${day(detail['period_end'])}`,
  'subscription.plan_changed': ({ detail: { from, to } }) => `moved from ${from} to ${to}`,
  'subscription.plan_change_scheduled': ({ detail: { to, effective_at: at } }) => {
    const when = at === null ? 'with the first period after the resume' : `on ${day(at)}`
    return to === null ? 'keeps its plan' : `will move to ${to} ${when}`
  },
  'subscription.paused': () => 'paused',
  'subscription.resumed': ({ detail }) => `resumed, billed until ${day(detail['period_end'])}`,
  'subscription.cancel_scheduled': ({ detail }) =>
    `will be canceled on ${day(detail['cancels_at'])}`,
  'subscription.cancellation_removed': () => 'will not be canceled',
  'subscription.canceled': ({ detail }) => `canceled (${detail['reason']})`,
  'subscription.expired': ({ detail }) => `expired (${detail['reason']})`,
  'subscription.past_due': () => 'past due',
  'subscription.recovered': () => 'active again',
  'discount.applied': ({ detail: { coupon_id: coupon, starts_at: start, ends_at: end } }) =>
    `${coupon} applied, from ${day(start)}${end === null ? '' : ` to ${day(end)}`}`,
  'discount.replaced': ({ detail }) => `${detail['coupon_id']} replaced by ${detail['by']}`,
  'discount.ended': ({ detail }) => `${detail['coupon_id']} has run out`,
  'trial.extended': ({ detail: { coupon_id: coupon, days, period_end: end } }) =>
    `${coupon} adds ${countText(Number(days), 'day')}, until ${day(end)}`,
  'invoice.created': ({ subject, detail }, money) =>
    `${subject.id} (${detail['reason']}): ${money('amount_due')} due`,
  'invoice.credited': ({ subject }, money) => `${subject.id} credited: ${money('amount')}`,
  'invoice.paid': () => null,
  'invoice.voided': ({ subject }) => `${subject.id} is void`,
  'invoice.uncollectible': ({ subject }) => `${subject.id} is given up`,
  'payment.succeeded': ({ subject }, money) => `${subject.id} paid: ${money('amount')}`,
  'payment.failed': ({ subject, detail: { reason, next_attempt_at: next } }) =>
    `${subject.id} failed: ${reason}, ${next === null ? 'no attempt is left' : `next attempt ${day(next)}`}`,
  'charge.succeeded': ({ subject }, money) => `${subject.id} charged: ${money('amount')}`,
  'charge.failed': ({ subject, detail }) => `${subject.id} failed: ${detail['reason']}`,
}

/** What an event says; null where another event of the same moment says it already. */
export function eventText(event: ReadableEvent, moneyText: MoneyText = amountText): string | null {
  const { type, subject, detail } = event
  const money = (field: string) => moneyText(Number(detail[field]), String(detail['currency']))
  const phrase = phrases[type]
  return phrase === undefined ? `${type} ${subject.id}` : phrase(event, money)
}

/** What the events of the clock count as, in this order. */
const counted: Readonly<Record<string, string>> = {
  'subscription.activated': 'activated',
  'subscription.renewed': 'renewed',
  'subscription.plan_changed': 'on another plan',
  'subscription.recovered': 'recovered',
  'payment.succeeded': 'paid',
  'payment.failed': 'failed',
  'subscription.past_due': 'past due',
  'subscription.canceled': 'canceled',
  'subscription.expired': 'expired',
}

/** What events add up to: `2 renewed`, `50.00 USD paid`, `1 failed`. */
export function eventCounts(
  events: readonly ReadableEvent[],
  moneyText: MoneyText = amountText,
): string[] {
  return Object.entries(counted).flatMap(([type, word]) => {
    const found = events.filter((event) => event.type === type)
    if (type !== 'payment.succeeded') return found.length > 0 ? [`${found.length} ${word}`] : []
    const sums = new Map<string, number>()
    for (const { detail } of found) {
      const currency = String(detail['currency'])
      sums.set(currency, (sums.get(currency) ?? 0) + Number(detail['amount']))
    }
    return [...sums].map(([currency, sum]) => `${moneyText(sum, currency)} ${word}`)
  })
}

function day(at: unknown): string {
  return typeof at === 'string' ? at.slice(0, 10) : 'never'
}
