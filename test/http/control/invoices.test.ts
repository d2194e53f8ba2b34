import { describe, expect, it } from 'vitest'
import type { WireExplanation, WireInvoice } from '../../../src/wire/billing/invoice.ts'
import { openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/invoices'
const key = { Authorization: 'Bearer sk_sandbox_default' }

/** A subscription to one monthly plan from 1 March, moved to another at an instant. */
async function upgraded(from: number, to: number, at: string): Promise<Shop> {
  const shop = await openShop({ now: '2027-03-01T00:00:00.000Z' as never })
  const terms = { product_id: 'prod_app', name: 'P', currency: 'USD', interval: 'month' }
  await shop.post('/sandbox/plans', { ...terms, plan_id: 'small', amount: from })
  await shop.post('/sandbox/plans', { ...terms, plan_id: 'large', amount: to })
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'small' })
  await shop.post('/sandbox/clock/advance', { to: at })
  const json = { plan: 'large' }
  await shop.call('POST', '/v1/subscriptions/sub_000001/update', { json, headers: key })
  return shop
}

async function unpaid(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/payment-outcomes', { outcomes: ['card_declined', 'expired_card'] })
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  return shop
}

describe('the list of invoices', () => {
  it('shows those of a customer, of a subscription, in a status', async () => {
    const shop = await unpaid()
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'pro' })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_linus', plan: 'pro' })
    const idsAt = async (query: string) => {
      const { body } = await shop.get<{ data: WireInvoice[] }>(`${path}${query}`)
      return body.data.map((each) => each.invoice_id)
    }
    expect(await idsAt('')).toEqual(['inv_000001', 'inv_000002', 'inv_000003'])
    expect(await idsAt('?customer_id=cus_ada')).toEqual(['inv_000001', 'inv_000002'])
    expect(await idsAt('?subscription_id=sub_000002')).toEqual(['inv_000002'])
    expect(await idsAt('?status=paid')).toEqual(['inv_000003'])
    expect(await idsAt('?status=open&customer_id=cus_linus')).toEqual([])
    const odd = await shop.get(`${path}?status=late`)
    expect(odd).toMatchObject({ status: 400, body: { errors: [{ field: 'status' }] } })
  })

  it('retrieves one, and knows nothing of one that is not there', async () => {
    const shop = await unpaid()
    const one = {
      invoice_id: 'inv_000001',
      status: 'open',
      attempts: [{ outcome: 'card_declined' }],
    }
    expect(await shop.get(`${path}/inv_000001`)).toMatchObject({ status: 200, body: one })
    for (const missing of ['', '/explain']) {
      const refused = await shop.get(`${path}/inv_000009${missing}`)
      expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
  })
})

describe('paying by hand', () => {
  it('is one more attempt: it may fail, then succeed, and then there is nothing left to pay', async () => {
    const shop = await unpaid()
    const pay = () => shop.post(`${path}/inv_000001/pay`)
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'open', amount_paid: 0 } })
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'paid', amount_paid: 1000 } })
    expect(await pay()).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
    const subscription = await shop.get('/sandbox/subscriptions/sub_000001')
    expect(subscription.body).toMatchObject({ status: 'active' })
  })
})

describe('an explanation', () => {
  it.each([
    [1000, 2000, '2027-03-16T12:00:00.000Z', -500, 1000, '1339200/2678400', '-500', '1000'],
    [1000, 2000, '2027-03-31T23:59:59.000Z', 0, 0, '1/2678400', '-0.000373357', '0.000746714'],
  ])('of %i to %i at %s', async (...vector) => {
    const [from, to, at, credit, charge, fraction, unroundedCredit, unroundedCharge] = vector
    const shop = await upgraded(from, to, at)
    const { body } = await shop.get<WireExplanation>(`${path}/inv_000002/explain`)
    const [seconds] = fraction.split('/')
    const shared = { fraction, seconds_remaining: seconds, seconds_in_period: '2678400', cut: 0 }
    expect(body.lines).toMatchObject([
      {
        ...shared,
        kind: 'proration_credit',
        plan_id: 'small',
        amount: credit,
        basis_amount: from,
        unrounded: unroundedCredit,
      },
      {
        ...shared,
        kind: 'proration_charge',
        plan_id: 'large',
        amount: charge,
        basis_amount: to,
        unrounded: unroundedCharge,
      },
    ])
    expect(body.sum).toBe(
      `${charge + credit} (lines) - 0 (discounts) - 0 (balance) = ${charge + credit} due`,
    )
    expect(body.invoice).toEqual((await shop.get(`${path}/inv_000002`)).body)
    expect(body.invoice.attempts.length).toBe(charge + credit === 0 ? 0 : 1)
  })

  it('lists discounts in the order in which they were taken off', async () => {
    const shop = await openShop()
    const order = { customer_id: 'cus_ada', plan: 'basic', coupon_id: 'EXTRA3' }
    await shop.post('/sandbox/subscriptions', order)
    const json = { coupon_id: 'LOYAL10' }
    await shop.call('POST', '/v1/subscriptions/sub_000001/apply-coupon', { json, headers: key })
    await shop.post('/sandbox/clock/advance', { to_next: 1 })
    const { body } = await shop.get<WireExplanation>(`${path}/inv_000002/explain`)
    expect(body.discounts).toMatchObject([
      { coupon_id: 'LOYAL10', base: 1000, unrounded: '100', amount: 100, remaining: 900 },
      { coupon_id: 'EXTRA3', base: 900, unrounded: '300', amount: 300, remaining: 600 },
    ])
  })
})
