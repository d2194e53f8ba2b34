import { describe, expect, it } from 'vitest'
import type { WireError } from '../../../src/wire/common/errors.ts'
import { refresh } from '../../support/client.ts'
import { inSandbox, openShop } from '../../support/control.ts'
import { ask, setUp, subscription, tearDown, tryUp } from '../../support/provider-states.ts'

const id = { subscription_id: 'sub_abc' }

describe('a coupon', () => {
  it('exists with just the terms that are given', async () => {
    const shop = await openShop()
    const coupon = (name: string) => shop.get(`/sandbox/coupons/${name}`)
    await setUp(shop, 'a coupon exists', { coupon_id: 'TAKE5' })
    expect((await coupon('TAKE5')).body).toMatchObject({ type: 'fixed', value: 500 })
    await setUp(shop, 'a coupon exists', { coupon_id: 'TAKE5', value: 50 })
    expect((await coupon('TAKE5')).body).toMatchObject({ type: 'percentage', value: 50 })
    await setUp(shop, 'a coupon exists', { coupon_id: 'A', type: 'fixed' })
    expect((await coupon('A')).body).toMatchObject({ value: 500, currency: 'USD' })
    await setUp(shop, 'a coupon exists', { coupon_id: 'B', duration_in_months: 6 })
    expect((await coupon('B')).body).toMatchObject({ duration: 'repeating' })
    await setUp(shop, 'a coupon exists', { coupon_id: 'C', type: 'trial_extension', value: 7 })
    expect((await coupon('C')).body).toMatchObject({ duration: null })
    await setUp(shop, 'a coupon exists', { coupon_id: 'D', applies_to_plans: ['gold'] })
    expect((await shop.get('/sandbox/plans/gold')).status).toBe(200)
  })

  it.each([
    ['a coupon is expired', 'coupon_expired', ['EXPIRED', 'SAVE20', 'NEW']],
    ['a coupon is exhausted', 'coupon_exhausted', ['LAST1', 'SAVE20', 'TAKE5', 'MORETIME', 'NEW']],
    ['a coupon is not applicable', 'coupon_not_applicable', ['PROONLY', 'SAVE20', 'NEW']],
  ])('of which it is said that %s is refused with %s', async (state, code, coupons) => {
    const shop = await openShop()
    for (const coupon_id of coupons) {
      await setUp(shop, 'a subscription exists', id)
      expect(await setUp(shop, state, { coupon_id })).toMatchObject({ coupon_id })
      const { status, body } = await ask<WireError>(shop, '/sub_abc/apply-coupon', { coupon_id })
      expect({ coupon_id, status, code: body.error }).toEqual({ coupon_id, status: 409, code })
      await tearDown(shop)
    }
  })

  it('is not applicable to the plan, or to that of the subscription, which is made for it', async () => {
    const shop = await openShop()
    const params = { ...id, plan: 'pro', coupon_id: 'PROONLY' }
    expect(await setUp(shop, 'a coupon is not applicable', params)).toMatchObject(params)
    const refused = await ask<WireError>(shop, '/sub_abc/apply-coupon', { coupon_id: 'PROONLY' })
    expect(refused).toMatchObject({ status: 409, body: { error: 'coupon_not_applicable' } })
  })

  it('is not applicable to the plan of the subscription that was named, and to no other', async () => {
    const shop = await openShop()
    for (const params of [{}, id]) {
      await setUp(shop, 'a subscription exists', { ...id, plan: 'pro' })
      await setUp(shop, 'a coupon is not applicable', { coupon_id: 'PROONLY', ...params })
      const refused = await ask<WireError>(shop, '/sub_abc/apply-coupon', { coupon_id: 'PROONLY' })
      expect(refused).toMatchObject({ status: 409, body: { error: 'coupon_not_applicable' } })
      await tearDown(shop)
    }
    await setUp(shop, 'a subscription exists', { ...id, plan: 'pro' })
    await setUp(shop, 'a coupon is not applicable', { ...id, plan: 'basic', coupon_id: 'PROONLY' })
    expect((await ask(shop, '/sub_abc/apply-coupon', { coupon_id: 'PROONLY' })).status).toBe(200)
  })

  it('that is not applicable keeps its limits, and needs no subscription', async () => {
    const shop = await openShop()
    const limits = { coupon_id: 'TEAM', applies_to_plans: ['team'] }
    await setUp(shop, 'a coupon exists', limits)
    const values = await setUp(shop, 'a coupon is not applicable', { coupon_id: 'TEAM' })
    expect(values).not.toHaveProperty('subscription_id')
    expect((await shop.get('/sandbox/coupons/TEAM')).body).toMatchObject(limits)
  })

  it('that is used up leaves the payments that another state scripted', async () => {
    const shop = await openShop()
    await setUp(shop, 'the next payment fails')
    await setUp(shop, 'a coupon is exhausted')
    await setUp(shop, 'a coupon exists', { coupon_id: 'EURO', type: 'fixed', currency: 'EUR' })
    await setUp(shop, 'a coupon is exhausted', { coupon_id: 'EURO' })
    const { body } = await shop.get<{ data: object[] }>('/sandbox/payment-outcomes')
    expect(body.data).toMatchObject([{ outcomes: ['card_declined'] }])
  })

  it('is used up where it is for a product that no plan has', async () => {
    const shop = await openShop()
    const euros = { type: 'fixed', currency: 'EUR', applies_to_products: ['prod_new'] }
    await setUp(shop, 'a coupon exists', { coupon_id: 'NEWS', ...euros })
    const used = await setUp(shop, 'a coupon is exhausted', { coupon_id: 'NEWS' })
    expect(used).toMatchObject({ coupon_id: 'NEWS' })
  })

  it('that expired or is used up leaves the discounts that it left before', async () => {
    const shop = await openShop()
    for (const state of ['a coupon is expired', 'a coupon is exhausted']) {
      await setUp(shop, 'a subscription exists', { ...id, coupon_id: 'SAVE20' })
      await setUp(shop, state, { coupon_id: 'SAVE20' })
      expect(await subscription(shop, 'sub_abc')).toMatchObject({
        discounts: [{ coupon_id: 'SAVE20' }],
      })
      await tearDown(shop)
    }
  })
})

describe('a refresh token', () => {
  const chosen = 'tok~of-the/contract+2027=='

  it('that is fresh is exchanged, under the text that the contract chose', async () => {
    const shop = await openShop()
    const params = { refresh_token: chosen, subject: 'ada' }
    const values = await setUp(shop, 'a refresh token is fresh', params)
    expect(values).toMatchObject({ refresh_token: chosen })
    const headers = { Authorization: `Bearer ${values.access_token}` }
    const json = { customer_id: 'cus_ada', plan: 'basic' }
    expect((await shop.call('POST', '/v1/subscriptions', { headers, json })).status).toBe(200)
    expect((await refresh(shop, chosen)).status).toBe(200)
    expect((await refresh(shop, chosen)).status).toBe(403)
    expect(await shop.state()).not.toContain(chosen)
  })

  it.each([
    'a refresh token is expired',
    'a refresh token is revoked',
    'a refresh token is already used',
  ])('is refused as an invalid grant: %s', async (state) => {
    const shop = await openShop()
    const { now, ...values } = await setUp(shop, state, { refresh_token: chosen })
    expect(now).toBe('2027-01-01T00:00:00.000Z')
    expect(values).not.toHaveProperty('access_token')
    const refused = await refresh(shop, chosen)
    expect(refused).toMatchObject({ status: 403, body: { error: 'invalid_grant' } })
    await tearDown(shop)
    const { refresh_token: made = '' } = await setUp(shop, state)
    expect(made).toMatch(/^rt_default_/)
    expect((await refresh(shop, made)).status).toBe(403)
  })

  it('stays what it is when more states follow', async () => {
    const shop = await openShop()
    await setUp(shop, 'a refresh token is expired', { refresh_token: chosen })
    const { refresh_token = '', access_token } = await setUp(shop, 'a refresh token is fresh')
    await setUp(shop, 'a subscription exists', id)
    const headers = { Authorization: `Bearer ${access_token}` }
    const path = '/v1/subscriptions/sub_abc/cancel'
    expect((await shop.call('POST', path, { headers })).status).toBe(200)
    expect((await refresh(shop, refresh_token)).status).toBe(200)
    expect((await refresh(shop, chosen)).status).toBe(403)
  })

  it('has one text once, and is not used where that changes nothing', async () => {
    const shop = await openShop()
    await setUp(shop, 'a refresh token is fresh', { refresh_token: chosen })
    const again = await tryUp(shop, 'a refresh token is revoked', { refresh_token: chosen })
    expect(again).toMatchObject({ status: 409, body: { code: 'exists' } })
    for (const settings of [{ refreshRotation: 'keep' }, { refreshReuseLeeway: 60 }] as const) {
      const used = await tryUp(await openShop({ settings }), 'a refresh token is already used')
      expect(used).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
    }
  })

  it('is found in another sandbox when a header names that, else looked for in the default one', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/mine', { json: {} })
    const mine = inSandbox(shop, 'mine')
    await setUp(mine, 'a refresh token is fresh', { refresh_token: chosen })
    expect((await refresh(shop, chosen)).status).toBe(401)
    expect((await refresh(inSandbox(shop, 'nowhere'), chosen)).status).toBe(401)
    expect((await refresh(mine, chosen)).status).toBe(200)
  })
})
