/**
 * The product as it is installed: the first command of README, the package that is packed of this checkout, and one
 * project whose tests use it, as README, the guides and a user of the package do. One after another, so that npm fetches
 * little. That `npm ci` works in a fresh clone is shown by `.ci/run`, which begins with it.
 */
import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandIn, fencesOf, filesIn } from '../support/fences.ts'
import { temporaryFolder } from '../support/folders.ts'
import { patientConfig, written } from '../support/newcomer.ts'
import { runProgram, served } from '../support/process.ts'
import { moduleSetups } from './module-setups.ts'

const run = promisify(execFile)
const generators = createRequire(resolve('test/generators/package.json'))
const { devDependencies } = JSON.parse(await readFile('package.json', 'utf8'))

/** Installing takes its time, the more so where nothing of it was installed before. */
const PATIENCE_MS = 400_000

let place: Awaited<ReturnType<typeof temporaryFolder>>
/** What is packed of the project, and a project whose tests use it. */
let tarball: string
let shop: string

beforeAll(async () => {
  place = await temporaryFolder()
  shop = join(place.path, 'shop')
  await mkdir(shop)
  await symlink(resolve('.'), join(place.path, 'subscription-sandbox'))
  await written(shop, 'package.json', JSON.stringify({ private: true, type: 'module' }))
  await written(shop, 'vitest.config.js', patientConfig)
})

afterAll(() => place.remove())

it('starts where it is installed, by the first command of README', async () => {
  const command = await commandIn('README.md', 'npm ci')
  const [install, start, ...more] = command.split(' && ')
  expect([install, start, more]).toEqual(['npm ci', 'npm start', []])
  const environment = { SANDBOX_PORT: '0', SANDBOX_DATA: join(place.path, 'data') }
  const sandbox = await served(runProgram(['npm', 'start'], environment), PATIENCE_MS)
  const answer = await fetch(`${sandbox.url}/sandbox/plans`)
  expect(await answer.json()).toMatchObject({ data: expect.arrayContaining([expect.anything()]) })
  await sandbox.stop()
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

describe('the package', () => {
  beforeAll(async () => {
    const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', place.path]
    const { stdout } = await run('npm', packing)
    tarball = join(place.path, JSON.parse(stdout)[0].filename)
    const packages = [tarball, 'node@24', `vitest@${devDependencies.vitest}`, 'jest@30']
    await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: shop })
  }, PATIENCE_MS)

  it('has no source maps, no sources, and nothing that few need', async () => {
    const { stdout } = await run('tar', ['-tzf', tarball])
    const files = stdout.split('\n')
    expect(files).toContain('package/dist/cli/main.js')
    expect(
      files.filter((file) => /\.map$|^package\/(test|src|bench|scripts|clients)\//.test(file)),
    ).toEqual([])
    const { stdout: installed } = await run('ls', [`${shop}/node_modules`])
    expect(installed.split('\n')).not.toContain('@pact-foundation')
  })

  it('has types that resolve, and exports that publint finds sound', async () => {
    const { publint } = await import(generators.resolve('publint'))
    const { messages } = await publint({ pkgDir: '.', pack: false })
    expect(messages).toEqual([])
    const attw = generators
      .resolve('@arethetypeswrong/cli/package.json')
      .replace('package.json', '')
    const bin = `${attw}${JSON.parse(await readFile(`${attw}package.json`, 'utf8')).bin.attw}`
    await run(process.execPath, [bin, tarball])
  })

  it.each(moduleSetups)('is used by $setup', async ({ setup, files, commands, prints }) => {
    const folder = join(shop, 'setups', setup.replaceAll(/\W+/g, '-'))
    for (const [name, text] of Object.entries(files)) await written(folder, name, text)
    let printed = ''
    for (const command of commands) printed = await printedBy(command, folder)
    expect(printed).toContain(prints)
  })

  describe.each(['20', '24'])('on Node %s', (version) => {
    const node = () => (version === '24' ? `${shop}/node_modules/node/bin/node` : process.execPath)

    it('runs the command line', async () => {
      const bin = `${shop}/node_modules/.bin/subscription-sandbox`
      const { stdout } = await run(node(), [bin, 'openapi'], { cwd: shop })
      expect(stdout).toBe(await readFile('openapi.yaml', 'utf8'))
    })

    it('runs a command with a sandbox of its own, and ends as that does', async () => {
      const bin = `${shop}/node_modules/.bin/subscription-sandbox`
      const script = 'fetch(process.env.SANDBOX_URL).then(({ ok }) => process.exit(ok ? 7 : 1))'
      const ran = run(node(), [bin, 'exec', '--', node(), '-e', script], { cwd: shop })
      await expect(ran).rejects.toMatchObject({ code: 7 })
    })

    it('says how to add what verifying needs', async () => {
      const bin = `${shop}/node_modules/.bin/subscription-sandbox`
      const pact = resolve('contracts/pacts/reference-form-client-subscription-service.json')
      await expect(run(node(), [bin, 'verify', pact], { cwd: shop })).rejects.toMatchObject({
        code: 3,
        stderr: expect.stringContaining(
          'add: npm install --save-dev @pact-foundation/pact-core@19',
        ),
      })
    })

    it('runs the library and the client', async () => {
      await writeFile(`${shop}/library.js`, library)
      const { stdout } = await run(node(), ['library.js'], { cwd: shop })
      expect(stdout).toMatch(/^v\d+\S* 2500 2027-01-15T00:00:00.000Z\n$/)
    })

    it('gives each test of vitest a sandbox, and says what happened where one fails', async () => {
      await writeFile(`${shop}/trial.test.js`, tests)
      const vitest = run(node(), ['node_modules/vitest/vitest.mjs', 'run', 'trial.test.js'], {
        cwd: shop,
        env: { ...process.env, NO_COLOR: '1', VITEST: undefined },
      })
      const failed = await vitest.catch((error: { stdout: string; stderr: string }) => error)
      expect(failed.stdout).toContain('2 failed')
      expect(failed.stderr).toContain(
        '2027-01-09T00:00:00.000Z  subscription.trial_ended  sub_000001',
      )
      expect(failed.stderr).toContain('POST /sandbox/subscriptions  201')
      const [, one, other] = (await readdir(`${shop}/.sandbox`)).sort()
      expect(one).toMatch(/^trial\.test\.js-a-trial-of-14-days-/)
      expect(other).toMatch(/^trial\.test\.js-a-trial-of-7-days-/)
      expect(failed.stderr).toContain(
        `serve --data memory --fixture .sandbox/${other}/fixture.json`,
      )
    })
  })
})

it('is installed beside the tests of README, which pass', { timeout: PATIENCE_MS }, async () => {
  await typedIn(shop, await commandIn('README.md', 'npm install'))
  await shownIn('README.md')
  expect(await typedIn(shop, await commandIn('README.md', 'npx vitest'))).toContain('1 passed')
})

it('is installed and used by a pipeline, as the guide writes it', {
  timeout: PATIENCE_MS,
}, async () => {
  const folder = join(place.path, 'pipeline')
  const scripts = { test: 'curl -sf "$SANDBOX_URL/health/ready"' }
  const dependencies = { 'subscription-sandbox': `file:${tarball}` }
  await written(folder, 'package.json', JSON.stringify({ private: true, scripts, dependencies }))
  await typedIn(folder, 'npm install --package-lock-only')
  for (const start of ['npm ci', 'npx subscription-sandbox exec -- npm test']) {
    await typedIn(folder, await commandIn('docs/guides/ci.md', start))
  }
})

it('is tested with by Jest', { timeout: PATIENCE_MS }, async () => {
  await shownIn('docs/guides/parallel-tests.md')
  // Jest gives a test five seconds, which a busy machine may take to start.
  await written(shop, 'jest.config.json', JSON.stringify({ testTimeout: 150_000 }))
  const output = await typedIn(
    shop,
    await commandIn('docs/guides/parallel-tests.md', 'npm install'),
  )
  expect(output).toMatch(/Tests: +1 passed, 1 total/)
})

it('writes, compares and verifies a first pact, as its page says', {
  timeout: PATIENCE_MS,
}, async () => {
  const folder = join(place.path, 'first-pact')
  const example = 'contracts/examples/typescript'
  await mkdir(folder)
  for (const file of ['package.json', 'first-pact.ts'])
    await cp(`${example}/${file}`, join(folder, file))
  const [walk] = fencesOf(await readFile(`${example}/README.md`, 'utf8'))
  const lines = (walk?.text ?? '')
    .replace(/path\/to\/\S+\.tgz/, tarball)
    .trim()
    .split('\n')
  expect(lines.at(-1)).toBe('npm run verify')
  const printed = await typedIn(folder, lines.join('\n'))
  expect(printed.match(/ 0 failed, 0 pending/g)).toHaveLength(2)
  await cp('contracts/examples/curl/pause.json', join(folder, 'pacts/pause.json'))
  const guide = await filesIn('docs/guides/contracts.md')
  const { name, text } = guide.find((each) => each.text.includes('node:test')) ?? {
    name: '',
    text: '',
  }
  await written(folder, name, text)
  expect(await typedIn(folder, `node --test ${name}`)).toMatch(/ pass 1\n/)
  const pact = await readFile('contracts/examples/curl/pause.json', 'utf8')
  await writeFile(join(folder, 'pacts/pause.json'), pact.replace('"success"', '"clientError"'))
  await expect(typedIn(folder, `node --test ${name}`)).rejects.toThrow('1 passed, 1 failed')
  await rm(join(folder, 'pacts/pause.json'))
  await rm(join(folder, 'node_modules/@pactflow'), { recursive: true })
  const alone = await typedIn(folder, 'npm run verify')
  expect(alone).toContain('Nothing was compared with openapi.yaml: The package @pactflow/')
  expect(alone).toContain(' 0 failed, 0 pending')
})

it('runs the tests of the examples, each in a folder with nothing else', {
  timeout: PATIENCE_MS,
}, async () => {
  const said = await readFile('examples/README.md', 'utf8')
  for (const [example, command, passes] of [
    ['typescript', 'npx vitest run', '5 passed'],
    ['shell', 'npx subscription-sandbox exec -- ./test.sh', 'all as expected'],
  ] as const) {
    const folder = join(shop, 'examples', example)
    await cp(`examples/${example}`, folder, { recursive: true })
    await written(folder, 'vitest.config.js', patientConfig)
    expect(said).toContain(`\`${command}\``)
    expect(await typedIn(folder, command)).toContain(passes)
  }
})

/** Writes the files that a page shows. */
async function shownIn(page: string): Promise<void> {
  for (const { name, text } of await filesIn(page)) await written(shop, name, text)
}

/** Types a command, which has to succeed; answers what it prints. */
function typedIn(folder: string, command: string): Promise<string> {
  return printedBy(['bash', '-euc', command], folder)
}

/** Runs a program, which has to succeed; answers what it prints. */
async function printedBy(command: readonly [string, ...string[]], folder: string): Promise<string> {
  const offline = { npm_config_prefer_offline: 'true' }
  const quiet = { ...offline, npm_config_audit: 'false', npm_config_fund: 'false', NO_COLOR: '1' }
  const outer = { VITEST: undefined, NODE_ENV: undefined }
  const program = runProgram(command, { ...quiet, ...outer }, folder)
  const code = await program.ended
  const printed = program.output() + program.errors()
  expect(code, `${command.join(' ')}: ${printed}`).toBe(0)
  return printed
}

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
test.override({ sandboxOrder: { now: '2027-01-02' } })
for (const days of [7, 14]) {
  test.concurrent('a trial of ' + days + ' days', async ({ sandbox }) => {
    const order = { customer_id: 'cus_ada', plan: 'pro', trial_period_days: days }
    const { trial_end } = await sandbox.subscriptions.create(order)
    await sandbox.clock.toNext()
    expect(await sandbox.clock.now()).toBe(trial_end)
    expect(await sandbox.invoices.list()).toHaveLength(2)
  })
}
`
