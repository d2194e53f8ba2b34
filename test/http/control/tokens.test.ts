import { describe, expect, it } from 'vitest'
import type { WireIssuedTokens, WireTokenResponse } from '../../../src/wire/token.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/tokens'

function refresh(shop: Shop, token: string) {
  const headers = { Authorization: `Bearer ${token}` }
  const json = { refresh_token: token }
  return shop.call<WireTokenResponse>('POST', '/v1/auth/refresh', { json, headers })
}

function subscribeWith(shop: Shop, token: string) {
  const json = { customer_id: 'cus_ada', plan: 'basic' }
  const headers = { Authorization: `Bearer ${token}` }
  return shop.call('POST', '/v1/subscriptions', { json, headers })
}

describe('issuing tokens', () => {
  it('answers both, for somebody or nobody, whether the body is empty or not', async () => {
    const shop = await openShop()
    const issued = { token_type: 'Bearer', expires_in: 3600 }
    expect(await shop.post(path)).toMatchObject({ status: 200, body: issued })
    expect((await shop.post(path, {})).body).toMatchObject({ family_id: 'fam_000002' })
    expect((await shop.post(path, { subject: 'ada' })).status).toBe(200)
    const listed = await shop.get(path)
    expect(listed.body).toMatchObject({
      data: [{ subject: null }, { subject: null }, { family_id: 'fam_000003', subject: 'ada' }],
    })
    expect(listed.text).not.toMatch(/[ar]t_default/)
  })

  it('gives an access token that opens /v1 and a refresh token that can be exchanged once', async () => {
    const shop = await openShop()
    const { body } = await shop.post<WireIssuedTokens>(path, {})
    expect((await subscribeWith(shop, body.access_token)).status).toBe(200)
    const exchanged = await refresh(shop, body.refresh_token)
    expect(exchanged.status).toBe(200)
    expect((await subscribeWith(shop, exchanged.body.access_token)).status).toBe(200)
    const again = await refresh(shop, body.refresh_token)
    expect(again).toMatchObject({ status: 403, body: { error: 'invalid_grant' } })
    expect((await subscribeWith(shop, exchanged.body.access_token)).status).toBe(401)
    expect((await shop.get(path)).body).toMatchObject({
      data: [{ revoked_at: '2027-01-01T00:00:00.000Z' }],
    })
  })

  it('refuses a subject that is no text', async () => {
    const shop = await openShop()
    const refused = await shop.post(path, { subject: 7 })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'subject' }] } })
  })
})

describe('revoking tokens', () => {
  it.each(['refresh_token', 'family_id'] as const)('ends the whole login by %s', async (name) => {
    const shop = await openShop()
    const { body } = await shop.post<WireIssuedTokens>(path, {})
    const revoked = await shop.post(`${path}/revoke`, { [name]: body[name] })
    expect(revoked).toMatchObject({ status: 200, body: { family_id: 'fam_000001' } })
    expect((await refresh(shop, body.refresh_token)).status).toBe(403)
    expect((await subscribeWith(shop, body.access_token)).status).toBe(401)
    expect((await shop.post(`${path}/revoke`, { [name]: body[name] })).body).toEqual(revoked.body)
  })

  it('refuses what it does not know without repeating a token', async () => {
    const shop = await openShop()
    const unknown = await shop.post(`${path}/revoke`, { refresh_token: 'rt_default_secret' })
    expect(unknown.status).toBe(404)
    expect(unknown.text).not.toContain('rt_default_secret')
    expect((await shop.post(`${path}/revoke`, { family_id: 'fam_000009' })).status).toBe(404)
    const both = { family_id: 'fam_000001', refresh_token: 'rt_default_secret' }
    for (const order of [{}, both]) {
      const refused = await shop.post(`${path}/revoke`, order)
      expect(refused.status).toBe(400)
      expect(refused.text).not.toContain('rt_default_secret')
    }
  })

  it('does not reach into another sandbox', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/other')
    const other = inSandbox(shop, 'other')
    const { body } = await shop.post<WireIssuedTokens>(path, {})
    const refused = await other.post(`${path}/revoke`, { refresh_token: body.refresh_token })
    expect(refused.status).toBe(404)
    expect((await refresh(shop, body.refresh_token)).status).toBe(200)
  })
})
