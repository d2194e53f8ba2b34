/** The recording proxy: everything passes unchanged, also what is streamed, and what is kept has no secret. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { recordTraffic } from '../../src/learn/har-recorder.ts'
import { readRecording } from '../../src/learn/recording.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function recorded(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const reported: string[] = []
  const { port } = server.address() as AddressInfo
  const recorder = await recordTraffic(`http://127.0.0.1:${port}/base/`, 0, (line) =>
    reported.push(line),
  )
  closing.push(recorder.close, async () => server.close())
  return { ...recorder, reported, stopService: () => server.close() }
}

it('passes bytes and headers on as they are, and keeps what they say', async () => {
  const packed = gzipSync('{"refresh_token":"secret-answer","ok":true}')
  const seen: unknown[] = []
  const { url, har } = await recorded((incoming, outgoing) => {
    seen.push(incoming.url, incoming.headers['x-own'], incoming.headers.authorization)
    outgoing.writeHead(201, 'Made', {
      'Content-Encoding': 'gzip',
      'Content-Type': 'application/json',
      'X-Two': ['a', 'b'],
    })
    outgoing.end(packed)
  })
  const response = await fetch(`${url}/v1/auth/refresh?x=1`, {
    method: 'POST',
    body: JSON.stringify({ refresh_token: 'secret-sent' }),
    headers: {
      'X-Own': 'mine',
      Authorization: 'Bearer secret-sent',
      'Content-Type': 'application/json',
    },
  })
  expect(seen).toEqual(['/base/v1/auth/refresh?x=1', 'mine', 'Bearer secret-sent'])
  expect([response.status, response.statusText, response.headers.get('x-two')]).toEqual([
    201,
    'Made',
    'a, b',
  ])
  expect(await response.json()).toEqual({ refresh_token: 'secret-answer', ok: true })
  await expect.poll(() => JSON.stringify(har())).toContain('masked-2')
  const text = JSON.stringify(har())
  expect(text).not.toContain('secret-')
  const [exchange] = readRecording('own.har', text).exchanges
  expect(exchange?.headers['authorization']).toBe('Bearer masked-1')
  expect(exchange?.answer.body).toBe('{"refresh_token":"masked-2","ok":true}')
})

it.each([
  ['GZIP', gzipSync],
  ['x-gzip', gzipSync],
  ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
])('keeps what an answer says that is packed as %s', async (coding, pack) => {
  const { url, har } = await recorded((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Encoding': coding, 'Content-Type': 'application/json' })
    outgoing.end(pack('{"status":"active"}'))
  })
  // Not every coding is one that fetch reads.
  await fetch(`${url}/v1/subscriptions`, { method: 'POST' })
  await expect.poll(() => har().log.entries.length).toBe(1)
  const { exchanges } = readRecording('own.har', JSON.stringify(har()))
  expect(exchanges[0]?.answer.body).toBe('{"status":"active"}')
})

it.each(['zstd', 'gzip'])(
  'says that it has no body of what it cannot unpack: %s',
  async (coding) => {
    const { url, har, reported } = await recorded((_, outgoing) => {
      outgoing.writeHead(200, { 'Content-Encoding': coding, 'Content-Type': 'application/json' })
      outgoing.end('packed otherwise')
    })
    await fetch(`${url}/v1/subscriptions`, { method: 'POST' })
    await expect.poll(() => har().log.entries.length).toBe(1)
    const { exchanges, leftOut } = readRecording('own.har', JSON.stringify(har()))
    expect(exchanges).toMatchObject([{ answer: { status: 200, isBodyKnown: false, body: '' } }])
    expect(leftOut).toEqual(['log.entries[0]: the body of its answer is not in the recording.'])
    expect(reported).toEqual([])
  },
)

it('passes each piece of a stream on before the next one comes', async () => {
  let goOn = () => {}
  const { url, har } = await recorded((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n')
    goOn = () => outgoing.end('data: 2\n\n')
  })
  const { body } = await fetch(`${url}/v1/stream`)
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('data: 1\n\n')
  goOn()
  expect((await reader?.read())?.value).toBe('data: 2\n\n')
  expect((await reader?.read())?.done).toBe(true)
  await expect.poll(() => JSON.stringify(har())).toContain('data: 1\\n\\ndata: 2')
})

it('keeps no secret that is a parameter of a media type', async () => {
  const { url, har } = await recorded((_, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'text/plain; token=secret-answer' }).end('done')
  })
  const headers = { 'Content-Type': 'text/plain; token=secret-sent' }
  await (await fetch(`${url}/v1/x`, { method: 'POST', headers, body: 'sent' })).text()
  await expect.poll(() => har().log.entries.length).toBe(1)
  expect(JSON.stringify(har())).toContain('"text/plain; token=...')
  expect(JSON.stringify(har())).not.toContain('secret-')
})

it('says that nobody waited for an answer', async () => {
  const { url, har, reported } = await recorded(() => undefined)
  const signal = AbortSignal.timeout(50)
  await expect(fetch(`${url}/v1/x`, { method: 'POST', signal })).rejects.toThrow()
  await expect.poll(() => reported).toEqual(['POST /base/v1/x: its sender closed the connection'])
  expect(har().log.entries).toEqual([])
})

it('answers 502 where nobody listens, and records nothing', async () => {
  const { url, har, reported, stopService } = await recorded(() => undefined)
  stopService()
  const response = await fetch(`${url}/v1/subscriptions?api_key=secret-in-query`)
  expect(response.status).toBe(502)
  expect(har()).toMatchObject({ log: { entries: [] } })
  expect(reported.join()).toMatch(
    /^GET \/base\/v1\/subscriptions\?api_key=\[masked\]: connection refused$/,
  )
})
