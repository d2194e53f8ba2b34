import { describe, expect, it } from 'vitest'
import {
  apply,
  changePlan,
  customerHas,
  offering,
  pause,
  paymentsAnswer,
  resume,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { fixedOff, percentage, plan, trialExtension } from '../support/catalog.ts'
import {
  adaIn,
  couponsOn,
  duesIn,
  eventsSince,
  invoiceIn,
  linesOf,
  periodIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const HALF = '2027-03-16T12:00:00Z'
const THREE_QUARTERS = '2027-03-24T06:00:00Z'

const plans = selling(
  plan('basic', 1000),
  plan('pro', 2000),
  plan('max', 3000),
  plan('same', 1000),
  plan('odd', 999),
  plan('odder', 2999),
)
const coupons = offering(
  percentage('SAVE20', 20, { duration: 'forever' }),
  percentage('WELCOME', 50),
  fixedOff('TAKE5', 500),
  percentage('BASIC_AND_MAX', 20, { duration: 'forever', appliesToPlans: ['basic', 'max'] }),
  trialExtension('MORETIME', 14),
)

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe('basic'), ...actions)
}

function checkedOutWith(couponId: string, ...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe('basic', { couponId }), ...actions)
}

describe('an upgrade within the period', () => {
  it.each([
    { at: '2027-03-16T12:00:00Z', from: 'basic', to: 'pro', lines: [-500, 1000] },
    { at: '2027-03-16T12:00:00Z', from: 'odd', to: 'odder', lines: [-500, 1500] },
    { at: '2027-03-10T07:13:37Z', from: 'odd', to: 'odder', lines: [-699, 2099] },
    { at: '2027-03-31T23:59:59Z', from: 'basic', to: 'pro', lines: [0, 0] },
    { at: '2027-03-01T00:00:00Z', from: 'basic', to: 'pro', lines: [-1000, 2000] },
  ])('5.5: credits and charges $lines from $from to $to at $at', ({ at, from, to, lines }) => {
    const scenario = given(NOW, plans, subscribe(from), advanceTo(at), changePlan(to))
    expect(linesOf(invoiceIn(scenario))).toEqual(lines)
  })

  it('5.5: credits 500 and charges 1000 on one invoice that is paid now, and keeps the period', () => {
    const before = subscribed(advanceTo(HALF))
    const scenario = when(before, changePlan('pro'))
    expect(subscriptionIn(scenario).planId).toBe('pro')
    expect(invoiceIn(scenario)).toMatchObject({
      reason: 'proration',
      status: 'paid',
      subtotal: 500,
      amountDue: 500,
      amountPaid: 500,
      createdAt: scenario.now,
    })
    expect(periodIn(scenario)).toEqual(periodIn(before))
    expect(duesIn(when(scenario, advanceTo('2027-04-01')))).toEqual([1000, 500, 2000])
  })

  it('5.5: both lines span from now to the end of the period', () => {
    const [credit, charge] = invoiceIn(subscribed(advanceTo(HALF), changePlan('pro'))).lines
    const span = { periodStart: '2027-03-16T12:00:00.000Z', periodEnd: '2027-04-01T00:00:00.000Z' }
    expect(credit).toMatchObject({ kind: 'proration_credit', planId: 'basic', ...span })
    expect(charge).toMatchObject({ kind: 'proration_charge', planId: 'pro', ...span })
  })

  it('4.8: makes no payment attempt where both lines round to nothing', () => {
    const before = subscribed(advanceTo('2027-03-31T23:59:59Z'), paymentsAnswer(['card_declined']))
    const scenario = when(before, changePlan('pro'))
    expect(invoiceIn(scenario)).toMatchObject({ status: 'paid', amountDue: 0, attempts: [] })
    const free = ['subscription.plan_changed', 'invoice.created', 'invoice.paid']
    expect(eventsSince(before, scenario)).toEqual(free)
    expect(scenario.scripts.at(0)?.outcomes).toEqual(['card_declined'])
  })

  it('5.3: to an equal rate takes the plan at once, and the lines cancel out', () => {
    const scenario = subscribed(advanceTo(HALF), changePlan('same'))
    expect(subscriptionIn(scenario)).toMatchObject({ planId: 'same', pendingPlanId: null })
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 500])
    expect(invoiceIn(scenario)).toMatchObject({ status: 'paid', amountDue: 0, attempts: [] })
  })

  it('5.7: P is what an earlier upgrade in the period was worth', () => {
    const twice = [changePlan('pro'), advanceTo(THREE_QUARTERS), changePlan('max')]
    const scenario = subscribed(advanceTo(HALF), ...twice)
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 750])
    expect(invoiceIn(scenario).lines.at(0)?.planId).toBe('pro')
  })

  it('5.8: P is what the line cost after discounts, and N has the same discounts', () => {
    const scenario = checkedOutWith('SAVE20', advanceTo(HALF), changePlan('pro'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-400, 800])
  })

  it('5.8: the discounts of the line go with it through a second upgrade', () => {
    const twice = [changePlan('pro'), advanceTo(THREE_QUARTERS), changePlan('max')]
    const scenario = checkedOutWith('WELCOME', advanceTo(HALF), ...twice)
    expect(linesOf(invoiceIn(scenario))).toEqual([-250, 375])
  })

  it('5.8: a discount applied after the period was billed is neither in P nor in N', () => {
    const scenario = subscribed(apply('SAVE20'), advanceTo(HALF), changePlan('pro'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 1000])
  })

  it('5.8: a discount is not in N where the new plan is outside its limits', () => {
    const scenario = checkedOutWith('BASIC_AND_MAX', advanceTo(HALF), changePlan('pro'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-400, 1000])
  })

  it('5.8: a discount that the line did not get, its plan being outside the limits, is not in N', () => {
    const toPro = checkedOutWith('BASIC_AND_MAX', advanceTo(HALF), changePlan('pro'))
    const scenario = when(toPro, advanceTo(THREE_QUARTERS), changePlan('max'))
    expect(couponsOn(scenario)).toEqual(['BASIC_AND_MAX'])
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 750])
  })

  it('5.8: a discount that a renewal did not get, its plan being outside the limits, is not in N', () => {
    const toPro = checkedOutWith('BASIC_AND_MAX', changePlan('pro'), advanceTo('2027-04-16'))
    const scenario = when(toPro, changePlan('max'))
    expect(couponsOn(scenario)).toEqual(['BASIC_AND_MAX'])
    expect(linesOf(invoiceIn(scenario))).toEqual([-1000, 1500])
  })

  it('5.10: the invoice shows no discounts and uses up none', () => {
    const scenario = subscribed(apply('TAKE5'), advanceTo(HALF), changePlan('pro'))
    expect(invoiceIn(scenario)).toMatchObject({ discounts: [], discountTotal: 0, subtotal: 500 })
    expect(couponsOn(scenario)).toEqual(['TAKE5'])
    expect(duesIn(when(scenario, advanceTo('2027-04-01')))).toEqual([1000, 500, 1500])
  })

  it('5.7: P is 0 where the invoice that billed the line is uncollectible', () => {
    const keep = setting({ retrySchedule: [], afterRetries: 'keep_past_due' })
    const failed = given(NOW, plans, keep, paymentsAnswer(['card_declined']), subscribe('basic'))
    const scenario = when(failed, advanceTo(HALF), changePlan('pro'))
    expect(invoiceIn(scenario, 1).status).toBe('uncollectible')
    expect(linesOf(invoiceIn(scenario, 2))).toEqual([0, 1000])
  })

  it('5.7: P is 0 where the invoice that billed the line is void', () => {
    const before = subscribed(advanceTo(HALF))
    const invoices = before.invoices.map((each) => ({ ...each, status: 'void' as const }))
    const scenario = when({ ...before, invoices }, changePlan('pro'))
    expect(linesOf(invoiceIn(scenario))).toEqual([0, 1000])
  })

  it('5.7: an open invoice counts as billed, since it is still owed', () => {
    const keep = setting({ retrySchedule: ['P30D'] })
    const failed = given(NOW, plans, keep, paymentsAnswer(['card_declined']), subscribe('basic'))
    const scenario = when(failed, advanceTo(HALF), changePlan('pro'))
    expect(invoiceIn(scenario, 1).status).toBe('open')
    expect(linesOf(invoiceIn(scenario, 2))).toEqual([-500, 1000])
  })

  it('5.6: f is 1 at most, so an extended period never credits more than the line', () => {
    const scenario = subscribed(apply('MORETIME'), advanceTo('2027-03-10'), changePlan('pro'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-1000, 2000])
    expect(invoiceIn(scenario).lines.at(0)?.periodEnd).toBe('2027-04-15T00:00:00.000Z')
  })

  it('5.9: never credits more than the line of an earlier upgrade, even where an extension followed', () => {
    const scenario = subscribed(
      advanceTo(HALF),
      changePlan('pro'),
      apply('MORETIME'),
      changePlan('max'),
    )
    expect(linesOf(invoiceIn(scenario, 2))).toEqual([-500, 1000])
    expect(linesOf(invoiceIn(scenario, 3))[0]).toBe(-1000)
    expect(invoiceIn(scenario, 3).lines[0]?.cut).toBe(903)
  })

  it('5.9: credits nothing for a line that came to nothing, however long the period became', () => {
    const lastSecond = advanceTo('2027-03-31T23:59:59Z')
    const scenario = subscribed(lastSecond, changePlan('pro'), apply('MORETIME'), changePlan('max'))
    expect(linesOf(invoiceIn(scenario, 2))).toEqual([0, 0])
    expect(linesOf(invoiceIn(scenario, 3))[0]).toBe(0)
  })

  it('5.6: f counts the extended rest against the length that was billed', () => {
    const scenario = subscribed(
      apply('MORETIME'),
      advanceTo('2027-03-30T12:00:00Z'),
      changePlan('pro'),
    )
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 1000])
  })

  it('5.6: f is what is left of the period, not of the calendar, after a pause', () => {
    const paused = subscribed(advanceTo(HALF), pause, advanceTo('2027-05-16T12:00:00Z'), resume)
    expect(linesOf(invoiceIn(when(paused, changePlan('pro'))))).toEqual([-500, 1000])
  })

  it('4.8: the balance pays an upgrade before the card does', () => {
    const scenario = subscribed(advanceTo(HALF), customerHas({ balance: 200 }), changePlan('pro'))
    expect(invoiceIn(scenario)).toMatchObject({ balanceUsed: 200, amountDue: 300, amountPaid: 300 })
    expect(adaIn(scenario).balance).toBe(0)
  })

  it('5.17: a failed payment for an upgrade is retried, and paying it makes the subscription active', () => {
    const before = subscribed(advanceTo(HALF), paymentsAnswer(['card_declined']))
    const scenario = when(before, changePlan('pro'), advanceTo('2027-03-17T12:00:00Z'))
    expect(statusIn(scenario)).toBe('active')
    expect(invoiceIn(scenario)).toMatchObject({ status: 'paid', amountPaid: 500 })
  })

  it('5.7: P is what was charged for an upgrade that is still open', () => {
    const before = subscribed(advanceTo(HALF), paymentsAnswer(['card_declined']))
    const twice = [changePlan('pro'), advanceTo('2027-03-16T18:00:00Z'), changePlan('max')]
    expect(linesOf(invoiceIn(when(before, ...twice)))).toEqual([-984, 1476])
  })
})
