import { describe, expect, it } from 'vitest'
import { initialSettings } from '../../src/assumptions/register.ts'
import { Discount, reduces } from '../../src/billing/discount.ts'
import {
  apply,
  cancelAtPeriodEnd,
  changePlan,
  offering,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
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
  couponsOn,
  discountsOf,
  duesIn,
  eventsSince,
  invoiceIn,
  subscriptionIn,
  windowIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-01-31T10:00:00Z'
const plans = selling(
  plan('free', 0),
  plan('basic', 1000),
  plan('pro', 2000),
  plan('pro_month', 3000),
  yearly('year', 12_000),
  yearly('pro_year', 24_000),
)
const coupons = offering(
  percentage('WELCOME', 50),
  percentage('SAVE20', 20, repeating(3)),
  percentage('EVER', 10, { duration: 'forever' }),
  percentage('PROONLY', 30, { appliesToPlans: ['pro'] }),
  percentage('PRO3', 50, { ...repeating(3), appliesToPlans: ['pro'] }),
  percentage('ONCE', 50, { stackable: true }),
  fixedOff('STACKS', 100, { ...repeating(1), stackable: true }),
  fixedOff('STACKS_TOO', 50, { duration: 'forever', stackable: true }),
  fixedOff('ALONE', 50, { duration: 'forever' }),
  trialExtension('MORETIME', 14),
)

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe('basic'), ...actions)
}

function trialing(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe('basic', { trialPeriodDays: 28 }), ...actions)
}

describe('the events of an invoice', () => {
  const detailsOf = ({ facts }: Scenario, type: string) =>
    facts.filter((fact) => fact.type === type).map(({ detail }) => detail)

  it('7.13: end the discount that it used up, and no other', () => {
    const before = subscribed(apply('ONCE'), apply('STACKS_TOO'))
    const scenario = when(before, advanceTo('2027-03-31T10:00:00Z'))
    const ended = { couponId: 'ONCE', startsAt: '2027-01-31T10:00:00.000Z', endsAt: null }
    expect(detailsOf(scenario, 'discount.ended')).toEqual([ended])
  })

  it('say what discounts take off, where there are any', () => {
    const scenario = subscribed(apply('ONCE'), advanceTo('2027-03-31T10:00:00Z'))
    const created = detailsOf(scenario, 'invoice.created')
    expect(created.map((detail) => Object(detail).discountTotal)).toEqual([
      undefined,
      500,
      undefined,
    ])
    expect(created[0]).not.toHaveProperty('discountTotal')
  })
})

describe('a once discount', () => {
  it('7.13: is used up by a period that costs nothing, too', () => {
    const free = given(NOW, plans, coupons, subscribe('free'), apply('WELCOME'))
    const scenario = when(free, advanceTo('2027-02-28T10:00:00Z'))
    expect(discountsOf(invoiceIn(scenario))).toEqual([['WELCOME', 0]])
    expect(couponsOn(scenario)).toEqual([])
  })

  it('7.13: applied in a trial waits for the first invoice', () => {
    expect(duesIn(trialing(apply('WELCOME'), advanceTo('2027-04-01')))).toEqual([500, 1000])
  })

  it('7.18: starts when applied and has no end', () => {
    expect(windowIn(trialing(apply('WELCOME')))).toEqual(['2027-01-31T10:00:00.000Z', null])
    expect(windowIn(subscribed(apply('EVER')))).toEqual(['2027-01-31T10:00:00.000Z', null])
  })
})

describe('a forever discount', () => {
  it('7.17: reduces every invoice', () => {
    const scenario = subscribed(apply('EVER'), advanceTo('2028-01-31T10:00:00Z'))
    expect(duesIn(scenario)).toEqual([1000, ...Array(12).fill(900)])
  })
})

describe('a repeating discount', () => {
  it.each([
    ['its months', {}, true],
    ['months that a pause moved', { endsAt: instant('2027-06-01T10:00:00Z') }, true],
    ['a start before it was applied', { startsAt: instant('2027-01-31T09:59:59Z') }, false],
    ['an end before its months', { endsAt: instant('2027-04-30T09:59:59Z') }, false],
  ])('is stored with %s: %o, %s', (_, changed, isValid) => {
    const [discount] = subscriptionIn(subscribed(apply('SAVE20'))).discounts
    expect(Discount.safeParse({ ...discount, ...changed }).success).toBe(isValid)
  })

  it('1.8: its months are calendar months, clamped as periods are', () => {
    const late = given('2027-11-30T10:00:00Z', plans, coupons, subscribe('basic'), apply('SAVE20'))
    expect(windowIn(late)).toEqual(['2027-11-30T10:00:00.000Z', '2028-02-29T10:00:00.000Z'])
  })

  it('7.14: of 3 months is on three monthly invoices whenever it comes', () => {
    const tenth = given('2027-03-10T10:00:00Z', plans, coupons, subscribe('basic'))
    for (let day = 10; day <= 41; day += 1) {
      const at = new Date(Date.UTC(2027, 2, day, 10)).toISOString()
      const scenario = when(tenth, advanceTo(at), apply('SAVE20'), advanceTo('2027-12-31'))
      expect(duesIn(scenario).filter((due) => due === 800)).toHaveLength(3)
    }
  })

  it('7.14: that a plan outside its limits kept off the invoice of its start is on that of its end', () => {
    const start = given(NOW, plans, coupons, subscribe('pro'), apply('PRO3'))
    const scenario = when(start, changePlan('basic'), changePlan('pro'))
    expect(duesIn(when(scenario, advanceTo('2027-05-31T10:00:00Z')))).toEqual([
      2000, 1000, 1000, 1000, 2000,
    ])
  })

  it('7.12: that starts anew at an instant with an invoice was on none at its new start', () => {
    const start = given(NOW, plans, coupons, subscribe('basic', { couponId: 'SAVE20' }))
    const scenario = when(start, apply('SAVE20'), advanceTo('2027-05-31T10:00:00Z'))
    expect(duesIn(scenario)).toEqual([800, 800, 800, 800, 1000])
  })

  it('7.14: an invoice for a new interval at the very start counts as its first', () => {
    const start = given(NOW, plans, coupons, subscribe('year'), apply('SAVE20'))
    const scenario = when(start, changePlan('pro_month'), advanceTo('2027-04-30T10:00:00Z'))
    expect(discountsOf(invoiceIn(scenario, 2))).toEqual([['SAVE20', 600]])
    expect(discountsOf(invoiceIn(scenario, 4))).toEqual([['SAVE20', 600]])
    expect(discountsOf(invoiceIn(scenario, 5))).toEqual([])
  })

  it.each([
    ['2027-01-31T09:59:59.999Z', [false, false]],
    ['2027-01-31T10:00:00.000Z', [true, true]],
    ['2027-04-30T09:59:59.999Z', [true, true]],
    ['2027-04-30T10:00:00.000Z', [true, false]],
    ['2027-04-30T10:00:00.001Z', [false, false]],
  ])('7.14: at %s runs, without and with an invoice at its start: %j', (now, running) => {
    const later = subscriptionIn(subscribed(apply('SAVE20'))).discounts
    const checkout = given(NOW, plans, coupons, subscribe('basic', { couponId: 'SAVE20' }))
    const all = [...later, ...subscriptionIn(checkout).discounts]
    expect(
      all.map((each) =>
        reduces(each, plan('basic', 1000), { now: instant(now), settings: initialSettings }),
      ),
    ).toEqual(running)
  })

  it('7.14: of 3 months on a yearly plan reduces one whole invoice', () => {
    const checkout = given(NOW, plans, coupons, subscribe('year', { couponId: 'SAVE20' }))
    expect(duesIn(when(checkout, advanceTo('2029-01-31T10:00:00Z')))).toEqual([
      9600, 12_000, 12_000,
    ])
  })

  it('7.14: applied mid-year to a yearly plan can run out without reducing anything', () => {
    const scenario = given(NOW, plans, coupons, subscribe('year'), apply('SAVE20'))
    expect(duesIn(when(scenario, advanceTo('2028-01-31T10:00:00Z')))).toEqual([12_000, 12_000])
  })

  it('7.16: that has run out leaves at the next period’s invoice, never as a due item of its own', () => {
    const scenario = subscribed(apply('SAVE20'), apply('STACKS'), advanceTo('2027-02-28T09:59:59Z'))
    expect(couponsOn(scenario)).toEqual(['STACKS'])
    const renewed = when(scenario, advanceTo('2027-02-28T10:00:00Z'))
    expect(couponsOn(renewed)).toEqual([])
    expect(eventsSince(scenario, renewed)).toContain('discount.ended')
    const year = given(NOW, plans, coupons, subscribe('year'), apply('SAVE20'))
    const late = when(year, advanceTo('2028-01-31T10:00:00Z'))
    expect(couponsOn(late)).toEqual([])
    expect(discountsOf(invoiceIn(late))).toEqual([])
  })

  it('7.11: that has run out but is still listed counts as present for stacking', () => {
    const year = given(NOW, plans, coupons, subscribe('year'), apply('STACKS'))
    const runOut = when(year, advanceTo('2027-06-01'))
    expect(couponsOn(when(runOut, apply('STACKS_TOO')))).toEqual(['STACKS', 'STACKS_TOO'])
    const alone = when(year, apply('SAVE20'), advanceTo('2027-12-01'))
    expect(couponsOn(when(alone, apply('STACKS_TOO')))).toEqual(['STACKS_TOO'])
  })

  it('7.16: that has run out outlives a plan change within the period, which bills no period', () => {
    const year = given(NOW, plans, coupons, subscribe('year'), apply('STACKS'))
    expect(couponsOn(when(year, advanceTo('2027-06-01'), changePlan('pro_year')))).toEqual([
      'STACKS',
    ])
  })

  it('7.15: applied in a trial starts when applied where the setting says application', () => {
    const scenario = trialing(setting({ couponMonthsStart: 'application' }), apply('SAVE20'))
    expect(windowIn(scenario)).toEqual(['2027-01-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z'])
    expect(duesIn(when(scenario, advanceTo('2027-05-28T10:00:00Z')))).toEqual([800, 800, 800, 1000])
  })

  it('7.15: can run out within a long trial where the setting says application', () => {
    const long = subscribe('basic', { trialPeriodDays: 100 })
    const application = setting({ couponMonthsStart: 'application' })
    const scenario = given(NOW, plans, coupons, application, long, apply('SAVE20'))
    expect(duesIn(when(scenario, advanceTo('2027-06-30')))).toEqual([1000, 1000])
  })

  it('7.15: moves with the trial end when the trial is extended', () => {
    const scenario = trialing(apply('SAVE20'), apply('MORETIME'))
    expect(windowIn(scenario)).toEqual(['2027-03-14T10:00:00.000Z', '2027-06-14T10:00:00.000Z'])
  })

  it('7.15: stays where it is on an extension where the setting says application', () => {
    const application = setting({ couponMonthsStart: 'application' })
    const scenario = trialing(application, apply('SAVE20'), apply('MORETIME'))
    expect(windowIn(scenario)).toEqual(['2027-01-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z'])
  })

  it('7.15: applied after the trial starts when applied', () => {
    const scenario = trialing(advanceTo('2027-03-10'), apply('SAVE20'))
    expect(windowIn(scenario)).toEqual(['2027-03-10T00:00:00.000Z', '2027-06-10T00:00:00.000Z'])
  })

  it('7.15: an extension of a paid period leaves its window where it is', () => {
    const scenario = subscribed(apply('SAVE20'), apply('MORETIME'))
    expect(windowIn(scenario)).toEqual(['2027-01-31T10:00:00.000Z', '2027-04-30T10:00:00.000Z'])
  })

  it('6.9: an ended subscription keeps it, run out or not', () => {
    const scenario = subscribed(apply('SAVE20'), cancelAtPeriodEnd, advanceTo('2028-01-01'))
    expect(couponsOn(scenario)).toEqual(['SAVE20'])
  })
})
