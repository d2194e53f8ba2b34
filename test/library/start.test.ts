import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { ConditionNotMet, connect, SandboxError, startSandbox } from '../../src/index.ts'

/** The methods as callers without types see them. */
type Method = (...args: unknown[]) => Promise<unknown>
interface Callable {
  readonly create: Method
  readonly fork: Method
  readonly clock: { readonly until: Method; readonly agenda: Method }
  readonly payments: { readonly fail: Method }
  readonly contracts: { readonly check: Method }
  readonly events: { readonly follow: (filter: unknown) => unknown }
  readonly subscriptions: {
    readonly cancel: Method
    readonly applyCoupon: Method
    readonly list: Method
  }
}

it('begins where it is told to, and stops with its scope', async () => {
  let url: string
  {
    await using sandbox = await startSandbox({
      now: new Date('2028-02-29T12:00:00Z'),
      fixture: 'empty',
      settings: { access_token_lifetime: 60 },
    })
    url = sandbox.url
    expect(await sandbox.clock.now()).toBe('2028-02-29T12:00:00.000Z')
    expect(await sandbox.plans.list()).toEqual([])
    expect((await sandbox.tokens.issue()).expires_in).toBe(60)
    expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  }
  await expect(fetch(`${url}/health/ready`)).rejects.toThrow()
})

it.each([
  [{ now: 'tomorrow' }, 'now must be'],
  [{ settings: { access_token_lifetime: -1 } }, 'access_token_lifetime'],
  [{ settings: 5 }, 'settings must be a text that is not empty, or an object of settings; got 5.'],
  ['starter', 'options must be an object; got "starter".'],
  [null, 'options must be an object; got null.'],
  [{ fixture: 'startre' }, 'did you mean "starter"?'],
  [{ port: 'abc' }, 'port must be an integer from 0 to 65535; got "abc".'],
  [{ data: '' }, 'data must be a text that is not empty'],
  [
    { allowedWebhookHosts: ['hooks.test', 'http://hooks.test'] },
    'allowedWebhookHosts[1] must be a host name or an IP address, without a port; got "http://hooks.test".',
  ],
  [{ fixtur: 'empty' }, 'fixtur is not a known field'],
])('says what is wrong with %o', async (options, message) => {
  const started = startSandbox(options as object)
  await expect(started).rejects.toThrow(message)
  await expect(started).rejects.toBeInstanceOf(SandboxError)
})

it.each([
  [['http://127.0.0.1:4010', 'mine'], 'options must be an object; got "mine".'],
  [
    ['http://127.0.0.1:4010', { control_token: 'a' }],
    'control_token is not a known field; fields: sandbox, controlToken, fetch.',
  ],
  [['http://127.0.0.1:4010', { controlToken: 5 }], 'controlToken must be visible ASCII'],
  [['http://127.0.0.1:4010', { fetch: 5 }], 'fetch must be a function; got 5.'],
  [
    ['http://127.0.0.1:4010/sandboxes/mine'],
    'url must be the address of the server; its sandbox is the option sandbox: mine.',
  ],
  [[], 'url is missing; it must be an address such as http://127.0.0.1:4010.'],
  ...['ä€', 'a\nb', ''].map((sandbox): [unknown[], string] => [
    ['http://127.0.0.1:4010', { sandbox }],
    `sandbox must be 1 to 63 of a-z, 0-9 and -, not beginning with -; got ${JSON.stringify(sandbox)}.`,
  ]),
  ...['?x', '#a'].map((end): [unknown[], string] => [
    [`http://127.0.0.1:4010/${end}`],
    `url must be an address without a user, a password, a query and a fragment; got "http://127.0.0.1:4010/${end}".`,
  ]),
])('says what is wrong with what connect is given: %j', async (given, message) => {
  await expect(connect(...(given as [string]))).rejects.toThrow(message)
})

it('names the port that is in use', async () => {
  await using sandbox = await startSandbox()
  const port = Number(new URL(sandbox.url).port)
  await expect(startSandbox({ port })).rejects.toMatchObject({
    message: `port ${port} is in use; choose another one, or 0 for a free one.`,
    fields: [{ field: 'port' }],
    cause: { code: 'EADDRINUSE' },
  })
})

it('refuses what a fork does not know', async () => {
  await using sandbox = await startSandbox()
  const order = { checkpont: 'before' }
  await expect(sandbox.fork(order as object)).rejects.toThrow('checkpont is not a known field')
  const from = { from: 'here' }
  await expect(sandbox.fork(from as object)).rejects.toThrow('from must be an object')
})

it.each<[string, (sandbox: Callable) => Promise<unknown>, string]>([
  ['create', (sandbox) => sandbox.create(null), 'order must be an object; got null.'],
  ['create', (sandbox) => sandbox.create(['a']), 'order must be an object; got a list.'],
  ['fork', (sandbox) => sandbox.fork(null), 'order must be an object; got null.'],
  ['fork', (sandbox) => sandbox.fork('copy'), 'order must be an object; got "copy".'],
  ['clock.until', (sandbox) => sandbox.clock.until(), 'until is missing; it must be an object.'],
  ['payments.fail', (sandbox) => sandbox.payments.fail(null), 'order must be an object; got null.'],
  [
    'subscriptions.cancel',
    ({ subscriptions }) => subscriptions.cancel('sub_000001', true),
    'body must be an object; got true.',
  ],
  [
    'subscriptions.applyCoupon',
    ({ subscriptions }) => subscriptions.applyCoupon('sub_000001', 'SAVE20'),
    'body must be an object; got "SAVE20".',
  ],
  [
    'subscriptions.list',
    ({ subscriptions }) => subscriptions.list(5),
    'query must be an object; got 5.',
  ],
  [
    'subscriptions.list',
    ({ subscriptions }) => subscriptions.list({ customer_id: { id: 'cus_ada' } }),
    'customer_id must be a text, a number, true, false, or a list of them; got {"id":"cus_ada"}.',
  ],
  [
    'clock.agenda',
    ({ clock }) => clock.agenda('sub_000001'),
    'query must be an object; got "sub_000001".',
  ],
  [
    'contracts.check',
    ({ contracts }) => contracts.check({}, { lives: true }),
    'lives is not a known field; did you mean live? Fields: live.',
  ],
  [
    'events.follow',
    async ({ events }) => events.follow('sub_000001'),
    'filter must be an object; got "sub_000001".',
  ],
])('says what is wrong with the argument of %s', async (_, call, message) => {
  await using sandbox = await startSandbox()
  const refused = await call(sandbox as unknown as Callable).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(SandboxError)
  const [field] = message.split(' ')
  const fields = [{ field, message }]
  expect(refused).toMatchObject({ message, status: 400, code: 'invalid_request', fields })
  expect(await sandbox.siblings()).toHaveLength(1)
})

it('is reached by its own fetch without a socket, and nothing else is', async () => {
  await using sandbox = await startSandbox()
  await using other = await startSandbox()
  const { fetch: socket } = globalThis
  const used: string[] = []
  globalThis.fetch = (input, init) => {
    used.push(new Request(input, init).url)
    return socket(input, init)
  }
  try {
    const headers = { Authorization: `Bearer ${sandbox.apiKey}` }
    const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
    const made = await sandbox.fetch('/v1/subscriptions', { method: 'POST', headers, body })
    expect(made.status).toBe(200)
    await sandbox.fetch(new URL('/sandbox', sandbox.url))
    await sandbox.fetch(`${other.url}/sandbox`)
  } finally {
    globalThis.fetch = socket
  }
  expect(used).toEqual([`${other.url}/sandbox`])
})

it('fails as a network does where a fault closes the connection', async () => {
  await using sandbox = await startSandbox()
  await sandbox.faults.create({ effect: { drop: true }, times: 1 })
  const order = { body: { customer_id: 'cus_ada', plan: 'pro' } }
  await expect(sandbox.v1.POST('/v1/subscriptions', order)).rejects.toThrow('fetch failed')
  expect((await sandbox.v1.POST('/v1/subscriptions', order)).response.status).toBe(200)
})

it.each([{ delay_ms: 60_000 }, { slow_ms: 60_000 }])(
  'gives up with its signal, as a call over a socket does: %j',
  async (effect) => {
    await using sandbox = await startSandbox()
    await sandbox.faults.create({ effect })
    const signal = AbortSignal.timeout(20)
    const order = { body: { customer_id: 'cus_ada', plan: 'pro' }, signal }
    await expect(sandbox.v1.POST('/v1/subscriptions', order)).rejects.toThrow('timeout')
  },
)

it('ends a stream with its signal, as a call over a socket does', async () => {
  await using sandbox = await startSandbox()
  const leaving = new AbortController()
  const stream = await sandbox.fetch('/sandbox/events/stream', { signal: leaving.signal })
  const text = stream.text()
  leaving.abort()
  await expect(text).rejects.toThrow('aborted')
})

it('refuses a date that is none, and an address that is no sandbox', async () => {
  const started = startSandbox({ now: new Date(Number.NaN) })
  await expect(started).rejects.toThrow('now must be')
  const page = async () => new Response('<html>')
  const connected = connect('http://127.0.0.1:1', { fetch: page })
  await expect(connected).rejects.toThrow('http://127.0.0.1:1 is no sandbox')
})

it('throws what the sandbox refuses, with its code and its fields', async () => {
  await using sandbox = await startSandbox()
  await expect(sandbox.plans.get('basc')).rejects.toMatchObject({
    name: 'SandboxError',
    status: 404,
    code: 'not_found',
    message: expect.stringContaining('did you mean "basic"?'),
  })
  await expect(sandbox.clock.advance('2 weeks')).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ field: 'by', message: expect.stringContaining('P14D') }],
  })
})

it('refuses a limit, with which a list would not have all records', async () => {
  await using sandbox = await startSandbox()
  const limited = (sandbox as unknown as Callable).subscriptions.list({ limit: 1 })
  await expect(limited).rejects.toThrow('limit is not a known field: a list of the library has')
})

it.each([0, 1.5, 1e9])('fails no payment %d times', async (times) => {
  await using sandbox = await startSandbox()
  const failing = sandbox.payments.fail({ times })
  await expect(failing).rejects.toThrow('times must be an integer from 1 to 1000')
  const paying = { reason: 'succeed' as 'card_declined' }
  await expect(sandbox.payments.fail(paying)).rejects.toThrow('reason must be why a payment fails')
})

it.each(['', '..', '\ud800', 10n])('calls no other path for the id "%s"', async (id) => {
  await using sandbox = await startSandbox()
  const refused = sandbox.plans.get(id as string)
  await expect(refused).rejects.toThrow('plan_id must be an id')
  await expect(refused).rejects.toBeInstanceOf(SandboxError)
})

it.each([
  'http://ada:hunter2@127.0.0.1:1',
  'http://ada:hunter2@127.0.0.1:port',
  'ada:hunter2@127.0.0.1',
  'ftp://127.0.0.1',
  '127.0.0.1:4010',
])('checks the address %s, and shows no password', async (url) => {
  const refused = await connect(url).catch((error: Error) => error)
  expect(refused).toBeInstanceOf(SandboxError)
  expect(refused).toMatchObject({ message: expect.stringContaining('url must be an address') })
  expect(inspect(refused)).not.toContain('hunter2')
})

it('shows no control token that cannot be sent', async () => {
  const controlToken = 'of-the-team\n'
  const refused = await connect('http://127.0.0.1:1', { controlToken }).catch((error) => error)
  expect(refused).toMatchObject({
    message: expect.stringContaining('controlToken must be visible'),
  })
  expect(inspect(refused)).not.toContain('of-the-team')
})

it('says where nobody answers', async () => {
  const connected = connect('http://127.0.0.1:1')
  await expect(connected).rejects.toThrow(
    'No sandbox answers at http://127.0.0.1:1 (bad port); start one: npx subscription-sandbox serve --port 1.',
  )
})

it('throws where a status is not reached, and says where the clock stopped', async () => {
  await using sandbox = await startSandbox()
  const { subscription_id } = await sandbox.subscriptions.create({
    customer_id: 'cus_ada',
    plan: 'pro',
  })
  const waited = sandbox.clock.until({ subscription_id, status: 'past_due', within: 'P40D' })
  await expect(waited).rejects.toBeInstanceOf(ConditionNotMet)
  await expect(waited).rejects.toThrow(
    /did not become past_due within P40D: it is active, and the clock stopped at \d[^ ]*Z\.$/,
  )
  const never = sandbox.clock.until({ subscription_id, status: 'past_due' })
  await expect(never).rejects.toThrow(/past_due within a year: it is active, .* at 2028-02-10T/)
})

it('leaves a sandbox that it only connected to, and deletes one that it made', async () => {
  await using server = await startSandbox()
  const made = await server.create({ id: 'mine' })
  const connected = await connect(` ${server.url}/ `, { sandbox: 'mine' })
  for (const each of [made, connected]) expect((await each.fetch('/health/ready')).status).toBe(200)
  await connected.close()
  expect((await made.describe()).sandbox_id).toBe('mine')
  await made.close()
  await made.close()
  await expect(connect(server.url, { sandbox: 'mine' })).rejects.toThrow('"mine" does not exist')
})
