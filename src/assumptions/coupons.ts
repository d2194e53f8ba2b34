/** The assumptions about coupons and discounts. */
import * as z from 'zod'
import { type AssumptionRows, oneOf } from './entry.ts'

/** The order in which the discounts of an invoice are computed. */
export const StackingOrder = z.enum(['percentage_first', 'fixed_first', 'application'])

export const couponAssumptions = {
  'coupon-types': [
    '2',
    'How is the free trial extension, named in prose, written as a coupon type?',
    'trial_extension; its value is a number of days, and it takes no duration.',
  ],
  'coupon-durations': [
    '2',
    'Which durations exist beside repeating?',
    'once: the next invoice that charges for a period; forever: every such invoice.',
  ],
  'coupon-fields': [
    '2',
    'What are the fields of coupon restrictions called?',
    'max_redemptions, expires_at, applies_to_plans, applies_to_products and stackable; currency on fixed coupons.',
  ],
  'fixed-value-unit': [
    '2',
    'In which unit is the value of a fixed coupon?',
    'Integer minor units of the currency of the coupon.',
  ],
  'coupon-refusals': [
    '7',
    'How is a coupon that cannot be redeemed refused?',
    '409 with coupon_expired, coupon_exhausted, coupon_not_applicable or currency_mismatch; an unknown coupon is 404 not_found.',
    { otherwise: '422 coupon_refused; an unknown coupon stays 404 not_found.' },
  ],
  'coupon-limits-on-invoices': [
    '2',
    'When are a coupon’s limits to plans and products checked?',
    'When it is applied, and again on each invoice: a plan outside them gets nothing from it.',
    oneOf(z.enum(['each_invoice', 'when_applied']), 'when_applied: it is not checked again.'),
  ],
  'redemption-count': [
    '8',
    'When does a redemption count?',
    'When the coupon is applied; it is never given back, and running discounts are not cut short.',
    oneOf(
      z.enum(['each_application', 'each_subscription']),
      'each_subscription: a coupon that the subscription has already counts no further redemption, and no limit refuses it.',
    ),
  ],
  'stacking-needs-both': [
    '4',
    'When is stacking enabled?',
    'When the new coupon and every discount present are stackable; otherwise the new coupon replaces them all.',
  ],
  'reapplied-coupon': [
    '4',
    'What does applying a coupon do that the subscription already has?',
    'It starts anew, last in order, and counts as another redemption.',
    oneOf(z.enum(['restart', 'refuse']), 'refuse: it is refused with 409 coupon_not_applicable.'),
  ],
  'stacking-order': [
    '2',
    'In which order do several discounts reduce one amount?',
    'Percentages first, each on what is left, then fixed amounts, each in order of application.',
    oneOf(StackingOrder),
  ],
  'coupon-months-start': [
    '2',
    'When do the months of a repeating coupon begin that is applied during a trial?',
    'When billing begins, at the actual end of the trial.',
    oneOf(z.enum(['first_billing', 'application'])),
  ],
  'repeating-months-window': [
    '2',
    'Which invoices do the months of a repeating coupon cover?',
    'As many monthly ones as it has months: those from its start on and before its end, and the one exactly at its end where it was on none exactly at its start.',
  ],
  'coupon-months-during-pause': [
    '4',
    'Do the months of a repeating coupon run while the subscription is paused?',
    'They keep running.',
    oneOf(z.enum(['runs', 'stops'])),
  ],
  'trial-extension': [
    '2',
    'What does a trial extension coupon do?',
    'It moves the trial end, or the period end of an active subscription, by its days; it replaces no discount and leaves none.',
  ],
} as const satisfies AssumptionRows
