import { expect, it } from 'vitest'
import { run } from '../../support/command-line.ts'
import { create, creates, lineOf, pactText } from '../../support/pacts.ts'
import { serveHttp, serveRaw } from '../../support/providers.ts'
import { verify, verifyScene } from '../../support/verify.ts'

const fixtures = 'test/fixtures/pacts'
const json = { 'Content-Type': 'application/json' }
const hook = `--import=${new URL('../../support/native-code.mjs', import.meta.url)}`
const scene = verifyScene()
const { write } = scene

it('verifies what the tools of five languages wrote, with their states', async () => {
  const { code, report } = await verify([fixtures, '--url', `${scene.url()}/`])
  const failed = report.pacts.flatMap(({ interactions }) => {
    return interactions.filter(({ result }) => result === 'failed')
  })
  expect(failed).toEqual([])
  expect(code).toBe(0)
  expect(report).toMatchObject({
    result: 'passed',
    totals: { pacts: 5, interactions: 9, passed: 8, failed: 0, pending: 1 },
    provider: { url: scene.url(), states: `${scene.url()}/sandbox/provider-states` },
    notes: [],
  })
})

it('starts a sandbox of its own, a fresh one for each file', async () => {
  const body = { subscription_id: 'sub_000001' }
  const text = pactText([creates('the first', { status: 200, headers: json, body })])
  const paths = [await write(text, 'a.json'), await write(text, 'b.json')]
  // A filter of the core's own would have it verify nothing, and call that a success.
  const { code, report } = await verify(paths, { PACT_DESCRIPTION: 'of no interaction' })
  expect(report.pacts.map(({ result }) => result)).toEqual(['passed', 'passed'])
  expect(code).toBe(0)
  expect(report.provider).toEqual({ url: null, states: '/sandbox/provider-states' })
})

it('needs no control token for a sandbox of its own', async () => {
  const path = await write(pactText([creates('the first', { status: 200 })]))
  const { code } = await verify([path], { SANDBOX_CONTROL_TOKEN: '' })
  expect(code).toBe(0)
})

it('has the fixture of the working folder, which a state may name', async () => {
  const plan = { plan_id: 'pro', product_id: 'app', name: 'Pro', amount: 100, currency: 'USD' }
  const fixture = {
    now: '2027-01-01',
    products: [{ product_id: 'app', name: 'App' }],
    plans: [{ ...plan, interval: 'month' }],
    customers: [{ customer_id: 'cus_mine' }],
  }
  await write(JSON.stringify(fixture), 'sandbox.fixture.json')
  const request = { ...create, body: 'customer_id=cus_mine&plan=pro' }
  const own = { request, providerStates: [{ name: 'the fixture sandbox is loaded' }] }
  const path = await write(
    pactText([
      creates('of the fixture', { status: 200 }, own),
      creates('of the starter', { status: 404 }, { request }),
    ]),
  )
  const { ended, output } = run(['verify', path], {}, scene.folder())
  expect([await ended, output()]).toEqual([0, expect.stringContaining('2 passed')])
})

it('names the planted break, its line, what was expected and what was answered', async () => {
  const text = pactText([
    creates('fits', { status: 200, headers: json, body: { status: 'active' } }),
    creates('breaks the status', { status: 404 }),
    creates('breaks a field', { status: 200, headers: json, body: { colour: 'red' } }),
    creates('breaks a type', { status: 200, headers: json, body: { discounts: 'none' } }),
    creates('breaks a header', { status: 200, headers: { ...json, 'Request-Id': 'mine' } }),
  ])
  const path = await write(text)
  const { code, report } = await verify([path, '--url', scene.url(), '--states', 'none'])
  expect(code).toBe(1)
  expect(report.notes).toEqual([])
  const interactions = report.pacts[0]?.interactions ?? []
  const told = interactions.map(({ result, mismatches: [first] }) => {
    return [result, first?.kind, first?.at, first?.expected, first?.got]
  })
  expect(told).toEqual([
    ['passed', undefined, undefined, undefined, undefined],
    ['failed', 'status', '', '404', '200'],
    ['failed', 'body', '$', '["colour"]', expect.stringContaining('"subscription_id"')],
    ['failed', 'body', '$.discounts', '"none"', '[]'],
    ['failed', 'header', 'Request-Id', 'mine', expect.stringContaining('req_')],
  ])
  expect(interactions[2]?.mismatches[0]?.message).toContain('colour')
  const name = 'breaks the status'
  expect(interactions[1]).toMatchObject({
    description: name,
    line: lineOf(text, `"${name}"`) - 1,
    operation: { name: 'POST /v1/subscriptions' },
    curl: `curl -i -X POST '${scene.url()}/v1/subscriptions' -H 'Authorization: Bearer sk_sandbox_default' -H 'Content-Type: application/x-www-form-urlencoded' --data-raw 'customer_id=cus_ada&plan=pro'`,
  })
  // What the comparison finds is told beside it.
  expect(interactions[2]?.findings[0]?.message).toContain('has no field "colour"')
})

it('prints its progress', async () => {
  const path = await write(pactText([creates('breaks', { status: 404 })]))
  const verifying = run(['verify', path, '--url', scene.url(), '--states', 'none'])
  expect(await verifying.ended).toBe(1)
  expect(verifying.output()).toContain('status: expected 404 but was 200')
  expect(verifying.errors()).toBe(`verifying 1/1: ${path}\n`)
})

it('says what setting up a state was answered', async () => {
  const known = 'the fixture starter is loaded'
  const states = (name: string) => ({ providerStates: [{ name: known }, { name }] })
  const text = pactText([
    creates('unknown', { status: 200 }, states('the moon is full')),
    creates('fits', { status: 200 }, states('the sandbox is empty')),
    creates('fits', { status: 200 }, states(known)),
  ])
  const { code, report } = await verify([await write(text)])
  expect(code).toBe(1)
  const interactions = report.pacts[0]?.interactions ?? []
  const told = interactions.map(({ result, states }) => {
    return [result, ...states.map(({ answers }) => answers.map(({ status }) => status))]
  })
  expect(told).toEqual([
    ['failed', [200], [404]],
    ['failed', [200], [200]],
    ['passed', [200], [200]],
  ])
  expect(interactions[0]?.mismatches).toMatchObject([{ kind: 'setup' }])
  expect(interactions[0]?.states[1]?.answers[0]?.body).toContain(
    String.raw`state \"the moon is full\" is not in the catalogue`,
  )
})

it('says how often a state was tried that could not be set up', async () => {
  const ill = await serveHttp((_, outgoing) => outgoing.writeHead(503).end('come back later'))
  const path = await write(pactText([creates('one', { status: 200 })]))
  const { code, report } = await verify([path, '--url', scene.url(), '--states', ill.url])
  expect(code).toBe(1)
  const answer = { status: 503, body: 'come back later' }
  expect(report.pacts[0]?.interactions[0]?.states).toEqual([
    { name: '', params: {}, answers: [answer, answer, answer] },
  ])
  ill.close()
})

it('sends a form byte for byte, past any proxy', async () => {
  const body = "plan=a+b%20c&x=%C3%A9&empty=&y&plan=%26%3D%25&z=~*'()"
  const answer = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
  const raw = await serveRaw(answer)
  const dead = 'http://127.0.0.1:9'
  const proxies = {
    HTTP_PROXY: dead,
    HTTPS_PROXY: dead,
    ALL_PROXY: dead,
    http_proxy: dead,
    NO_PROXY: '',
  }
  const text = pactText([creates('a form', { status: 400 }, { request: { ...create, body } })])
  const { code } = await verify([await write(text), '--url', raw.url], proxies)
  expect(code).toBe(0)
  const request = raw.received().slice(raw.received().indexOf('POST '))
  expect(request).toMatch(/^POST \/v1\/subscriptions HTTP\/1\.1\r\n/)
  expect(request.toLowerCase()).toContain('content-type: application/x-www-form-urlencoded\r\n')
  expect(request.toLowerCase()).toContain(`content-length: ${body.length}\r\n`)
  expect(request.split('\r\n\r\n')[1]).toBe(body)
  raw.close()
})

it('says that a provider sets up no states, unless --states none says so', async () => {
  const answer = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
  const raw = await serveRaw(answer)
  const path = await write(pactText([creates('refused', { status: 400 })]))
  const unasked = await verify([path, '--url', raw.url])
  expect(unasked.report.notes).toEqual([
    `${raw.url} sets up no provider states, so every interaction meets it as it is; --states URL, or against.states in a test, names who does.`,
  ])
  raw.close()
})

it.each([
  [['verify'], 2, 'PACT is missing'],
  [['verify', fixtures, '--url', 'localhost:4010'], 2, '--url must be an address'],
  [['verify', fixtures, '--states', 'some'], 2, '--states must be an address'],
  [['verify', fixtures, '--timeout', 'long'], 2, '--timeout must be a number'],
  [
    ['verify', fixtures, '--diff-states', 'none'],
    2,
    '--diff-states is for the provider that --diff',
  ],
  [['verify', fixtures, '--url', 'http://127.0.0.1:9'], 3, 'http://127.0.0.1:9 cannot be reached'],
  [
    ['verify', fixtures, '--url', 'http://localhost:51999'],
    3,
    'http://localhost:51999 cannot be reached: fetch failed (connection refused).',
  ],
  [['verify', fixtures, '--diff', 'http://127.0.0.1:9'], 3, 'http://127.0.0.1:9 cannot be reached'],
])('%j ends with %i and says why', async (args, code, words) => {
  const refused = run(args)
  expect(await refused.ended).toBe(code)
  expect(refused.errors()).toContain(words)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
})

it('ends with 2 on a pact that holds nothing', async () => {
  const { code, report } = await verify([await write(pactText([]))])
  expect(code).toBe(2)
  expect(report.result).toBe('empty')
})

it('ends with 1 on what it cannot read or replay, and verifies the rest', async () => {
  const message = { type: 'Asynchronous/Messages', description: 'an event', contents: {} }
  const messages = [{ description: 'an older event', contents: {} }]
  const matchingRules = { body: { '$.status': { matchers: [{ match: 'hunch' }] } } }
  const { code, report } = await verify([
    await write('{', 'broken.json'),
    await write(pactText([creates('odd', { status: 200, matchingRules })]), 'odd.json'),
    await write(pactText([message, creates('fits', { status: 200 })], { messages })),
  ])
  expect(code).toBe(1)
  const [broken, odd, mixed] = report.pacts
  expect(broken?.result).toBe('unreadable')
  expect(odd?.problems[0]?.message).toMatch(/The Pact core cannot read it: .*hunch/)
  const told = mixed?.interactions.map(({ description, result }) => `${description}: ${result}`)
  expect(told?.sort()).toEqual(['an event: failed', 'an older event: failed', 'fits: passed'])
})

it.each([
  ['of this run', () => []],
  ['of a server', () => ['--url', scene.url()]],
])('starts the next interaction clean after a refused state in a sandbox %s', async (_, more) => {
  const states = (...names: string[]) => ({ providerStates: names.map((name) => ({ name })) })
  const paid = { status: 200, headers: json, body: { status: 'active' } }
  const plan = { plan_id: 'basic', amount: 7777, currency: 'USD', interval: 'month' }
  const refused = {
    providerStates: [
      { name: 'a plan exists', params: plan },
      { name: 'a coupon is exhausted', params: { coupon_id: 'LAST1' } },
      { name: 'a subscription exists', params: { plan: 'basic', coupon_id: 'LAST1' } },
    ],
  }
  const pacts = [
    creates('a typing error', paid, states('the moon is full', 'the next payment fails')),
    creates('is paid', paid, states('a customer exists')),
    creates('another', paid, states('the moon is full')),
    creates('cannot be', paid, refused),
  ]
  const { report } = await verify([await write(pactText(pacts)), ...more()])
  const interactions = report.pacts[0]?.interactions ?? []
  expect(interactions.map(({ description, result }) => `${description}: ${result}`).sort()).toEqual(
    ['a typing error: failed', 'another: failed', 'cannot be: failed', 'is paid: passed'],
  )
})

it('ends with 3 when the address of states cannot be reached', async () => {
  const path = await write(pactText([creates('one', { status: 200 })]))
  const verifying = run(['verify', path, '--states', 'http://127.0.0.1:9/states'])
  expect(await verifying.ended).toBe(3)
  expect(verifying.errors()).toContain('http://127.0.0.1:9 cannot be reached')
})

it('waits for an answer as long as --timeout says', async () => {
  const silent = await serveRaw(null)
  const path = await write(pactText([creates('one', { status: 200 })]))
  const { code, report } = await verify([path, '--url', silent.url, '--timeout', '0.2'])
  expect(code).toBe(1)
  expect(report.pacts[0]?.interactions[0]?.mismatches).toMatchObject([{ kind: 'request' }])
  silent.close()
})

it.each([
  ['refused', `its native part for ${process.platform}-${process.arch} is not there`],
  ['fatal', 'The Pact core ended without a result'],
])('ends with 3 when the core cannot be loaded: %s', async (NATIVE_CODE, words) => {
  const path = await write(pactText([creates('one', { status: 200 })]))
  const verifying = run(['verify', path], { NODE_OPTIONS: hook, NATIVE_CODE })
  expect(await verifying.ended).toBe(3)
  expect(verifying.errors()).toContain(words)
  expect(verifying.output()).toContain(`UNVERIFIED  ${path}:1:1 The Pact core`)
})

it('sends the headers of --header in place of those of the pact, and does not repeat their values', async () => {
  const received: object[] = []
  const service = await serveHttp(({ headers }, outgoing) => {
    received.push(headers)
    outgoing.writeHead(204).end()
  })
  const request = { ...create, headers: { 'x-team': 'of the pact' } }
  const path = await write(pactText([creates('one', { status: 205 }, { request })]))
  const { interactions } = await verify([path, '--url', service.url, '--header', 'X-Team: secret'])
  service.close()
  // What is compressed could not be shown.
  const own = { host: new URL(service.url).host, 'accept-encoding': 'identity' }
  expect(received.at(-1)).toMatchObject({ ...own, 'x-team': 'secret' })
  expect(JSON.stringify(interactions)).not.toContain('secret')
  expect(interactions[0]?.script).toContain('-H "X-Team: $X_TEAM"')
})
