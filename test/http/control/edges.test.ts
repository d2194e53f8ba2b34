/** What the control plane adds around the documented operations, and what their answers warn of. */
import { describe, expect, it } from 'vitest'
import type { WireAssumption } from '../../../src/wire/sandbox/settings.ts'
import type { WireIssuedTokens, WireTokenResponse } from '../../../src/wire/sandbox/token.ts'
import { refresh, submit } from '../../support/client.ts'
import { openShop, type Shop } from '../../support/control.ts'

const FIRST = '/v1/subscriptions/sub_000001'
const RECORD = '/sandbox/subscriptions/sub_000001'

async function subscribed(): Promise<Shop> {
  const shop = await openShop()
  await submit(shop, '/v1/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  return shop
}

function warningsOf({ headers }: { readonly headers: Headers }): string | null {
  return headers.get('Sandbox-Warnings')
}

describe('a scheduled cancellation', () => {
  it('6.10: is removed on the control plane, and shows until when there is access', async () => {
    const shop = await subscribed()
    await submit(shop, `${FIRST}/cancel`, { at_period_end: 'true' })
    expect((await shop.get(RECORD)).body).toMatchObject({
      cancel_at_period_end: true,
      access_until: '2027-02-01T00:00:00.000Z',
    })
    const removed = await shop.post(`${RECORD}/remove-scheduled-cancellation`)
    expect(removed).toMatchObject({
      status: 200,
      body: { cancel_at_period_end: false, canceled_at: null, access_until: null },
    })
    const again = await shop.post(`${RECORD}/remove-scheduled-cancellation`)
    expect(again).toMatchObject({ status: 409, body: { code: 'invalid_transition' } })
  })

  it('6.11: the record of /v1 has no access_until', async () => {
    const shop = await subscribed()
    const answer = await submit(shop, `${FIRST}/pause`, {})
    expect(answer.status).toBe(200)
    expect(answer.body).not.toHaveProperty('access_until')
  })
})

describe('what surprises people', () => {
  it('6.7: is said by the answer of a cancellation that ends the subscription at once', async () => {
    const shop = await subscribed()
    expect(warningsOf(await submit(shop, `${FIRST}/cancel`, { at_period_end: 'true' }))).toBeNull()
    const answer = await submit(shop, `${FIRST}/cancel`, { at_period_end: 'false' })
    expect(warningsOf(answer)).toMatch(/^cancel-without-refund="The subscription ended at once.*"$/)
  })

  it('4.17: is said of open invoices that a cancellation makes void', async () => {
    const shop = await openShop()
    await submit(shop, '/v1/subscriptions', { customer_id: 'cus_grace', plan: 'basic' })
    const answer = await submit(shop, `${FIRST}/cancel`, {})
    expect(answer.headers.get('Sandbox-Assumptions')).toContain('open-invoices-on-cancellation')
    expect(warningsOf(answer)).toMatch(
      /^cancel-without-refund="[^"]*", open-invoices-on-cancellation="The open invoices [^"]*"$/,
    )
  })

  it('2.8: is said of a price that reaches every subscriber, and not of a name', async () => {
    const shop = await subscribed()
    const change = (json: object) => shop.call('PATCH', '/sandbox/plans/basic', { json })
    expect(warningsOf(await change({ name: 'Base', amount: 1000 }))).toBeNull()
    expect(warningsOf(await change({ amount: 1200 }))).toMatch(/^price-change="The new amount/)
  })

  it('is marked in the register', async () => {
    const { body } = await (await openShop()).get<{ data: WireAssumption[] }>(
      '/sandbox/assumptions',
    )
    const surprising = body.data.filter(({ warning }) => warning !== null)
    expect(surprising.map(({ slug }) => slug).sort()).toEqual([
      'cancel-without-refund',
      'open-invoices-on-cancellation',
      'price-change',
    ])
    for (const { warning } of surprising) expect(warning).toMatch(/^[ !#-~]+$/)
  })
})

describe('a currency', () => {
  it.each([
    ['UDS', '; the nearest is "USD".'],
    ['usd', '; the nearest is "USD".'],
    ['EUO', '; the nearest is "EUR".'],
    ['XXX', '.'],
    ['US', '.'],
    [840, '.'],
  ])('1.1: %s is refused, with the nearest code', async (currency, end) => {
    const shop = await openShop()
    const answer = await shop.post('/sandbox/customers', { customer_id: 'new', currency })
    expect(answer.status).toBe(400)
    const message = `currency must be the ISO 4217 code of a currency in use, such as USD; got ${JSON.stringify(currency)}${end}`
    expect(answer.body).toMatchObject({ errors: [{ field: 'currency', message }] })
    expect((await shop.get('/sandbox/customers/new')).status).toBe(404)
  })
})

describe('an uncollectible invoice', () => {
  it('4.14: is paid by hand, and 409 then', async () => {
    const shop = await openShop()
    await shop.call('PATCH', '/sandbox/settings', { json: { retry_schedule: [] } })
    await submit(shop, '/v1/subscriptions', { customer_id: 'cus_grace', plan: 'basic' })
    await shop.post('/sandbox/payment-outcomes', { always: 'succeed' })
    const pay = () => shop.post('/sandbox/invoices/inv_000001/pay')
    expect(await pay()).toMatchObject({ status: 200, body: { status: 'paid', amount_paid: 1000 } })
    expect(await pay()).toMatchObject({
      status: 409,
      body: { detail: 'invoice_id "inv_000001" must be open or uncollectible; got paid.' },
    })
  })
})

describe('a refresh token within the leeway of its rotation', () => {
  it('8.9: names the leeway also where it is refused for another reason', async () => {
    const shop = await openShop()
    await shop.call('PATCH', '/sandbox/settings', { json: { refresh_reuse_leeway: 30 } })
    const { body: issued } = await shop.post<WireIssuedTokens>('/sandbox/tokens', {})
    const { refresh_token } = issued
    expect((await refresh(shop, refresh_token)).status).toBe(200)
    await shop.post('/sandbox/tokens/revoke', { refresh_token })
    const refused = await refresh(shop, refresh_token)
    expect(refused).toMatchObject({ status: 403, body: { error: 'invalid_grant' } })
    expect(refused.headers.get('Sandbox-Assumptions')).toContain('refresh-reuse-leeway')
  })

  it('8.9: is exchanged again, for other tokens of the same family', async () => {
    const shop = await openShop()
    await shop.call('PATCH', '/sandbox/settings', { json: { refresh_reuse_leeway: 30 } })
    const { body: issued } = await shop.post<WireIssuedTokens>('/sandbox/tokens', {})
    const lost = await refresh<WireTokenResponse>(shop, issued.refresh_token)
    await shop.post('/sandbox/clock/advance', { by: 'PT29S' })
    const again = await refresh<WireTokenResponse>(shop, issued.refresh_token)
    expect(again.status).toBe(200)
    expect(again.headers.get('Sandbox-Assumptions')).toContain('refresh-reuse-leeway')
    expect(again.body.access_token).not.toBe(lost.body.access_token)
    expect((await refresh(shop, `${lost.body.refresh_token}`)).status).toBe(200)
    await shop.post('/sandbox/clock/advance', { by: 'PT1S' })
    const late = await refresh(shop, issued.refresh_token)
    expect(late).toMatchObject({ status: 403, body: { error: 'invalid_grant' } })
    expect((await shop.get('/sandbox/tokens')).body).toMatchObject({
      data: [{ revoked_at: '2027-01-01T00:00:30.000Z' }],
    })
  })
})
