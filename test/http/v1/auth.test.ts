import { describe, expect, it } from 'vitest'
import { bearer, openTwo, subscribe } from '../../support/base-address.ts'
import { refresh } from '../../support/client.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'

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

  it.each([{}, { refresh_token: 7 }, { refresh_token: null }, { refresh_token: '' }, []])(
    'answers invalid_request to the body %j',
    async (json) => {
      const { shop, login } = await loggedIn()
      const answer = await refresh(shop, login.refresh_token, json)
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    },
  )

  it('answers invalid_request to a compressed body, which its document declares', async () => {
    const { shop, login } = await loggedIn()
    const { refresh_token } = login
    const headers = {
      Authorization: `Bearer ${refresh_token}`,
      'Content-Type': 'application/json',
      'Content-Encoding': 'gzip',
    }
    const answer = await shop.call('POST', '/v1/auth/refresh', { json: { refresh_token }, headers })
    const message = 'Content-Encoding must be absent or identity; got "gzip".'
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request', message } })
  })

  it('answers unauthorized to another token in the body, and to one never issued', async () => {
    const { shop, login } = await loggedIn()
    const other = await refresh(shop, login.refresh_token, { refresh_token: 'rt_other' })
    const refused = (message: string) => ({ status: 401, body: { error: 'unauthorized', message } })
    expect(other).toMatchObject(
      refused(
        'refresh_token is not the token of the Authorization header; send the same refresh token in the header and in the body.',
      ),
    )
    const unknown = await refresh(shop, 'rt_never_issued')
    expect(unknown).toMatchObject(
      refused('refresh_token was never issued by this sandbox; POST /sandbox/tokens issues one.'),
    )
    const access = await refresh(shop, login.access_token)
    expect(access).toMatchObject(
      refused('refresh_token is an access token; send its refresh token.'),
    )
  })
})

describe('subscription calls', () => {
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

  it.each([
    ['sk_live_abc', 'what looks like a live key'],
    ['sk_sandbox_delivery-test', 'a key or token that is unknown, expired or revoked'],
    ['sk_sandbox_live', 'a key or token that is unknown, expired or revoked'],
    [`at_default_${'alive'.padEnd(43, 'x')}`, 'a key or token that is unknown, expired or revoked'],
  ])('say of %s that it is %s', async (credential, said) => {
    const shop = await openShop()
    const headers = { Authorization: `Bearer ${credential}` }
    const json = { customer_id: 'cus_ada', plan: 'basic' }
    const { body } = await shop.call('POST', '/v1/subscriptions', { json, headers })
    expect(body).toMatchObject({ message: expect.stringContaining(said) })
  })
})

describe('a refused call belongs to the sandbox that its token or key names', () => {
  it.each<[string, (shop: Shop, login: Login) => Promise<string>]>([
    [
      'an expired access token',
      async (shop, { access_token }) => {
        await shop.post('/sandbox/clock/advance', { by: 'PT1H' })
        return access_token
      },
    ],
    ['a refresh token', async (_, { refresh_token }) => refresh_token],
    ['a key that it does not have', async () => 'sk_sandbox_one_gone'],
  ])('%s', async (what, credentialIn) => {
    const shop = await openTwo()
    const one = inSandbox(shop, 'one')
    const { body } = await one.post<Login>('/sandbox/tokens', {})
    const answer = await subscribe(shop, '', bearer(await credentialIn(one, body)))
    expect(answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    expect(answer.headers.get('Sandbox-Id')).toBe('one')
    const said = answer.headers.get('Sandbox-Assumptions')?.includes('access-token-lifetime')
    expect(said).toBe(what === 'an expired access token')
    const refusedIn = async (id: string) => {
      const { body } = await inSandbox(shop, id).get<{ data: { answer: { status: number } }[] }>(
        '/sandbox/requests',
      )
      return body.data.filter(({ answer }) => answer.status === 401).length
    }
    expect([await refusedIn('one'), await refusedIn('default')]).toEqual([1, 0])
  })

  it('also where no operation is', async () => {
    const shop = await openTwo()
    const { body } = await inSandbox(shop, 'one').post<Login>('/sandbox/tokens', {})
    const { status, headers } = await shop.call('GET', '/v1/subscriptions/sub_1', {
      headers: bearer(body.access_token),
    })
    expect([status, headers.get('Sandbox-Id')]).toEqual([404, 'one'])
  })
})
