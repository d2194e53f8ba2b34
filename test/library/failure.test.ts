import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { amountsIn } from '../../src/library/amounts.ts'
import {
  bundleFolder,
  newestRequest,
  removeBundle,
  reportFailure,
  testName,
} from '../../src/library/failure.ts'

const folder = bundleFolder('test/library/failure.test.ts, a test that fails')
let server: Sandbox
let sandbox: Sandbox

beforeAll(async () => {
  server = await startSandbox({ now: '2027-01-01T00:00:00Z' })
})
afterAll(() => server.close())
beforeEach(async () => {
  sandbox = await server.create()
})
afterEach(async () => {
  await sandbox.close()
  await removeBundle(folder)
})

/** Subscribes as an application does. */
const subscribe = (key: string) =>
  fetch(`${server.url}/v1/subscriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}` },
    body: new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' }),
  })

const fail = async (since = 0, diffs: string[] = []) =>
  reportFailure({ sandbox, server, since, folder, diffs })

const fileOf = (name: string) => readFile(join(folder, name), 'utf8')

it('leaves the sandbox as it was, to be served again', async () => {
  await subscribe(sandbox.apiKey)
  await sandbox.clock.advance('P1M')
  const report = await fail()
  expect(report).toContain('invoice.paid  inv_000002')
  expect(report).toContain(`--fixture ${folder}/fixture.json`)
  expect(await fileOf('report.txt')).toBe(`${report}\n`)
  await using again = await startSandbox({ fixture: join(folder, 'fixture.json') })
  expect(await again.events.list()).toEqual(await sandbox.events.list())
  expect(await again.clock.now()).toBe(await sandbox.clock.now())
})

it('leaves its recording as data and as a script, without the key', async () => {
  await subscribe(sandbox.apiKey)
  await fail()
  expect(JSON.parse(await fileOf('recording.json')).calls).toHaveLength(1)
  expect(await fileOf('recording.sh')).toContain('/v1/subscriptions')
  const [request] = JSON.parse(await fileOf('requests.json'))
  expect(request).toMatchObject({ request: { path: '/v1/subscriptions' }, answer: { status: 200 } })
  for (const name of await readdir(folder)) {
    if (name !== 'fixture.json') expect(await fileOf(name)).not.toContain(sandbox.apiKey)
  }
})

it('says why there is no recording', async () => {
  await sandbox.clock.set({ mode: 'running' })
  await fail()
  expect(await fileOf('recording.txt')).toMatch(/incomplete: its clock ran/)
})

it('shows the requests of this test that went elsewhere, for their key', async () => {
  await subscribe('sk_sandbox_mistyped')
  const since = await newestRequest(server)
  expect(await fail(since)).not.toContain('did not reach it')
  await subscribe('sk_sandbox_other')
  await subscribe(server.apiKey)
  const lines = (await fail(since)).split('\n')
  const at = lines.indexOf('  requests that did not reach it, for their key')
  expect(lines[at - 1]).toBe('  no requests')
  expect(lines.slice(at + 1, at + 3)).toEqual([
    expect.stringMatching(/POST \/v1\/subscriptions {2}401 {2}unauthorized: .*unknown/),
    expect.stringMatching(/POST \/v1\/subscriptions {2}200/),
  ])
  expect(JSON.parse(await fileOf('requests.json'))).toHaveLength(2)
})

it('replaces what an earlier failure left, and has a folder for each test', async () => {
  await sandbox.clock.set({ mode: 'running' })
  await fail()
  await sandbox.reset()
  await fail()
  expect(await readdir(folder)).not.toContain('recording.txt')
  expect(await readFile('.sandbox/.gitignore', 'utf8')).toBe('*\n')
  expect(bundleFolder('a/b')).not.toBe(bundleFolder('a b'))
  expect(bundleFolder('../../etc/passwd')).toMatch(/^\.sandbox\/\.\.-\.\.-etc-passwd-[0-9a-f]{8}$/)
})

it('is left whole by runs of the same test at one time, and nothing is beside it', async () => {
  await Promise.all(
    Array.from({ length: 40 }, async (_, run) => {
      for (let again = 0; again < run % 4; again += 1) await removeBundle(folder)
      await fail()
    }),
  )
  expect((await readdir(folder)).sort()).toEqual([
    'fixture.json',
    'recording.json',
    'recording.sh',
    'report.txt',
    'requests.json',
  ])
  const left = async () => (await readdir('.sandbox')).filter((name) => name.startsWith('.'))
  await expect.poll(left).toEqual(['.gitignore'])
})

it('names tests apart that have one name, in a loop, in suites of one name, and in two projects', () => {
  const loop = ['pays', 'pays', 'waits'].map((name) => ({ name }))
  const suites = ['a', 'a'].map((name) => ({ name, tasks: [{ name: 'pays' }] }))
  const file = { name: 'shop.test.ts', tasks: [...loop, ...suites] }
  const ofSuites = suites.map((suite) => ({ ...suite.tasks[0], name: 'pays', suite }))
  for (const [at, suite] of suites.entries()) suite.tasks = [ofSuites[at] ?? { name: '' }]
  const all = [...loop, ...ofSuites]
  const names = [file, { ...file, projectName: 'browser' }].flatMap((each) =>
    all.map((test) => testName(Object.assign(test, { file: each }))),
  )
  expect(names.slice(0, 3)).toEqual([
    'shop.test.ts pays',
    'shop.test.ts pays \x002',
    'shop.test.ts waits',
  ])
  expect(names[5]).toBe('browser shop.test.ts pays')
  expect(new Set(names.map(bundleFolder)).size).toBe(10)
})

/** A diff as vitest colours it. */
const diffOf = (...lines: string[]) =>
  ['- Expected', '+ Received', '', ...lines].map((line) => `\u001b[32m${line}\u001b[39m`).join('\n')

it('says in money what an assertion expected and found', async () => {
  await subscribe(sandbox.apiKey)
  const diffs = [
    diffOf('  [', '    {', '-     "amount_paid": 2000,', '+     "amount_paid": 2500,', '    },'),
    diffOf('- 1250', '+ 2500'),
    // What no record has is no amount: a count, and a sum.
    diffOf('- 2', '+ 1'),
    diffOf('- 5000', '+ 7500'),
  ]
  expect(await fail(0, diffs)).toContain(`
  amounts
    amount_paid: expected 20.00 USD, found 25.00 USD
    expected 12.50 USD, found 25.00 USD
  events
`)
  expect(await fail()).not.toContain('amounts')
})

it('says an amount in the currency of its record, and not where several fit', () => {
  const yen = { charge_id: 'ch_1', currency: 'JPY', amount: 1250 }
  const diffs = [diffOf('  {', '-   "amount": 1500,', '+   "amount": 1250,', '  }')]
  expect(amountsIn(diffs, [yen])).toEqual(['amount: expected 1500 JPY, found 1250 JPY'])
  expect(amountsIn(diffs, [yen, { ...yen, currency: 'EUR' }])).toEqual([])
})
