import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/server/app.ts'
import { openShop } from '../support/control.ts'

describe('the Host header', () => {
  it.each([
    'localhost',
    'localhost:4010',
    'LOCALHOST:4010',
    'localhost.:4010',
    'app.localhost:4010',
    '127.0.0.1:4010',
    '127.8.9.10',
    '[::1]:4010',
    '192.168.0.7:4010',
  ])('%s is let in', async (host) => {
    const shop = await openShop()
    expect((await shop.call('GET', '/sandbox', { headers: { Host: host } })).status).toBe(200)
  })

  it.each([
    'evil.example',
    'evil.example:4010',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'evillocalhost',
    '[::1].evil.example',
    '',
  ])('%j is kept out of every surface', async (host) => {
    const shop = await openShop()
    const headers = { Host: host, Authorization: 'Bearer sk_sandbox_default' }
    for (const path of ['/sandbox', '/sandboxes', '/v1/subscriptions']) {
      expect((await shop.call('GET', path, { headers })).status, path).toBe(400)
    }
    for (const path of ['/docs', '/openapi.yaml', '/health/live', '/nowhere']) {
      expect((await shop.app.request(path, { headers })).status, path).toBe(400)
    }
  })

  it('may be a name that the server was started for', async () => {
    const { registry } = await openShop()
    const app = createApp(registry, () => undefined, { hosts: ['Sandbox.Internal'] })
    const statusFor = async (host: string) =>
      (await app.request('/sandbox', { headers: { Host: host } })).status
    expect(await statusFor('sandbox.internal:4010')).toBe(200)
    expect(await statusFor('other.internal:4010')).toBe(400)
  })
})

describe('a page of another site', () => {
  const foreign = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example', Host: 'localhost:4010' },
    { Origin: 'http://localhost:3000', Host: 'localhost:4010' },
    { Origin: 'http://localhost.evil.example:4010', Host: 'localhost:4010' },
    { Origin: 'null', Host: 'localhost:4010' },
  ]

  it.each(foreign)('%o changes nothing on the control plane', async (headers) => {
    const shop = await openShop()
    const before = await shop.state()
    const calls = [
      shop.call('POST', '/sandbox/reset', { headers }),
      shop.call('POST', '/sandbox/clock/advance', { headers, json: { by: 'P1D' } }),
      shop.call('PATCH', '/sandbox/settings', { headers, json: {} }),
      shop.call('DELETE', '/sandbox/payment-outcomes', { headers }),
      shop.call('POST', '/sandboxes', { headers }),
      shop.call('PUT', '/sandboxes/theirs', { headers }),
    ]
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(400)
      expect(body).toMatchObject({ detail: expect.stringMatching(/page of another site/) })
    }
    expect(await shop.state()).toBe(before)
    expect((await shop.get('/sandboxes')).body).toMatchObject({ data: [{}] })
  })

  it('may read, as a link to here does', async () => {
    const shop = await openShop()
    const headers = { 'Sec-Fetch-Site': 'cross-site' }
    expect((await shop.call('GET', '/sandbox', { headers })).status).toBe(200)
  })
})

describe("a page of the server's own", () => {
  it('changes what it likes, under whichever name it was opened', async () => {
    const shop = await openShop()
    for (const host of ['localhost:4010', '127.0.0.1:4010', '[::1]:4010']) {
      const headers = { 'Sec-Fetch-Site': 'same-origin', Origin: `http://${host}`, Host: host }
      expect((await shop.call('POST', '/sandbox/reset', { headers })).status).toBe(200)
    }
  })
})

describe('a page of an allowed origin', () => {
  const ours = 'http://localhost:3000'
  const cross = { Origin: ours, Host: 'localhost:4010', 'Sec-Fetch-Site': 'cross-site' }
  const preflight = { ...cross, 'Access-Control-Request-Method': 'POST' }

  async function sharing() {
    const shop = await openShop()
    const app = createApp(shop.registry, () => undefined, { origins: [ours] })
    return { shop, app }
  }

  it('changes and reads what programs do, and sees the headers of the answer', async () => {
    const { app } = await sharing()
    const headers = { ...cross, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ by: 'P1D' })
    const advanced = await app.request('/sandbox/clock/advance', { method: 'POST', headers, body })
    expect(advanced.status).toBe(200)
    expect(advanced.headers.get('Access-Control-Allow-Origin')).toBe(ours)
    const exposed = advanced.headers.get('Access-Control-Expose-Headers')?.split(',')
    expect(exposed).toEqual(expect.arrayContaining(['Sandbox-Time', 'Sandbox-Fault']))
    expect(advanced.headers.get('Sandbox-Time')).toBe('2027-01-02T00:00:00.000Z')
    const refused = await app.request('/v1/subscriptions', { method: 'POST', headers: cross })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(ours)
  })

  it.each(['/v1/subscriptions', '/sandbox', '/sandbox/clock', '/sandboxes', '/sandboxes/mine'])(
    'is told so before it calls %s',
    async (path) => {
      const { app } = await sharing()
      const wanted = 'authorization, content-type, sandbox-control-token'
      const headers = { ...preflight, 'Access-Control-Request-Headers': wanted }
      const answer = await app.request(path, { method: 'OPTIONS', headers })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe(ours)
      expect(answer.headers.get('Access-Control-Allow-Methods')).toContain('PATCH')
      expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('sandbox-control-token')
    },
  )

  it.each(['http://localhost:3001', 'https://localhost:3000', 'null', `${ours}.evil.example`])(
    'is none at %s',
    async (origin) => {
      const { app } = await sharing()
      const refused = await app.request('/sandbox/reset', {
        method: 'POST',
        headers: { ...cross, Origin: origin },
      })
      expect(refused.status).toBe(400)
      const asked = await app.request('/sandbox/reset', {
        method: 'OPTIONS',
        headers: { ...preflight, Origin: origin },
      })
      expect(asked.status).toBe(405)
      for (const { headers } of [refused, asked]) {
        expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
      }
    },
  )

  it('still needs the control token, which the browser may send', async () => {
    const { shop } = await sharing()
    const app = createApp(shop.registry, () => undefined, {
      origins: [ours],
      controlToken: 'secret',
    })
    const refused = await app.request('/sandbox', { headers: cross })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe(ours)
    expect((await app.request('/sandbox', { method: 'OPTIONS', headers: preflight })).status).toBe(
      204,
    )
    const headers = { ...cross, 'Sandbox-Control-Token': 'secret' }
    expect((await app.request('/sandbox', { headers })).status).toBe(200)
  })

  it('cannot have the examples of the reference made', async () => {
    const { app } = await sharing()
    const answer = await app.request('/docs/examples', { method: 'POST', headers: cross })
    expect(answer.status).toBe(400)
  })
})
