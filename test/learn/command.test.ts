/** How `learn` is used: what it refuses, and what it says. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inferFixture, withoutOlder } from '../../src/learn/inferred-fixture.ts'
import { readRecording } from '../../src/learn/recording.ts'
import { outcome, run, serveHere } from '../support/command-line.ts'
import { historyFixture, ownRecording } from '../support/own-recording.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'learn-'))
  const fixture = join(folder, 'shop.json')
  await writeFile(fixture, JSON.stringify(historyFixture))
  const parts = ['coupons', 'failing'] as const
  await writeFile(join(folder, 'own.ndjson'), await ownRecording(fixture, {}, parts))
  await writeFile(join(folder, 'wrong.har'), '{"log":{"entries":7}}')
  await writeFile(
    join(folder, 'late.json'),
    JSON.stringify({ now: '2027-01-01', history: [{ at: '2030-01-01' }] }),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const type = (line: string) => outcome(run(line.split(' '), {}, folder))

it.each([
  ['learn', 'learn takes a RECORDING to read, or --from and --out to write one.'],
  [
    'learn own.ndjson --from http://127.0.0.1:1',
    'learn takes a RECORDING to read, or --from and --out to write one.',
  ],
  [
    'learn --from nowhere --out a.har',
    '--from must be an address such as http://127.0.0.1:4010; got "nowhere".',
  ],
  ['learn none.har', 'RECORDING none.har cannot be read: there is no such file.'],
  ['learn wrong.har', 'wrong.har: log.entries must be a list of entries; got 7.'],
  ['learn own.ndjson --fixture none', 'fixture "none" does not exist; fixtures: '],
  ['learn own.ndjson --fixture late.json', 'own.ndjson cannot be replayed: '],
  ['learn own.ndjson --settings none.yaml', '--settings none.yaml: there is no such file.'],
  ['learn own.ndjson --reporter html', '--reporter must be one of pretty, json, junit, github'],
])('refuses %s', async (line, message) => {
  const { code, err } = await type(line)
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})

it.each([
  ['learn own.ndjson --write .', '--write . cannot be written: it is a folder.'],
  ['learn --from http://127.0.0.1:1 --out .', '--out . cannot be written: it is a folder.'],
])('names the option of a file that cannot be written: %s', async (line, message) => {
  const { code, err } = await type(line)
  expect([code, err]).toEqual([3, expect.stringContaining(message)])
})

it('reads a recording with a byte order mark, as some recorders write it', async () => {
  const text = await readFile(join(folder, 'own.ndjson'), 'utf8')
  await writeFile(join(folder, 'marked.ndjson'), `\uFEFF${text}`)
  const [marked, own] = [await type('learn marked.ndjson'), await type('learn own.ndjson')]
  expect(marked.out).toBe(own.out.replaceAll('own.ndjson', 'marked.ndjson'))
})

it('says that the port to record at is in use, and leaves the recording that is there', async () => {
  const text = await readFile(join(folder, 'own.ndjson'), 'utf8')
  const { url, stop } = await serveHere()
  const { port } = new URL(url)
  await writeFile(join(folder, 'before.har'), text)
  const { code, err } = await type(`learn --from ${url} --out before.har --port ${port}`)
  await stop()
  expect([code, err]).toEqual([3, expect.stringMatching(`^Port ${port} of 127.0.0.1 is in use, `)])
  expect(await readFile(join(folder, 'before.har'), 'utf8')).toBe(text)
})

it('says once why exchanges are left out', async () => {
  const [line = ''] = (await readFile(join(folder, 'own.ndjson'), 'utf8')).split('\n')
  const elsewhere = line.replace(/"path":"[^"]*"/, '"path":"/health"')
  await writeFile(join(folder, 'mixed.ndjson'), [elsewhere, line, elsewhere, elsewhere].join('\n'))
  const { out } = await type('learn mixed.ndjson')
  await writeFile(join(folder, 'two.ndjson'), [elsewhere, line, elsewhere].join('\n'))
  expect((await type('learn two.ndjson')).out).toContain('not below /v1. So is 1 more.\n')
  expect(out.split('\n').slice(0, 3)).toEqual([
    'mixed.ndjson: 1 exchange replayed',
    '  left out: line 1: its path is not below /v1. So are 2 more.',
    expect.not.stringContaining('left out'),
  ])
})

it('infers that a coupon extends a trial where it moves its end and leaves no discount', () => {
  const of = (path: string, body: string, current_period_end: string) => {
    const start = { current_period_start: '2027-01-01T00:00:00Z', discounts: [] }
    return JSON.stringify({
      at: '2027-01-01T00:00:00Z',
      request: { method: 'POST', path: `/v1/subscriptions${path}`, headers, body },
      answer: { status: 200, body: JSON.stringify({ id: 'sub_1', ...start, current_period_end }) },
    })
  }
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const lines = [
    of('', 'customer_id=cus_ada&plan=pro&trial_period_days=14', '2027-01-15T00:00:00Z'),
    of('/sub_1/apply-coupon', 'coupon_id=MORE', '2027-01-22T00:00:00Z'),
    of('/sub_1/apply-coupon', 'coupon_id=NONE', '2027-01-22T00:00:00Z'),
  ]
  const { exchanges } = readRecording('a.ndjson', lines.join('\n'))
  const { fixture, inferred } = inferFixture(exchanges)
  expect(inferred).toContain('coupon MORE extends a trial or period by 7 days: exchange 2')
  expect(inferred).toContain(
    'coupon NONE takes 10 percent off forever: no answer shows what it does',
  )
  expect(fixture.coupons).toMatchObject([{ type: 'trial_extension', value: 7 }, { value: 10 }])
})

/** Exchanges of subscriptions, each with its path, form, answer and instant. */
function exchangesOf(...all: [path: string, body: string, answer: object, at?: string][]) {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: 'Bearer x' }
  const lines = all.map(([path, body, answer, at = '2028-01-31T00:00:00Z']) => {
    const status = 'error' in answer ? 409 : 200
    const request = { method: 'POST', path: `/v1/subscriptions${path}`, headers, body }
    return JSON.stringify({ at, request, answer: { status, body: JSON.stringify(answer) } })
  })
  return readRecording('a.ndjson', lines.join('\n'))
}

it.each([
  ['2028-02-07', 'every 7 days'],
  ['2028-02-10', 'every 10 days'],
  ['2028-02-29', 'by the month'],
  ['2028-04-30', 'every 3 months'],
  ['2029-01-31', 'by the year'],
  ['2030-01-31', 'every 2 years'],
])('infers from a period to %s that a plan is billed %s', (end, every) => {
  const period = { current_period_start: '2028-01-31', current_period_end: end }
  const instants = Object.entries(period).map(([name, date]) => [name, `${date}T00:00:00.000Z`])
  const record = { id: '7', plan: 'one', ...Object.fromEntries(instants) }
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', record])
  const { inferred } = inferFixture(exchanges)
  expect(inferred).toContain(`plan one is billed ${every}`)
})

it.each(['status', 'state'])('infers that a customer cannot pay from a past due %s', (name) => {
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', { id: '7', [name]: 'Past Due' }])
  const { fixture } = inferFixture(exchanges)
  expect(fixture.customers).toMatchObject([{ customer_id: 'a', payment_method: 'none' }])
})

it.each([
  [{ until: '2029-01-31T00:00:00Z', made: '2028-01-31T00:00:00Z' }, 'by the year'],
  [{ until: 1833753600 }, 'every 10 days'],
  [
    { until: '2029-01-31T00:00:00Z', next: '2028-02-29T00:00:00Z' },
    'by the month: no answer shows its periods',
  ],
])('infers from %j, whatever the names are, that a plan is billed %s', (instants, every) => {
  const record = { id: '7', plan: 'one', ...instants }
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', record])
  expect(inferFixture(exchanges).inferred).toContain(`plan one is billed ${every}`)
})

it('says that no answer shows how often a plan bills', () => {
  const { exchanges } = exchangesOf(['', 'customer_id=a&plan=one', { id: '7', plan: 'one' }])
  expect(inferFixture(exchanges).inferred).toContain(
    'plan one is billed by the month: no answer shows its periods',
  )
})

it('infers that a coupon is limited to the plans on which it was not refused', () => {
  const [basic, pro] = ['basic', 'pro'].map((plan) => ({ id: 'sub_7', plan, status: 'active' }))
  const { exchanges } = exchangesOf(
    ['', 'customer_id=a&plan=basic', { ...basic }],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { error: 'coupon_not_applicable' }],
    ['/sub_7/update', 'plan=pro', { ...pro }],
    ['/sub_7/apply-coupon', 'coupon_id=PRO', { ...pro }],
  )
  const { fixture, inferred } = inferFixture(exchanges)
  expect(inferred).toContain('coupon PRO is not for plan basic: exchange 2')
  expect(fixture.coupons).toMatchObject([{ coupon_id: 'PRO', applies_to_plans: ['pro'] }])
})

it('leaves out calls on subscriptions that are older than the recording', () => {
  const record = { id: '9', plan: 'pro', status: 'active' }
  const whole = exchangesOf(
    ['/7/pause', '', { ...record, id: '7' }],
    ['', 'customer_id=a&plan=pro', record],
    ['/9/pause', '', record],
    ['/8/pause', '', { error: 'not_found' }],
    ['/7/cancel', '', { error: 'invalid_transition' }],
  )
  const { exchanges, leftOut } = withoutOlder(whole)
  expect(exchanges.map(({ number, place }) => [number, place])).toEqual([
    [1, 'line 2'],
    [2, 'line 3'],
    [3, 'line 4'],
  ])
  expect(leftOut).toEqual([
    'line 1: its subscription is older than the recording.',
    'line 5: its subscription is older than the recording.',
  ])
  expect(() => withoutOlder({ ...whole, exchanges: whole.exchanges.slice(0, 1) })).toThrow(
    'a.ndjson must have an exchange with a path below /v1; line 1: its subscription is older than the recording.',
  )
})

it('sends a number as it is where an identifier is the same number', async () => {
  const text = await readFile(join(folder, 'own.ndjson'), 'utf8')
  const [first = ''] = text.split('\n').filter((line) => line.includes('trial_period_days=30'))
  const numbered = text
    .replaceAll('sub_000001', '30')
    .replaceAll('sub_000002', '7')
    .replaceAll('sub_000003', '14')
  expect(first).not.toBe('')
  await writeFile(
    join(folder, 'numbered.ndjson'),
    `${numbered}${first.replaceAll('sub_000001', '31')}\n`,
  )
  const { code, out } = await type('learn numbered.ndjson')
  expect(code, out).toBe(0)
})

it('replays what has no body in its answer, and compares its status', async () => {
  const lines = (await readFile(join(folder, 'own.ndjson'), 'utf8')).trimEnd().split('\n')
  const at = lines.findIndex((line) => line.includes('coupon_id=SAVE20'))
  const { answer, ...rest } = JSON.parse(lines[at] ?? '')
  const learnWith = async (status: number) => {
    const bodyless = JSON.stringify({
      ...rest,
      answer: { ...answer, status, body: null, bytes: 9 },
    })
    await writeFile(join(folder, 'bodyless.ndjson'), lines.toSpliced(at, 1, bodyless).join('\n'))
    return type('learn bodyless.ndjson')
  }
  const { code, out } = await learnWith(200)
  expect(out).toContain(
    `left out: line ${at + 1}: the body of its answer is not in the recording.\n`,
  )
  expect(code, out).toBe(0)
  expect((await learnWith(201)).out).toMatch(/^UNEXPLAINED|^CONTRADICTED {2}success-status/m)
})

it('infers customers, plans and coupons from the answers, and says each', async () => {
  const { code, out } = await type('learn own.ndjson')
  expect(code, out).toBe(0)
  expect(out).toContain('own.ndjson: 12 exchanges replayed')
  for (const line of [
    'customers cus_ada, cus_grace: the recording names them',
    'plan pro is billed by the month',
    'customer cus_grace has no payment method: exchange 8 left it past due',
    'coupon SAVE20 is of type percentage, value 20, duration repeating: answers show it',
    'coupon OVER has expired: exchange 5',
  ]) {
    expect(out).toContain(`  inferred: ${line}\n`)
  }
  expect(out).toMatch(/^confirmed {5}after-retries: /m)
  expect(out).toMatch(/^not seen {6}.*refresh-rotation/m)
  expect(out).toMatch(/^undecided {5}unlisted-transitions: "refuse" would fit as well$/m)
})
