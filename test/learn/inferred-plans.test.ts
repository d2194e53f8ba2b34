/** What `learn` infers of plans, and of coupons beside each other, where no fixture is given. */
import { expect, it } from 'vitest'
import { inferFixture } from '../../src/learn/inferred-fixture.ts'
import { exchangesOf } from '../support/exchanges.ts'

/** An answer about a subscription to a plan, with its period. */
function periodOf(plan: string, start: string, end: string) {
  const period = {
    current_period_start: `${start}T00:00:00Z`,
    current_period_end: `${end}T00:00:00Z`,
  }
  return { id: 'sub_7', plan, status: 'active', ...period }
}

it('says nothing of kinds of records that a recording does not name', () => {
  const { exchanges } = exchangesOf(['/sub_7/pause', '', { error: 'not_found' }])
  expect(inferFixture(exchanges).inferred).toEqual([])
})

it('infers the interval of each plan from its own subscriptions, and an amount for that', () => {
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=short', periodOf('short', '2028-01-31', '2028-02-10')],
    ['', 'customer_id=a&plan=long', periodOf('long', '2028-01-31', '2029-01-31')],
  )
  expect(inferFixture(exchanges).fixture.plans).toMatchObject([
    { plan_id: 'short', interval: 'day', interval_count: 10, amount: 329 },
    { plan_id: 'long', interval: 'year', interval_count: 1, amount: 12_000 },
  ])
})

it.each([
  ['plan=pro&trial_period_days=29', {}],
  ['plan=pro', { trial_end: '2028-02-29T00:00:00Z' }],
])('infers no interval of a plan from a trial, which %s or %j shows', (body, shown) => {
  const record = { ...periodOf('pro', '2028-01-31', '2028-02-29'), ...shown }
  const { exchanges } = exchangesOf(['', `customer_id=a&${body}`, record])
  expect(inferFixture(exchanges).inferred).toContain(
    'plan pro is billed by the month: no answer shows its periods',
  )
})

it('takes a change to the plan that a subscription has for no upgrade', () => {
  const record = { id: 'sub_7', plan: 'pro', status: 'active' }
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=pro', record],
    ['/sub_7/update', 'plan=pro', record],
  )
  expect(inferFixture(exchanges).fixture.plans).toMatchObject([{ plan_id: 'pro', amount: 1000 }])
})

it('infers that a coupon is stackable only where it is seen beside another one', () => {
  const discounts = ['ONE', 'TWO', 'ALONE'].map((coupon_id) => ({ coupon_id }))
  const record = { id: 'sub_7', plan: 'pro', status: 'active' }
  const { exchanges } = exchangesOf(
    ['/sub_7/apply-coupon', 'coupon_id=ALONE', { ...record, discounts: discounts.slice(2) }],
    ['/sub_7/apply-coupon', 'coupon_id=ONE', { ...record, discounts: discounts.slice(0, 2) }],
    ['/sub_7/apply-coupon', 'coupon_id=TWO', { ...record, discounts: discounts.slice(0, 2) }],
  )
  expect(inferFixture(exchanges).fixture.coupons).toMatchObject([
    { coupon_id: 'ALONE', stackable: false },
    { coupon_id: 'ONE', stackable: true },
    { coupon_id: 'TWO', stackable: true },
  ])
})
