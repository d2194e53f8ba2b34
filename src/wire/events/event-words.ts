/** Events in words, for the documents: what causes each type, and what the facts of its detail are. */
import type { EventType, eventDetails } from '../../world/event.ts'
import type { SnakeKey } from '../common/case.ts'

/** The facts of a type, as the wire spells them. */
type FactOf<Type extends EventType> = SnakeKey<keyof (typeof eventDetails)[Type]['shape'] & string>

/** What causes an event: a call, or what falls due. */
export const eventCauses = {
  'subscription.created':
    'A subscription was created, by POST /v1/subscriptions or POST /sandbox/subscriptions.',
  'subscription.trial_ended':
    'The end of a trial fell due, whether the subscription then became active, was canceled or expired.',
  'subscription.activated': 'The end of a trial fell due, and the first paid period began.',
  'subscription.renewed': 'The end of a period fell due, and the next period began.',
  'subscription.plan_changed':
    'Another plan took effect: at once, by an update of the subscription, or as scheduled, when the end of the trial or of the period fell due.',
  'subscription.plan_change_scheduled':
    'An update of the subscription scheduled a plan for the next period, or removed the scheduled one.',
  'subscription.paused':
    'The subscription was paused, by POST /v1/subscriptions/{subscription_id}/pause.',
  'subscription.resumed':
    'The subscription was resumed, by POST /sandbox/subscriptions/{subscription_id}/resume.',
  'subscription.cancel_scheduled':
    'A cancellation with `at_period_end` true was accepted; the subscription goes on until the end of its trial or period.',
  'subscription.cancellation_removed':
    'The scheduled cancellation was removed, by a call of the control plane.',
  'subscription.canceled':
    'The subscription ended: by a cancellation without `at_period_end`, at the end of a trial or period with a scheduled one, or when the last retry of a payment failed.',
  'subscription.expired':
    'The end of a trial fell due, and the customer had no payment method for what was due.',
  'subscription.past_due': 'A payment for an open invoice of an active subscription failed.',
  'subscription.recovered':
    'The last open invoice of a subscription that was past due was paid, so that it is active again.',
  'discount.applied':
    'A coupon gave the subscription a discount, at its creation or by POST /v1/subscriptions/{subscription_id}/apply-coupon.',
  'discount.replaced': 'Another coupon took the place of a discount that does not stack with it.',
  'discount.ended': 'An invoice for a period used up the last of a discount.',
  'trial.extended':
    'A coupon of the type `trial_extension` moved the end of the trial, or of the period of an active subscription.',
  'invoice.created':
    'An invoice was made: for a period that began, for the rest of a period after an upgrade, or for the credit of a cancellation.',
  'invoice.credited':
    'The credit of a plan change or of a cancellation paid a part or all of an open invoice.',
  'invoice.paid':
    'An invoice was paid in full: by a payment, by a credit, or at once where nothing was due.',
  'invoice.voided': 'The subscription of an open invoice ended, so that nobody owes it any more.',
  'invoice.uncollectible':
    'The invoice was given up: its last retry failed, or its subscription ended.',
  'payment.succeeded':
    'A payment attempt for an invoice succeeded: the first one, a retry that fell due, or POST /sandbox/invoices/{invoice_id}/pay.',
  'payment.failed':
    'A payment attempt for an invoice failed: the first one, a retry that fell due, or POST /sandbox/invoices/{invoice_id}/pay.',
  'charge.succeeded': 'POST /sandbox/charges made a one-time charge, and its payment succeeded.',
  'charge.failed': 'POST /sandbox/charges made a one-time charge, and its payment failed.',
  'token.issued': 'POST /sandbox/tokens issued the tokens of a new login.',
  'token.refreshed': 'POST /v1/auth/refresh exchanged a refresh token for a new access token.',
  'token.revoked':
    'The tokens of a login were revoked, by a call of the control plane or because a rotated refresh token was sent again.',
  'token.reuse_detected':
    'POST /v1/auth/refresh got a refresh token that an earlier refresh had replaced.',
  'sandbox.reset':
    'A new world replaced the one before: by POST /sandbox/reset, or for a provider state of contracts.',
  'sandbox.restored':
    'A checkpoint, or a state that was sent, replaced the world: POST /sandbox/checkpoints/{name}/restore or PUT /sandbox/state.',
} satisfies Record<EventType, string>

/** What the facts are, by their names. */
export const factWords = {
  amount: 'The amount that was paid, in minor units.',
  amount_due: 'What is still due, in minor units.',
  amount_paid: 'The amount that was paid, in minor units, without credit and balance.',
  balance_returned:
    'What the invoice had used of the balance of the customer, which got it back, in minor units.',
  by: 'The coupon of the discount that took its place.',
  cancels_at: 'When the subscription will end.',
  checkpoint: 'The checkpoint; absent where it was none.',
  coupon_id: 'The coupon.',
  currency: 'The ISO 4217 code of the currency.',
  days: 'The number of days.',
  discount_total: 'What discounts take off, in minor units; absent if there is none.',
  effective_at: 'When the plan takes effect; null where none does, or where a resume decides when.',
  ends_at: 'The instant at which a `repeating` discount ends; null for other durations.',
  fixture: 'The fixture that the world was made from.',
  from: 'The plan until now.',
  invoice_id: 'The invoice.',
  next_attempt_at: 'When the next attempt falls due; null for none.',
  period_end: 'When the period ends, exclusive.',
  period_start: 'When the period began.',
  plan: 'The plan of the period.',
  provider_states: 'The provider state of contracts; absent where it was none.',
  reason: 'Why.',
  rotated: 'Whether the refresh token was replaced too.',
  starts_at: 'When the discount starts.',
  status: 'The initial status of the subscription.',
  subject: 'The subject of the login, as the caller named it; null without one.',
  subscription_id: 'The subscription that it is for.',
  to: 'The other plan; null where the scheduled plan was removed.',
  trial_end: 'When the trial ended.',
} satisfies Record<{ [Type in EventType]: FactOf<Type> }[EventType], string>

/** Where a fact says more of one type. */
export const ownFactWords: { readonly [Type in EventType]?: { [Fact in FactOf<Type>]?: string } } =
  {
    'subscription.plan_changed': {
      to: 'The plan from now on.',
      period_start:
        'When the period began; absent for a scheduled change, whose next event starts a period.',
      period_end:
        'When the period ends, exclusive; absent for a scheduled change, whose next event starts a period.',
    },
    'subscription.paused': {
      period_end: 'When the period would have ended; the rest of it is kept.',
    },
    'subscription.resumed': { period_end: 'When the kept rest of the period ends, exclusive.' },
    'subscription.canceled': { reason: 'The reason why the subscription ended.' },
    'subscription.expired': { reason: 'The reason why the subscription ended.' },
    'subscription.past_due': { invoice_id: 'The invoice whose payment failed.' },
    'subscription.recovered': { invoice_id: 'The invoice that was paid last.' },
    'discount.replaced': { coupon_id: 'The coupon of the discount that was replaced.' },
    'trial.extended': { period_end: 'When the trial, or the period, ends now.' },
    'invoice.created': {
      reason: 'What it is for: a `period`, or the `proration` of an upgrade or a cancellation.',
      amount_due: 'The amount due after discounts and balance, in minor units.',
    },
    'invoice.credited': { amount: 'The credit that was used for it, in minor units.' },
    'invoice.uncollectible': { amount_due: 'The amount that was not paid, in minor units.' },
    'payment.failed': { reason: 'Why the attempt failed.' },
    'charge.failed': {
      amount: 'The amount that was not paid, in minor units.',
      reason: 'Why the payment failed.',
    },
  }
