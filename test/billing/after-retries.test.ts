import { describe, expect, it } from 'vitest'
import type { Settings } from '../../src/assumptions/register.ts'
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
import { plan } from '../support/catalog.ts'
import {
  adaIn,
  eventsSince,
  invoiceIn,
  invoiceStatusesIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T09:00:00Z'
const LAST_RETRY = '2027-03-08T09:00:00Z'
const plans = selling(
  plan('basic', 1000),
  plan('cheap', 500),
  plan('tenDays', 400, { interval: 'day', intervalCount: 10 }),
)

function failing(settings: Partial<Settings>, ...actions: readonly Action[]): Scenario {
  return given(NOW, plans, setting(settings), paymentsAlways('card_declined'), ...actions)
}

describe('after the last failed retry', () => {
  it('4.16: the subscription stays past due and renews where the setting says keep_past_due', () => {
    const keep = failing({ afterRetries: 'keep_past_due' }, subscribe('basic'))
    const scenario = when(keep, advanceTo('2027-04-01T09:00:00Z'))
    expect(statusIn(scenario)).toBe('past_due')
    expect(invoiceStatusesIn(scenario)).toEqual(['uncollectible', 'open'])
  })

  it('4.15: one that was kept past due is active again with the next invoice that is paid', () => {
    const keep = failing({ afterRetries: 'keep_past_due' }, subscribe('basic'))
    const givenUp = when(keep, advanceTo(LAST_RETRY), paymentsAlways(null))
    expect(statusIn(when(givenUp, advanceTo('2027-04-01T09:00:00Z')))).toBe('active')
  })

  it('4.15: an invoice with nothing due counts as paid, so it makes a past due one active again', () => {
    const keep = failing({ afterRetries: 'keep_past_due' }, subscribe('basic'))
    const start = when(keep, advanceTo(LAST_RETRY), customerHas({ balance: 1000 }))
    const scenario = when(start, advanceTo('2027-04-01T09:00:00Z'))
    expect(invoiceIn(scenario)).toMatchObject({ status: 'paid', amountDue: 0, attempts: [] })
    expect(statusIn(scenario)).toBe('active')
  })

  it('4.12: an empty schedule means no retry: the first failure is the last', () => {
    const paid = given(NOW, plans, setting({ retrySchedule: [] }), subscribe('basic'))
    const scenario = when(
      paid,
      paymentsAnswer(['card_declined']),
      advanceTo('2027-04-01T09:00:00Z'),
    )
    expect(statusIn(scenario)).toBe('canceled')
    expect(invoiceStatusesIn(scenario)).toEqual(['paid', 'uncollectible'])
    expect(eventsSince(paid, scenario).slice(2)).toEqual([
      'payment.failed',
      'subscription.past_due',
      'invoice.uncollectible',
      'subscription.canceled',
    ])
  })

  it('4.17: the other open invoices are void, and their retries stop', () => {
    const two = failing({ retrySchedule: ['P12D'] }, subscribe('tenDays'))
    const scenario = when(two, advanceTo('2027-12-31'))
    expect(invoiceStatusesIn(scenario)).toEqual(['uncollectible', 'void'])
    expect(invoiceIn(scenario, 2).attempts).toHaveLength(1)
  })

  it('4.18: reads the setting when the last retry fails, not when the first did', () => {
    const start = failing({}, subscribe('basic'), setting({ afterRetries: 'keep_past_due' }))
    expect(statusIn(when(start, advanceTo(LAST_RETRY)))).toBe('past_due')
  })

  it('6.9: an ended subscription has no pending plan, and keeps its period and its flag', () => {
    const start = failing({}, subscribe('basic'), changePlan('cheap'), cancelAtPeriodEnd)
    const { currentPeriodEnd } = subscriptionIn(start)
    expect(subscriptionIn(when(start, advanceTo(LAST_RETRY)))).toMatchObject({
      status: 'canceled',
      pendingPlanId: null,
      cancelAtPeriodEnd: true,
      currentPeriodEnd,
    })
  })
})

describe('the balance that an unpaid invoice had used', () => {
  const withBalance = customerHas({ balance: 300 })

  it('4.17: stays used when the invoice is uncollectible', () => {
    const scenario = when(failing({}, withBalance, subscribe('basic')), advanceTo(LAST_RETRY))
    expect(invoiceIn(scenario)).toMatchObject({ status: 'uncollectible', balanceUsed: 300 })
    expect(adaIn(scenario).balance).toBe(0)
  })

  it('4.17: goes back from the open invoices only, when retries of one of several run out', () => {
    const two = failing({ retrySchedule: ['P12D'] }, withBalance, subscribe('tenDays'))
    const start = when(two, customerHas({ balance: 150 }))
    const scenario = when(start, advanceTo('2027-03-13T09:00:00Z'))
    expect(scenario.invoices.map((each) => [each.status, each.balanceUsed])).toEqual([
      ['uncollectible', 300],
      ['void', 150],
    ])
    expect(adaIn(scenario).balance).toBe(150)
  })

  it('4.17: goes back at the end of the period, where it was canceled for then', () => {
    const start = failing({ retrySchedule: ['P12D'] }, withBalance, subscribe('tenDays'))
    const scenario = when(start, cancelAtPeriodEnd, advanceTo('2027-03-11T09:00:00Z'))
    expect([statusIn(scenario), adaIn(scenario).balance]).toEqual(['canceled', 300])
  })
})
