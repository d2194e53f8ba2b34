import { describe, expect, it } from 'vitest'
import type { Coupon, Promotion } from '../../src/billing/coupon.ts'
import { apply, cancelNow, offering, promoting, selling, subscribe } from '../support/actions.ts'
import { fixedOff, percentage, plan, promotion, trialExtension } from '../support/catalog.ts'
import { couponsOn, duesIn, recordsIn, subscriptionIn } from '../support/readings.ts'
import { type Action, advanceTo, find, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const now = given(NOW).now
const later = given('2027-03-01T00:00:00.001Z').now
const plans = selling(plan('basic', 1000), plan('pro', 2000, { productId: 'prod_pro' }))

function subscribed(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, subscribe('basic'), ...actions)
}

function applying(coupon: Coupon, ...actions: readonly Action[]): Scenario {
  return subscribed(offering(coupon), ...actions, apply(coupon.couponId))
}

const isEuro = { currency: 'EUR' } as const
const isExpired = { expiresAt: now }
const isUsedUp = { maxRedemptions: 1, timesRedeemed: 1 }
const isForPro = { appliesToPlans: ['pro'] }

describe('the checks of a coupon', () => {
  it.each<[string, Coupon, readonly Action[]]>([
    [
      'coupon_not_applicable before all else once the subscription has ended',
      fixedOff('X', 500, { ...isEuro, ...isExpired, ...isUsedUp, ...isForPro }),
      [cancelNow],
    ],
    [
      'currency_mismatch before coupon_expired',
      fixedOff('X', 500, { ...isEuro, ...isExpired, ...isUsedUp, ...isForPro }),
      [],
    ],
    [
      'coupon_expired before coupon_exhausted',
      fixedOff('X', 500, { ...isExpired, ...isUsedUp, ...isForPro }),
      [],
    ],
    [
      'coupon_exhausted before coupon_not_applicable',
      fixedOff('X', 500, { ...isUsedUp, ...isForPro }),
      [],
    ],
    ['coupon_not_applicable for a plan outside the limits', fixedOff('X', 500, isForPro), []],
    [
      'coupon_not_applicable for a product outside the limits',
      percentage('X', 10, { appliesToProducts: ['prod_pro'] }),
      [],
    ],
    [
      'coupon_not_applicable where the plan is inside and the product outside the limits',
      percentage('X', 10, { appliesToPlans: ['basic'], appliesToProducts: ['prod_pro'] }),
      [],
    ],
  ])('7.5: refuses with %s', (name, coupon, actions) => {
    const [code] = name.split(' ')
    const before = subscribed(offering(coupon), ...actions)
    const scenario = when(before, apply('X'))
    expect(scenario.refusal?.refused).toBe(code)
    expect(recordsIn(scenario)).toEqual(recordsIn(before))
  })

  it('7.5: has expired at the instant of its expiry', () => {
    expect(applying(percentage('X', 10, { expiresAt: now })).refusal?.refused).toBe(
      'coupon_expired',
    )
    expect(applying(percentage('X', 10, { expiresAt: later })).refusal).toBeNull()
  })

  it('7.3: within its limits to a plan or product it applies', () => {
    expect(applying(percentage('X', 10, { appliesToPlans: ['pro', 'basic'] })).refusal).toBeNull()
    expect(applying(percentage('X', 10, { appliesToProducts: ['prod_app'] })).refusal).toBeNull()
  })

  it('9.1: the refusal names the coupon and the rule', () => {
    const { refusal } = applying(percentage('PROONLY', 30, isForPro))
    expect(refusal?.message).toContain('"PROONLY"')
    expect(refusal?.message).toContain('pro')
    expect(refusal?.message).toContain('"basic"')
  })
})

describe('redemptions', () => {
  const LAST1 = percentage('LAST1', 10, { maxRedemptions: 1 })

  it('7.7: are never given back, not when replaced and not when the subscription ends', () => {
    const replaced = applying(LAST1, offering(percentage('OTHER', 20)))
    const scenario = when(replaced, apply('OTHER'), cancelNow)
    expect(find(scenario.coupons, 'couponId', 'LAST1').timesRedeemed).toBe(1)
  })

  it('7.12: applying a coupon that is there already counts again', () => {
    const scenario = applying(percentage('SAVE20', 20), apply('SAVE20'))
    expect(find(scenario.coupons, 'couponId', 'SAVE20').timesRedeemed).toBe(2)
    expect(when(applying(LAST1), apply('LAST1')).refusal).toMatchObject({
      refused: 'coupon_exhausted',
      message: 'coupon_id "LAST1" was redeemed as often as its max_redemptions allows: 1.',
    })
  })

  it('7.8: expiry and limits stop new redemptions, not running discounts', () => {
    const brief = percentage('BRIEF', 20, {
      duration: 'forever',
      expiresAt: later,
      maxRedemptions: 1,
    })
    const scenario = when(applying(brief), advanceTo('2027-05-01'))
    expect(duesIn(scenario)).toEqual([1000, 800, 800])
  })
})

describe('a promotion', () => {
  const SAVE20 = percentage('SAVE20', 20)

  function redeeming(terms: Partial<Promotion>, coupon: Coupon = SAVE20): Scenario {
    const code = promoting(promotion('SPRING', coupon.couponId, terms))
    return given(
      NOW,
      plans,
      offering(coupon),
      code,
      subscribe('basic', { promotionCode: 'SPRING' }),
    )
  }

  it.each<[string, Partial<Promotion>, string | undefined]>([
    ['is open at the instant of its start', { startsAt: now }, undefined],
    ['is not applicable before its start', { startsAt: later }, 'coupon_not_applicable'],
    ['has expired at the instant of its expiry', { expiresAt: now }, 'coupon_expired'],
    ['is open a millisecond before its expiry', { expiresAt: later }, undefined],
    [
      'is exhausted after its own limit',
      { maxRedemptions: 2, timesRedeemed: 2 },
      'coupon_exhausted',
    ],
    ['is open below its own limit', { maxRedemptions: 2, timesRedeemed: 1 }, undefined],
    [
      'is expired before it is exhausted',
      { expiresAt: now, maxRedemptions: 1, timesRedeemed: 1 },
      'coupon_expired',
    ],
    [
      'is exhausted before it is too early',
      { startsAt: later, maxRedemptions: 1, timesRedeemed: 1 },
      'coupon_exhausted',
    ],
  ])('7.5: %s', (_, terms, code) => {
    expect(redeeming(terms).refusal?.refused).toBe(code)
  })

  it('7.4: has a window and a limit of its own, beside those of its coupon', () => {
    const usedUp = { ...SAVE20, ...isUsedUp }
    expect(redeeming({}, usedUp).refusal?.message).toContain('coupon_id "SAVE20"')
  })

  it('7.3: the limits of its coupon to plans hold', () => {
    const { refusal } = redeeming({}, percentage('PROONLY', 30, isForPro))
    expect(refusal?.refused).toBe('coupon_not_applicable')
  })
})

describe('a trial extension', () => {
  const MORETIME = trialExtension('MORETIME', 14)

  function trialing(...actions: readonly Action[]): Scenario {
    const coupons = offering(MORETIME, percentage('SAVE20', 20, { duration: 'forever' }))
    return given(NOW, plans, coupons, subscribe('basic', { trialPeriodDays: 7 }), ...actions)
  }

  it('7.20: moves the trial end by its days, each 24 hours', () => {
    const scenario = trialing(apply('MORETIME'))
    expect(subscriptionIn(scenario)).toMatchObject({
      status: 'trialing',
      trialPeriodDays: 7,
      trialEnd: '2027-03-22T00:00:00.000Z',
      currentPeriodEnd: '2027-03-22T00:00:00.000Z',
    })
    expect(duesIn(when(scenario, advanceTo('2027-03-21')))).toEqual([])
    expect(duesIn(when(scenario, advanceTo('2027-04-22')))).toEqual([1000, 1000])
  })

  it('7.20: replaces no discount and leaves none', () => {
    const scenario = trialing(apply('SAVE20'), apply('MORETIME'))
    expect(couponsOn(scenario)).toEqual(['SAVE20'])
    expect(duesIn(when(scenario, advanceTo('2027-03-22')))).toEqual([800])
  })

  it.each([
    ['coupon_expired', isExpired],
    ['coupon_exhausted', isUsedUp],
    ['coupon_not_applicable', isForPro],
  ])('7.20: is refused with %s as any coupon is', (code, terms) => {
    const { refusal } = applying(trialExtension('X', 14, terms))
    expect(refusal?.refused).toBe(code)
  })

  it('7.20: counts as a redemption, each time', () => {
    const scenario = trialing(apply('MORETIME'), apply('MORETIME'))
    expect(find(scenario.coupons, 'couponId', 'MORETIME').timesRedeemed).toBe(2)
    expect(subscriptionIn(scenario).trialEnd).toBe('2027-04-05T00:00:00.000Z')
  })

  it('7.20: that would move the end past the year 9999 is not applicable', () => {
    const longest = offering(trialExtension('LONGEST', 730))
    const centuries = selling(plan('basic', 1000, { interval: 'year', intervalCount: 366 }))
    const late = given('8999-01-01', centuries, longest, subscribe('basic'))
    const scenario = when(late, ...Array<Action>(320).fill(apply('LONGEST')))
    expect(scenario.refusal?.message).toContain('past the year 9999')
    expect(scenario.refusal?.refused).toBe('coupon_not_applicable')
  })
})
