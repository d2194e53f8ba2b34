/** The base address of a sandbox: which sandbox answers there, and to whom. */
import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import type { WireError } from '../../src/wire/common/errors.ts'
import type { WireIssuedTokens } from '../../src/wire/sandbox/token.ts'
import { bearer, countIn, openTwo, order, subscribe } from '../support/base-address.ts'
import { inSandbox, openShop } from '../support/control.ts'

describe('the base address of a sandbox', () => {
  it.each([
    'sk_test_4242',
    'whatever-the-application-has',
    'delivery-service',
    'sk_sandbox_',
    'at_one',
    'sk_sandbox_one',
    // The key of the guides, which pacts and applications have.
    'sk_sandbox_default',
  ])('takes the key %s, and nobody else gets the call', async (key) => {
    const shop = await openTwo()
    const answer = await subscribe(shop, '/sandboxes/one', bearer(key))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Sandbox-Id')).toBe('one')
    expect([await countIn(shop, 'one'), await countIn(shop, 'two')]).toEqual([1, 0])
    expect(await countIn(shop, 'default')).toBe(0)
  })

  it('answers with the bytes of /v1', async () => {
    const [shop, other] = [await openTwo(), await openTwo()]
    const answer = await subscribe(shop, '/sandboxes/one', bearer('anything'))
    const plain = await subscribe(other, '', bearer('sk_sandbox_one'))
    expect(answer.text).toBe(plain.text)
    expect([...answer.headers]).toEqual([...plain.headers])
  })

  it.each([
    'sk_sandbox_two',
    'sk_sandbox_default_second',
    'sk_sandbox_of-nobody',
    `at_two_${'x'.repeat(43)}`,
  ])('refuses %s, which is of another sandbox, and says whose address it is', async (key) => {
    const shop = await openTwo()
    const { status, body, headers } = await subscribe(shop, '/sandboxes/one', bearer(key))
    expect(status).toBe(401)
    expect(headers.get('WWW-Authenticate')).toBe('Bearer realm="subscription-sandbox"')
    expect(body).toEqual({
      error: 'unauthorized',
      message:
        'This is the base address of sandbox "one", and the Authorization header carries the key or token of another sandbox; it must carry one of this sandbox, or any text that is no key or token of a sandbox.',
    })
  })

  it('refuses a call without a key as /v1 does, and one with a live key', async () => {
    const shop = await openTwo()
    const none = await subscribe(shop, '/sandboxes/one', {})
    expect(none.status).toBe(401)
    expect(none.body.message).toBe((await subscribe(shop, '', {})).body.message)
    const basic = { Authorization: 'Basic dXNlcjpwYXNz' }
    expect((await subscribe(shop, '/sandboxes/one', basic)).status).toBe(401)
    for (const key of ['sk_live_4242', 'sk-live-4242', 'live_4242', 'rk_acme_live_4242']) {
      const live = await subscribe(shop, '/sandboxes/one', bearer(key))
      expect(live.status).toBe(401)
      expect(live.body.message).toContain('never send it one')
      expect(live.text).not.toContain('4242')
    }
  })

  it('leaves a revoked key of its own revoked, and tokens as they are', async () => {
    const shop = await openShop()
    const base = '/sandboxes/default'
    const statusOf = async (key: string) => (await subscribe(shop, base, bearer(key))).status
    expect(await statusOf('sk_sandbox_default_second')).toBe(200)
    expect(await statusOf('sk_sandbox_default_revoked')).toBe(401)
    const { body } = await shop.post<WireIssuedTokens>('/sandbox/tokens', {})
    expect(await statusOf(body.access_token)).toBe(200)
    await shop.post('/sandbox/clock/advance', { by: 'P1D' })
    expect(await statusOf(body.access_token)).toBe(401)
  })

  it('refreshes tokens of its sandbox, and those of no other', async () => {
    const shop = await openTwo()
    const issued = await inSandbox(shop, 'one').post<WireIssuedTokens>('/sandbox/tokens', {})
    const refresh = (id: string, token: string) =>
      shop.call('POST', `/sandboxes/${id}/v1/auth/refresh`, {
        json: { refresh_token: token },
        headers: bearer(token),
      })
    expect((await refresh('two', issued.body.refresh_token)).status).toBe(401)
    expect((await refresh('one', issued.body.refresh_token)).status).toBe(200)
    const chosen = { refresh_token: 'chosen-by-a-contract' }
    const state = { state: 'a refresh token is fresh', params: chosen }
    expect((await shop.post('/sandboxes/two/provider-states', state)).status).toBe(200)
    expect((await refresh('one', chosen.refresh_token)).status).toBe(401)
    expect((await refresh('two', chosen.refresh_token)).status).toBe(200)
  })

  it('wins over the header Sandbox-Id', async () => {
    const shop = await openTwo()
    const headers = { ...bearer('any'), 'Sandbox-Id': 'two' }
    expect((await subscribe(shop, '/sandboxes/one', headers)).headers.get('Sandbox-Id')).toBe('one')
    const states = await shop.call('GET', '/sandboxes/one/provider-states', {
      headers: { 'Sandbox-Id': 'two' },
    })
    expect(states.headers.get('Sandbox-Id')).toBe('one')
  })

  it('is answered 404 where it names no sandbox, in the envelope of its surface', async () => {
    const shop = await openTwo()
    const { status, body } = await subscribe(shop, '/sandboxes/three', bearer('any'))
    const said =
      'The address names sandbox "three", which does not exist; GET /sandboxes lists the sandboxes.'
    expect([status, body]).toEqual([404, { error: 'not_found', message: said }])
    const states = await shop.post('/sandboxes/three/provider-states', { state: '' })
    expect(states).toMatchObject({ status: 404, body: { code: 'not_found', detail: said } })
    const refresh = await shop.app.request('/sandboxes/three/v1/auth/refresh', { method: 'POST' })
    expect([refresh.status, await refresh.json()]).toEqual([
      404,
      { error: 'not_found', message: said },
    ])
    expect(await countIn(shop, 'default')).toBe(0)
  })

  it.each([
    ['/sandboxes/%6fne/v1/subscriptions', 200],
    ['/sandboxes/one/%761/subscriptions', 200],
    ['/sandboxes/one/v1/subscriptions?x=1', 400],
    ['/sandboxes/one/v1/subscriptions/', 404],
    ['/sandboxes/one/v1', 404],
    ['/sandboxes/one/v1/', 404],
    ['/sandboxes/one/v1/%0A', 404],
    ['/sandboxes/one/v1x/subscriptions', 404],
    ['/sandboxes/one%2Fx/v1/subscriptions', 404],
    ['/sandboxes//v1/subscriptions', 404],
    ['/sandboxes/one/sandboxes/one/v1/subscriptions', 404],
    ['/sandboxes/one/sandbox/clock', 404],
  ])('is found in the path %s as sent: %i', async (path, status) => {
    const shop = await openTwo()
    await inSandbox(shop, 'one').call('PATCH', '/sandbox/settings', {
      json: { unknown_fields: 'reject' },
    })
    const sent = { method: 'POST', body: JSON.stringify(order) }
    const headers = { ...bearer('any'), 'Content-Type': 'application/json' }
    expect((await shop.app.request(path, { ...sent, headers })).status).toBe(status)
    expect(await countIn(shop, 'one')).toBe(status === 200 ? 1 : 0)
  })

  it('refuses methods and paths as /v1 does', async () => {
    const shop = await openTwo()
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE']) {
      const answer = await shop.app.request('/sandboxes/one/v1/subscriptions', { method })
      expect([method, answer.status, answer.headers.get('Allow')]).toEqual([method, 405, 'POST'])
      expect(answer.headers.get('Sandbox-Id')).toBe('one')
    }
    const nowhere = await shop.call<WireError>('GET', '/sandboxes/one/v1/nowhere')
    expect(nowhere.body.error).toBe('not_found')
    expect(nowhere.body.message).toContain('path "/v1/nowhere" does not exist')
    const states = await shop.app.request('/sandboxes/one/provider-states', { method: 'HEAD' })
    expect([states.status, await states.text()]).toEqual([200, ''])
  })

  it('lets pages of an allowed origin in, once', async () => {
    const { registry } = await openTwo()
    const origin = 'https://shop.example'
    const app = createApp(registry, () => undefined, { origins: [origin] })
    const path = '/sandboxes/one/v1/subscriptions'
    const asks = { Origin: origin, 'Access-Control-Request-Method': 'POST' }
    const asked = await app.request(path, { method: 'OPTIONS', headers: asks })
    expect([asked.status, asked.headers.get('Access-Control-Allow-Origin')]).toEqual([204, origin])
    const headers = { Origin: origin, ...bearer('any'), 'Content-Type': 'application/json' }
    const body = JSON.stringify(order)
    const answer = await app.request(path, { method: 'POST', headers, body })
    expect([answer.status, answer.headers.get('Access-Control-Allow-Origin')]).toEqual([
      200,
      origin,
    ])
  })

  it('has the faults and the settings of its sandbox', async () => {
    const shop = await openTwo()
    await inSandbox(shop, 'one').post('/sandbox/faults', { effect: { status: 503 }, times: 1 })
    const app = (id: string) =>
      shop.app.request(`/sandboxes/${id}/v1/subscriptions`, {
        method: 'POST',
        headers: { ...bearer('any'), 'Content-Type': 'application/json' },
        body: JSON.stringify(order),
      })
    expect((await app('two')).status).toBe(200)
    expect((await app('one')).status).toBe(503)
    expect((await app('one')).status).toBe(200)
  })
})

describe('provider states at a base address', () => {
  it('are those of its sandbox', async () => {
    const shop = await openTwo()
    const state = { state: 'the trial ends in 3 days' }
    const answer = await shop.post('/sandboxes/one/provider-states', state)
    expect(answer.body).toMatchObject({ sandbox_id: 'one', api_key: 'sk_sandbox_one' })
    const counts = await Promise.all(['one', 'two', 'default'].map((id) => countIn(shop, id)))
    expect(counts).toEqual([1, 0, 0])
    const listed = await shop.get('/sandboxes/one/provider-states?limit=1')
    expect(listed.text).toBe((await shop.get('/sandbox/provider-states?limit=1')).text)
  })

  it('take any key but that of another sandbox, and ask for the control token', async () => {
    const shop = await openTwo()
    const path = '/sandboxes/one/provider-states'
    const statusOf = async (key: string) =>
      (await shop.call('POST', path, { json: { state: '' }, headers: bearer(key) })).status
    expect(await statusOf('any')).toBe(200)
    expect(await statusOf('sk_sandbox_one')).toBe(200)
    expect(await statusOf('sk_sandbox_two')).toBe(401)
    const app = createApp(shop.registry, () => undefined, { controlToken: 'a-control-token' })
    const guarded = (headers: Record<string, string>) =>
      app.request(`${path}?state=`, { method: 'POST', headers })
    expect((await guarded(bearer('any'))).status).toBe(401)
    expect((await guarded(bearer('a-control-token'))).status).toBe(200)
  })
})
