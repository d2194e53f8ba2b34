/** Documents, pages and assets: compressed where that is accepted, and sent once to a client that has them. */
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { openShop } from '../support/control.ts'

const shop = await openShop()
const get = (path: string, headers: Record<string, string> = {}) =>
  shop.app.request(`http://127.0.0.1:5555${path}`, { headers })

const texts = [
  '/openapi.json',
  '/openapi.yaml',
  '/sandbox/openapi.json',
  '/fixture.schema.json',
  '/llms.txt',
  '/docs/errors',
  '/docs/start.js',
  '/docs/swagger-ui-bundle.js',
  '/dashboard/-/dashboard.css',
  '/dashboard/-/dashboard.js',
]

it.each(texts)(
  '%s is compressed where the client accepts it, and is 304 where it has it',
  async (path) => {
    const plain = await get(path)
    expect(plain.status).toBe(200)
    expect(plain.headers.get('Content-Encoding')).toBeNull()
    expect(plain.headers.get('Vary')).toBe('Accept-Encoding')
    const text = await plain.text()

    const zipped = await get(path, { 'Accept-Encoding': 'deflate, gzip;q=0.5' })
    expect(zipped.headers.get('Content-Encoding')).toBe('gzip')
    expect(zipped.headers.get('Content-Type')).toBe(plain.headers.get('Content-Type'))
    const bytes = Buffer.from(await zipped.arrayBuffer())
    expect(bytes.length).toBeLessThan(text.length / 1.5)
    expect(gunzipSync(bytes).toString()).toBe(text)

    const tag = plain.headers.get('ETag') ?? ''
    expect(zipped.headers.get('ETag')).toBe(tag)
    const known = await get(path, { 'If-None-Match': `"other", ${tag}` })
    expect(known.status).toBe(304)
    expect(await known.text()).toBe('')
    expect(known.headers.get('ETag')).toBe(tag)
    expect((await get(path, { 'If-None-Match': '"other"' })).status).toBe(200)
  },
)

it('sends no gzip to a client that refuses it', async () => {
  for (const accepted of ['gzip;q=0', 'identity', 'br']) {
    const answer = await get('/openapi.json', { 'Accept-Encoding': accepted })
    expect(answer.headers.get('Content-Encoding')).toBeNull()
  }
})

it('has another tag for a document that names another address', async () => {
  const own = await get('/openapi.json')
  const other = await shop.app.request('http://localhost:4010/openapi.json')
  expect(other.headers.get('ETag')).not.toBe(own.headers.get('ETag'))
})

it('leaves images and streams as they are', async () => {
  const accepts = { 'Accept-Encoding': 'gzip' }
  const image = await get('/docs/favicon-32x32.png', accepts)
  expect(image.headers.get('Content-Encoding')).toBeNull()
  expect(image.headers.get('ETag')).toMatch(/^W\//)
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  const stream = await get('/sandbox/events/stream?after=0&limit=2', accepts)
  expect(stream.headers.get('Content-Encoding')).toBeNull()
  expect(await stream.text()).toContain('data: ')
})

it('sends all scripts of the dashboard in at most 60 kB', async () => {
  const answer = await get('/dashboard/-/dashboard.js', { 'Accept-Encoding': 'gzip' })
  expect((await answer.arrayBuffer()).byteLength).toBeLessThanOrEqual(60_000)
})
