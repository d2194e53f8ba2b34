import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { openShop } from '../support/control.ts'

let listener: Listener
let port: string

beforeAll(async () => {
  const { app } = await openShop()
  listener = await listen(app, { host: '127.0.0.1', port: 0 })
  port = new URL(listener.url).port
})
afterAll(() => listener.close())

/** What comes back for a head, which may be one that no client library sends. */
async function answerTo(...lines: string[]): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk) => received.push(chunk))
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`)
  await once(socket, 'close')
  return Buffer.concat(received).toString()
}

function hrefIn(answer: string): string {
  return /"self":\{"href":"([^"]*)"/.exec(answer)?.[1] ?? ''
}

it('makes links from the Host header, whatever the target of the request is', async () => {
  const answer = await answerTo(
    'GET http://evil.example/sandbox/broker HTTP/1.1',
    'Host: app.localhost:4010',
  )
  expect(hrefIn(answer)).toBe('http://app.localhost:4010/sandbox/broker')
  expect(answer).not.toContain('evil')
})

it('makes links from the address that the socket is bound to where there is no Host header', async () => {
  const answer = await answerTo('GET http://evil.example/sandbox/broker HTTP/1.0')
  expect(hrefIn(answer)).toBe(`http://127.0.0.1:${port}/sandbox/broker`)
})

it('takes no page for its own because the target of the request says so', async () => {
  const answer = await answerTo(
    'POST http://evil.example/sandbox/reset HTTP/1.0',
    'Origin: http://evil.example',
    'Content-Length: 0',
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 .*page of another site/s)
})

it.each(['evil.example/.localhost', 'evil.example#.localhost', 'evil@.localhost', '.localhost'])(
  'takes Host %s for no name of this server',
  async (host) => {
    const answer = await answerTo('GET http://localhost/sandbox/broker HTTP/1.1', `Host: ${host}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  },
)
