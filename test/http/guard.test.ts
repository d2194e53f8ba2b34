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
