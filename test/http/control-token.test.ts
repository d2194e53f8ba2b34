import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { createApp } from '../../src/server/app.ts'
import { openShop } from '../support/control.ts'

const TOKEN = 'ct-marked-5f2b8a'

/** A server that was started with a control token, beside a way to look at its sandboxes without one. */
async function guarded() {
  const shop = await openShop()
  const lines: string[] = []
  const app = createApp(shop.registry, (line) => lines.push(line), { controlToken: TOKEN })
  const statusOf = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await app.request(path, { method, headers })).status
  return { shop, app, lines, statusOf }
}

const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})

it('is asked for by every operation of the control plane, before anything happens', async () => {
  const { shop, app } = await guarded()
  const before = await shop.state()
  for (const { method, path } of controlRoutes) {
    const named = path.replace(/\{\w+\}/g, 'default')
    const answer = await app.request(named, { method: method.toUpperCase() })
    expect(answer.status, `${method} ${path}`).toBe(401)
    expect(answer.headers.get('WWW-Authenticate'), path).toMatch(/^Bearer /)
    expect(await answer.json()).toMatchObject({
      code: 'unauthorized',
      detail: expect.stringMatching(/^Sandbox-Control-Token is missing; /),
    })
  }
  expect(await shop.state()).toBe(before)
})

it('is asked for below the control plane where nothing is, and with a method that is not served', async () => {
  const { statusOf } = await guarded()
  for (const path of ['/sandbox/nowhere', '/sandboxes/a/b', '/dashboard/nobody/']) {
    expect(await statusOf(path), path).toBe(401)
    expect(await statusOf(path, { 'Sandbox-Control-Token': TOKEN }), path).toBe(404)
  }
  expect(await statusOf('/sandbox/clock', {}, 'DELETE')).toBe(401)
})

it('is asked for in no other place', async () => {
  const { app, statusOf } = await guarded()
  const paths = [
    '/health/live',
    '/health/ready',
    '/openapi.json',
    '/openapi.yaml',
    '/docs',
    '/llms.txt',
  ]
  for (const path of [...paths, '/sandbox/openapi.json'])
    expect(await statusOf(path), path).toBe(200)
  const created = await app.request('/v1/subscriptions', {
    method: 'POST',
    headers: { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' },
    body: JSON.stringify({ customer_id: 'cus_ada', plan: 'pro' }),
  })
  expect(created.status).toBe(200)
})

it('opens with its own header, and Authorization still names the sandbox by its key', async () => {
  const { shop, app, statusOf } = await guarded()
  await shop.call('PUT', '/sandboxes/mine')
  const token = { 'Sandbox-Control-Token': TOKEN }
  expect(await statusOf('/sandbox', token)).toBe(200)
  expect(await statusOf('/sandboxes', token)).toBe(200)
  const headers = { ...token, Authorization: 'Bearer sk_sandbox_mine' }
  expect((await app.request('/sandbox', { headers })).headers.get('Sandbox-Id')).toBe('mine')
})

it('opens in Authorization, for tools that can send nothing else, and Sandbox-Id names the sandbox', async () => {
  const { shop, app } = await guarded()
  await shop.call('PUT', '/sandboxes/mine')
  for (const sent of [
    { Authorization: `Bearer ${TOKEN}` },
    basic('', TOKEN),
    basic('any', TOKEN),
  ]) {
    const answer = await app.request('/sandbox/broker', { headers: sent })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Sandbox-Id')).toBe('default')
    const headers = { ...sent, 'Sandbox-Id': 'mine' }
    expect((await app.request('/sandbox', { headers })).headers.get('Sandbox-Id')).toBe('mine')
  }
})

it.each([
  ['in its header', { 'Sandbox-Control-Token': 'ct-marked-wrong' }, 'wrong'],
  ['as a beginning', { 'Sandbox-Control-Token': TOKEN.slice(0, -1) }, 'wrong'],
  ['as Bearer', { Authorization: 'Bearer ct-marked-wrong' }, 'missing'],
  ['as Basic', basic('', 'ct-marked-wrong'), 'missing'],
  ['as an API key', { Authorization: 'Bearer sk_sandbox_default' }, 'missing'],
  [
    'beside the right one',
    { 'Sandbox-Control-Token': 'x', Authorization: `Bearer ${TOKEN}` },
    'wrong',
  ],
])('is refused %s where it is wrong, and repeated nowhere', async (_, headers, what) => {
  const { app, lines } = await guarded()
  const answer = await app.request('/sandbox', { headers })
  const text = await answer.text()
  expect(answer.status).toBe(401)
  expect(text).toContain(`Sandbox-Control-Token is ${what}`)
  expect(text + JSON.stringify([...answer.headers])).not.toContain('ct-marked')
  expect(lines).toEqual([])
})

it('has a browser ask for it where a page is asked for, and not where a script asks', async () => {
  const { app } = await guarded()
  const challengeOf = async (path: string) =>
    (await app.request(path)).headers.get('WWW-Authenticate')
  expect(await challengeOf('/dashboard')).toMatch(/^Basic /)
  expect(await challengeOf('/sandbox')).toMatch(/^Bearer /)
})

it('lets the reference make its examples', async () => {
  const { app, shop } = await guarded()
  expect((await app.request('/docs/examples', { method: 'POST' })).status).toBe(204)
  expect(shop.registry.ids).toContain('examples')
})

it('is in the document of the control plane as what Execute can send', async () => {
  const { app } = await guarded()
  const document = (await (await app.request('/sandbox/openapi.json')).json()) as OpenAPIObject
  const { controlToken } = document.components?.securitySchemes ?? {}
  expect(controlToken).toMatchObject({
    type: 'apiKey',
    in: 'header',
    name: 'Sandbox-Control-Token',
  })
  expect(document.paths?.['/sandbox/clock']?.get?.security).toEqual([{}, { controlToken: [] }])
})
