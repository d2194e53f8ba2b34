import { describe, expect, it } from 'vitest'
import {
  cancelAtPeriodEnd,
  changePlan,
  customerHas,
  paymentsAlways,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { plan, yearly } from '../support/catalog.ts'
import {
  adaIn,
  duesIn,
  eventsSince,
  invoicedOn,
  invoiceIn,
  invoiceStatusesIn,
  linesOf,
  periodIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-01-31T10:00:00Z'
const END = '2027-02-28T10:00:00Z'
const plans = selling(
  plan('basic', 1000),
  plan('cheap', 500),
  yearly('cheap_yearly', 6000),
  plan('weekly', 100, { interval: 'week' }),
)

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, subscribe('basic'), ...actions)
}

describe('the end of a period', () => {
  it('1.5: a period is half-open: what is due at an instant is settled before what is asked at it', () => {
    const justBefore = when(subscribed(), advanceTo('2027-02-28T09:59:59.999Z'))
    expect(justBefore.invoices).toHaveLength(1)
    const scenario = when(subscribed(), advanceTo(END), cancelAtPeriodEnd)
    expect(scenario.invoices).toHaveLength(2)
    expect(periodIn(scenario)).toEqual(['2027-02-28T10:00:00.000Z', '2027-03-31T10:00:00.000Z'])
  })

  it('4.7: starts the next period, makes its invoice and attempts it, in this order', () => {
    const before = subscribed()
    const scenario = when(before, advanceTo(END))
    const renewed = ['subscription.renewed', 'invoice.created', 'payment.succeeded', 'invoice.paid']
    expect(eventsSince(before, scenario)).toEqual(renewed)
  })

  it('4.7: a pending plan of a different interval re-anchors at this boundary', () => {
    const scenario = when(subscribed(changePlan('weekly')), advanceTo('2027-03-14T10:00:00Z'))
    expect(invoicedOn(scenario)).toEqual(['2027-01-31', '2027-02-28', '2027-03-07', '2027-03-14'])
    expect(subscriptionIn(scenario).anchor).toBe('2027-02-28T10:00:00.000Z')
  })

  it('4.7: a pending yearly plan keeps the day of the boundary, not that of the old anchor', () => {
    const scenario = when(subscribed(changePlan('cheap_yearly')), advanceTo('2029-01-01'))
    expect(invoicedOn(scenario)).toEqual(['2027-01-31', '2027-02-28', '2028-02-28'])
  })

  it('4.7: a past due subscription renews too, and stays past due while an invoice is open', () => {
    const actions = [setting({ retrySchedule: ['P60D'] }), paymentsAnswer(['card_declined'])]
    const scenario = given(NOW, plans, ...actions, subscribe('basic'), advanceTo(END))
    expect(invoiceStatusesIn(scenario)).toEqual(['open', 'paid'])
    expect(statusIn(scenario)).toBe('past_due')
  })

  it('4.6: a past due subscription that was canceled at period end is canceled, its invoices void', () => {
    const actions = [setting({ retrySchedule: ['P60D'] }), paymentsAlways('card_declined')]
    const before = given(NOW, plans, ...actions, subscribe('basic'), cancelAtPeriodEnd)
    const scenario = when(before, advanceTo(END))
    expect(statusIn(scenario)).toBe('canceled')
    expect(invoiceStatusesIn(scenario)).toEqual(['void'])
  })

  it('4.8: uses the balance of the customer on each invoice until it is gone', () => {
    const rich = customerHas({ balance: 1700 })
    const scenario = given(NOW, plans, rich, subscribe('basic'), advanceTo('2027-03-31T10:00:00Z'))
    expect(scenario.invoices.map((each) => each.balanceUsed)).toEqual([1000, 700, 0])
    expect(duesIn(scenario)).toEqual([0, 300, 1000])
    expect(adaIn(scenario).balance).toBe(0)
  })

  it('10.4: every period starts where the one before ended', () => {
    const scenario = when(subscribed(changePlan('weekly')), advanceTo('2027-12-31'))
    const lines = scenario.invoices.flatMap((invoice) => invoice.lines)
    const starts = lines.slice(1).map((line) => line.periodStart)
    expect(starts).toEqual(lines.slice(0, -1).map((line) => line.periodEnd))
    expect(linesOf(invoiceIn(scenario))).toEqual([100])
  })
})
