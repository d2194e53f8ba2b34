/** The assumptions about subscriptions, trials, plan changes, invoices and payments. */
import * as z from 'zod'
import { array, string } from 'zod'
import { nearestDuration } from '../time/duration-text.ts'
import { exactMillis } from '../time/instant.ts'
import { VARIED_TRIAL_DAYS_MAX } from './bounds.ts'
import { type AssumptionRows, oneOf, setting } from './entry.ts'

/** The documented status names, which the name of the paused state must not repeat. */
export const documentedStatuses = ['trialing', 'active', 'past_due', 'canceled', 'expired']
const RETRY_OFFSET_MAX_DAYS = 3650
const RETRY_OFFSET_MAX_MS = RETRY_OFFSET_MAX_DAYS * 86_400_000

/** Offsets of retries from a first failure, in ascending order. */
export const RetrySchedule = array(
  string()
    .refine((text) => isRetryOffset(text))
    .meta({
      accepts: `a positive ISO 8601 duration of days, hours, minutes and seconds, without years, months and weeks, such as P1D or PT12H, at most ${RETRY_OFFSET_MAX_DAYS} days`,
      nearest: (text: unknown) =>
        [nearestDuration(text)].find((near) => near !== null && isRetryOffset(near)) ?? null,
    }),
)
  .max(50)
  .refine((offsets) => offsets.every((text, at) => at === 0 || ascends(offsets[at - 1], text)))

/** The fields of a subscription record whose names the interface does not show. */
export const assumedFields = [
  'subscription_id',
  'status',
  'trial_end',
  'current_period_start',
  'current_period_end',
  'cancel_at_period_end',
  'canceled_at',
  'ended_at',
  'pending_plan',
  'discounts',
  'created_at',
]
const shownFields = ['customer_id', 'plan', 'trial_period_days']

/** A change to the fields of a subscription record on /v1, as a pattern. */
export const fieldChangePattern = `^(documented|epoch_seconds|(envelope|${assumedFields.join('|')})=[A-Za-z_]{1,40})$`

/** How /v1 writes a subscription record otherwise. No name has two meanings. */
const FieldChanges = array(
  string()
    .regex(new RegExp(fieldChangePattern))
    .meta({
      accepts: `documented, epoch_seconds, envelope=name or field=name, with a name of A-Z, a-z and _; fields: ${assumedFields.join(', ')}`,
    }),
)
  .max(20)
  .refine((changes) => {
    const sides = changes.map(sidesOf)
    const fields = sides.map(([field]) => field)
    const left = [...shownFields, ...assumedFields].filter((field) => !fields.includes(field))
    const all = [...left, ...sides.flatMap(([field, name]) => (field === 'envelope' ? [] : name))]
    return new Set(all).size === all.length && new Set(fields).size === fields.length
  })

/** The two sides of a change: its field, and the name of that. A word alone is both. */
export function sidesOf(change: string): [field: string, name: string] {
  const [field = change, name = field] = change.split('=')
  return [field, name]
}

export const subscriptionAssumptions = {
  'subscription-fields': [
    '2',
    'Which fields does a subscription record have beside the three on create?',
    'Identifier, status, trial and period instants, cancellation, pending plan, discounts and creation instant; null where one does not apply, never absent.',
    setting(
      'a list of documented, epoch_seconds, field=name and envelope=name, no field or name twice; [] for none',
      FieldChanges,
      [
        [],
        ['documented'],
        'The documented fields alone, absent where one does not apply, beside a field of its own. As a setting, that is documented; epoch_seconds: instants as seconds since 1970; field=name: another name for a field that the interface does not show; envelope=name: the record as the value of that name.',
      ],
    ),
  ],
  'status-names': [
    '3',
    'How are the documented states written on the wire?',
    'trialing, active, past_due, canceled and expired: lower case, joined by underscores.',
    { otherwise: 'Trialing, Active, Past Due, Canceled and Expired.' },
  ],
  'paused-status-name': [
    '3',
    'What is the paused state called?',
    'paused',
    setting(
      '1 to 40 of a-z and _, and no other status name',
      string()
        .regex(/^[a-z_]{1,40}$/)
        .refine((name) => !documentedStatuses.includes(name)),
      ['paused', 'on_hold'],
    ),
  ],
  'unlisted-transitions': [
    '3',
    'What happens on a transition that the table does not list?',
    'Past due and paused subscriptions can be canceled at once, past due ones at period end too, and a paid invoice recovers a past due one; every other unlisted transition is refused with 409 invalid_transition. One that is set to cancel at period end can be paused, as any active one.',
    oneOf(z.enum(['cancel', 'refuse']), 'refuse: these cancellations are refused too.'),
  ],
  'trial-period-bounds': [
    '8',
    'Which values may trial_period_days take?',
    'Integers from 0 to 730; 0 means no trial.',
    { otherwise: `Integers from 0 to ${VARIED_TRIAL_DAYS_MAX}; 0 means no trial.` },
  ],
  'trial-day-length': [
    '2',
    'How long is a day of trial?',
    'Exactly 24 hours.',
    oneOf(
      z.enum(['24_hours', 'calendar_day']),
      'calendar_day: a trial ends at midnight in UTC, as many days after the day on which it began.',
    ),
  ],
  'first-invoice': [
    '4',
    'When is a subscription without a trial first billed?',
    'At once: an invoice and a payment attempt when it is created; a failure leaves it past due.',
    oneOf(
      z.enum(['at_once', 'first_boundary']),
      'first_boundary: the first invoice is made at the end of the first period, which is free.',
    ),
  ],
  'trial-end-without-payment-method': [
    '3',
    'What happens to a trial that ends when the customer has no payment method?',
    'Where its first invoice has something due, the subscription expires, and nothing is billed; where nothing is due, it becomes active.',
    oneOf(z.enum(['expire', 'past_due'])),
  ],
  'billing-calendar': [
    '2',
    'Where does one billing period end and the next begin?',
    'At the anchor plus n intervals in the UTC calendar, the day clamped to the last of the month; the anchor is the start of billing.',
  ],
  'amount-rounding': [
    '2',
    'How are amounts written and rounded?',
    'Integers of minor units, rounded half away from zero once for each computed amount.',
    oneOf(z.enum(['half_away', 'half_even']), 'half_even: a half goes to the even neighbor.'),
  ],
  'retry-schedule': [
    '8',
    'When is a failed payment retried?',
    '1, 3, 5 and 7 days after the first failure of the invoice.',
    setting(
      `ISO 8601 durations of days, hours, minutes and seconds, without years, months and weeks, positive, at most ${RETRY_OFFSET_MAX_DAYS} days, strictly ascending; [] for no retry`,
      RetrySchedule,
      [['P1D', 'P3D', 'P5D', 'P7D'], ['P2D']],
    ),
  ],
  'after-retries': [
    '3',
    'What happens to a subscription after its last failed retry?',
    'It is canceled at that instant; the invoice is uncollectible.',
    oneOf(z.enum(['cancel', 'keep_past_due'])),
  ],
  'payment-outcomes': [
    '3',
    'When does a payment fail?',
    'When an outcome was set in advance: a scripted outcome, then a standing rule, then a customer without a payment method; otherwise it succeeds.',
  ],
  'upgrade-or-downgrade': [
    '4',
    'Which plan change is an upgrade and which a downgrade?',
    'The higher yearly rate is the upgrade; an equal one is treated as an upgrade.',
    oneOf(
      z.enum(['yearly_rate', 'amount']),
      'amount: the amounts are compared, whatever their intervals.',
    ),
  ],
  proration: [
    '4',
    'How is the difference of an upgrade computed?',
    'To the millisecond: a credit for the rest of the period at what the old plan cost after discounts, and a charge for it at the new price with the same discounts, invoiced at once.',
    oneOf(
      z.enum(['millisecond', 'second', 'day', 'none']),
      'second, day: one that has begun counts as unused as a whole; none: both amounts are zero.',
    ),
  ],
  'interval-change': [
    '4',
    'What does a plan change to another billing interval do to the period?',
    'An upgrade starts a full new period now, with a credit for the unused rest; a downgrade starts one at the next boundary.',
    oneOf(
      z.enum(['at_once', 'at_period_end']),
      'at_period_end: an upgrade waits for the boundary too.',
    ),
  ],
  'credit-to-balance': [
    '4',
    'What happens to a credit larger than what is charged?',
    'It pays the open invoices of the subscription, the oldest first; the rest goes to the balance of the customer, which later invoices use first.',
    oneOf(z.enum(['balance', 'forfeit']), 'forfeit: a credit is cut to what is charged beside it.'),
  ],
  'failed-upgrade-payment': [
    '4',
    'What happens when the payment for an upgrade fails?',
    'The new plan stays, and the subscription is past due.',
  ],
  'plan-change-in-trial': [
    '4',
    'What does a plan change do during a trial?',
    'An upgrade swaps the plan at once without charge and leaves the trial end; a downgrade waits for the trial end.',
    oneOf(z.enum(['at_once', 'at_trial_end']), 'at_trial_end: an upgrade waits too.'),
  ],
  'plan-change-while-paused': [
    '4',
    'What does a plan change do while the subscription is paused?',
    'It waits for the first billing cycle after the resume.',
  ],
  'currency-match': [
    '2',
    'May a customer be billed in several currencies?',
    'No: the first subscription or charge sets the currency, and another is 409 currency_mismatch.',
  ],
  'immediate-cancel-parameter': [
    '4',
    'Which parameter value asks for immediate cancellation?',
    'at_period_end absent or false.',
    {
      otherwise:
        'at_period_end false; a subscription whose cancellation leaves it out ends with its period.',
    },
  ],
  'cancel-without-refund': [
    '4',
    'What happens to money on cancellation?',
    'Nothing is refunded for the rest of a period that was paid.',
    oneOf(
      z.enum(['nothing', 'credit']),
      'credit: a cancellation at once credits the rest of the period, as an upgrade does, while the subscription is active or past due.',
    ),
  ],
  'open-invoices-on-cancellation': [
    '4',
    'What happens to open invoices when a subscription ends?',
    'They are void, and their retries stop: the customer no longer owes them.',
    oneOf(
      z.enum(['void', 'uncollectible']),
      'uncollectible: their retries stop, and the customer still owes them.',
    ),
  ],
  access: [
    '3',
    'Until when does the customer have access?',
    'Until the subscription ended, or while it is paused until the pause began, or until the end of the trial or period where a cancellation is scheduled; otherwise no end is known.',
  ],
  'price-change': [
    '2',
    'Whom does a new amount of a plan reach?',
    'Every subscription of the plan, with its next invoice; invoices that exist stay as they are.',
  ],
  'resume-restores-remaining-period': [
    '4',
    'What happens to the period when a paused subscription resumes?',
    'The unused part is given back: the period ends at the resume plus what was left.',
    setting('true, false', z.boolean(), [
      true,
      false,
      'false: the period keeps its end; where that has passed, the next period begins at the resume and is billed.',
    ]),
  ],
} as const satisfies AssumptionRows

function isRetryOffset(text: string): boolean {
  const millis = exactMillis(text)
  return millis !== null && millis > 0 && millis <= RETRY_OFFSET_MAX_MS
}

/** An invalid offset is refused on its own. */
function ascends(before = '', after = ''): boolean {
  return (exactMillis(before) ?? -1) < (exactMillis(after) ?? Number.POSITIVE_INFINITY)
}
