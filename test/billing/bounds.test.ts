import { expect, it } from 'vitest'
import { initialSettings } from '../../src/assumptions/register.ts'
import { BALANCE_MAX, Customer } from '../../src/billing/customer.ts'
import { afterPause, createDiscount, windowOf } from '../../src/billing/discount.ts'
import { COUNT_MAX } from '../../src/billing/money.ts'
import { WireCustomer } from '../../src/wire/billing/catalog.ts'
import { changeCustomer } from '../../src/world/commands/catalog.ts'
import { putRecord } from '../../src/world/world.ts'
import {
  apply,
  changePlan,
  customerHas,
  knowing,
  offering,
  pause,
  resume,
  selling,
  subscribe,
} from '../support/actions.ts'
import { instant, percentage, plan, repeating, yearly } from '../support/catalog.ts'
import { adaIn } from '../support/readings.ts'
import { advanceTo, given, when } from '../support/scenario.ts'
import { openShop } from '../support/shop.ts'

const NOW = '2027-03-01T00:00:00Z'
const LAST = '9999-12-31T23:59:59.999Z'

it.each([
  [BALANCE_MAX - 10_000, null, BALANCE_MAX],
  [BALANCE_MAX - 9_999, 'invalid_transition', BALANCE_MAX - 9_999],
])(
  'a plan change that credits 10,000 to a balance of %i is refused as %s, and leaves %i',
  (balance, refused, left) => {
    const yearlong = given(
      NOW,
      selling(yearly('year', 12_000), plan('pro', 2000)),
      knowing(),
      subscribe('year'),
      customerHas({ balance }),
    )
    const scenario = when(yearlong, changePlan('pro'))
    expect(scenario.refusal?.refused ?? null).toBe(refused)
    expect(adaIn(scenario).balance).toBe(left)
  },
)

it.each([Customer, WireCustomer])(
  'a balance may be above the largest amount, and its bound',
  (schema) => {
    expect(schema.shape.balance.safeParse(3 * BALANCE_MAX).success).toBe(true)
  },
)

it('a balance that is set by hand again and again is refused before the sum is no exact number', () => {
  const world = openShop()
  const [ada] = world.customers.values()
  const most = { balance: 0, balanceGranted: Number.MAX_SAFE_INTEGER - 10 }
  putRecord(world, 'customers', { ...(ada as Customer), ...most })
  const balanceOf = (balance: number) => changeCustomer(world, ada?.customerId ?? '', { balance })
  expect(balanceOf(11)).toMatchObject({ refused: 'invalid_request' })
  expect(balanceOf(10)).toMatchObject({ value: { balance: 10 } })
})

it('a coupon without a limit is exhausted where no number counts further', () => {
  const often = { ...percentage('WELCOME', 50), timesRedeemed: COUNT_MAX }
  const scenario = given(NOW, selling(plan('basic', 1000)), offering(often), subscribe('basic'))
  const refused = when(scenario, apply('WELCOME'))
  expect(refused.refusal?.refused).toBe('coupon_exhausted')
  expect(refused.coupons).toEqual(scenario.coupons)
})

it('months that run past the last instant end there, whether a trial or a pause moves them', () => {
  const coupon = percentage('LONG', 50, repeating(1200))
  const trialEnd = instant('9950-01-01T00:00:00Z')
  const at = { now: instant('8999-01-01T00:00:00Z'), trialEnd, isPaused: false }
  const discount = createDiscount(coupon, at, initialSettings)
  expect(discount).toMatchObject({ startsAt: trialEnd, endsAt: LAST })
  const settings = { ...initialSettings, couponMonthsDuringPause: 'stops' } as const
  const pause = { start: instant(NOW), end: instant('8999-06-01T00:00:00Z') }
  expect(windowOf(afterPause(discount, pause, settings)).endsAt).toBe(LAST)
})

it('a resume is refused where the rest of the period would end past the year 9999', () => {
  const centuries = selling(plan('basic', 1000, { interval: 'year', intervalCount: 366 }))
  const paused = given(NOW, centuries, subscribe('basic'), pause, advanceTo('9950-01-01'))
  const { refusal } = when(paused, resume)
  expect(refusal).toMatchObject({
    refused: 'invalid_transition',
    message:
      'Resume is refused: the rest of the period of subscription_id "sub_000001" must end by the year 9999; it has 133679 days.',
  })
})
