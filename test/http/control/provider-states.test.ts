import { describe, expect, it } from 'vitest'
import { v1Operations } from '../../../src/operations/v1.ts'
import { providerStates } from '../../../src/provider/states/catalogue.ts'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import type { WireProviderState } from '../../../src/wire/pacts/provider-state.ts'
import { inSandbox, openShop } from '../../support/control.ts'
import { ask, PATH, setUp, subscription, tearDown, tryUp } from '../../support/provider-states.ts'

const NOW = '2027-01-01T00:00:00.000Z'

describe('the catalogue', () => {
  it('lists every state; its example can be sent, and it can be set up without params and taken in again', async () => {
    const shop = await openShop()
    const { body } = await shop.get<{ data: WireProviderState[] }>(PATH)
    expect(body.data.map(({ name }) => name)).toEqual([...providerStates.keys()])
    for (const { name, description, params, example } of body.data) {
      expect(description, name).toMatch(/[.]$/)
      expect(params, name).toMatchObject({ type: 'object', additionalProperties: false })
      expect(await setUp(shop, example.state, example.params), name).toMatchObject({
        sandbox_id: 'default',
        api_key: 'sk_sandbox_default',
        now: expect.any(String),
      })
      await tearDown(shop)
      await setUp(shop, name)
      expect((await shop.get('/sandbox/audit')).body, name).toMatchObject({ ok: true })
      const { body: json } = await shop.get('/sandbox/state')
      expect((await shop.call('PUT', '/sandbox/state', { json })).status, name).toBe(200)
    }
    expect(shop.log).toEqual([])
  })

  it('is for the six documented operations', () => {
    const operations = [...providerStates.values()].flatMap((state) => state.operations)
    expect([...new Set(operations)]).toEqual(v1Operations.map(({ operationId }) => operationId))
  })
})

describe('the protocol', () => {
  const state = 'a subscription exists'
  const params = { subscription_id: 'sub_abc', trial_period_days: 7, cancel_at_period_end: true }
  const query = new URLSearchParams({
    state,
    subscription_id: 'sub_abc',
    trial_period_days: '7',
    cancel_at_period_end: 'true',
  })

  it.each([
    ['of today', PATH, { action: 'setup', state, params }],
    ['without an action', PATH, { state, params }],
    ['of older verifiers', PATH, { consumer: 'web', state, states: [state], params }],
    ['with a list alone', PATH, { consumer: 'web', state: null, states: [state], params }],
    ['with members of its own', PATH, { action: 'setup', state, params, provider: 'x', id: 7 }],
    ['in a query', `${PATH}?${query}&action=setup`, undefined],
    ['in a query without an action', `${PATH}?${query}`, undefined],
  ])('takes a setup %s', async (_, path, json) => {
    const shop = await openShop()
    const { status, body } = await shop.post(path, json)
    expect({ status, body }).toMatchObject({ status: 200, body: { subscription_id: 'sub_abc' } })
    expect(await subscription(shop, 'sub_abc')).toMatchObject({
      trial_period_days: 7,
      cancel_at_period_end: true,
    })
  })

  it.each([
    ['in a body', PATH, { action: 'teardown', state, params }],
    ['in a query', `${PATH}?${query}&action=teardown`, undefined],
    ['of a state that nobody knows', PATH, { action: 'teardown', state: 'nonsense' }],
    ['without a state', PATH, { action: 'teardown' }],
  ])('takes a teardown %s, and returns to the fixture of the sandbox', async (_, path, json) => {
    const shop = await openShop({ fixture: 'dunning' })
    const before = await shop.get('/sandbox/subscriptions')
    await setUp(shop, state, params)
    expect(await shop.post(path, json)).toMatchObject({ status: 200, body: {} })
    expect((await shop.get('/sandbox/subscriptions')).text).toBe(before.text)
  })

  it('sets several states of one list up in order, each with the params that it knows', async () => {
    const shop = await openShop()
    const states = [state, 'the trial ends in N days']
    const shared = { subscription_id: 'sub_abc', status: 'trialing', days: 5 }
    const answer = await shop.post(PATH, { state, states, params: shared })
    expect(answer).toMatchObject({ status: 200, body: { now: '2027-01-10T00:00:00.000Z' } })
  })

  it.each([PATH, `${PATH}?action=setup&state=`])(
    'takes an interaction without a state for a clean start: %s',
    async (path) => {
      const shop = await openShop({ fixture: 'dunning' })
      const json = path === PATH ? { action: 'setup', state: '', params: {} } : undefined
      expect((await shop.post(path, json)).status).toBe(200)
      expect((await shop.get('/sandbox/customers/cus_ada')).status).toBe(200)
    },
  )
})

describe('a refusal', () => {
  it.each([
    ['an active subscripton exist', 'an active subscription exists'],
    ['the trial ends in 3 weeks', 'the trial ends in {days} days'],
    ['A coupon is expired', 'a coupon is expired'],
    ['', ''],
  ])('of the unknown state "%s" suggests "%s"', async (text, nearest) => {
    const shop = await openShop()
    const before = await shop.state()
    const { status, body } = await tryUp(shop, `${text}!`)
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
    expect(body.detail).toContain(nearest)
    expect(body.detail).toContain('GET /sandbox/provider-states')
    expect(await shop.state()).toBe(before)
  })

  it.each([
    [
      'a subscription exists',
      { color: 'red' },
      'params.color is not a known field; fields: subscription_id',
    ],
    ['a subscription exists', { status: 'live' }, 'params.status must be one of trialing, active'],
    ['a subscription exists', { subscription_id: '' }, 'params.subscription_id must be 1 to 64'],
    ['a subscription exists', { coupon_id: 'A', coupon_ids: ['B'] }, 'params.coupon_ids must be'],
    ['a subscription exists', { trial_period_days: '7' }, 'got "7"'],
    [
      'the trial ends in N days',
      { days: 0 },
      'params.days must be an integer from 1 to 730; got 0',
    ],
    [
      'the trial ends in three days',
      {},
      'params.days must be an integer from 1 to 730; got "three"',
    ],
    [
      'the trial ends in 3 days',
      { days: 4 },
      'params.days must be 3, as the text of the state says, or absent; got 4',
    ],
    ['a canceled subscription exists', { status: 'active' }, 'params.status must be "canceled"'],
    ['the virtual time is noon', {}, 'params.at must be an RFC 3339 instant'],
    [
      'the next payment fails',
      { subscription_id: 'a', customer_id: 'b' },
      'without subscription_id',
    ],
    ['a coupon exists', { coupon_id: 'X', value: 150 }, 'params.value must be a percent above 0'],
    ['a coupon exists', { duration: 'repeating' }, 'params.duration_in_months is missing'],
    ['a coupon exists', { type: 'percentage', currency: 'USD' }, 'for a fixed coupon only'],
    ['a plan exists', { amount: 9.5 }, 'params.amount must be an integer from 0'],
    [
      'a customer exists',
      { payment_method: 'cash' },
      'params.payment_method must be valid or none',
    ],
    [
      'the sandbox is empty',
      { really: true },
      'params.really is not a known field; there are no fields here',
    ],
    ['a refresh token is fresh', { refresh_token: 'two words' }, 'a value that is not shown'],
  ])('of "%s" with %j names the rule, and changes nothing', async (state, params, text) => {
    const shop = await openShop()
    await setUp(shop, 'a subscription exists', { subscription_id: 'sub_abc' })
    const before = await shop.state()
    const { status, body } = await tryUp(shop, state, params)
    expect(status).toBe(400)
    expect(body.detail).toContain(text)
    expect(body.errors?.[0]?.field).toMatch(/^params\./)
    expect(await shop.state()).toBe(before)
  })

  it.each([
    [{ params: {} }, '', 'state is missing'],
    [{ state: 7 }, '', 'state must be a text'],
    [{ state: 'a plan exists', action: 'destroy' }, '', 'action must be setup or teardown'],
    [{ state: 'a plan exists', params: [] }, '', 'params must be an object'],
    [{ state: 'a plan exists' }, '?state=a+plan+exists', 'state must be in the query or in'],
    [{ state: 'a plan exists' }, '?plan_id=x', 'plan_id is not a known parameter'],
    [undefined, '?state=a+plan+exists&colour=red', 'colour is not a known field'],
    [undefined, '?state=the+trial+ends+in+N+days&days=soon', 'days must be an integer'],
    [
      { states: ['a plan exists', 'a coupon exists'], params: { x: 1 } },
      '',
      'params.x is not a param of this state',
    ],
  ])('of the body %j with the query "%s" is 400', async (json, query, text) => {
    const shop = await openShop()
    const before = await shop.state()
    const { status, body } = await shop.post<WireProblem>(`${PATH}${query}`, json)
    expect(status).toBe(400)
    expect(body.detail).toContain(text)
    expect(await shop.state()).toBe(before)
  })

  it('of the second of two states leaves the first as it was', async () => {
    const shop = await openShop()
    const before = await shop.state()
    const states = ['a paused subscription exists', 'the period ends now']
    const { status } = await shop.post(PATH, { states })
    expect(status).toBe(409)
    expect(await shop.state()).toBe(before)
  })
})

describe('interactions', () => {
  it('begin with the starter, whatever the sandbox was made from, and keep its settings', async () => {
    const settings = { after_retries: 'keep_past_due', paused_status_name: 'on_hold' }
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/mine', { json: { fixture: 'dunning', settings } })
    const mine = inSandbox(shop, 'mine')
    await mine.call('PATCH', '/sandbox/settings', { json: { after_retries: 'cancel' } })
    const values = await setUp(mine, 'a paused subscription exists')
    expect(values).toMatchObject({ sandbox_id: 'mine', api_key: 'sk_sandbox_mine', now: NOW })
    expect((await mine.get('/sandbox/settings')).body).toMatchObject(settings)
    expect(await subscription(mine, 'sub_000001')).toMatchObject({ status: 'on_hold' })
    await tearDown(mine)
    expect((await mine.get('/sandbox')).body).toMatchObject({ now: '2027-02-03T12:00:00.000Z' })
    expect((await shop.get('/sandbox')).body).toMatchObject({ counts: { subscriptions: 0 } })
  })

  it('add states up that follow each other, also when reads come between', async () => {
    const shop = await openShop()
    await setUp(shop, 'a subscription exists', { subscription_id: 'sub_one' })
    await shop.get('/sandbox/subscriptions')
    await shop.app.request('/health/live')
    await setUp(shop, 'a subscription exists', { subscription_id: 'sub_two' })
    expect((await shop.get('/sandbox')).body).toMatchObject({ counts: { subscriptions: 2 } })
  })

  it.each([
    ['the request of the consumer', 'POST /v1/subscriptions/sub_one/pause', 200],
    ['a request of the consumer that is refused', 'GET /v1/subscriptions', 405],
    ['a change on the control plane', 'POST /sandbox/clock/advance', 400],
    ['a teardown', `POST ${PATH}?action=teardown`, 200],
    ['a setup that is refused', `POST ${PATH}?state=nonsense`, 404],
  ])('start clean after %s', async (_, line, status) => {
    const shop = await openShop()
    await setUp(shop, 'a subscription exists', { subscription_id: 'sub_one' })
    const headers = { Authorization: 'Bearer sk_sandbox_default' }
    const [method = '', path = ''] = line.split(' ')
    expect((await shop.call(method, path, { headers })).status).toBe(status)
    await setUp(shop, 'a subscription exists', { subscription_id: 'sub_two' })
    expect((await shop.get('/sandbox/subscriptions')).body).toMatchObject({
      data: [{ subscription_id: 'sub_two' }],
    })
  })

  it('give the same bytes when they are replayed', async () => {
    const shop = await openShop()
    const play = async () => {
      await tearDown(shop)
      await setUp(shop, 'a subscription exists', { status: 'past_due', coupon_id: 'SAVE20' })
      await setUp(shop, 'the trial ends in N days', { subscription_id: 'sub_trial', days: 2 })
      await ask(shop, '/sub_trial/cancel', { at_period_end: true })
      return shop.state()
    }
    const first = await play()
    await ask(shop, '', { customer_id: 'cus_ada', plan: 'basic' })
    expect(await play()).toBe(first)
  })

  it('stand still, also in a sandbox whose clock runs, which runs on after the teardown', async () => {
    const shop = await openShop({ startsRunning: true })
    expect((await shop.get('/sandbox/clock')).body).toMatchObject({ mode: 'running' })
    await setUp(shop, 'the trial ends tomorrow')
    expect((await shop.get('/sandbox/clock')).body).toMatchObject({ mode: 'frozen', now: NOW })
    await tearDown(shop)
    expect((await shop.get('/sandbox/clock')).body).toMatchObject({ mode: 'running' })
  })

  it('name their states in their events', async () => {
    const shop = await openShop()
    await setUp(shop, 'a plan exists', { plan_id: 'team' })
    expect((await shop.get('/sandbox/events')).body).toMatchObject({
      data: [{ type: 'sandbox.reset', detail: { provider_states: 'a plan exists' } }],
    })
  })

  it.each([
    ['starter', 'a plan exists', {}],
    ['dunning', 'the fixture NAME is loaded', { fixture: 'dunning' }],
  ])('begins with an event that names the fixture %s, not that of the sandbox', async (...is) => {
    const [fixture, state, params] = is
    const shop = await openShop({ fixture: 'empty' })
    await setUp(shop, state, params)
    const reset = (await shop.get('/sandbox/events?type=sandbox.reset')).body
    expect(reset).toMatchObject({ data: [{ detail: { fixture, provider_states: state } }] })
  })
})
