import { expect, it } from 'vitest'
import { readPact } from '../../src/contracts/pacts/pact-file.ts'

const json = 'application/json'

it.each([
  // What the Pact core sent of each to a server.
  [4, { content: 'hello', contentType: json, encoded: false }, {}, '"hello"'],
  [4, { content: '{"a":1}', contentType: json }, {}, String.raw`"{\"a\":1}"`],
  [4, { content: '5', contentType: 'application/x+json' }, {}, '"5"'],
  [4, { content: 'hello', encoded: false }, { 'content-type': json }, '"hello"'],
  [4, { content: 'hello', contentType: json }, { 'Content-Type': 'text/plain' }, '"hello"'],
  [4, { content: 'hello', contentType: 'text/plain' }, { 'Content-Type': json }, 'hello'],
  [4, { content: 'hello', contentType: json, encoded: 'JSON' }, {}, 'hello'],
  [4, { content: 'aGVsbG8=', contentType: json, encoded: 'base64' }, {}, 'hello'],
  [4, { content: { a: 'b' }, contentType: json, encoded: false }, {}, '{"a":"b"}'],
  [3, 'hello', { 'Content-Type': json }, '"hello"'],
  [3, '5', { 'Content-Type': json }, '"5"'],
  [3, '{"a":1}', { 'Content-Type': json }, '{"a":1}'],
  [3, '"q"', { 'Content-Type': json }, '"q"'],
  [3, '5', { 'Content-Type': 'text/plain' }, '5'],
])(
  'shows a body of version %d as the Pact core sends it: %j %j',
  (...[version, body, headers, sent]) => {
    const text = JSON.stringify({
      consumer: { name: 'web' },
      provider: { name: 'subscription-service' },
      metadata: { pactSpecification: { version: `${version}.0` } },
      interactions: [
        {
          type: 'Synchronous/HTTP',
          description: 'one',
          request: { method: 'POST', path: '/v1/x', headers, body },
          response: { status: 200 },
        },
      ],
    })
    expect(readPact('a.json', text)).toMatchObject({ interactions: [{ request: { body: sent } }] })
  },
)
