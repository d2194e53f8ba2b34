import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { outcome, run } from '../support/command-line.ts'

let folder: string
/** Recordings: one that ends with a refusal, and one that does not. */
let refused: string
let paid: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shrink-'))
  await using sandbox = await startSandbox()
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  for (const plan of ['basic', 'pro']) await sandbox.subscriptions.create({ ...order, plan })
  await sandbox.clock.advance('P1M')
  await sandbox.subscriptions.pause('sub_000002')
  paid = join(folder, 'paid.json')
  await writeFile(paid, await sandbox.recording('json'))
  await sandbox.subscriptions.pause('sub_000002').catch(() => undefined)
  refused = join(folder, 'refused.json')
  await writeFile(refused, await sandbox.recording('json'))
})
afterAll(() => rm(folder, { recursive: true }))

const shrink = (...args: readonly string[]) => outcome(run(['shrink', ...args]))

/** The calls that are left, by what they end with. */
const targetsIn = (text: string) =>
  [...text.matchAll(/"target":\["[^"]*\/([^/"]*)"\]/g)].map(([, end]) => end)

it('cuts a recording to what has its last call refused, and writes it as a script', async () => {
  const { code, out, err } = await shrink(refused)
  expect(code).toBe(0)
  expect(out).toMatch(/^#!\/bin\/sh\n/)
  expect(out.match(/^send \d+ POST \S+/gm)).toEqual([
    "send 201 POST '/sandbox/subscriptions'",
    "send 200 POST '/v1/subscriptions/sub_000001/pause'",
    "send 409 POST '/v1/subscriptions/sub_000001/pause'",
  ])
  expect(err).toMatch(/\n3 of 5 calls are needed \(\d+ trials\)\.\n$/)
})

it('cuts a recording to what leads to an event', async () => {
  const { code, out } = await shrink(paid, '--event', 'subscription.renewed', '--format', 'json')
  expect(code).toBe(0)
  expect(targetsIn(out)).toEqual(['subscriptions', 'advance'])
})

it('asks for the file of a fixture that is one', async () => {
  const recording = join(folder, 'elsewhere.json')
  const text = (await readFile(refused, 'utf8')).replace('"fixture":"starter"', '"fixture":"shop"')
  await writeFile(recording, text)
  const { code, err } = await shrink(recording)
  expect(code).toBe(2)
  expect(err).toContain(
    '"shop" does not exist; fixtures: calendar-hazards, dunning, empty, starter, or --fixture with its',
  )
})

it('asks a command, which finds the sandbox of each trial', async () => {
  const program = `
    const { SANDBOX_URL: url, SANDBOX_API_KEY: key } = process.env
    const headers = { Authorization: 'Bearer ' + key }
    const { data } = await (await fetch(url + '/sandbox/subscriptions', { headers })).json()
    process.exitCode = data.some(({ status }) => status === 'paused') ? 0 : 1`
  const command = ['--', process.execPath, '--input-type=module', '-e', program]
  const { code, out } = await shrink(paid, '--format', 'json', ...command)
  expect(code).toBe(0)
  expect(targetsIn(out)).toEqual(['subscriptions', 'pause'])
})

it.each([
  [() => [paid], 2, 'is not refused; say what matters by --event, or by a command after --.'],
  [() => [paid, '--event', 'charge.failed'], 2, 'no event charge.failed happens in '],
  [() => [paid, '--event', 'payment'], 2, '--event must be one of: '],
  [
    () => [paid, '--event', 'invoice.piad'],
    2,
    '; got "invoice.piad"; the nearest is "invoice.paid".',
  ],
  [() => [paid, '--event', 'invoice.paid', '--', 'true'], 2, '--event or a command, not both'],
  [() => [paid, '--', 'no-such-program'], 3, 'no-such-program cannot be run: '],
  [() => [paid, '--', ''], 2, '<command> must begin with a program; got "".'],
  [
    () => [paid, '--fixture', 'none.yaml'],
    2,
    '--fixture none.yaml: there is no such file or folder.',
  ],
  [() => ['nowhere.json'], 2, 'RECORDING nowhere.json cannot be read: there is no such file.'],
  [() => ['.'], 2, 'RECORDING . cannot be read: it is a folder.'],
  [() => [paid, '--', 'false'], 2, 'the command must end with 0 after all calls of '],
  [
    () => ['package.json'],
    2,
    'package.json: must be what recording --format json wrote; its format is missing or wrong.',
  ],
])('refuses what it cannot shrink: %s', async (args, expected, message) => {
  const { code, out, err } = await shrink(...args())
  expect({ code, out }).toEqual({ code: expected, out: '' })
  expect(err).toContain(message)
})
