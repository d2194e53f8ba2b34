import { describe, expect, it } from 'vitest'
import {
  apply,
  cancelAtPeriodEnd,
  changePlan,
  customerHas,
  offering,
  paymentsAlways,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { percentage, plan, yearly } from '../support/catalog.ts'
import {
  attemptsOf,
  duesIn,
  eventsSince,
  invoiceIn,
  periodIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-01-17T10:00:00Z'
const END = '2027-01-31T10:00:00Z'
const JUST_BEFORE = '2027-01-31T09:59:59.999Z'

function trial(...actions: readonly Action[]): Scenario {
  const plans = selling(
    plan('basic', 1000),
    plan('cheap', 500),
    plan('free', 0),
    yearly('cheap_yearly', 6000),
  )
  return given(NOW, plans, subscribe('basic', { trialPeriodDays: 14 }), ...actions)
}

const cannotPay = customerHas({ paymentMethod: 'none' })

describe('the end of a trial', () => {
  it('1.5: is settled at its very instant and not a millisecond earlier', () => {
    expect(statusIn(when(trial(), advanceTo(JUST_BEFORE)))).toBe('trialing')
    expect(statusIn(when(trial(), advanceTo(JUST_BEFORE), advanceTo(END)))).toBe('active')
  })

  it('4.5: is active first, and a failed payment then makes it past due', () => {
    const before = trial(paymentsAnswer(['card_declined']))
    const scenario = when(before, advanceTo(END))
    expect(statusIn(scenario)).toBe('past_due')
    expect(eventsSince(before, scenario)).toEqual([
      'subscription.trial_ended',
      'subscription.activated',
      'invoice.created',
      'payment.failed',
      'subscription.past_due',
    ])
  })

  it.each([
    ['a free plan', [changePlan('free')]],
    ['a discount of all', [offering(percentage('ALL', 100)), apply('ALL')]],
    ['a balance that pays it', [customerHas({ balance: 1000 })]],
    ['a pending free plan', [changePlan('free'), changePlan('basic'), changePlan('free')]],
  ])('4.4: becomes active without a payment method where nothing is due: %s', (_, actions) => {
    const before = trial(cannotPay, ...actions)
    const scenario = when(before, advanceTo(END))
    expect(eventsSince(before, scenario)).toContain('invoice.paid')
    expect(invoiceIn(scenario)).toMatchObject({ amountDue: 0, attempts: [] })
    expect(statusIn(scenario)).toBe('active')
  })

  it('4.4: expires without a payment method where one minor unit is due', () => {
    const scenario = when(trial(cannotPay, customerHas({ balance: 999 })), advanceTo(END))
    expect([statusIn(scenario), scenario.invoices.length]).toEqual(['expired', 0])
  })

  it('4.3: is canceled rather than expired where it was canceled and there is no payment method', () => {
    const scenario = when(trial(cancelAtPeriodEnd, cannotPay), advanceTo(END))
    expect(statusIn(scenario)).toBe('canceled')
  })

  it('4.4: expires and nothing is billed where the customer has no payment method', () => {
    const scenario = when(trial(cannotPay), advanceTo(END))
    expect(subscriptionIn(scenario)).toMatchObject({
      status: 'expired',
      endedAt: scenario.now,
      canceledAt: null,
    })
    expect(scenario.invoices).toEqual([])
  })

  it('4.4: expires without a payment method even where a payment would have been scripted to succeed', () => {
    const scenario = when(trial(cannotPay, paymentsAlways('succeed')), advanceTo(END))
    expect(statusIn(scenario)).toBe('expired')
  })

  it('4.4: is billed and past due without a payment method where the setting says past_due', () => {
    const owing = setting({ trialEndWithoutPaymentMethod: 'past_due' })
    const scenario = when(trial(owing, cannotPay), advanceTo(END))
    expect(statusIn(scenario)).toBe('past_due')
    expect(attemptsOf(invoiceIn(scenario))).toEqual(['2027-01-31 no_payment_method'])
    expect(invoiceIn(scenario).nextAttemptAt).toBe('2027-02-01T10:00:00.000Z')
  })

  it('4.4: looks at the payment method at the trial end, not at the creation', () => {
    const scenario = when(trial(cannotPay, customerHas({ paymentMethod: 'valid' })), advanceTo(END))
    expect(statusIn(scenario)).toBe('active')
  })

  it('4.5: a pending downgrade to a yearly plan bills a year from the trial end', () => {
    const scenario = when(trial(changePlan('cheap_yearly')), advanceTo(END))
    expect(duesIn(scenario)).toEqual([6000])
    expect(periodIn(scenario)).toEqual(['2027-01-31T10:00:00.000Z', '2028-01-31T10:00:00.000Z'])
  })

  it('6.9: a pending downgrade is gone once the trial expired', () => {
    const scenario = when(trial(changePlan('cheap'), cannotPay), advanceTo(END))
    expect(subscriptionIn(scenario)).toMatchObject({ planId: 'basic', pendingPlanId: null })
  })

  it('6.9: an ended trial keeps its period, flag and discounts', () => {
    const save = [offering(percentage('SAVE20', 20)), apply('SAVE20')]
    const before = trial(...save, cancelAtPeriodEnd)
    const ended = subscriptionIn(when(before, advanceTo(END)))
    const { currentPeriodStart, currentPeriodEnd, discounts, trialEnd } = subscriptionIn(before)
    expect(ended).toMatchObject({ currentPeriodStart, currentPeriodEnd, discounts, trialEnd })
    expect(ended.cancelAtPeriodEnd).toBe(true)
  })

  it('2.3: nothing falls due any more once it ended', () => {
    const ended = when(trial(cancelAtPeriodEnd), advanceTo(END))
    expect(eventsSince(ended, when(ended, advanceTo('2029-01-01')))).toEqual([])
  })
})
