import { describe, expect, it } from 'vitest'
import { submit } from '../../support/client.ts'
import { openShop, type Shop } from '../../support/control.ts'

const FIRST = '/v1/subscriptions/sub_000001'

/** A shop at 2027-01-01 whose customer Ada has taken a plan. */
async function subscribed(plan: string, more: Record<string, string> = {}): Promise<Shop> {
  const shop = await openShop()
  const fields = { customer_id: 'cus_ada', plan, ...more }
  expect(await submit(shop, '/v1/subscriptions', fields)).toMatchObject({ status: 200 })
  return shop
}

describe('create', () => {
  it('starts a trial of 14 days', async () => {
    const shop = await openShop()
    const fields = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: '14' }
    const { status, body } = await submit(shop, '/v1/subscriptions', fields)
    expect(status).toBe(200)
    expect(body).toEqual({
      subscription_id: 'sub_000001',
      customer_id: 'cus_ada',
      plan: 'basic',
      trial_period_days: 14,
      status: 'trialing',
      trial_end: '2027-01-15T00:00:00.000Z',
      current_period_start: '2027-01-01T00:00:00.000Z',
      current_period_end: '2027-01-15T00:00:00.000Z',
      cancel_at_period_end: false,
      canceled_at: null,
      ended_at: null,
      pending_plan: null,
      discounts: [],
      created_at: '2027-01-01T00:00:00.000Z',
    })
  })
})

describe('a create that is refused', () => {
  it.each([{ customer_id: 'nobody' }, { plan: 'nothing' }, { trial_period_days: '731' }])(
    'counts no subscription: %j',
    async (wrong) => {
      const shop = await openShop()
      const order = { customer_id: 'cus_ada', plan: 'basic' }
      const refused = await submit(shop, '/v1/subscriptions', { ...order, ...wrong })
      expect([400, 404]).toContain(refused.status)
      const { body } = await submit(shop, '/v1/subscriptions', order)
      expect(body['subscription_id']).toBe('sub_000001')
    },
  )

  it('for another currency counts none either', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/customers', { customer_id: 'cus_euro', currency: 'EUR' })
    const order = { customer_id: 'cus_euro', plan: 'basic' }
    expect((await submit(shop, '/v1/subscriptions', order)).status).toBe(409)
    const { body } = await submit(shop, '/v1/subscriptions', { ...order, customer_id: 'cus_ada' })
    expect(body['subscription_id']).toBe('sub_000001')
  })
})

describe('the other four', () => {
  it('pauses, under the name that the setting gives, and refuses to pause twice', async () => {
    const shop = await subscribed('basic')
    await shop.call('PATCH', '/sandbox/settings', { json: { paused_status_name: 'on_hold' } })
    const paused = await submit(shop, `${FIRST}/pause`)
    expect(paused).toMatchObject({ status: 200, body: { status: 'on_hold' } })
    const again = await submit(shop, `${FIRST}/pause`)
    expect(again).toMatchObject({ status: 409, body: { error: 'invalid_transition' } })
    expect(again.body['message']).toContain('got on_hold')
  })

  it.each([
    [{ at_period_end: 'true' }, { status: 'active', cancel_at_period_end: true, ended_at: null }],
    [{ at_period_end: 'false' }, { status: 'canceled', cancel_at_period_end: false }],
    [{}, { status: 'canceled', ended_at: '2027-01-01T00:00:00.000Z' }],
  ])('cancels with %j', async (fields, shown) => {
    const answer = await submit(await subscribed('basic'), `${FIRST}/cancel`, fields)
    expect(answer).toMatchObject({ status: 200, body: shown })
  })

  it('applies a coupon, and refuses one that has expired', async () => {
    const shop = await subscribed('basic')
    const applied = await submit(shop, `${FIRST}/apply-coupon`, { coupon_id: 'SAVE20' })
    expect(applied.status).toBe(200)
    expect(applied.body['discounts']).toEqual([
      {
        coupon_id: 'SAVE20',
        type: 'percentage',
        value: 20,
        duration: 'repeating',
        duration_in_months: 3,
        starts_at: '2027-01-01T00:00:00.000Z',
        ends_at: '2027-04-01T00:00:00.000Z',
      },
    ])
    const expired = await submit(shop, `${FIRST}/apply-coupon`, { coupon_id: 'EXPIRED' })
    expect(expired).toMatchObject({ status: 409, body: { error: 'coupon_expired' } })
  })

  it('refuses fields where none belong', async () => {
    const answer = await submit(await subscribed('basic'), `${FIRST}/pause`, { until: 'June' })
    expect(answer.body).toEqual({
      error: 'invalid_request',
      message: 'until is not a known field; there are no fields here.',
    })
  })
})

it('says that the query string is meant where it has a field that belongs into the body', async () => {
  const shop = await subscribed('basic')
  const { body } = await submit(shop, `${FIRST}/pause?customer_id=cus_ada`)
  expect(body).toMatchObject({
    message: 'customer_id is not a known field; the query string has no fields here.',
  })
})

it('reports what shaped an answer beyond the interface', async () => {
  const shop = await subscribed('basic')
  const { headers } = await submit(shop, `${FIRST}/pause`)
  const slugs = headers.get('Sandbox-Assumptions')?.split(', ') ?? []
  expect(slugs).toEqual([...slugs].sort())
  expect(slugs).toEqual(
    expect.arrayContaining(['paused-status-name', 'subscription-fields', 'success-status']),
  )
})

it('leaves no trace of a refused request', async () => {
  const shop = await subscribed('basic')
  const before = await shop.state()
  await submit(shop, `${FIRST}/update`, { plan: 'gold' })
  await submit(shop, `${FIRST}/apply-coupon`, { coupon_id: 'EXPIRED' })
  await submit(shop, '/v1/subscriptions', { customer_id: 'cus_ada' })
  expect(await shop.state()).toBe(before)
  expect(shop.log).toEqual([])
})
