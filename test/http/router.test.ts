import { describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { type Declaration, operation } from '../../src/surface/operation.ts'
import { SubscriptionCreate } from '../../src/wire/billing/subscription.ts'
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
        message: expect.stringContaining(`method of "/v1/create" must be POST; got "${method}"`),
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

it('does not let a path and its parameters disagree', () => {
  const [declared] = controlRoutes.filter(({ operationId }) => operationId === 'retrievePlan')
  expect(declared).toBeDefined()
  expect(() => operation({ ...(declared as Declaration), path: '/sandbox/plans/{id}' })).toThrow(
    /^retrievePlan has id/,
  )
})
