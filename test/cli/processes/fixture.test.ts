/** Fixtures as files, by the built command line in a folder of its own. */
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/folders.ts'
import { failed, runProgram, type Served, served } from '../../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
const running: Served[] = []

beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()))
  await folder.remove()
})

function cli(...args: readonly string[]) {
  return runProgram([process.execPath, resolve('dist/cli/main.js'), ...args], {}, folder.path)
}

async function serve(...args: readonly string[]): Promise<Served> {
  const started = await served(cli('serve', '--port', '0', ...args))
  running.push(started)
  return started
}

const put = (name: string, text: string) => writeFile(join(folder.path, name), text)
const read = async (response: Promise<Response>) =>
  (await response).json() as Promise<{ data?: unknown }>
const get = (url: string) => read(fetch(url))

it('begins with what init writes, and never writes over it', async () => {
  const first = cli('init')
  expect(await first.ended).toBe(0)
  expect(first.output()).toBe(
    'Wrote sandbox.fixture.yaml. To begin with it: npx subscription-sandbox serve --data memory\n',
  )
  const { url, output } = await serve('--data', 'memory')
  expect(output()).toContain('\nFixture sandbox   from sandbox.fixture.yaml\n')
  expect(output()).toContain('\n    -d customer_id=cus_new -d plan=pro -d trial_period_days=14\n')
  const subscriptions = await get(`${url}/sandbox/subscriptions`)
  expect(subscriptions.data).toMatchObject([
    {
      customer_id: 'cus_late',
      status: 'past_due',
      current_period_start: '2027-03-08T12:00:00.000Z',
    },
    { customer_id: 'cus_trial', status: 'trialing', trial_end: '2027-03-14T12:00:00.000Z' },
  ])
  expect(await get(`${url}/sandbox/clock`)).toMatchObject({ now: '2027-03-10T12:00:00.000Z' })

  await put('sandbox.fixture.yaml', 'description: mine\n')
  // A folder in which nothing can be made.
  const none = runProgram([process.execPath, resolve('dist/cli/main.js'), 'init'], {}, '/proc')
  expect(await none.ended).toBe(3)
  expect(none.errors()).toMatch(/^sandbox\.fixture\.yaml cannot be written: /)

  const second = cli('init')
  expect(await second.ended).toBe(2)
  expect(second.errors()).toBe('sandbox.fixture.yaml is there already; it was left as it is.\n')
  expect(await readFile(join(folder.path, 'sandbox.fixture.yaml'), 'utf8')).toBe(
    'description: mine\n',
  )
})

it('prefers the fixture that is named to the one by convention', async () => {
  await put('sandbox.fixture.yaml', 'customers: [{ customer_id: by_convention }]\n')
  await put('my.json', '{"customers": [{"customer_id": "named"}]}')
  const named = await serve('--data', 'memory', '--fixture', 'my.json')
  expect((await get(`${named.url}/sandbox/customers`)).data).toMatchObject([
    { customer_id: 'named' },
  ])
  const shipped = await serve('--data', 'memory', '--fixture', 'empty')
  expect((await get(`${shipped.url}/sandbox/customers`)).data).toEqual([])
  expect(shipped.output()).not.toContain('Fixture')
})

it('has every fixture of a folder, for resets and for further sandboxes', async () => {
  for (const name of ['default', 'second']) {
    await put(`${name}.yaml`, `customers: [{ customer_id: of_${name} }]\n`)
  }
  const { url } = await serve('--data', 'memory', '--fixture', folder.path)
  const customers = async (id: string) => {
    const headers = { 'Sandbox-Id': id }
    return (await read(fetch(`${url}/sandbox/customers`, { headers }))).data
  }
  expect(await customers('default')).toMatchObject([{ customer_id: 'of_default' }])
  const body = JSON.stringify({ fixture: 'second' })
  const sent = { headers: { 'Content-Type': 'application/json' }, body }
  expect((await fetch(`${url}/sandboxes/other`, { method: 'PUT', ...sent })).status).toBe(201)
  expect(await customers('other')).toMatchObject([{ customer_id: 'of_second' }])
  expect((await fetch(`${url}/sandbox/reset`, { method: 'POST', ...sent })).status).toBe(200)
  expect(await customers('default')).toMatchObject([{ customer_id: 'of_second' }])
})

it('ends with every line of a file that is wrong, and starts nothing', async () => {
  await put('my.yaml', 'plans:\n  - amount: 9.5\ncolour: red\n')
  const { code, errors } = await failed(cli('serve', '--port', '0', '--fixture', 'my.yaml'))
  expect(code).toBe(2)
  expect(errors.trimEnd().split('\n')).toEqual(
    expect.arrayContaining([
      'my.yaml:2: plans[0].amount must be an integer from 0 to 1000000000000 (minor units); got 9.5.',
      expect.stringMatching(/^my\.yaml:3: colour is not a known field; fields: /),
    ]),
  )
  expect(errors).not.toContain('    at ')
})

it('puts --clock-start before the time of the file, and says where a stored sandbox stays', async () => {
  await put('sandbox.fixture.yaml', 'now: 2027-05-05\ncustomers: [{ customer_id: one }]\n')
  const first = await serve('--clock-start', '2030-01-01')
  expect(await get(`${first.url}/sandbox/clock`)).toMatchObject({ now: '2030-01-01T00:00:00.000Z' })
  await first.stop()
  await put('sandbox.fixture.yaml', 'customers: [{ customer_id: two }]\n')
  const second = await serve()
  const why = 'is not used: the data folder already has a sandbox'
  await vi.waitUntil(() => second.errors().includes(why))
  expect(second.output()).not.toContain('from sandbox.fixture.yaml')
  expect((await get(`${second.url}/sandbox/customers`)).data).toMatchObject([
    { customer_id: 'one' },
  ])
  await fetch(`${second.url}/sandbox/reset`, { method: 'POST' })
  expect((await get(`${second.url}/sandbox/customers`)).data).toMatchObject([
    { customer_id: 'two' },
  ])
})
