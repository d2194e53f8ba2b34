/** What Node refuses before the app sees it: in the shape of the surface that was asked, with a Request-Id. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { WireError, WireProblem } from '../../src/wire/common/errors.ts'
import { openShop } from '../support/control.ts'

let server: Listener
beforeAll(async () => {
  server = await listen((await openShop()).app, { host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

/** What comes back for these lines until the connection ends. */
async function answerTo(lines: readonly string[]) {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n')
  return { head, body: JSON.parse(body) as unknown }
}

const host = 'Host: localhost'
const close = 'Connection: close'
const long = `X-Long: ${'x'.repeat(20_000)}`

it.each([
  ['417 Expectation Failed', 'expectation_failed', ['Expect: 200-ok', close]],
  ['431 Request Header Fields Too Large', 'headers_too_large', [long]],
  ['400 Bad Request', 'invalid_request', ['Content-Length: nothing']],
] as const)('answers %s as each surface does', async (status, code, lines) => {
  const v1 = await answerTo(['POST /v1/subscriptions HTTP/1.1', host, ...lines])
  expect(v1.head).toContain(`HTTP/1.1 ${status}\r\n`)
  expect(v1.head).toMatch(/\r\nContent-Type: application\/json\r\n/)
  expect(v1.head).toMatch(/\r\nRequest-Id: server_\d{6}\r\n/)
  expect(WireError.parse(v1.body).error).toBe(code)

  const control = await answerTo(['POST /sandbox/reset HTTP/1.1', host, ...lines])
  expect(control.head).toMatch(/\r\nContent-Type: application\/problem\+json\r\n/)
  expect(control.head).toMatch(/\r\nRequest-Id: server_\d{6}\r\n/)
  expect(WireProblem.parse(control.body)).toMatchObject({
    code,
    status: Number(status.slice(0, 3)),
  })
})

it('answers a path that is too long as each surface does', async () => {
  for (const [surface, read] of [
    ['/v1', WireError],
    ['/sandbox', WireProblem],
  ] as const) {
    const { body } = await answerTo([`GET ${surface}/${'x'.repeat(20_000)} HTTP/1.1`, host])
    expect(read.safeParse(body).success, surface).toBe(true)
  }
})

it('names the value that it does not expect', async () => {
  const { body } = await answerTo(['POST /v1/auth/refresh HTTP/1.1', host, 'Expect: 200-ok', close])
  const message = 'Expect must be absent or 100-continue; got "200-ok".'
  expect(body).toEqual({ error: 'expectation_failed', message })
})

it.each([
  ['in one piece', false],
  ['in two', true],
])('answers a request that brings more than it says, %s, and closes', async (_, isSplit) => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  const key = 'Authorization: Bearer sk_sandbox_default'
  const type = 'Content-Type: application/x-www-form-urlencoded'
  const head = ['POST /v1/subscriptions HTTP/1.1', host, key, type, 'Content-Length: 30', '', '']
  const parts = [head.join('\r\n'), '{"customer_id":"cus_ada","plan":"basic"}']
  for (const each of isSplit ? parts : [parts.join('')]) socket.write(each)
  await once(socket, 'close')
  const [first] = Buffer.concat(chunks).toString().split('HTTP/1.1 ').slice(1)
  expect(first).toContain('400 Bad Request')
  expect(first).toContain('The Verifier of pact-js makes JSON of a form')
})

it('goes on after clients that are gone before they are told that it is no proxy', async () => {
  for (let count = 0; count < 20; count += 1) {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
    await once(socket, 'connect')
    socket.write(`CONNECT elsewhere:443 HTTP/1.1\r\n${host}\r\n\r\nmore`)
    await new Promise(setImmediate)
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  const { head } = await answerTo(['CONNECT elsewhere:443 HTTP/1.1', host])
  expect(head).toContain('HTTP/1.1 400 Bad Request')
})

it('does not write into the answer to an earlier request of the connection', async () => {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => undefined)
  socket.write(`GET /sandbox/events/stream HTTP/1.1\r\n${host}\r\n\r\n`)
  await once(socket, 'data')
  socket.write('NONSENSE\r\n\r\n')
  await once(socket, 'close')
  expect(Buffer.concat(chunks).toString()).not.toContain('invalid_request')
})

describe('a request that the app cannot read is answered in the envelope of its surface', () => {
  it.each([
    ['OPTIONS *', 'OPTIONS * HTTP/1.1', [host], '*'],
    ['a target that is no address', 'GET http://[ HTTP/1.1', [host], 'http://['],
    ['a Host that is no name', 'GET /sandbox HTTP/1.1', ['Host: a/b'], 'a/b'],
    ['no Host', 'GET /sandbox HTTP/1.1', [], 'Host must be there'],
  ])('%s', async (...[, line, lines, named]) => {
    const { head, body } = await answerTo([line, ...lines, close])
    expect(head).toContain('HTTP/1.1 400 Bad Request\r\n')
    expect(head).toMatch(/\r\nRequest-Id: server_\d{6}/i)
    const { code, detail } = WireProblem.parse(body)
    expect(code).toBe('invalid_request')
    expect(detail).toContain(named)
  })

  it('on /v1 too', async () => {
    const { body } = await answerTo(['GET /v1/subscriptions HTTP/1.1', close])
    expect(WireError.parse(body).error).toBe('invalid_request')
  })

  it('CONNECT', async () => {
    const { head, body } = await answerTo(['CONNECT example.com:443 HTTP/1.1', host])
    expect(head).toContain('HTTP/1.1 400 ')
    expect(WireProblem.parse(body).detail).toContain('no proxy')
  })
})

describe('a body that is not written as its headers say is answered, and the connection closed', () => {
  const key = 'Authorization: Bearer sk_sandbox_default'
  const json = 'Content-Type: application/json'
  const chunked = 'Transfer-Encoding: chunked'

  it.each([
    ['POST /v1/subscriptions', 'Transfer-Encoding: xchunked', 'Transfer-Encoding must be'],
    ['POST /sandbox/customers', 'Transfer-Encoding: xchunked', 'Transfer-Encoding must be'],
    [
      'POST /v1/subscriptions',
      `Content-Length: 5\r\n${chunked}`,
      'chunked without a Content-Length',
    ],
    ['PUT /sandbox/state', 'Transfer-Encoding: xchunked', 'Transfer-Encoding must be'],
    ['POST /v1/subscriptions', `${chunked}\r\n\r\nzz`, 'The size of a chunk must be'],
    ['POST /sandbox/customers', `${chunked}\r\n\r\n1\r\n{\r\nzz`, 'The size of a chunk must be'],
    ['PUT /sandbox/state', `${chunked}\r\n\r\n1\r\n{\r\nzz`, 'The size of a chunk must be'],
    ['POST /v1/subscriptions', `${chunked}\r\n\r\n1\r\n{ab`, 'not written as HTTP/1.1'],
  ])('%s, %j', async (call, body, rule) => {
    const answered = await answerTo([`${call} HTTP/1.1`, host, key, json, body])
    expect(answered.head).toContain('HTTP/1.1 400 Bad Request\r\n')
    expect(answered.head).toContain('Connection: close')
    const message = call.includes('/v1')
      ? WireError.parse(answered.body).message
      : WireProblem.parse(answered.body).detail
    expect(message).toContain(rule)
  })
})
