import { describe, expect, it } from 'vitest'
import { refresh, submit } from '../../support/client.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { formType } from '../../support/surface.ts'

interface Login {
  readonly access_token: string
  readonly refresh_token: string
}

async function loggedIn(): Promise<{ shop: Shop; login: Login }> {
  const shop = await openShop()
  const { body } = await shop.post<Login>('/sandbox/tokens', {})
  return { shop, login: body }
}

describe('refresh', () => {
  it('answers a new access token and a new refresh token', async () => {
    const { shop, login } = await loggedIn()
    const { status, body } = await refresh(shop, login.refresh_token)
    expect(status).toBe(200)
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600 })
    expect(body['access_token']).not.toBe(login.access_token)
    expect(body['refresh_token']).not.toBe(login.refresh_token)
  })

  it('answers no refresh token where the setting keeps the old one', async () => {
    const { shop, login } = await loggedIn()
    await shop.call('PATCH', '/sandbox/settings', { json: { refresh_rotation: 'keep' } })
    expect((await refresh(shop, login.refresh_token)).body).not.toHaveProperty('refresh_token')
    expect((await refresh(shop, login.refresh_token)).status).toBe(200)
  })

  it.each([400, 401, 403] as const)('answers invalid_grant with the status %i', async (status) => {
    const { shop, login } = await loggedIn()
    await shop.call('PATCH', '/sandbox/settings', { json: { invalid_grant_status: status } })
    await refresh(shop, login.refresh_token)
    const reused = await refresh(shop, login.refresh_token)
    expect(reused).toMatchObject({ status, body: { error: 'invalid_grant' } })
  })

  it('answers invalid_grant at the instant of expiry, not a millisecond before', async () => {
    const { shop, login } = await loggedIn()
    await shop.call('PATCH', '/sandbox/settings', { json: { refresh_rotation: 'keep' } })
    await shop.post('/sandbox/clock/advance', { to: '2027-01-30T23:59:59.999Z' })
    expect((await refresh(shop, login.refresh_token)).status).toBe(200)
    await shop.post('/sandbox/clock/advance', { by: 'PT0.001S' })
    expect((await refresh(shop, login.refresh_token)).status).toBe(403)
  })

  it.each([{}, { refresh_token: 7 }, { refresh_token: null }, { refresh_token: '' }, []])(
    'answers invalid_request to the body %j',
    async (json) => {
      const { shop, login } = await loggedIn()
      const answer = await refresh(shop, login.refresh_token, json)
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    },
  )

  it('takes no form, and an absent header comes before a bad body', async () => {
    const { shop, login } = await loggedIn()
    const bytes = `refresh_token=${login.refresh_token}`
    const headers = { 'Content-Type': formType }
    const form = await shop.call('POST', '/v1/auth/refresh', {
      bytes,
      headers: { ...headers, Authorization: `Bearer ${login.refresh_token}` },
    })
    expect(form).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    const absent = await shop.call('POST', '/v1/auth/refresh', { bytes, headers })
    expect(absent).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  })

  it('answers unauthorized to another token in the body, and to one never issued', async () => {
    const { shop, login } = await loggedIn()
    const other = await refresh(shop, login.refresh_token, { refresh_token: 'rt_other' })
    expect(other).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    const unknown = await refresh(shop, 'rt_never_issued')
    expect(unknown).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    const access = await refresh(shop, login.access_token)
    expect(access).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
  })

  it('never repeats a token in a message', async () => {
    const { shop, login } = await loggedIn()
    const { refresh_token: token } = login
    await refresh(shop, token)
    for (const json of [undefined, { refresh_token: [token] }, { refresh_token: token, more: 1 }]) {
      expect((await refresh(shop, token, json)).text).not.toContain(token)
    }
  })
})

describe('subscription calls', () => {
  it('take a live access token in place of the key', async () => {
    const { shop, login } = await loggedIn()
    const answer = await shop.call('POST', '/v1/subscriptions', {
      json: { customer_id: 'cus_ada', plan: 'basic' },
      headers: { Authorization: `Bearer ${login.access_token}` },
    })
    expect(answer.status).toBe(200)
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Basic c2s6',
    'Bearer sk_sandbox_nowhere',
    'Bearer sk_live_abc',
  ])('answer 401 to the Authorization %j', async (authorization) => {
    const shop = await openShop()
    const headers = authorization === undefined ? {} : { Authorization: authorization }
    const json = { customer_id: 'cus_ada', plan: 'basic' }
    const answer = await shop.call('POST', '/v1/subscriptions', { json, headers })
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(answer.text).not.toContain('sk_live')
  })

  it('answer 401 to an access token that has expired', async () => {
    const { shop, login } = await loggedIn()
    await shop.post('/sandbox/clock/advance', { by: 'PT1H' })
    const headers = { Authorization: `Bearer ${login.access_token}` }
    const answer = await shop.call('POST', '/v1/subscriptions', { json: {}, headers })
    expect(answer.status).toBe(401)
    expect((await submit(shop, '/v1/subscriptions', {})).status).toBe(400)
  })
})
