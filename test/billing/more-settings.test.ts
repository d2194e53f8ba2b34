/** What each setting of billing changes, to the cent, beside what the initial setting does in the same history. */
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../src/assumptions/register.ts'
import { explain } from '../../src/billing/explain.ts'
import { CheckedInvoice } from '../../src/billing/invoice-checks.ts'
import { Subscription } from '../../src/billing/subscription.ts'
import {
  apply,
  cancelNow,
  changePlan,
  customerHas,
  offering,
  pause,
  pay,
  paymentsAlways,
  resume,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { percentage, plan, yearly } from '../support/catalog.ts'
import {
  adaIn,
  duesIn,
  invoiceIn,
  invoiceStatusesIn,
  linesOf,
  periodIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T09:00:00Z'
/** Half a month later, and 30 minutes and half a second into a day of the period. */
const LATER = '2027-03-17T09:30:00.500Z'
const plans = selling(
  plan('basic', 1000),
  plan('pro', 2000),
  plan('five', 5),
  plan('nine', 9),
  plan('odd', 1004),
  plan('even', 1012),
  plan('quarter', 2400, { intervalCount: 3 }),
  plan('weekly', 400, { interval: 'week' }),
  yearly('year', 11_000),
  yearly('pro_year', 24_000),
)
const coupons = offering(
  percentage('SAVE50', 50, { duration: 'forever' }),
  percentage('EIGHTH', 12.5, { duration: 'forever' }),
  percentage('LAST', 50, { duration: 'forever', maxRedemptions: 1 }),
  percentage('BASIC', 50, { duration: 'forever', appliesToPlans: ['basic'] }),
)

function shop(settings: Partial<Settings>, ...actions: readonly Action[]): Scenario {
  return given(NOW, plans, coupons, setting(settings), ...actions)
}

describe('the setting', () => {
  it.each([
    ['24_hours', '2027-03-15T09:00:00.000Z'],
    ['calendar_day', '2027-03-15T00:00:00.000Z'],
  ] as const)('trial_day_length %s ends a trial of 14 days at %s', (trialDayLength, end) => {
    const scenario = shop({ trialDayLength }, subscribe('basic', { trialPeriodDays: 14 }))
    expect(subscriptionIn(scenario).trialEnd).toBe(end)
  })

  it.each([
    ['at_once', ['past_due', 1000], [1000, 1000]],
    ['first_boundary', ['active'], [1000]],
  ] as const)('first_invoice %s', (firstInvoice, first, dues) => {
    const unpaid = shop({ firstInvoice }, paymentsAlways('card_declined'), subscribe('basic'))
    expect([statusIn(unpaid), ...duesIn(unpaid)]).toEqual(first)
    const later = advanceTo('2027-04-01T09:00:00Z')(unpaid)
    expect(statusIn(later)).toBe(firstInvoice === 'at_once' ? 'canceled' : 'past_due')
    const paid = shop({ firstInvoice }, subscribe('basic'), advanceTo('2027-04-01T09:00:00Z'))
    expect(duesIn(paid)).toEqual(dues)
    expect(periodIn(paid)[0]).toBe('2027-04-01T09:00:00.000Z')
  })

  it('first_invoice first_boundary moves no money in the first period, whatever is done in it', () => {
    const settings = { firstInvoice: 'first_boundary', cancelWithoutRefund: 'credit' } as const
    const upgraded = shop(settings, subscribe('basic'), advanceTo(LATER), changePlan('pro'))
    expect([subscriptionIn(upgraded).planId, upgraded.invoices]).toEqual(['pro', []])
    const yearly = changePlan('pro_year')(upgraded)
    expect(periodIn(yearly)[1]).toBe('2027-04-01T09:00:00.000Z')
    const billed = advanceTo('2027-04-01T09:00:00Z')(yearly)
    expect(duesIn(billed)).toEqual([24_000])
    expect(periodIn(billed)[1]).toBe('2028-04-01T09:00:00.000Z')
    const ended = cancelNow(upgraded)
    const paused = when(upgraded, pause, advanceTo('2027-05-01T00:00:00Z'), resume)
    expect([adaIn(ended).balance, ended.invoices, paused.invoices]).toEqual([0, [], []])
    for (const { subscriptions } of [upgraded, yearly, ended, paused]) {
      expect(Subscription.safeParse(subscriptions[0]).success).toBe(true)
    }
    const start = given('2027-01-31T00:00:00Z', plans, setting(settings), subscribe('basic'))
    const kept = when(start, changePlan('pro'), advanceTo('2027-03-01T00:00:00Z'))
    expect(periodIn(kept)).toEqual(['2027-02-28T00:00:00.000Z', '2027-03-31T00:00:00.000Z'])
  })

  it.each([
    ['millisecond', [-483, 966]],
    ['second', [-483, 966]],
    ['day', [-484, 968]],
    ['none', [0, 0]],
  ] as const)('proration %s charges %j for an upgrade', (proration, lines) => {
    const scenario = shop({ proration }, subscribe('basic'), advanceTo(LATER), changePlan('pro'))
    expect(linesOf(invoiceIn(scenario)).map((amount) => amount + 0)).toEqual(lines)
    const next = advanceTo('2027-04-01T09:00:00Z')(scenario)
    expect(duesIn(next).at(-1)).toBe(2000)
  })

  it('proration counts a second or a day that has begun as unused', () => {
    const restOf = (proration: Settings['proration']) => {
      const actions = [subscribe('basic'), advanceTo(LATER), changePlan('pro')]
      return invoiceIn(shop({ proration }, ...actions)).lines[0]?.basis?.remainingMs
    }
    expect(restOf('millisecond')).toBe(1_294_199_500)
    expect(restOf('second')).toBe(1_294_200_000)
    expect(restOf('day')).toBe(15 * 86_400_000)
  })

  it.each([
    ['balance', -11_000, 10_600],
    ['forfeit', -400, 0],
  ] as const)('credit_to_balance %s credits %d', (creditToBalance, credit, balance) => {
    const scenario = shop({ creditToBalance }, subscribe('year'), changePlan('weekly'))
    expect(linesOf(invoiceIn(scenario))).toEqual([credit, 400])
    expect(invoiceIn(scenario).amountDue).toBe(0)
    expect(adaIn(scenario).balance).toBe(balance)
  })

  it.each([
    ['at_once', ['pro', null]],
    ['at_trial_end', ['basic', 'pro']],
  ] as const)('plan_change_in_trial %s', (planChangeInTrial, expected) => {
    const trial = subscribe('basic', { trialPeriodDays: 14 })
    const { planId, pendingPlanId } = subscriptionIn(
      shop({ planChangeInTrial }, trial, changePlan('pro')),
    )
    expect([planId, pendingPlanId]).toEqual(expected)
  })

  it.each([
    ['nothing', 0, 1],
    ['credit', 483, 2],
  ] as const)('cancel_without_refund %s', (cancelWithoutRefund, balance, invoices) => {
    const scenario = shop({ cancelWithoutRefund }, subscribe('basic'), advanceTo(LATER), cancelNow)
    expect(statusIn(scenario)).toBe('canceled')
    expect(adaIn(scenario).balance).toBe(balance)
    expect(scenario.invoices).toHaveLength(invoices)
  })

  it('cancel_without_refund credit pays what is open first, and gives back only what is left', () => {
    const scenario = shop(
      { cancelWithoutRefund: 'credit' },
      paymentsAlways('card_declined'),
      subscribe('basic'),
      cancelNow,
    )
    expect(scenario.invoices.map(({ status }) => status)).toEqual(['paid', 'paid'])
    expect(adaIn(scenario).balance).toBe(0)
  })

  it.each([
    [true, '2027-05-16T09:00:00.000Z', [1000]],
    [false, '2027-05-30T09:00:00.000Z', [1000, 1000]],
  ])('resume_restores_remaining_period %s ends the period at %s', (restores, end, dues) => {
    const scenario = shop(
      { resumeRestoresRemainingPeriod: restores },
      subscribe('basic'),
      advanceTo('2027-03-16T09:00:00Z'),
      pause,
      advanceTo('2027-04-30T09:00:00Z'),
      resume,
    )
    expect(periodIn(scenario)[1]).toBe(end)
    expect(duesIn(scenario)).toEqual(dues)
  })

  it('resume_restores_remaining_period false leaves a period that has not ended as it is', () => {
    const scenario = shop(
      { resumeRestoresRemainingPeriod: false },
      subscribe('basic'),
      pause,
      advanceTo(LATER),
      resume,
    )
    expect(periodIn(scenario)).toEqual(['2027-03-01T09:00:00.000Z', '2027-04-01T09:00:00.000Z'])
    expect(statusIn(scenario)).toBe('active')
    const keep = setting({ resumeRestoresRemainingPeriod: false })
    const start = given('2027-01-31T00:00:00Z', plans, keep, subscribe('basic'), pause)
    const kept = when(start, advanceTo('2027-02-10T00:00:00Z'), resume)
    const [, end] = periodIn(when(kept, advanceTo('2027-03-01T00:00:00Z')))
    expect(end).toBe('2027-03-31T00:00:00.000Z')
    const atEnd = when(start, advanceTo('2027-02-28T00:00:00Z'), resume)
    expect(duesIn(atEnd)).toEqual([1000, 1000])
  })

  it.each([
    ['cancel', 'canceled'],
    ['refuse', 'paused'],
  ] as const)('unlisted_transitions %s', (unlistedTransitions, status) => {
    const scenario = shop({ unlistedTransitions }, subscribe('basic'), pause, cancelNow)
    expect(statusIn(scenario)).toBe(status)
    expect(scenario.refusal?.message ?? null).toBe(
      status === 'paused'
        ? 'Cancel is refused: subscription_id "sub_000001" must be trialing or active; got paused.'
        : null,
    )
  })

  it.each([
    ['each_invoice', 2000],
    ['when_applied', 1000],
  ] as const)('coupon_limits_on_invoices %s', (couponLimitsOnInvoices, due) => {
    const scenario = shop(
      { couponLimitsOnInvoices, proration: 'none' },
      subscribe('basic'),
      apply('BASIC'),
      changePlan('pro'),
      advanceTo('2027-04-01T09:00:00Z'),
    )
    expect(duesIn(scenario).at(-1)).toBe(due)
  })

  it.each([
    ['restart', null],
    ['refuse', 'coupon_not_applicable'],
  ] as const)('reapplied_coupon %s', (reappliedCoupon, code) => {
    const scenario = shop({ reappliedCoupon }, subscribe('basic'), apply('SAVE50'), apply('SAVE50'))
    expect(scenario.refusal?.refused ?? null).toBe(code)
  })

  it.each([
    ['half_away', [878, 885]],
    ['half_even', [878, 886]],
  ] as const)('amount_rounding %s', (amountRounding, dues) => {
    const duesOf = (planId: string) => {
      const off = [apply('EIGHTH'), advanceTo('2027-04-01T09:00:00Z')]
      return duesIn(shop({ amountRounding }, subscribe(planId), ...off)).at(-1)
    }
    expect([duesOf('odd'), duesOf('even')]).toEqual(dues)
  })

  it.each([
    ['half_away', [-3, 5], '.5, half away from zero: '],
    ['half_even', [-2, 4], '.5, half to even: '],
  ] as const)('amount_rounding %s of a proration is explained', (rule, lines, said) => {
    const halfway = [subscribe('five'), advanceTo('2027-03-16T21:00:00Z'), changePlan('nine')]
    const scenario = shop({ amountRounding: rule }, ...halfway)
    const invoice = invoiceIn(scenario)
    expect(linesOf(CheckedInvoice.parse(invoice))).toEqual(lines)
    for (const { text } of explain(invoice, scenario.settings).lines) expect(text).toContain(said)
    const [credit, line] = invoice.lines
    const wrong = { ...invoice, lines: [credit, { ...line, amount: lines[1] + 2 }] }
    expect(CheckedInvoice.safeParse(wrong).success).toBe(false)
  })

  it.each([
    ['void', 400, 'void'],
    ['uncollectible', 0, 'paid'],
  ] as const)('open_invoices_on_cancellation %s', (openInvoicesOnCancellation, balance, later) => {
    const scenario = shop(
      { openInvoicesOnCancellation },
      customerHas({ balance: 400, balanceGranted: 400 }),
      paymentsAlways('card_declined'),
      subscribe('basic'),
      advanceTo('2027-03-03T09:00:00Z'),
      cancelNow,
    )
    expect(statusIn(scenario)).toBe('canceled')
    expect(invoiceStatusesIn(scenario)).toEqual([openInvoicesOnCancellation])
    expect(adaIn(scenario).balance).toBe(balance)
    expect(CheckedInvoice.safeParse(invoiceIn(scenario)).success).toBe(true)
    const unattempted = when(scenario, advanceTo('2027-06-01T09:00:00Z'), paymentsAlways(null))
    expect(invoiceIn(unattempted).attempts).toHaveLength(2)
    expect(invoiceStatusesIn(pay('inv_000001')(unattempted))).toEqual([later])
  })

  it.each([
    ['each_application', 'coupon_exhausted', 1],
    ['each_subscription', null, 1],
  ] as const)('redemption_count %s', (redemptionCount, code, times) => {
    const scenario = shop({ redemptionCount }, subscribe('basic'), apply('LAST'), apply('LAST'))
    expect(scenario.refusal?.refused ?? null).toBe(code)
    expect(scenario.coupons.find(({ couponId }) => couponId === 'LAST')?.timesRedeemed).toBe(times)
    const other = when({ ...scenario, refusal: null }, subscribe('basic'))
    expect(apply('LAST', 'sub_000002')(other).refusal?.refused).toBe('coupon_exhausted')
  })
})
