import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { failed, failToServe, run, serve, served, temporaryFolder } from '../support/process.ts'

const key = { Authorization: 'Bearer sk_sandbox_default' }

async function subscribe(url: string): Promise<Response> {
  const body = new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro' })
  return fetch(`${url}/v1/subscriptions`, { method: 'POST', body, headers: key })
}

it('is ready in memory, prints how to go on in under ten lines, and stops within 5 s of SIGTERM', async () => {
  const sandbox = await serve('--data', 'memory')
  const ready = await fetch(`${sandbox.url}/health/ready`)
  expect(ready.status).toBe(200)
  await ready.text()

  const lines = sandbox.output().trimEnd().split('\n')
  expect(lines.length).toBeLessThan(10)
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
  const url = await vi.waitUntil(() => /is ready at (\S+)/.exec(printed.join(''))?.[1], {
    timeout: 30_000,
  })
  npm.kill('SIGTERM')
  await vi.waitUntil(() => fetch(`${url}/health/live`).then(notYet, gone), { timeout: 5000 })
})

it('shows the data again when it is started twice on one folder', async () => {
  const folder = await temporaryFolder()
  const first = await serve('--data', folder.path)
  expect((await subscribe(first.url)).status).toBe(200)
  const advanced = await fetch(`${first.url}/sandbox/clock/advance`, {
    method: 'POST',
    body: '{"by":"P45D"}',
    headers: { 'Content-Type': 'application/json' },
  })
  expect(advanced.status).toBe(200)
  const before = await (await fetch(`${first.url}/sandbox/state`)).text()
  expect(await first.stop()).toBe(0)

  const second = await serve('--data', folder.path)
  expect(await (await fetch(`${second.url}/sandbox/state`)).text()).toBe(before)
  await second.stop()
  await folder.remove()
})

it('answers a call under way when it is told to stop', async () => {
  const sandbox = await serve('--data', 'memory')
  const answers = Array.from({ length: 20 }, () => subscribe(sandbox.url))
  await Promise.race(answers)
  const stopped = sandbox.stop()
  const settled = await Promise.allSettled(answers)
  expect(await stopped).toBe(0)
  const answered = settled.filter((each) => each.status === 'fulfilled')
  expect(answered.every((each) => each.value.status === 200)).toBe(true)
  expect(answered.length).toBeGreaterThan(0)
})

it('does not wait for a connection that nobody has used yet', async () => {
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

it.each([
  ['is cut short', '{"format":4,"sum":"00000000","sandbox":\n{', /sandbox\.json does not match/],
  ['has another shape', '{"hello": 99}', /sandbox\.json does not match/],
  [
    'was written by another version',
    '{"format":99,"sum":"00000000","sandbox":\n{}\n}\n',
    /sandbox\.json:1 has format 99; this version reads format/,
  ],
])('refuses to start on a manifest that %s, and leaves it as it is', async (_, text, reason) => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'sandboxes', 'default', 'sandbox.json')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)

  const refused = run(['serve', '--port', '0', '--data', folder.path])
  expect(await refused.ended).toBe(3)
  expect(refused.errors()).toMatch(reason)
  expect(refused.errors()).toContain(`subscription-sandbox doctor --data ${folder.path}`)
  expect(refused.errors()).not.toMatch(/\n\s+at /)
  expect(await readFile(file, 'utf8')).toBe(text)
  await folder.remove()
})

it.each([
  [[], 'A command is missing'],
  [['dance'], 'There is no command "dance"'],
  [['serve', '--prot', '1'], '--prot'],
  [['serve', '--port', 'abc'], '--port must be an integer from 0 to 65535; got "abc"'],
  [['serve', '--lock', 'file'], '--lock must be one of: kernel, none; got "file"'],
  [['doctor', '--lock', ''], '--lock must be one of: kernel, none; got ""'],
  [
    ['serve', '--clock-start', 'yesterday'],
    '--clock-start must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "yesterday"',
  ],
  [
    ['serve', '--clock-start', '2027-02-30'],
    '--clock-start must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "2027-02-30"',
  ],
  [
    ['serve', '--clock-start', '2027-02-30T10:00:00Z'],
    '--clock-start must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "2027-02-30T10:00:00Z"',
  ],
  [
    ['serve', '--clock-start', '2027-01-31T24:00:00Z'],
    '--clock-start must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "2027-01-31T24:00:00Z"',
  ],
  [
    ['serve', '--clock-start', '2027-13-01'],
    '--clock-start must be an instant such as 2027-01-31T10:00:00Z, a date, or now; got "2027-13-01"',
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
  ['2027-02-01', '2027-02-01T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2027-02-01T10:00:00+02:00', '2027-02-01T08:00:00.000Z'],
])('starts its clock at %s', async (text, now) => {
  const sandbox = await serve('--data', 'memory', '--clock-start', text)
  expect(sandbox.output()).toContain(`virtual now ${now}`)
  await sandbox.stop()
})

it('says how it is used when asked', async () => {
  const asked = run(['--help'])
  expect(await asked.ended).toBe(0)
  expect(asked.output()).toContain('usage: subscription-sandbox')
})

it('ends with 3 when the port is taken', async () => {
  const sandbox = await serve('--data', 'memory')
  const second = run(['serve', '--port', new URL(sandbox.url).port, '--data', 'memory'])
  expect(await second.ended).toBe(3)
  expect(second.errors()).toContain('EADDRINUSE')
  await sandbox.stop()
})

it('prints the OpenAPI document without starting anything', async () => {
  const printed = run(['openapi', '--json'])
  expect(await printed.ended).toBe(0)
  expect(JSON.parse(printed.output()).openapi).toBe('3.1.0')
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
  expect(second.errors()).toMatch(
    /^--fixture "dunning" is not used: .*POST \{"fixture":"dunning"\} to \/sandbox\/reset.*\n$/,
  )

  const third = await failToServe('--data', folder.path, '--fixture', 'startr')
  expect(third.errors).toContain('fixture "startr" does not exist; did you mean "starter"?')
  await folder.remove()
})
