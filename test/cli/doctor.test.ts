import { appendFile, cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CUSTOMERS, doctor, filesIn, live, stateServed } from '../support/doctor.ts'
import { run, serve, temporaryFolder } from '../support/process.ts'

type Folder = Awaited<ReturnType<typeof temporaryFolder>>

/** Written once by a real process; every test damages a copy. */
let original: Folder
/** The state after each number of customers. */
let states: string[]
let place: Folder
let folder: string
let target: string

beforeAll(async () => {
  original = await temporaryFolder()
  states = await live(original.path)
})

afterAll(() => original.remove())

beforeEach(async () => {
  place = await temporaryFolder()
  folder = join(place.path, 'damaged')
  target = join(place.path, 'saved')
  await cp(original.path, folder, { recursive: true })
})

afterEach(() => place.remove())

const file = (name: string) => join(folder, 'default', name)

async function change(name: string, from: string, to: string): Promise<void> {
  const text = await readFile(file(name), 'utf8')
  expect(text).toContain(from)
  await writeFile(file(name), text.replace(from, to))
}

/** What the doctor says of the default sandbox, and that it left the folder as it was. */
async function examine(...args: readonly string[]) {
  const before = await filesIn(folder)
  const { code, report } = await doctor(folder, ...args)
  expect(await filesIn(folder)).toEqual(before)
  const [sandbox] = report.sandboxes
  if (sandbox === undefined) throw new Error('It says nothing of a sandbox')
  return { code, report, sandbox }
}

/** Saves, and serves what was saved. */
async function save(...args: readonly string[]): Promise<string> {
  expect((await examine('--save-to', target, ...args)).code).toBe(1)
  expect((await doctor(target)).code).toBe(0)
  return stateServed(target)
}

/** A start refuses the folder, and says whom to ask. */
async function expectRefusal(): Promise<void> {
  const refused = run(['serve', '--port', '0', '--data', folder])
  expect(await refused.ended).toBe(3)
  expect(refused.errors()).toContain(`subscription-sandbox doctor --data ${folder}`)
}

it('finds a folder sound that a process left, and what it saves of it is the same', async () => {
  const { code, report, sandbox } = await examine('--save-to', target)
  expect(code).toBe(0)
  expect(report).toMatchObject({ format: 1, folder, in_use_by: null, sound: true })
  expect(sandbox).toMatchObject({
    sandbox_id: 'default',
    sound: true,
    damages: [],
    warnings: [],
    savable: { entry: CUSTOMERS, lines_lost: 0, verified: true },
    saved: { from: 'state', checkpoint: null },
  })
  expect(sandbox.checkpoints.map(({ name }) => name)).toEqual(['at-5', 'at-10'])
  expect(await stateServed(target)).toBe(states[CUSTOMERS])
})

it('saves everything up to a flipped byte in the journal, and nothing after it', async () => {
  await change('journal.ndjson', 'made-13', 'made-31')
  await expectRefusal()
  const { code, sandbox } = await examine()
  expect(code).toBe(1)
  expect(sandbox).toMatchObject({
    sound: false,
    damages: [{ at: `${file('journal.ndjson')}:13`, reason: 'does not match its checksum' }],
    savable: { entry: 12, now: '2027-01-01T00:00:00.000Z', lines_lost: 8, verified: true },
  })
  expect(await save()).toBe(states[12])
})

it('saves everything up to an entry that contradicts what is before it', async () => {
  const lines = (await readFile(file('journal.ndjson'), 'utf8')).split('\n')
  const body = (lines[14] ?? '')
    .replace(/^.*?"body":(.*)\}$/, '$1')
    .replace('"balance":0', '"balance":7')
  const sum = crc32(body).toString(16).padStart(8, '0')
  lines[14] = `{"sum":"${sum}","body":${body}}`
  await writeFile(file('journal.ndjson'), lines.join('\n'))
  await expectRefusal()
  const { sandbox } = await examine()
  expect(sandbox.damages).toMatchObject([{ at: `${file('journal.ndjson')}:15` }])
  expect(sandbox.damages[0]?.reason).toContain('made-15 breaks customer_balance')
  expect(sandbox.savable).toMatchObject({ entry: 14, lines_lost: 6 })
  expect(await save()).toBe(states[14])
})

it('saves the state without a journal that is missing, and says that it cannot know what is lost', async () => {
  await rm(file('journal.ndjson'))
  await expectRefusal()
  const { code, sandbox } = await examine()
  expect(code).toBe(1)
  expect(sandbox).toMatchObject({
    damages: [{ at: file('journal.ndjson'), reason: 'is missing, and state.json needs it' }],
    savable: { entry: 0, lines_lost: null, verified: true },
  })
  expect(await save()).toBe(states[0])
})

describe('a state that cannot be used', () => {
  const damages = [
    {
      what: 'cut short',
      at: /state\.json:\d+$/,
      reason: 'is cut short',
      damage: () => truncate(file('state.json'), 3000),
    },
    {
      what: 'of a newer version',
      at: /state\.json:1$/,
      reason: 'has format 99, which a newer version wrote; this one reads format 2',
      damage: () => change('state.json', '"format":2', '"format":99'),
    },
    {
      what: 'missing',
      at: /state\.json$/,
      reason: 'is missing, and the journal beside it only holds what changed after it',
      damage: () => rm(file('state.json')),
    },
  ]

  it.each(damages)('$what: the newest checkpoint is saved in its place', async (each) => {
    await each.damage()
    await expectRefusal()
    const { code, sandbox } = await examine()
    expect(code).toBe(1)
    expect(sandbox).toMatchObject({ sound: false, damages: [{ reason: each.reason }] })
    expect(sandbox.damages[0]?.at).toMatch(each.at)
    expect(sandbox.savable).toBeNull()
    expect(await save()).toBe(states[10])
  })

  it('without a checkpoint: it is named, and the others are saved', async () => {
    await cp(file('.'), join(folder, 'other'), { recursive: true })
    await rm(file('checkpoints'), { recursive: true })
    await truncate(file('state.json'), 3000)
    const { code, report } = await doctor(folder, '--save-to', target)
    expect(code).toBe(1)
    const saved = report.sandboxes.map((each) => [each.sandbox_id, each.saved?.from ?? null])
    expect(Object.fromEntries(saved)).toEqual({ default: null, other: 'state' })
    expect((await doctor(target)).report.sandboxes).toMatchObject([{ sandbox_id: 'other' }])
    const told = run(['doctor', '--data', folder, '--save-to', `${target}-2`])
    expect(await told.ended).toBe(1)
    expect(told.output()).toMatch(/default {2}DAMAGED(.|\n)*NOT saved(.|\n)*Damaged: default\./)
  })
})

describe('a state that contradicts only its checksum', () => {
  beforeEach(() => change('state.json', 'Ada Lovelace', 'Ada Loveless'))

  it('is offered as unverified, and left unless that is asked for', async () => {
    await expectRefusal()
    const { code, sandbox } = await examine()
    expect(code).toBe(1)
    expect(sandbox.damages).toMatchObject([{ reason: 'does not match the checksum of line 1' }])
    expect(sandbox.savable).toMatchObject({ entry: CUSTOMERS, lines_lost: 0, verified: false })
    expect(await save()).toBe(states[10])
  })

  it('is saved with the journal after it when that is asked for', async () => {
    const state = states[CUSTOMERS]?.replace('Ada Lovelace', 'Ada Loveless')
    expect(await save('--include-unverified')).toBe(state)
  })

  it('is not even offered where it contradicts itself', async () => {
    await change('state.json', '"productId": "prod_app"', '"productId": "prod_ape"')
    expect((await examine()).sandbox.savable).toBeNull()
  })
})

it('says which checkpoint is damaged, and saves the state and the others', async () => {
  await change('checkpoints/000001-at-5.json', 'made-5', 'made-6')
  const { code, sandbox } = await examine('--save-to', target)
  expect(code).toBe(1)
  expect(sandbox).toMatchObject({ sound: false, damages: [] })
  const [five, ten] = sandbox.checkpoints
  expect(five).toMatchObject({
    name: 'at-5',
    sound: false,
    damage: { reason: 'does not match the checksum of line 1' },
  })
  expect(five?.damage?.at).toMatch(/000001-at-5\.json:2-\d+$/)
  expect(ten).toMatchObject({ name: 'at-10', sound: true })
  expect(await stateServed(target)).toBe(states[CUSTOMERS])
  const saved = (await doctor(target)).report.sandboxes[0]?.checkpoints
  expect(saved).toEqual([{ name: 'at-10', sound: true, damage: null }])
})

it('finds the checkpoints again where their index is damaged', async () => {
  await truncate(file('checkpoints/index.json'), 30)
  await expectRefusal()
  const { sandbox } = await examine('--save-to', target)
  expect(sandbox.damages).toMatchObject([{ at: `${file('checkpoints/index.json')}:1` }])
  const saved = (await doctor(target)).report.sandboxes[0]?.checkpoints.map(({ name }) => name)
  expect(saved).toEqual(['at-5', 'at-10'])
  expect(await stateServed(target)).toBe(states[CUSTOMERS])
})

it('only warns of a torn last line, which a start drops', async () => {
  await appendFile(file('journal.ndjson'), '{"sum":"00')
  const { code, sandbox } = await examine()
  expect(code).toBe(0)
  expect(sandbox.warnings[0]).toContain(`journal.ndjson:${CUSTOMERS + 1} was cut short`)
  expect(await stateServed(folder)).toBe(states[CUSTOMERS])
})

it('looks at a folder that a process has, says which, and leaves it the folder', async () => {
  const sandbox = await serve('--data', folder)
  const { code, report } = await doctor(folder)
  expect(code).toBe(0)
  expect(report.in_use_by).toMatchObject({ pid: sandbox.child.pid })
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', headers, body: '{"customer_id":"still"}' }
  expect((await fetch(`${sandbox.url}/sandbox/customers`, request)).status).toBe(201)
  expect(await sandbox.stop()).toBe(0)
})

it('tells a person the same in sentences, and how to go on', async () => {
  await change('journal.ndjson', 'made-13', 'made-31')
  const told = run(['doctor', '--data', folder])
  expect(await told.ended).toBe(1)
  expect(told.output()).toContain('journal.ndjson:13 does not match its checksum')
  expect(told.output()).toContain('up to entry 12, virtual time 2027-01-01T00:00:00.000Z')
  expect(told.output()).toContain('8 lines of the journal after it cannot')
  expect(told.output()).toContain(`doctor --data ${folder} --save-to NEWDIR`)
})

it('saves only to a folder elsewhere that holds nothing', async () => {
  await mkdir(target)
  await writeFile(join(target, 'mine'), '')
  for (const wrong of [target, folder, join(folder, 'new'), join(target, 'mine')]) {
    const refused = run(['doctor', '--data', folder, '--save-to', wrong])
    expect(await refused.ended).toBe(2)
    expect(refused.errors()).toContain(`--save-to "${wrong}"`)
    expect(refused.errors()).toContain('would be accepted')
  }
})

it('ends with 3 where there is no folder to look at', async () => {
  const refused = run(['doctor', '--data', join(place.path, 'nowhere')])
  expect(await refused.ended).toBe(3)
  expect(refused.errors()).toContain('nowhere')
})
