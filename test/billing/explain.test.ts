import { describe, expect, it } from 'vitest'
import type { Settings } from '../../src/assumptions/register.ts'
import { explain } from '../../src/billing/explain.ts'
import {
  apply,
  changePlan,
  offering,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { fixedOff, percentage, plan, trialExtension } from '../support/catalog.ts'
import { invoiceIn } from '../support/readings.ts'
import { advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const plans = selling(
  plan('odd', 999),
  plan('odder', 2999),
  plan('pro', 2000),
  plan('basic', 1004),
  plan('max', 3000),
  plan('five', 2500),
  plan('even', 1012),
  plan('year', 25_000, { interval: 'year' }),
)
const stackable = { duration: 'forever', stackable: true } as const
const coupons = offering(percentage('EIGHTH', 12.5, stackable), fixedOff('TAKE3', 300, stackable))

/** The newest invoice of a scenario, explained. */
function explained(scenario: Scenario, rounding: Settings['amountRounding'] = 'half_away') {
  return explain(invoiceIn(scenario), { ...scenario.settings, amountRounding: rounding })
}

describe('explaining an invoice', () => {
  it('5.19: shows the seconds, the fraction and the unrounded value of every proration line', () => {
    const scenario = given(NOW, plans, subscribe('odd'), advanceTo('2027-03-10T07:13:37Z'))
    const { lines, sum } = explained(when(scenario, changePlan('odder')))
    expect(lines).toMatchObject([
      {
        kind: 'proration_credit',
        amount: -699,
        basisAmount: 999,
        secondsRemaining: '1874783',
        secondsInPeriod: '2678400',
        fraction: '1874783/2678400',
        unrounded: '-699.263820564',
      },
      { kind: 'proration_charge', amount: 2099, unrounded: '2099.191389262', cut: 0 },
    ])
    expect(sum).toBe('1400 (lines) - 0 (discounts) - 0 (balance) = 1400 due')
  })

  it('5.19: shows milliseconds too', () => {
    const scenario = given(NOW, plans, subscribe('odd'), advanceTo('2027-03-31T23:59:58.999Z'))
    const { lines } = explained(when(scenario, changePlan('odder')))
    expect(lines.at(0)?.secondsRemaining).toBe('1.001')
  })

  it('5.19: shows from what each discount was taken, unrounded, and what was left', () => {
    const scenario = given(NOW, plans, coupons, subscribe('basic'), apply('TAKE3'), apply('EIGHTH'))
    const { lines, discounts } = explained(when(scenario, advanceTo('2027-04-01')))
    expect(lines).toMatchObject([
      { kind: 'period', amount: 1004, fraction: null, unrounded: '1004' },
    ])
    expect(discounts).toMatchObject([
      { couponId: 'EIGHTH', base: 1004, unrounded: '125.5', amount: 126, remaining: 878 },
      { couponId: 'TAKE3', base: 878, unrounded: '300', amount: 300, remaining: 578 },
    ])
  })

  it('5.19: shows what a credit was cut by, and what it would have been', () => {
    const more = [offering(trialExtension('MORETIME', 14)), apply('MORETIME')]
    const start = given(NOW, plans, subscribe('basic'), advanceTo('2027-03-16T12:00:00Z'))
    const scenario = when(start, changePlan('pro'), ...more, changePlan('max'))
    const [credit] = explained(scenario).lines
    expect(credit).toMatchObject({ amount: -1000, cut: 903, unrounded: '-1903.225806451' })
    expect(credit?.text).toContain('half away from zero: -1903.')
    expect(credit?.text).toContain('cut by 903')
  })

  it('5.19: names the rounding in force, also where the other one has the same result', () => {
    const third = offering(percentage('THIRD', 33.5, { duration: 'forever' }))
    const texts = (rounding: Settings['amountRounding']) => {
      const order = { couponId: 'THIRD' }
      const start = given(NOW, setting({ amountRounding: rounding }), plans, third)
      const scenario = when(start, subscribe('five', order))
      const [discount] = explained(scenario, rounding).discounts
      return [discount?.text, explained(scenario, 'half_even').discounts[0]?.text]
    }
    const said = (rule: string) => `THIRD: 33.5 % of 2500 is 837.5, ${rule}: 838 off, 1662 left.`
    expect(texts('half_away')).toEqual([said('half away from zero'), said('half to even')])
    expect(texts('half_even')).toEqual([said('half to even'), said('half to even')])
  })

  it('5.19: names the rounding that led to an amount where the setting was changed since', () => {
    const start = given(NOW, plans, coupons, subscribe('basic', { couponId: 'EIGHTH' }))
    expect(explained(start, 'half_even').discounts[0]?.text).toContain('125.5, half to even: 126')
    const odd = given(NOW, plans, coupons, subscribe('even', { couponId: 'EIGHTH' }))
    expect(explained(odd, 'half_even').discounts[0]?.text).toContain('half away from zero: 127')
  })

  it('5.19: says that a credit was forfeited, and not that its line was smaller', () => {
    const start = given(NOW, setting({ creditToBalance: 'forfeit' }), plans, subscribe('year'))
    const [credit] = explained(when(start, changePlan('five'))).lines
    expect(credit).toMatchObject({ amount: -2500, cut: 22_500 })
    expect(credit?.text).toMatch(
      /cut by 22500: it is as much as is charged beside it, because the rest is forfeited \(credit_to_balance\)\.$/,
    )
  })

  it('5.19: does not say that a credit was forfeited where its smaller line is what is charged beside it', () => {
    const more = [offering(trialExtension('MORETIME', 31)), apply('MORETIME')]
    const dear = selling(plan('week', 1000, { interval: 'week' }))
    const start = given(NOW, plans, dear, subscribe('basic'), advanceTo('2027-03-16T12:00:00Z'))
    const scenario = when(start, changePlan('pro'), ...more, changePlan('week'))
    const [credit] = explained(scenario).lines
    expect(credit).toMatchObject({ amount: -1000, cut: 1000 })
    expect(credit?.text).toMatch(
      /cut by 1000: it is never more than the line that it credits, nor, /,
    )
  })

  it('5.19: derives the basis of a proration from the price and its discounts', () => {
    const order = { couponId: 'EIGHTH' }
    const start = given(
      NOW,
      plans,
      coupons,
      subscribe('basic', order),
      advanceTo('2027-03-16T12:00:00Z'),
    )
    const [credit, charge] = explained(when(start, changePlan('odder'))).lines
    expect(credit).toMatchObject({
      price: 1004,
      discounts: [
        { couponId: 'EIGHTH', base: 1004, unrounded: '125.5', amount: 126, remaining: 878 },
      ],
      basisAmount: 878,
      amount: -439,
    })
    expect(credit?.text).toContain('whole period: 1004 less 126 (EIGHTH), which is 878. 878 x ')
    expect(charge).toMatchObject({
      price: 2999,
      discounts: [{ couponId: 'EIGHTH', unrounded: '374.875', amount: 375 }],
      basisAmount: 2624,
    })
  })

  it('5.19: derives the basis of a later upgrade from that of the one before', () => {
    const start = given(NOW, plans, subscribe('odd'), advanceTo('2027-03-16'), changePlan('pro'))
    const [credit] = explained(when(start, changePlan('odder'))).lines
    expect(credit).toMatchObject({ price: 2000, discounts: [], basisAmount: 2000 })
  })

  it('5.19: says why nothing is credited for a period that was never paid', () => {
    const keep = setting({ afterRetries: 'keep_past_due', retrySchedule: [] })
    const owing = given(NOW, plans, keep, paymentsAnswer(['card_declined']), subscribe('odd'))
    const [credit] = explained(when(owing, changePlan('odder'))).lines
    expect(credit).toMatchObject({ price: 999, basisAmount: 0, amount: 0 })
    expect(credit?.text).toContain('was not paid, so there is nothing to credit')
  })
})
