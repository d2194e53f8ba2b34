import { expect, it, vi } from 'vitest'
import { WireIssuedTokens } from '../../../src/wire/sandbox/token.ts'
import { run, type Served, serve, served } from '../../support/process.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }

function subscribe({ url }: Pick<Served, 'url'>, body: string): Promise<Response> {
  return fetch(`${url}/v1/subscriptions`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
  })
}

function entriesIn(text: string): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

it('logs each request as a line of JSON where it is no terminal, and a misspelled variable', async () => {
  const args = ['serve', '--port', '0', '--data', 'memory']
  const sandbox = await served(run(args, { SANDBOX_PROT: '9' }))
  await subscribe(sandbox, 'customer_id=cus_ada&plan=pro')
  await subscribe(sandbox, 'customer_id=cus_ada&plan=prox')
  await fetch(`${sandbox.url}/health/live`)
  expect(await sandbox.stop()).toBe(0)
  const request = { method: 'POST', path: '/v1/subscriptions', sandbox: 'default', level: 'info' }
  const message = expect.stringContaining('did you mean "pro"?')
  expect(entriesIn(sandbox.errors())).toMatchObject([
    { level: 'warn', msg: 'SANDBOX_PROT is not read; did you mean SANDBOX_PORT?' },
    { ...request, request_id: 'req_000001', status: 200, ms: expect.any(Number) },
    { ...request, request_id: 'req_000002', status: 404, refusal: 'not_found', message },
  ])
  expect(sandbox.errors()).not.toContain('customer_id')
})

it('logs no request with --quiet, and bodies without their secrets with --verbose', async () => {
  const quiet = await serve('--data', 'memory', '--quiet')
  await subscribe(quiet, 'customer_id=cus_ada&plan=pro')
  await quiet.stop()
  expect(quiet.errors()).toBe('')
  const verbose = await serve('--data', 'memory', '--verbose')
  await subscribe(verbose, 'customer_id=cus_ada&plan=pro')
  const login = await fetch(`${verbose.url}/sandbox/tokens?x=sk_live_of_somebody`, {
    method: 'POST',
  })
  const refused = login.status
  const again = await fetch(`${verbose.url}/sandbox/tokens`, { method: 'POST' })
  const tokens = WireIssuedTokens.parse(await again.json())
  await verbose.stop()
  expect(refused).toBe(400)
  const [created, , issued] = entriesIn(verbose.errors())
  expect(created).toMatchObject({ request: 'customer_id=cus_ada&plan=pro' })
  expect(created?.['answer']).toContain('"plan":"pro"')
  expect(issued?.['answer']).toContain('"access_token":"[masked]"')
  for (const secret of [tokens.access_token, tokens.refresh_token, 'sk_live_of']) {
    expect(verbose.errors()).not.toContain(secret)
  }
})

it('serves on, and stops in time, when nobody reads its lines', async () => {
  const sandbox = await serve('--data', 'memory', '--verbose')
  sandbox.child.stderr?.pause()
  const plan = 'x'.repeat(7000)
  for (let sent = 0; sent < 250; sent += 1) {
    expect((await subscribe(sandbox, `customer_id=cus_ada&plan=${plan}`)).status).toBe(400)
  }
  sandbox.child.kill('SIGTERM')
  await vi.waitUntil(() => sandbox.child.exitCode !== null)
  expect(sandbox.child.exitCode).toBe(0)
})

it('measures in a process that serves how long operations hold its event loop', async () => {
  const sandbox = await serve('--data', 'memory', '--quiet')
  const answer = await fetch(`${sandbox.url}/sandbox`)
  expect(await answer.json()).toMatchObject({ longest_holds: expect.any(Array) })
  await sandbox.stop()
})
