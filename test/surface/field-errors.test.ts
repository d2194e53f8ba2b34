import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Fixture } from '../../src/sandbox/fixture-format.ts'
import { acceptsOf, validate } from '../../src/surface/field-errors.ts'
import { CustomerCreate } from '../../src/wire/billing/catalog.ts'
import { PaymentOutcomesCreate } from '../../src/wire/billing/charge.ts'
import { ClockAdvance } from '../../src/wire/billing/clock.ts'
import { CouponCreate, CouponPatch } from '../../src/wire/billing/coupon.ts'
import { CheckoutCreate, SubscriptionCreate } from '../../src/wire/billing/subscription.ts'
import { SandboxCreate } from '../../src/wire/sandbox/sandbox.ts'
import { SettingsPatch } from '../../src/wire/sandbox/settings.ts'
import { TokenRevoke } from '../../src/wire/sandbox/token.ts'

type Case = [what: string, schema: z.ZodType, value: unknown, message: string | RegExp]

const trialDays = 'trial_period_days must be an integer from 0 to 730; got "x".'
const missing = 'customer_id is missing; it must be the identifier of a customer.'
const percent = 'value must be a number above 0, at most 100, with at most 4 decimals; got'
const couponFields =
  'fields: coupon_id, type, value, duration, max_redemptions, expires_at, applies_to_plans, applies_to_products, stackable.'
const percentage = { coupon_id: 'A', type: 'percentage', value: 20 }

describe('every message names the field, the rule and the value', () => {
  it.each<Case>([
    ['a missing field', SubscriptionCreate, { plan: 'basic' }, missing],
    [
      'an unknown field',
      SubscriptionCreate,
      { customer_id: 'a', plan: 'b', coupon: 'c' },
      'coupon is not a known field; fields: customer_id, plan, trial_period_days.',
    ],
    [
      'null, which is not absent',
      SubscriptionCreate,
      { customer_id: 'a', plan: null },
      'plan must be the identifier of a plan; got null.',
    ],
    [
      'two problems, in the order of the fields',
      SubscriptionCreate,
      { trial_period_days: 'x', plan: 1 },
      `${missing} plan must be the identifier of a plan; got 1; write "1", which is a text. ${trialDays}`,
    ],
    [
      'null in place of nothing',
      SubscriptionCreate,
      { customer_id: 'a', plan: 'b', trial_period_days: null },
      'trial_period_days must be an integer from 0 to 730; got null; leave it out.',
    ],
    [
      'an integer in quotes',
      SubscriptionCreate,
      { customer_id: 'a', plan: 'b', trial_period_days: '14' },
      'trial_period_days must be an integer from 0 to 730; got "14"; write 14 without quotes.',
    ],
    [
      'an unknown coupon type',
      CouponCreate,
      { ...percentage, type: 'gift' },
      'type must be one of percentage, fixed, trial_extension; got "gift".',
    ],
    ['a percentage above 100', CouponCreate, { ...percentage, value: 101 }, `${percent} 101.`],
    ['a percentage of nothing', CouponCreate, { ...percentage, value: 0 }, `${percent} 0.`],
    [
      'a currency of a percentage',
      CouponCreate,
      { ...percentage, currency: 'USD' },
      'currency can be given only where type is "fixed".',
    ],
    [
      'a text in place of a record',
      Fixture,
      { customers: ['ann'] },
      'customers[0] must be an object with customer_id, name, email, currency, payment_method, balance; got "ann".',
    ],
    [
      'a text in place of an object of several kinds',
      Fixture,
      { history: [{ subscribe: 'ann' }] },
      'history[0].subscribe must be an object with customer_id, plan, trial_period_days, coupon_id, promotion_code; got "ann".',
    ],
    [
      'a number in place of a state',
      Fixture,
      { state: 5 },
      /^state must be an object with format, .*, events; got 5\.$/,
    ],
    [
      'half a cent',
      CouponCreate,
      { ...percentage, type: 'fixed', value: 1.5, currency: 'USD' },
      /^value must be an integer/,
    ],
    [
      'a duration of free days',
      CouponCreate,
      { coupon_id: 'A', type: 'trial_extension', value: 14, duration: 'once' },
      'duration can be given only where type is "percentage" or "fixed".',
    ],
    ['five decimals', CouponCreate, { ...percentage, value: 12.34567 }, `${percent} 12.34567.`],
    [
      'a fixed coupon without a currency',
      CouponCreate,
      { coupon_id: 'A', type: 'fixed', value: 500 },
      'currency is missing; it must be the ISO 4217 code of a currency in use, such as USD.',
    ],
    [
      'months without repeating',
      CouponCreate,
      { ...percentage, duration: 'once', duration_in_months: 3 },
      'duration_in_months can be given only where duration is "repeating".',
    ],
    [
      'repeating without months',
      CouponCreate,
      { ...percentage, duration: 'repeating' },
      'duration_in_months is missing; it must be an integer from 1 to 1200.',
    ],
    [
      'an element of a list',
      CouponPatch,
      { applies_to_plans: ['basic', 7] },
      'applies_to_plans[1] must be an identifier of 1 to 255 characters; got 7; write "7", which is a text.',
    ],
    [
      'a coupon and a promotion at once',
      CheckoutCreate,
      { customer_id: 'a', plan: 'b', coupon_id: 'c', promotion_code: 'd' },
      'promotion_code cannot be combined with coupon_id.',
    ],
    [
      'a promotion that is none',
      CheckoutCreate,
      { customer_id: 'a', plan: 'b', promotion_code: null },
      'promotion_code must be the code of a promotion; got null.',
    ],
    [
      'none of several alternatives',
      ClockAdvance,
      {},
      'The body must be an object with exactly one of by, to, to_next, or until, perhaps with within; got {}.',
    ],
    [
      'two alternatives at once',
      ClockAdvance,
      { by: 'P1D', to: '2027-02-01T00:00:00Z' },
      'to cannot be combined with by.',
    ],
    [
      'two alternatives and a field of none',
      ClockAdvance,
      { by: 'P1D', to: '2027-02-01T00:00:00Z', days: 1 },
      'to cannot be combined with by. days is not a known field; the body must be an object with exactly one of by, to, to_next, or until, perhaps with within.',
    ],
    [
      'two scopes of payment outcomes',
      PaymentOutcomesCreate,
      { always: 'succeed', subscription_id: 'sub_1', customer_id: 'cus_ada' },
      'customer_id cannot be combined with subscription_id.',
    ],
    [
      'a script and a standing rule',
      PaymentOutcomesCreate,
      { always: 'succeed', outcomes: ['succeed'] },
      'always cannot be combined with outcomes.',
    ],
    [
      'months of free days',
      CouponCreate,
      { coupon_id: 'A', type: 'trial_extension', value: 14, duration_in_months: 3 },
      'duration_in_months can be given only where type is "percentage" or "fixed".',
    ],
    [
      'an unknown field of a coupon',
      CouponCreate,
      { ...percentage, colour: 'red' },
      `colour is not a known field; ${couponFields}`,
    ],
    [
      'an instant without an offset',
      ClockAdvance,
      { to: '2027-02-01T00:00:00' },
      'to must be an RFC 3339 instant from 1970 to 9999 with at most milliseconds, such as 2027-01-31T10:00:00Z, or a date such as 2027-01-31; got "2027-02-01T00:00:00"; the nearest is "2027-02-01T00:00:00Z".',
    ],
    [
      'half of an alternative',
      ClockAdvance,
      { within: 'P1D' },
      'until is missing; it must be an object with subscription_id and status.',
    ],
    [
      'the one alternative that was meant',
      ClockAdvance,
      { by: '14 days' },
      'by must be an ISO 8601 duration such as P14D, P2W, P1M or PT12H; got "14 days"; the nearest is "P14D".',
    ],
    [
      'a field within a field',
      ClockAdvance,
      { until: { subscription_id: 'sub_000001' }, within: 'P1D' },
      /^until\.status is missing; /,
    ],
    [
      'a status as the interface writes it',
      ClockAdvance,
      { until: { subscription_id: 'sub_000001', status: 'Past Due' } },
      /; got "Past Due"; the nearest is "past_due"\.$/,
    ],
    [
      'an outcome that does not exist',
      PaymentOutcomesCreate,
      { outcomes: ['succeed', 'declined'] },
      /^outcomes\[1\] must be one of succeed, card_declined, .*; got "declined"; the nearest is "card_declined"\.$/,
    ],
    [
      'a word that decides which fields there are',
      CouponCreate,
      { type: 'precentage' },
      'type must be one of percentage, fixed, trial_extension; got "precentage"; the nearest is "percentage".',
    ],
    [
      'a setting out of its options',
      SettingsPatch,
      { retry_schedule: ['P3D', 'P1D'] },
      'retry_schedule must be ISO 8601 durations of days, hours, minutes and seconds, without years, months and weeks, positive, at most 3650 days, strictly ascending; [] for no retry; got ["P3D","P1D"].',
    ],
    [
      'an identifier that begins with a hyphen',
      CustomerCreate,
      { customer_id: '-ada' },
      'customer_id must be 1 to 64 of A-Z, a-z, 0-9, _, ., : and -, beginning with a letter or digit; got "-ada".',
    ],
    [
      'a mistyped field of one of several alternatives',
      PaymentOutcomesCreate,
      { outcomes: ['succeed'], customer: 'cus_ada' },
      /^customer is not a known field; did you mean customer_id\? Fields: .*\bcustomer_id\b/,
    ],
    [
      'a mistyped name of an alternative',
      SandboxCreate,
      { form: { sandbox: 'default' } },
      /^form is not a known field; fields: .*\bfrom\b/,
    ],
  ])('%s', (...[, schema, value, message]) => {
    expect(() => validate(schema, value)).toThrow(message)
  })
})

it('cuts a long value short', () => {
  const value = { customer_id: 'a', plan: 'b', trial_period_days: 'x'.repeat(5000) }
  expect(() => validate(SubscriptionCreate, value)).toThrow(/; got "x{99}\.\.\.\.$/)
})

it('never prints a secret, whatever is wrong around it', () => {
  for (const body of [
    { refresh_token: 7_777_777 },
    { refresh_token: 'x7777777', family_id: 'fam_000001' },
    { refresh_token: '7777777'.repeat(1000) },
  ]) {
    expect(() => validate(TokenRevoke, body)).toThrow(/^(?!.*7777777)/)
  }
})

it('refuses __proto__ and constructor as any unknown field, and pollutes nothing', () => {
  const value = JSON.parse('{"customer_id":"a","plan":"b","__proto__":{"x":1},"constructor":1}')
  expect(() => validate(SubscriptionCreate, value)).toThrow(
    /^__proto__ is not a known field.*constructor is not a known field/,
  )
  expect(({} as Record<string, unknown>)['x']).toBeUndefined()
})

it('says the names of all fields once, however many fields are unknown', () => {
  const value = { max_redemption: 1, colour: 1, expires_att: null }
  expect(() => validate(CouponPatch, value)).toThrow(
    /^max_redemption is not a known field; did you mean max_redemptions\? Fields: [\w, ]+\. colour is not a known field\. expires_att is not a known field; did you mean expires_at\?$/,
  )
})

it.each([
  [25, / 5 more problems are not listed\.$/],
  [21, / 1 more problem is not listed\.$/],
])('lists at most twenty of %i problems, and says how many more there are', (length, said) => {
  const value = Object.fromEntries(Array.from({ length }, (_, at) => [`f${at}`, 1]))
  expect(() => validate(CouponPatch, value)).toThrow(said)
})

it.each<[z.ZodType, string]>([
  [z.int().min(1).max(9), 'an integer from 1 to 9'],
  [z.number(), 'a number'],
  [z.enum(['a', 'b']), '"a" or "b"'],
  [z.enum(['a', 'b', 'c']), 'one of a, b, c'],
  [z.literal(5), '5'],
  [z.string().regex(/^x+$/), 'a string like ^x+$'],
  [z.array(z.string()).optional(), 'a list'],
  [z.boolean().default(true), 'true or false'],
])('draws what is accepted from the schema where it does not say so itself', (schema, words) => {
  expect(acceptsOf(schema)).toBe(words)
})
