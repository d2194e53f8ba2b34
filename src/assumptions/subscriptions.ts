/** The assumptions about subscriptions, trials, plan changes, invoices and payments. */
import * as z from 'zod'
import { exactMillis } from '../time/instant.ts'
import { fixed, setting } from './entry.ts'

/** The documented status names, which the paused state's name must not repeat. */
const documentedStatuses = ['trialing', 'active', 'past_due', 'canceled', 'expired']
const RETRY_OFFSET_MAX_MS = 3650 * 86_400_000

/** Offsets of retries from a first failure, in ascending order. */
export const RetrySchedule = z
  .array(
    z
      .string()
      .refine((text) => isRetryOffset(text))
      .meta({
        accepts: 'a positive duration of days, hours, minutes and seconds such as P1D or PT12H',
      }),
  )
  .max(50)
  .refine((offsets) => offsets.every((text, at) => at === 0 || ascends(offsets[at - 1], text)))

export const subscriptionAssumptions = [
  fixed({
    slug: 'subscription-fields',
    section: '2',
    question: 'Which fields does a subscription record have beside the three on create?',
    choice:
      'Identifier, status, trial and period instants, cancellation, pending plan, discounts and creation instant; null where one does not apply, never absent.',
  }),
  fixed({
    slug: 'status-names',
    section: '3',
    question: 'How are the documented states written on the wire?',
    choice: 'trialing, active, past_due, canceled and expired: lower case, joined by underscores.',
  }),
  setting({
    slug: 'paused-status-name',
    section: '3',
    question: 'What is the paused state called?',
    choice: 'paused',
    options: '1 to 40 of a-z and _, and no other status name',
    schema: z
      .string()
      .regex(/^[a-z_]{1,40}$/)
      .refine((name) => !documentedStatuses.includes(name)),
    fallback: 'paused',
  }),
  fixed({
    slug: 'unlisted-transitions',
    section: '3',
    question: 'What happens on a transition that the table does not list?',
    choice:
      'Past due and paused subscriptions can be canceled at once, past due ones at period end too, and a paid invoice recovers a past due one; every other unlisted transition is refused with 409 invalid_transition.',
  }),
  fixed({
    slug: 'trial-period-bounds',
    section: '8',
    question: 'Which values may trial_period_days take?',
    choice: 'Integers from 0 to 730; 0 means no trial.',
  }),
  fixed({
    slug: 'trial-day-length',
    section: '2',
    question: 'How long is a day of trial?',
    choice: 'Exactly 24 hours.',
  }),
  fixed({
    slug: 'first-invoice',
    section: '4',
    question: 'When is a subscription without a trial first billed?',
    choice:
      'At once: an invoice and a payment attempt when it is created; a failure leaves it past due.',
  }),
  setting({
    slug: 'trial-end-without-payment-method',
    section: '3',
    question: 'What becomes of a trial that ends when the customer has no payment method?',
    choice: 'The subscription expires, and nothing is billed.',
    options: 'expire, past_due',
    schema: z.enum(['expire', 'past_due']),
    fallback: 'expire',
  }),
  fixed({
    slug: 'billing-calendar',
    section: '2',
    question: 'Where does one billing period end and the next begin?',
    choice:
      'At the anchor plus n intervals in the UTC calendar, the day clamped to the last of the month; the anchor is the start of billing.',
  }),
  fixed({
    slug: 'amount-rounding',
    section: '2',
    question: 'How are amounts written and rounded?',
    choice: 'Integers of minor units, rounded half away from zero once for each computed amount.',
  }),
  setting({
    slug: 'retry-schedule',
    section: '8',
    question: 'When is a failed payment retried?',
    choice: '1, 3, 5 and 7 days after the first failure of the invoice.',
    options:
      'ISO 8601 durations of days, hours, minutes and seconds, positive, strictly ascending; [] for no retry',
    schema: RetrySchedule,
    fallback: ['P1D', 'P3D', 'P5D', 'P7D'],
  }),
  setting({
    slug: 'after-retries',
    section: '3',
    question: 'What becomes of a subscription after its last failed retry?',
    choice: 'It is canceled at that instant; the invoice is uncollectible.',
    options: 'cancel, keep_past_due, expire',
    schema: z.enum(['cancel', 'keep_past_due', 'expire']),
    fallback: 'cancel',
  }),
  fixed({
    slug: 'payment-outcomes',
    section: '3',
    question: 'When does a payment fail?',
    choice:
      'When an outcome was set in advance: a scripted outcome, then a standing rule, then a customer without a payment method; otherwise it succeeds.',
  }),
  fixed({
    slug: 'upgrade-or-downgrade',
    section: '4',
    question: 'Which plan change is an upgrade and which a downgrade?',
    choice: 'The higher yearly rate is the upgrade; an equal one is treated as an upgrade.',
  }),
  fixed({
    slug: 'proration',
    section: '4',
    question: 'How is the difference of an upgrade computed?',
    choice:
      'To the millisecond: a credit for the rest of the period at what the old plan cost after discounts, and a charge for it at the new price with the same discounts, invoiced at once.',
  }),
  fixed({
    slug: 'interval-change',
    section: '4',
    question: 'What does a plan change to another billing interval do to the period?',
    choice:
      'An upgrade starts a full new period now, with a credit for the unused rest; a downgrade starts one at the next boundary.',
  }),
  fixed({
    slug: 'credit-to-balance',
    section: '4',
    question: 'What becomes of a credit larger than what is charged?',
    choice:
      'It goes to the balance of the customer, which later invoices use first; while an invoice is open the credit is cut to what is charged.',
  }),
  fixed({
    slug: 'failed-upgrade-payment',
    section: '4',
    question: 'What happens when the payment for an upgrade fails?',
    choice: 'The new plan stays, and the subscription is past due.',
  }),
  fixed({
    slug: 'plan-change-in-trial',
    section: '4',
    question: 'What does a plan change do during a trial?',
    choice:
      'An upgrade swaps the plan at once without charge and leaves the trial end; a downgrade waits for the trial end.',
  }),
  fixed({
    slug: 'plan-change-while-paused',
    section: '4',
    question: 'What does a plan change do while the subscription is paused?',
    choice: 'It waits for the first billing cycle after the resume.',
  }),
  fixed({
    slug: 'currency-match',
    section: '2',
    question: 'May a customer be billed in several currencies?',
    choice:
      'No: the first subscription or charge sets the currency, and another is 409 currency_mismatch.',
  }),
  fixed({
    slug: 'immediate-cancel-parameter',
    section: '4',
    question: 'Which parameter value asks for immediate cancellation?',
    choice: 'at_period_end absent or false.',
  }),
  fixed({
    slug: 'cancel-without-refund',
    section: '4',
    question: 'What happens to money on cancellation?',
    choice: 'Nothing is refunded; open invoices are void and their retries stop.',
  }),
  fixed({
    slug: 'resume-restores-remaining-period',
    section: '4',
    question: 'What happens to the period when a paused subscription resumes?',
    choice: 'The unused part is given back: the period ends at the resume plus what was left.',
  }),
] as const

function isRetryOffset(text: string): boolean {
  const millis = exactMillis(text)
  return millis !== null && millis > 0 && millis <= RETRY_OFFSET_MAX_MS
}

function ascends(before: string | undefined, after: string): boolean {
  return before !== undefined && (exactMillis(before) ?? 0) < (exactMillis(after) ?? 0)
}
