import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { comparison } from '../../src/contracts/compare.ts'
import { isUnreadable, readPact } from '../../src/contracts/pact-file.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { create, creates, pactOf } from '../support/pacts.ts'

const compare = await comparison(v1Document('0.1.0') as Parameters<typeof comparison>[0])
const json = { 'Content-Type': 'application/json' }

/** The findings on a pact of one interaction. */
async function findings(interaction: Parameters<typeof pactOf>[0][number]) {
  const pact = pactOf([interaction])
  const [found = []] = await compare(pact)
  const lines = pact.text.split('\n')
  return found.map((finding) => ({ ...finding, at: lines[finding.line - 1]?.trim() }))
}

it('finds nothing in a pact that the interface keeps, not even fields that it leaves out', async () => {
  const body = { status: 'active', discounts: [] }
  expect(await findings(creates('fits', { status: 200, headers: json, body }))).toEqual([])
})

it.each([
  [
    'status',
    creates('breaks', { status: 201 }),
    'response.status.unknown',
    '$.interactions[0].response.status',
    '"status": 201',
    'POST /v1/subscriptions never answers 201; its statuses are 200, 400,',
  ],
  [
    'field',
    creates('breaks', { status: 200, headers: json, body: { colour: 'red' } }),
    'response.body.incompatible',
    '$.interactions[0].response.body',
    '"body": {',
    'has no field "colour"',
  ],
  [
    'type',
    creates('breaks', { status: 200, headers: json, body: { trial_period_days: '14' } }),
    'response.body.incompatible',
    '$.interactions[0].response.body.trial_period_days',
    '"trial_period_days": "14"',
    'trial_period_days must be integer,null; the pact expects "14".',
  ],
  [
    'header',
    creates('breaks', { status: 200, headers: { ...json, 'X-Colour': 'red' } }),
    'response.header.unknown',
    '$.interactions[0].response.headers["X-Colour"]',
    '"X-Colour": "red"',
    'answers with no header x-colour',
  ],
  [
    'path',
    creates('breaks', { status: 200 }, { request: { ...create, path: '/v1/subscription' } }),
    'request.path-or-method.unknown',
    '$.interactions[0].request.path',
    '"path": "/v1/subscription",',
    'The interface has no POST /v1/subscription; its paths are /v1/subscriptions,',
  ],
  [
    'request field',
    creates('breaks', { status: 200 }, { request: { ...create, body: `${create.body}&plam=b` } }),
    'request.body.incompatible',
    '$.interactions[0].request.body',
    '"body": "customer_id=cus_ada&plan=pro&plam=b"',
    'has no field "plam"',
  ],
  [
    'missing key',
    creates(
      'breaks',
      { status: 200 },
      { request: { ...create, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } } },
    ),
    'request.authorization.missing',
    '$.interactions[0].request.headers',
    '"headers": {',
    'POST /v1/subscriptions needs an Authorization header',
  ],
  [
    'media type',
    creates(
      'breaks',
      { status: 200 },
      {
        request: { ...create, headers: { Authorization: 'Bearer k', 'Content-Type': 'text/csv' } },
      },
    ),
    'request.content-type.incompatible',
    '$.interactions[0].request.headers["Content-Type"]',
    '"Content-Type": "text/csv"',
    'must be application/x-www-form-urlencoded, application/json',
  ],
])('finds a planted %s, with its place and in plain words', async (_, interaction, ...expected) => {
  const [code, path, at, words] = expected
  const found = (await findings(interaction)).find((each) => each.code === code)
  expect(found).toMatchObject({ severity: 'error', code, path, at })
  expect(found?.message).toContain(words)
})

it('compares what the reader takes, however loosely it is written', async () => {
  const headers = { ...json, 'X-Colour': ['red', 'blue'] }
  const loose = creates('loose', { headers, body: {} }, { providerState: null, description: 'a' })
  expect((await findings(loose)).map(({ code }) => code)).toEqual(['response.header.unknown'])
})

it('takes an invalid body where a refusal is expected', async () => {
  const request = { ...create, body: 'plan=5&colour=red' }
  expect(await findings(creates('refused', { status: 400 }, { request }))).toEqual([])
})

it('compares a pact for whatever provider by what it asks', async () => {
  const pact = pactOf([creates('fits', { status: 200 })], { provider: { name: 'weather' } })
  expect(await compare(pact)).toEqual([[]])
})

it('finds the interaction behind one that is not HTTP, and the body that version 4 wraps', async () => {
  const wrapped = { content: { status: 1 }, contentType: 'application/json', encoded: false }
  const form = { contentType: 'application/x-www-form-urlencoded', encoded: false }
  const request = { ...create, body: { content: create['body'], ...form } }
  const pact = pactOf(
    [
      { type: 'Asynchronous/Messages', description: 'an event', contents: {} },
      { type: 'Synchronous/HTTP', ...creates('fits', { status: 200 }, { request }) },
      {
        type: 'Synchronous/HTTP',
        ...creates('breaks', { status: 200, headers: json, body: wrapped }, { request }),
      },
    ],
    { metadata: { pactSpecification: { version: '4.0' } } },
  )
  const [fits, breaks] = await compare(pact)
  expect(fits).toEqual([])
  expect(breaks?.map(({ path }) => path)).toEqual([
    '$.interactions[2].response.body.content.status',
  ])
})

it('decodes the bodies that version 4 encodes', async () => {
  const name = 'test/fixtures/pacts/pact-net-v4.json'
  const text = readFileSync(name, 'utf8')
  const read = readPact(name, text)
  if (isUnreadable(read)) throw new Error(JSON.stringify(read))
  expect((await compare(read))[1]).toEqual([])
  const broken = text.replace(/"eyJ[^"]*"/, `"${Buffer.from('{"coupon":1}').toString('base64')}"`)
  const other = readPact(name, broken)
  if (isUnreadable(other)) throw new Error(JSON.stringify(other))
  expect((await compare(other))[1]?.map(({ message }) => message).join()).toContain('"coupon"')
})
