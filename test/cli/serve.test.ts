import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { Chain } from '../../src/store/lines.ts'
import { failed, failToServe, run, serve, served, temporaryFolder } from '../support/process.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }

async function subscribe(url: string): Promise<Response> {
  const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
  return fetch(`${url}/v1/subscriptions`, { method: 'POST', body, headers: key })
}

it('is ready in memory, prints how to go on in ten lines, and stops within 5 s of SIGTERM', async () => {
  const sandbox = await serve('--data', 'memory')
  const ready = await fetch(`${sandbox.url}/health/ready`)
  expect(ready.status).toBe(200)
  await ready.text()

  const lines = sandbox.output().trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(10)
  expect(lines.filter((line) => line.trim().startsWith('curl '))).toHaveLength(3)
  expect(sandbox.output()).toContain('sk_sandbox_default')
  expect(sandbox.output()).toContain('2027-01-01T00:00:00.000Z')

  const stoppedAt = Date.now()
  expect(await sandbox.stop()).toBe(0)
  expect(Date.now() - stoppedAt).toBeLessThan(5000)
  expect(sandbox.errors()).toBe('')
})

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
  const sandbox = await serve('--data', 'memory')
  const { hostname, port } = new URL(sandbox.url)
  const opened = connect({ host: hostname, port: Number(port) })
  await once(opened, 'connect')
  expect((await subscribe(sandbox.url)).status).toBe(200)
  const closed = once(opened, 'close')
  const stoppedAt = performance.now()
  expect(await sandbox.stop()).toBe(0)
  expect(performance.now() - stoppedAt).toBeLessThan(3000)
  await closed
})

it('refuses to start on a manifest of another version, and leaves it as it is', async () => {
  const chain = new Chain()
  const text = `${chain.next({ format: 99, sandbox: {} })}${chain.end()}`
  const folder = await temporaryFolder()
  const file = join(folder.path, 'sandboxes', 'default', 'sandbox.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)

  const refused = run(['serve', '--port', '0', '--data', folder.path])
  expect(await refused.ended).toBe(3)
  expect(refused.errors()).toContain('sandbox.json:1 has format 99; this version reads format')
  expect(refused.errors()).toContain(`subscription-sandbox doctor --data ${folder.path}`)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
  expect(await readFile(file, 'utf8')).toBe(text)
  await folder.remove()
})

it.each([
  [[], 'A command is missing'],
  [['dance'], "Unknown command 'dance'"],
  [['serve', '--prot', '1'], '--prot'],
  [['serve', '--port', 'abc'], '--port must be an integer from 0 to 65535; got "abc"'],
  [['serve', '--lock', 'file'], '--lock must be one of: kernel, none; got "file"'],
  [['doctor', '--lock', ''], '--lock must be one of: kernel, none; got ""'],
  [
    ['serve', '--clock-start', '2027-02-30'],
    '--clock-start must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "2027-02-30"',
  ],
  [['serve', '--fixture', 'nosuch', '--data', 'memory'], 'fixture "nosuch"'],
])('ends with 2 and says what is wrong: %j', async (args, words) => {
  const refused = run(args)
  expect(await refused.ended).toBe(2)
  expect(refused.errors()).toContain(words)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
})

it('does not start unlocked where the native lock cannot be loaded, unless --lock none asks for it', async () => {
  const folder = await temporaryFolder()
  const hook = new URL('../support/native-code.mjs', import.meta.url)
  const environment = { NODE_OPTIONS: `--import=${hook}`, NATIVE_CODE: 'refused' }
  const command = ['serve', '--port', '0', '--data', folder.path]
  const refused = await failed(run(command, environment))
  expect(refused.code).toBe(3)
  for (const words of [
    `cannot be loaded on ${process.platform} ${process.arch} (native code is refused here)`,
    "two processes could overwrite each other's data",
    '--lock none',
  ]) {
    expect(refused.errors).toContain(words)
  }
  expect(refused.errors).not.toMatch(/doctor|\n\s+at /)

  const unlocked = await served(run([...command, '--lock', 'none'], environment))
  expect(unlocked.errors()).toContain(`${folder.path} is not locked (--lock none)`)
  expect((await subscribe(unlocked.url)).status).toBe(200)
  const doctor = ['doctor', '--json', '--data', folder.path]
  expect(await run(doctor, environment).ended).toBe(3)
  const examined = run([...doctor, '--lock', 'none'], environment)
  expect(await examined.ended).toBe(0)
  expect(JSON.parse(examined.output())).toMatchObject({
    lock: 'none',
    in_use_by: null,
    sound: true,
  })
  expect(await unlocked.stop()).toBe(0)
  await folder.remove()
})

it.each([
  [['--help'], 'Usage: subscription-sandbox'],
  [['openapi', '--json'], '"openapi": "3.1.0"'],
])('prints what is asked for, and starts nothing: %j', async (args, words) => {
  const asked = run(args)
  expect(await asked.ended).toBe(0)
  expect(asked.output()).toContain(words)
})

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
