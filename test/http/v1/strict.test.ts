import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/control.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }
const CREATE = '/v1/subscriptions'
const ONE = `${CREATE}/sub_000001`
const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const json = { 'Content-Type': 'application/json' }

async function strictShop(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  const changed = await shop.call('PATCH', '/sandbox/settings', { json: { strict: true } })
  expect(changed).toMatchObject({ status: 200, body: { strict: true } })
  return shop
}

async function send(shop: Shop, path: string, sent: RequestInit) {
  const headers = { ...key, ...(sent.headers as Record<string, string>) }
  const answer = await shop.app.request(path, { ...sent, method: 'POST', headers })
  const assumptions = answer.headers.get('Sandbox-Assumptions')
  return { status: answer.status, assumptions, body: (await answer.json()) as object }
}

describe('a strict sandbox', () => {
  it('refuses in the envelope that it varies, with its own status and code', async () => {
    const shop = await strictShop()
    const settings = { vary: ['error-envelope', 'error-codes'] }
    await shop.call('PATCH', '/sandbox/settings', { json: settings })
    expect(await send(shop, `${ONE}/pause`, { headers: form, body: 'extra=1' })).toMatchObject({
      status: 501,
      body: { errors: [{ reason: 'undocumented' }] },
      assumptions: expect.stringContaining('error-envelope'),
    })
  })

  it.each([
    [
      'JSON where a form is shown',
      `${ONE}/update`,
      { headers: json, body: '{"plan":"pro"}' },
      'json-bodies',
    ],
    [
      'a field that is not shown',
      CREATE,
      { headers: form, body: 'customer_id=cus_ada&plan=pro&seats=3' },
      'unknown-fields',
    ],
    ['a parameter that is not shown', `${ONE}/pause?when=now`, {}, 'unknown-fields'],
    [
      'a value that is not shown',
      `${ONE}/cancel`,
      { headers: form, body: 'at_period_end=false' },
      'immediate-cancel-parameter',
    ],
  ])('refuses %s, says on what it leans, and changes nothing', async (...[, path, sent, slug]) => {
    const shop = await strictShop()
    const before = await shop.state()
    const refused = await send(shop, path, sent)
    expect(refused).toMatchObject({
      status: 501,
      body: { error: 'undocumented', message: expect.stringContaining(`(assumption ${slug})`) },
    })
    expect(refused.assumptions?.split(', ')).toContain(slug)
    expect(await shop.state()).toBe(before)
  })

  it('refuses an access token in place of the API key', async () => {
    const shop = await strictShop()
    const { body } = await shop.post<{ access_token: string }>('/sandbox/tokens', {})
    const headers = { Authorization: `Bearer ${body.access_token}` }
    const refused = await send(shop, `${ONE}/pause`, { headers })
    expect(refused).toMatchObject({ status: 501, body: { error: 'undocumented' } })
    expect(refused.assumptions).toContain('access-tokens-on-subscription-calls')
  })

  it('takes whatever the interface shows', async () => {
    const shop = await strictShop()
    const body = 'customer_id=cus_linus&plan=pro&trial_period_days=14'
    const order = { customer_id: 'cus_linus', plan: 'pro', trial_period_days: 14 }
    const shown = [
      [CREATE, { headers: form, body }],
      [CREATE, { headers: json, body: JSON.stringify(order) }],
      [`${ONE}/update`, { headers: form, body: 'plan=pro' }],
      [`${ONE}/apply-coupon`, { headers: form, body: 'coupon_id=SAVE20' }],
      [`${ONE}/cancel`, { headers: form, body: 'at_period_end=true' }],
    ] as const
    for (const [path, sent] of shown) {
      expect(await send(shop, path, sent), path).toMatchObject({ status: 200 })
    }
    const { body: login } = await shop.post<{ refresh_token: string }>('/sandbox/tokens', {})
    const refreshed = await send(shop, '/v1/auth/refresh', {
      headers: { ...json, Authorization: `Bearer ${login.refresh_token}` },
      body: JSON.stringify({ refresh_token: login.refresh_token }),
    })
    expect(refreshed).toMatchObject({ status: 200 })
  })

  it('says so in the request log, with the field', async () => {
    const shop = await strictShop()
    await send(shop, CREATE, { headers: form, body: 'customer_id=cus_ada&plan=pro&seats=3' })
    const { body } = await shop.get<{ data: object[] }>('/sandbox/requests?status=501')
    expect(body.data).toMatchObject([
      { refusal: { code: 'undocumented', errors: [{ field: 'seats' }] } },
    ])
  })

  it('takes no value for shown because every object has it', async () => {
    const sent = { headers: form, body: 'at_period_end=constructor' }
    expect(await send(await strictShop(), `${ONE}/cancel`, sent)).toMatchObject({ status: 400 })
  })

  it('does not mind what the control plane is sent', async () => {
    const shop = await strictShop()
    const answer = await shop.post('/sandbox/subscriptions', {
      customer_id: 'cus_linus',
      plan: 'pro',
      coupon_id: 'SAVE20',
    })
    expect(answer.status).toBe(201)
  })
})
