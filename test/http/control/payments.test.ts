import { describe, expect, it } from 'vitest'
import type { WireCharge } from '../../../src/wire/billing/charge.ts'
import { openShop } from '../../support/control.ts'

const path = '/sandbox/payment-outcomes'
const charge = { customer_id: 'cus_ada', amount: 1004, currency: 'USD' }

describe('payment outcomes', () => {
  it('are appended for a scope, used up in order, and seen until then', async () => {
    const shop = await openShop()
    const scope = { customer_id: 'cus_ada' }
    await shop.post(path, { ...scope, outcomes: ['card_declined'] })
    const both = await shop.post(path, { ...scope, outcomes: ['succeed'] })
    const script = { scope, outcomes: ['card_declined', 'succeed'], always: null }
    expect(both).toMatchObject({ status: 200, body: script })
    const seen = { data: [script], has_more: false, next_after: null }
    expect((await shop.get(path)).body).toEqual(seen)
    await shop.post('/sandbox/charges', charge)
    expect((await shop.get(path)).body).toMatchObject({ data: [{ outcomes: ['succeed'] }] })
    await shop.post('/sandbox/charges', charge)
    expect((await shop.get(path)).body).toMatchObject({ data: [] })
  })

  it('are at most 1000 for each scope', async () => {
    const shop = await openShop()
    const script = (count: number) => shop.post(path, { outcomes: Array(count).fill('succeed') })
    expect((await script(600)).status).toBe(200)
    expect(await script(401)).toMatchObject({
      status: 409,
      body: {
        detail: 'outcomes must be at most 1000 for each scope, with those that wait; got 1001.',
      },
    })
    expect((await script(400)).status).toBe(200)
  })

  it('hold for good where a rule says so, until it is replaced or cleared', async () => {
    const shop = await openShop()
    await shop.post(path, { always: 'card_declined' })
    const rule = await shop.post(path, { always: 'expired_card' })
    expect(rule.body).toEqual({ scope: {}, outcomes: [], always: 'expired_card' })
    const failed = { status: 'failed', failure_reason: 'expired_card' }
    expect((await shop.post('/sandbox/charges', charge)).body).toMatchObject(failed)
    expect(await shop.call('DELETE', path)).toMatchObject({ status: 204, text: '' })
    expect((await shop.get(path)).body).toMatchObject({ data: [] })
    expect((await shop.post('/sandbox/charges', charge)).body).toMatchObject({
      status: 'succeeded',
    })
  })

  it('are removed from one scope alone', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    const scopes = [{ subscription_id: 'sub_000001' }, { customer_id: 'cus_ada' }, {}]
    for (const scope of scopes) {
      await shop.post(path, { ...scope, outcomes: ['card_declined'] })
      await shop.post(path, { ...scope, always: 'expired_card' })
    }
    for (const [removed, scope] of scopes.entries()) {
      const gone = await shop.post(`${path}/remove`, scope)
      expect(gone).toMatchObject({ status: 204, text: '' })
      const left = scopes.slice(removed + 1).map((each) => ({ scope: each }))
      expect((await shop.get(path)).body).toMatchObject({ data: left })
    }
    const made = await shop.post('/sandbox/charges', charge)
    expect(made.body).toMatchObject({ status: 'succeeded' })
  })

  it.each([
    [{}, 404, 'No outcome is scripted for all payments of the sandbox.'],
    [{ customer_id: 'cus_ada' }, 404, 'No outcome is scripted for payments of "cus_ada".'],
    [{ customer_id: 'nobody' }, 404, 'customer_id "nobody" does not exist'],
    [{ subscription_id: 'sub_000001' }, 404, 'subscription_id "sub_000001" does not exist'],
    [{ customer_id: 'cus_ada', subscription_id: 'sub_000001' }, 400, 'cannot be combined with'],
    [{ always: 'succeed' }, 400, 'always is not a known field'],
  ])('cannot be removed of %j: %i, %s', async (scope, status, message) => {
    const shop = await openShop()
    await shop.post(path, { customer_id: 'cus_linus', always: 'succeed' })
    const before = await shop.state()
    expect(await shop.post(`${path}/remove`, scope)).toMatchObject({
      status,
      body: { detail: expect.stringContaining(message) },
    })
    expect(await shop.state()).toBe(before)
  })

  it.each([
    [{}, 400],
    [{ outcomes: [] }, 400],
    [{ outcomes: ['explode'] }, 400],
    [{ outcomes: 'succeed' }, 400],
    [{ outcomes: ['succeed'], always: 'succeed' }, 400],
    [{ always: 'succeed', customer_id: 'cus_ada', subscription_id: 'sub_000001' }, 400],
    [{ always: null }, 400],
    [{ always: 'succeed', customer_id: 'nobody' }, 404],
    [{ always: 'succeed', subscription_id: 'sub_000001' }, 404],
  ])('%j is refused with %i', async (order, status) => {
    const shop = await openShop()
    const before = await shop.state()
    expect((await shop.post(path, order)).status).toBe(status)
    expect(await shop.state()).toBe(before)
  })
})

describe('one-time charges', () => {
  it('take a coupon off, rounded half away from zero', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/coupons', { coupon_id: 'ODD', type: 'percentage', value: 12.5 })
    const made = await shop.post('/sandbox/charges', { ...charge, coupon_id: 'ODD' })
    expect(made).toMatchObject({
      status: 201,
      body: { charge_id: 'ch_000001', discount_total: 126, amount_due: 878, status: 'succeeded' },
    })
    expect(made.headers.get('Location')).toBe('/sandbox/charges/ch_000001')
    expect((await shop.get('/sandbox/charges/ch_000001')).body).toEqual(made.body)
  })

  it('answer a failed payment rather than refusing it', async () => {
    const shop = await openShop()
    const made = await shop.post('/sandbox/charges', { ...charge, customer_id: 'cus_grace' })
    const failed = { status: 'failed', failure_reason: 'no_payment_method' }
    expect(made).toMatchObject({ status: 201, body: failed })
  })

  it('are listed, those of one customer too', async () => {
    const shop = await openShop()
    for (const customer_id of ['cus_ada', 'cus_linus', 'cus_ada']) {
      await shop.post('/sandbox/charges', { ...charge, customer_id })
    }
    const idsAt = async (query: string) => {
      const { body } = await shop.get<{ data: WireCharge[] }>(`/sandbox/charges${query}`)
      return body.data.map((each) => each.charge_id)
    }
    expect(await idsAt('')).toEqual(['ch_000001', 'ch_000002', 'ch_000003'])
    expect(await idsAt('?customer_id=cus_ada')).toEqual(['ch_000001', 'ch_000003'])
    expect(await idsAt('?customer_id=cus_ada&after=ch_000001')).toEqual(['ch_000003'])
  })

  it.each([
    [{ ...charge, customer_id: 'nobody' }, 404, 'not_found'],
    [{ ...charge, coupon_id: 'NONE' }, 404, 'not_found'],
    [{ ...charge, currency: 'EUR' }, 409, 'currency_mismatch'],
    [{ ...charge, coupon_id: 'EXPIRED' }, 409, 'coupon_expired'],
    [{ ...charge, coupon_id: 'PROONLY' }, 409, 'coupon_not_applicable'],
    [{ ...charge, coupon_id: 'MORETIME' }, 409, 'coupon_not_applicable'],
    [{ ...charge, amount: -1 }, 400, 'invalid_request'],
    [{ ...charge, amount: 0.5 }, 400, 'invalid_request'],
    [{ ...charge, amount: 2 ** 53 }, 400, 'invalid_request'],
    [{ ...charge, currency: 'usd' }, 400, 'invalid_request'],
  ])('%j is refused with %i %s', async (order, status, code) => {
    const shop = await openShop()
    const before = await shop.state()
    expect(await shop.post('/sandbox/charges', order)).toMatchObject({ status, body: { code } })
    expect(await shop.state()).toBe(before)
    expect((await shop.get('/sandbox/charges/ch_000001')).status).toBe(404)
  })
})
