import { afterAll, expect, it } from 'vitest'
import { formClient } from '../../../../contracts/examples/typescript/form-client.ts'
import { anInstant, discountOf, inTrial, refusal, theSubscription } from '../../support/answers.ts'
import { consumerOf } from '../../support/consumer.ts'
import { onIt } from '../../support/requests.ts'
import {
  API_KEY,
  coupon,
  couponIs,
  couponNotFor,
  SUBSCRIPTION,
  subscription,
  trialing,
  twentyPercent,
} from '../../support/states.ts'

const consumer = await consumerOf('assuming-coupon-client', 'assumed')
afterAll(consumer.close)

const client = (baseUrl: string) => formClient({ baseUrl, apiKey: API_KEY })
const applied = (couponId: string) => onIt('apply-coupon', { coupon_id: couponId })

const repeating = discountOf('PERCENT', { ...twentyPercent, ends_at: anInstant })
const fixed = { type: 'fixed', value: 500, duration: 'once' }
const lasting = { type: 'percentage', value: 10, duration: 'forever' }
const stackable = { ...lasting, stackable: true }
const discounted = subscription({ coupon_id: 'FIRST' })

it.each([
  ['a repeating discount', [subscription(), coupon('PERCENT')], 'PERCENT', [repeating]],
  [
    'a fixed discount that lasts once',
    [subscription(), coupon('FIXED', { ...fixed, currency: 'USD' })],
    'FIXED',
    [discountOf('FIXED', fixed)],
  ],
  [
    'a discount that lasts for ever',
    [subscription(), coupon('LASTING', lasting)],
    'LASTING',
    [discountOf('LASTING', lasting)],
  ],
  [
    'the new discount in place of the old one',
    [coupon('FIRST', lasting), discounted, coupon('LASTING', lasting)],
    'LASTING',
    [discountOf('LASTING', lasting)],
  ],
  [
    'both discounts where both coupons stack',
    [coupon('FIRST', stackable), discounted, coupon('SECOND', stackable)],
    'SECOND',
    [discountOf('FIRST', lasting), discountOf('SECOND', lasting)],
  ],
  [
    'one discount where only the new coupon stacks',
    [coupon('FIRST', lasting), discounted, coupon('SECOND', stackable)],
    'SECOND',
    [discountOf('SECOND', lasting)],
  ],
])('reads %s', (...row) => {
  const [which, given, couponId, discounts] = row
  return consumer.plays(
    `a form that applies a coupon and reads ${which}`,
    { given, request: applied(couponId), answer: theSubscription({ discounts }) },
    async (url) => {
      const { discounts: read } = await client(url).applyCoupon(SUBSCRIPTION, couponId)
      expect(read).toHaveLength(discounts.length)
    },
  )
})

it('reads no discount of a coupon that extends the trial', () =>
  consumer.plays(
    'a form that applies a coupon which extends the trial',
    {
      given: [trialing(), coupon('LONGER', { type: 'trial_extension', value: 14 })],
      request: applied('LONGER'),
      answer: theSubscription(inTrial),
    },
    async (url) => {
      const extended = await client(url).applyCoupon(SUBSCRIPTION, 'LONGER')
      expect(extended).toMatchObject({ status: 'trialing', discounts: [] })
    },
  ))

const refused = [coupon('REFUSED'), subscription()]

it.each([
  ['has expired', [...refused, couponIs('expired', 'REFUSED')], 'REFUSED', 409, 'coupon_expired'],
  [
    'is used up',
    [...refused, couponIs('exhausted', 'REFUSED')],
    'REFUSED',
    409,
    'coupon_exhausted',
  ],
  [
    'is for another plan',
    [...refused, couponNotFor('basic', 'REFUSED')],
    'REFUSED',
    409,
    'coupon_not_applicable',
  ],
  [
    'is in another currency',
    [subscription(), coupon('EUROS', { ...fixed, currency: 'EUR' })],
    'EUROS',
    409,
    'currency_mismatch',
  ],
  ['does not exist', [subscription()], 'NOWHERE', 404, 'not_found'],
  [
    'comes after the end of the subscription',
    [coupon('LATE'), subscription({ status: 'canceled' })],
    'LATE',
    409,
    'coupon_not_applicable',
  ],
])('learns that a coupon %s', (...row) => {
  const [which, given, couponId, status, code] = row
  return consumer.plays(
    `a form that applies a coupon which ${which}`,
    { given, request: applied(couponId), answer: refusal(status, code) },
    async (url) => {
      const call = client(url).applyCoupon(SUBSCRIPTION, couponId)
      await expect(call).rejects.toMatchObject({ status, code })
    },
  )
})

it('publishes what the tests above wrote', () => consumer.expectPublished())
