import { afterAll, beforeAll, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { connect, type Sandbox, type Schemas, startSandbox } from '../../src/index.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import { openReceiver, SECRET } from '../support/receiver.ts'

/** Every operation that the library called, by its id. */
const called = new Set<string>()
const operations = [...controlRoutes, ...v1Operations].map(({ operationId, method, path }) => {
  const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`)
  return { operationId, method: method.toUpperCase(), pattern, length: path.length }
})

let server: Sandbox
let sandbox: Sandbox

beforeAll(async () => {
  server = await startSandbox()
  sandbox = await connect(server.url, {
    fetch: (input, init) => {
      const request = new Request(input, init)
      note(request)
      return fetch(request)
    },
  })
})
afterAll(() => server.close())

/** Of paths that fit, the one without parameters is meant. */
function note({ method, url }: Request): void {
  const { pathname } = new URL(url)
  const fit = operations.filter((each) => each.method === method && each.pattern.test(pathname))
  const exact = fit.find(({ pattern }) => !pattern.source.includes('[^/]+')) ?? fit[0]
  if (exact !== undefined) called.add(exact.operationId)
}

it('makes, reads, changes and deletes what is sold and to whom', async () => {
  const { products, plans, customers, coupons, promotions } = sandbox
  await products.create({ product_id: 'prod_box', name: 'Box' })
  await plans.create({
    plan_id: 'box',
    product_id: 'prod_box',
    name: 'Box',
    amount: 500,
    currency: 'USD',
    interval: 'month',
  })
  await customers.create({ customer_id: 'cus_mine', name: 'Mine', email: 'mine@example.com' })
  await coupons.create({ coupon_id: 'HALF', type: 'percentage', value: 50, duration: 'once' })
  await promotions.create({ code: 'SUMMER', coupon_id: 'HALF' })
  expect((await plans.update('box', { name: 'Big box' })).name).toBe('Big box')
  expect((await products.update('prod_box', { name: 'Boxes' })).name).toBe('Boxes')
  expect((await customers.update('cus_mine', { name: 'Me' })).name).toBe('Me')
  expect((await coupons.update('HALF', { max_redemptions: 5 })).max_redemptions).toBe(5)
  expect((await promotions.update('SUMMER', { max_redemptions: 2 })).max_redemptions).toBe(2)
  for (const [records, id] of [
    [promotions, 'SUMMER'],
    [coupons, 'HALF'],
    [customers, 'cus_mine'],
    [plans, 'box'],
    [products, 'prod_box'],
  ] as const) {
    const before = await records.list()
    expect(before).toContainEqual(await records.get(id))
    await records.delete(id)
    expect(await records.list()).toHaveLength(before.length - 1)
  }
})

it('lives through a subscription, and explains what it cost', async () => {
  const { subscriptions, invoices, payments, clock } = sandbox
  const order = {
    customer_id: 'cus_ada',
    plan: 'basic',
    trial_period_days: 14,
    coupon_id: 'SAVE20',
  }
  const { subscription_id: id } = await subscriptions.create(order)
  expect(await clock.agenda()).not.toEqual([])
  await expect(clock.agenda({ subscription_id: [] })).rejects.toThrow('subscription_id is empty')
  expect((await clock.toNext()).to).toBe('2027-01-15T00:00:00.000Z')
  const [first] = await invoices.list({ subscription_id: id })
  expect(first).toMatchObject({ amount_due: 800, status: 'paid' })
  expect(await invoices.get(`${first?.invoice_id}`)).toEqual(first)
  expect((await invoices.explain(`${first?.invoice_id}`)).invoice).toEqual(first)
  expect((await subscriptions.update(id, { plan: 'pro' })).plan).toBe('pro')
  expect((await subscriptions.applyCoupon(id, { coupon_id: 'TAKE5' })).discounts).toHaveLength(1)
  expect(await subscriptions.forecast(id)).toHaveLength(12)
  await payments.fail({ subscription_id: id, times: 2, reason: 'insufficient_funds' })
  expect(await payments.list()).toHaveLength(1)
  const failed = await clock.until({ subscription_id: id, status: 'past_due' })
  expect(failed.stopped_because).toBe('condition_met')
  await payments.script({ subscription_id: id, always: 'card_declined' })
  await payments.remove({ subscription_id: id })
  await payments.clear()
  const [open] = await invoices.list({ status: 'open' })
  expect((await invoices.pay(`${open?.invoice_id}`)).status).toBe('paid')
  expect((await subscriptions.pause(id)).status).toBe('paused')
  expect((await subscriptions.resume(id)).status).toBe('active')
  expect((await subscriptions.cancel(id, { at_period_end: true })).cancel_at_period_end).toBe(true)
  expect((await subscriptions.removeScheduledCancellation(id)).access_until).toBeNull()
  expect((await subscriptions.cancel(id)).status).toBe('canceled')
  expect(await subscriptions.list({ status: 'canceled' })).toEqual([await subscriptions.get(id)])
})

it('sends forms on /v1, as the interface shows, and JSON for the refresh', async () => {
  const order = { customer_id: 'cus_linus', plan: 'basic' }
  const { response } = await sandbox.v1.POST('/v1/subscriptions', { body: order })
  expect(response.headers.get('Sandbox-Assumptions')).not.toMatch(/json-bodies|form-scalars/)
  const { refresh_token } = await sandbox.tokens.issue({ subject: 'ada' })
  const { data } = await sandbox.v1.POST('/v1/auth/refresh', { body: { refresh_token } })
  expect(data?.token_type).toBe('Bearer')
  const [family] = await sandbox.tokens.list()
  await sandbox.tokens.revoke({ family_id: `${family?.family_id}` })
})

it('goes back, goes on, and looks ahead', async () => {
  const { checkpoints, clock } = sandbox
  const before = await clock.now()
  await sandbox.checkpoint('here')
  await clock.to(new Date(Date.parse(before) + 86_400_000))
  expect((await checkpoints.get('here')).name).toBe('here')
  await using fork = await sandbox.fork({ checkpoint: 'here', settings: { strict: true } })
  expect(await fork.clock.now()).toBe(before)
  expect(fork.id).toMatch(/^default--[0-9a-f]{12}$/)
  expect((await checkpoints.restore('here')).now).toBe(before)
  await checkpoints.delete('here')
  expect(await checkpoints.list()).toEqual([])
  expect(await sandbox.exportFixture({ content: 'catalog' })).toHaveProperty('plans')
  const state = await sandbox.exportState()
  await clock.advance({ by: 'P1D', dry_run: true })
  expect(await clock.now()).toBe(before)
  expect((await sandbox.restoreState(state)).now).toBe(before)
  expect((await clock.set({ mode: 'running' })).mode).toBe('running')
  await clock.set({ mode: 'frozen' })
  const changes: Schemas['WhatIfChange'][] = [
    { operation: 'changePlan', params: { plan_id: 'basic' }, body: { amount: 1500 } },
  ]
  const { money } = await sandbox.whatIf({ for: 'P1Y', changes })
  expect(money).toBeDefined()
  const forecast = await sandbox.customers.forecast('cus_ada', { for: 'P1M' })
  expect(forecast).toEqual([])
})

it('breaks things, and looks at what happened', async () => {
  const { faults, events, requests, webhooks } = sandbox
  const { fault_id } = await faults.create({ effect: { status: 503 }, times: 1 })
  expect((await faults.get(fault_id)).fault_id).toBe(fault_id)
  await faults.delete(fault_id)
  await faults.clear()
  expect(await faults.list()).toEqual([])
  const hears = await openReceiver()
  const { webhook_id } = await webhooks.create({ url: hears.url, secret: SECRET })
  expect(await webhooks.list()).toHaveLength(1)
  await sandbox.v1.POST('/v1/subscriptions', { body: { customer_id: 'cus_ada', plan: 'pro' } })
  const { length: made } = await events.list({ type: 'subscription.created' })
  const first = await events.list({ subscription_id: ['sub_000001', 'sub_000002'] })
  expect(new Set(first.map(({ subject }) => subject.kind))).toEqual(
    new Set(['subscription', 'invoice']),
  )
  const stream = events.follow({ type: 'subscription.created', after: 0, limit: made })
  const event = (await taken(stream)).at(-1)
  const [request] = await requests.list({ operation_id: 'createSubscription' })
  const after = Number(request?.number) - 1
  expect(await taken(requests.follow({ after, limit: 1 }))).toEqual([request])
  expect(event?.type).toBe('subscription.created')
  expect(request?.answer.status).toBe(200)
  expect(await events.list({ type: 'subscription.created' })).toContainEqual(event)
  const [delivery] = await webhooks.deliveries()
  await webhooks.redeliver(`${delivery?.delivery_id}`).catch(() => null)
  expect((await webhooks.get(webhook_id)).webhook_id).toBe(webhook_id)
  await webhooks.delete(webhook_id)
  const { charges } = sandbox
  const charge = await charges.create({ customer_id: 'cus_ada', amount: 999, currency: 'USD' })
  expect(await charges.list()).toEqual([await charges.get(charge.charge_id)])
  expect(await sandbox.audit()).toMatchObject({ ok: true, violations: [] })
  expect((await sandbox.coverage({ sandboxes: 'own' })).calls).toBeGreaterThan(5)
})

it('knows itself, its rules and its contracts', async () => {
  const { settings, contracts } = sandbox
  expect((await settings.change({ paused_status_name: 'on_hold' })).paused_status_name).toBe(
    'on_hold',
  )
  expect((await settings.get()).paused_status_name).toBe('on_hold')
  expect((await sandbox.assumptions()).length).toBeGreaterThan(40)
  const [shipped] = await contracts.list()
  const pact = await contracts.get(`${shipped?.file}`)
  expect((await contracts.check(pact)).ok).toBe(true)
  expect((await sandbox.providerStates()).length).toBeGreaterThan(5)
  await sandbox.providerState({ action: 'setup', state: 'a subscription exists' })
  expect((await sandbox.reset({ fixture: 'empty' })).counts['plans']).toBe(0)
  expect((await sandbox.describe()).sandbox_id).toBe('default')
  expect(await sandbox.recording('curl')).toContain('curl')
  await using mine = await sandbox.create({ id: 'mine', fixture: 'starter' })
  expect(mine.apiKey).toBe('sk_sandbox_mine')
  expect((await sandbox.siblings()).map(({ sandbox_id }) => sandbox_id)).toContain('mine')
  await using nameless = await sandbox.create()
  expect(nameless.id).not.toBe('mine')
})

it('has a method for every operation but those of the broker', () => {
  // One is only for tools that count, one is what connecting and `describe` are for.
  const left = operations.map(({ operationId }) => operationId).filter((id) => !called.has(id))
  const broker = controlRoutes.filter(({ path }) => path.startsWith('/sandbox/broker'))
  const rest = [
    ...broker.map(({ operationId }) => operationId),
    'deleteCoverage',
    'retrieveSandbox',
  ]
  expect(left.sort()).toEqual(rest.sort())
})

async function taken<Value>(stream: AsyncIterable<Value>): Promise<Value[]> {
  const values: Value[] = []
  for await (const value of stream) values.push(value)
  return values
}

it('says which fault answered in place of the sandbox', async () => {
  await using sandbox = await startSandbox()
  const { fault_id } = await sandbox.faults.create({ effect: { status: 500 } })
  await expect(sandbox.subscriptions.pause('sub_000001')).rejects.toMatchObject({
    status: 500,
    message: `The sandbox answered 500. The fault ${fault_id} hit this call.`,
  })
})

it.each([
  [
    { malformed: true },
    /^The sandbox answered 409: \{"error":.*\. The fault flt_\d+ hit this call\.$/,
  ],
  [{ status: 200 }, /^The sandbox answered 200\. The fault flt_\d+ hit this call\.$/],
  [{ status: 200, body: '<p>' }, /^The sandbox answered 200: <p>\. The fault flt_\d+ hit/],
])('says which fault broke an answer: %j', async (effect, message) => {
  await using sandbox = await startSandbox()
  const order = { customer_id: 'cus_ada', plan: 'pro', trial_period_days: 3 }
  const { subscription_id: id } = await sandbox.subscriptions.create(order)
  await sandbox.faults.create({ effect })
  await expect(sandbox.subscriptions.pause(id)).rejects.toThrow(message)
})

it('has a status of /v1 that is a string to the compiler, too', async () => {
  await using sandbox = await startSandbox()
  const body = { customer_id: 'cus_ada', plan: 'pro' }
  const { data } = await sandbox.v1.POST('/v1/subscriptions', { body })
  const status: string | undefined = data?.status
  expect(status?.toUpperCase()).toBe('ACTIVE')
})
