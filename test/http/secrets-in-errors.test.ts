import { expect, it } from 'vitest'
import { openShop } from '../support/control.ts'
import { formType, jsonType } from '../support/surface.ts'

const secret = 'zqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqzqz'
const secrets = [
  `rt_default_${secret}`,
  `at_default_${secret}`,
  `sk_live_${secret}`,
  `sk_sandbox_default-${secret}`,
]

/** Where a secret stands, and a call with it there: an operation, with a body of JSON or with headers. */
type Misplaced = readonly [where: string, operation: string, sent: string | Record<string, string>]

const customers = 'POST /sandbox/customers'
const states = 'POST /sandbox/provider-states'
const refresh = 'POST /v1/auth/refresh'
const form = { 'Content-Type': formType }
const json = { 'Content-Type': jsonType }

const places: readonly Misplaced[] = [
  ['the name of a field', customers, '{"customer_id":"cus_new","TOKEN":1}'],
  ['the name of an inner field', 'POST /sandbox/clock/advance', '{"until":{"TOKEN":1}}'],
  ['the name of a field that comes twice', customers, '{"TOKEN":1,"TOKEN":1}'],
  ['a body that is no JSON', customers, '{"TOKEN":"TOKEN"'],
  ['the name of a form field', 'POST /v1/subscriptions', { ...form, body: 'TOKEN=1' }],
  ['the name of an empty form field', 'POST /v1/subscriptions', { ...form, body: 'TOKEN=' }],
  ['a form in place of JSON', refresh, { ...form, body: 'refresh_token=TOKEN' }],
  ['a refresh token', refresh, '{"refresh_token":"TOKEN"}'],
  ['a refresh token of the wrong type', refresh, '{"refresh_token":["TOKEN"]}'],
  ['a token to revoke', 'POST /sandbox/tokens/revoke', '{"refresh_token":"TOKEN"}'],
  [
    'a token beside a family',
    'POST /sandbox/tokens/revoke',
    '{"refresh_token":"TOKEN","family_id":"x"}',
  ],
  ['a customer', 'POST /v1/subscriptions', '{"customer_id":"TOKEN","plan":"basic"}'],
  [
    'a customer of the control plane',
    'POST /sandbox/subscriptions',
    '{"customer_id":"TOKEN","plan":"basic"}',
  ],
  ['the name of a query parameter', 'GET /sandbox/events?TOKEN=1', {}],
  ['the name of a query parameter that comes twice', 'GET /sandbox/events?TOKEN=1&TOKEN=1', {}],
  ['the value of a query parameter', 'GET /sandbox/events?limit=TOKEN', {}],
  ['a value that is cut in its midst', `GET /sandbox/events?limit=${'x'.repeat(78)}-TOKEN`, {}],
  ['a name that is cut in its midst', `GET /sandbox/events?${'x'.repeat(78)}-TOKEN=1`, {}],
  ['a path', 'GET /sandbox/nowhere/TOKEN', {}],
  ['a path in escapes', 'GET /sandbox/nowhere/ESCAPED', {}],
  ['a parameter of a path', 'GET /sandbox/subscriptions/TOKEN', {}],
  ['the header Sandbox-Id', 'GET /sandbox', { 'Sandbox-Id': 'TOKEN' }],
  ['the header Last-Event-ID', 'GET /sandbox/events/stream', { 'Last-Event-ID': 'TOKEN' }],
  ['the header Content-Type', customers, { 'Content-Type': 'TOKEN', body: '{}' }],
  ['the header Content-Encoding', customers, { ...json, 'Content-Encoding': 'TOKEN', body: '{}' }],
  ['the header Origin', 'POST /sandbox/reset', { Origin: 'TOKEN' }],
  ['the header Host', 'GET /sandbox', { Host: 'TOKEN' }],
  ['the name of a param', states, '{"state":"a customer exists","params":{"TOKEN":1}}'],
  ['the name of a provider state', states, '{"state":"TOKEN"}'],
  ['a key of a state document', 'PUT /sandbox/state', '{"format":1,"TOKEN":1}'],
]

it.each(places)('a secret is not repeated when it is %s', async (_, operation, sent) => {
  for (const token of secrets) {
    const write = (text: string) =>
      text.replaceAll('TOKEN', token).replaceAll('ESCAPED', token.replaceAll('_', '%5F'))
    const shop = await openShop()
    const [method = '', path = ''] = write(operation).split(' ')
    const fields: Record<string, string> = typeof sent === 'string' ? { ...json, body: sent } : sent
    const { body: bytes, ...own } = fields
    const entries = Object.entries(own).map(([name, value]) => [name, write(value)])
    const key = path.startsWith('/v1') ? { Authorization: 'Bearer sk_sandbox_default' } : {}
    const headers = { ...key, ...Object.fromEntries(entries) }
    const body = typeof bytes === 'string' ? { bytes: write(bytes) } : {}
    const answer = await shop.call(method, path, { headers, ...body })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).not.toMatch(/zqzqzq/i)
    expect(shop.log.join()).not.toMatch(/zqzqzq/i)
  }
})

it.each([
  '{"credentials":{"x":"zqzqzq"}}',
  '{"tokens":["zqzqzq"]}',
  '[{"secret":{"a":["zqzqzq"]}}]',
  '{"name":"password","value":"zqzqzq"}',
  '"{\\"password\\":{\\"a\\":\\"zqzqzq\\"}}"',
  '["Authorization","Bearer zqzqzq42"]',
  '"https://bob:zqzqzq@host"',
  '"bob:zqzqzq@host:4010"',
])('a secret is not repeated in a plan that is %s', async (plan) => {
  const shop = await openShop()
  const { status, text } = await shop.call('POST', '/v1/subscriptions', {
    headers: { Authorization: 'Bearer sk_sandbox_default', ...json },
    bytes: `{"customer_id":"cus_ada","plan":${plan}}`,
  })
  expect([400, 404]).toContain(status)
  const requests = await shop.call('GET', '/sandbox/requests')
  expect(`${text} ${requests.text} ${shop.log.join()}`).not.toContain('zqzqzq')
})

it('a token is not repeated when it is in a provider state that is not known', async () => {
  const shop = await openShop()
  const { status, text } = await shop.call('POST', '/sandbox/provider-states', {
    headers: json,
    bytes: '{"state":"the refresh token zqzqzq42 was sold"}',
  })
  expect(status).toBe(404)
  expect(text).toContain('the refresh token ... was sold')
  const [requests, recording] = [
    await shop.call('GET', '/sandbox/requests'),
    await shop.call('GET', '/sandbox/recording?format=json'),
  ]
  expect(`${text} ${requests.text} ${recording.text} ${shop.log.join()}`).not.toContain('zqzqzq')
})
