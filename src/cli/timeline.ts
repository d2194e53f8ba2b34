/** The timeline: events of the control plane as lines that a person reads. */

/** What the timeline reads of an event. */
export interface TimelineEvent {
  readonly seq: number
  readonly type: string
  readonly at: string
  readonly subject: { readonly kind: string; readonly id: string }
  readonly detail: Readonly<Record<string, string | number | boolean | null>>
}

type Phrase = (event: TimelineEvent) => string | null

/** How each type of event reads; null where another event of the same moment says it already. */
const phrases: Readonly<Record<string, Phrase>> = {
  'subscription.created': ({ detail }) => `subscribed to ${detail['plan']}, ${detail['status']}`,
  'subscription.trial_ended': () => 'the trial ended',
  'subscription.activated': ({ detail }) => `active, billed until ${day(detail['period_end'])}`,
  'subscription.renewed': ({ detail }) => `renewed until ${day(detail['period_end'])}`,
  'subscription.plan_changed': ({ detail }) => `moved from ${detail['from']} to ${detail['to']}`,
  'subscription.cancel_scheduled': ({ detail }) =>
    `will be canceled on ${day(detail['cancels_at'])}`,
  'subscription.canceled': ({ detail }) => `canceled (${detail['reason']})`,
  'subscription.past_due': () => 'past due',
  'subscription.recovered': () => 'active again',
  'discount.applied': ({ detail }) =>
    `${detail['coupon_id']} applied, from ${day(detail['starts_at'])} to ${day(detail['ends_at'])}`,
  'discount.ended': ({ detail }) => `${detail['coupon_id']} has run out`,
  'invoice.created': ({ subject, detail }) =>
    `${subject.id} (${detail['reason']}): ${money(detail['amount_due'], detail['currency'])} due`,
  'invoice.paid': () => null,
  'payment.succeeded': ({ subject, detail }) =>
    `${subject.id} paid: ${money(detail['amount'], detail['currency'])}`,
  'payment.failed': ({ subject, detail }) =>
    `${subject.id} failed: ${detail['reason']}, next attempt ${day(detail['next_attempt_at'])}`,
}

/** One line for each event that says something new. */
export function timeline(events: readonly TimelineEvent[]): string[] {
  return events.flatMap((event) => {
    const phrase = phrases[event.type] ?? (({ type, subject }) => `${type} ${subject.id}`)
    const text = phrase(event)
    return text === null ? [] : [`  ${event.at.slice(0, 16).replace('T', ' ')}  ${text}`]
  })
}

function day(at: unknown): string {
  return typeof at === 'string' ? at.slice(0, 10) : 'never'
}

/** The demo's currency has two decimals; other readers of amounts must not assume that. */
function money(amount: unknown, currency: unknown): string {
  return `${(Number(amount) / 100).toFixed(2)} ${currency}`
}
