import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { docsApp } from '../../src/server/docs.ts'
import { buildFolder } from '../../src/version.ts'
import { openShop } from '../support/control.ts'

const entries = [{ name: 'The documented surface', url: '/openapi.json' }]
const app = docsApp(entries, async () => {})
const isBuilt = existsSync(new URL('assets/swagger-ui', buildFolder))

it('is a page that sends requests to this process only', async () => {
  const response = await app.request('/docs')
  expect(response.status).toBe(200)
  const policy = response.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self';")
  const page = await response.text()
  expect(page).not.toMatch(/https?:/)
  expect(page).not.toMatch(/<script>|onload=|style=/)
})

it('is found with a slash at the end, too', async () => {
  expect(await (await app.request('/docs/')).text()).toBe(await (await app.request('/docs')).text())
})

it('starts with the documents to choose from, and validates nothing elsewhere', async () => {
  const script = await (await app.request('/docs/start.js')).text()
  expect(script).toContain('"url":"/openapi.json"')
  expect(script).toContain('validatorUrl: null')
  expect(script).not.toMatch(/https?:/)
})

it.runIf(isBuilt).each([
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['swagger-ui-standalone-preset.js', 'text/javascript; charset=utf-8'],
  ['favicon-32x32.png', 'image/png'],
])('serves %s, which the build copied', async (asset, type) => {
  const response = await app.request(`/docs/${asset}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('Content-Type')).toBe(type)
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(500)
})

it.each(['LICENSE', 'package.json', '..%2f..%2fpackage.json', 'swagger-ui.js'])(
  'does not serve %s',
  async (asset) => {
    expect((await app.request(`/docs/${asset}`)).status).toBe(404)
  },
)

it('makes the examples for one page after the other', async () => {
  const steps: string[] = []
  const slow = docsApp(entries, async () => {
    steps.push('begun')
    await Promise.resolve()
    steps.push('done')
  })
  const opened = [1, 2].map(() => slow.request('/docs/examples', { method: 'POST' }))
  for (const answer of await Promise.all(opened)) expect(answer.status).toBe(204)
  expect(steps).toEqual(['begun', 'done', 'begun', 'done'])
})

it('makes no examples for the page of another site', async () => {
  const shop = await openShop()
  const headers = { Origin: 'http://elsewhere.example' }
  const refused = await shop.app.request('/docs/examples', { method: 'POST', headers })
  expect(refused.status).toBe(400)
  expect(shop.registry.ids).toEqual(['default'])
})

it('says why the examples cannot be made', async () => {
  const shop = await openShop({}, 2)
  const refused = await shop.app.request('/docs/examples', { method: 'POST' })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    code: 'sandbox_limit',
    detail: expect.stringContaining('at most 2 sandboxes'),
  })
})

it('makes its own examples anew, and leaves a sandbox alone that somebody else made under their name', async () => {
  const shop = await openShop()
  const opened = () => shop.app.request('/docs/examples', { method: 'POST' })
  expect((await opened()).status).toBe(204)
  expect((await opened()).status).toBe(204)
  await shop.call('DELETE', '/sandboxes/examples')
  await shop.call('PUT', '/sandboxes/examples', { json: { fixture: 'empty' } })
  const refused = await opened()
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({
    code: 'exists',
    detail: expect.stringContaining('Sandbox "examples" was there before, and stays; delete it'),
  })
  const headers = { 'Sandbox-Id': 'examples' }
  expect((await shop.call('GET', '/sandbox/plans', { headers })).body).toMatchObject({ data: [] })
})
