import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { answersFor, startStateRecorder } from '../../src/contracts/replay/state-recorder.ts'
import { creates, pactOf } from '../support/pacts.ts'

const setup = '{"action" : "setup","params":{"é":1.0},"state":"a login"}'

/** A provider that answers with bytes that are easily spoilt, and keeps what it was sent. */
async function provider(status: number, own = {}) {
  const sent: { method?: string; url?: string; type?: string; body: Buffer }[] = []
  const answer = Buffer.from([0xff, 0x00, 0x7b, 0x0d, 0x0a])
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = incoming
    sent.push({ method, url, type: headers['content-type'] ?? '', body: Buffer.concat(chunks) })
    outgoing.writeHead(status, { ...own, 'X-Kept': 'yes', 'Content-Type': 'text/odd' }).end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/states?of=a%20b`, sent, answer, server }
}

async function send(url: string, body: string) {
  const sending = request(url, { method: 'POST', headers: { 'Content-Type': 'application/json' } })
  sending.end(body)
  const [answer] = await once(sending, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }
}

it('passes a state change and its answer on byte for byte, and keeps what was answered', async () => {
  const { url, sent, answer, server } = await provider(422)
  const recorder = await startStateRecorder(url, [])
  const answered = await send(recorder.url, setup)
  expect(sent).toEqual([
    { method: 'POST', url: '/states?of=a%20b', type: 'application/json', body: Buffer.from(setup) },
  ])
  expect(answered.status).toBe(422)
  expect(answered.body).toEqual(answer)
  expect(answered.headers).toMatchObject({ 'x-kept': 'yes', 'content-type': 'text/odd' })
  expect(recorder.calls).toEqual([
    { state: 'a login', status: 422, body: '(5 bytes that are not UTF-8)' },
  ])
  await recorder.close()
  server.close()
})

it.each([
  [{ 'Sandbox-Id': 'default' }, 404, ['a', 'b', 'teardown', 'c', 'teardown', 'd']],
  [{ 'Sandbox-Id': 'default' }, 503, ['a', 'a', 'a', 'b', 'b', 'b', 'teardown', 'c']],
  [{ 'Sandbox-Id': 'default' }, 200, ['a', 'b', 'c', 'd']],
  [{}, 404, ['a', 'b', 'c', 'd']],
])('of a provider that answers with %j and %i it gets %j', async (own, status, expected) => {
  const { url, sent, server } = await provider(status, own)
  const named = [['a', 'b'], ['c'], ['d']].map((names) => {
    return { states: names.map((name) => ({ name, params: {} })) }
  })
  const recorder = await startStateRecorder(url, named)
  for (const state of expected.filter((each) => each !== 'teardown')) {
    await send(recorder.url, JSON.stringify({ action: 'setup', params: {}, state }))
  }
  const seen = sent.map(({ body }) => JSON.parse(body.toString()))
  expect(seen.map(({ action, state }) => state || action)).toEqual(expected)
  expect(recorder.calls).toHaveLength(expected.filter((each) => each !== 'teardown').length)
  await recorder.close()
  server.close()
})

it('passes on what takes down, and what is no state change, without keeping it', async () => {
  const { url, sent, server } = await provider(200)
  const recorder = await startStateRecorder(url, [])
  await send(recorder.url, setup.replace('setup', 'teardown'))
  await send(recorder.url, 'plainly no JSON')
  expect(sent).toHaveLength(2)
  expect(recorder.calls).toEqual([])
  await recorder.close()
  server.close()
})

it('says that the address of states cannot be reached', async () => {
  const recorder = await startStateRecorder('http://127.0.0.1:9/states', [])
  const { status, body } = await send(recorder.url, setup)
  // After 5xx the core would try again.
  expect(status).toBe(424)
  expect(body.toString()).toContain('http://127.0.0.1:9 cannot be reached')
  const why = expect.stringContaining('http://127.0.0.1:9/states cannot be reached: ')
  expect(recorder.calls).toEqual([{ state: 'a login', status: 424, body: why }])
  await recorder.close()
})

it('knows which interaction a state change was for, however often it was tried', () => {
  const state = (...names: string[]) => ({ providerStates: names.map((name) => ({ name })) })
  const { interactions } = pactOf([
    creates('none', { status: 200 }),
    creates('twice', { status: 200 }, state('ill', 'ill')),
    creates('again', { status: 200 }, state('ill')),
    creates('two', { status: 200 }, state('fine', 'unknown')),
    creates('the rest left out', { status: 200 }, state('unknown', 'fine')),
    creates('none, refused', { status: 200 }),
  ])
  const ill = { state: 'ill', status: 503, body: 'later' }
  const answers = answersFor(interactions, [
    { state: '', status: 200, body: '' },
    ...[ill, ill, ill],
    ...[ill, { ...ill, status: 200 }],
    ...[ill, ill, ill],
    { state: 'fine', status: 200, body: '{"id":"one"}' },
    { state: 'unknown', status: 400, body: '{"detail":"no such state"}' },
    { state: 'unknown', status: 400, body: 'null' },
    { state: '', status: 400, body: 'no name' },
  ])
  const told = answers.map(({ states }) => {
    return states.map(({ name, answers: each }) => [name, each.map(({ status }) => status)])
  })
  expect(told).toEqual([
    [],
    [
      ['ill', [503, 503, 503]],
      ['ill', [503, 200]],
    ],
    [['ill', [503, 503, 503]]],
    [
      ['fine', [200]],
      ['unknown', [400]],
    ],
    [
      ['unknown', [400]],
      ['fine', []],
    ],
    [['', [400]]],
  ])
  expect(answers.map(({ values }) => values)).toEqual([{}, {}, {}, { id: 'one' }, {}, {}])
})
