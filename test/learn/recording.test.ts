/** Reading recordings: their forms, what is left out of them, what is wrong with them, and that no secret is kept. */
import { expect, it } from 'vitest'
import { differencesIn, identities } from '../../src/learn/compare.ts'
import { readRecording } from '../../src/learn/recording.ts'
import { sampleEntry as entry, har, SAMPLE_KEY as key } from '../support/har.ts'

const answering = (content: object) => ({
  ...entry,
  response: {
    status: 200,
    headers: [{ name: 'Content-Type', value: 'application/json' }],
    content,
  },
})
const pair =
  '{"at":"2027-01-01T00:00:00Z","request":{"method":"GET","path":"/v1"},"answer":{"status":404}}'

it('reads a HAR, as browsers and proxies write it', () => {
  const { exchanges, leftOut } = readRecording('traffic.har', har(entry))
  expect(leftOut).toEqual([])
  expect(exchanges).toEqual([
    {
      ...{ number: 1, place: 'log.entries[0]', at: '2027-01-01T08:00:00.123Z', method: 'POST' },
      path: '/v1/subscriptions',
      headers: {
        authorization: 'Bearer masked-1',
        'content-type': 'application/x-www-form-urlencoded',
        cookie: '[masked]',
      },
      body: 'customer_id=cus_ada&plan=a+b',
      answer: {
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: '{"status":"active"}',
      },
    },
  ])
})

it('goes by the Date of an answer, and by the virtual time of a sandbox before that', () => {
  const dated = (...headers: { name: string; value: string }[]) =>
    readRecording('a.har', har({ ...entry, response: { ...entry.response, headers } })).exchanges[0]
      ?.at
  const date = { name: 'Date', value: 'Fri, 01 Jan 2027 08:00:02 GMT' }
  expect(dated(date)).toBe('2027-01-01T08:00:02.000Z')
  const old = { name: 'Date', value: 'Thu, 01 Jan 1960 00:00:00 GMT' }
  expect(dated(old)).toBe('2027-01-01T08:00:00.123Z')
  expect(dated(date, { name: 'Sandbox-Time', value: '2030-01-01T00:00:00.000Z' })).toBe(
    '2030-01-01T00:00:00.000Z',
  )
})

it('takes JSON that is nested too deep for a text', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  const [one] = readRecording('a.har', har(answering({ text: deep }))).exchanges
  if (one === undefined) throw new Error('It was not read')
  expect(one.answer.body).toBe(deep)
  const now = { sandbox: one.at, service: one.at }
  const other = { ...one.answer, body: '{}' }
  const differences = differencesIn(other, one.answer, { identities: identities(), now })
  expect(differences.map(({ at }) => at)).toEqual(['$', 'body'])
})

it('takes an exchange once that is in a recording twice, where two are joined', () => {
  const of = (path: string) => {
    const request = { method: 'POST', path: `/v1/subscriptions${path}` }
    return JSON.stringify({ at: '2027-01-01', request, answer: { status: 200, body: '{}' } })
  }
  const placesIn = (...lines: string[]) => {
    const { exchanges, leftOut } = readRecording('a.ndjson', lines.join('\n'))
    return [exchanges.map(({ place }) => place), leftOut]
  }
  const [made, done] = [of(''), of('/sub_1/update')]
  expect(placesIn(made, done, done)).toEqual([['line 1', 'line 2', 'line 3'], []])
  expect(placesIn(made, done, made, done)).toEqual([
    ['line 1', 'line 2'],
    ['line 3: it is in the recording twice.', 'line 4: it is in the recording twice.'],
  ])
})

it('leaves out what cannot be replayed, and says why', () => {
  const at = (url: string, response = {}) => ({
    ...entry,
    request: { ...entry.request, url },
    response: { ...entry.response, ...response },
  })
  const { leftOut } = readRecording(
    'a.har',
    har(
      entry,
      at('https://service.example/logo.png'),
      at('https://service.example/v1/subscriptions', { status: 0 }),
      at('https://service.example/v1/subscriptions', { content: { size: 7 } }),
    ),
  )
  expect(leftOut).toEqual([
    'log.entries[1]: its path is not below /v1.',
    'log.entries[2]: it has no answer.',
    'log.entries[3]: the body of its answer is not in the recording.',
  ])
})

it.each([
  ...['TRACE', 'connect', 'a b', ''].map((method) => ({ method })),
  ...['ž', 'a\nb'].map((value) => ({ headers: [{ name: 'Accept', value }] })),
  { headers: [], postData: { mimeType: 'text/ž', text: 'a' } },
])('leaves out a request that cannot be sent again: %j', (request) => {
  const refused = { ...entry.response, status: 405 }
  const whole = { ...entry, request: { ...entry.request, ...request }, response: refused }
  const { exchanges, leftOut } = readRecording('a.har', har(entry, whole))
  expect(exchanges).toHaveLength(1)
  expect(leftOut).toEqual(['log.entries[1]: its method or a header of it cannot be sent again.'])
})

it.each([
  [
    'a.har',
    har({ ...entry, startedDateTime: 'soon' }),
    'a.har: log.entries[0].startedDateTime must be an RFC 3339 instant from 1970 on; got "soon".',
  ],
  [
    'a.har',
    har({ ...entry, startedDateTime: '1970-01-01T00:00:00+01:00' }),
    'a.har: log.entries[0].startedDateTime must be an RFC 3339 instant from 1970 on; got "1970-01-01T00:00:00+01:00".',
  ],
  [
    'a.har',
    har({ ...entry, response: { ...entry.response, status: 'ok' } }),
    'a.har: log.entries[0].response.status must be an HTTP status, or 0 without an answer; got "ok".',
  ],
  ['a.har', '{"log":{}}', 'a.har: log.entries is missing; it must be a list of entries.'],
  [
    'a.ndjson',
    'GET /',
    'a.ndjson: line 1 must be JSON, a request and its answer; a HAR is one JSON document.',
  ],
  [
    'recording.json',
    '{"format":1,"calls":[]}',
    'recording.json: it is a recording of a sandbox, for shrink; learn reads a HAR, or requests to the real service and its answers.',
  ],
  [
    'a.har',
    JSON.stringify({ log: { entries: [entry] } }, null, 2).slice(0, 140),
    'a.har: it seems to be cut off: the JSON from line 1 on has no end; the file ends at line 7, column 21.',
  ],
  [
    'a.har',
    har(entry).slice(0, 60),
    'a.har: it seems to be cut off: the JSON from line 1 on has no end; the file ends at line 1, column 60.',
  ],
  [
    'a.ndjson',
    `${pair}\n${pair.slice(0, -1)}\n`,
    `a.ndjson: it seems to be cut off: the JSON from line 2 on has no end; the file ends at line 2, column ${pair.length - 1}.`,
  ],
  ['a.ndjson', `${pair.slice(0, -1)}\n${pair}`, 'a.ndjson: line 1 must be JSON'],
  [
    'pact.json',
    '{\n  "consumer": { "name": "shop" }\n}',
    'pact.json: it must be a HAR, an object with log, or have a request and its answer on each line.',
  ],
  ['a.ndjson', '\n{"at":"2027-01-01"}', 'a.ndjson: line 2: request is missing'],
  ['a.ndjson', '', 'a.ndjson must have an exchange with a path below /v1; it is empty.'],
])('refuses %s with %s', (source, text, message) => {
  expect(() => readRecording(source, text)).toThrow(message)
})

it('hides what is neither JSON nor a form where it may name a secret', () => {
  const xml = (text: string) => {
    const headers = [{ name: 'Content-Type', value: 'application/xml' }]
    const response = { status: 200, headers, content: { text } }
    return readRecording('a.har', har({ ...entry, response })).exchanges[0]?.answer.body
  }
  expect(xml('<password>hidden</password>')).toBe('[masked]')
  expect(xml('<plan>pro</plan>')).toBe('<plan>pro</plan>')
})

it('keeps no secret, and still knows one from another', () => {
  const refresh = (sent: string, given: string) =>
    JSON.stringify({
      at: '2027-01-01T00:00:00Z',
      request: {
        method: 'POST',
        path: `/v1/auth/refresh?hint=${sent}`,
        headers: { authorization: `Bearer ${sent}`, 'x-api-key': key },
        body: JSON.stringify({ refresh_token: sent }),
      },
      answer: { status: 200, body: JSON.stringify({ refresh_token: given, note: `was ${sent}` }) },
    })
  const lines = `${refresh('secret-one', 'secret-two')}\n${refresh('secret-two', 'secret-three')}`
  const { exchanges } = readRecording('a.ndjson', lines)
  expect(JSON.stringify(exchanges)).not.toMatch(/secret-|sk_live/)
  expect(exchanges.map(({ body, answer }) => [body, answer.body])).toEqual([
    ['{"refresh_token":"masked-1"}', '{"refresh_token":"masked-2","note":"was masked-1"}'],
    ['{"refresh_token":"masked-2"}', '{"refresh_token":"masked-3","note":"was masked-2"}'],
  ])
})

it('keeps no end of a secret that begins as another one does', () => {
  const body = JSON.stringify({ token: 'hunter22', secret: 'hunter22-and-more' })
  const { exchanges } = readRecording(
    'a.har',
    har(
      answering({ text: body }),
      answering({ text: '{"note":"was hunter22-and-more, hunter22."}' }),
    ),
  )
  expect(exchanges.map(({ answer }) => answer.body)).toEqual([
    '{"token":"masked-2","secret":"masked-3"}',
    '{"note":"was masked-3, masked-2."}',
  ])
})

it.each([
  ['a number', '{"password":8675309}', '{"password":2}'],
  ['the number that would stand for it', '{"password":2}', '{"password":3}'],
  ['null, or true', '{"password":null,"token":true}', '{"password":null,"token":true}'],
  ['an object', '{"credentials":{"user":"hunter2"}}', '{"credentials":{"masked-2":"masked-3"}}'],
  ['a list', '{"data":[{"api_key":"hunter2"}]}', '{"data":[{"api_key":"masked-2"}]}'],
  [
    'a name that comes twice',
    '{"password":"hunter2","password":null}',
    '{"password":"masked-2","password":null}',
  ],
  [
    'a key that comes twice',
    '{"note":"sk_live_hunter2","note":"x"}',
    '{"note":"sk_...","note":"x"}',
  ],
  [
    'a name beside its value',
    '[{"name":"X-Api-Key","value":"hunter2"}]',
    '[{"name":"X-Api-Key","value":"masked-2"}]',
  ],
  ['JSON that is cut', '{"refresh_token":"hunter2', '[masked]'],
  [
    'JSON in JSON',
    '{"text":"{\\"password\\":\\"hunter2\\"}"}',
    '{"text":"{\\"password\\":\\"masked-2\\"}"}',
  ],
])('keeps no secret that is %s', (_, text, shown) => {
  const { exchanges } = readRecording('a.har', har(answering({ text })))
  expect(exchanges[0]?.answer.body).toBe(shown)
})

it('gives a secret one word in forms and in JSON, and keeps what is not secret as it is written', () => {
  const secret = 'a+b/c=%2F'
  const postData = {
    text: `note=was+${encodeURIComponent(secret)}&refresh_token=${encodeURIComponent(secret)}`,
  }
  const answered = answering({ text: JSON.stringify({ access_token: secret }) })
  const open = answering({ text: '{ "amount": 10.00, "note": "a+b" }' })
  const sending = { ...answered, request: { ...entry.request, postData } }
  const { exchanges } = readRecording('a.har', har(answered, sending, open))
  expect(exchanges.map(({ body, answer }) => [body, answer.body])).toEqual([
    ['customer_id=cus_ada&plan=a+b', '{"access_token":"masked-2"}'],
    ['note=was%20masked-2&refresh_token=masked-2', '{"access_token":"masked-2"}'],
    ['customer_id=cus_ada&plan=a+b', '{ "amount": 10.00, "note": "a+b" }'],
  ])
})
