import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { MatrixReport } from '../../../src/cli/matrix/matrix-report.ts'
import { outcome, run } from '../../support/command-line.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { run as runBuilt } from '../../support/process.ts'

/** A program that makes calls as a client, and says in TAP whether something held. */
const client = (work: string) => `
  const call = (body, path = '') => fetch(process.env.SANDBOX_URL + '/v1/subscriptions' + path, {
    method: 'POST',
    headers: { Authorization: 'Bearer ' + process.env.SANDBOX_API_KEY },
    body: new URLSearchParams(body),
  })
  const held = (name, is) => {
    console.log((is ? 'ok' : 'not ok') + ' 1 - ' + name)
    if (!is) process.exitCode = 4
  }
  const order = { customer_id: 'cus_ada', plan: 'basic' }
  ${work}`

/** Reads the answer, and what its status is called. */
const plain = client(`
  const answer = await call(order).catch(() => null)
  const body = await answer?.json().catch(() => null)
  held('creates', Boolean(body?.subscription_id))
  if (body?.subscription_id) held('is active', body.status === 'active')`)

const node = (program: string) => ['--', process.execPath, '--input-type=module', '-e', program]

async function matrix(program: string, ...options: string[]) {
  return outcome(run(['exec', '--matrix', ...options, ...node(program)]))
}

async function reportOf(program: string, ...options: string[]) {
  const { code, out, err } = await matrix(program, '--json', ...options)
  return { code, err, report: JSON.parse(out) as MatrixReport }
}

it('says what it will do, and finds each cause once, with the request and both answers', async () => {
  const only = ['vary/', 'evolution/new', 'fault/5'].flatMap((name) => ['--only', name])
  const { code, err, report } = await reportOf(plain, ...only)
  expect(code).toBe(1)
  expect(err).toMatch(
    /^\d+ cells, \d+ at a time, [\d.]+ s for each run: about [\d.]+ s\ndone in [\d.]+ s\n$/,
  )
  const failed = report.cells.filter(({ result }) => result === 'failed')
  expect(failed.map(({ name, test }) => [name, test])).toEqual([
    ['vary/subscription-fields', 'is active'],
    ['vary/status-names', 'is active'],
    ['evolution/new-status/active', 'is active'],
    ['fault/500/createSubscription', 'creates'],
    ['fault/503/createSubscription', 'creates'],
  ])
  expect(report.findings.map(({ cells }) => cells)).toEqual([
    ['vary/subscription-fields'],
    ['vary/status-names', 'evolution/new-status/active'],
    ['fault/500/createSubscription', 'fault/503/createSubscription'],
  ])
  expect(failed[1]?.difference).toMatchObject({
    request: 'POST /v1/subscriptions customer_id=cus_ada&plan=basic',
    fields: ['status'],
    is: { status: 200, body: expect.stringContaining('"status":"Active"') },
    was: { status: 200, body: expect.stringContaining('"status":"active"') },
  })
  expect(report.cells.find(({ name }) => name === 'vary/success-status')?.result).toBe('passed')
})

it('repeats one cell by the command that it prints', async () => {
  const { out } = await matrix(
    plain,
    '--seed',
    '3',
    '--fixture',
    'starter',
    '--only',
    'evolution/new',
  )
  expect(out).toContain('status is "scheduled"; it was "active"')
  const [, repeat = ''] = /^ +npx subscription-sandbox (exec .*?) -- /m.exec(out) ?? []
  expect(repeat).toBe('exec --matrix --only evolution/new-status/active --fixture starter --seed 3')
  const again = await outcome(run([...repeat.split(' '), ...node(plain)]))
  expect(again.code).toBe(1)
  expect(again.out).toContain('status is "scheduled"; it was "active"')
  expect(again.out).toMatch(/^1 cell: 1 failed, 1 finding \(seed 3\)\.$/m)
})

it('accepts what a baseline lists, and fails when another test fails', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'accepted.json')
  const only = ['--only', 'vary/status-names']
  expect((await matrix(plain, ...only, '--write-baseline', file)).code).toBe(1)
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    accepted: { 'vary/status-names': 'is active' },
  })
  const accepted = await matrix(plain, ...only, '--baseline', file)
  expect(accepted).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^accepted +vary\/status/m),
  })
  const renamed = plain.replace("held('is active'", "held('is on'")
  expect((await matrix(renamed, ...only, '--baseline', file)).code).toBe(1)
  const repaired = plain.replace("=== 'active'", "!== ''")
  const { code, out } = await matrix(repaired, ...only, '--baseline', file)
  expect(code).toBe(0)
  expect(out).toContain('vary/status-names passes: the baseline need not accept it.')
  expect(await matrix(plain, ...only, '--write-baseline', folder.path)).toMatchObject({
    code: 3,
    out: expect.stringContaining('1 cell: 1 failed'),
    err: expect.stringMatching(/--write-baseline .* cannot be written: it is a folder\.\n$/),
  })
  await writeFile(file, '{"accepted":[]}')
  expect(await matrix(plain, '--baseline', file)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--baseline must be a file that --write-baseline wrote; got '),
  })
  await folder.remove()
})

it('draws the same sample with the same seed', async () => {
  const namesOf = async (seed: string) => {
    const { report } = await reportOf(plain, '--sample', '2', '--seed', seed)
    return report.cells.map(({ name }) => name)
  }
  const first = await namesOf('1')
  expect(first).toHaveLength(2)
  expect(await namesOf('1')).toEqual(first)
  expect(await namesOf('2')).not.toEqual(first)
})

it('prints the last lines and the exit code of a test that it does not know', async () => {
  const silent = client(`
    const answer = await call(order)
    if (answer.status !== 200) { console.error('got', answer.status); process.exit(7) }`)
  const { code, out } = await matrix(silent, '--only', 'vary/success-status')
  expect(code).toBe(1)
  expect(out).toContain('1. the command ends with 7')
  expect(out).toContain('   | got 201\n')
  expect(out).toContain('HTTP status is 201; it was 200')
})

it('compares nothing where the tests fail as it is, or call nothing, or no cell is named so', async () => {
  expect(await matrix('console.log("red"); process.exitCode = 5')).toMatchObject({
    code: 5,
    out: '',
    err: expect.stringMatching(
      /^red\n.* fails without a deviation \(5\); nothing was compared\.\n$/,
    ),
  })
  expect(await matrix('')).toMatchObject({
    code: 3,
    err: expect.stringContaining('made no call of /v1'),
  })
  expect(await matrix(plain, '--only', '')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--only must begin the name of a cell; got ""; '),
  })
  expect(await matrix(plain, '--only', 'fault/teapot')).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /--only must begin the name of a cell; got "fault\/teapot"; its calls can show fault\/[^ ]+, .* \(5 of \d+\)\.\n/,
    ),
  })
  const without = run(['exec', '--only', 'vary', ...node(plain)])
  expect(await outcome(without)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--only is for the matrix; add --matrix.'),
  })
  expect(await outcome(run(['exec', '--matrix', '--', 'no-such-program']))).toMatchObject({
    code: 3,
    err: expect.stringContaining('no-such-program cannot be run'),
  })
})

it('ends what it started when it is stopped', async () => {
  const folder = await temporaryFolder()
  const file = join(folder.path, 'pid')
  const hangs = client(`
    await call(order)
    const { existsSync, writeFileSync } = await import('node:fs')
    if (existsSync('${file}.once')) {
      writeFileSync('${file}', String(process.pid))
      setInterval(() => {}, 1000)
    }
    writeFileSync('${file}.once', '')`)
  const running = runBuilt(['exec', '--matrix', '--jobs', '1', ...node(hangs)])
  const pid = await vi.waitUntil(() => readFile(file, 'utf8').catch(() => ''))
  running.child.kill('SIGTERM')
  await running.ended
  expect(running.child.signalCode).toBe('SIGTERM')
  await vi.waitUntil(() => !isAlive(Number(pid)))
  await folder.remove()
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
