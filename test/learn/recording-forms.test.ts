/** Recordings as browsers, proxies and test tools write them, and what is left out of them. */
import { expect, it } from 'vitest'
import { readRecording } from '../../src/learn/recording.ts'
import { sampleEntry as entry, har } from '../support/har.ts'

const jsonHeaders = [{ name: 'Content-Type', value: 'application/json' }]
const sentAs = (request: object, response: object = {}) => ({
  ...entry,
  request: { ...entry.request, ...request },
  response: { ...entry.response, ...response },
})
const params = entry.request.postData.params

it.each<[string, object]>([
  ['empty text beside its parameters', sentAs({ postData: { text: '', params } })],
  ['null for a text', sentAs({ postData: { text: null, params } })],
  [
    'the media type of a body in no header',
    {
      ...sentAs(
        {
          headers: [{ name: 'Authorization', value: 'Bearer x' }],
          postData: { mimeType: 'application/x-www-form-urlencoded', params },
        },
        { headers: [], content: { mimeType: 'application/json', text: '{"status":"active"}' } },
      ),
    },
  ],
  [
    'a base address that has a version',
    sentAs({ url: 'https://service.example/v1/eu/v1/subscriptions' }),
  ],
])('reads an entry with %s', (_, written) => {
  const { exchanges } = readRecording('a.har', har(written))
  expect(exchanges).toMatchObject([
    {
      path: '/v1/subscriptions',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'customer_id=cus_ada&plan=a+b',
      answer: { headers: { 'content-type': 'application/json' }, body: '{"status":"active"}' },
    },
  ])
})

it('leaves out what is not of the service, what it did not do, and what it had done before', () => {
  const repeated = sentAs({
    headers: [...entry.request.headers, { name: 'Idempotency-Key', value: 'one' }],
  })
  const { exchanges, leftOut } = readRecording(
    'a.har',
    har(
      repeated,
      sentAs({ url: 'https://payments.example/v1/subscriptions' }),
      sentAs({ method: 'GET', url: 'https://service.example/v1/subscriptions' }),
      sentAs({ url: 'https://service.example/v1/customers' }),
      sentAs({}, { status: 308 }),
      sentAs({}, { status: 503 }),
      // As Playwright writes what was aborted, and a body that it attaches.
      sentAs({}, { status: -1, headers: [], content: { size: -1, mimeType: 'x-unknown' } }),
      sentAs({ bodySize: 9, postData: { text: '', params: [], _file: 'a.json' } }),
      { ...repeated, startedDateTime: '2027-01-01T08:00:00.200Z' },
      entry,
      sentAs({ method: 'OPTIONS' }, { status: 403 }),
      // As a request log of a sandbox has it, whose tokens are all the same word.
      sentAs({
        url: 'https://service.example/v1/auth/refresh',
        headers: [...jsonHeaders, { name: 'Authorization', value: 'Bearer [masked]' }],
        postData: { text: '{"refresh_token":"[masked]"}' },
      }),
      // Recorded by --from: JSON that was cut off is masked whole.
      sentAs({
        url: 'https://service.example/v1/auth/refresh',
        headers: [...jsonHeaders, { name: 'Authorization', value: 'Bearer masked-7' }],
        postData: { text: '[masked]' },
      }),
    ),
  )
  expect(exchanges.map(({ number, place }) => [number, place])).toEqual([
    [1, 'log.entries[0]'],
    [2, 'log.entries[9]'],
  ])
  expect(leftOut.map((line) => line.replace(/^log.entries/, ''))).toEqual([
    '[1]: its host is not service.example.',
    '[2]: the interface does not show this operation.',
    '[3]: the interface does not show this operation.',
    '[4]: the service redirected it.',
    '[5]: the service failed with 503.',
    '[6]: it has no answer.',
    '[7]: the body of its request is not in the recording.',
    '[10]: a browser asked by it whether it may call.',
    '[11]: its token is masked, so that nobody knows which one it was; --from tells tokens apart, but only in JSON and forms.',
    '[12]: its token is masked, so that nobody knows which one it was; --from tells tokens apart, but only in JSON and forms.',
    '[8]: it repeats a request with the same Idempotency-Key.',
  ])
})

it('takes the entries of a HAR by their time, whatever their order', () => {
  const later = { ...entry, startedDateTime: '2027-01-01T08:00:01Z' }
  const { exchanges } = readRecording('a.har', har(later, entry))
  expect(exchanges.map(({ number, place }) => [number, place])).toEqual([
    [1, 'log.entries[1]'],
    [2, 'log.entries[0]'],
  ])
})

it('gives what was granted its credential where a browser has left all of them out', () => {
  const headers = jsonHeaders
  const refreshing = { text: '{"refresh_token":"one-of-a-login"}' }
  const url = 'https://service.example/v1/auth/refresh'
  const { exchanges, inferred } = readRecording(
    'a.har',
    har(
      sentAs({ headers }),
      sentAs({ headers, url, postData: refreshing }),
      sentAs({ headers }, { status: 401 }),
    ),
  )
  expect(exchanges.map((each) => each.headers['authorization'])).toEqual([
    'Bearer [masked]',
    'Bearer masked-1',
    undefined,
  ])
  expect(inferred).toEqual([
    'no exchange shows its Authorization: what was granted had the right key or token',
  ])
  expect(readRecording('a.har', har(entry, sentAs({ headers }))).inferred).toEqual([])
})

it('takes the request log of a sandbox by its numbers, and says that its beginning is missing', () => {
  const request = (number: number, path = '/v1/subscriptions') => ({
    ...{ number, at: '2027-01-01T00:00:00Z' },
    request: { method: 'POST', path, headers: { authorization: 'Bearer [masked]' } },
    answer: { status: 200, body: '{}' },
  })
  const numbersOf = (text: string) => readRecording('log', text).exchanges.map(({ place }) => place)
  const [one, two, three] = [request(1), request(2), request(3)]
  const page = (...data: object[]) => JSON.stringify({ data })
  expect(numbersOf(page(three, two, one))).toEqual(['data[2]', 'data[1]', 'data[0]'])
  expect(numbersOf(page(one, two, three))).toEqual(['data[0]', 'data[1]', 'data[2]'])
  const lines = [three, two].map((each) => JSON.stringify(each)).join('\n')
  expect(numbersOf(lines)).toEqual(['line 2', 'line 1'])
  expect(readRecording('log', lines).leftOut).toEqual([
    'line 2: requests before number 2 are not in the recording; list them by --limit 250.',
  ])
  expect(readRecording('log', page(three, request(2, '/sandbox/reset'))).leftOut).toEqual([
    'data[1]: its path is not below /v1.',
  ])
})
