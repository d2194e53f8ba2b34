import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/folders.ts'
import { failToServe, run, serve } from '../../support/process.ts'
import { shortestOf } from '../../support/rounds.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }

async function subscribe(url: string): Promise<Response> {
  const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
  return fetch(`${url}/v1/subscriptions`, { method: 'POST', body, headers: key })
}

it('ends with the npm that started it', async () => {
  // Without its scripts npm does not build anew under the feet of the other tests.
  const npmStart = ['--ignore-scripts', 'start', '--', '--port', '0', '--data', 'memory']
  const npm = spawn('npm', npmStart, { stdio: 'pipe' })
  const printed: string[] = []
  npm.stdout.on('data', (chunk) => printed.push(String(chunk)))
  const url = await vi.waitUntil(() => /is ready at (\S+)/.exec(printed.join(''))?.[1])
  npm.kill('SIGTERM')
  await vi.waitUntil(() => fetch(`${url}/health/live`).then(notYet, gone))
})

it('does not wait for a connection without a request', async () => {
  expect(await shortestOf(3000, stopWithConnection)).toBeLessThan(3000)
})

async function stopWithConnection(): Promise<number> {
  const sandbox = await serve('--data', 'memory')
  const { hostname, port } = new URL(sandbox.url)
  const opened = connect({ host: hostname, port: Number(port) })
  await once(opened, 'connect')
  expect((await subscribe(sandbox.url)).status).toBe(200)
  const closed = once(opened, 'close')
  const stoppedAt = performance.now()
  expect(await sandbox.stop()).toBe(0)
  const tookMs = performance.now() - stoppedAt
  await closed
  return tookMs
}

it('starts its clock at the given instant', async () => {
  const sandbox = await serve('--data', 'memory', '--clock-start', '2027-02-01T10:00:00+02:00')
  expect(sandbox.output()).toContain('virtual now 2027-02-01T08:00:00.000Z')
  await sandbox.stop()
})

it('makes the examples with --examples, and makes them anew at the next start', async () => {
  const folder = await temporaryFolder()
  const headers = { 'Sandbox-Id': 'examples' }
  for (const start of ['first', 'second']) {
    const sandbox = await serve('--data', folder.path, '--examples')
    const listed = async (sent: Record<string, string>) =>
      (await fetch(`${sandbox.url}/sandbox/products`, { headers: sent })).json()
    expect(await listed(headers), start).toMatchObject({
      data: [{ product_id: 'prod_app' }, { product_id: 'prod_old' }],
    })
    expect(await listed({}), start).toMatchObject({ data: [{ product_id: 'prod_app' }] })
    const gone = { method: 'DELETE', headers }
    expect((await fetch(`${sandbox.url}/sandbox/products/prod_old`, gone)).status).toBe(204)
    await sandbox.stop()
  }
  await folder.remove()
})

it('warns of a port that fetch and browsers block', async () => {
  const sandbox = run(['serve', '--data', 'memory', '--port', '10080'])
  await vi.waitUntil(() => sandbox.errors() !== '')
  sandbox.child.kill('SIGTERM')
  await sandbox.ended
  expect(sandbox.errors()).toContain(
    'fetch and browsers block the port of http://127.0.0.1:10080; choose another one, such as 4010.',
  )
})

it('ends with 3 when the port is taken', async () => {
  const sandbox = await serve('--data', 'memory')
  const second = run(['serve', '--port', new URL(sandbox.url).port, '--data', 'memory'])
  expect(await second.ended).toBe(3)
  expect(second.errors()).toMatch(
    /^Port \d+ of 127\.0\.0\.1 is in use.*--port 0 for a free one\.\n$/,
  )
  await sandbox.stop()
})

const notYet = () => false
const gone = () => true

it('says in one line that a fixture is not used where the folder has a sandbox, and what to do', async () => {
  const folder = await temporaryFolder()
  const first = await serve('--data', folder.path, '--fixture', 'empty')
  expect(await first.stop()).toBe(0)
  expect(first.errors()).toBe('')

  const second = await serve('--data', folder.path, '--fixture', 'dunning')
  expect(await second.stop()).toBe(0)
  expect(JSON.parse(second.errors())).toMatchObject({
    level: 'warn',
    msg: expect.stringMatching(
      /^The fixture "dunning" is not used: .*POST \{"fixture":"dunning"\} to \/sandbox\/reset.*$/,
    ),
  })

  const third = await failToServe('--data', folder.path, '--fixture', 'startr')
  expect(third.errors).toContain('fixture "startr" does not exist; did you mean "starter"?')
  await folder.remove()
})
