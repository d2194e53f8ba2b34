import { describe, expect, it } from 'vitest'
import { initialSettings } from '../../src/assumptions/register.ts'
import { applyDiscounts, type NamedReduction } from '../../src/billing/discount.ts'
import {
  apply,
  changePlan,
  customerHas,
  offering,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { fixedOff, percentage, plan, trialExtension } from '../support/catalog.ts'
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

const NOW = '2027-03-01T00:00:00Z'
const stackable = { duration: 'forever', stackable: true } as const
const plans = selling(plan('basic', 10_000), plan('pro', 20_000))
const coupons = offering(
  percentage('LOYAL20', 20, stackable),
  percentage('EXTRA10', 10, stackable),
  fixedOff('TAKE10', 1000, stackable),
  fixedOff('TAKE3', 300, stackable),
  percentage('ALONE50', 50, { duration: 'forever' }),
  fixedOff('HUGE', 50_000, stackable),
  percentage('ALL', 100, stackable),
  percentage('BASICONLY', 20, { ...stackable, appliesToPlans: ['basic'] }),
  trialExtension('MORETIME', 14),
)

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe('basic'), ...actions)
}

function renewed(...actions: readonly Action[]): Scenario {
  return subscribed(...actions, advanceTo('2027-04-01'))
}

describe('a new coupon', () => {
  it('7.11: replaces the discount that is there', () => {
    const before = subscribed(apply('LOYAL20'))
    const scenario = when(before, apply('ALONE50'))
    expect(couponsOn(scenario)).toEqual(['ALONE50'])
    expect(eventsSince(before, scenario)).toEqual(['discount.replaced', 'discount.applied'])
  })

  it('7.11: replaces a discount that is not stackable, though it is stackable itself', () => {
    expect(couponsOn(subscribed(apply('ALONE50'), apply('LOYAL20')))).toEqual(['LOYAL20'])
  })

  it('7.11: is appended where it and all present ones are stackable', () => {
    const before = subscribed(apply('LOYAL20'), apply('TAKE10'))
    const scenario = when(before, apply('EXTRA10'))
    expect(couponsOn(scenario)).toEqual(['LOYAL20', 'TAKE10', 'EXTRA10'])
    expect(eventsSince(before, scenario)).toEqual(['discount.applied'])
  })

  it('7.12: that is on the subscription already starts anew, last in order', () => {
    const before = subscribed(apply('LOYAL20'), apply('TAKE10'), advanceTo('2027-03-10'))
    const scenario = when(before, apply('LOYAL20'))
    expect(couponsOn(scenario)).toEqual(['TAKE10', 'LOYAL20'])
    expect(windowIn(scenario)).toEqual(['2027-03-10T00:00:00.000Z', null])
  })

  it('7.12: that is on the subscription already and does not stack starts anew alone', () => {
    const scenario = subscribed(apply('ALONE50'), advanceTo('2027-03-10'), apply('ALONE50'))
    expect(subscriptionIn(scenario).discounts).toMatchObject([
      { couponId: 'ALONE50', appliedAt: '2027-03-10T00:00:00.000Z' },
    ])
  })

  it('7.10: keeps the terms that it had when it was applied', () => {
    const before = subscribed(apply('ALONE50'))
    const changed = before.coupons.map((each) => ({ ...each, value: 1, stackable: true }))
    const scenario = when({ ...before, coupons: changed }, advanceTo('2027-04-01'))
    expect(duesIn(scenario)).toEqual([10_000, 5000])
  })
})

describe('several discounts', () => {
  it.each<[string[], number]>([
    [['LOYAL20', 'TAKE10'], 7000],
    [['TAKE10', 'LOYAL20'], 7200],
  ])('7.19: in the order of application %j come to %i', (ids, due) => {
    const scenario = renewed(
      setting({ stackingOrder: 'application' }),
      ...ids.map((id) => apply(id)),
    )
    expect(invoiceIn(scenario).amountDue).toBe(due)
  })

  it('7.19: percentages reduce each what is left, in order of application, then fixed ones', () => {
    const ids = ['TAKE3', 'LOYAL20', 'TAKE10', 'EXTRA10']
    const scenario = renewed(...ids.map((id) => apply(id)))
    expect(discountsOf(invoiceIn(scenario))).toEqual([
      ['LOYAL20', 2000],
      ['EXTRA10', 800],
      ['TAKE3', 300],
      ['TAKE10', 1000],
    ])
    expect(invoiceIn(scenario)).toMatchObject({ discountTotal: 4100, amountDue: 5900 })
  })

  it('4.18: an order set under way is that of the next invoice', () => {
    const scenario = renewed(apply('LOYAL20'), apply('TAKE10'))
    const fixedFirst = setting({ stackingOrder: 'fixed_first' })
    expect(duesIn(when(scenario, fixedFirst, advanceTo('2027-05-01')))).toEqual([
      10_000, 7000, 7200,
    ])
  })

  it('7.19: never go below zero, and nothing carries over to the next invoice', () => {
    const scenario = subscribed(apply('HUGE'), advanceTo('2027-05-01'))
    expect(duesIn(scenario)).toEqual([10_000, 0, 0])
    expect(discountsOf(invoiceIn(scenario))).toEqual([['HUGE', 10_000]])
  })

  it('7.19: are listed in the order computed, those that took nothing off too', () => {
    const scenario = renewed(apply('TAKE10'), apply('ALL'), apply('EXTRA10'))
    expect(discountsOf(invoiceIn(scenario))).toEqual([
      ['ALL', 10_000],
      ['EXTRA10', 0],
      ['TAKE10', 0],
    ])
  })

  it('4.8: then the balance is used, then the rest is due', () => {
    const scenario = renewed(apply('LOYAL20'), customerHas({ balance: 5000 }))
    expect(invoiceIn(scenario)).toMatchObject({
      subtotal: 10_000,
      discountTotal: 2000,
      balanceUsed: 5000,
      amountDue: 3000,
    })
  })

  it('7.6: one whose limits leave the plan out gives nothing, is not listed, and stays', () => {
    const scenario = subscribed(apply('BASICONLY'), apply('TAKE10'), changePlan('pro'))
    const proBill = when(scenario, advanceTo('2027-04-01'))
    expect(discountsOf(invoiceIn(proBill))).toEqual([['TAKE10', 1000]])
    expect(couponsOn(proBill)).toEqual(['BASICONLY', 'TAKE10'])
  })

  it('7.6: one left out by its limits gives again once the plan is back within them', () => {
    const pro = subscribed(apply('BASICONLY'), changePlan('pro'), changePlan('basic'))
    expect(discountsOf(invoiceIn(when(pro, advanceTo('2027-04-01'))))).toEqual([
      ['BASICONLY', 2000],
    ])
  })

  it('7.20: a trial extension beside them leaves them alone', () => {
    expect(couponsOn(subscribed(apply('LOYAL20'), apply('TAKE10'), apply('MORETIME')))).toEqual([
      'LOYAL20',
      'TAKE10',
    ])
  })
})

describe('taking discounts off', () => {
  const off = (value: number): NamedReduction => ({
    couponId: `${value} %`,
    type: 'percentage',
    value,
  })
  const less = (value: number): NamedReduction => ({ couponId: `${value}`, type: 'fixed', value })

  it.each<[number, NamedReduction[], number[]]>([
    [1004, [off(12.5)], [126]],
    [1979, [off(99)], [1959]],
    [999, [off(50), off(50)], [500, 250]],
    [105, [off(33.3333), off(33.3333), off(33.3333)], [35, 23, 16]],
    [1, [off(50), off(50)], [1, 0]],
    [500, [less(500), off(20)], [100, 400]],
    [0, [off(20), less(100)], [0, 0]],
    [1000, [], []],
  ])('7.19: rounds each of %i on its own (%#)', (amount, discounts, taken) => {
    const amounts = applyDiscounts(amount, discounts, initialSettings).map((each) => each.amount)
    expect(amounts).toEqual(taken)
  })

  it('5.19: says from what each discount was taken', () => {
    const [first, second] = applyDiscounts(10_000, [less(1000), off(20)], initialSettings)
    expect(first).toEqual({
      couponId: '20 %',
      type: 'percentage',
      value: 20,
      base: 10_000,
      amount: 2000,
    })
    expect(second).toMatchObject({ couponId: '1000', base: 8000, amount: 1000 })
  })
})
