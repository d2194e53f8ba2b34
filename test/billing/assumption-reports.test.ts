import { describe, expect, it } from 'vitest'
import type { AssumptionSlug } from '../../src/assumptions/register.ts'
import { startSubscription } from '../../src/billing/create.ts'
import { decide, type SubscriptionCommand } from '../../src/billing/decide.ts'
import { settle } from '../../src/billing/settle.ts'
import {
  apply,
  cancelNow,
  changePlan,
  customerHas,
  offering,
  pause,
  paymentsAlways,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import {
  customer,
  fixedOff,
  percentage,
  plan,
  repeating,
  trialExtension,
  yearly,
} from '../support/catalog.ts'
import {
  accountOf,
  advanceTo,
  FIRST,
  given,
  nextDue,
  type Scenario,
  when,
} from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const pro = plan('pro', 2000)
const cheap = plan('cheap', 400)
const month = plan('month', 2000)
const plans = selling(plan('basic', 1000), pro, cheap, month, yearly('year', 12_000))
const forever = { duration: 'forever', stackable: true } as const
const coupons = offering(
  percentage('LOYAL', 10, forever),
  fixedOff('EXTRA', 300, forever),
  percentage('BASIC', 10, { ...forever, appliesToPlans: ['basic'] }),
  percentage('MONTHS', 10, repeating(3)),
  percentage('MONTH', 10, repeating(1)),
)

const active = given(NOW, plans, coupons, subscribe('basic'))
const trialing = given(NOW, plans, coupons, subscribe('basic', { trialPeriodDays: 14 }))
const pastDue = given(NOW, plans, paymentsAlways('card_declined'), subscribe('basic'))
const paused = when(active, pause)
const canceled = when(active, cancelNow)
/** What every upgrade in a period that was billed leans on. */
const upgraded = ['upgrade-or-downgrade', 'proration', 'amount-rounding'] as const
const yearlyPaid = given(NOW, plans, subscribe('year'))

function leanedOn(scenario: Scenario, command: SubscriptionCommand): readonly AssumptionSlug[] {
  return decide(accountOf(scenario, FIRST), command, scenario).assumptions
}

function settledOn(scenario: Scenario): readonly AssumptionSlug[] {
  const item = nextDue(scenario)
  if (item === null) throw new Error('Nothing is due')
  const circumstances = { now: item.at, settings: scenario.settings }
  return settle(accountOf(scenario, FIRST), item.due, circumstances).assumptions
}

describe('an answer names the assumptions that shaped it', () => {
  it.each<[string, Scenario, [SubscriptionCommand, AssumptionSlug[]]]>([
    [
      'an upgrade to another interval that waits',
      when(active, setting({ intervalChange: 'at_period_end' })),
      [
        { kind: 'change_plan', plan: yearly('year', 24_000) },
        ['upgrade-or-downgrade', 'interval-change'],
      ],
    ],
    [
      'an upgrade out of the limits of a discount',
      given(NOW, plans, coupons, subscribe('basic', { couponId: 'BASIC' })),
      [
        { kind: 'change_plan', plan: pro },
        [...upgraded, 'coupon-limits-on-invoices', 'payment-outcomes'],
      ],
    ],
    ['an upgrade', active, [{ kind: 'change_plan', plan: pro }, [...upgraded, 'payment-outcomes']]],
    ['a downgrade', active, [{ kind: 'change_plan', plan: cheap }, ['upgrade-or-downgrade']]],
    [
      'an upgrade in a trial',
      trialing,
      [{ kind: 'change_plan', plan: pro }, ['upgrade-or-downgrade', 'plan-change-in-trial']],
    ],
    [
      'an upgrade while paused',
      paused,
      [{ kind: 'change_plan', plan: pro }, ['plan-change-while-paused', 'paused-status-name']],
    ],
    [
      'a coupon while paused',
      paused,
      [
        { kind: 'apply_coupon', coupon: percentage('X', 10) },
        ['coupon-durations', 'paused-status-name'],
      ],
    ],
    [
      'an extension of a trial with another coupon',
      when(trialing, apply('LOYAL')),
      [
        { kind: 'apply_coupon', coupon: trialExtension('X', 7) },
        ['trial-extension', 'coupon-types'],
      ],
    ],
    [
      'an extension of a trial with a repeating coupon',
      when(trialing, apply('MONTHS')),
      [
        { kind: 'apply_coupon', coupon: trialExtension('X', 7) },
        ['trial-extension', 'coupon-types', 'coupon-months-start'],
      ],
    ],
    [
      'an upgrade that cannot be paid',
      pastDue,
      [
        { kind: 'change_plan', plan: pro },
        [...upgraded, 'payment-outcomes', 'retry-schedule', 'failed-upgrade-payment'],
      ],
    ],
    [
      'an upgrade to another interval',
      yearlyPaid,
      [
        { kind: 'change_plan', plan: month },
        [
          ...(['upgrade-or-downgrade', 'interval-change', 'proration'] as const),
          ...(['amount-rounding', 'billing-calendar', 'credit-to-balance'] as const),
        ],
      ],
    ],
    [
      'an upgrade with discounts in an order',
      when(active, apply('LOYAL'), apply('EXTRA'), advanceTo('2027-04-02T00:00:00Z')),
      [
        { kind: 'change_plan', plan: pro },
        [...upgraded, 'stacking-order', 'fixed-value-unit', 'payment-outcomes'],
      ],
    ],
    ['a pause', active, [{ kind: 'pause' }, ['paused-status-name']]],
    ['a pause in a trial', trialing, [{ kind: 'pause' }, ['unlisted-transitions']]],
    [
      'a resume',
      paused,
      [{ kind: 'resume' }, ['resume-restores-remaining-period', 'coupon-months-during-pause']],
    ],
    [
      'a cancellation at once',
      active,
      [{ kind: 'cancel_now' }, ['immediate-cancel-parameter', 'cancel-without-refund']],
    ],
    [
      'a cancellation of a paused one',
      paused,
      [
        { kind: 'cancel_now' },
        ['immediate-cancel-parameter', 'cancel-without-refund', 'unlisted-transitions'],
      ],
    ],
    [
      'a cancellation of a past due one at period end',
      pastDue,
      [{ kind: 'cancel_at_period_end' }, ['unlisted-transitions']],
    ],
    [
      'a coupon beside others',
      when(active, apply('LOYAL')),
      [
        { kind: 'apply_coupon', coupon: fixedOff('X', 1, forever) },
        ['coupon-durations', 'fixed-value-unit', 'stacking-needs-both'],
      ],
    ],
    [
      'a coupon that is there already',
      when(active, apply('LOYAL')),
      [
        { kind: 'apply_coupon', coupon: percentage('LOYAL', 10, forever) },
        ['redemption-count', 'coupon-durations', 'stacking-needs-both', 'reapplied-coupon'],
      ],
    ],
    [
      'a repeating coupon in a trial',
      trialing,
      [
        { kind: 'apply_coupon', coupon: percentage('X', 10, repeating(3)) },
        ['coupon-months-start'],
      ],
    ],
    [
      'a trial extension',
      trialing,
      [
        { kind: 'apply_coupon', coupon: trialExtension('X', 7) },
        ['trial-extension', 'coupon-types'],
      ],
    ],
    [
      'a pause while paused, which its message names',
      paused,
      [{ kind: 'pause' }, ['unlisted-transitions', 'paused-status-name']],
    ],
    [
      'an update of an ended one, which may be paused',
      canceled,
      [{ kind: 'change_plan', plan: pro }, ['unlisted-transitions', 'paused-status-name']],
    ],
    [
      'an extension while paused',
      paused,
      [
        { kind: 'apply_coupon', coupon: trialExtension('X', 7) },
        ['coupon-refusals', 'trial-extension', 'paused-status-name'],
      ],
    ],
    [
      'a coupon that is refused',
      canceled,
      [
        { kind: 'apply_coupon', coupon: percentage('X', 10) },
        ['coupon-refusals', 'unlisted-transitions'],
      ],
    ],
  ])('%s', (_, scenario, [command, slugs]) => {
    expect(leanedOn(scenario, command)).toEqual(slugs)
  })

  it.each<[string, Scenario, SubscriptionCommand]>([
    ['cancelling at period end, as documented', active, { kind: 'cancel_at_period_end' }],
    ['taking the same plan again', active, { kind: 'change_plan', plan: plan('basic', 1000) }],
    [
      'a repeating percentage on a subscription without discounts',
      active,
      { kind: 'apply_coupon', coupon: percentage('X', 10, repeating(3)) },
    ],
  ])('none for %s', (_, scenario, command) => {
    expect(leanedOn(scenario, command)).toEqual([])
  })

  it('the first invoice of a creation without a trial, and the length of a day with one', () => {
    const order = {
      ...{ subscriptionId: FIRST, sequence: 1, customer: customer('cus_ada'), plan: pro },
      ...{ offer: null, invoicesMade: 0 },
      scripts: { subscription: null, customer: null, sandbox: null },
    }
    const slugsOf = (trialPeriodDays: number | null) =>
      startSubscription({ ...order, trialPeriodDays }, active).assumptions
    const billed = ['billing-calendar', 'first-invoice', 'payment-outcomes']
    expect(slugsOf(null)).toEqual(billed)
    expect(slugsOf(0)).toEqual(['billing-calendar', 'trial-period-bounds', ...billed.slice(1)])
    for (const days of [1, 90]) expect(slugsOf(days)).toEqual(['trial-day-length'])
    expect(slugsOf(91)).toEqual(['trial-period-bounds', 'trial-day-length'])
  })

  it.each<[string, Scenario, readonly AssumptionSlug[]]>([
    ['no discount', active, []],
    ['a percentage', when(active, apply('LOYAL')), ['amount-rounding']],
    ['a fixed amount', when(active, apply('EXTRA')), ['fixed-value-unit']],
    [
      'discounts in an order',
      when(active, apply('LOYAL'), apply('EXTRA')),
      ['stacking-order', 'amount-rounding', 'fixed-value-unit'],
    ],
    [
      'a discount for another plan',
      when(
        given(NOW, plans, coupons, subscribe('basic', { couponId: 'BASIC' })),
        changePlan('pro'),
      ),
      ['coupon-limits-on-invoices'],
    ],
    ['months that go on', when(active, apply('MONTHS')), ['amount-rounding']],
    [
      'months that end now',
      when(active, apply('MONTH'), advanceTo('2027-03-31T23:59:59Z')),
      ['amount-rounding', 'repeating-months-window'],
    ],
  ])('a renewal with %s', (_, scenario, slugs) => {
    expect(settledOn(scenario)).toEqual(['billing-calendar', ...slugs, 'payment-outcomes'])
  })

  it('a trial that ends without a payment method, and retries that run out', () => {
    const poor = when(trialing, customerHas({ paymentMethod: 'none' }))
    expect(settledOn(poor)).toEqual(['trial-end-without-payment-method'])
    const keep = setting({ retrySchedule: ['P1D'] })
    const last = given(NOW, plans, keep, paymentsAlways('card_declined'), subscribe('basic'))
    expect(settledOn(last)).toEqual(['payment-outcomes', 'retry-schedule', 'after-retries'])
  })
})
