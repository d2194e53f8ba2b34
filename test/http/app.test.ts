import { afterEach, describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { type Started, start } from '../../src/server/start.ts'
import { VERSION } from '../../src/version.ts'
import { openShop } from '../support/control.ts'
import { shortestOf } from '../support/rounds.ts'

describe('every answer', () => {
  it.each([
    ['GET', '/health/live', 200],
    ['GET', '/health/ready', 200],
    ['GET', '/docs', 200],
    ['GET', '/openapi.yaml', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/openapi.json?version=3.0', 200],
    ['GET', '/sandbox/openapi.json', 200],
    ['GET', '/sandbox/openapi.yaml', 200],
    ['GET', '/sandbox', 200],
    ['HEAD', '/sandbox', 200],
    ['GET', '/', 302],
    ['GET', '/nowhere', 404],
    ['GET', '/v1', 404],
    ['GET', '/v2/subscriptions', 404],
    ['GET', '/sandbox/', 404],
    ['GET', '/sandbox/nowhere', 404],
    ['GET', '/sandboxes/a/b', 404],
    ['GET', '/docs/nowhere', 404],
    ['GET', '/v1/subscriptions', 405],
    ['POST', '/v1/subscriptions', 401],
    ['PATCH', '/sandbox/clock', 405],
    ['OPTIONS', '/sandbox', 405],
    ['POST', '/', 405],
    ['POST', '/docs/', 405],
    ['GET', '/docs/examples', 405],
    ['POST', '/docs/nowhere', 404],
  ])('%s %s has %i and the stamp of its sandbox', async (method, path, status) => {
    const { app } = await openShop()
    const response = await app.fetch(new Request(`http://localhost${path}`, { method }))
    expect(response.status).toBe(status)
    const stamp = ['Sandbox-Id', 'Sandbox-Time', 'Sandbox-Version', 'Request-Id']
    const isOfServer = !/^\/(v1|sandbox)/.test(path) || path.includes('openapi')
    expect(stamp.map((name) => response.headers.get(name))).toEqual([
      'default',
      '2027-01-01T00:00:00.000Z',
      VERSION,
      isOfServer ? expect.stringMatching(/^server_\d{6}$/) : 'req_000001',
    ])
  })

  it('speaks the language of its surface when it is an error', async () => {
    const { app } = await openShop()
    const mediaAt = async (path: string) => (await app.request(path)).headers.get('Content-Type')
    expect(await mediaAt('/v1/nowhere')).toBe('application/json')
    expect(await mediaAt('/v1nowhere')).toBe('application/problem+json')
    expect(await mediaAt('/sandbox/nowhere')).toBe('application/problem+json')
    expect(await mediaAt('/nowhere')).toBe('application/problem+json')
  })

  it('allows what its path takes, HEAD with GET, where it refuses a method', async () => {
    const { app } = await openShop()
    const allowed = async (path: string) =>
      (await app.request(path, { method: 'PATCH' })).headers.get('Allow')
    expect(await allowed('/sandbox/clock')).toBe('GET, HEAD, PUT')
    expect(await allowed('/docs')).toBe('GET, HEAD')
    expect(await allowed('/docs/examples')).toBe('POST')
  })

  it('is a problem of RFC 9457, with the fields at fault, for a malformed request', async () => {
    const shop = await openShop()
    const message = 'name must be a text of 1 to 200 characters; got 5.'
    expect((await shop.post('/sandbox/products', { name: 5 })).body).toEqual({
      type: 'about:blank',
      title: 'The request is malformed',
      status: 400,
      detail: message,
      code: 'invalid_request',
      errors: [{ field: 'name', message }],
    })
  })

  it('counts requests by sandbox', async () => {
    const shop = await openShop()
    const idOf = async (path: string, headers = {}) =>
      (await shop.call('GET', path, { headers })).headers.get('Request-Id')
    await shop.call('PUT', '/sandboxes/mine')
    expect(await idOf('/sandbox', { 'Sandbox-Id': 'mine' })).toBe('req_000001')
    expect(await idOf('/sandbox')).toBe('req_000002')
    expect(await idOf('/sandbox', { 'Sandbox-Id': 'mine' })).toBe('req_000002')
  })
})

describe('requests to the server and not to a sandbox', () => {
  it.each(['/health/live', '/health/ready', '/docs', '/openapi.json', '/sandbox/openapi.yaml'])(
    'leave the request ids of a sandbox as they are: %s',
    async (path) => {
      const shop = await openShop()
      for (let polled = 0; polled < 5; polled += 1) await shop.app.request(path)
      const customer = { customer_id: 'cus_new' }
      const { headers } = await shop.post('/sandbox/customers', customer)
      expect(headers.get('Request-Id')).toBe('req_000001')
    },
  )

  it('have ids of their own, counted in the process', async () => {
    const { app } = await openShop()
    const idOf = async () => (await app.request('/health/live')).headers.get('Request-Id') ?? ''
    const numberOf = (id: string) => Number(/^server_(\d+)$/.exec(id)?.[1])
    const first = numberOf(await idOf())
    expect(numberOf(await idOf())).toBe(first + 1)
  })
})

describe('a defect', () => {
  it('is logged with the request, and answered without a stack', async () => {
    const shop = await openShop()
    await shop.registry.default.read((world) => {
      Object.defineProperty(world, 'charges', {
        get: () => {
          throw new Error('planted')
        },
      })
    })
    const { status, text, body } = await shop.get('/sandbox/charges')
    expect(status).toBe(500)
    expect(body).toMatchObject({ code: 'internal', detail: expect.stringMatching(/req_000001/) })
    expect(text).not.toMatch(/planted|\.ts/)
    expect(shop.log).toHaveLength(1)
    expect(shop.log[0]).toMatch(/^req_000001 GET \/sandbox\/charges: Error: planted/)
  })
})

describe('the document of the control plane', () => {
  it('describes every operation that is served, and no other', async () => {
    const { app } = await openShop()
    const document = (await (await app.request('/sandbox/openapi.json')).json()) as {
      paths: Record<string, object>
    }
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    )
    const served = controlRoutes.map(({ method, path }) => `${method} ${path}`)
    expect(described.sort()).toEqual(served.sort())
  })
})

describe('a process', () => {
  let started: Started | null = null
  afterEach(() => started?.close())

  it('stops at once, although a client follows its events', async () => {
    expect(await shortestOf(2000, stopWithFollower)).toBeLessThan(2000)
  })

  async function stopWithFollower(): Promise<number> {
    started = await start({
      allowedHosts: ['sandbox.test'],
      host: '127.0.0.1',
      port: 0,
      folder: null,
      fixture: 'starter',
      clockStart: null,
      running: false,
      durability: 'commit',
      lock: 'kernel',
      log: () => undefined,
    })
    const response = await fetch(`${started.url}/sandbox/events/stream`)
    const reader = response.body?.getReader()
    const startedAt = performance.now()
    await started.close()
    const tookMs = performance.now() - startedAt
    expect(await reader?.read()).toMatchObject({ done: true })
    started = null
    return tookMs
  }
})
