/** Provider states in words alone, as a contract of version 2 has to name them: with identifiers among the words. */
import { expect, it } from 'vitest'
import { providerStates } from '../../../src/provider/states/catalogue.ts'
import { openShop } from '../../support/control.ts'
import { ask, setUp, subscription, tryUp } from '../../support/provider-states.ts'

it.each([
  ['the subscription sub_mine exists', { status: 'active', plan: 'basic' }],
  ['the subscription sub_mine exists on the plan pro', { status: 'active', plan: 'pro' }],
  [
    'the subscription sub_mine exists with the coupon SAVE20',
    { status: 'active', discounts: [{ coupon_id: 'SAVE20' }] },
  ],
  ['the subscription sub_mine is past_due', { status: 'past_due' }],
  [
    'the subscription sub_mine is in a trial of 7 days',
    { status: 'trialing', trial_period_days: 7, trial_end: '2027-01-08T00:00:00.000Z' },
  ],
  [
    'the trial of the subscription sub_mine ends in 2 days',
    { status: 'trialing', trial_end: '2027-01-03T00:00:00.000Z' },
  ],
  ['the period of the subscription sub_mine ends now', { status: 'active' }],
])('%s', async (words, values) => {
  const shop = await openShop()
  expect(await setUp(shop, words)).toMatchObject({ subscription_id: 'sub_mine' })
  expect(await subscription(shop, 'sub_mine')).toMatchObject(values)
})

it.each([
  ['the coupon SPRING exists', 200],
  ['the coupon SPRING is expired', 409],
  ['the coupon SPRING is exhausted', 409],
  ['the coupon SPRING is not applicable to the subscription sub_mine', 409],
])('%s, and so applying it is answered with %d', async (words, status) => {
  const shop = await openShop()
  await setUp(shop, 'the subscription sub_mine exists')
  expect(await setUp(shop, words)).toMatchObject({ coupon_id: 'SPRING' })
  const answer = await ask(shop, '/sub_mine/apply-coupon', { coupon_id: 'SPRING' })
  expect(answer.status, answer.text).toBe(status)
})

it.each([
  ['the refresh token rt_mine is fresh', 200],
  ['the refresh token rt_mine is expired', 403],
  ['the refresh token rt_mine is revoked', 403],
  ['the refresh token rt_mine is already used', 403],
])('%s, and so exchanging it is answered with %d', async (words, status) => {
  const shop = await openShop()
  expect(await setUp(shop, words)).toMatchObject({ refresh_token: 'rt_mine' })
  const answer = await shop.call('POST', '/v1/auth/refresh', {
    headers: { Authorization: 'Bearer rt_mine' },
    json: { refresh_token: 'rt_mine' },
  })
  expect(answer.status, answer.text).toBe(status)
})

it('the customer cus_emmy exists, and the plan team', async () => {
  const shop = await openShop()
  expect(await setUp(shop, 'the customer cus_emmy exists')).toMatchObject({
    customer_id: 'cus_emmy',
  })
  expect(await setUp(shop, 'the plan team exists')).toMatchObject({ plan: 'team' })
  const order = { customer_id: 'cus_emmy', plan: 'team' }
  expect(await ask(shop, '', order)).toMatchObject({ status: 200, body: order })
})

it('the next payment of a subscription fails, which is named among the words', async () => {
  const shop = await openShop()
  await setUp(shop, 'the subscription sub_mine exists')
  await setUp(shop, 'the next payment of the subscription sub_mine fails')
  await shop.post('/sandbox/clock/advance', { by: 'P1M' })
  expect(await subscription(shop, 'sub_mine')).toMatchObject({ status: 'past_due' })
})

it('a value that cannot be is refused by the name of its param', async () => {
  const shop = await openShop()
  expect(await tryUp(shop, 'the subscription sub_mine is asleep')).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'params.status' }] },
  })
})

it('every param that names a record can be said in words', () => {
  const silent = [...providerStates.values()].filter(({ params, wordings }) =>
    Object.keys(params.shape)
      .filter((name) => /^(?:coupon_id|refresh_token|subscription_id)$/.test(name))
      .some((name) => !Object.keys(wordings).some((text) => text.includes(`{${name}}`))),
  )
  expect(silent.map(({ name }) => name)).toEqual([])
})
