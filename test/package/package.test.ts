import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'

const run = promisify(execFile)
const generators = createRequire(resolve('test/generators/package.json'))
const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'))

/** The packed product, and a folder in which it was installed as a user would. */
let tarball: string
let app: string

beforeAll(async () => {
  const { path } = await temporaryFolder()
  const packed = await run('npm', [
    'pack',
    '--ignore-scripts',
    '--json',
    '--pack-destination',
    path,
  ])
  tarball = `${path}/${JSON.parse(packed.stdout)[0].filename}`
  app = `${path}/app`
  await mkdir(app)
  await writeFile(`${app}/package.json`, JSON.stringify({ private: true, type: 'module' }))
  const packages = [tarball, 'node@24', `vitest@${devDependencies.vitest}`]
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: app })
})

it('has no source maps, no pages for maintainers, and nothing that few need', async () => {
  const { stdout } = await run('tar', ['-tzf', tarball])
  const files = stdout.split('\n')
  expect(files).toContain('package/dist/cli/main.js')
  expect(files.filter((file) => /\.map$|decisions|\/(test|src|bench)\//.test(file))).toEqual([])
  const { stdout: installed } = await run('ls', [`${app}/node_modules`])
  expect(installed.split('\n')).not.toContain('@pact-foundation')
})

it('has types that resolve, and exports that publint finds sound', async () => {
  const { publint } = await import(generators.resolve('publint'))
  const { messages } = await publint({ pkgDir: resolve('.'), pack: false })
  expect(messages).toEqual([])
  const attw = generators.resolve('@arethetypeswrong/cli/package.json').replace('package.json', '')
  const bin = `${attw}${JSON.parse(await readFile(`${attw}package.json`, 'utf8')).bin.attw}`
  await run(process.execPath, [bin, tarball, '--profile', 'esm-only'])
})

const library = `
import { startSandbox } from 'subscription-sandbox'
import { createClient } from 'subscription-sandbox/client'
const sandbox = await startSandbox({ now: '2027-01-01T00:00:00Z' })
const client = createClient({ baseUrl: sandbox.url, apiKey: sandbox.apiKey })
const order = { customer_id: 'cus_ada', plan: 'pro', trial_period_days: 14 }
await client.POST('/v1/subscriptions', { body: order })
await sandbox.clock.advance('P14D')
const [invoice] = await sandbox.invoices.list()
console.log(process.version, invoice.amount_due, invoice.paid_at)
await sandbox.close()
`

const tests = `
import { expect } from 'vitest'
import { test } from 'subscription-sandbox/vitest'
for (const days of [7, 14]) {
  test.concurrent('a trial of ' + days + ' days', async ({ sandbox }) => {
    const order = { customer_id: 'cus_ada', plan: 'pro', trial_period_days: days }
    const { trial_end } = await sandbox.subscriptions.create(order)
    await sandbox.clock.toNext()
    expect(await sandbox.clock.now()).toBe(trial_end)
    expect(await sandbox.invoices.list()).toHaveLength(Number(process.env.INVOICES))
  })
}
`

describe.each(['20', '24'])('on Node %s', (version) => {
  const node = () => (version === '24' ? `${app}/node_modules/node/bin/node` : process.execPath)

  it('runs the command line', async () => {
    const bin = `${app}/node_modules/.bin/subscription-sandbox`
    const { stdout } = await run(node(), [bin, 'openapi'], { cwd: app })
    expect(stdout).toBe(await readFile('openapi.yaml', 'utf8'))
  })

  it('runs a command with a sandbox of its own, and ends as that does', async () => {
    const bin = `${app}/node_modules/.bin/subscription-sandbox`
    const script = 'fetch(process.env.SANDBOX_URL).then(({ ok }) => process.exit(ok ? 7 : 1))'
    const ran = run(node(), [bin, 'exec', '--', node(), '-e', script], { cwd: app })
    await expect(ran).rejects.toMatchObject({ code: 7 })
  })

  it('says how to add what verifying needs', async () => {
    const bin = `${app}/node_modules/.bin/subscription-sandbox`
    const pact = resolve('contracts/pacts/reference-form-client-subscription-service.json')
    await expect(run(node(), [bin, 'verify', pact], { cwd: app })).rejects.toMatchObject({
      code: 3,
      stderr: expect.stringContaining('add: npm install --save-dev @pact-foundation/pact-core@19'),
    })
  })

  it('runs the library and the client', async () => {
    await writeFile(`${app}/library.js`, library)
    const { stdout } = await run(node(), ['library.js'], { cwd: app })
    expect(stdout).toMatch(/^v\d+\S* 2500 2027-01-15T00:00:00.000Z\n$/)
  })

  it('gives each test of vitest a sandbox, and says what happened where one fails', async () => {
    await writeFile(`${app}/trial.test.js`, tests)
    const vitest = (invoices: string) =>
      run(node(), ['node_modules/vitest/vitest.mjs', 'run'], {
        cwd: app,
        env: { ...process.env, INVOICES: invoices, NO_COLOR: '1', VITEST: undefined },
      })
    expect((await vitest('1')).stdout).toContain('2 passed')
    const failed = await vitest('2').catch((error: { stdout: string; stderr: string }) => error)
    expect(failed.stdout).toContain('2 failed')
    expect(failed.stderr).toContain(
      '2027-01-08T00:00:00.000Z  subscription.trial_ended  sub_000001',
    )
    expect(failed.stderr).toContain('POST /sandbox/subscriptions  201')
  })
})
