import { describe, expect, it } from 'vitest'
import { type Answer, openShop, type Sent } from '../support/control.ts'

const secret = 'zqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqz'
const secrets = [
  `rt_default_${secret}`,
  `at_default_${secret}`,
  `sk_live_${secret}`,
  `sk_sandbox_default-${secret}`,
]
const key = { Authorization: 'Bearer sk_sandbox_default' }
const form = { ...key, 'Content-Type': 'application/x-www-form-urlencoded' }

type Misplaced = (token: string) => readonly [string, string, Sent?]

const places: Record<string, Misplaced> = {
  'the name of a field': (token) => [
    'POST',
    '/sandbox/customers',
    { json: { customer_id: 'cus_new', [token]: 1 } },
  ],
  'the name of a field within a field': (token) => [
    'POST',
    '/sandbox/clock/advance',
    { json: { until: { [token]: 1 }, within: 'P1D' } },
  ],
  'the name of a field that comes twice': (token) => [
    'POST',
    '/sandbox/customers',
    { bytes: `{"${token}":1,"${token}":1}` },
  ],
  'the name of a form field': (token) => [
    'POST',
    '/v1/subscriptions',
    { bytes: `${token}=1`, headers: form },
  ],
  'the name of an empty form field': (token) => [
    'POST',
    '/v1/subscriptions',
    { bytes: `${token}=`, headers: form },
  ],
  'the name of a query parameter': (token) => ['GET', `/sandbox/events?${token}=1`],
  'the name of a query parameter that comes twice': (token) => [
    'GET',
    `/sandbox/events?${token}=1&${token}=1`,
  ],
  'the value of a query parameter': (token) => ['GET', `/sandbox/events?limit=${token}`],
  'a value that is cut in its midst': (token) => [
    'GET',
    `/sandbox/events?limit=${'x'.repeat(78)}-${token}`,
  ],
  'a name that is cut in its midst': (token) => [
    'GET',
    `/sandbox/events?${'x'.repeat(78)}-${token}=1`,
  ],
  'a path': (token) => ['GET', `/sandbox/nowhere/${token}`],
  'a path in escapes': (token) => ['GET', `/sandbox/nowhere/${token.replaceAll('_', '%5F')}`],
  'a parameter of a path': (token) => ['GET', `/sandbox/subscriptions/${token}`],
  'the header Sandbox-Id': (token) => ['GET', '/sandbox', { headers: { 'Sandbox-Id': token } }],
  'the header Last-Event-ID': (token) => [
    'GET',
    '/sandbox/events/stream',
    { headers: { 'Last-Event-ID': token } },
  ],
  'the header Content-Type': (token) => [
    'POST',
    '/sandbox/customers',
    { bytes: '{}', headers: { 'Content-Type': token } },
  ],
  'the header Content-Encoding': (token) => [
    'POST',
    '/sandbox/customers',
    { bytes: '{}', headers: { 'Content-Encoding': token } },
  ],
  'the header Origin': (token) => ['POST', '/sandbox/reset', { headers: { Origin: token } }],
  'the header Host': (token) => ['GET', '/sandbox', { headers: { Host: token } }],
  'the name of a param of a provider state': (token) => [
    'POST',
    '/sandbox/provider-states',
    { json: { state: 'a customer exists', params: { [token]: 1 } } },
  ],
  'the name of a provider state': (token) => [
    'POST',
    '/sandbox/provider-states',
    { json: { state: token } },
  ],
  'a key of a state document': (token) => [
    'PUT',
    '/sandbox/state',
    { json: { format: 1, [token]: 1 } },
  ],
}

describe.each(Object.entries(places))('%s', (_, misplaced) => {
  it.each(secrets)('is not repeated when it is %s', async (token) => {
    const shop = await openShop()
    const answer: Answer<unknown> = await shop.call(...misplaced(token))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).not.toMatch(/zqzqzq/i)
    expect(shop.log.join()).not.toMatch(/zqzqzq/i)
  })
})
