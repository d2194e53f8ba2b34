import { describe, expect, it } from 'vitest'
import {
  apply,
  cancelAtPeriodEnd,
  changePlan,
  offering,
  paymentsAlways,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { fixedOff, percentage, plan, yearly } from '../support/catalog.ts'
import {
  adaIn,
  couponsOn,
  discountsOf,
  eventsSince,
  invoicedOn,
  invoiceIn,
  linesOf,
  periodIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const HALF = '2027-03-16T12:00:00Z'
const plans = selling(
  plan('basic', 1000),
  plan('pro', 2000),
  yearly('year', 12_000),
  yearly('pro_year', 24_000),
  plan('quarter', 3600, { intervalCount: 3 }),
  plan('thrifty', 2400, { intervalCount: 3 }),
  plan('basic_2', 1000),
)
const coupons = offering(
  fixedOff('TAKE5', 500),
  percentage('WELCOME', 50),
  percentage('MONTHLY', 10, { duration: 'forever', appliesToPlans: ['basic'] }),
)

function subscribed(planId: string, ...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe(planId), ...actions)
}

describe('the setting', () => {
  it.each([
    ['yearly_rate', ['basic', 'thrifty'], ['basic', null]],
    ['amount', ['thrifty', null], ['thrifty', 'basic']],
  ] as const)('upgrade_or_downgrade %s', (upgradeOrDowngrade, up, down) => {
    const plansAfter = (first: string, second: string) => {
      const scenario = given(
        NOW,
        plans,
        setting({ upgradeOrDowngrade }),
        subscribe(first),
        changePlan(second),
      )
      const { planId, pendingPlanId } = subscriptionIn(scenario)
      return [planId, pendingPlanId]
    }
    expect(plansAfter('basic', 'thrifty')).toEqual(up)
    expect(plansAfter('thrifty', 'basic')).toEqual(down)
    expect(plansAfter('basic', 'basic_2')).toEqual(['basic_2', null])
  })

  it.each([
    ['at_once', ['pro_year', null]],
    ['at_period_end', ['basic', 'pro_year']],
  ] as const)('interval_change %s', (intervalChange, expected) => {
    const start = given(NOW, plans, setting({ intervalChange }), subscribe('basic'))
    const plansAfter = (second: string) => {
      const { planId, pendingPlanId } = subscriptionIn(changePlan(second)(start))
      return [planId, pendingPlanId]
    }
    expect(plansAfter('pro_year')).toEqual(expected)
    expect(plansAfter('pro')).toEqual(['pro', null])
  })
})

describe('an upgrade to another interval', () => {
  it('5.11: credits the rest and charges a full new period from now', () => {
    const scenario = subscribed('basic', advanceTo(HALF), changePlan('pro_year'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 24_000])
    expect(invoiceIn(scenario)).toMatchObject({ reason: 'period', amountDue: 23_500 })
    expect(periodIn(scenario)).toEqual(['2027-03-16T12:00:00.000Z', '2028-03-16T12:00:00.000Z'])
    expect(subscriptionIn(scenario).anchor).toBe(scenario.now)
  })

  it('5.11: the credit spans the old rest and the charge the whole new period', () => {
    const [credit, charge] = invoiceIn(
      subscribed('basic', advanceTo(HALF), changePlan('pro_year')),
    ).lines
    expect(credit).toMatchObject({
      kind: 'proration_credit',
      planId: 'basic',
      periodStart: '2027-03-16T12:00:00.000Z',
      periodEnd: '2027-04-01T00:00:00.000Z',
    })
    expect(charge).toMatchObject({
      kind: 'period',
      planId: 'pro_year',
      periodStart: '2027-03-16T12:00:00.000Z',
      periodEnd: '2028-03-16T12:00:00.000Z',
    })
  })

  it('5.4: another count of the same unit is another interval', () => {
    const scenario = subscribed('basic', advanceTo(HALF), changePlan('quarter'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 3600])
    expect(periodIn(scenario)).toEqual(['2027-03-16T12:00:00.000Z', '2027-06-16T12:00:00.000Z'])
  })

  it('5.3: an equal rate at another interval is as an upgrade: a full new period now', () => {
    const scenario = subscribed('basic', advanceTo(HALF), changePlan('year'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 12_000])
  })

  it('5.11: the new period is discounted like any, and uses up a once', () => {
    const scenario = subscribed('basic', apply('TAKE5'), advanceTo(HALF), changePlan('pro_year'))
    expect(discountsOf(invoiceIn(scenario))).toEqual([['TAKE5', 500]])
    expect(invoiceIn(scenario)).toMatchObject({
      subtotal: 23_500,
      discountTotal: 500,
      amountDue: 23_000,
    })
    expect(couponsOn(scenario)).toEqual([])
  })

  it('5.11: a once that the old period used up is in the credit and not in the new period', () => {
    const start = given(NOW, plans, coupons, subscribe('basic', { couponId: 'WELCOME' }))
    const scenario = when(start, advanceTo(HALF), changePlan('pro_year'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-250, 24_000])
    expect(discountsOf(invoiceIn(scenario))).toEqual([])
  })

  it('7.6: a discount whose limits the new plan is outside of gives nothing, is not listed and stays', () => {
    const start = given(NOW, plans, coupons, subscribe('basic', { couponId: 'MONTHLY' }))
    const scenario = when(start, advanceTo(HALF), changePlan('pro_year'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-450, 24_000])
    expect(discountsOf(invoiceIn(scenario))).toEqual([])
    expect(couponsOn(scenario)).toEqual(['MONTHLY'])
  })

  it('5.12: a net below zero goes to the balance of the customer, and is paid without an attempt', () => {
    const before = subscribed('year', advanceTo('2027-03-02'), paymentsAnswer(['card_declined']))
    const scenario = when(before, changePlan('pro'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-11_967, 2000])
    expect(invoiceIn(scenario)).toMatchObject({
      status: 'paid',
      subtotal: -9967,
      balanceUsed: -9967,
      amountDue: 0,
      attempts: [],
    })
    expect(adaIn(scenario).balance).toBe(9967)
    const paid = ['subscription.plan_changed', 'invoice.created', 'invoice.paid']
    expect(eventsSince(before, scenario)).toEqual(paid)
  })

  it('5.12: a credit smaller than the charge leaves an open invoice as it is', () => {
    const keep = [setting({ retrySchedule: ['P30D'] }), paymentsAnswer(['card_declined'])]
    const owing = given(NOW, plans, ...keep, subscribe('basic'), advanceTo(HALF))
    const [credit] = invoiceIn(when(owing, changePlan('pro_year'))).lines
    expect(credit).toMatchObject({ amount: -500, cut: 0 })
  })

  it('5.17: a failed payment keeps the new plan and its new period', () => {
    const before = subscribed('basic', advanceTo(HALF), paymentsAlways('card_declined'))
    const scenario = when(before, changePlan('pro_year'))
    expect(subscriptionIn(scenario)).toMatchObject({ status: 'past_due', planId: 'pro_year' })
    expect(periodIn(scenario).at(0)).toBe('2027-03-16T12:00:00.000Z')
  })

  it('5.16: with cancel at period end set the flag stays, and the new period is the last', () => {
    const before = subscribed('basic', cancelAtPeriodEnd, advanceTo(HALF), changePlan('pro_year'))
    expect(subscriptionIn(before).cancelAtPeriodEnd).toBe(true)
    const scenario = when(before, advanceTo('2029-01-01'))
    expect(subscriptionIn(scenario)).toMatchObject({
      status: 'canceled',
      endedAt: '2028-03-16T12:00:00.000Z',
    })
    expect(invoicedOn(scenario)).toEqual(['2027-03-01', '2027-03-16'])
  })

  it('5.7: a later upgrade credits the new period that was billed in full', () => {
    const before = subscribed('basic', advanceTo(HALF), changePlan('quarter'))
    const scenario = when(before, advanceTo('2027-05-01T12:00:00Z'), changePlan('pro_year'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-1800, 24_000])
  })
})
