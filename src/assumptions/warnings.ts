/** The most surprising assumptions: the warnings on answers that use them. */
import type { AssumptionSlug } from './register.ts'

/** One or two sentences for an assumption, in ASCII without double quotes, because a header contains them. */
export const warnings: { readonly [Slug in AssumptionSlug]?: string } = {
  'cancel-without-refund':
    'The subscription ended at once, and nothing is refunded. Send at_period_end=true to end it with its period, unless it is paused.',
  'open-invoices-on-cancellation':
    'The open invoices of the subscription are void: the customer no longer owes them.',
  'price-change':
    'The new amount reaches every subscriber of the plan with the next invoice. For new subscribers alone, create another plan.',
}
