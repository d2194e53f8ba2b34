import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { problemEnvelope } from '../../src/http/envelopes.ts'
import type { Surface } from '../../src/http/pipeline.ts'
import { router } from '../../src/http/router.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { documentText, toForm } from '../../src/openapi/derive-form.ts'
import { DocumentForm } from '../../src/openapi/forms.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { documentRoutes } from '../../src/server/documents.ts'
import { VERSION } from '../../src/version.ts'

const none = () => {}
const surface: Surface = { prefixes: [], admit: none, envelope: problemEnvelope, report: none }
const app = router(surface, documentRoutes)
const usual = 'http://localhost:4010'

const closed = { v1: v1Document(VERSION), control: controlDocument(controlRoutes, VERSION) }

it.each([
  ['v1', '/openapi.json', {}],
  ['v1', '/openapi.yaml', {}],
  ['v1', '/openapi.json?closed=true', { closed: true }],
  ['v1', '/openapi.yaml?version=3.0&media=json', { version: '3.0', media: 'json' }],
  ['control', '/sandbox/openapi.json', {}],
  ['control', '/sandbox/openapi.yaml?media=json', { media: 'json' }],
  ['control', '/sandbox/openapi.json?closed=true&version=3.0', { closed: true, version: '3.0' }],
] as const)('serves the document of %s at %s as the build drew it', async (surface, path, form) => {
  const format = path.includes('.yaml') ? 'yaml' : 'json'
  const response = await app.request(`${usual}${path}`)
  expect(response.headers.get('Content-Type')).toBe(`application/${format}`)
  const document = toForm(surface, closed[surface], DocumentForm.parse(form))
  expect(await response.text()).toBe(documentText(document, format))
})

it('lists the documents of both surfaces where tools look for them', async () => {
  const response = await app.request('http://127.0.0.1:5555/.well-known/api-catalog')
  expect(response.headers.get('Content-Type')).toBe('application/linkset+json')
  const { linkset } = (await response.json()) as {
    linkset: { anchor: string; 'service-desc': { href: string; type: string }[] }[]
  }
  const base = 'http://127.0.0.1:5555'
  expect(linkset.map(({ anchor }) => anchor)).toEqual([`${base}/v1`, `${base}/sandbox`])
  for (const { href, type } of linkset.flatMap((each) => each['service-desc'])) {
    const listed = await app.request(href)
    expect(listed.headers.get('Content-Type'), href).toBe(type)
    expect(parse(await listed.text())).toMatchObject({ openapi: '3.1.0' })
  }
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

it.each([
  ['version=2.0', 'version must be 3.0 or 3.1; got "2.0".'],
  ['media=form', 'media must be all or json; got "form".'],
  ['closed=perhaps', 'closed must be true or false; got "perhaps".'],
])('refuses a form that it does not have: %s', async (query, detail) => {
  const response = await app.request(`/openapi.json?${query}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ detail })
})

it('serves what a language model should know, where every page that it links to is there', async () => {
  const response = await app.request('http://127.0.0.1:5555/llms.txt')
  expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  expect(text).toMatch(/^# subscription-sandbox\n\n> /)
  expect(text).toContain('listens at http://127.0.0.1:5555,')
  const links = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, path = '']) => path)
  expect(links).toEqual([
    '/openapi.yaml',
    '/sandbox/openapi.json',
    '/.well-known/api-catalog',
    '/docs',
    '/docs/errors',
  ])
  for (const path of links.slice(0, -2))
    expect((await app.request(`${usual}${path}`)).ok).toBe(true)
  for (const [path] of text.matchAll(/(?:docs|contracts)\/[\w/-]+\.md/g)) {
    expect(existsSync(path), path).toBe(true)
  }
})
