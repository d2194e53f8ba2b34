/** What `verify` says where a Pact Broker cannot be asked, or not so. */
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../../support/command-line.ts'
import { servePactBroker } from '../../support/pact-broker.ts'
import { serveHttp } from '../../support/providers.ts'

const TOKEN = 'a-token-of-a-broker'
const version = ['--provider-version', '7c1', '--provider-branch', 'main']
const nowhere = ['--broker-url', 'http://127.0.0.1:9']

it.each([
  [
    ['--broker-url', 'broker'],
    '--broker-url must be an address such as http://127.0.0.1:4010; got "broker".',
  ],
  [
    ['--broker-url', 'http://ada:hunter2@127.0.0.1:9'],
    '--broker-url must be without a user and a password; they are not shown.',
  ],
  [['pact.json', ...nowhere], '--broker-url cannot be combined with a PACT; got "pact.json".'],
  [
    ['pact.json', '--publish'],
    '--publish is for the broker that --broker-url names, and there is none.',
  ],
  [
    [...nowhere, '--publish'],
    '--publish needs --provider-version, the version that the results are for.',
  ],
  [
    [...nowhere, '--publish', ...version, '--filter', 'one'],
    '--publish cannot be combined with --filter: a result is of a whole pact.',
  ],
  [[...nowhere, '--provider', '*'], '--provider must be one name, as the broker has it; got "*".'],
  [[...nowhere, '--selector', 'main'], 'got "main".'],
  [
    [...nowhere, '--selector', '[]'],
    '--selector must be a JSON object, or keys and values such as mainBranch or branch=main,consumer=web, of: mainBranch,',
  ],
  [[...nowhere, '--selector', 'branch'], 'got "branch".'],
  [
    [...nowhere, '--include-wip-since', 'May'],
    '--include-wip-since must be a date such as 2026-11-01; got "May".',
  ],
  [
    [...nowhere, '--include-wip-since', '2026-02-31'],
    '--include-wip-since must be a date such as 2026-11-01; got "2026-02-31".',
  ],
  [
    [...nowhere, '--include-wip-since', '2026-11-01'],
    '--include-wip-since needs --enable-pending and --provider-branch',
  ],
  [
    [...nowhere, '--include-wip-since', '2026-11-01', '--enable-pending'],
    '--include-wip-since needs --enable-pending and --provider-branch',
  ],
  [
    [...nowhere, '--broker-username', 'ada'],
    '--broker-username and --broker-password go together; one is missing.',
  ],
  [
    [...nowhere, '--provider-version', ' '],
    '--provider-version must be a text with something in it; got " ".',
  ],
])('refuses %j', async (args, sentence) => {
  const verifying = run(['verify', ...args])
  expect(await verifying.ended).toBe(2)
  expect(verifying.errors()).toContain(sentence)
  expect(verifying.errors()).not.toContain('hunter2')
})

it('shows no token that it refuses', async () => {
  const verifying = run(['verify', ...nowhere], { PACT_BROKER_TOKEN: `${TOKEN} ` })
  expect(await verifying.ended).toBe(2)
  expect(verifying.errors()).toContain(
    'PACT_BROKER_TOKEN must be visible ASCII characters without spaces',
  )
  expect(verifying.errors()).not.toContain(TOKEN)
})

it('leaves variables of a broker alone where it verifies files', async () => {
  const verifying = run(['verify', 'missing.json'], { PACT_BROKER_BASE_URL: 'broker' })
  expect(await verifying.ended).toBe(2)
  expect(verifying.errors()).toContain('PACT "missing.json" matches no file')
})

it('ends with 3 where the broker does not answer as one', async () => {
  const broker = await servePactBroker([], { authorization: `Bearer ${TOKEN}` })
  onTestFinished(broker.close)
  const echo = await serveHttp(({ headers, url }, outgoing) => {
    const reason = `no ${headers.authorization}`
    outgoing.writeHead(418).end(url === '/problem' ? JSON.stringify({ detail: reason }) : reason)
  })
  onTestFinished(echo.close)
  const told = async (url: string, ...args: string[]) => {
    const verifying = run(['verify', '--broker-url', url, ...args])
    expect(await verifying.ended).toBe(3)
    return verifying.errors()
  }
  expect(await told('http://127.0.0.1:9')).toContain('http://127.0.0.1:9 cannot be reached: ')
  expect(await told(broker.url)).toBe(
    `GET ${broker.url}/ was answered 401. It asks who calls: PACT_BROKER_TOKEN, or broker.token in a test.\n`,
  )
  const token = ['--broker-token', TOKEN]
  expect(await told(broker.url, ...token, '--selector', '{"consumer":"web"}')).toContain(
    'was answered 400: {"errors":{"consumerVersionSelectors":["must specify a value for',
  )
  expect(await told(`${broker.url}/pacticipants/subscription-service`, ...token)).toContain(
    'is no Pact Broker: its answer has no link pb:provider-pacts-for-verification.',
  )
  expect(await told(echo.url, ...token)).toContain('was answered 418: no Bearer [masked]')
  const problem = await told(`${echo.url}/problem`, ...token)
  expect(problem).toMatch(/was answered 418: no Bearer \[masked\]\n$/)
})
