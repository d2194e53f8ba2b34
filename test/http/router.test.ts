import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { refuse } from '../../src/billing/refusal.ts'
import { problemEnvelope } from '../../src/http/envelopes.ts'
import { openSurface, router } from '../../src/http/router.ts'
import { created, noContent, ok, operation, route } from '../../src/surface/operation.ts'
import { orThrow } from '../../src/surface/refusals.ts'
import { WireProblem } from '../../src/wire/errors.ts'
import { PageQuery } from '../../src/wire/fields.ts'
import { SubscriptionCreate } from '../../src/wire/subscription.ts'
import { echo, formType, jsonType, post, serving } from '../support/surface.ts'

const body = { schema: SubscriptionCreate, media: ['form', 'json'], required: true } as const
const app = serving([echo('/v1/create', body)])

describe('the order of checks', () => {
  const tooLarge = { 'Content-Length': '9999999' }
  const key = { Authorization: 'Bearer key' }

  it.each([
    ['path before method', 404, 'GET', '/v1/nothing', {}],
    ['method before authentication', 405, 'GET', '/v1/create', {}],
    ['authentication before size', 401, 'POST', '/v1/create', tooLarge],
    ['size before media type', 413, 'POST', '/v1/create', { ...key, ...tooLarge }],
  ])('%s', async (...[, status, method, path, headers]) => {
    expect((await app.request(path, { method, headers })).status).toBe(status)
  })

  it.each([
    ['media type before parsing', 415, 'text/plain', '{'],
    ['parsing before fields', 400, jsonType, '{'],
    ['fields', 400, jsonType, '{}'],
  ])('%s', async (...[, status, type, sent]) => {
    const headers = { ...key, 'Content-Type': type }
    const answer = await app.request('/v1/create', { method: 'POST', headers, body: sent })
    expect(answer.status).toBe(status)
  })
})

describe('methods and paths', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY', 'PROPFIND'])(
    'answers 405 with Allow to %s',
    async (method) => {
      const answer = await post(app, '/v1/create', { method })
      expect(answer.status).toBe(405)
      expect(answer.headers.get('Allow')).toBe('POST')
      expect(answer.body).toEqual({
        error: 'method_not_allowed',
        message: `method of "/v1/create" must be one of POST; got "${method}".`,
      })
    },
  )

  it('answers 405 to HEAD without a body', async () => {
    const answer = await post(app, '/v1/create', { method: 'HEAD' })
    expect(answer).toMatchObject({ status: 405, body: null })
    expect(answer.headers.get('Allow')).toBe('POST')
  })

  it.each(['/v1', '/v1/', '/v1/create/', '/v1//create', '/v1/create%2f', '/v1/%ff', '/v1/%'])(
    'answers 404 to %s in the same envelope',
    async (path) => {
      const answer = await post(app, path, {})
      expect(answer).toMatchObject({ status: 404, body: { error: 'not_found' } })
    },
  )

  it('says on 401 how to authenticate', async () => {
    const answer = await app.request('/v1/create', { method: 'POST' })
    expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer /)
  })
})

describe('unknown fields', () => {
  const sent = { type: formType, body: 'customer_id=a&plan=b&colour=red' }

  it('are refused, and the answer says on which assumption', async () => {
    const answer = await post(app, '/v1/create', sent)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('Sandbox-Assumptions')).toContain('unknown-fields')
  })

  it('are dropped where the setting says so, query parameters too', async () => {
    const lenient = serving([echo('/v1/create', body)], { unknownFields: 'ignore' })
    const answer = await post(lenient, '/v1/create?expand=plan', sent)
    expect(answer).toMatchObject({ status: 200, body: { customer_id: 'a', plan: 'b' } })
    expect(answer.body).not.toHaveProperty('colour')
    expect(answer.headers.get('Sandbox-Assumptions')).toContain('unknown-fields')
  })
})

const shelf = {
  tag: 'Shelf',
  summary: 'A shelf',
  description: 'A shelf of things.',
  source: 'sandbox',
  security: 'none',
  refusals: ['not_found'],
} as const
const thing = z.strictObject({ id: z.string() })
const params = z.strictObject({ thing_id: z.string() })

const list = operation({
  ...shelf,
  operationId: 'listThings',
  method: 'get',
  path: '/sandbox/things',
  query: PageQuery,
  replies: { 200: { description: 'Things.', schema: z.unknown(), source: 'sandbox' } },
})
const add = operation({
  ...shelf,
  operationId: 'addThing',
  method: 'post',
  path: '/sandbox/things',
  body: { schema: thing, media: ['json'], required: true },
  replies: { 201: { description: 'The thing.', schema: thing, source: 'sandbox' } },
})
const count = operation({
  ...shelf,
  operationId: 'countThings',
  method: 'get',
  path: '/sandbox/things/count',
  replies: { 200: { description: 'How many.', schema: z.int(), source: 'sandbox' } },
})
const remove = operation({
  ...shelf,
  operationId: 'removeThing',
  method: 'delete',
  path: '/sandbox/things/{thing_id}',
  params,
  replies: { 204: { description: 'Gone.', schema: null, source: 'sandbox' } },
})
const find = operation({
  ...shelf,
  operationId: 'findThing',
  method: 'get',
  path: '/sandbox/things/{thing_id}',
  params,
  replies: { 200: { description: 'The thing.', schema: thing, source: 'sandbox' } },
})

describe('a surface of problems', () => {
  const defects: unknown[] = []
  const control = new Hono()
  control.use(async (c, next) => {
    c.set('requestId', 'req_000007')
    await next()
  })
  const surface = openSurface({
    prefixes: ['/sandbox'],
    envelope: problemEnvelope,
    report: (defect) => defects.push(defect),
  })
  const routes = [
    route(find, ({ params: { thing_id: id } }) => ok(orThrow(id === 'x' ? { id } : lost))),
    route(list, ({ query }) => ok(query)),
    route(add, ({ body: { id } }) => created(`/sandbox/things/${id}`, { id })),
    route(count, () => {
      throw new Error('rt_secret leaked')
    }),
    route(remove, () => noContent()),
  ]
  control.route('/', router(surface, routes))
  const lost = refuse('not_found', 'thing_id "y" is not known.')

  it('answers 201 with Location, 204 without a body, 200 to HEAD', async () => {
    const made = await post(control, '/sandbox/things', { type: jsonType, body: '{"id":"x"}' })
    expect(made).toMatchObject({ status: 201, body: { id: 'x' } })
    expect(made.headers.get('Location')).toBe('/sandbox/things/x')
    const gone = await post(control, '/sandbox/things/x', { method: 'DELETE' })
    expect(gone).toMatchObject({ status: 204, body: null })
    const head = await post(control, '/sandbox/things', { method: 'HEAD' })
    expect(head).toMatchObject({ status: 200, body: null })
  })

  it('allows exactly what a path takes, HEAD with GET', async () => {
    const answer = await post(control, '/sandbox/things', { method: 'PUT' })
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, POST')
  })

  it('reads queries as strictly as forms', async () => {
    const query = (text: string) => post(control, `/sandbox/things?${text}`, { method: 'GET' })
    expect(await query('limit=5&after=a%20b')).toMatchObject({ body: { limit: 5, after: 'a b' } })
    for (const text of [
      'limit=0',
      'limit=x',
      'limit=5&limit=5',
      'limit',
      'colour=red',
      'after=%ff',
    ]) {
      expect((await query(text)).status, text).toBe(400)
    }
  })

  it('answers problems as RFC 9457 has them, with the fields at fault', async () => {
    const answer = await post(control, '/sandbox/things', { type: jsonType, body: '{"id":5}' })
    expect(answer.headers.get('Content-Type')).toBe('application/problem+json')
    expect(WireProblem.parse(answer.body)).toEqual({
      type: 'about:blank',
      title: 'The request is malformed',
      status: 400,
      detail: 'id must be a string; got 5.',
      code: 'invalid_request',
      errors: [{ field: 'id', message: 'id must be a string; got 5.' }],
    })
  })

  it('answers a refusal by its code', async () => {
    const answer = await post(control, '/sandbox/things/y', { method: 'GET' })
    expect(WireProblem.parse(answer.body)).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('prefers a fixed segment to a parameter, and keeps a defect off the wire', async () => {
    const answer = await post(control, '/sandbox/things/count', { method: 'GET' })
    expect(answer).toMatchObject({ status: 500, body: { code: 'internal' } })
    expect(JSON.stringify(answer.body)).toContain('req_000007')
    expect(JSON.stringify(answer.body)).not.toContain('secret')
    expect(defects).toHaveLength(1)
  })
})

it('does not let a path and its parameters disagree', () => {
  expect(() => operation({ ...find, path: '/sandbox/things/{id}' })).toThrow(/^findThing has id/)
})
