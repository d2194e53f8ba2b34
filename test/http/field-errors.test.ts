import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { acceptsOf, checked } from '../../src/http/request/field-errors.ts'
import { CustomerCreate } from '../../src/wire/catalog.ts'
import { PaymentOutcomesCreate } from '../../src/wire/charge.ts'
import { ClockAdvance } from '../../src/wire/clock.ts'
import { CouponCreate, CouponPatch } from '../../src/wire/coupon.ts'
import { SettingsPatch } from '../../src/wire/settings.ts'
import { CheckoutCreate, SubscriptionCreate } from '../../src/wire/subscription.ts'
import { TokenRevoke } from '../../src/wire/token.ts'

interface Case {
  readonly what: string
  readonly schema: z.ZodType
  readonly value: unknown
  readonly message: string | RegExp
}

const percentage = { coupon_id: 'A', type: 'percentage', value: 20 }

describe('every message names the field, the rule and the value', () => {
  it.each<Case>([
    {
      what: 'a missing field',
      schema: SubscriptionCreate,
      value: { plan: 'basic' },
      message: 'customer_id is missing; it must be the identifier of a customer.',
    },
    {
      what: 'an unknown field',
      schema: SubscriptionCreate,
      value: { customer_id: 'a', plan: 'b', coupon: 'c' },
      message: 'coupon is not a known field; fields: customer_id, plan, trial_period_days.',
    },
    {
      what: 'null, which is not absent',
      schema: SubscriptionCreate,
      value: { customer_id: 'a', plan: null },
      message: 'plan must be the identifier of a plan; got null.',
    },
    {
      what: 'two problems, in the order of the fields',
      schema: SubscriptionCreate,
      value: { trial_period_days: 'x', plan: 1 },
      message:
        'customer_id is missing; it must be the identifier of a customer. plan must be the identifier of a plan; got 1. trial_period_days must be an integer from 0 to 730; got "x".',
    },
    {
      what: 'an unknown coupon type',
      schema: CouponCreate,
      value: { ...percentage, type: 'gift' },
      message: 'type must be one of percentage, fixed, trial_extension; got "gift".',
    },
    {
      what: 'a percentage above 100',
      schema: CouponCreate,
      value: { ...percentage, value: 101 },
      message: 'value must be a number above 0, at most 100, with at most 4 decimals; got 101.',
    },
    {
      what: 'five decimals',
      schema: CouponCreate,
      value: { ...percentage, value: 12.34567 },
      message:
        'value must be a number above 0, at most 100, with at most 4 decimals; got 12.34567.',
    },
    {
      what: 'a fixed coupon without a currency',
      schema: CouponCreate,
      value: { coupon_id: 'A', type: 'fixed', value: 500 },
      message: 'currency is missing; it must be a currency of three letters such as USD.',
    },
    {
      what: 'months without repeating',
      schema: CouponCreate,
      value: { ...percentage, duration: 'once', duration_in_months: 3 },
      message:
        'duration_in_months is not a known field; fields: coupon_id, type, value, duration, max_redemptions, expires_at, applies_to_plans, applies_to_products, stackable.',
    },
    {
      what: 'repeating without months',
      schema: CouponCreate,
      value: { ...percentage, duration: 'repeating' },
      message: 'duration_in_months is missing; it must be an integer from 1 to 1200.',
    },
    {
      what: 'an element of a list',
      schema: CouponPatch,
      value: { applies_to_plans: ['basic', 7] },
      message: 'applies_to_plans[1] must be an identifier of 1 to 255 characters; got 7.',
    },
    {
      what: 'a coupon and a promotion at once',
      schema: CheckoutCreate,
      value: { customer_id: 'a', plan: 'b', coupon_id: 'c', promotion_code: 'd' },
      message:
        'promotion_code is not a known field; fields: customer_id, plan, trial_period_days, coupon_id.',
    },
    {
      what: 'none of several alternatives',
      schema: ClockAdvance,
      value: {},
      message:
        'The body must be an object with exactly one of by, to, to_next, or until with within; got {}.',
    },
    {
      what: 'two alternatives at once',
      schema: ClockAdvance,
      value: { by: 'P1D', to: '2027-02-01T00:00:00Z' },
      message:
        'to is not a known field; the body must be an object with exactly one of by, to, to_next, or until with within.',
    },
    {
      what: 'half of an alternative',
      schema: ClockAdvance,
      value: { until: { subscription_id: 'sub_000001', status: 'active' } },
      message: 'within is missing; it must be an ISO 8601 duration such as P14D, P1M or PT12H.',
    },
    {
      what: 'the one alternative that was meant',
      schema: ClockAdvance,
      value: { by: '14 days' },
      message: 'by must be an ISO 8601 duration such as P14D, P1M or PT12H; got "14 days".',
    },
    {
      what: 'a field within a field',
      schema: ClockAdvance,
      value: { until: { subscription_id: 'sub_000001' }, within: 'P1D' },
      message: /^until\.status is missing; /,
    },
    {
      what: 'an outcome that does not exist',
      schema: PaymentOutcomesCreate,
      value: { outcomes: ['succeed', 'declined'] },
      message: /^outcomes\[1\] must be one of succeed, card_declined, .*; got "declined"\.$/,
    },
    {
      what: 'a setting out of its options',
      schema: SettingsPatch,
      value: { retry_schedule: ['P3D', 'P1D'] },
      message:
        'retry_schedule must be ISO 8601 durations of days, hours, minutes and seconds, positive, strictly ascending; [] for no retry; got ["P3D","P1D"].',
    },
    {
      what: 'an identifier that begins with a hyphen',
      schema: CustomerCreate,
      value: { customer_id: '-ada' },
      message:
        'customer_id must be 1 to 64 of A-Z, a-z, 0-9, _, ., : and -, beginning with a letter or digit; got "-ada".',
    },
  ])('$what', ({ schema, value, message }) => {
    expect(() => checked(schema, value)).toThrow(message)
  })
})

it('cuts a long value short', () => {
  const value = { customer_id: 'a', plan: 'b', trial_period_days: 'x'.repeat(5000) }
  expect(() => checked(SubscriptionCreate, value)).toThrow(/; got "x{99}\.\.\.\.$/)
})

it('never prints a secret, whatever is wrong around it', () => {
  for (const body of [
    { refresh_token: 7_777_777 },
    { refresh_token: 'x7777777', family_id: 'fam_000001' },
    { refresh_token: '7777777'.repeat(1000) },
  ]) {
    expect(() => checked(TokenRevoke, body)).toThrow(/^(?!.*7777777)/)
  }
})

it('refuses __proto__ and constructor as any unknown field, and pollutes nothing', () => {
  const value = JSON.parse('{"customer_id":"a","plan":"b","__proto__":{"x":1},"constructor":1}')
  expect(() => checked(SubscriptionCreate, value)).toThrow(
    /^__proto__ is not a known field.*constructor is not a known field/,
  )
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

it('lists at most twenty problems, and says how many more there are', () => {
  const value = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`f${at}`, 1]))
  expect(() => checked(CouponPatch, value)).toThrow(/ 5 more problems are not listed\.$/)
})

it.each<[z.ZodType, string]>([
  [z.int().min(1).max(9), 'an integer from 1 to 9'],
  [z.number(), 'a number'],
  [z.enum(['a', 'b']), '"a" or "b"'],
  [z.literal(5), '5'],
  [z.string().regex(/^x+$/), 'a string like ^x+$'],
  [z.array(z.string()).optional(), 'a list'],
  [z.boolean().default(true), 'true or false'],
])('draws what is accepted from the schema where it does not say so itself', (schema, words) => {
  expect(acceptsOf(schema)).toBe(words)
})
