import { describe, expect, it } from 'vitest'
import {
  customerHas,
  offering,
  paymentsAnswer,
  promoting,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import {
  fixedOff,
  percentage,
  plan,
  promotion,
  repeating,
  trialExtension,
} from '../support/catalog.ts'
import { duesIn, eventsIn, invoicedOn, statusIn, subscriptionIn } from '../support/readings.ts'
import { type Action, advanceTo, find, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const basic = plan('basic', 1000)

function shop(...actions: readonly Action[]): Scenario {
  const coupons = offering(
    percentage('SAVE20', 20, repeating(3)),
    percentage('GONE', 20, { expiresAt: given(NOW).now }),
    fixedOff('EURO', 500, { currency: 'EUR' }),
    trialExtension('MORETIME', 14),
  )
  return given(NOW, selling(basic, plan('euro', 900, { currency: 'EUR' })), coupons, ...actions)
}

describe('a coupon at checkout', () => {
  it('3.7: applies to the invoice at the end of a trial', () => {
    const free = subscribe('basic', { couponId: 'SAVE20', trialPeriodDays: 10 })
    const scenario = when(shop(free), advanceTo('2027-03-11'))
    expect(duesIn(scenario)).toEqual([800])
  })

  it('3.7: comes by a promotion code too, and counts as a redemption of both', () => {
    const scenario = shop(
      promoting(promotion('SPRING', 'SAVE20')),
      subscribe('basic', { promotionCode: 'SPRING' }),
    )
    expect(duesIn(scenario)).toEqual([800])
    expect(find(scenario.promotions, 'code', 'SPRING').timesRedeemed).toBe(1)
    expect(find(scenario.coupons, 'couponId', 'SAVE20').timesRedeemed).toBe(1)
  })

  it('3.7: reports the discount before the invoice that it reduces', () => {
    const scenario = shop(subscribe('basic', { couponId: 'SAVE20' }))
    const first = ['subscription.created', 'discount.applied', 'invoice.created']
    expect(eventsIn(scenario).slice(0, 3)).toEqual(first)
  })

  it('3.8: a trial extension lengthens the trial, and the days given stay on the record', () => {
    const scenario = shop(subscribe('basic', { couponId: 'MORETIME', trialPeriodDays: 7 }))
    expect(subscriptionIn(scenario)).toMatchObject({
      status: 'trialing',
      trialPeriodDays: 7,
      trialEnd: '2027-03-22T00:00:00.000Z',
      currentPeriodEnd: '2027-03-22T00:00:00.000Z',
    })
    expect(invoicedOn(when(scenario, advanceTo('2027-04-22')))).toEqual([
      '2027-03-22',
      '2027-04-22',
    ])
  })

  it('3.8: a trial extension moves the first period although its payment failed', () => {
    const scenario = shop(
      paymentsAnswer(['card_declined']),
      subscribe('basic', { couponId: 'MORETIME' }),
    )
    expect(statusIn(scenario)).toBe('past_due')
    expect(subscriptionIn(scenario).currentPeriodEnd).toBe('2027-04-15T00:00:00.000Z')
  })

  it('3.8: a trial extension moves nothing where the first payment ended the subscription', () => {
    const scenario = shop(
      setting({ retrySchedule: [] }),
      paymentsAnswer(['card_declined']),
      subscribe('basic', { couponId: 'MORETIME' }),
    )
    expect(statusIn(scenario)).toBe('canceled')
    expect(subscriptionIn(scenario).currentPeriodEnd).toBe('2027-04-01T00:00:00.000Z')
    expect(eventsIn(scenario)).not.toContain('trial.extended')
    expect(find(scenario.coupons, 'couponId', 'MORETIME').timesRedeemed).toBe(1)
  })

  it('3.9: checks the currency of the plan before the promotion', () => {
    const scenario = shop(
      promoting(promotion('LATE', 'SAVE20', { expiresAt: given(NOW).now })),
      subscribe('euro', { promotionCode: 'LATE' }),
    )
    expect(scenario.refusal?.refused).toBe('currency_mismatch')
    expect(scenario.refusal?.message).toContain('got "euro"')
  })

  it('3.9: checks the promotion before the coupon that it stands for', () => {
    const used = promotion('FULL', 'EURO', { maxRedemptions: 1, timesRedeemed: 1 })
    const scenario = shop(promoting(used), subscribe('basic', { promotionCode: 'FULL' }))
    expect(scenario.refusal?.refused).toBe('coupon_exhausted')
    expect(scenario.refusal?.message).toContain('promotion_code "FULL"')
  })

  it('3.9: checks the coupon where the promotion is fine', () => {
    const scenario = shop(
      promoting(promotion('OPEN', 'GONE')),
      subscribe('basic', { promotionCode: 'OPEN' }),
    )
    expect(scenario.refusal?.refused).toBe('coupon_expired')
    expect(scenario.refusal?.message).toContain('coupon_id "GONE"')
  })

  it('3.9: a refused coupon creates no subscription, no invoice and no redemption', () => {
    const before = shop(customerHas({ currency: null }))
    const { refusal, ...scenario } = when(before, subscribe('basic', { couponId: 'GONE' }))
    expect(refusal?.refused).toBe('coupon_expired')
    expect({ ...scenario, refusal: null }).toEqual(before)
  })
})
