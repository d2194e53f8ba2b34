import { once } from 'node:events'
import { connect as connectTo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect } from '../../src/index.ts'
import { askAt, type Sent } from '../support/ask-at.ts'
import { runProgram } from '../support/process.ts'
import { openReceiver, SECRET } from '../support/receiver.ts'
import { hasNginx, openTeamServer, type TeamServer } from '../support/team-server.ts'
import { played } from '../support/transcript.ts'

const MIB = 1024 * 1024

describe.runIf(hasNginx())('a call through nginx', () => {
  let server: TeamServer

  beforeAll(async () => {
    server = await openTeamServer()
  })

  afterAll(() => server?.close())

  const ask = (method: string, path: string, sent?: Sent) => askAt(server.url, method, path, sent)

  it('prints what the guide says, for every command in it', async () => {
    const { printed, promised } = await played('docs/guides/many-users.md', server.url)
    expect(printed).toHaveLength(5)
    expect(printed).toEqual(promised)
  })

  it('makes a sandbox under an id of its own, which finds its process from then on', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, () => ask('POST', '/sandboxes', { body: { fixture: 'empty' } })),
    )
    const sandboxes = made.map(({ text }) => JSON.parse(text))
    for (const [at, { sandbox_id: id, api_key: key }] of sandboxes.entries()) {
      expect(made[at]).toMatchObject({ status: 201 })
      expect(id).toMatch(/^sbx-[0-9a-f]{32}$/)
      expect(made[at]?.headers.get('location')).toBe(`/sandboxes/${id}`)
      expect(await ask('GET', '/sandbox', { key })).toMatchObject({ status: 200, sandbox: id })
    }
    expect(new Set(sandboxes.map(({ sandbox_id: id }) => id)).size).toBe(12)
  })

  it('refuses a list of all sandboxes, and says what to ask instead', async () => {
    const { status, headers, text } = await ask('GET', '/sandboxes?limit=5')
    expect(headers.get('content-type')).toBe('application/problem+json')
    const problem = JSON.parse(text)
    expect(problem).toMatchObject({ status, code: 'not_implemented' })
    expect(status).toBe(501)
    expect(problem.detail).toContain('GET /sandboxes/{sandbox_id}')
  })

  it('leaves other refusals to a process', async () => {
    const refused = await ask('DELETE', '/sandboxes')
    expect(refused.status).toBe(405)
    expect(refused.headers.get('allow')).toContain('POST')
    const unknown = await ask('POST', '/sandboxes?fixture=empty')
    expect(JSON.parse(unknown.text)).toMatchObject({ status: 400, code: 'invalid_request' })
  })

  it('places alice--1 to alice--9 as alice, so that they can be forks of it', async () => {
    await ask('PUT', '/sandboxes/alice')
    const customer = { customer_id: 'cus_of_alice' }
    await ask('POST', '/sandbox/customers', { of: 'alice', body: customer })
    for (let at = 1; at <= 9; at += 1) {
      const body = { from: { sandbox: 'alice' } }
      const forked = await ask('PUT', `/sandboxes/alice--${at}`, { body })
      expect(forked).toMatchObject({ status: 201 })
      const found = await ask('GET', '/sandbox/customers/cus_of_alice', { of: `alice--${at}` })
      expect(found).toMatchObject({ status: 200, sandbox: `alice--${at}` })
    }
  })

  it('makes forks of the library beside their source', async () => {
    await ask('PUT', '/sandboxes/forked')
    let source = await connect(server.url, { sandbox: 'forked' })
    for (let at = 1; at <= 6; at += 1) {
      // A fork of a fork is beside them.
      source = await source.fork()
      expect(source.id).toMatch(/^forked--[0-9a-f]{12}$/)
    }
  })

  it('places examples-a--b as examples-a, so that it can be a fork of it', async () => {
    await ask('PUT', '/sandboxes/examples-a')
    const forked = await ask('PUT', '/sandboxes/examples-a--b', {
      body: { from: { sandbox: 'examples-a' } },
    })
    expect(forked.status).toBe(201)
  })

  it('opens /docs at the process that has the sandboxes of its examples', async () => {
    expect(await ask('POST', '/docs/examples')).toMatchObject({ status: 204 })
    for (const id of ['examples', 'examples-fork', 'examples-empty']) {
      const answer = await ask('GET', '/sandbox', { key: `sk_sandbox_${id}` })
      expect(answer).toMatchObject({ status: 200, sandbox: id })
    }
  })

  it('shows the dashboard of a sandbox at the process that has it', async () => {
    await ask('PUT', '/sandboxes/shown')
    for (const place of ['', 'clock', 'sandboxes']) {
      const page = await fetch(`${server.url}/dashboard/shown/${place}`)
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('/dashboard/shown/clock/advance')
    }
  })

  it('streams events as they happen', async () => {
    await ask('PUT', '/sandboxes/streaming')
    const stopping = new AbortController()
    const stream = await fetch(`${server.url}/sandbox/events/stream`, {
      headers: { 'Sandbox-Id': 'streaming' },
      signal: stopping.signal,
    })
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader()
    const key = 'sk_sandbox_streaming'
    const seen: string[] = []
    for (const customer of ['cus_ada', 'cus_linus']) {
      const body = { customer_id: customer, plan: 'basic', trial_period_days: 14 }
      await ask('POST', '/v1/subscriptions', { key, body })
      const { value } = await reader.read()
      seen.push(new TextDecoder().decode(value))
    }
    stopping.abort()
    for (const text of seen) expect(text).toContain('event: subscription.created')
  })

  it('takes a state of 44 MB, and gives it back', async () => {
    await ask('PUT', '/sandboxes/large')
    const { text } = await ask('GET', '/sandbox/state', { of: 'large' })
    const state = JSON.parse(text)
    const [ada] = state.customers
    const more = Array.from({ length: 140_000 }, (_, at) => ({
      ...ada,
      customer_id: `cus_${at}`,
      name: `Customer ${at} `.repeat(20).slice(0, 199).trim(),
    }))
    const customers = [...state.customers, ...more]
    const document = JSON.stringify({ ...state, customers })
    expect(document.length).toBeGreaterThan(44_000_000)
    const put = await ask('PUT', '/sandbox/state', { of: 'large', body: document })
    expect(put).toMatchObject({ status: 200, sandbox: 'large' })
    const again = await ask('GET', '/sandbox/state', { of: 'large' })
    expect(JSON.parse(again.text).customers).toHaveLength(customers.length)
  })

  it('lets the process refuse a body that is too large', async () => {
    const body = { customer_id: 'cus_x', name: 'x'.repeat(3 * MIB) }
    const refused = await ask('POST', '/sandbox/customers', { body })
    expect(JSON.parse(refused.text)).toMatchObject({ status: 413 })
  })

  it('registers webhooks, which the process of the sandbox delivers itself', async () => {
    const receiver = await openReceiver()
    await ask('PUT', '/sandboxes/hooked')
    const webhook = { url: receiver.url, secret: SECRET }
    expect(await ask('POST', '/sandbox/webhooks', { of: 'hooked', body: webhook })).toMatchObject({
      status: 201,
    })
    const body = { customer_id: 'cus_ada', plan: 'basic' }
    await ask('POST', '/v1/subscriptions', { key: 'sk_sandbox_hooked', body })
    await receiver.until(1)
    expect(receiver.heard[0]).toMatchObject({ sandboxId: 'hooked', type: 'subscription.created' })
  })

  it('has the names that others may use refused by the process, not by nginx', async () => {
    const { hostname, port } = new URL(server.url)
    const { request } = await import('node:http')
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: 'elsewhere.example' }
      request({ hostname, port, path: '/sandbox', headers }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(400)
  })

  it('is noted without a secret', async () => {
    const secret = 'a-secret-in-the-query'
    await ask('GET', `/sandbox/customers?after=${secret}`, { key: 'sk_sandbox_default_secretkey' })
    const log = JSON.stringify(await server.noted())
    expect(log).toContain('/sandbox/customers')
    expect(log).not.toContain(secret)
    expect(log).not.toContain('secretkey')
    expect(log).not.toContain('sk_sandbox')
  })
  it('is refused with 502 also where the machine of its process does not answer', async () => {
    const port = Number(new URL(server.processes[0]?.url ?? '').port)
    await server.kill(0)
    const silent = await listenSilently(port)
    const ids = Array.from({ length: 60 }, (_, at) => `unreachable-${at}`)
    const answers = await Promise.all(ids.map((of) => ask('GET', '/sandbox/clock', { of })))
    silent.close()
    const refused = answers.filter(({ status }) => status >= 500)
    expect(refused).not.toEqual([])
    for (const { status, headers, text } of refused) {
      expect(JSON.parse(text)).toMatchObject({ status: 502, code: 'process_unavailable' })
      expect(status).toBe(502)
      expect(headers.get('retry-after')).toBe('1')
    }
  })
})

/** Listens at a port and takes no connection, as a machine does not that is gone: nginx waits in vain. */
async function listenSilently(port: number): Promise<{ close: () => void }> {
  const listening = `require('net').createServer().listen(${port}, '127.0.0.1', 1, () => console.log('ready'))`
  const { child, output } = runProgram([process.execPath, '-e', listening])
  await vi.waitUntil(() => output() !== '')
  child.kill('SIGSTOP')
  // The system itself takes connections until as many wait as are allowed.
  const waiting = Array.from({ length: 4 }, () => connectTo(port, '127.0.0.1'))
  for (const socket of waiting) socket.on('error', () => undefined)
  await Promise.all(waiting.slice(0, 2).map((socket) => once(socket, 'connect')))
  return {
    close: () => {
      child.kill('SIGKILL')
      for (const socket of waiting) socket.destroy()
    },
  }
}
