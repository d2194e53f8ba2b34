/** What tests sell and take off: plans, coupons, promotions and customers, each with only its point spelled out. */
import type { Plan } from '../../src/billing/catalog.ts'
import { Coupon, LastingCoupon, type Promotion } from '../../src/billing/coupon.ts'
import type { Customer } from '../../src/billing/customer.ts'
import { Instant } from '../../src/time/instant.ts'

/** An instant from a shorter text: `2027-03-01` or `2027-03-01T10:00:00Z` will do. */
export function instant(text: string): Instant {
  return Instant.parse(new Date(text).toISOString())
}

/** A plan by the month, unless told otherwise, in USD. */
export function plan(planId: string, amount: number, terms: Partial<Plan> = {}): Plan {
  const identity = { planId, productId: 'prod_app', name: planId }
  const price = { amount, currency: 'USD', interval: 'month', intervalCount: 1 } as const
  return { ...identity, ...price, ...terms }
}

/** A plan by the year in USD. */
export function yearly(planId: string, amount: number): Plan {
  return plan(planId, amount, { interval: 'year' })
}

/** A customer who pays in USD, with nothing on the balance. */
export function customer(customerId: string, terms: Partial<Customer> = {}): Customer {
  const identity = { customerId, name: null, email: null, currency: 'USD' }
  return { ...identity, paymentMethod: 'valid', balance: 0, balanceGranted: 0, ...terms }
}

/** What a coupon may say beside its type and its value. */
type CouponTerms = Partial<Omit<Coupon, 'couponId' | 'type' | 'value'>>

/** A coupon that takes a percentage off, once unless told otherwise. */
export function percentage(
  couponId: string,
  value: number,
  terms: CouponTerms = {},
): LastingCoupon {
  return LastingCoupon.parse({ ...plain, couponId, type: 'percentage', value, ...terms })
}

/** A coupon that takes a fixed amount of USD cents off, once unless told otherwise. */
export function fixedOff(couponId: string, value: number, terms: CouponTerms = {}): LastingCoupon {
  return LastingCoupon.parse({
    ...plain,
    type: 'fixed',
    currency: 'USD',
    couponId,
    value,
    ...terms,
  })
}

/** A coupon that gives free days. */
export function trialExtension(couponId: string, days: number, terms: CouponTerms = {}): Coupon {
  const type = { type: 'trial_extension', duration: null, value: days }
  return Coupon.parse({ ...plain, ...type, couponId, ...terms })
}

/** Terms of a coupon that repeats for some months. */
export function repeating(months: number) {
  return { duration: 'repeating', durationInMonths: months } as const
}

/** A code that stands for a coupon, without a window or limit unless told otherwise. */
export function promotion(
  code: string,
  couponId: string,
  terms: Partial<Promotion> = {},
): Promotion {
  const open = { startsAt: null, expiresAt: null, maxRedemptions: null, timesRedeemed: 0 }
  return { code, couponId, ...open, ...terms }
}

const plain = {
  currency: null,
  duration: 'once',
  durationInMonths: null,
  maxRedemptions: null,
  expiresAt: null,
  appliesToPlans: null,
  appliesToProducts: null,
  stackable: false,
  timesRedeemed: 0,
} as const
