import { expect, it } from 'vitest'
import { createClient } from '../../src/client.ts'

const baseUrl = 'http://127.0.0.1:4010'
const KEY_RULE = 'apiKey must be visible ASCII characters without spaces; it is not shown.'

it.each<[unknown[], string]>([
  ...[[], [null], [baseUrl], [{}]].map((given): [unknown[], string] => [
    given,
    `baseUrl must be an address such as ${baseUrl}; got undefined.`,
  ]),
  [[{ apiKey: 'key', baseUrl: 5 }], `baseUrl must be an address such as ${baseUrl}; got 5.`],
  [[{ baseUrl }], KEY_RULE],
  [[{ baseUrl, apiKey: 'hush\nhush' }], KEY_RULE],
  [[{ baseUrl, apiKey: 5 }], KEY_RULE],
  [[{ baseUrl, apiKey: 'key', fetch: 5 }], 'fetch must be a function; got 5.'],
])('says what is wrong with what createClient is given: %j', (given, message) => {
  const create = createClient as (...args: unknown[]) => unknown
  expect(() => create(...given)).toThrow(new TypeError(message))
  expect(() => create(...given)).not.toThrow('hush')
})

it('takes a key that is empty, for a client that only refreshes', () => {
  expect(createClient({ baseUrl, apiKey: '' })).toHaveProperty('POST')
})
