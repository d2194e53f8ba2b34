import { describe, expect, it } from 'vitest'
import { Charge } from '../../src/billing/charge.ts'
import type { Coupon } from '../../src/billing/coupon.ts'
import {
  charge,
  customerHas,
  offering,
  paymentsAlways,
  paymentsAnswer,
  selling,
  subscribe,
} from '../support/actions.ts'
import { fixedOff, percentage, plan, repeating, trialExtension } from '../support/catalog.ts'
import { adaIn, eventsIn, recordsIn } from '../support/readings.ts'
import { type Action, FIRST, find, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'

function charged(amount: number, coupon: Coupon, ...actions: readonly Action[]): Scenario {
  const { couponId } = coupon
  return given(NOW, offering(coupon), ...actions, charge(amount, { couponId }))
}

describe('a one-time charge', () => {
  it('7.21: takes one amount from the card, and reports it', () => {
    const scenario = given(NOW, charge(1500))
    expect(scenario.charges).toMatchObject([
      {
        chargeId: 'ch_000001',
        customerId: 'cus_ada',
        amount: 1500,
        currency: 'USD',
        couponId: null,
        discountTotal: 0,
        amountDue: 1500,
        status: 'succeeded',
        failureReason: null,
        createdAt: scenario.now,
      },
    ])
    expect(eventsIn(scenario)).toEqual(['charge.succeeded'])
    expect(scenario.invoices).toEqual([])
  })

  it('7.23: that fails is an answer and not an error', () => {
    const scenario = given(NOW, paymentsAnswer(['insufficient_funds']), charge(1500))
    expect(scenario.refusal).toBeNull()
    expect(scenario.charges).toMatchObject([
      { status: 'failed', failureReason: 'insufficient_funds', amountDue: 1500 },
    ])
    expect(eventsIn(scenario)).toEqual(['charge.failed'])
  })

  it('7.21: does not use the balance', () => {
    const scenario = given(NOW, customerHas({ balance: 1000 }), charge(1500))
    expect(scenario.charges).toMatchObject([{ amountDue: 1500 }])
    expect(adaIn(scenario).balance).toBe(1000)
  })

  it('7.22: in another currency than the customer’s is refused', () => {
    const before = given(NOW, charge(1500))
    const scenario = when(before, charge(1500, { currency: 'EUR' }))
    expect(scenario.refusal?.refused).toBe('currency_mismatch')
    expect(recordsIn(scenario)).toEqual(recordsIn(before))
  })

  it('3.2: gives a customer without a currency that of its first charge', () => {
    const scenario = given(NOW, customerHas({ currency: null }), charge(1500, { currency: 'JPY' }))
    expect(adaIn(scenario).currency).toBe('JPY')
    expect(when(scenario, charge(100)).refusal?.refused).toBe('currency_mismatch')
  })

  it('3.2: gives a customer the currency although the payment failed', () => {
    const poor = customerHas({ currency: null, paymentMethod: 'none' })
    expect(adaIn(given(NOW, poor, charge(1500, { currency: 'JPY' }))).currency).toBe('JPY')
  })

  it('7.23: takes the outcomes scripted for the customer, then those of the sandbox', () => {
    const scenario = given(
      NOW,
      paymentsAnswer(['card_declined'], { customerId: 'cus_ada' }),
      paymentsAnswer(['expired_card']),
      charge(1),
      charge(2),
      charge(3),
    )
    const reasons = scenario.charges.map((each) => each.failureReason)
    expect(reasons).toEqual(['card_declined', 'expired_card', null])
  })

  it('7.23: takes no outcome scripted for a subscription', () => {
    const declined = paymentsAlways('card_declined', { subscriptionId: FIRST })
    const scenario = given(
      NOW,
      selling(plan('basic', 1000)),
      subscribe('basic'),
      declined,
      charge(1500),
    )
    expect(scenario.charges).toMatchObject([{ status: 'succeeded' }])
  })
})

describe('a coupon on a one-time charge', () => {
  it.each<[string, Coupon, number]>([
    ['a percentage', percentage('X', 12.5), 126],
    ['a fixed amount', fixedOff('X', 300), 300],
    ['at most the whole amount', fixedOff('X', 5000), 1004],
    ['once where it repeats for months', percentage('X', 10, repeating(3)), 100],
    ['once where it holds forever', percentage('X', 10, { duration: 'forever' }), 100],
  ])('7.21: takes off %s', (_, coupon, off) => {
    const scenario = charged(1004, coupon)
    expect(scenario.charges).toMatchObject([
      { couponId: 'X', amount: 1004, discountTotal: off, amountDue: 1004 - off },
    ])
    expect(find(scenario.coupons, 'couponId', 'X').timesRedeemed).toBe(1)
  })

  it('7.23: that leaves nothing due succeeds without an attempt and consumes no outcome', () => {
    const scenario = charged(1000, percentage('ALL', 100), paymentsAnswer(['card_declined']))
    expect(scenario.charges).toMatchObject([{ status: 'succeeded', amountDue: 0 }])
    expect(scenario.scripts.at(0)?.outcomes).toEqual(['card_declined'])
  })

  it('7.23: counts as redeemed although the payment fails', () => {
    const scenario = charged(1000, percentage('HALF', 50), paymentsAnswer(['card_declined']))
    expect(scenario.charges).toMatchObject([{ status: 'failed', amountDue: 500 }])
    expect(find(scenario.coupons, 'couponId', 'HALF').timesRedeemed).toBe(1)
  })

  it.each<[string, Coupon]>([
    ['currency_mismatch', fixedOff('X', 500, { currency: 'EUR' })],
    ['coupon_expired', percentage('X', 10, { expiresAt: given(NOW).now })],
    ['coupon_exhausted', percentage('X', 10, { maxRedemptions: 1, timesRedeemed: 1 })],
    ['coupon_not_applicable', percentage('X', 10, { appliesToPlans: ['basic'] })],
    ['coupon_not_applicable', percentage('X', 10, { appliesToProducts: ['prod_app'] })],
    ['coupon_not_applicable', trialExtension('X', 14)],
  ])('7.22: is refused with %s, and nothing is charged (%#)', (code, coupon) => {
    const scenario = charged(1000, coupon)
    expect(scenario.refusal?.refused).toBe(code)
    expect(scenario.charges).toEqual([])
    expect(scenario.facts).toEqual([])
    expect(scenario.coupons).toEqual([coupon])
  })

  it('7.22: is not asked about where the currency of the charge is refused already', () => {
    const coupon = percentage('GONE', 10, { expiresAt: given(NOW).now })
    const asked = charge(1000, { couponId: 'GONE', currency: 'EUR' })
    expect(given(NOW, offering(coupon), asked).refusal?.refused).toBe('currency_mismatch')
  })

  it.each<[string, Partial<Charge>, boolean]>([
    ['as it was made', {}, true],
    ['free', { amount: 0, amountDue: 0 }, true],
    ['reduced by a coupon', { couponId: 'X', discountTotal: 100, amountDue: 1400 }, true],
    ['with another sum', { amountDue: 1400 }, false],
    ['reduced without a coupon', { discountTotal: 100, amountDue: 1400 }, false],
    ['failed without a reason', { status: 'failed' }, false],
    ['succeeded with a reason', { failureReason: 'card_declined' }, false],
    [
      'failed where nothing is due',
      { amount: 0, amountDue: 0, status: 'failed', failureReason: 'card_declined' },
      false,
    ],
  ])('is stored %s: %o, %s', (_, changed, isValid) => {
    const [made] = given(NOW, charge(1500)).charges
    expect(Charge.safeParse({ ...made, ...changed }).success).toBe(isValid)
  })
})
