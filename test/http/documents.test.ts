import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { problemEnvelope } from '../../src/http/envelopes.ts'
import type { Surface } from '../../src/http/pipeline.ts'
import { router } from '../../src/http/router.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { asYaml } from '../../src/openapi/down-convert.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { documentRoutes } from '../../src/server/documents.ts'
import { VERSION } from '../../src/version.ts'

const none = () => {}
const surface: Surface = { prefixes: [], receive: none, envelope: problemEnvelope, report: none }
const app = router(surface, documentRoutes)
const usual = 'http://localhost:4010'

it('serves the document byte for byte as it is written to the repository', async () => {
  const response = await app.request(`${usual}/openapi.yaml`)
  expect(response.headers.get('Content-Type')).toBe('application/yaml')
  expect(await response.text()).toBe(asYaml(v1Document(VERSION)))
})

it('serves the control plane as the build drew it from the declarations', async () => {
  const response = await app.request(`${usual}/sandbox/openapi.json`)
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(await response.text()).toBe(JSON.stringify(controlDocument(controlRoutes, VERSION)))
})

it.each(['/openapi.json', '/openapi.yaml', '/openapi.json?version=3.0', '/sandbox/openapi.json'])(
  '%s names the address that it was asked at, and no other',
  async (path) => {
    for (const host of ['127.0.0.1:5123', '[::1]:80', 'billing.localhost']) {
      const text = await (await app.request(path, { headers: { Host: host } })).text()
      expect(parse(text).servers).toEqual([{ url: `http://${host}`, description: 'The sandbox.' }])
      expect(text).not.toContain(usual)
    }
  },
)

it.each([
  ['', '3.1.0'],
  ['?version=3.1', '3.1.0'],
  ['?version=3.0', '3.0.3'],
])('serves JSON and YAML alike in the version asked for: %j', async (query, version) => {
  const json = await (await app.request(`/openapi.json${query}`)).json()
  const yaml = parse(await (await app.request(`/openapi.yaml${query}`)).text())
  expect(json).toMatchObject({ openapi: version })
  expect(yaml).toEqual(json)
})

it('refuses another version', async () => {
  const response = await app.request('/openapi.json?version=2.0')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    detail: 'version must be 3.0 or 3.1; got "2.0".',
  })
})

it('serves what a language model should know, where every page that it links to is there', async () => {
  const response = await app.request('http://127.0.0.1:5555/llms.txt')
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  expect(text).toMatch(/^# subscription-sandbox\n\n> /)
  expect(text).toContain('listens at http://127.0.0.1:5555,')
  const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path = '']) => path)
  expect(links).toEqual(['/openapi.yaml', '/sandbox/openapi.json', '/docs'])
  for (const path of links.slice(0, -1))
    expect((await app.request(`${usual}${path}`)).ok).toBe(true)
  for (const [path] of text.matchAll(/(?:docs|contracts)\/[\w/-]+\.md/g)) {
    expect(existsSync(path), path).toBe(true)
  }
})
