import { describe, expect, it, vi } from 'vitest'
import type * as z from 'zod'
import { REQUESTS_KEPT } from '../../../src/sandbox/request-log.ts'
import { WireLoggedRequest, type WireLoggedRequestList } from '../../../src/wire/sandbox/request.ts'
import type { WireIssuedTokens } from '../../../src/wire/sandbox/token.ts'
import { openShop, type Shop } from '../../support/control.ts'

type List = z.output<typeof WireLoggedRequestList>

const key = { Authorization: 'Bearer sk_sandbox_default' }
const form = { ...key, 'Content-Type': 'application/x-www-form-urlencoded' }

function subscribe(shop: Shop, body: string, headers: Record<string, string> = form) {
  return shop.app.request('/v1/subscriptions', { method: 'POST', headers, body })
}

async function logged(shop: Shop, query = ''): Promise<readonly WireLoggedRequest[]> {
  return (await shop.get<List>(`/sandbox/requests${query}`)).body.data
}

describe('the request log', () => {
  it('shows what was asked, what was answered, and what it led to', async () => {
    const shop = await openShop()
    const answer = await subscribe(shop, 'customer_id=cus_ada&plan=pro', {
      ...form,
      'Sandbox-Consumer': 'web-shop',
    })
    const [newest, ...older] = await logged(shop)
    expect(older).toEqual([])
    expect(newest).toMatchObject({
      number: 1,
      request_id: answer.headers.get('Request-Id'),
      at: answer.headers.get('Sandbox-Time'),
      consumer: 'web-shop',
      operation_id: 'createSubscription',
      nearest: null,
      request: {
        method: 'POST',
        path: '/v1/subscriptions',
        body: 'customer_id=cus_ada&plan=pro',
        bytes: 28,
      },
      answer: { status: 200, content_type: 'application/json', body: await answer.text() },
      refusal: null,
      fault: null,
    })
    expect(newest?.assumptions.join(', ')).toBe(answer.headers.get('Sandbox-Assumptions'))
    expect(newest?.events.map(({ type }) => type)).toEqual([
      'subscription.created',
      'invoice.created',
      'payment.succeeded',
      'invoice.paid',
    ])
  })

  it('has a write that waited for a reset under an id of the world that it changed', async () => {
    const shop = await openShop()
    await subscribe(shop, 'customer_id=cus_ada&plan=pro')
    const [, created] = await Promise.all([
      shop.post('/sandbox/reset'),
      shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' }),
    ])
    expect(created.status).toBe(201)
    const seen = (await logged(shop)).map(({ request_id, operation_id, events }) => {
      return { request_id, operation_id, events: events.map(({ type }) => type) }
    })
    expect(seen).toEqual([
      { request_id: 'req_000002', operation_id: 'createCharge', events: ['charge.succeeded'] },
      { request_id: 'req_000001', operation_id: 'resetSandbox', events: ['sandbox.reset'] },
    ])
  })

  it('says why a request was refused, with the field', async () => {
    const shop = await openShop()
    await subscribe(shop, 'customer_id=cus_ada&plan=pro&trial_period_days=x')
    const [refused] = await logged(shop, '?status=400')
    expect(refused?.refusal).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'trial_period_days', message: expect.stringContaining('got "x"') }],
    })
    expect(refused?.events).toEqual([])
  })

  it.each([
    ['POST', '/subscriptions', 'createSubscription', ['path']],
    ['POST', '/v1/subscription', 'createSubscription', ['path']],
    ['POST', '/v1/subscriptions/sub_1/cancl', 'cancelSubscription', ['path']],
    ['PUT', '/v1/subscriptions/sub_1/pause', 'pauseSubscription', ['method']],
    ['POST', '/auth/refresh', 'refreshToken', ['path']],
    ['GET', '/v1/auth/refresh?x=1', 'refreshToken', ['method']],
    ['POST', '/sandbox/clock/advanced', 'advanceClock', ['path']],
  ] as const)('says what %s %s may have meant', async (...[method, path, operation, differs]) => {
    const shop = await openShop()
    await subscribe(shop, 'customer_id=cus_ada&plan=pro')
    await shop.app.request(path, { method, headers: key })
    for (const query of ['?unmatched', '?unmatched=true']) {
      const [unmatched, ...others] = await logged(shop, query)
      expect(others).toEqual([])
      expect(unmatched).toMatchObject({
        operation_id: null,
        nearest: { operation_id: operation, differs },
      })
    }
  })

  it('keeps what a key names in the sandbox of that key, whatever the path', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/other', { json: {} })
    const headers = { Authorization: 'Bearer sk_sandbox_other' }
    await shop.app.request('/v1/subscription', { method: 'POST', headers })
    await shop.app.request('/subscriptions', { method: 'POST', headers })
    const own = { headers: { 'Sandbox-Id': 'other' } }
    const { body } = await shop.call<List>('GET', '/sandbox/requests', own)
    expect(body.data.map(({ request }) => request.path)).toEqual([
      '/subscriptions',
      '/v1/subscription',
    ])
    expect((await logged(shop, '?unmatched')).length).toBe(0)
  })

  it('masks secrets wherever they stand', async () => {
    const shop = await openShop()
    const { body: tokens } = await shop.post<z.output<typeof WireIssuedTokens>>(
      '/sandbox/tokens',
      {},
    )
    const secret = 'a-secret-that-nobody-may-see'
    const json = { 'Content-Type': 'application/json' }
    const send = (...[path, body, headers]: [string, string, Record<string, string>]) =>
      shop.app.request(path, { method: 'POST', headers, body })
    const refresh = '/v1/auth/refresh'
    const bearer = { Authorization: `Bearer ${tokens.refresh_token}` }
    await send(refresh, JSON.stringify({ refresh_token: tokens.refresh_token }), {
      ...json,
      ...bearer,
    })
    await send(refresh, `refresh_token=${secret}`, { ...form, Authorization: `Bearer ${secret}` })
    await send(refresh, `refresh%5Ftoken=${secret}`, { ...form, Authorization: secret })
    await send(refresh, `{"refresh_token":"${secret}"`, { ...json, ...key })
    await send(refresh, `{"refresh\\u005ftoken":"${secret}"`, { ...json, ...key })
    await send(refresh, `{"a":[{"api_key":["${secret}"]}]}`, { ...json, ...key })
    await send(`/v1/x?access_token=${secret}&y=${tokens.access_token}`, '', key)
    await send(`/v1/${tokens.access_token}`, `{"note":"${tokens.access_token}"}`, {
      ...json,
      ...key,
    })
    await send('/v1/subscriptions', `note=${tokens.access_token}&${tokens.access_token}=1`, form)
    await send('/v1/subscriptions', '', {
      Authorization: 'Bearer sk_live_of_somebody',
      Cookie: secret,
    })
    const text = JSON.stringify(await logged(shop))
    const refreshed = [
      'at_default_',
      'rt_default_',
      secret,
      'sk_live',
      tokens.access_token.slice(11),
    ]
    for (const hidden of refreshed) expect(text).not.toContain(hidden)
    expect((await logged(shop)).length).toBe(11)
  })

  it('shows open fields, and what is only a number of tokens', async () => {
    const shop = await openShop()
    const sent = '{"access_token_lifetime":60}'
    const headers = { 'Content-Type': 'application/json' }
    await shop.app.request('/sandbox/settings', { method: 'PATCH', headers, body: sent })
    await shop.post('/sandbox/checkpoints', { name: 'then' })
    const [checkpoint, settings] = await logged(shop)
    expect(settings?.request.body).toBe(sent)
    expect(checkpoint?.answer.body).toContain('"tokens":0')
  })

  it('leaves out what is only looked at, unless it is refused', async () => {
    const shop = await openShop()
    await shop.get('/sandbox/invoices')
    await shop.get('/sandbox/invoices/inv_none')
    await shop.app.request('/health/live')
    const params = { customer_id: 'cus_ada' }
    const changes = [{ operation: 'changeCustomer', params, body: { balance: 100 } }]
    const asked = await shop.post('/sandbox/what-if', { changes })
    expect(asked.status).toBe(200)
    await shop.post('/sandbox/clock/advance', { by: 'P1M', dry_run: true })
    await shop.post('/sandbox/what-if', { changes: [] })
    expect(
      (await logged(shop)).map(({ request, answer }) => [request.path, answer.status]),
    ).toEqual([
      ['/sandbox/what-if', 400],
      ['/sandbox/invoices/inv_none', 404],
    ])
  })

  it('keeps the newest, and none of a body that is long', async () => {
    const shop = await openShop()
    for (let n = 0; n < REQUESTS_KEPT + 5; n += 1) {
      await shop.post('/sandbox/products', { product_id: `p${n}`, name: 'P' })
    }
    await shop.post('/sandbox/products', { product_id: 'long', name: 'x'.repeat(10_000) })
    const all = await logged(shop, '?limit=1000')
    expect(all).toHaveLength(REQUESTS_KEPT)
    expect(all[0]?.request).toMatchObject({ body: null, bytes: 10_031 })
    const first = (await shop.get<List>('/sandbox/requests?limit=200')).body
    const second = (await shop.get<List>(`/sandbox/requests?limit=200&after=${first.next_after}`))
      .body
    expect([...first.data, ...second.data]).toEqual(all)
    expect(second).toMatchObject({ has_more: false, next_after: null })
  })

  it('begins anew with a reset, whose request ids are given again', async () => {
    const shop = await openShop()
    await subscribe(shop, 'customer_id=cus_ada&plan=pro')
    await shop.post('/sandbox/reset', {})
    await subscribe(shop, 'customer_id=cus_linus&plan=basic')
    const [created, reset, ...older] = await logged(shop)
    expect(older).toEqual([])
    expect(reset).toMatchObject({
      operation_id: 'resetSandbox',
      events: [{ type: 'sandbox.reset' }],
    })
    expect(created?.events).toHaveLength(4)
  })

  it('compares no path with the operations that is longer than any of theirs', async () => {
    const shop = await openShop()
    await shop.app.request(`/v1/subscriptions/${'x'.repeat(10_000)}/c`, { headers: key })
    await shop.app.request('/sandbox/clok', { method: 'HEAD' })
    const [head, long] = await logged(shop, '?unmatched')
    expect(long?.nearest).toBeNull()
    expect(head?.nearest).toMatchObject({ operation_id: 'retrieveClock', differs: ['path'] })
  })

  it('gives no request the events of another world', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/checkpoints', { name: 'then' })
    await subscribe(shop, 'customer_id=cus_ada&plan=pro')
    await shop.post('/sandbox/checkpoints/then/restore')
    const [restored, created] = await logged(shop)
    expect(restored?.events).toMatchObject([{ type: 'sandbox.restored' }])
    expect(created?.events).toEqual([])
  })

  it.each([
    ['status=99', 'status'],
    ['status=x', 'status'],
    ['unmatched=yes', 'unmatched'],
    ['after=0', 'after'],
    ['limit=1001', 'limit'],
    ['operation=x', 'operation'],
  ])('refuses %s', async (query, field) => {
    const refused = await (await openShop()).get(`/sandbox/requests?${query}`)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field }] } })
  })
})

describe('the stream of requests', () => {
  async function follow(shop: Shop, query = '', headers: Record<string, string> = {}) {
    const response = await shop.app.request(`/sandbox/requests/stream${query}`, { headers })
    const text = await response.text()
    const blocks = text.split('\n\n').filter((block) => block.includes('data: '))
    return blocks.map((block) =>
      WireLoggedRequest.parse(JSON.parse(/^data: (.*)$/m.exec(block)?.[1] ?? '')),
    )
  }

  const followed = ({ registry: { default: sandbox } }: Shop) =>
    vi.waitUntil(() => sandbox.notifications.listenerCount('request') > 0)

  it('sends what comes, and what a client missed while it was away', async () => {
    const shop = await openShop()
    await subscribe(shop, 'customer_id=cus_ada&plan=pro')
    await shop.get('/sandbox')
    const coming = follow(shop, '?limit=2')
    await followed(shop)
    await subscribe(shop, 'customer_id=cus_linus&plan=pro')
    await subscribe(shop, 'customer_id=nobody&plan=pro')
    expect((await coming).map(({ number }) => number)).toEqual([2, 3])
    const missed = await follow(shop, '?limit=1', { 'Last-Event-ID': '1' })
    expect(missed).toMatchObject([{ number: 2, operation_id: 'createSubscription' }])
    expect(missed[0]?.events).toHaveLength(4)
  })

  it('sends the refused alone where they are asked for', async () => {
    const shop = await openShop()
    await shop.get('/sandbox')
    const coming = follow(shop, '?limit=1&status=404')
    await followed(shop)
    await subscribe(shop, 'customer_id=cus_ada&plan=pro')
    await subscribe(shop, 'customer_id=nobody&plan=pro')
    expect(await coming).toMatchObject([{ number: 2, refusal: { code: 'not_found' } }])
  })

  it('refuses a number that is none', async () => {
    const shop = await openShop()
    const refused = await shop.call('GET', '/sandbox/requests/stream', {
      headers: { 'Last-Event-ID': 'x' },
    })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'Last-Event-ID' }] } })
  })
})
