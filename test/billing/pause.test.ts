import { describe, expect, it } from 'vitest'
import { decide } from '../../src/billing/decide.ts'
import type { Outcome } from '../../src/billing/step.ts'
import {
  apply,
  cancelAtPeriodEnd,
  offering,
  pause,
  resume,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { fixedOff, percentage, plan, repeating } from '../support/catalog.ts'
import {
  couponsOn,
  duesIn,
  eventsSince,
  periodIn,
  recordsIn,
  statusIn,
  subscriptionIn,
  windowIn,
} from '../support/readings.ts'
import {
  type Action,
  accountOf,
  advanceTo,
  FIRST,
  given,
  type Scenario,
  when,
} from '../support/scenario.ts'

const NOW = '2027-01-31T00:00:00Z'
const plans = selling(plan('basic', 1000))
const coupons = offering(
  percentage('SAVE20', 20, repeating(2)),
  fixedOff('TAKE5', 500),
  percentage('EVER', 10, { duration: 'forever' }),
)
const stops = setting({ couponMonthsDuringPause: 'stops' })

/** The days on which the window of the discount starts and ends. */
function daysIn(scenario: Scenario): readonly (string | null)[] {
  return windowIn(scenario).map((at) => at?.slice(0, 10) ?? null)
}

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, subscribe('basic'), ...actions)
}

it('a change stores only the records that it changed', () => {
  const active = given(NOW, plans, coupons, subscribe('basic'))
  const { changes } = decide(accountOf(active, FIRST), { kind: 'pause' }, active) as Outcome
  expect(Object.keys(changes)).toEqual(['subscription'])
})

describe('pausing', () => {
  it('6.1: an active subscription becomes paused and keeps its period and data', () => {
    const before = subscribed(apply('EVER'))
    const scenario = when(before, pause)
    const { status: _, pausedAt: __, ...kept } = subscriptionIn(scenario)
    expect(statusIn(scenario)).toBe('paused')
    expect(subscriptionIn(before)).toMatchObject(kept)
    expect(eventsSince(before, scenario)).toEqual(['subscription.paused'])
  })

  it('6.3: nothing is billed and nothing falls due while paused, for years', () => {
    const paused = subscribed(pause)
    const scenario = when(paused, advanceTo('2033-01-01'))
    expect(recordsIn(scenario)).toEqual(recordsIn(paused))
  })

  it('6.2: one that is set to cancel at period end keeps its flag, and ends at the end that the resume moves', () => {
    const before = subscribed(cancelAtPeriodEnd, advanceTo('2027-02-10'), pause)
    expect(subscriptionIn(before)).toMatchObject({ status: 'paused', cancelAtPeriodEnd: true })
    const resumed = when(before, advanceTo('2027-06-01'), resume)
    const { currentPeriodEnd } = subscriptionIn(resumed)
    expect(currentPeriodEnd > '2027-06-01').toBe(true)
    const scenario = when(resumed, advanceTo('2027-12-31'))
    expect(subscriptionIn(scenario)).toMatchObject({
      status: 'canceled',
      endedAt: currentPeriodEnd,
    })
    expect(eventsSince(resumed, scenario)).toEqual(['subscription.canceled'])
  })
})

describe('a discount whose months end at the very instant of a pause', () => {
  it('6.5: has run out, and its months do not move', () => {
    const before = subscribed(advanceTo('2027-02-10'), apply('SAVE20'), stops)
    const scenario = when(before, advanceTo('2027-04-10'), pause, advanceTo('2027-06-01'), resume)
    expect(daysIn(scenario)).toEqual(['2027-02-10', '2027-04-10'])
  })
})

describe('resuming', () => {
  it('6.4: at the instant of the pause changes nothing about the period', () => {
    const before = subscribed(advanceTo('2027-02-10'))
    const scenario = when(before, pause, resume)
    expect(periodIn(scenario)).toEqual(periodIn(before))
  })

  it('6.4: gives back what was left to the millisecond', () => {
    const paused = subscribed(advanceTo('2027-02-27T23:59:59.999Z'), pause, advanceTo('2028-01-01'))
    const scenario = when(paused, resume)
    expect(subscriptionIn(scenario).currentPeriodEnd).toBe('2028-01-01T00:00:00.001Z')
  })

  it('6.4: twice in a period gives back what was left at each pause', () => {
    const once = subscribed(advanceTo('2027-02-10'), pause, advanceTo('2027-02-20'), resume)
    const scenario = when(once, advanceTo('2027-03-01'), pause, advanceTo('2027-03-21'), resume)
    expect(subscriptionIn(scenario).currentPeriodEnd).toBe('2027-03-30T00:00:00.000Z')
  })
})

describe('a repeating coupon and a pause', () => {
  it('6.5: its months keep running by default', () => {
    const paused = subscribed(apply('SAVE20'), advanceTo('2027-02-10'), pause)
    const scenario = when(paused, advanceTo('2027-04-10'), resume)
    expect(daysIn(scenario)).toEqual(['2027-01-31', '2027-03-31'])
    expect(duesIn(when(scenario, advanceTo('2027-04-28')))).toEqual([1000, 1000])
  })

  it('6.5: the end of its window moves by the time paused where the setting says stops', () => {
    const paused = subscribed(stops, apply('SAVE20'), advanceTo('2027-02-10'), pause)
    const scenario = when(paused, advanceTo('2027-04-10'), resume)
    expect(daysIn(scenario)).toEqual(['2027-01-31', '2027-05-29'])
    expect(duesIn(when(scenario, advanceTo('2027-06-28')))).toEqual([1000, 800, 800, 1000])
  })

  it('6.5: the record shows the window unmoved until the resume', () => {
    const paused = subscribed(stops, apply('SAVE20'), advanceTo('2027-02-10'), pause)
    expect(daysIn(when(paused, advanceTo('2027-03-10')))).toEqual(['2027-01-31', '2027-03-31'])
  })

  it('6.5: one applied while paused starts at the resume where the setting says stops', () => {
    const paused = subscribed(stops, pause, advanceTo('2027-02-28'), apply('SAVE20'))
    expect(daysIn(paused)).toEqual(['2027-02-28', '2027-04-28'])
    const scenario = when(paused, advanceTo('2027-03-31'), resume)
    expect(daysIn(scenario)).toEqual(['2027-03-31', '2027-05-31'])
  })

  it('6.5: one applied at the instant of the pause, but before it, is moved and not started anew', () => {
    const paused = subscribed(stops, apply('SAVE20'), pause)
    const scenario = when(paused, advanceTo('2027-02-10'), resume)
    expect(daysIn(scenario)).toEqual(['2027-01-31', '2027-04-10'])
  })

  it('6.5: one applied at the instant of the pause, but after it, starts at the resume', () => {
    const paused = subscribed(stops, pause, apply('SAVE20'))
    const scenario = when(paused, advanceTo('2027-02-10'), resume)
    expect(daysIn(scenario)).toEqual(['2027-02-10', '2027-04-10'])
  })

  it('6.5: one applied in an earlier pause is moved by a later one, as any other', () => {
    const once = subscribed(stops, pause, apply('SAVE20'), advanceTo('2027-02-10'), resume)
    const scenario = when(once, pause, advanceTo('2027-02-20'), resume)
    expect(daysIn(scenario)).toEqual(['2027-02-10', '2027-04-20'])
  })

  it('6.5: one applied in a pause whose months ran is moved by a later pause in which they stop', () => {
    const once = subscribed(pause, apply('SAVE20'), resume)
    const scenario = when(once, stops, pause, advanceTo('2027-02-10'), resume)
    expect(daysIn(scenario)).toEqual(['2027-01-31', '2027-04-10'])
  })

  it('6.5: one applied while paused starts when applied by default', () => {
    const paused = subscribed(pause, advanceTo('2027-02-28'), apply('SAVE20'))
    const scenario = when(paused, advanceTo('2027-03-31'), resume)
    expect(daysIn(scenario)).toEqual(['2027-02-28', '2027-04-28'])
  })

  it('6.5: one that had run out before the pause does not come back to life', () => {
    const long = given(NOW, selling(plan('half', 6000, { intervalCount: 6 })), coupons, stops)
    const paused = when(long, subscribe('half'), apply('SAVE20'), advanceTo('2027-05-01'), pause)
    const scenario = when(paused, advanceTo('2027-08-01'), resume)
    expect(daysIn(scenario)).toEqual(['2027-01-31', '2027-03-31'])
    expect(duesIn(when(scenario, advanceTo('2027-11-01')))).toEqual([6000, 6000])
  })

  it('4.18: reads the setting at the resume', () => {
    const paused = subscribed(apply('SAVE20'), advanceTo('2027-02-10'), pause, stops)
    expect(daysIn(when(paused, advanceTo('2027-02-20'), resume))).toEqual([
      '2027-01-31',
      '2027-04-10',
    ])
  })

  it('6.5: a pause leaves once and forever discounts as they are', () => {
    const scenario = subscribed(stops, apply('TAKE5'), pause, advanceTo('2027-03-10'), resume)
    expect(couponsOn(scenario)).toEqual(['TAKE5'])
    expect(daysIn(scenario)).toEqual(['2027-01-31', null])
    expect(duesIn(when(scenario, advanceTo('2027-04-07')))).toEqual([1000, 500])
  })
})
