import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isUnreadable, readPact } from '../../src/contracts/pacts/pact-file.ts'
import { curlOf } from '../../src/contracts/pacts/pact-request.ts'
import { scriptFor } from '../../src/contracts/report/script.ts'
import { create, creates, pactOf, pactText } from '../support/pacts.ts'

const folder = 'test/fixtures/pacts'

function fixture(name: string) {
  const read = readPact(name, readFileSync(`${folder}/${name}`, 'utf8'))
  if (isUnreadable(read)) throw new Error(JSON.stringify(read))
  return read
}

it('reads what pact-ruby writes: one state by its name, a query as text', () => {
  const { version, consumer, provider, interactions } = fixture('pact-ruby-v2.json')
  expect({ version, consumer, provider }).toEqual({
    version: '2.0.0',
    consumer: 'Billing Web',
    provider: 'Subscription Service',
  })
  expect(interactions.map(({ states }) => states)).toEqual([
    [{ name: 'the fixture starter is loaded', params: {} }],
    [],
  ])
  expect(interactions[0]?.request).toMatchObject({
    method: 'POST',
    body: 'customer_id=cus_ada&plan=pro&trial_period_days=14',
  })
  expect(interactions[1]?.request.query).toBe('source=email%20campaign&page=2')
})

it('reads what pact-jvm writes: several states with parameters, generators beside them', () => {
  const { version, interactions } = fixture('pact-jvm-v3.json')
  expect(version).toBe('3.0.0')
  expect(interactions[0]?.states).toEqual([
    { name: 'the fixture starter is loaded', params: {} },
    { name: 'a refresh token is fresh', params: { subject: 'ada' } },
  ])
  expect(interactions[0]?.request.body).toBe('{"refresh_token":"rt_default_example"}')
})

it('reads what pact-go writes: a query as lists', () => {
  const { interactions } = fixture('pact-go-v3.json')
  expect(interactions[1]?.request.query).toBe('reason=too+dear&reason=moved')
})

it('reads what pact-python writes: a wrapped form, headers as lists', () => {
  const { version, interactions } = fixture('pact-python-v4.json')
  expect(version).toBe('4.0')
  expect(interactions[0]?.request).toMatchObject({
    body: 'customer_id=cus_ada&plan=no+such%20plan%C3%A9',
    headers: [
      ['Accept', 'application/json'],
      ['Authorization', 'Bearer sk_sandbox_default'],
      ['Content-Type', 'application/x-www-form-urlencoded'],
    ],
  })
})

it('reads what pact-net writes: encoded bodies, interactions in progress', () => {
  const { interactions } = fixture('pact-net-v4.json')
  expect(interactions.map(({ isPending }) => isPending)).toEqual([false, false, true])
  expect(interactions.map(({ request }) => request.body)).toEqual([
    '{"at_period_end":true}',
    '{"coupon_id":"SAVE20"}',
    null,
  ])
})

it.each(readdirSync(folder))('knows on which line each interaction of %s begins', (name) => {
  const text = readFileSync(`${folder}/${name}`, 'utf8').split('\n')
  for (const { line, description } of fixture(name).interactions) {
    expect(text[line - 1]?.trim()).toBe('{')
    const isNear = text.slice(line, line + 10).some((each) => each.includes(`"${description}"`))
    expect(isNear).toBe(true)
  }
})

it.each([
  ['', '1:1 The file is empty.'],
  ['{"consumer":\n  {"name": "a",}\n}', '2:16 The file is not JSON: property name expected.'],
  [
    '{"consumer": {"name": "a",\n  "name": "b"}}',
    '2:3 The file must give "name" once in an object; got it twice.',
  ],
  ['{\n  // a note\n}', '2:3 The file is not JSON: invalid comment token.'],
  ['{\n  "consumer": {"name": "a"}', '2:28 The file is not JSON: close brace expected.'],
  ['{\n  "provider": {"name": "a"}}', '1:1 consumer: it is missing; it must be an object.'],
  ['nonsense', '1:1 The file is not JSON: invalid symbol.'],
  ['[]', '1:1 The file: it must be an object; got array.'],
])('says where it cannot read %j', (text, told) => {
  const problems = readPact('broken.json', text)
  if (!isUnreadable(problems)) throw new Error('It was read')
  expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    told,
  ])
})

it.each([124, 100_000])(
  'refuses a file that is nested %i levels deeper than an answer',
  (levels) => {
    const body = (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`
    const nested = (count: number) =>
      pactText([creates('one', { status: 200, body: 'x' })]).replace('"x"', body(count))
    expect(isUnreadable(readPact('pact.json', nested(123)))).toBe(false)
    const message = 'The file must be nested at most 127 levels deep.'
    expect(readPact('pact.json', nested(levels))).toEqual([{ line: 1, column: 1, message }])
  },
)

it('names every field that is wrong, with its line', () => {
  const text = pactText([
    creates('of tomorrow', { status: 2000 }),
    { description: 'without a request', response: { status: 200 } },
    { request: create },
  ])
  const problems = readPact('pact.json', text)
  if (!isUnreadable(problems)) throw new Error('It was read')
  const lines = text.split('\n')
  const told = problems.map(({ line, message }) => [lines[line - 1]?.trim(), message])
  expect(told[0]?.[0]).toBe('"status": 2000')
  expect(told.map(([, message]) => message?.split(':')[0])).toEqual([
    'interactions[0].response.status',
    'interactions[1].request',
    'interactions[2].description',
    'interactions[2].response',
  ])
})

it.each([
  ['a name with a space', { 'X Note': 'a' }, '["X Note"]', 'token ["X Note"]'],
  ['no name', { '': 'a' }, '.', 'token [""]'],
  ['a name beyond ASCII', { é: 'a' }, '["é"]', 'token ["é"]'],
  ['a value beyond Latin-1', { 'X-Note': 'ž' }, '["X-Note"]', 'Invalid character'],
  ['one such value of two', { 'X-Note': ['a', '🎉'] }, '["X-Note"]', 'Invalid character'],
  ['a line break in a value', { 'X-Note': 'a\nb' }, '["X-Note"]', 'Invalid character'],
])('refuses a header that HTTP cannot carry: %s', (...[, headers, at, rule]) => {
  for (const side of ['request', 'response'] as const) {
    const [request, response] = [create, { status: 200 }]
    const parts = { request, response, [side]: { ...{ request, response }[side], headers } }
    const problems = readPact('pact.json', pactText([{ description: 'one', ...parts }]))
    const field = `interactions[0].${side}.headers${at}`
    expect(problems).toMatchObject([{ field, message: expect.stringContaining(rule) }])
  }
})

it('takes headers of every character that HTTP can carry', () => {
  const headers = { "X-!#$%&'*+.^_`|~9": 'caf\u00e9\tand more' }
  expect(pactOf([creates('one', { status: 200, headers })]).interactions).toHaveLength(1)
})

it('refuses a wrapped body whose JSON is nested deeper than a body may be', () => {
  const metadata = { pactSpecification: { version: '4.0' } }
  for (const encoded of ['base64', 'JSON']) {
    const wrapped = (levels: number) => {
      const text = `${'['.repeat(levels)}"]"${']'.repeat(levels)}`
      const content = encoded === 'base64' ? Buffer.from(text).toString('base64') : text
      const body = { content, contentType: 'application/json', encoded }
      return readPact('p', pactText([creates('one', { status: 200, body })], { metadata }))
    }
    expect(isUnreadable(wrapped(32))).toBe(false)
    const message = expect.stringContaining('must hold JSON of at most 32 levels; got "[[[')
    const field = 'interactions[0].response.body.content'
    expect(wrapped(100_000)).toMatchObject([{ field, message }])
  }
})

it('reads no pact that would have the core start a program', () => {
  const plugins = [{ name: 'protobuf', version: '0.1.0', configuration: {} }]
  const text = pactText([], { metadata: { plugins } })
  const message = 'metadata.plugins: Plugins are not run here; the pact must be plain HTTP.'
  expect(readPact('pact.json', text)).toMatchObject([{ message }])
})

it('keeps apart what is not HTTP, in whatever version', () => {
  const message = { type: 'Asynchronous/Messages', description: 'an event', contents: {} }
  const { foreign, interactions } = pactOf([message, creates('one', { status: 200 })], {
    messages: [{ description: 'an older event', contents: {} }],
  })
  expect(interactions.map(({ description, index }) => [description, index])).toEqual([['one', 1]])
  expect(foreign.map(({ description, type, path }) => [description, type, path])).toEqual([
    ['an older event', 'Asynchronous/Messages', ['messages', 0]],
    ['an event', 'Asynchronous/Messages', ['interactions', 0]],
  ])
})

it('takes states, version and pending as the oldest tools write them, or not at all', () => {
  const { version, interactions } = pactOf([
    creates('ruby', { status: 200 }, { provider_state: 'old' }),
    creates('none', {}, { providerState: null, providerStates: null }),
    creates('null', {}, { providerStates: [{ name: 'new', params: null }] }),
  ])
  expect(interactions[2]?.states).toEqual([{ name: 'new', params: {} }])
  expect(version).toBe('3.0.0')
  expect(
    interactions.map(({ states, status }) => [states.map(({ name }) => name), status]),
  ).toEqual([
    [['old'], 200],
    [[], 200],
    [['new'], 200],
  ])
  expect(pactOf([], { metadata: { pactSpecificationVersion: '1.0.0' } }).version).toBe('1.0.0')
  expect(pactOf([], { metadata: {} }).version).toBe('2.0.0')
})

it('takes what the core takes: null for what is absent, headers that are no texts', () => {
  const headers = { 'Content-Length': 5, 'X-Flags': [true, 'a'] }
  const query = { flag: [null], none: null, page: ['1'] }
  const absent = { pending: null, providerState: 'old', providerStates: null }
  const request = { ...create, headers, query }
  const [one] = pactOf([creates('one', { status: 200 }, { request, ...absent })]).interactions
  expect(one).toMatchObject({ states: [], isPending: false, request: { query: 'page=1' } })
  expect(one?.request.headers).toEqual([
    ['Content-Length', '5'],
    ['X-Flags', 'true'],
    ['X-Flags', 'a'],
  ])
})

it.each([
  [{ pactSpecification: { version: '2.0.0' } }, '2.0.0', false, 0],
  [{ pactSpecification: { version: '3.0.0' } }, '3.0.0', false, 0],
  [{ pactSpecification: { version: '4.0' } }, '4.0', true, 0],
  [{ pactSpecification: { version: 4 } }, '4', true, 0],
  [{ 'pact-specification': { version: '4.1' } }, '4.1', true, 0],
  [{ pactSpecificationVersion: '4.0' }, '4.0', false, 0],
  [{ pactSpecification: { version: '9.0' } }, '9.0', false, 1],
  [{}, '2.0.0', false, 0],
])('knows of %j what may fail as yet', (...[metadata, version, isPending, warned]) => {
  const pact = pactOf([creates('one', {}, { pending: true })], { metadata })
  expect(pact.version).toBe(version)
  expect(pact.interactions[0]?.isPending).toBe(isPending)
  expect(pact.warnings).toHaveLength(warned)
})

it('warns of keys that nobody reads, and of sizes that are read differently', () => {
  const list = (example: unknown[], size: object) => ({
    body: { list: example },
    matchingRules: { body: { '$.list': { matchers: [{ match: 'type', ...size }] } } },
  })
  const { warnings } = pactOf(
    [
      creates('one', { statuss: 1, ...list([], { min: 1 }) }, { note: 1, _id: 'of a broker' }),
      creates('two', list([1], { max: 0 })),
      ...[list([1], { max: 2 }), list([], {})].map((each) => creates('three', each)),
    ],
    { extra: {} },
  )
  expect(warnings.map(({ message }) => message.split(' ').slice(0, 4).join(' '))).toEqual([
    'extra is a key',
    'interactions[0].note is a key',
    'interactions[0].response.statuss is a key',
    'interactions[0].response.matchingRules.body["$.list"] limits a list',
    'interactions[1].response.matchingRules.body["$.list"] has max 0:',
  ])
  const many = Array.from({ length: 60 }, (_, at) => creates(`${at}`, {}, { note: 1 }))
  expect(pactOf(many).warnings.at(-1)?.message).toBe('There are 10 more warnings.')
  expect(pactOf(many.slice(9)).warnings.at(-1)?.message).toBe('There is 1 more warning.')
})

it('writes a request as a command that a shell can run', () => {
  const { interactions } = pactOf([
    {
      description: "it's",
      request: {
        method: 'post',
        path: '/v1/x',
        query: { a: ['1', '2 3'], b: 'é' },
        headers: { 'X-Note': "it's", Accept: ['text/plain', 'application/json'] },
        body: { note: "it's $HOME" },
      },
      response: { status: 404 },
    },
  ])
  const [interaction] = interactions
  if (interaction === undefined) throw new Error('It was not read')
  expect(curlOf(interaction.request, 'http://localhost:4010')).toBe(
    String.raw`curl -i -X POST 'http://localhost:4010/v1/x?a=1&a=2+3&b=%C3%A9' -H 'X-Note: it'\''s' -H 'Accept: text/plain' -H 'Accept: application/json' -H 'Content-Type:' --data-raw '{"note":"it'\''s $HOME"}'`,
  )
})

it('writes a header of several values once, as it was sent', () => {
  const headers = { Accept: ['text/plain', 'application/json'] }
  const request = { method: 'POST', path: '/v1/x', headers }
  const [interaction] = pactOf([creates('one', { status: 200 }, { request })]).interactions
  if (interaction === undefined) throw new Error('It was not read')
  const exchange = { method: 'POST', target: '/v1/x', body: '', setups: 0, failure: null }
  const sent = { ...exchange, headers: [['accept', 'text/plain, application/json']], answer: null }
  const none = { before: [], stateHeaders: {}, headers: {}, secretHeaders: [], keys: [] }
  const reproduction = { url: 'http://localhost:4010', states: null, ...none }
  const script = scriptFor(interaction, { exchanges: [sent] as never, values: {} }, reproduction)
  expect(script).toBe(
    "curl -i -X POST 'http://localhost:4010/v1/x' -H 'Accept: text/plain, application/json'",
  )
})
