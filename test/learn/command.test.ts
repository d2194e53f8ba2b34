/** How `learn` is used: what it refuses, and what it says. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
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
  [
    'learn --from http://127.0.0.1:1 --out a.har --write a.yaml',
    '--write is for a RECORDING to read, and there is none.',
  ],
  [
    'learn --from http://127.0.0.1:1 --out a.har --reporter json',
    '--reporter is for a RECORDING to read, and there is none.',
  ],
  [
    'learn --from http://127.0.0.1:1 --out a.har --settings a.yaml',
    '--settings is for a RECORDING to read, and there is none.',
  ],
  ['learn own.ndjson --port 4020', '--port is for what --from records, and there is none.'],
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

it.each([
  ['U3Vi=', 'U3Vi%3D'],
  ['sub@eu', 'sub%40eu'],
  ['sub~1', 'sub~1'],
])('finds the subscription %s by %s in a path', async (id, segment) => {
  const text = await readFile(join(folder, 'own.ndjson'), 'utf8')
  const encoded = text.replaceAll('/sub_000001', `/${segment}`).replaceAll('sub_000001', id)
  expect(encoded).toContain(`/${segment}/`)
  await writeFile(join(folder, 'encoded.ndjson'), encoded)
  const { code, out } = await type('learn encoded.ndjson')
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

it('takes no key for the one of the service that a method was refused before it was read', async () => {
  const text = await readFile(join(folder, 'own.ndjson'), 'utf8')
  const headers = { authorization: 'Bearer sk_of_nobody_at_all' }
  const of = (method: string, status: number, error: string) => {
    const body = JSON.stringify({ error, message: 'It is not.' })
    const answer = { status, content_type: 'application/json', body }
    const request = { method, path: '/v1/subscriptions', headers }
    return JSON.stringify({ at: '2027-06-01T00:00:00Z', request, answer })
  }
  const lines = [of('PUT', 405, 'method_not_allowed'), of('POST', 401, 'unauthorized')]
  await writeFile(join(folder, 'keys.ndjson'), `${text}${lines.join('\n')}\n`)
  const { code, out } = await type('learn keys.ndjson')
  expect(code, out).toBe(0)
})

it('infers customers, plans and coupons from the answers, and says each', async () => {
  const { code, out } = await type('learn own.ndjson')
  expect(code, out).toBe(0)
  expect(out).toContain('own.ndjson: 12 exchanges replayed')
  for (const line of [
    'customers cus_ada, cus_grace: the recording names them',
    'plan pro is billed by the month',
    'customer cus_grace has no payment method: exchange 8 shows it past_due',
    'coupon SAVE20 is of type percentage, value 20, duration repeating: answers show it',
    'coupon OVER has expired: exchange 5',
  ]) {
    expect(out).toContain(`  inferred: ${line}\n`)
  }
  expect(out).toMatch(/^confirmed {5}after-retries: /m)
  expect(out).toMatch(/^not seen {6}.*refresh-rotation/m)
  expect(out).toMatch(/^undecided {5}unlisted-transitions: "refuse" would fit as well$/m)
})
