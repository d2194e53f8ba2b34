import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { problemEnvelope } from '../../src/http/envelopes.ts'
import { openSurface, router } from '../../src/http/router.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { asYaml } from '../../src/openapi/yaml.ts'
import { documentRoutes } from '../../src/server/documents.ts'

const document = v1Document('0.1.0')
const routes = documentRoutes(['/openapi.json', '/openapi.yaml'], async () => document)
const app = router(
  openSurface({ prefixes: [], envelope: problemEnvelope, report: () => {} }),
  routes,
)

it('serves the document byte for byte as it is written to the repository', async () => {
  const response = await app.request('/openapi.yaml')
  expect(response.headers.get('Content-Type')).toBe('application/yaml')
  expect(await response.text()).toBe(asYaml(document))
})

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
