/** What stands in a recorded pact for the records and tokens of the tests. */
import { expect, it } from 'vitest'
import { startCapture } from '../../src/provider/capture/capture.ts'
import {
  captured,
  create,
  on,
  pactIn,
  sandbox,
  serving,
  subscribed,
} from '../support/captured-calls.ts'

/** A value of the provider, as an expression of a generator has it. */
const ofState = (name: string) => ['$', `{${name}}`].join('')

it('has the token of the provider where it was issued, and an unknown one where it was not', async () => {
  const capture = startCapture('assumed')
  const { call, close } = await serving(capture.note)
  const login = Object(await (await call(sandbox('tokens', {}))).json())
  for (const refresh_token of [login.refresh_token, login.access_token]) {
    const headers = { Authorization: `Bearer ${refresh_token}` }
    await call({ path: '/v1/auth/refresh', json: { refresh_token }, headers })
  }
  await close()
  const [fresh, unknown] = pactIn(capture.interactions()).map(({ written }) => written.request)
  expect(fresh).toMatchObject({
    path: '/v1/auth/refresh',
    body: { content: { refresh_token: 'an-example-refresh-token' } },
    generators: {
      header: { Authorization: { expression: `Bearer ${ofState('refresh_token')}` } },
      body: { '$.refresh_token': { expression: ofState('refresh_token') } },
    },
  })
  expect(unknown).toMatchObject({
    headers: { Authorization: ['Bearer an-unknown-token'] },
    body: { content: { refresh_token: 'an-unknown-token' } },
  })
})

it('has a coupon with the limits that it has not reached', async () => {
  const limits = { max_redemptions: 2, expires_at: '2028-01-01T00:00:00.000Z' }
  const terms = { coupon_id: 'LIMITED', type: 'percentage', value: 20, duration: 'once' }
  const { interactions } = await captured([
    { path: '/sandbox/coupons', json: { ...terms, ...limits } },
    create(),
    { path: on('apply-coupon'), form: { coupon_id: 'LIMITED' } },
  ])
  const [applied] = pactIn(interactions())
  expect(applied?.states.at(-1)).toEqual({
    name: 'a coupon exists',
    params: { ...terms, ...limits },
  })
})

it('has a plan with what is not usual of it, and all coupons of a subscription', async () => {
  const plan = { plan_id: 'quarter', product_id: 'prod_more', amount: 5, currency: 'USD' }
  const terms = { ...plan, interval: 'month', interval_count: 3 }
  const { interactions } = await captured([
    { path: '/sandbox/products', json: { product_id: 'prod_more', name: 'More' } },
    { path: '/sandbox/plans', json: { ...terms, name: 'Quarter' } },
    create({ plan: 'quarter' }),
    ...['LOYAL10', 'EXTRA3'].map((coupon_id) => ({
      path: on('apply-coupon'),
      form: { coupon_id },
    })),
    { path: on('pause') },
  ])
  const paused = pactIn(interactions()).find(({ description }) => description.startsWith('pauses'))
  expect(paused?.states).toContainEqual({ name: 'a plan exists', params: terms })
  const coupon_ids = ['LOYAL10', 'EXTRA3']
  expect(paused?.states).toContainEqual(subscribed({ plan: 'quarter', coupon_ids }))
})
