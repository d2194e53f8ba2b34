/** The assumptions about coupons and discounts. */
import * as z from 'zod'
import { fixed, setting } from './entry.ts'

/** In which order the discounts of an invoice are computed. */
export const StackingOrder = z.enum(['percentage_first', 'fixed_first', 'application'])

export const couponAssumptions = [
  fixed({
    slug: 'coupon-types',
    section: '2',
    question: 'How is the free trial extension, named in prose, written as a coupon type?',
    choice: 'trial_extension; its value is a number of days, and it takes no duration.',
  }),
  fixed({
    slug: 'coupon-durations',
    section: '2',
    question: 'Which durations exist beside repeating?',
    choice: 'once: the next invoice that charges for a period; forever: every such invoice.',
  }),
  fixed({
    slug: 'coupon-fields',
    section: '2',
    question: 'What are the fields of coupon restrictions called?',
    choice:
      'max_redemptions, expires_at, applies_to_plans, applies_to_products and stackable; currency on fixed coupons.',
  }),
  fixed({
    slug: 'fixed-value-unit',
    section: '2',
    question: 'In which unit is the value of a fixed coupon?',
    choice: 'Integer minor units of the currency of the coupon.',
  }),
  fixed({
    slug: 'coupon-refusals',
    section: '7',
    question: 'How is a coupon that cannot be redeemed refused?',
    choice:
      '409 with coupon_expired, coupon_exhausted, coupon_not_applicable or currency_mismatch; an unknown coupon is 404 not_found.',
  }),
  fixed({
    slug: 'coupon-limits-on-invoices',
    section: '2',
    question: 'When are a coupon’s limits to plans and products checked?',
    choice:
      'When it is applied, and again on each invoice: a plan outside them gets nothing from it.',
  }),
  fixed({
    slug: 'redemption-count',
    section: '8',
    question: 'When does a redemption count?',
    choice:
      'When the coupon is applied; it is never given back, and running discounts are not cut short.',
  }),
  fixed({
    slug: 'stacking-needs-both',
    section: '4',
    question: 'When is stacking enabled?',
    choice:
      'When the new coupon and every discount present are stackable; otherwise the new coupon replaces them all.',
  }),
  fixed({
    slug: 'reapplied-coupon',
    section: '4',
    question: 'What does applying a coupon do that the subscription already has?',
    choice: 'It starts anew, last in order, and counts as another redemption.',
  }),
  setting({
    slug: 'stacking-order',
    section: '2',
    question: 'In which order do several discounts reduce one amount?',
    choice:
      'Percentages first, each on what is left, then fixed amounts, each in order of application.',
    options: 'percentage_first, fixed_first, application',
    schema: StackingOrder,
    fallback: 'percentage_first',
  }),
  setting({
    slug: 'coupon-months-start',
    section: '2',
    question: 'When do the months of a repeating coupon begin that is applied during a trial?',
    choice: 'When billing begins, at the actual end of the trial.',
    options: 'first_billing, application',
    schema: z.enum(['first_billing', 'application']),
    fallback: 'first_billing',
  }),
  fixed({
    slug: 'repeating-months-window',
    section: '2',
    question: 'Which invoices do the months of a repeating coupon cover?',
    choice:
      'As many monthly ones as it has months: those from its start on and before its end, and the one exactly at its end where it was on none exactly at its start.',
  }),
  setting({
    slug: 'coupon-months-during-pause',
    section: '4',
    question: 'Do the months of a repeating coupon run while the subscription is paused?',
    choice: 'They keep running.',
    options: 'runs, stops',
    schema: z.enum(['runs', 'stops']),
    fallback: 'runs',
  }),
  fixed({
    slug: 'trial-extension',
    section: '2',
    question: 'What does a trial extension coupon do?',
    choice:
      'It moves the trial end, or the period end of an active subscription, by its days; it replaces no discount and leaves none.',
  }),
] as const
