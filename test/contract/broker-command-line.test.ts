/** The broker as the stock command line of Pact uses it: publish, verify, ask whether a version can be deployed. */
import { createRequire } from 'node:module'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { runProgram, type Served, serve } from '../support/process.ts'
import { plantBreak } from './support/breaks.ts'
import { documentedPacts } from './support/published.ts'

const require = createRequire(import.meta.url)
const program = require.resolve('@pact-foundation/pact-cli/bin/pact.js')

const [pact = ''] = documentedPacts
const consumer = 'reference-form-client'
const provider = 'subscription-service'

let sandbox: Served
beforeEach(async () => {
  sandbox = await serve('--data', 'memory')
})
afterEach(() => sandbox.stop())

const broker = () => `${sandbox.url}/sandbox/broker`

/** Runs the command line; answers its exit code and all that it printed. */
async function pactCli(...args: string[]) {
  // It reports its use unless told not to, and would look for the broker behind a proxy.
  const quiet = { PACT_DO_NOT_TRACK: 'true', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }
  const running = runProgram([process.execPath, program, ...args, '--retries', '0'], quiet)
  const code = await running.ended
  return { code, printed: running.output() + running.errors() }
}

function publish(file: string, version: string, ...more: string[]) {
  return pactCli('broker', 'publish', file, '-b', broker(), '-a', version, ...more)
}

function verify(version: string, ...more: string[]) {
  const { hostname, port } = new URL(sandbox.url)
  const states = `${sandbox.url}/sandbox/provider-states`
  const where = [
    '-h',
    hostname,
    '-p',
    port,
    '-n',
    provider,
    '-s',
    states,
    '--state-change-teardown',
  ]
  const publishing = ['--publish', '--provider-version', version]
  return pactCli('verifier', '-b', broker(), ...where, ...publishing, ...more)
}

function canIDeploy(...question: string[]) {
  return pactCli('broker', 'can-i-deploy', '-b', broker(), ...question)
}

it('publishes a pact, verifies it, and lets its version be deployed from then on', async () => {
  const published = await publish(pact, '1.0', '--branch', 'main', '--tag', 'prod')
  expect(published.printed).toContain('fits the documented interface')
  expect(published).toMatchObject({
    code: 0,
    printed: expect.not.stringMatching(/warning|failed/i),
  })

  const before = await canIDeploy('-a', consumer, '-e', '1.0')
  expect(before.code).toBe(1)
  expect(before.printed).toContain(`by ${provider} is missing`)

  const verified = await verify('2.0', '--provider-branch', 'main', '--provider-tags', 'prod')
  expect(verified.code).toBe(0)
  const questions = [
    ['-a', consumer, '-e', '1.0'],
    ['-a', consumer, '-e', '1.0', '--to', 'prod'],
    ['-a', consumer, '--branch', 'main', '-a', provider, '-e', '2.0'],
    ['-a', consumer, '--main-branch', '-a', provider, '--latest', 'prod'],
    ['-a', provider, '-e', '2.0'],
  ]
  for (const question of questions) {
    expect(await canIDeploy(...question)).toMatchObject({ code: 0 })
  }
  expect(
    await pactCli('broker', 'can-i-merge', '-b', broker(), '-a', consumer, '-e', '1.0'),
  ).toMatchObject({ code: 0 })
})

it('says no where a verification failed, and where deployments would have to be recorded', async () => {
  const folder = await temporaryFolder()
  const { file } = await plantBreak(pact, folder.path)
  await publish(file, '1.1')
  expect((await verify('2.0')).code).toBe(1)
  const no = await canIDeploy('-a', consumer, '-e', '1.1')
  expect(no.code).toBe(1)
  expect(no.printed).toContain(`by ${provider} 2.0 failed`)
  expect(await canIDeploy('-a', consumer, '-e', '1.1', '--to-environment', 'test')).toMatchObject({
    code: 1,
    printed: expect.stringContaining('no environments, so use a Pact Broker or PactFlow'),
  })
  await folder.remove()
})

it('takes the pacts that selectors and tags mean, and refuses a verifier what it does not know', async () => {
  await publish(pact, '1.0', '--branch', 'main', '--tag', 'prod')
  for (const selector of ['{"mainBranch":true}', '{"branch":"main"}']) {
    expect(await verify('2.0', '--consumer-version-selectors', selector)).toMatchObject({ code: 0 })
  }
  expect(await verify('2.0', '--consumer-version-tags', 'prod')).toMatchObject({ code: 0 })
  expect(await verify('2.0', '--consumer-version-tags', 'gone')).toMatchObject({ code: 1 })
})

it('lists the newest pacts, tags a version, and shows it', async () => {
  await publish(pact, '1.0')
  const list = ['broker', 'list-latest-pact-versions', '-b', broker(), '-o', 'table']
  const { code, printed } = await pactCli(...list)
  expect(code).toBe(0)
  expect(printed).toMatch(/"reference-form-client" +┆ "1.0" +┆ "subscription-service"/)
  const version = ['-a', consumer, '-e', '1.0']
  const tag = ['broker', 'create-version-tag', '-b', broker(), ...version, '-t', 'prod']
  expect(await pactCli(...tag)).toMatchObject({ code: 0 })
  const shown = await pactCli('broker', 'describe-version', '-b', broker(), ...version)
  expect(shown.printed).toContain('prod')
})
