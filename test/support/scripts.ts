/** Random stories: what a customer, an operator and the clock may do to one subscription, in any order. */
import fc from 'fast-check'
import type { Coupon } from '../../src/billing/coupon.ts'
import { ScriptedOutcome } from '../../src/billing/payment.ts'
import { fixedOff, percentage, plan, repeating, trialExtension, yearly } from './catalog.ts'
import {
  apply,
  cancelAtPeriodEnd,
  cancelNow,
  changePlan,
  offering,
  pause,
  pay,
  paymentsAnswer,
  resume,
  selling,
  setting,
  subscribe,
} from './deeds.ts'
import { advanceTo, type Deed, given, type Story } from './story.ts'

const NOW = '2027-01-31T10:00:00Z'
const ever = { duration: 'forever', stackable: true } as const

const plans = [
  plan('free', 0),
  plan('odd', 999),
  plan('same', 999),
  plan('pro', 2999),
  plan('weekly', 333, { interval: 'week' }),
  plan('quarter', 2500, { intervalCount: 3 }),
  yearly('year', 25_000),
]
const coupons: Coupon[] = [
  percentage('SAVE', 12.5, repeating(2)),
  percentage('LOYAL', 33.3333, ever),
  fixedOff('EXTRA', 301, ever),
  fixedOff('TAKE', 5000),
  percentage('LIMITED', 20, { ...ever, appliesToPlans: ['odd', 'year'], maxRedemptions: 2 }),
  trialExtension('MORETIME', 14),
]
const unlimitedIds = ['SAVE', 'LOYAL', 'EXTRA', 'TAKE', 'MORETIME']

/** A shop with plans and coupons of every kind, before anybody came. */
export const shop: Story = given(NOW, selling(...plans), offering(...coupons))

const planId = fc.constantFrom(...plans.map((each) => each.planId))
const couponId = fc.constantFrom(...coupons.map((each) => each.couponId))
const outcome = fc.constantFrom(...ScriptedOutcome.options, 'succeed' as const)

const wait = fc
  .oneof(
    fc.integer({ min: 0, max: 86_400_000 }),
    fc.integer({ min: 0, max: 40 }).map((days) => days * 86_400_000),
    fc.integer({ min: 0, max: 7_776_000_000 }),
  )
  .map((millis) => named(`wait ${millis} ms`, waiting(millis)))

const settings = fc
  .record({
    retrySchedule: fc.constantFrom<string[]>([], ['P1D'], ['P1D', 'P3D', 'P40D'], ['P90D']),
    afterRetries: fc.constantFrom('cancel', 'keep_past_due', 'expire'),
    stackingOrder: fc.constantFrom('percentage_first', 'fixed_first', 'application'),
    couponMonthsStart: fc.constantFrom('first_billing', 'application'),
    couponMonthsDuringPause: fc.constantFrom('runs', 'stops'),
  })
  .map((chosen) => named(`setting ${JSON.stringify(chosen)}`, setting(chosen)))

/** One deed of a script. */
export const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 30, arbitrary: wait },
  { weight: 30, arbitrary: planId.map((id) => named(`change plan to ${id}`, changePlan(id))) },
  { weight: 16, arbitrary: couponId.map((id) => named(`apply ${id}`, apply(id))) },
  {
    weight: 16,
    arbitrary: fc
      .array(outcome, { minLength: 1, maxLength: 8 })
      .map((list) => named(`payments answer ${list}`, paymentsAnswer(list))),
  },
  { weight: 6, arbitrary: fc.constant(named('pause', pause)) },
  { weight: 8, arbitrary: fc.constant(named('resume', resume)) },
  { weight: 1, arbitrary: fc.constant(named('cancel now', cancelNow)) },
  { weight: 1, arbitrary: fc.constant(named('cancel at period end', cancelAtPeriodEnd)) },
  { weight: 8, arbitrary: settings },
  {
    weight: 8,
    arbitrary: fc
      .integer({ min: 1, max: 9 })
      .map((number) => named(`pay inv_00000${number}`, pay(`inv_00000${number}`))),
  },
)

/** How the subscription begins: on any plan, with a trial or without, with a coupon or without. */
export const beginning: fc.Arbitrary<Deed> = fc
  .record(
    { trialPeriodDays: fc.constantFrom(null, 0, 14), couponId: fc.constantFrom(...unlimitedIds) },
    { requiredKeys: [] },
  )
  .chain((terms) =>
    planId.map((id) => named(`subscribe to ${id} ${JSON.stringify(terms)}`, subscribe(id, terms))),
  )

/** What may happen to it. */
export const script = fc.array(deed, { minLength: 5, maxLength: 25, size: 'max' })

/** Moves the clock by so many milliseconds. */
export function waiting(millis: number): Deed {
  return (story) => advanceTo(new Date(Date.parse(story.now) + millis).toISOString())(story)
}

/** A deed that a failing property prints in words. */
function named(text: string, doing: Deed): Deed {
  const copy: Deed = (story) => doing(story)
  return Object.assign(copy, { [fc.toStringMethod]: () => text })
}
