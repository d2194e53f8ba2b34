import { describe, expect, it } from 'vitest'
import {
  cancelAtPeriodEnd,
  cancelNow,
  changePlan,
  pause,
  paymentsAnswer,
  resume,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { plan, yearly } from '../support/catalog.ts'
import {
  duesIn,
  eventsSince,
  invoicedOn,
  invoiceIn,
  invoiceStatusesIn,
  linesOf,
  periodIn,
  recordsIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const HALF = '2027-03-16T12:00:00Z'
const plans = selling(
  plan('cheap', 400),
  plan('basic', 1000),
  plan('same', 1000),
  plan('pro', 2000),
  yearly('cheap_year', 3000),
  plan('euro', 9000, { currency: 'EUR' }),
)

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, subscribe('basic'), ...actions)
}

function trialing(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, subscribe('basic', { trialPeriodDays: 31 }), ...actions)
}

function owing(...actions: readonly Action[]): Scenario {
  const keep = setting({ retrySchedule: ['P60D'] })
  const declined = paymentsAnswer(['card_declined'])
  return given(NOW, plans, keep, declined, subscribe('basic'), ...actions)
}

describe('a downgrade', () => {
  it('4.7: to a cheaper yearly plan bills a year at the next billing cycle', () => {
    const scenario = subscribed(changePlan('cheap_year'), advanceTo('2028-04-01'))
    expect(invoicedOn(scenario)).toEqual(['2027-03-01', '2027-04-01', '2028-04-01'])
    expect(duesIn(scenario)).toEqual([1000, 3000, 3000])
  })

  it('5.13: is replaced by a later downgrade', () => {
    const scenario = subscribed(changePlan('cheap'), changePlan('cheap_year'))
    expect(subscriptionIn(scenario).pendingPlanId).toBe('cheap_year')
    const effectiveAt = '2027-04-01T00:00:00.000Z'
    expect(scenario.facts.at(-1)?.detail).toEqual({ from: 'basic', to: 'cheap_year', effectiveAt })
  })

  it('5.1: is dropped by an update to the same plan, and nothing else changes', () => {
    const before = subscribed(advanceTo(HALF))
    const scenario = when(before, changePlan('cheap'), changePlan('basic'))
    expect({ ...scenario, facts: [] }).toEqual({ ...before, facts: [] })
    const dropped = { from: 'basic', to: null, effectiveAt: null }
    expect(scenario.facts.at(-1)?.detail).toEqual(dropped)
    expect(duesIn(when(scenario, advanceTo('2027-04-01')))).toEqual([1000, 1000])
  })

  it('5.13: is dropped by an upgrade', () => {
    const before = subscribed(changePlan('cheap'), advanceTo(HALF))
    const scenario = when(before, changePlan('pro'))
    expect(subscriptionIn(scenario)).toMatchObject({ planId: 'pro', pendingPlanId: null })
    expect(eventsSince(before, scenario)[0]).toBe('subscription.plan_changed')
    expect(duesIn(when(scenario, advanceTo('2027-04-01')))).toEqual([1000, 500, 2000])
  })

  it('5.13: keeps the day of the month that periods end on', () => {
    const start = given('2027-01-31T00:00:00Z', plans, subscribe('basic'), changePlan('cheap'))
    const days = ['2027-01-31', '2027-02-28', '2027-03-31']
    expect(invoicedOn(when(start, advanceTo('2027-04-01')))).toEqual(days)
  })

  it('5.13: asked for twice is scheduled once', () => {
    const once = subscribed(changePlan('cheap'))
    expect(when(once, changePlan('cheap'))).toEqual(once)
  })
})

describe('a plan change', () => {
  it('5.1: to the same plan answers, and changes nothing at all', () => {
    const before = subscribed(advanceTo(HALF))
    const scenario = when(before, changePlan('basic'))
    expect(scenario.refusal).toBeNull()
    expect(scenario).toEqual(before)
  })

  it('5.18: to a plan in another currency is refused', () => {
    const before = subscribed()
    const scenario = when(before, changePlan('euro'))
    expect(scenario.refusal?.refused).toBe('currency_mismatch')
    expect(recordsIn(scenario)).toEqual(recordsIn(before))
  })

  it.each(['pro', 'same'])(
    '5.14: while trialing to %s swaps the plan at once, free of charge',
    (planId) => {
      const before = trialing(advanceTo(HALF))
      const scenario = when(before, changePlan(planId))
      expect(subscriptionIn(scenario)).toEqual({ ...subscriptionIn(before), planId })
      expect(scenario.invoices).toEqual([])
      expect(eventsSince(before, scenario)).toEqual(['subscription.plan_changed'])
    },
  )

  it('5.14: while trialing to a higher rate bills the new plan at the trial end, which stays', () => {
    const scenario = trialing(changePlan('pro'), advanceTo('2027-04-01'))
    expect(duesIn(scenario)).toEqual([2000])
    expect(invoicedOn(scenario)).toEqual(['2027-04-01'])
  })

  it('5.14: while trialing to a lower rate waits for the trial end', () => {
    const before = trialing(changePlan('cheap'))
    expect(subscriptionIn(before)).toMatchObject({ planId: 'basic', pendingPlanId: 'cheap' })
    expect(duesIn(when(before, advanceTo('2027-04-01')))).toEqual([400])
  })

  it('5.14: while trialing to a higher rate drops a pending downgrade', () => {
    const scenario = trialing(changePlan('cheap'), changePlan('pro'))
    expect(subscriptionIn(scenario)).toMatchObject({ planId: 'pro', pendingPlanId: null })
  })

  it.each([
    ['pro', 2000],
    ['same', 1000],
    ['cheap', 400],
  ])('5.15: while paused to %s waits for the first billing cycle after resuming', (planId, due) => {
    const paused = subscribed(advanceTo(HALF), pause, changePlan(planId))
    expect(paused.facts.at(-1)?.detail).toMatchObject({ to: planId, effectiveAt: null })
    expect(subscriptionIn(paused)).toMatchObject({ planId: 'basic', pendingPlanId: planId })
    const resumed = when(paused, advanceTo('2027-05-01'), resume)
    expect(subscriptionIn(resumed).planId).toBe('basic')
    expect(duesIn(when(resumed, advanceTo('2027-05-16T12:00:00Z')))).toEqual([1000, due])
  })

  it('5.1: while paused to the same plan drops what was pending', () => {
    const scenario = subscribed(pause, changePlan('pro'), changePlan('basic'))
    expect(subscriptionIn(scenario).pendingPlanId).toBeNull()
  })

  it('5.16: while past due to a higher rate is charged now, as when active', () => {
    const scenario = owing(advanceTo(HALF), changePlan('pro'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-500, 1000])
    expect(invoiceStatusesIn(scenario)).toEqual(['open', 'paid'])
    expect(statusIn(scenario)).toBe('past_due')
  })

  it('5.16: while past due to a lower rate waits, as when active', () => {
    const scenario = owing(advanceTo(HALF), changePlan('cheap'))
    expect(subscriptionIn(scenario)).toMatchObject({ planId: 'basic', pendingPlanId: 'cheap' })
    expect(duesIn(when(scenario, advanceTo('2027-04-01')))).toEqual([1000, 400])
  })

  it('5.16: with cancel at period end set is allowed, and the flag stays', () => {
    const scenario = subscribed(cancelAtPeriodEnd, advanceTo(HALF), changePlan('pro'))
    expect(subscriptionIn(scenario)).toMatchObject({ planId: 'pro', cancelAtPeriodEnd: true })
    expect(duesIn(scenario)).toEqual([1000, 500])
    expect(statusIn(when(scenario, advanceTo('2027-04-01')))).toBe('canceled')
  })

  it('5.16: a downgrade with cancel at period end set never takes effect', () => {
    const scenario = subscribed(cancelAtPeriodEnd, changePlan('cheap'), advanceTo('2027-04-01'))
    expect(subscriptionIn(scenario)).toMatchObject({
      status: 'canceled',
      planId: 'basic',
      pendingPlanId: null,
    })
    expect(duesIn(scenario)).toEqual([1000])
  })

  it.each(['pro', 'euro'])(
    '11: to %s once ended is refused for that, before any currency',
    (to) => {
      const scenario = subscribed(cancelNow, changePlan(to))
      expect(scenario.refusal?.refused).toBe('invalid_transition')
      expect(scenario.refusal?.message).toMatch(/ must be one of \w+(, \w+){2,}; got canceled\.$/)
    },
  )

  it('11: a new price of the plan reaches the next invoice, and no credit before it', () => {
    const before = subscribed()
    const plans = before.plans.map((each) =>
      each.planId === 'basic' ? { ...each, amount: 1500 } : each,
    )
    const dearer = { ...before, plans }
    expect(duesIn(when(dearer, advanceTo('2027-04-01')))).toEqual([1000, 1500])
    const upgraded = when(dearer, advanceTo(HALF), changePlan('pro'))
    expect(linesOf(invoiceIn(upgraded))).toEqual([-500, 1000])
  })

  it('5.3: customers switch plans at any time, several times at one instant', () => {
    const scenario = subscribed(changePlan('pro'), changePlan('cheap'), changePlan('pro'))
    expect(subscriptionIn(scenario)).toMatchObject({ planId: 'pro', pendingPlanId: null })
    expect(duesIn(scenario)).toEqual([1000, 1000])
    expect(periodIn(scenario)).toEqual(['2027-03-01T00:00:00.000Z', '2027-04-01T00:00:00.000Z'])
  })
})
