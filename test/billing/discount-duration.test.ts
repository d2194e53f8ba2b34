import { describe, expect, it } from 'vitest'
import { reduces } from '../../src/billing/discount.ts'
import {
  fixedOff,
  instant,
  percentage,
  plan,
  repeating,
  trialExtension,
  yearly,
} from '../support/catalog.ts'
import {
  apply,
  cancelAtPeriodEnd,
  changePlan,
  offering,
  selling,
  setting,
  subscribe,
} from '../support/deeds.ts'
import {
  couponsOn,
  discountsOf,
  duesIn,
  eventsSince,
  invoiceIn,
  subscriptionIn,
} from '../support/readings.ts'
import { advanceTo, type Deed, given, type Story, when } from '../support/story.ts'

const NOW = '2027-01-31T10:00:00Z'
const plans = selling(
  plan('free', 0),
  plan('basic', 1000),
  plan('pro', 2000),
  yearly('year', 12_000),
  yearly('pro_year', 24_000),
)
const coupons = offering(
  percentage('WELCOME', 50),
  percentage('SAVE20', 20, repeating(3)),
  percentage('EVER', 10, { duration: 'forever' }),
  percentage('PROONLY', 30, { appliesToPlans: ['pro'] }),
  fixedOff('STACKS', 100, { ...repeating(1), stackable: true }),
  fixedOff('STACKS_TOO', 50, { duration: 'forever', stackable: true }),
  fixedOff('ALONE', 50, { duration: 'forever' }),
  trialExtension('MORETIME', 14),
)

function subscribed(...deeds: readonly Deed[]): Story {
  return given(NOW, plans, coupons, subscribe('basic'), ...deeds)
}

function trialing(...deeds: readonly Deed[]): Story {
  return given(NOW, plans, coupons, subscribe('basic', { trialPeriodDays: 28 }), ...deeds)
}

function windowIn(story: Story): readonly unknown[] {
  const [discount] = subscriptionIn(story).discounts
  return [discount?.startsAt, discount?.endsAt]
}

describe('a once discount', () => {
  it('7: reduces the next invoice for a period, and no other', () => {
    const story = subscribed(apply('WELCOME'), advanceTo('2027-03-31T10:00:00Z'))
    expect(duesIn(story)).toEqual([1000, 500, 1000])
  })

  it('7: leaves the list, with discount.ended, when its invoice is made', () => {
    const before = subscribed(apply('WELCOME'))
    const story = when(before, advanceTo('2027-02-28T10:00:00Z'))
    expect(couponsOn(story)).toEqual([])
    expect(eventsSince(before, story)).toEqual([
      'subscription.renewed',
      'invoice.created',
      'discount.ended',
      'payment.succeeded',
      'invoice.paid',
    ])
  })

  it('7: is used up by a period that costs nothing, too', () => {
    const free = given(NOW, plans, coupons, subscribe('free'), apply('WELCOME'))
    const story = when(free, advanceTo('2027-02-28T10:00:00Z'))
    expect(discountsOf(invoiceIn(story))).toEqual([['WELCOME', 0]])
    expect(couponsOn(story)).toEqual([])
  })

  it('7: applied in a trial waits for the first invoice', () => {
    expect(duesIn(trialing(apply('WELCOME'), advanceTo('2027-04-01')))).toEqual([500, 1000])
  })

  it('7: starts when applied and has no end', () => {
    expect(windowIn(trialing(apply('WELCOME')))).toEqual(['2027-01-31T10:00:00.000Z', null])
    expect(windowIn(subscribed(apply('EVER')))).toEqual(['2027-01-31T10:00:00.000Z', null])
  })

  it('7: stays until an invoice for a plan within its limits', () => {
    const outside = given(NOW, plans, coupons, subscribe('pro'), apply('PROONLY'))
    const down = when(outside, changePlan('basic'), advanceTo('2027-02-28T10:00:00Z'))
    expect(discountsOf(invoiceIn(down))).toEqual([])
    expect(couponsOn(down)).toEqual(['PROONLY'])
    const up = when(down, changePlan('pro'), advanceTo('2027-03-31T10:00:00Z'))
    expect(discountsOf(invoiceIn(up))).toEqual([['PROONLY', 600]])
    expect(couponsOn(up)).toEqual([])
  })
})

describe('a forever discount', () => {
  it('7: reduces every invoice', () => {
    const story = subscribed(apply('EVER'), advanceTo('2028-01-31T10:00:00Z'))
    expect(duesIn(story)).toEqual([1000, ...Array(12).fill(900)])
  })
})

describe('a repeating discount', () => {
  it('7: reduces the invoices created from when it was applied until its months are over', () => {
    const checkout = given(NOW, plans, coupons, subscribe('basic', { couponId: 'SAVE20' }))
    expect(windowIn(checkout)).toEqual(['2027-01-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z'])
    const story = when(checkout, advanceTo('2027-05-31T10:00:00Z'))
    expect(duesIn(story)).toEqual([800, 800, 800, 1000, 1000])
  })

  it('1: its months are calendar months, clamped as periods are', () => {
    const late = given('2027-11-30T10:00:00Z', plans, coupons, subscribe('basic'), apply('SAVE20'))
    expect(windowIn(late)).toEqual(['2027-11-30T10:00:00.000Z', '2028-02-29T10:00:00.000Z'])
  })

  it('7: its window is half-open: an invoice at its end is not reduced, one just before is', () => {
    const noon = subscribed(apply('SAVE20'), advanceTo('2027-04-30T10:00:00Z'))
    expect(duesIn(noon)).toEqual([1000, 800, 800, 1000])
    const later = subscribed(advanceTo('2027-01-31T10:00:00.001Z'), apply('SAVE20'))
    expect(duesIn(when(later, advanceTo('2027-04-30T10:00:00Z')))).toEqual([1000, 800, 800, 800])
  })

  it.each([
    ['2027-01-31T09:59:59.999Z', false],
    ['2027-01-31T10:00:00.000Z', true],
    ['2027-04-30T09:59:59.999Z', true],
    ['2027-04-30T10:00:00.000Z', false],
  ])('7: at %s within its window: %s', (now, isWithin) => {
    const [discount] = subscriptionIn(subscribed(apply('SAVE20'))).discounts
    expect(discount && reduces(discount, plan('basic', 1000), instant(now))).toBe(isWithin)
  })

  it('7: of 3 months on a yearly plan reduces one whole invoice', () => {
    const checkout = given(NOW, plans, coupons, subscribe('year', { couponId: 'SAVE20' }))
    expect(duesIn(when(checkout, advanceTo('2029-01-31T10:00:00Z')))).toEqual([
      9600, 12_000, 12_000,
    ])
  })

  it('7: applied mid-year to a yearly plan can run out without reducing anything', () => {
    const story = given(NOW, plans, coupons, subscribe('year'), apply('SAVE20'))
    expect(duesIn(when(story, advanceTo('2028-01-31T10:00:00Z')))).toEqual([12_000, 12_000])
  })

  it('7: that has run out leaves at the next period’s invoice, never as a due item of its own', () => {
    const story = subscribed(apply('SAVE20'), apply('STACKS'), advanceTo('2027-02-28T09:59:59Z'))
    expect(couponsOn(story)).toEqual(['STACKS'])
    const renewed = when(story, advanceTo('2027-02-28T10:00:00Z'))
    expect(couponsOn(renewed)).toEqual([])
    expect(eventsSince(story, renewed)).toContain('discount.ended')
    expect(discountsOf(invoiceIn(renewed))).toEqual([])
  })

  it('7: that has run out but is still listed counts as present for stacking', () => {
    const year = given(NOW, plans, coupons, subscribe('year'), apply('STACKS'))
    const runOut = when(year, advanceTo('2027-06-01'))
    expect(couponsOn(when(runOut, apply('STACKS_TOO')))).toEqual(['STACKS', 'STACKS_TOO'])
    const alone = when(year, apply('SAVE20'), advanceTo('2027-12-01'))
    expect(couponsOn(when(alone, apply('STACKS_TOO')))).toEqual(['STACKS_TOO'])
  })

  it('7: that has run out outlives a plan change within the period, which bills no period', () => {
    const year = given(NOW, plans, coupons, subscribe('year'), apply('STACKS'))
    expect(couponsOn(when(year, advanceTo('2027-06-01'), changePlan('pro_year')))).toEqual([
      'STACKS',
    ])
  })

  it('7: applied in a trial starts at the actual end of the trial by default', () => {
    const story = trialing(apply('SAVE20'))
    expect(windowIn(story)).toEqual(['2027-02-28T10:00:00.000Z', '2027-05-28T10:00:00.000Z'])
    expect(duesIn(when(story, advanceTo('2027-05-28T10:00:00Z')))).toEqual([800, 800, 800, 1000])
  })

  it('7: applied in a trial starts when applied where the setting says application', () => {
    const story = trialing(setting({ couponMonthsStart: 'application' }), apply('SAVE20'))
    expect(windowIn(story)).toEqual(['2027-01-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z'])
    expect(duesIn(when(story, advanceTo('2027-05-28T10:00:00Z')))).toEqual([800, 800, 800, 1000])
  })

  it('7: can run out within a long trial where the setting says application', () => {
    const long = subscribe('basic', { trialPeriodDays: 100 })
    const application = setting({ couponMonthsStart: 'application' })
    const story = given(NOW, plans, coupons, application, long, apply('SAVE20'))
    expect(duesIn(when(story, advanceTo('2027-06-30')))).toEqual([1000, 1000])
  })

  it('7: moves with the trial end when the trial is extended', () => {
    const story = trialing(apply('SAVE20'), apply('MORETIME'))
    expect(windowIn(story)).toEqual(['2027-03-14T10:00:00.000Z', '2027-06-14T10:00:00.000Z'])
  })

  it('7: stays where it is on an extension where the setting says application', () => {
    const application = setting({ couponMonthsStart: 'application' })
    const story = trialing(application, apply('SAVE20'), apply('MORETIME'))
    expect(windowIn(story)).toEqual(['2027-01-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z'])
  })

  it('7: applied after the trial starts when applied', () => {
    const story = trialing(advanceTo('2027-03-10'), apply('SAVE20'))
    expect(windowIn(story)).toEqual(['2027-03-10T00:00:00.000Z', '2027-06-10T00:00:00.000Z'])
  })

  it('7: an extension of a paid period leaves its window where it is', () => {
    const story = subscribed(apply('SAVE20'), apply('MORETIME'))
    expect(windowIn(story)).toEqual(['2027-01-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z'])
  })

  it('6: an ended subscription keeps it, run out or not', () => {
    const story = subscribed(apply('SAVE20'), cancelAtPeriodEnd, advanceTo('2028-01-01'))
    expect(couponsOn(story)).toEqual(['SAVE20'])
  })
})
