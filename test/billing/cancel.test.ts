import { describe, expect, it } from 'vitest'
import { accessUntil } from '../../src/billing/subscription.ts'
import {
  apply,
  cancelAtPeriodEnd,
  cancelNow,
  changePlan,
  offering,
  pause,
  paymentsAlways,
  removeScheduledCancellation,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { percentage, plan } from '../support/catalog.ts'
import {
  couponsOn,
  eventsSince,
  invoiceIn,
  invoiceStatusesIn,
  periodIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const plans = selling(plan('basic', 1000), plan('cheap', 400))
const coupons = offering(percentage('EVER', 10, { duration: 'forever' }))

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe('basic'), ...actions)
}

describe('removing a scheduled cancellation', () => {
  it('6.10: takes the flag and its instant away, and the subscription goes on', () => {
    const before = subscribed(advanceTo('2027-03-10'))
    const scenario = when(before, cancelAtPeriodEnd, removeScheduledCancellation)
    expect(subscriptionIn(scenario)).toEqual(subscriptionIn(before))
    expect(eventsSince(before, scenario)).toEqual([
      'subscription.cancel_scheduled',
      'subscription.cancellation_removed',
    ])
    expect(statusIn(when(scenario, advanceTo('2027-05-01')))).toBe('active')
  })

  it('6.10: is refused where none is scheduled, and changes nothing', () => {
    const before = subscribed()
    const scenario = when(before, removeScheduledCancellation)
    expect(scenario.refusal?.refused).toBe('invalid_transition')
    expect(scenario.refusal?.message).toBe(
      'subscription_id "sub_000001" must have a scheduled cancellation; its cancel_at_period_end is false.',
    )
    expect(subscriptionIn(scenario)).toEqual(subscriptionIn(before))
  })
})

describe('the end of the access of a customer', () => {
  const end = '2027-04-01T00:00:00.000Z'

  it.each([
    ['is not known while the subscription goes on', [], null],
    ['is the end of the period where a cancellation is scheduled', [cancelAtPeriodEnd], end],
    [
      'is not known once the cancellation is removed',
      [cancelAtPeriodEnd, removeScheduledCancellation],
      null,
    ],
    [
      'is the begin of a running pause, also with a scheduled cancellation',
      [cancelAtPeriodEnd, advanceTo('2027-03-10'), pause, advanceTo('2027-03-20')],
      '2027-03-10T00:00:00.000Z',
    ],
    [
      'is the end of the subscription, also where it was paused',
      [advanceTo('2027-03-10'), pause, advanceTo('2027-03-20'), cancelNow],
      '2027-03-20T00:00:00.000Z',
    ],
    [
      'is the end of the trial where a cancellation is scheduled',
      [subscribe('basic', { trialPeriodDays: 7 }), cancelAtPeriodEnd],
      end,
    ],
  ] as const)('6.11: %s', (_, actions, until) => {
    expect(accessUntil(subscriptionIn(subscribed(...actions)))).toBe(until)
  })
})

describe('cancelling at the period end', () => {
  it('6.6: sets the flag and leaves the status and the period until then', () => {
    const before = subscribed(advanceTo('2027-03-10'))
    const scenario = when(before, cancelAtPeriodEnd)
    expect(subscriptionIn(scenario)).toEqual({
      ...subscriptionIn(before),
      cancelAtPeriodEnd: true,
      canceledAt: scenario.now,
    })
    expect(eventsSince(before, scenario)).toEqual(['subscription.cancel_scheduled'])
  })

  it('6.6: repeating it changes nothing', () => {
    const once = subscribed(cancelAtPeriodEnd, advanceTo('2027-03-10'))
    const scenario = when(once, cancelAtPeriodEnd)
    expect(scenario.refusal).toBeNull()
    expect(scenario).toEqual(once)
  })

  it('4.3: in a trial ends it at the trial end, with no bill', () => {
    const free = given(NOW, plans, subscribe('basic', { trialPeriodDays: 14 }), cancelAtPeriodEnd)
    expect(statusIn(free)).toBe('trialing')
    const scenario = when(free, advanceTo('2027-03-15'))
    expect(subscriptionIn(scenario)).toMatchObject({ status: 'canceled', endedAt: scenario.now })
    expect(scenario.invoices).toEqual([])
  })

  it('6.6: while past due leaves it past due, and its retries go on until the end', () => {
    const retries = setting({ retrySchedule: ['P5D', 'P60D'] })
    const owing = given(NOW, plans, retries, paymentsAlways('card_declined'), subscribe('basic'))
    const scenario = when(owing, cancelAtPeriodEnd, advanceTo('2027-03-20'))
    expect(subscriptionIn(scenario)).toMatchObject({ status: 'past_due', cancelAtPeriodEnd: true })
    expect(invoiceIn(scenario).attempts).toHaveLength(2)
  })

  it('6.6: once active again it still ends with the period', () => {
    const owing = given(NOW, plans, paymentsAlways('card_declined'), subscribe('basic'))
    const scenario = when(owing, cancelAtPeriodEnd, paymentsAlways(null), advanceTo('2027-03-20'))
    expect(statusIn(scenario)).toBe('active')
    expect(statusIn(when(scenario, advanceTo('2027-04-01')))).toBe('canceled')
  })
})

describe('cancelling now', () => {
  it('6.7: ends an active subscription at once, and gives nothing back', () => {
    const before = subscribed(advanceTo('2027-03-10'))
    const scenario = when(before, cancelNow)
    expect(subscriptionIn(scenario)).toMatchObject({
      status: 'canceled',
      canceledAt: scenario.now,
      endedAt: scenario.now,
      cancelAtPeriodEnd: false,
    })
    expect(scenario.invoices).toEqual(before.invoices)
    expect(scenario.customers).toEqual(before.customers)
    expect(eventsSince(before, scenario)).toEqual(['subscription.canceled'])
  })

  it('4.17: ends a past due subscription, its open invoices void and their retries stopped', () => {
    const owing = given(NOW, plans, paymentsAlways('card_declined'), subscribe('basic'))
    const scenario = when(owing, cancelNow)
    expect(statusIn(scenario)).toBe('canceled')
    expect(invoiceStatusesIn(scenario)).toEqual(['void'])
    expect(eventsSince(owing, scenario)).toEqual(['subscription.canceled', 'invoice.voided'])
    expect(eventsSince(scenario, when(scenario, advanceTo('2028-01-01')))).toEqual([])
  })

  it('6.8: after asking for the period end, canceled_at is the latest request', () => {
    const scenario = subscribed(cancelAtPeriodEnd, advanceTo('2027-03-10'), cancelNow)
    expect(subscriptionIn(scenario)).toMatchObject({
      cancelAtPeriodEnd: true,
      canceledAt: '2027-03-10T00:00:00.000Z',
      endedAt: '2027-03-10T00:00:00.000Z',
    })
  })

  it('6.9: an ended record keeps its period and discounts; nothing is pending', () => {
    const before = subscribed(apply('EVER'), changePlan('cheap'), advanceTo('2027-03-10'))
    const scenario = when(before, cancelNow)
    expect(periodIn(scenario)).toEqual(periodIn(before))
    expect(couponsOn(scenario)).toEqual(['EVER'])
    expect(subscriptionIn(scenario).pendingPlanId).toBeNull()
  })
})
