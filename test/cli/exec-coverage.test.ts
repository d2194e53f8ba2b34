/** The coverage of a run: at the end of `exec`, and of vitest by its reporter. */
import { afterEach, expect, it, vi } from 'vitest'
import { connect } from '../../src/index.ts'
import { sandboxCoverage } from '../../src/vitest-reporter.ts'
import { commandLineOn, outcome, run } from '../support/command-line.ts'

const subscribe = `
  const { SANDBOX_URL, SANDBOX_API_KEY } = process.env
  const headers = { Authorization: 'Bearer ' + SANDBOX_API_KEY }
  const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'basic' })
  await fetch(SANDBOX_URL + '/v1/subscriptions', { method: 'POST', headers, body })
`

const covered = (options: readonly string[], program = subscribe) =>
  outcome(
    run([
      ...['exec', '--coverage', ...options, '--'],
      ...[process.execPath, '--input-type=module', '-e', program],
    ]),
  )

it('exec prints how much its command saw, and ends with 1 below a threshold', async () => {
  const met = await covered(['--min', 'operations=10'])
  expect(met.out).toMatch(/^operations +1 +6 +16\.6 +10 +yes$/m)
  expect(met.out).not.toContain('How to see it')
  expect(met.code).toBe(0)
  const low = await covered(['--min', 'operations=10', '--min', 'transitions=50', '--how'])
  expect(low.out).toMatch(/^transitions +0 +33 +0\.0 +50 +no$/m)
  expect(low.out).toContain('How to see it')
  expect(low.code).toBe(1)
})

it('exec ends as its command did, whatever the coverage', async () => {
  expect((await covered(['--min', 'operations=0'], 'process.exit(7)')).code).toBe(7)
})

it('counts what is typed as of the consumer cli', async () => {
  const { server, type } = await commandLineOn()
  try {
    await type('subscriptions create --customer-id cus_ada --plan pro')
    await type('subscriptions pause sub_000001')
    const sandbox = await connect(server.url)
    const { consumers } = await sandbox.coverage()
    expect(consumers.map(({ consumer, calls }) => ({ consumer, calls }))).toEqual([
      { consumer: 'cli', calls: 1 },
    ])
  } finally {
    await server.stop()
  }
})

const { exitCode } = process
afterEach(() => {
  process.exitCode = exitCode
  vi.unstubAllEnvs()
})

it.each([
  [{ min: { transition: 5 } }, 'min.transition is not a known field; did you mean transitions?'],
  [{ min: { transitions: 500 } }, 'min.transitions must be an integer from 0 to 100; got 500.'],
])('the reporter of vitest reads its options with the configuration: %j', (options, message) => {
  expect(() => sandboxCoverage(options as object)).toThrow(message)
})

it('the reporter of vitest has one server for all workers, and fails a run below a threshold', async () => {
  const printed: string[] = []
  vi.stubEnv('SANDBOX_URL', '')
  const closing: (() => unknown)[] = []
  const logger = { log: (text: string) => printed.push(text) }
  const runOfTests = { logger, onClose: (close: () => unknown) => closing.push(close) }
  const reporter = sandboxCoverage({ min: { operations: 10, transitions: 1 } })
  await reporter.onInit?.(runOfTests as never)
  const worker = await connect(process.env['SANDBOX_URL'] ?? '')
  await using sandbox = await worker.create()
  await sandbox.v1.POST('/v1/subscriptions', { body: { customer_id: 'cus_ada', plan: 'basic' } })
  await reporter.onTestRunEnd?.([], [], 'passed')
  expect(printed.join('')).toMatch(/^transitions +0 +33 +0\.0 +1 +no$/m)
  expect(process.exitCode).toBe(1)
  process.exitCode = 0
  await sandbox.subscriptions.pause('sub_000001')
  await reporter.onTestRunEnd?.([], [], 'passed')
  expect(process.exitCode).toBe(0)
  await sandbox.close()
  for (const close of closing) await close()
  await expect(worker.clock.now()).rejects.toThrow()
})
