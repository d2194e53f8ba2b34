/** Scripts send what was sent, byte by byte, whatever a shell or a string of code could read in it. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { asCurl } from '../../src/http/recording/curl.ts'
import { asPytest } from '../../src/http/recording/pytest.ts'
import { piecesOf } from '../../src/http/recording/recording.ts'
import { encodeBody } from '../../src/http/recording/secrets.ts'
import { asVitest } from '../../src/http/recording/vitest.ts'
import type { RecordedCall } from '../../src/wire/sandbox/recording.ts'
import {
  isMissing,
  type RecordingFormat,
  recordingFormats,
  runRecording,
} from '../support/recording-scripts.ts'

const formats = { curl: asCurl, vitest: asVitest, pytest: asPytest }

const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')
const utf8 = (text: string) => Buffer.from(text).toString('latin1')
const bodies = [
  everyByte,
  `${everyByte.slice(0, 128)}${utf8('é\u0085\u2028日本語😀')}`,
  utf8('{"name":"O\'Brien \\"$HOME\\" `id` $(id) \\\\n \\u0041 %s %b \\c !! $key #{x}"}'),
  '\n\nlines\r\n at both ends\n\n',
  '@/etc/hostname',
  '-',
  '"""\'\'\'\\',
  'x'.repeat(300_000),
]

/** A server that notes what it is sent. */
async function noteAll() {
  const noted: { method: string; target: string; type: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const { method = '', url: target = '', headers } = request
    const body = Buffer.concat(pieces).toString('latin1')
    noted.push({ method, target, type: headers['content-type'], body })
    response.statusCode = target.startsWith('/v1/') ? 418 : 200
    if (target === '/sandboxes') response.statusCode = 201
    response.setHeader('Content-Type', 'application/json')
    response.end(
      '{"sandbox_id":"mine","api_key":"sk_sandbox_mine","data":[],"has_more":false,"next_after":null}',
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { noted, url, close: () => server.close() }
}

function callOf(body: string): RecordedCall {
  return {
    method: 'POST',
    target: ['/v1/a;b?c=%27$HOME&d=[1]&key=', { variable: 'key' }],
    headers: [['Content-Type', ['text/it\'s; x="$HOME"']]],
    body: encodeBody([body, { variable: 'id' }, body]),
    status: 418,
  }
}

/** Writes calls in a format, and runs that. */
async function replay(format: RecordingFormat, calls: readonly RecordedCall[], url: string) {
  const pieces: string[] = []
  const recording = { about: ['A test.'], origin: { fixture: 'starter' }, varies: false, calls }
  for await (const piece of piecesOf(recording, formats[format.format])) pieces.push(piece)
  return runRecording(format, pieces.join(''), { SANDBOX_URL: url })
}

it.for(recordingFormats)('$format sends every byte', async (format, { skip }) => {
  skip(isMissing(format), `not run: the machine has no ${format.format}`)
  const server = await noteAll()
  try {
    await replay(format, [...bodies.map(callOf), { ...callOf('{}'), headers: [] }], server.url)
    const target = '/v1/a;b?c=%27$HOME&d=[1]&key=sk_sandbox_mine'
    const type = 'text/it\'s; x="$HOME"'
    expect(server.noted.filter((each) => each.target.startsWith('/v1/'))).toEqual([
      ...bodies.map((body) => ({ method: 'POST', target, type, body: `${body}mine${body}` })),
      { method: 'POST', target, type: undefined, body: '{}mine{}' },
    ])
  } finally {
    server.close()
  }
})

it.for(recordingFormats)(
  '$format fails where it is answered otherwise',
  async (format, { skip }) => {
    skip(isMissing(format), `not run: the machine has no ${format.format}`)
    const server = await noteAll()
    try {
      const call = callOf('{}')
      await replay(format, [{ ...call, answer: {} }], server.url)
      await expect(replay(format, [{ ...call, status: 200 }], server.url)).rejects.toThrow('418')
      const different = replay(format, [call, { ...call, answer: { code: 'gone' } }], server.url)
      // A shell compares the status alone.
      if (format.format === 'curl') await different
      else await expect(different).rejects.toThrow('gone')
    } finally {
      server.close()
    }
  },
)
