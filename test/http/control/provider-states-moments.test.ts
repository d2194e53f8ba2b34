import { describe, expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'
import { ask, setUp, subscription, tearDown, tryUp } from '../../support/provider-states.ts'

const NOW = '2027-01-01T00:00:00.000Z'
const exists = 'a subscription exists'
const id = { subscription_id: 'sub_abc' }

describe('the trial ends in N days', () => {
  it('moves the clock on to it, of the subscription that was named last', async () => {
    const shop = await openShop()
    await setUp(shop, exists, { ...id, status: 'trialing' })
    const values = await setUp(shop, 'the trial ends tomorrow')
    expect(values).toMatchObject({ ...id, now: '2027-01-14T00:00:00.000Z' })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      status: 'trialing',
      created_at: NOW,
      trial_end: '2027-01-15T00:00:00.000Z',
    })
  })

  it('makes a subscription with such a trial where none is named, and the clock stands', async () => {
    const shop = await openShop()
    expect(await setUp(shop, 'the trial ends in 30 days', id)).toMatchObject({ ...id, now: NOW })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      trial_period_days: 30,
      trial_end: '2027-01-31T00:00:00.000Z',
    })
  })

  const atStart = ['the virtual time is T', { at: '1970-01-01T00:00:00Z' }] as const
  const trialing = [exists, { ...id, status: 'trialing' }] as const
  it.each([
    [[trialing], { days: 15 }, 'fewer days'],
    [[atStart, ['the trial ends in N days', { days: 3 }]], { days: 730 }, 'fewer days'],
    [[[exists, { ...id, status: 'active' }]], { days: 3 }, 'is active'],
    [[[exists, { ...id, status: 'canceled' }]], { days: 3 }, 'is canceled'],
    [[[exists, { ...id, status: 'canceled', trial_period_days: 9 }]], { days: 3 }, 'is canceled'],
    [[['the virtual time is T', {}], trialing], { days: 3 }, 'but "the virtual time is T" holds'],
    [[['a refresh token is fresh', {}], trialing], id, 'but "a refresh token is fresh" holds'],
  ] as const)('is refused after %j with %j', async (earlier, params, text) => {
    const shop = await openShop()
    for (const [state, ...rest] of earlier) await setUp(shop, state, ...rest)
    const before = await shop.state()
    const { status, body } = await tryUp(shop, 'the trial ends in N days', params)
    expect(status).toBe(409)
    expect(body.detail).toContain('State "the trial ends in N days" is refused after "')
    expect(body.detail).toContain(text)
    expect(await shop.state()).toBe(before)
  })
})

describe('the period ends now', () => {
  it.each([
    [{ status: 'active' }, { status: 'active', current_period_start: '2027-02-01T00:00:00.000Z' }],
    [{ status: 'trialing' }, { status: 'active', trial_end: '2027-01-15T00:00:00.000Z' }],
    [{ cancel_at_period_end: true }, { status: 'canceled', ended_at: '2027-02-01T00:00:00.000Z' }],
    [{ pending_plan: 'basic' }, { plan: 'basic', pending_plan: null }],
  ])('moves the clock there and settles it: %j', async (params, expected) => {
    const shop = await openShop()
    await setUp(shop, exists, { ...id, ...params })
    const { now } = await setUp(shop, 'the period ends now')
    expect(now).toBe(
      'status' in params && params.status === 'trialing'
        ? '2027-01-15T00:00:00.000Z'
        : '2027-02-01T00:00:00.000Z',
    )
    expect(await subscription(shop, 'sub_abc')).toMatchObject(expected)
  })

  it('with the payment that was scripted to fail, so that it can no longer be paused', async () => {
    const shop = await openShop()
    await setUp(shop, exists, id)
    await setUp(shop, 'the next payment fails', { reason: 'insufficient_funds' })
    await setUp(shop, 'the period ends now')
    expect(await subscription(shop, 'sub_abc')).toMatchObject({ status: 'past_due' })
    expect((await ask(shop, '/sub_abc/pause')).status).toBe(409)
  })

  it('is refused for a paused one', async () => {
    const shop = await openShop()
    await setUp(shop, 'a paused subscription exists')
    expect(await tryUp(shop, 'the period ends now')).toMatchObject({ status: 409 })
  })
})

describe('the next payment fails', () => {
  it.each([{}, { customer_id: 'cus_ada' }])(
    'of a subscription to come, with %j',
    async (params) => {
      const shop = await openShop()
      await setUp(shop, 'the next payment fails', params)
      const order = { customer_id: 'cus_ada', plan: 'basic' }
      expect((await ask(shop, '', order)).body).toMatchObject({ status: 'past_due' })
      expect((await ask(shop, '', order)).body).toMatchObject({ status: 'active' })
    },
  )

  const ofSubscription = { subscription_id: 'sub_abc' }
  const ofCustomer = { customer_id: 'cus_jo' }
  it.each([
    [[[exists, id]], {}, ofSubscription],
    [[['a customer exists', ofCustomer]], {}, ofCustomer],
    [[['a customer exists', ofCustomer]], id, ofSubscription],
    [[[exists, id]], ofCustomer, ofCustomer],
    [[], {}, {}],
  ] as const)('after %j with %j, of %j', async (earlier, params, scope) => {
    const shop = await openShop()
    for (const [state, given] of earlier) await setUp(shop, state, given)
    const values = await setUp(shop, 'the next payment fails', params)
    expect(values).toMatchObject(scope)
    const { body } = await shop.get<{ data: object[] }>('/sandbox/payment-outcomes')
    expect(body.data).toMatchObject([{ scope, outcomes: ['card_declined'] }])
    expect(Object.keys(Object(body.data[0]).scope)).toEqual(Object.keys(scope))
  })

  it('of the subscription that was named, whichever state comes first', async () => {
    const shop = await openShop()
    await setUp(shop, 'the next payment fails', { customer_id: 'cus_ada' })
    await setUp(shop, exists, { ...id, customer_id: 'cus_ada' })
    expect((await ask(shop, '/sub_abc/update', { plan: 'pro' })).body.status).toBe('past_due')
  })
})

describe('the virtual time is T', () => {
  it('said first, it is when all the rest happens, also before the fixture begins', async () => {
    const shop = await openShop()
    await setUp(shop, 'the virtual time is 2020-02-29T12:00:00Z')
    await setUp(shop, exists, id)
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      created_at: '2020-02-29T12:00:00.000Z',
    })
  })

  it('said later, the clock moves on to it, and not back', async () => {
    const shop = await openShop()
    await setUp(shop, exists, id)
    const at = '2027-03-15T00:00:00.000Z'
    expect(await setUp(shop, 'the virtual time is T', { at })).toMatchObject({ now: at })
    expect(await setUp(shop, 'the virtual time is T', { at })).toMatchObject({ now: at })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      current_period_start: '2027-03-01T00:00:00.000Z',
    })
    const back = await tryUp(shop, 'the virtual time is T', { at: '2027-03-14T00:00:00Z' })
    expect(back).toMatchObject({ status: 409, body: { code: 'clock_backwards' } })
  })

  it.each([
    [[], 'the virtual time is 9000-01-01T00:00:00.001Z', {}, 'clock_limit'],
    [['8999-12-31T00:00:00Z', exists], 'the period ends now', {}, 'clock_limit'],
    [['1971-01-01T00:00:00Z', 'a plan exists'], exists, { status: 'past_due' }, 'clock_backwards'],
  ] as const)('after %j, %s with %j would leave what clocks show', async (...row) => {
    const [[at, state], wanted, params, code] = row
    const shop = await openShop()
    if (at) await setUp(shop, 'the virtual time is T', { at })
    const years = { interval: 'year', interval_count: 3 }
    if (state) await setUp(shop, state, state === 'a plan exists' ? years : {})
    expect(await tryUp(shop, wanted, params)).toMatchObject({ status: 409, body: { code } })
    expect(shop.log).toEqual([])
  })

  it('may be the last instant of the clock', async () => {
    const shop = await openShop()
    const at = '9000-01-01T00:00:00.000Z'
    expect(await setUp(shop, 'the virtual time is T', { at })).toMatchObject({ now: at })
  })

  it.each(['9999-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])('may be odd: %s', async (at) => {
    const shop = await openShop()
    const first = await tryUp(shop, 'the virtual time is T', { at })
    expect([200, 409]).toContain(first.status)
    const expired = { status: 'expired', trial_period_days: 0 }
    for (const [state, params] of [
      ['an expired subscription exists', {}],
      ['a subscription exists', expired],
      ['the trial ends tomorrow', {}],
      ['a refresh token is expired', {}],
      ['a coupon is expired', {}],
    ] as const) {
      await tearDown(shop)
      await tryUp(shop, 'the virtual time is T', { at })
      expect([200, 409], state).toContain((await tryUp(shop, state, params)).status)
    }
    expect(shop.log).toEqual([])
  })
})
