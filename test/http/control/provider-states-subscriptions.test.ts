import { describe, expect, it } from 'vitest'
import type { WireInvoice } from '../../../src/wire/billing/invoice.ts'
import { openShop } from '../../support/control.ts'
import { ask, PATH, setUp, subscription, tearDown, tryUp } from '../../support/provider-states.ts'

const NOW = '2027-01-01T00:00:00.000Z'
const statuses = ['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired'] as const
const exists = 'a subscription exists'
const id = { subscription_id: 'sub_abc' }

describe('a subscription exists', () => {
  it.each([
    ['trialing', 'a trialing subscription exists'],
    ['active', 'an active subscription exists'],
    ['past_due', 'a past due subscription exists'],
    ['paused', 'a paused subscription exists'],
    ['canceled', 'a canceled subscription exists'],
    ['expired', 'an expired subscription exists'],
  ])('%s, by param and in words, and time stands', async (status, words) => {
    const shop = await openShop()
    const values = { ...id, plan: 'basic', now: NOW }
    expect(await setUp(shop, exists, { ...id, status })).toMatchObject(values)
    const { body: state } = await shop.get('/sandbox/state')
    await tearDown(shop)
    expect(await setUp(shop, words, id)).toMatchObject(values)
    expect(await subscription(shop, 'sub_abc')).toMatchObject({ ...id, status, discounts: [] })
    expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true })
    expect((await shop.call('PUT', '/sandbox/state', { json: state })).status).toBe(200)
    expect(await subscription(shop, 'sub_abc')).toMatchObject({ ...id, status, discounts: [] })
  })

  it.each(statuses)('%s, with any discount', async (status) => {
    const shop = await openShop()
    for (const coupon of ['SAVE20', 'TAKE5', 'WELCOME', 'LOYAL10', 'LAST1', 'MADE_UP']) {
      await setUp(shop, exists, { ...id, status, coupon_id: coupon })
      expect(await subscription(shop, 'sub_abc'), coupon).toMatchObject({
        status,
        discounts: [{ coupon_id: coupon }],
      })
      await tearDown(shop)
    }
    for (const coupon_ids of [
      ['LOYAL10', 'EXTRA3'],
      ['NEW1', 'NEW2', 'LOYAL10'],
    ]) {
      await setUp(shop, exists, { ...id, status, coupon_ids })
      expect(await subscription(shop, 'sub_abc')).toMatchObject({
        status,
        discounts: coupon_ids.map((coupon_id) => ({ coupon_id })),
      })
      await tearDown(shop)
    }
  })

  it('in words with a coupon', async () => {
    const shop = await openShop()
    await setUp(shop, 'a subscription with the coupon SAVE20 exists', id)
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      status: 'active',
      discounts: [{ coupon_id: 'SAVE20', ends_at: '2027-04-01T00:00:00.000Z' }],
    })
  })

  it('past due, because its renewal failed now; the next attempt succeeds', async () => {
    const shop = await openShop()
    await setUp(shop, exists, { ...id, status: 'past_due' })
    const { body } = await shop.get<{ data: WireInvoice[] }>('/sandbox/invoices')
    expect(body.data).toMatchObject([
      { status: 'paid', created_at: '2026-12-01T00:00:00.000Z' },
      { status: 'open', created_at: NOW, attempts: [{ at: NOW, outcome: 'card_declined' }] },
    ])
    expect((await shop.get('/sandbox/payment-outcomes')).body).toMatchObject({ data: [] })
    await shop.post('/sandbox/clock/advance', { by: 'P1D' })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({ status: 'active' })
  })

  it('past due on a day that the month before does not have', async () => {
    const shop = await openShop()
    await setUp(shop, 'the virtual time is 2027-03-31T10:00:00Z')
    const { now } = await setUp(shop, exists, { ...id, status: 'past_due' })
    expect(now).toBe('2027-03-31T10:00:00.000Z')
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      status: 'past_due',
      current_period_start: '2027-03-28T10:00:00.000Z',
    })
  })

  it('expired, because its trial ended now without a payment method, which is valid again', async () => {
    const shop = await openShop()
    await setUp(shop, exists, { ...id, status: 'expired', customer_id: 'cus_ada' })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      customer_id: 'cus_ada',
      created_at: '2026-12-18T00:00:00.000Z',
      trial_end: NOW,
      ended_at: NOW,
    })
    expect((await shop.get('/sandbox/customers/cus_ada')).body).toMatchObject({
      payment_method: 'valid',
    })
  })

  it.each([
    [
      { status: 'active', trial_period_days: 7 },
      { trial_end: NOW, current_period_start: NOW },
    ],
    [
      { status: 'paused', trial_period_days: 7 },
      { trial_end: NOW, current_period_start: NOW },
    ],
    [
      { status: 'past_due', trial_period_days: 7 },
      { trial_end: NOW, current_period_start: NOW },
    ],
    [{ status: 'trialing', trial_period_days: 7 }, { trial_end: '2027-01-08T00:00:00.000Z' }],
    [{ status: 'canceled' }, { cancel_at_period_end: false, canceled_at: NOW, ended_at: NOW }],
    [
      { status: 'canceled', trial_period_days: 7 },
      { created_at: NOW, trial_end: '2027-01-08T00:00:00.000Z', ended_at: NOW },
    ],
    [
      { status: 'canceled', cancel_at_period_end: true },
      { canceled_at: '2026-12-01T00:00:00.000Z', ended_at: NOW },
    ],
    [
      { status: 'canceled', cancel_at_period_end: true, trial_period_days: 7 },
      { canceled_at: '2026-12-25T00:00:00.000Z', trial_end: NOW, ended_at: NOW },
    ],
    [{ cancel_at_period_end: true }, { status: 'active', cancel_at_period_end: true }],
    [
      { plan: 'pro', pending_plan: 'basic' },
      { plan: 'pro', pending_plan: 'basic' },
    ],
    [{ pending_plan: 'lite' }, { plan: 'pro', pending_plan: 'lite' }],
    [
      { status: 'paused', pending_plan: 'basic' },
      { status: 'paused', pending_plan: 'basic' },
    ],
    [
      { plan: 'team', customer_id: 'cus_new' },
      { plan: 'team', customer_id: 'cus_new' },
    ],
    [{ customer_id: 'cus_grace', status: 'active' }, { status: 'active' }],
  ])('as %j says', async (params, expected) => {
    const shop = await openShop()
    await setUp(shop, exists, { ...id, ...params })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({ ...params, ...expected })
    expect((await shop.get('/sandbox')).body).toMatchObject({ now: NOW })
  })

  it('with a plan of the currency that its customer has', async () => {
    const shop = await openShop()
    await setUp(shop, 'a customer exists', { customer_id: 'cus_euro', currency: 'EUR' })
    await setUp(shop, exists, { ...id, plan: 'abo' })
    expect((await shop.get('/sandbox/plans/abo')).body).toMatchObject({ currency: 'EUR' })
  })

  it('with a coupon that gives it more days of trial and leaves no discount', async () => {
    const shop = await openShop()
    await setUp(shop, 'a coupon exists', { coupon_id: 'DAYS', type: 'trial_extension', value: 7 })
    await setUp(shop, exists, { ...id, status: 'trialing', coupon_id: 'DAYS' })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      trial_end: '2027-01-22T00:00:00.000Z',
      discounts: [],
    })
  })

  it('with one coupon that is made, which another one then replaces', async () => {
    const shop = await openShop()
    await setUp(shop, exists, { ...id, coupon_id: 'MADE_UP' })
    const { body } = await ask(shop, '/sub_abc/apply-coupon', { coupon_id: 'LOYAL10' })
    expect(body.discounts).toMatchObject([{ coupon_id: 'LOYAL10' }])
  })

  it('and its coupon is answered, or else the one that a state before it names', async () => {
    const shop = await openShop()
    expect(await setUp(shop, exists, { coupon_id: 'SAVE20' })).toMatchObject({
      coupon_id: 'SAVE20',
    })
    const states = ['the coupon TAKE5 exists', 'a subscription exists']
    const { body } = await shop.post(PATH, { states })
    expect(body).toMatchObject({ coupon_id: 'TAKE5' })
  })

  it.each([
    [{ status: 'canceled', pending_plan: 'basic' }, 'invalid_transition', 'got canceled'],
    [{ status: 'expired', pending_plan: 'basic' }, 'invalid_transition', 'got expired'],
    [{ plan: 'basic', pending_plan: 'pro' }, 'invalid_transition', 'takes effect at once'],
    [{ status: 'paused', cancel_at_period_end: true }, 'invalid_transition', 'got paused'],
    [{ status: 'trialing', trial_period_days: 0 }, 'invalid_transition', 'must be "active"'],
    [{ coupon_ids: ['SAVE20', 'TAKE5'] }, 'coupon_not_applicable', 'must all be stackable'],
    [{ coupon_id: 'EXPIRED' }, 'coupon_expired', 'expired at 2020'],
    [{ coupon_id: 'PROONLY' }, 'coupon_not_applicable', 'applies to plans pro'],
  ])('is refused where %j cannot be, and nothing changes', async (params, code, text) => {
    const shop = await openShop()
    await setUp(shop, 'a customer exists')
    const before = await shop.state()
    const { status, body } = await tryUp(shop, exists, { ...id, ...params })
    expect({ status, code: body.code }).toEqual({ status: 409, code })
    expect(body.detail).toContain(text)
    expect(await shop.state()).toBe(before)
  })

  it('is refused where the settings lead elsewhere', async () => {
    const settings = { retry_schedule: [], after_retries: 'cancel' } as const
    const shop = await openShop({ settings: { retrySchedule: [], afterRetries: 'cancel' } })
    expect((await shop.get('/sandbox/settings')).body).toMatchObject(settings)
    const { status, body } = await tryUp(shop, exists, { ...id, status: 'past_due' })
    expect(status).toBe(409)
    expect(body.detail).toContain('must be "canceled"')
  })

  it('is refused a second time, and the first one stays', async () => {
    const shop = await openShop()
    await setUp(shop, exists, id)
    expect(await tryUp(shop, exists, id)).toMatchObject({ status: 409, body: { code: 'exists' } })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({ status: 'active' })
  })

  it('can be asked for all that is documented, and counted identifiers pass it over', async () => {
    const shop = await openShop()
    await setUp(shop, exists, { subscription_id: 'sub_000002' })
    expect((await ask(shop, '/sub_000002/update', { plan: 'pro' })).body.plan).toBe('pro')
    expect((await ask(shop, '/sub_000002/pause')).body.status).toBe('paused')
    const order = { customer_id: 'cus_ada', plan: 'basic' }
    const ids = [await ask(shop, '', order), await ask(shop, '', order)]
    expect(ids.map(({ body }) => body.subscription_id)).toEqual(['sub_000003', 'sub_000004'])
  })
})

describe('where an interaction starts', () => {
  it('with a fixture, to which states add', async () => {
    const shop = await openShop({ fixture: 'dunning' })
    const before = await subscription(shop, 'sub_000006')
    const { now } = await setUp(shop, 'the fixture dunning is loaded')
    expect(now).toBe('2027-02-03T12:00:00.000Z')
    await setUp(shop, exists, { ...id, status: 'paused' })
    await setUp(shop, 'the trial ends in 3 days', { subscription_id: 'sub_trial' })
    expect(await subscription(shop, 'sub_000006')).toEqual(before)
    expect(await subscription(shop, 'sub_trial')).toMatchObject({
      trial_end: '2027-02-06T12:00:00.000Z',
    })
    expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true })
  })

  it('with the fixture that it has, although other states came before', async () => {
    const shop = await openShop()
    await setUp(shop, exists, id)
    await setUp(shop, 'the fixture starter is loaded')
    expect(await subscription(shop, 'sub_abc')).toMatchObject(id)
  })

  it('with a fixture, at the virtual time that was said before it', async () => {
    const shop = await openShop()
    await setUp(shop, 'the virtual time is 2027-03-01T00:00:00Z')
    const { now } = await setUp(shop, 'the fixture dunning is loaded')
    expect(now).toBe('2027-03-01T00:00:00.000Z')
  })

  it('empty, with only what states add', async () => {
    const shop = await openShop()
    await setUp(shop, 'the sandbox is empty')
    expect((await shop.get('/sandbox')).body).toMatchObject({
      counts: { customers: 0, plans: 0, coupons: 0 },
    })
    await setUp(shop, exists, { ...id, coupon_id: 'ONLY' })
    expect((await shop.get('/sandbox')).body).toMatchObject({
      counts: { customers: 1, plans: 1, coupons: 1, subscriptions: 1 },
    })
  })

  it('with the customer and the plan that were named before', async () => {
    const shop = await openShop()
    await setUp(shop, 'a customer exists', { customer_id: 'cus_jo', payment_method: 'none' })
    await setUp(shop, 'a plan exists', { plan_id: 'team' })
    await setUp(shop, exists, { ...id, status: 'past_due' })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      customer_id: 'cus_jo',
      plan: 'team',
      status: 'past_due',
    })
  })
})
