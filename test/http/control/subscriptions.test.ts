import { describe, expect, it } from 'vitest'
import type { WireInvoice } from '../../../src/wire/billing/invoice.ts'
import type { WireSubscription } from '../../../src/wire/billing/subscription.ts'
import { openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/subscriptions'
const key = { Authorization: 'Bearer sk_sandbox_default' }

async function paused(shop: Shop) {
  await shop.post(path, { customer_id: 'cus_ada', plan: 'basic' })
  await shop.post('/sandbox/clock/advance', { by: 'P10D' })
  await shop.call('POST', '/v1/subscriptions/sub_000001/pause', { headers: key })
}

describe('a checkout', () => {
  it('bills at once without a trial, and says where the subscription is found', async () => {
    const shop = await openShop()
    const made = await shop.post<WireSubscription>(path, { customer_id: 'cus_ada', plan: 'basic' })
    expect(made).toMatchObject({ status: 201, body: { status: 'active', plan: 'basic' } })
    expect(made.headers.get('Location')).toBe(`${path}/sub_000001`)
    expect((await shop.get(`${path}/sub_000001`)).body).toEqual(made.body)
  })

  it('takes a coupon off the first invoice', async () => {
    const shop = await openShop()
    const order = { customer_id: 'cus_ada', plan: 'basic', coupon_id: 'SAVE20' }
    const { body } = await shop.post(path, order)
    expect(body).toMatchObject({ discounts: [{ coupon_id: 'SAVE20' }] })
    const invoices = await shop.get('/sandbox/invoices')
    expect(invoices.body).toMatchObject({ data: [{ amount_due: 800, discount_total: 200 }] })
  })

  it('takes the code of a promotion in place of a coupon, and counts both', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/promotions', { code: 'SPRING', coupon_id: 'TAKE5' })
    const order = { customer_id: 'cus_ada', plan: 'basic', promotion_code: 'SPRING' }
    expect((await shop.post(path, order)).status).toBe(201)
    expect((await shop.get('/sandbox/promotions/SPRING')).body).toMatchObject({ times_redeemed: 1 })
    expect((await shop.get('/sandbox/coupons/TAKE5')).body).toMatchObject({ times_redeemed: 1 })
  })

  const ada = { customer_id: 'cus_ada', plan: 'basic' }

  it.each([
    [{ ...ada, coupon_id: 'EXPIRED' }, '409 coupon_expired', /EXPIRED/],
    [{ ...ada, coupon_id: 'PROONLY' }, '409 coupon_not_applicable', /PROONLY/],
    [
      { ...ada, coupon_id: 'SAVE20', promotion_code: 'SPRING' },
      '400 invalid_request',
      /^promotion_code cannot be combined with coupon_id\.$/,
    ],
  ])('of %o is refused with %s', async (order, refusal, detail) => {
    const shop = await openShop()
    const before = await shop.state()
    const { status, body } = await shop.post<{ code: string; detail: string }>(path, order)
    expect(`${status} ${body.code}`).toBe(refusal)
    expect(body.detail).toMatch(detail)
    expect(await shop.state()).toBe(before)
  })

  it('redeems the last of a coupon once, however many ask for it at one time', async () => {
    const shop = await openShop()
    const order = { ...ada, coupon_id: 'LAST1' }
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post(path, order)))
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    expect(answers.filter(({ status }) => status === 409).length).toBe(19)
    expect((await shop.get('/sandbox/coupons/LAST1')).body).toMatchObject({ times_redeemed: 1 })
  })

  it('is refused in another currency than the customer has', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/customers', { customer_id: 'cus_yen', currency: 'JPY' })
    const refused = await shop.post(path, { customer_id: 'cus_yen', plan: 'basic' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'currency_mismatch' } })
  })
})

describe('the list of subscriptions', () => {
  it('shows those of a customer, in a status, oldest first', async () => {
    const shop = await openShop()
    await shop.post(path, { customer_id: 'cus_ada', plan: 'basic' })
    await shop.post(path, { customer_id: 'cus_linus', plan: 'pro', trial_period_days: 7 })
    await shop.post(path, { customer_id: 'cus_ada', plan: 'pro', trial_period_days: 7 })
    const idsAt = async (query: string) => {
      const { body } = await shop.get<{ data: WireSubscription[] }>(`${path}${query}`)
      return body.data.map((each) => each.subscription_id)
    }
    expect(await idsAt('')).toEqual(['sub_000001', 'sub_000002', 'sub_000003'])
    expect(await idsAt('?customer_id=cus_ada')).toEqual(['sub_000001', 'sub_000003'])
    expect(await idsAt('?status=trialing')).toEqual(['sub_000002', 'sub_000003'])
    expect(await idsAt('?status=trialing&customer_id=cus_ada')).toEqual(['sub_000003'])
    expect(await idsAt('?customer_id=nobody')).toEqual([])
  })

  it('knows the paused status by the name that the settings give it', async () => {
    const shop = await openShop()
    await paused(shop)
    await shop.call('PATCH', '/sandbox/settings', { json: { paused_status_name: 'on_hold' } })
    const held = { subscription_id: 'sub_000001', status: 'on_hold' }
    expect((await shop.get(`${path}?status=on_hold`)).body).toMatchObject({ data: [held] })
    const { status, body } = await shop.get(`${path}?status=paused`)
    expect(status).toBe(400)
    expect(body).toMatchObject({
      detail:
        'status must be one of trialing, active, past_due, on_hold, canceled, expired; got "paused".',
      errors: [{ field: 'status' }],
    })
  })
})

describe('resuming', () => {
  it('gives back what was left of the period', async () => {
    const shop = await openShop()
    await paused(shop)
    await shop.post('/sandbox/clock/advance', { by: 'P100D' })
    expect(await shop.post(`${path}/sub_000001/resume`)).toMatchObject({
      status: 200,
      body: {
        status: 'active',
        current_period_start: '2027-01-01T00:00:00.000Z',
        current_period_end: '2027-05-12T00:00:00.000Z',
      },
    })
  })

  it('is refused to one that is not paused, and to one that is not there', async () => {
    const shop = await openShop()
    await shop.post(path, { customer_id: 'cus_ada', plan: 'basic' })
    expect(await shop.post(`${path}/sub_000001/resume`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    })
    expect((await shop.post(`${path}/sub_000009/resume`)).status).toBe(404)
    expect((await shop.get(`${path}/sub_000009`)).status).toBe(404)
  })
})

describe('a forecast', () => {
  const forecastAt = `${path}/sub_000001/forecast`
  const order = {
    customer_id: 'cus_ada',
    plan: 'basic',
    coupon_id: 'SAVE20',
    trial_period_days: 14,
  }

  it('is what happens later, failing payments included', async () => {
    const shop = await openShop()
    await shop.post(path, order)
    const outcomes = ['succeed', 'card_declined', 'card_declined', 'succeed', 'expired_card']
    await shop.post('/sandbox/payment-outcomes', { customer_id: 'cus_ada', outcomes })
    const until = '2027-06-16T00:00:00.000Z'
    const before = await shop.state()
    const told = await shop.get<{ data: WireInvoice[] }>(`${forecastAt}?until=${until}`)
    expect(await shop.state()).toBe(before)
    await shop.post('/sandbox/clock/advance', { to: until })
    const came = await shop.get<{ data: WireInvoice[] }>('/sandbox/invoices')
    const outlook = { complete_until: until, stopped_because: 'reached' }
    const totals = [{ currency: 'USD', total: 5400, paid: 5400, due: 0, uncollectible: 0 }]
    expect(told.body).toEqual({ ...came.body, ...outlook, totals })
    expect(told.body.data.length).toBe(6)
    expect(told.body.data.map((each) => each.amount_due)).toEqual([800, 800, 800, 1000, 1000, 1000])
  })

  it('looks a year ahead by default, the last instant included', async () => {
    const shop = await openShop()
    await shop.post(path, { customer_id: 'cus_ada', plan: 'basic' })
    const { body } = await shop.get<{ data: WireInvoice[] }>(forecastAt)
    expect(body.data.length).toBe(12)
    expect(body.data.at(-1)?.created_at).toBe('2028-01-01T00:00:00.000Z')
  })

  it('comes in pages', async () => {
    const shop = await openShop()
    await shop.post(path, order)
    const first = await shop.get<{ next_after: string }>(`${forecastAt}?limit=5`)
    expect(first.body).toMatchObject({ has_more: true, next_after: 'inv_000005' })
    const rest = `${forecastAt}?limit=50&after=${first.body.next_after}`
    const second = await shop.get<{ data: WireInvoice[] }>(rest)
    expect(second.body).toMatchObject({ has_more: false, next_after: null })
    expect(second.body.data[0]?.invoice_id).toBe('inv_000006')
  })

  it('is refused for an instant that has passed, and for one past the end of the clock', async () => {
    const shop = await openShop()
    await shop.post(path, order)
    const past = await shop.get(`${forecastAt}?until=2026-01-01T00:00:00Z`)
    expect(past).toMatchObject({ status: 409, body: { code: 'clock_backwards' } })
    const far = await shop.get(`${forecastAt}?until=9999-12-31T00:00:00Z`)
    expect(far).toMatchObject({ status: 409, body: { code: 'clock_limit' } })
    const odd = await shop.get(`${forecastAt}?until=tomorrow`)
    expect(odd).toMatchObject({ status: 400, body: { errors: [{ field: 'until' }] } })
    expect((await shop.get(`${path}/nobody/forecast`)).status).toBe(404)
  })

  it('is refused where no number holds its sums exactly', async () => {
    const shop = await openShop()
    const terms = { product_id: 'prod_app', name: 'Dear', currency: 'USD', interval: 'day' }
    await shop.post('/sandbox/plans', { plan_id: 'dear', ...terms, amount: 10 ** 12 - 1 })
    await shop.post(path, { customer_id: 'cus_ada', plan: 'dear' })
    expect((await shop.get(`${forecastAt}?for=P24Y`)).status).toBe(200)
    const far = await shop.get(`${forecastAt}?for=P27Y`)
    expect(far).toMatchObject({ status: 409, body: { code: 'clock_limit' } })
  })
})
