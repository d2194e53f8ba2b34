import { expect, it } from 'vitest'
import * as z from 'zod'
import {
  type AssumptionSlug,
  assumptions,
  initialSettings,
  settingAssumptions,
  settingName,
  settingsInForce,
  variableSlugs,
} from '../../../src/assumptions/register.ts'
import { documentedOperationIds } from '../../../src/assumptions/surface.ts'
import { documentedWrites } from '../../../src/operations/v1.ts'
import { WireSubscription } from '../../../src/wire/billing/subscription.ts'
import { WireSettings } from '../../../src/wire/sandbox/settings.ts'
import { openShop, type Shop } from '../../support/control.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }
const order = { customer_id: 'cus_ada', plan: 'basic' }
const CREATE = '/v1/subscriptions'
const ONE = `${CREATE}/sub_000001`

/** A sandbox with one subscription that from then on varies something. */
async function varying(...vary: AssumptionSlug[]): Promise<Shop> {
  const shop = await openShop()
  await send(shop, CREATE, order)
  const changed = await shop.call('PATCH', '/sandbox/settings', { json: { vary } })
  expect(changed).toMatchObject({ status: 200, body: { vary } })
  return shop
}

/** A sandbox with one subscription and, from then on, other settings. */
async function set(settings: object): Promise<Shop> {
  const shop = await varying()
  const changed = await shop.call('PATCH', '/sandbox/settings', { json: settings })
  expect(changed).toMatchObject({ status: 200, body: settings })
  return shop
}

interface Form {
  readonly headers?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

/** A call as a client sends it; what is answered is on purpose not what the document describes. */
async function send(shop: Shop, path: string, { headers = key, ...form }: Form = {}) {
  const body = new URLSearchParams(
    Object.entries(form).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const sent = body.size === 0 ? {} : { body }
  const answer = await shop.app.request(path, { method: 'POST', headers, ...sent })
  const read = (await answer.json()) as Readonly<Record<string, unknown>>
  return { status: answer.status, body: read, headers: answer.headers }
}

const leaned = ({ headers }: { readonly headers: Headers }) => {
  return headers.get('Sandbox-Assumptions')?.split(', ') ?? []
}

it('answers 201 where the status of success is varied, and says that the answer rests on it', async () => {
  const paused = await send(await varying('success-status'), `${ONE}/pause`)
  expect(paused).toMatchObject({ status: 201, body: { status: 'paused' } })
  expect(leaned(paused)).toContain('success-status')
})

it('answers each operation with its own status of success, and the others with the one of all others', async () => {
  const own = ['createSubscription=201', 'pauseSubscription=202']
  const shop = await set({ success_status: own })
  expect((await send(shop, CREATE, order)).status).toBe(201)
  expect((await send(shop, `${ONE}/pause`)).status).toBe(202)
  expect((await send(shop, `${ONE}/cancel`)).status).toBe(200)
  const other = await set({ success_status: ['202', 'cancelSubscription=200'] })
  expect((await send(other, `${ONE}/update`, { plan: 'pro' })).status).toBe(202)
  expect((await send(other, `${ONE}/update`, { plan: 'none' })).status).toBe(404)
  expect((await send(other, `${ONE}/cancel`)).status).toBe(200)
})

it.each([
  ['a status that has no record', ['204']],
  ['a refusal', ['createSubscription=409']],
  ['an operation whose success the interface states', ['refreshToken=201']],
  ['two statuses of one operation', ['applyCoupon=201', 'applyCoupon=202']],
  ['two statuses of all others', ['201', '202']],
])('does not answer with %s', async (_, success_status) => {
  const shop = await openShop()
  const answer = await shop.call('PATCH', '/sandbox/settings', { json: { success_status } })
  expect(answer.status).toBe(400)
  expect(JSON.stringify(answer.body)).toMatch(/200, 201/)
})

it('can give every operation on subscriptions a status of its own, and no other operation', () => {
  expect(documentedWrites.map(({ operationId }) => operationId)).toEqual(documentedOperationIds)
})

it('writes a subscription record under other names, in an envelope, with instants in seconds', async () => {
  const shop = await set({
    subscription_fields: ['subscription_id=id', 'status=state', 'epoch_seconds', 'envelope=data'],
  })
  const { body } = await send(shop, `${ONE}/update`, { plan: 'pro' })
  const { data } = body as { data: object }
  expect(Object.keys(body)).toEqual(['data'])
  expect(data).toMatchObject({
    id: 'sub_000001',
    state: 'active',
    created_at: 1_798_761_600,
    canceled_at: null,
  })
  expect(data).not.toHaveProperty('subscription_id')
  const refused = await send(shop, `${ONE}/update`, { plan: 'none' })
  expect(Object.keys(refused.body)).toEqual(['error', 'message'])
})

it.each([
  ['a field that the interface shows', ['plan=price']],
  ['a name that another field has', ['subscription_id=plan']],
  ['one name for two fields', ['subscription_id=id', 'status=id']],
  ['two names for one field', ['status=state', 'status=phase']],
  ['no name', ['status=']],
])('does not write a subscription record with %s', async (_, subscription_fields) => {
  const shop = await openShop()
  const answer = await shop.call('PATCH', '/sandbox/settings', { json: { subscription_fields } })
  expect(answer.status).toBe(400)
})

it('writes the statuses as the document does', async () => {
  const shop = await varying('status-names')
  expect((await send(shop, `${ONE}/cancel`)).body['status']).toBe('Canceled')
  expect((await send(shop, CREATE, { ...order, trial_period_days: 14 })).body['status']).toBe(
    'Trialing',
  )
})

it('leaves out what the document does not name, and adds a field of its own', async () => {
  const answer = await send(await varying('subscription-fields'), `${ONE}/update`, { plan: 'pro' })
  expect(answer.body).toEqual({
    subscription_id: 'sub_000001',
    customer_id: 'cus_ada',
    plan: 'pro',
    object: 'subscription',
  })
})

it('puts an error into another envelope, under another status and code', async () => {
  const refused = await send(await varying('error-envelope', 'error-codes'), `${ONE}/update`, {
    plan: 'none',
  })
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ reason: 'NOT_FOUND', text: expect.stringContaining('none') }] },
  })
  expect(leaned(refused)).toEqual(expect.arrayContaining(['error-codes', 'error-envelope']))
})

it('keeps the documented errors of a refresh, and swaps the statuses that are left open', async () => {
  const shop = await varying('refresh-error-statuses', 'error-envelope', 'error-codes')
  const refused = await send(shop, '/v1/auth/refresh', { headers: {} })
  expect(refused).toMatchObject({ status: 400, body: { error: 'unauthorized' } })
})

it('takes forms alone where JSON is not documented', async () => {
  const shop = await varying('json-bodies')
  const json = (path: string, body: object) => {
    const headers = { ...key, 'Content-Type': 'application/json' }
    return shop.app.request(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  expect((await json(`${ONE}/update`, { plan: 'pro' })).status).toBe(415)
  expect((await json(CREATE, order)).status).toBe(200)
  expect((await send(shop, `${ONE}/update`, { plan: 'pro' })).status).toBe(200)
})

it('lets a subscription end with its period where a cancellation does not say when', async () => {
  const shop = await varying('immediate-cancel-parameter')
  const canceled = await send(shop, `${ONE}/cancel`)
  expect(canceled.body).toMatchObject({ status: 'active', cancel_at_period_end: true })
  expect(leaned(canceled)).toContain('immediate-cancel-parameter')
})

it.each([
  {
    slug: 'trial-period-bounds',
    path: CREATE,
    form: { ...order, trial_period_days: 91 },
    expected: { status: 400, body: { error: 'invalid_request' } },
  },
  {
    slug: 'coupon-refusals',
    path: `${ONE}/apply-coupon`,
    form: { coupon_id: 'EXPIRED' },
    expected: { status: 422, body: { error: 'coupon_refused' } },
  },
] as const)('refuses otherwise what rests on $slug', async ({ slug, path, form, expected }) => {
  const shop = await varying(slug)
  await shop.post('/sandbox/coupons', {
    coupon_id: 'EXPIRED',
    type: 'percentage',
    value: 10,
    expires_at: '2020-01-01T00:00:00Z',
  })
  const refused = await send(shop, path, form)
  expect(refused).toMatchObject(expected)
  expect(leaned(refused)).toContain(slug)
})

it('answers 404 to another method', async () => {
  const shop = await varying('method-not-allowed')
  const answer = await shop.app.request(CREATE, { headers: key })
  expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'not_found' }])
  expect(answer.headers.get('Allow')).toBeNull()
})

it('refuses an access token in place of the key, and the token is good all the same', async () => {
  const shop = await varying('access-tokens-on-subscription-calls')
  const { body } = await shop.post<{ access_token: string }>('/sandbox/tokens', {})
  const token = { Authorization: `Bearer ${body.access_token}` }
  expect((await send(shop, `${ONE}/pause`, { headers: token })).status).toBe(401)
  await shop.call('PATCH', '/sandbox/settings', { json: { vary: [] } })
  expect((await send(shop, `${ONE}/pause`, { headers: token })).status).toBe(200)
})

it('goes by another value of a setting, and leaves what was chosen as it is', async () => {
  const shop = await varying('paused-status-name')
  expect((await send(shop, `${ONE}/pause`)).body['status']).toBe('on_hold')
  expect((await shop.get('/sandbox/settings')).body).toMatchObject({ paused_status_name: 'paused' })
})

it('has another value for every setting, whichever was chosen', () => {
  const all = settingsInForce({ ...initialSettings, vary: [...variableSlugs] })
  for (const { slug } of settingAssumptions) {
    const name = settingName(slug)
    expect(all[name], slug).not.toEqual(initialSettings[name])
    expect(settingsInForce(all)[name], slug).toEqual(initialSettings[name])
  }
})

it('changes nothing that an answer does not rest on, nor the control plane', async () => {
  const shop = await varying(...variableSlugs)
  const created = await shop.post('/sandbox/products', { name: 'Another' })
  expect(created.status).toBe(201)
  expect((await shop.get('/sandbox/subscriptions/sub_000001')).body).toMatchObject({
    status: 'active',
    current_period_start: expect.any(String),
  })
})

it('survives an export and an import', async () => {
  const shop = await varying('success-status')
  const state = JSON.parse(await shop.state())
  const other = await openShop()
  await other.call('PUT', '/sandbox/state', { json: state })
  expect((await send(other, `${ONE}/pause`)).status).toBe(201)
})

it('says how each can be decided otherwise', async () => {
  const { body } = await (await openShop()).get<{ data: { slug: string; otherwise: unknown }[] }>(
    '/sandbox/assumptions?limit=1000',
  )
  const told = body.data.filter(({ otherwise }) => otherwise !== null)
  expect(told.map(({ slug }) => slug)).toEqual(variableSlugs)
  for (const { slug, otherwise, choice } of assumptions) expect(otherwise, slug).not.toBe(choice)
})

it('refuses what cannot be varied, by name', async () => {
  const shop = await openShop()
  for (const slug of ['sucess-status', 'billing-calendar']) {
    const refused = await shop.call('PATCH', '/sandbox/settings', { json: { vary: [slug] } })
    expect(refused.status).toBe(400)
    const [problem] = (refused.body as { errors: { field: string; message: string }[] }).errors
    expect(problem?.field).toBe('vary[0]')
    expect(problem?.message).toMatch(/must be one of .*success-status.*got "/)
  }
})

it('can rename every field of a subscription that the interface does not show, and no other', () => {
  const { items } = z.toJSONSchema(WireSettings.shape.subscription_fields) as {
    items: { pattern: string }
  }
  const isTaken = (field: string) => new RegExp(items.pattern).test(`${field}=other`)
  const fields = Object.keys(WireSubscription.shape)
  expect(fields.filter((field) => !isTaken(field))).toEqual([
    'customer_id',
    'plan',
    'trial_period_days',
  ])
})

it('warns of no decision that the settings make otherwise', async () => {
  const owing = await set({ open_invoices_on_cancellation: 'uncollectible' })
  await send(owing, CREATE, { ...order, customer_id: 'cus_grace' })
  const ended = await send(owing, `${CREATE}/sub_000002/cancel`)
  expect(leaned(ended)).toContain('open-invoices-on-cancellation')
  expect(ended.headers.get('Sandbox-Warnings')).toMatch(/^cancel-without-refund="[^"]*"$/)
  const crediting = await varying('cancel-without-refund')
  const { headers } = await send(crediting, `${ONE}/cancel`)
  expect(headers.get('Sandbox-Warnings')).toBeNull()
})
