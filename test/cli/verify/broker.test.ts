import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Report } from '../../../src/contracts/common/report-shape.ts'
import { BROKER } from '../../support/broker.ts'
import { run } from '../../support/command-line.ts'
import { servePactBroker } from '../../support/pact-broker.ts'
import { creates, pactText } from '../../support/pacts.ts'
import { serveHttp } from '../../support/providers.ts'
import { verify, verifyScene } from '../../support/verify.ts'

const TOKEN = 'a-token-of-a-broker'
const fits = pactText([creates('fits', { status: 200 })])
const breaks = pactText([creates('fits', { status: 200 }), creates('breaks', { status: 404 })])
const version = ['--provider-version', '7c1', '--provider-branch', 'main']
const scene = verifyScene()

async function brokerOf(...[pacts, options]: Parameters<typeof servePactBroker>) {
  const broker = await servePactBroker(pacts, options)
  onTestFinished(broker.close)
  return broker
}

it('fails for no pending pact, publishes what the core decided, and shows no token', async () => {
  const broker = await brokerOf(
    [
      { consumer: 'web', branch: 'main', text: breaks },
      { consumer: 'till', branch: 'main', text: fits, verifiedBy: ['main'] },
      { consumer: 'app', branch: 'search', text: breaks, on: '2026-11-20' },
      { consumer: 'old', branch: 'search', text: breaks, on: '2026-10-20' },
    ],
    { authorization: `Bearer ${TOKEN}` },
  )
  const wip = ['--enable-pending', '--include-wip-since', '2026-11-01', '--publish', ...version]
  const asked = ['verify', '--selector', 'mainBranch', '--mutate', ...wip]
  const verifying = run(
    [...asked, '--reporter', 'json=report.json', '--reporter', 'pretty'],
    {
      PACT_BROKER_BASE_URL: broker.url,
      PACT_BROKER_TOKEN: TOKEN,
    },
    scene.folder(),
  )
  expect(await verifying.ended).toBe(0)
  expect(broker.queries).toEqual([
    {
      consumerVersionSelectors: [{ mainBranch: true }],
      includePendingStatus: true,
      includeWipPactsSince: '2026-11-01',
      providerVersionBranch: 'main',
    },
  ])
  const branch = ['PUT', '/pacticipants/subscription-service/branches/main/versions/7c1', undefined]
  const result = (consumer: string, at: number, success: boolean) => [
    'POST',
    `/pacts/provider/subscription-service/consumer/${consumer}/pact-version/${at}/metadata/c3Q/verification-results`,
    success,
  ]
  expect(broker.sent.map(({ method, path, body }) => [method, path, body['success']])).toEqual([
    ...[branch, result('web', 0, false)],
    ...[branch, result('till', 1, true)],
    ...[branch, result('app', 2, false)],
  ])
  expect(broker.sent[1]?.body).toMatchObject({
    providerApplicationVersion: '7c1',
    testResults: [
      { interactionId: 'interaction-0', success: true },
      { interactionId: 'interaction-1', success: false, mismatches: [{ attribute: 'status' }] },
    ],
    verifiedBy: { implementation: 'Pact-Rust' },
  })
  const printed = verifying.output()
  expect(printed).toContain('status: expected 404 but was 200')
  expect(printed).toContain('5 interactions of 3 pacts verified: 3 passed, 0 failed, 2 pending')
  expect(printed.replaceAll(/\s+/g, ' ')).toContain(
    "is being verified because it is a 'work in progress' pact",
  )
  const written = await readFile(join(scene.folder(), 'report.json'), 'utf8')
  const report = Report.parse(JSON.parse(written))
  expect(report.pacts.map(({ broker }) => [broker?.pending, broker?.published])).toEqual([
    [true, true],
    [false, true],
    [true, true],
  ])
  expect(report.pacts[0]?.broker?.notices.at(-1)).toBe(
    'This pact is still in pending state, published.',
  )
  expect(
    report.strength?.map(({ interactions }) =>
      interactions.map(({ strength }) => strength === null),
    ),
  ).toEqual([[false, true], [false], [false, true]])
  for (const text of [printed, verifying.errors(), JSON.stringify(report)]) {
    expect(text).not.toContain(TOKEN)
  }
})

it('fails for a pact that is not pending, and publishes nothing unasked', async () => {
  const basic = `Basic ${Buffer.from('ada:hunter2').toString('base64')}`
  const broker = await brokerOf(
    [{ consumer: 'web', branch: 'main', text: breaks, isDeployed: true }],
    { authorization: basic },
  )
  const who = { PACT_BROKER_USERNAME: 'ada', PACT_BROKER_PASSWORD: 'hunter2' }
  const selectors = [
    '--selector',
    '{"deployedOrReleased":true}',
    '--selector',
    'branch=main,consumer=web',
  ]
  const { code, report } = await verify(['--broker-url', broker.url, ...selectors], who)
  expect(code).toBe(1)
  expect(broker.sent).toEqual([])
  expect(broker.queries).toEqual([
    {
      consumerVersionSelectors: [{ deployedOrReleased: true }, { branch: 'main', consumer: 'web' }],
      includePendingStatus: false,
    },
  ])
  expect(report.pacts[0]).toMatchObject({
    consumer: 'web',
    broker: { pending: false, published: false },
  })
})

it('publishes no result that is more lenient than the report', async () => {
  const broker = await brokerOf([{ consumer: 'web', branch: 'main', text: fits }])
  const asked = ['--broker-url', broker.url, '--selector', 'mainBranch', '--publish', ...version]
  const { code, report } = await verify([...asked, '--strict-documented'])
  expect(code).toBe(1)
  expect(broker.sent).toEqual([])
  expect(report.notes).toEqual([
    `The result of ${report.pacts[0]?.source} is not published: the Pact core passed what the report does not.`,
  ])
})

it('publishes nothing of what it cannot verify or read', async () => {
  const messages = [{ description: 'an event', contents: {} }]
  const matchingRules = { body: { '$.a': { matchers: [{ match: 'nonsense' }] } } }
  const odd = creates('odd', { status: 200, body: { a: 1 }, matchingRules })
  const broker = await brokerOf([
    {
      consumer: 'news',
      branch: 'main',
      text: pactText([creates('fits', { status: 200 })], { messages }),
    },
    { consumer: 'odd', branch: 'main', text: pactText([odd]) },
  ])
  const asked = ['--broker-url', broker.url, '--selector', 'mainBranch', '--enable-pending']
  const { code, report, interactions } = await verify([...asked, '--publish', ...version])
  // The core fails a pending pact, too, that it cannot read.
  expect([code, report.pacts.map(({ result }) => result)]).toEqual([1, ['passed', 'unreadable']])
  expect(interactions.map(({ description, result }) => [description, result])).toEqual([
    ['fits', 'passed'],
    ['an event', 'pending'],
  ])
  expect(report.pacts[1]?.problems[0]?.message).toMatch(
    /^The Pact core cannot read it: Could not parse matcher JSON/,
  )
  // What the broker says after a verification is not meant for one that was not made.
  expect(report.pacts[1]?.broker?.notices).toEqual([
    expect.stringContaining('is being verified because'),
    expect.stringMatching(/^This pact is in pending state/),
  ])
  expect(broker.sent).toEqual([])
})

it('ends with 3 where the broker does not take a result', async () => {
  const broker = await brokerOf([{ consumer: 'web', branch: 'main', text: fits }], {
    refusesResults: 422,
  })
  const asked = ['--broker-url', broker.url, '--selector', 'latest', '--publish']
  const { code, report } = await verify([...asked, '--provider-version', '7c1'])
  expect(code).toBe(3)
  expect(report.result).toBe('passed')
  expect(report.notes[0]).toMatch(
    /^The result of .* is not published: POST .*\/verification-results was answered 422: \{"errors"/,
  )
  expect(report.pacts[0]?.broker?.published).toBe(false)
})

it('says that there is no pact', async () => {
  const broker = await brokerOf([{ consumer: 'web', branch: 'main', text: fits }])
  const asked = ['--broker-url', broker.url, '--selector', 'branch=elsewhere']
  const { code, report } = await verify(asked)
  expect(code).toBe(2)
  expect(report).toMatchObject({ result: 'empty', pacts: [] })
  expect(report.notes).toEqual([
    'The broker has no pacts of "subscription-service" that the selectors mean.',
  ])
  const unknown = await verify([...asked, '--provider', 'nobody'])
  expect([unknown.code, unknown.report.result]).toEqual([2, 'empty'])
})

it('goes through a proxy, but not to this machine', async () => {
  const broker = await brokerOf([{ consumer: 'web', branch: 'main', text: fits }])
  const asked: string[] = []
  const proxy = await serveHttp((_, outgoing) => outgoing.writeHead(500).end())
  onTestFinished(proxy.close)
  proxy.server.on('connect', async ({ url = '', headers }, client) => {
    asked.push(`${url} ${headers['proxy-authorization']}`)
    const { port, hostname } = new URL(broker.url)
    const through = connect(Number(port), hostname)
    await once(through, 'connect')
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    client.pipe(through).pipe(client)
  })
  const environment = { HTTP_PROXY: proxy.url.replace('//', '//ada:hunter2@'), NO_PROXY: '' }
  const selector = ['--selector', 'branch=elsewhere']
  const { code } = await verify(['--broker-url', 'http://broker.test', ...selector], environment)
  expect(code).toBe(2)
  const basic = `Basic ${Buffer.from('ada:hunter2').toString('base64')}`
  expect(asked).toEqual([`broker.test:80 ${basic}`, `broker.test:80 ${basic}`])
  const forVerification = '/pacts/provider/subscription-service/for-verification'
  expect(broker.asked).toEqual(['GET broker.test/', `POST broker.test${forVerification}`])
  const here = await verify(['--broker-url', broker.url, ...selector], environment)
  expect(here.code).toBe(2)
  expect(asked).toHaveLength(2)
})

it('takes pacts from the broker of a sandbox, and gives it the results', async () => {
  const url = `${scene.url()}${BROKER}`
  const contract = { consumerName: 'web', providerName: 'subscription-service' }
  const content = Buffer.from(fits).toString('base64')
  const typed = { specification: 'pact', contentType: 'application/json', content }
  const body = JSON.stringify({
    ...{ pacticipantName: 'web', pacticipantVersionNumber: '1.0', branch: 'main' },
    contracts: [{ ...contract, ...typed }],
  })
  const headers = { 'Content-Type': 'application/json' }
  const published = await fetch(`${url}/contracts/publish`, { method: 'POST', headers, body })
  expect(published.status).toBe(200)
  const asked = ['--broker-url', url, '--selector', 'branch=main']
  const { code, report } = await verify([...asked, '--publish', ...version])
  expect(report).toMatchObject({ result: 'passed', notes: [], totals: { pacts: 1, passed: 1 } })
  expect(code).toBe(0)
  expect(report.pacts[0]?.broker?.published).toBe(true)
})
