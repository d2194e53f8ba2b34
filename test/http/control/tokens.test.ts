import { describe, expect, it } from 'vitest'
import type { WireIssuedTokens, WireTokenResponse } from '../../../src/wire/sandbox/token.ts'
import { refresh } from '../../support/client.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/tokens'

function subscribeWith(shop: Shop, token: string) {
  const json = { customer_id: 'cus_ada', plan: 'basic' }
  const headers = { Authorization: `Bearer ${token}` }
  return shop.call('POST', '/v1/subscriptions', { json, headers })
}

describe('issuing tokens', () => {
  it('answers both, with or without a subject, whether the body is empty or not', async () => {
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
    const exchanged = await refresh<WireTokenResponse>(shop, body.refresh_token)
    expect(exchanged.status).toBe(200)
    expect((await subscribeWith(shop, exchanged.body.access_token)).status).toBe(200)
    const again = await refresh(shop, body.refresh_token)
    expect(again).toMatchObject({ status: 403, body: { error: 'invalid_grant' } })
    expect((await subscribeWith(shop, exchanged.body.access_token)).status).toBe(401)
    expect((await shop.get(path)).body).toMatchObject({
      data: [{ revoked_at: '2027-01-01T00:00:00.000Z' }],
    })
  })

  it('says when the newest refresh token of a login expires', async () => {
    const shop = await openShop()
    const { body } = await shop.post<WireIssuedTokens>(path, {})
    await shop.call('PATCH', '/sandbox/settings', { json: { refresh_token_lifetime: 3600 } })
    await refresh(shop, body.refresh_token)
    expect((await shop.get(path)).body).toMatchObject({
      data: [{ refresh_token_expires_at: '2027-01-01T01:00:00.000Z' }],
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

  it('of a reused token is recorded once, and stays when it was', async () => {
    const shop = await openShop()
    const { body } = await shop.post<WireIssuedTokens>(path, {})
    await refresh(shop, body.refresh_token)
    await refresh(shop, body.refresh_token)
    await shop.post('/sandbox/clock/advance', { by: 'P1D' })
    await refresh(shop, body.refresh_token)
    await shop.post(`${path}/revoke`, { family_id: body.family_id })
    const events = await shop.get<{ data: { type: string }[] }>('/sandbox/events')
    const types = events.body.data.map(({ type }) => type).filter((type) => /^token/.test(type))
    expect(types).toEqual(
      ['issued', 'refreshed', 'reuse_detected', 'revoked'].map((what) => `token.${what}`),
    )
    expect((await shop.get(path)).body).toMatchObject({
      data: [{ revoked_at: '2027-01-01T00:00:00.000Z', refresh_token_expires_at: null }],
    })
  })

  it('takes a refresh token, and no access token for one', async () => {
    const shop = await openShop()
    const { body } = await shop.post<WireIssuedTokens>(path, {})
    const order = { refresh_token: body.access_token }
    expect((await shop.post(`${path}/revoke`, order)).status).toBe(404)
    expect((await refresh(shop, body.refresh_token)).status).toBe(200)
  })

  it('refuses a family that it does not know, and no name or two of one', async () => {
    const shop = await openShop()
    expect((await shop.post(`${path}/revoke`, { family_id: 'fam_000009' })).status).toBe(404)
    const both = { family_id: 'fam_000001', refresh_token: 'rt_default_secret' }
    for (const order of [{}, both]) {
      expect((await shop.post(`${path}/revoke`, order)).status).toBe(400)
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

describe('tokens outside of the sandbox that issued them', () => {
  /** A text that a contract chose says nothing of its sandbox; whoever sends it names one in a header. */
  const chosen = 'rt_of_the_contract'

  it.each(['forked', 'imported'])('count as never issued where they were %s', async (how) => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/source')
    const source = inSandbox(shop, 'source')
    const state = { state: 'a refresh token is fresh', params: { refresh_token: chosen } }
    expect((await source.post('/sandbox/provider-states', state)).status).toBe(200)
    const { body } = await source.post<WireIssuedTokens>(path, {})
    const json = how === 'forked' ? { from: { sandbox: 'source' } } : { fixture: 'empty' }
    await shop.call('PUT', '/sandboxes/copy', { json })
    const copy = inSandbox(shop, 'copy')
    const bytes = await source.state()
    if (how === 'imported') await copy.call('PUT', '/sandbox/state', { bytes })
    const before = await copy.state()
    const issuers = [{ issued_by: 'source' }, { issued_by: 'source' }]
    expect((await copy.get(path)).body).toMatchObject({ data: issuers })
    const opened = await subscribeWith(copy, body.access_token)
    expect(opened.headers.get('Sandbox-Id')).toBe('source')
    await shop.call('DELETE', '/sandboxes/source')
    for (const token of [body.refresh_token, chosen]) {
      expect((await refresh(copy, token)).status).toBe(401)
      expect((await copy.post(`${path}/revoke`, { refresh_token: token })).status).toBe(404)
    }
    for (const family_id of ['fam_000001', 'fam_000002']) {
      expect((await copy.post(`${path}/revoke`, { family_id })).status).toBe(404)
    }
    expect((await subscribeWith(copy, body.access_token)).status).toBe(401)
    expect(await copy.state()).toBe(before)
  })

  it('do not stand in the way of a login in the fork, whose own tokens work', async () => {
    const shop = await openShop()
    await shop.post(path, {})
    await shop.call('PUT', '/sandboxes/copy', { json: { from: { sandbox: 'default' } } })
    const copy = inSandbox(shop, 'copy')
    const { body } = await copy.post<WireIssuedTokens>(path, {})
    expect(body.family_id).toBe('fam_000002')
    expect((await subscribeWith(copy, body.access_token)).headers.get('Sandbox-Id')).toBe('copy')
    expect((await refresh(copy, body.refresh_token)).status).toBe(200)
  })

  it('work again in their own sandbox once it is restored', async () => {
    const shop = await openShop()
    const { body } = await shop.post<WireIssuedTokens>(path, {})
    const backup = await shop.state()
    await shop.post('/sandbox/reset', {})
    expect((await refresh(shop, body.refresh_token)).status).toBe(401)
    expect((await shop.call('PUT', '/sandbox/state', { bytes: backup })).status).toBe(200)
    expect((await refresh(shop, body.refresh_token)).status).toBe(200)
  })
})
