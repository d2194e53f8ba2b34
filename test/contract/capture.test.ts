/** What is made of the calls of an application's tests: states, requests and expectations, without the Pact core. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { differencesFrom, pactOf, startCapture } from '../../src/provider/capture/capture.ts'
import {
  ada,
  advance,
  basic,
  type Call,
  captured,
  create,
  on,
  pactIn,
  pro,
  sandbox,
  saved,
  serving,
  subscribed,
} from '../support/captured-calls.ts'

const trial = { status: 'trialing', trial_period_days: 14 }
const none = { trial_period_days: 0 }
const trialing = create({ trial_period_days: 14 })
const aDay = create({ trial_period_days: 1 })
const saving: Call = { path: on('apply-coupon'), form: { coupon_id: 'SAVE20' } }
const ending: Call = { path: on('cancel'), form: { at_period_end: 'true' } }
const pausing: Call = { path: on('pause') }
const updating = (plan: string): Call => ({ path: on('update'), form: { plan } })
const [customer_id, reason] = ['cus_ada', 'card_declined']
const failing = sandbox('payment-outcomes', { customer_id, outcomes: [reason] })
const alwaysFailing = sandbox('payment-outcomes', { customer_id, always: reason })
const declined = {
  name: 'the next payment fails',
  params: { reason: 'card_declined', customer_id: 'cus_example' },
}

/** Calls, of which the last is recorded; what it is called, and its states. */
const cases: readonly (readonly [string, readonly Call[], readonly object[]])[] = [
  ['creates a subscription to the plan basic', [create()], [ada, basic]],
  ['creates a subscription to the plan basic with a trial of 14 days', [trialing], [ada, basic]],
  ['creates a subscription to the plan basic with a trial of 1 day', [aDay], [ada, basic]],
  [
    'creates a subscription to the plan basic, with JSON',
    [{ path: '/v1/subscriptions', json: create().form }],
    [ada, basic],
  ],
  ['creates a subscription to the plan basic', [failing, create()], [ada, basic, declined]],
  ['creates a subscription to the plan basic', [alwaysFailing, create()], [ada, basic, declined]],
  [
    'moves an active subscription to the plan pro',
    [create(), updating('pro')],
    [basic, pro, subscribed()],
  ],
  [
    'moves a trialing subscription to the plan pro',
    [trialing, advance('P11D'), updating('pro')],
    [
      ...[basic, pro, subscribed(trial)],
      { name: 'the trial ends in N days', params: { days: 3, subscription_id: 'sub_example' } },
    ],
  ],
  ['pauses an active subscription', [create(), pausing], [basic, subscribed()]],
  [
    'pauses an active subscription with the coupon SAVE20',
    [create(), saving, pausing],
    [basic, saved, subscribed({ coupon_id: 'SAVE20' })],
  ],
  [
    'cancels a past due subscription',
    [create(), alwaysFailing, ...[advance('P1M'), { path: on('cancel') }]],
    [basic, subscribed({ status: 'past_due' })],
  ],
  [
    'cancels an active subscription that ends with its period at the end of its period',
    [create(), ending, ending],
    [basic, subscribed({ cancel_at_period_end: true })],
  ],
  [
    'applies the coupon SAVE20 to a trialing subscription',
    [trialing, saving],
    [basic, subscribed(trial), saved],
  ],
  [
    'refuses to apply the coupon EXPIRED to an active subscription: coupon_expired',
    [create(), { ...saving, form: { coupon_id: 'EXPIRED' } }],
    [basic, subscribed(), { name: 'a coupon is expired', params: { coupon_id: 'EXPIRED' } }],
  ],
  [
    'pauses an active subscription',
    [trialing, advance('P20D'), pausing],
    [basic, subscribed({ trial_period_days: 14 })],
  ],
  ['pauses an active subscription', [create(none), pausing], [basic, subscribed(none)]],
  [
    'cancels an active subscription',
    [create({ plan: 'pro' }), updating('basic'), { path: on('cancel') }],
    [pro, basic, subscribed({ plan: 'pro', pending_plan: 'basic' })],
  ],
  [
    'refuses to apply the coupon ONCE to an active subscription: coupon_exhausted',
    [
      sandbox('coupons', { ...saved.params, coupon_id: 'ONCE', max_redemptions: 1 }),
      ...[create(), { ...saving, form: { coupon_id: 'ONCE' } }],
      ...[create(), { path: on('apply-coupon', 'sub_000002'), form: { coupon_id: 'ONCE' } }],
    ],
    [basic, subscribed(), { name: 'a coupon is exhausted', params: { coupon_id: 'ONCE' } }],
  ],
  [
    'refuses to create a subscription to the plan basic: currency_mismatch',
    [
      sandbox('customers', { customer_id: 'cus_euro', currency: 'EUR', payment_method: 'none' }),
      create({ customer_id: 'cus_euro' }),
    ],
    [{ ...ada, params: { ...ada.params, currency: 'EUR', payment_method: 'none' } }, basic],
  ],
  [
    'refuses to pause a paused subscription: invalid_transition',
    [create(), pausing, pausing],
    [basic, subscribed({ status: 'paused' })],
  ],
  [
    'refuses to pause a subscription that does not exist: not_found',
    [{ path: on('pause', 'sub_000009') }],
    [],
  ],
]

let again: Awaited<ReturnType<typeof serving>>
beforeAll(async () => {
  again = await serving()
})
afterAll(() => again.close())

it.each(cases)('%s: names the states that lead to the same answer', async (name, calls, states) => {
  const { interactions } = await captured(calls)
  const found = interactions().filter(({ description }) => description === name)
  const [read] = pactIn(found)
  expect(read?.states).toEqual(states)
  await again.call(sandbox('provider-states', { action: 'teardown' }))
  for (const { name: state, params } of read?.states ?? []) {
    expect((await again.call(sandbox('provider-states', { state, params }))).status).toBe(200)
  }
  const { path = '', headers = [], body = '' } = read?.request ?? {}
  const form = read?.request.headers.some(([, value]) => value.includes('form'))
  const sent = form ? { form: Object.fromEntries(new URLSearchParams(body ?? '')) } : {}
  const json = form || body === null ? {} : { json: JSON.parse(body) }
  const answer = await again.call({ path, headers: Object.fromEntries(headers), ...sent, ...json })
  const given = { status: answer.status, body: await answer.text() }
  expect(found.map((each) => differencesFrom(each, given))).toEqual([[]])
})

it('says what became of a refresh token, and where an access token stands for the key', async () => {
  const capture = startCapture('assumed')
  const { call, close } = await serving(capture.note)
  const login = async () =>
    (await (await call(sandbox('tokens', {}))).json()) as Readonly<Record<string, string>>
  const refresh = async ({ refresh_token = '' }: Readonly<Record<string, string>>) => {
    const headers = { Authorization: `Bearer ${refresh_token}` }
    const answer = await call({ path: '/v1/auth/refresh', json: { refresh_token }, headers })
    return (await answer.json()) as Readonly<Record<string, string>>
  }
  const [old, revoked, used] = [await login(), await login(), await login()]
  const { access_token } = await refresh(used)
  await call({ ...create(), headers: { Authorization: `Bearer ${access_token}` } })
  await refresh(used)
  await call(sandbox('tokens/revoke', { refresh_token: revoked['refresh_token'] }))
  await refresh(revoked)
  await call(advance('P1Y'))
  await refresh(old)
  await close()
  const found = pactIn(capture.interactions())
  expect(found.map(({ description, states }) => [description, states.at(-1)?.name])).toEqual([
    ['creates a subscription to the plan basic', 'a refresh token is fresh'],
    ['exchanges a refresh token that is fresh', 'a refresh token is fresh'],
    ...['already used', 'expired', 'revoked'].map((how) => [
      `refuses to exchange a refresh token that is ${how}: invalid_grant`,
      `a refresh token is ${how}`,
    ]),
  ])
  expect(found[0]?.written.request).toMatchObject({
    generators: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the expression of a generator.
      header: { Authorization: { expression: 'Bearer ${access_token}' } },
    },
  })
})

it('is one interaction for calls that are alike, whoever they are for and whatever was counted', async () => {
  const bob = { customer_id: 'cus_linus' }
  const { calls, interactions } = await captured([create(), create(bob), create({ plan: 'pro' })])
  expect(calls()).toBe(3)
  expect(interactions().map(({ description }) => description)).toEqual([
    'creates a subscription to the plan basic',
    'creates a subscription to the plan pro',
  ])
})

it('writes the same bytes for the same calls in another order, at another time', async () => {
  const some = [create(), { path: on('pause') }, trialing, { path: on('cancel', 'sub_000002') }]
  const others = [
    ...[advance('P40D'), trialing, { path: on('cancel') }],
    ...[create(), { path: on('pause', 'sub_000002') }],
  ]
  const [one = '', other] = await Promise.all(
    [some, others].map(async (calls) =>
      pactOf('shop', 'subscription-service', (await captured(calls)).interactions()),
    ),
  )
  expect(one.match(/"description"/g)).toHaveLength(4)
  expect(other).toBe(one)
})

it('numbers what is called the same and is not the same', async () => {
  const { interactions } = await captured([create(), failing, create()])
  expect(pactIn(interactions()).map(({ description }) => description)).toEqual([
    'creates a subscription to the plan basic',
    'creates a subscription to the plan basic (2)',
  ])
})

it('expects what the interface documents, by type, and constants as they are', async () => {
  const capture = startCapture('documented')
  const { call, close } = await serving(capture.note)
  const login = await call(sandbox('tokens', {}))
  const { refresh_token: token } = (await login.json()) as { refresh_token: string }
  const refresh = (headers: Readonly<Record<string, string>>) =>
    call({ path: '/v1/auth/refresh', json: { refresh_token: token }, headers })
  await refresh({ Authorization: `Bearer ${token}` })
  await refresh({})
  await call(trialing)
  await close()
  const pact = pactOf('shop', 'subscription-service', capture.interactions())
  expect(pact).not.toContain(token)
  const all = (...matchers: object[]) => ({ combine: 'AND', matchers })
  const [byType, integer] = [all({ match: 'type' }), all({ match: 'integer' })]
  const status = (one: unknown) => ({ $: all({ match: 'statusCode', status: one }) })
  const responses = pactIn(capture.interactions()).map(({ written }) => written.response)
  expect(responses).toMatchObject([
    {
      status: 200,
      matchingRules: {
        body: { '$.customer_id': byType, '$.plan': byType, '$.trial_period_days': integer },
        status: status('success'),
      },
    },
    { matchingRules: { body: { '$.access_token': byType, '$.expires_in': integer } } },
    { matchingRules: { body: { '$.message': byType }, status: status([400, 401, 403]) } },
  ])
  expect(responses.map((each) => (each as { body: { content: object } }).body.content)).toEqual([
    { customer_id: 'cus_example', plan: 'basic', trial_period_days: 14 },
    { access_token: 'an-example-access-token', token_type: 'Bearer', expires_in: 3600 },
    { error: 'unauthorized', message: expect.any(String) },
  ])
})

it('knows a form by its type, whatever its case', async () => {
  const type = { 'Content-Type': 'Application/X-WWW-Form-Urlencoded' }
  const headers = { Authorization: 'Bearer sk_sandbox_default', ...type }
  const found = pactIn((await captured([{ ...create(), headers }])).interactions())
  expect(found[0]?.request.body).toBe('customer_id=cus_example&plan=basic')
})

it('writes no rule for a field whose name is in no path of the core', async () => {
  const json = { plan: 'basic', 'a b': '1', 'items[0]': '2', "it's": '3', '': '4' }
  const { interactions } = await captured([{ path: '/v1/subscriptions', json }])
  const rules = Object(pactIn(interactions())[0]?.written.request).matchingRules
  expect(Object.keys(rules.body)).toEqual(['$.plan'])
})

it('lists what is in no pact, and why', async () => {
  const match = { operation: 'pauseSubscription' }
  const fault = sandbox('faults', { effect: { status: 503 }, match })
  const nowhere = { path: '/v1/invoices', form: {} }
  const calls = [create(), { ...saving, form: { coupon_id: 'EXPIRED' } }, fault, pausing, nowhere]
  const { interactions, leftOut } = await captured(calls, 'documented')
  expect(interactions()).toHaveLength(1)
  expect(leftOut()).toEqual([
    { what: 'POST /v1/invoices', why: 'the interface has no such operation' },
    {
      what: expect.stringMatching(/^(refuses to )?pauses? an active/),
      why: 'a fault shaped the answer',
    },
    {
      what: 'refuses to apply the coupon EXPIRED to an active subscription: coupon_expired',
      why: expect.stringContaining('no errors of this operation'),
    },
  ])
})

it('notices in which fields another answer differs, but for what is another one each time', async () => {
  const [pause] = (await captured([create(), pausing])).interactions().slice(-1)
  if (!pause) throw new Error('Nothing was recorded')
  const answer = (fields: object, status = 200) => {
    const body = JSON.stringify({ ...Object(pause.answers[0]?.body), ...fields })
    return differencesFrom(pause, { status, body })
  }
  expect(answer({ created_at: '2031-02-03T04:05:06.000Z', subscription_id: 'sub_7' })).toEqual([])
  expect(answer({ plan: 'pro' })).toEqual(['plan'])
  expect(answer({}, 409)).toEqual(['HTTP status'])
})
