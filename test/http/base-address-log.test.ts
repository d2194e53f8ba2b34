/** How a call to the base address of a sandbox is logged and recorded, in process and through a socket. */
import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { processLog } from '../../src/cli/commands/log.ts'
import type { CapturedCall } from '../../src/provider/capture/captured-call.ts'
import { createApp } from '../../src/server/app.ts'
import { start } from '../../src/server/start.ts'
import type { WireLoggedRequest } from '../../src/wire/sandbox/request.ts'
import { bearer, openTwo, order, subscribe } from '../support/base-address.ts'
import { inSandbox, type Shop } from '../support/control.ts'
import { recordingOf } from '../support/exported-recording.ts'

async function logged(shop: Shop, sandboxId: string): Promise<readonly WireLoggedRequest[]> {
  const { body } = await inSandbox(shop, sandboxId).get<{ data: WireLoggedRequest[] }>(
    '/sandbox/requests',
  )
  return body.data
}
describe('a call to a base address', () => {
  it('is logged in its sandbox under its documented path, as placed by the address', async () => {
    const shop = await openTwo()
    const query = '/v1/subscriptions?'
    const headers = { ...bearer('any'), 'Content-Type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(order) }
    await shop.app.request(`/sandboxes/one${query}`, sent)
    await subscribe(shop, '', bearer('sk_sandbox_one'))
    await subscribe(shop, '/sandboxes/one', bearer('sk_sandbox_two'))
    await shop.post('/sandboxes/three/provider-states', { state: '' })
    const shown = (await logged(shop, 'one')).map(({ request: { path }, ...each }) => [
      path,
      each.operation_id,
      each.by_address,
      each.answer.status,
    ])
    expect(shown).toEqual([
      ['/v1/subscriptions', 'createSubscription', true, 401],
      ['/v1/subscriptions', 'createSubscription', false, 200],
      [query, 'createSubscription', true, 200],
    ])
    const [elsewhere] = await logged(shop, 'default')
    expect(elsewhere).toMatchObject({
      by_address: false,
      request: { path: '/sandbox/provider-states' },
    })
  })

  it('is shown as such in the dashboard', async () => {
    const shop = await openTwo()
    await subscribe(shop, '/sandboxes/one', bearer('any'))
    await subscribe(shop, '', bearer('sk_sandbox_one'))
    const pageOf = async (id: string) =>
      (await shop.app.request(`/dashboard/one/requests/${id}`)).text()
    expect(await pageOf('req_000001')).toContain('placed it')
    expect(await pageOf('req_000002')).not.toContain('placed it')
  })

  it('is handed to record under its documented path, with the key of the sandbox', async () => {
    const { registry } = await openTwo()
    const calls: CapturedCall[] = []
    const app = createApp(registry, () => undefined, { onCall: (call) => calls.push(call) })
    const headers = { ...bearer('any'), 'Content-Type': 'application/json' }
    const sent = { method: 'POST', headers, body: JSON.stringify(order) }
    await app.request('/sandboxes/one/v1/subscriptions', sent)
    expect(calls).toMatchObject([{ target: '/v1/subscriptions', before: expect.anything() }])
    expect(calls[0]?.headers).toContain('Bearer sk_sandbox_one')
    expect(calls[0]?.headers).not.toContain('Bearer any')
  })

  it('is counted by the coverage of its sandbox', async () => {
    const shop = await openTwo()
    await subscribe(shop, '/sandboxes/one', { ...bearer('any'), 'Sandbox-Consumer': 'web' })
    const { text } = await inSandbox(shop, 'one').get('/sandbox/coverage')
    expect(JSON.parse(text).consumers).toMatchObject([{ consumer: 'web' }])
  })

  it('has a line in the log of the process that says so', async () => {
    const { registry } = await openTwo()
    const lines: Record<string, Record<string, string>> = {}
    for (const isTTY of [true, false]) {
      const texts: string[] = []
      const write = (text: string) => texts.push(text) > 0
      const log = processLog('lines', { isTTY, writableLength: 0, write } as never)
      const app = createApp(registry, log.warn, { observer: log.observer })
      const send = { method: 'POST', headers: bearer('any') }
      await app.request('/sandboxes/one/v1/subscriptions', send)
      await app.request('/v1/subscriptions', { ...send, headers: bearer('sk_sandbox_one') })
      await log.end()
      lines[String(isTTY)] = texts.join('').split('\n') as never
    }
    expect(lines['true']?.[0]).toMatch(/^POST \/v1\/subscriptions {2}one by address {2}400/)
    expect(JSON.parse(lines['false']?.[0] ?? '')).toMatchObject({
      path: '/v1/subscriptions',
      sandbox: 'one',
      by_address: true,
    })
    expect(JSON.parse(lines['false']?.[1] ?? '')).not.toHaveProperty('by_address')
  })
})

it('a recording of calls to a base address replays at any server, without their keys', async () => {
  const shop = await openTwo()
  const base = '/sandboxes/one'
  await subscribe(shop, base, bearer('our-fixed-key'))
  await subscribe(shop, base, {})
  await subscribe(shop, base, bearer('sk_sandbox_two'))
  await shop.call('POST', `${base}/v1/nowhere`, { headers: bearer('our-fixed-key') })
  await subscribe(shop, base, bearer('our-fixed-key'))
  const recording = JSON.parse(await recordingOf(shop, 'json', 'one'))
  const text = JSON.stringify(recording)
  expect(text).not.toContain('our-fixed-key')
  const { calls } = recording as { calls: readonly Recorded[] }
  const other = await openTwo()
  const replayed = []
  for (const { method, target, headers, body, status } of calls) {
    const answer = await other.app.request(filled(target), {
      method,
      headers: headers.map(([name, value]) => [name, filled(value)] as [string, string]),
      ...(body === undefined ? {} : { body: filled(body) }),
    })
    expect([filled(target), answer.status]).toEqual([filled(target), status])
    if (answer.headers.get('Sandbox-Id') === 'one') replayed.push(answer.headers.get('Request-Id'))
  }
  expect(replayed).toEqual(['req_000001', 'req_000002', 'req_000003', 'req_000004', 'req_000005'])
  expect(await inSandbox(other, 'one').state()).toBe(await inSandbox(shop, 'one').state())
})

type Part = string | { readonly variable: string }

interface Recorded {
  readonly method: string
  readonly target: readonly Part[]
  readonly headers: readonly (readonly [string, readonly Part[]])[]
  readonly body?: readonly Part[]
  readonly status: number
}

/** The text of a recording, for the sandbox `one` of another server. */
function filled(parts: readonly Part[]): string {
  const variables: Record<string, string> = { id: 'one', key: 'sk_sandbox_one' }
  return parts.map((part) => (typeof part === 'string' ? part : variables[part.variable])).join('')
}

it('works through a socket, in absolute form too, and refuses what Node refuses in its envelope', async () => {
  const { url, answer, close } = await start()
  await answer(new Request(`${url}/sandboxes/one`, { method: 'PUT' }))
  const body = 'customer_id=cus_ada&plan=basic'
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', ...bearer('any') }
  const base = '/sandboxes/one/v1/subscriptions'
  const { hostname, port } = new URL(url)
  const send = (method: string, path: string, headers: Record<string, string> = form) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const sent = request({ hostname, port, path, method, headers })
      sent.on('error', reject).on('response', async (answer) => {
        let text = ''
        for await (const chunk of answer) text += chunk
        resolve({ status: answer.statusCode, text })
      })
      sent.end(method === 'POST' ? body : undefined)
    })
  expect(await send('POST', base)).toMatchObject({ status: 200 })
  expect(await send('POST', `http://sandbox.example${base}`)).toMatchObject({ status: 200 })
  expect(await send('TRACE', base)).toMatchObject({ status: 405 })
  const headers = { 'Sandbox-Id': 'one' }
  const read = await fetch(`${url}/sandbox/requests`, { headers })
  const { data } = (await read.json()) as { data: WireLoggedRequest[] }
  const shown = data.map(({ by_address, request: { method, path, body: sent } }) => [
    ...[by_address, method, path],
    sent,
  ])
  expect(shown).toEqual([
    [true, 'TRACE', '/v1/subscriptions', null],
    [true, 'POST', '/v1/subscriptions', body],
    [true, 'POST', '/v1/subscriptions', body],
  ])
  const long = await send('POST', base, { ...form, 'X-Long': 'x'.repeat(20_000) })
  expect(JSON.parse(long.text)).toMatchObject({ error: 'headers_too_large' })
  await close()
})
