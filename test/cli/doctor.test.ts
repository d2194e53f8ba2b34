import { appendFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LineChain } from '../../src/store/lines.ts'
import { journalStart } from '../../src/store/manifest.ts'
import { run } from '../support/command-line.ts'
import { CUSTOMERS, contentsOf, doctor, filesIn, live } from '../support/doctor.ts'
import { temporaryFolder } from '../support/folders.ts'

type Folder = Awaited<ReturnType<typeof temporaryFolder>>

/** Written once; every test damages a copy. */
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

const file = (name: string) => join(folder, 'sandboxes', 'default', name)
const STATE = 'state-000001.ndjson'
const JOURNAL = 'journal-000001.ndjson'
const [AT_5, V5, AT_10] = [
  'checkpoints-000002.ndjson',
  'pacts-000003.ndjson',
  'checkpoints-000005.ndjson',
]

async function change(name: string, from: string, to: string): Promise<void> {
  const text = await readFile(file(name), 'utf8')
  expect(text).toContain(from)
  await writeFile(file(name), text.replace(from, to))
}

/** The manifest of the default sandbox, as its file has it. */
async function manifest() {
  const [line = ''] = (await readFile(file('sandbox.json'), 'utf8')).split('\n')
  return JSON.parse(line).entry
}

/** Has the manifest be one that a newer version wrote. */
async function makeNewer(): Promise<void> {
  const chain = new LineChain()
  const line = chain.next({ ...(await manifest()), format: 99 })
  await writeFile(file('sandbox.json'), Buffer.concat([line, chain.end()]))
}

/** Puts a folder where a file was. */
async function makeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true })
  await mkdir(path)
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

/** What the doctor says while it saves, and what it saved. */
async function save() {
  const { code, sandbox } = await examine('--save-to', target)
  expect(code).toBe(1)
  return { sandbox, saved: await contentsOf(target) }
}

const documents = { checkpoints: ['at-5', 'at-10'], pacts: ['v5', 'v10'] }

it('finds a folder sound that a process left, and what it saves of it is the same', async () => {
  const { code, report, sandbox } = await examine('--save-to', target)
  expect(code).toBe(0)
  expect(report).toMatchObject({ format: 4, folder, in_use_by: null, sound: true })
  expect(sandbox).toMatchObject({
    sandbox_id: 'default',
    sound: true,
    damages: [],
    warnings: [],
    savable: { now: '2027-01-01T00:00:00.000Z' },
    saved: { from: 'state', checkpoint: null },
  })
  expect(sandbox.checkpoints.map(({ name }) => name)).toEqual(['at-5', 'at-10'])
  expect(sandbox.pacts.map(({ name }) => name)).toEqual([
    'web v5 for shop',
    'web v10 for shop',
    'branches and tags',
  ])
  expect(await contentsOf(target)).toEqual({ state: states[CUSTOMERS], ...documents })
})

it('saves everything up to a flipped byte in the journal, and nothing after it', async () => {
  await change(JOURNAL, 'made-13', 'made-31')
  const { sandbox, saved } = await save()
  const at = `${file(JOURNAL)}:13`
  expect(sandbox).toMatchObject({
    sound: false,
    damages: [{ at, reason: 'does not match its checksum' }],
    savable: { now: '2027-01-01T00:00:00.000Z' },
  })
  expect(saved).toEqual({ state: states[12], ...documents })
})

it('saves the newest checkpoint where an entry contradicts what is before it', async () => {
  const lines = (await readFile(file(JOURNAL), 'utf8')).trimEnd().split('\n').slice(0, -1)
  const entries = lines.map((line) => JSON.parse(line).entry)
  entries[14].put.customers[0].balance = 7
  const chain = new LineChain(journalStart((await manifest()).sandbox))
  const text = entries.map((entry) => chain.next(entry)).join('')
  await writeFile(file(JOURNAL), text + chain.end())
  const { sandbox, saved } = await save()
  expect(sandbox.damages[0]?.reason).toContain('made-15 breaks customer_balance')
  expect(sandbox.savable).toBeNull()
  expect(saved.state).toBe(states[10])
})

it('saves the state without a journal that is missing', async () => {
  await rm(file(JOURNAL))
  const { sandbox, saved } = await save()
  expect(sandbox).toMatchObject({
    damages: [{ at: file(JOURNAL), reason: 'is missing' }],
    savable: { now: '2027-01-01T00:00:00.000Z' },
  })
  expect(saved).toEqual({ state: states[0], ...documents })
})

describe('a state that cannot be used', () => {
  const damages = [
    { what: 'cut short', reason: 'is cut short', damage: () => truncate(file(STATE), 3000) },
    { what: 'missing', reason: 'is missing', damage: () => rm(file(STATE)) },
    {
      what: 'changed',
      reason: 'does not match its checksum',
      damage: () => change(STATE, 'Ada Lovelace', 'Ada Loveless'),
    },
  ]

  it.each(damages)('$what: the newest checkpoint is saved in its place', async (each) => {
    await each.damage()
    const { sandbox, saved } = await save()
    expect(sandbox).toMatchObject({ sound: false, damages: [{ reason: each.reason }] })
    expect(sandbox.damages[0]?.at).toContain(file(STATE))
    expect(sandbox.savable).toBeNull()
    expect(saved).toEqual({ state: states[10], ...documents })
  })

  it('without a checkpoint that is sound: its pacts are saved, in an empty sandbox', async () => {
    for (const name of [STATE, AT_5, AT_10]) await truncate(file(name), 3000)
    const { sandbox } = await examine('--save-to', target)
    expect(sandbox.saved).toMatchObject({ from: 'nothing', checkpoint: null })
    expect(await contentsOf(target)).toMatchObject({ checkpoints: [], pacts: ['v5', 'v10'] })
  })

  it('without anything that is sound: it is named, and the others are saved', async () => {
    await cp(file('.'), join(folder, 'sandboxes', 'other'), { recursive: true })
    for (const name of await readdir(file('.'))) await truncate(file(name), 100)
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

it('says which checkpoint and which pact is damaged, and saves the state and the others', async () => {
  await change(AT_5, 'made-5', 'made-6')
  await change(V5, '"gzip"', '"interaction_"')
  const { code, sandbox } = await examine('--save-to', target)
  expect(code).toBe(1)
  expect(sandbox).toMatchObject({ sound: false, damages: [] })
  const damage = { reason: 'does not match its checksum' }
  expect(sandbox.checkpoints).toMatchObject([
    { name: 'at-5', sound: false, damage },
    { name: 'at-10', sound: true, damage: null },
  ])
  expect(sandbox.pacts).toMatchObject([
    { name: 'web v5 for shop', sound: false, damage: { ...damage, at: `${file(V5)}:1` } },
    { name: 'web v10 for shop', sound: true, damage: null },
    { name: 'branches and tags', sound: true },
  ])
  const saved = { state: states[CUSTOMERS], checkpoints: ['at-10'], pacts: ['v10'] }
  expect(await contentsOf(target)).toEqual(saved)
})

describe('without a manifest, its copy is believed', () => {
  it.each([
    ['missing', () => rm(file('sandbox.json'))],
    ['cut short', () => truncate(file('sandbox.json'), 300)],
    ['a folder', () => makeFolder(file('sandbox.json'))],
    ['of a newer version', makeNewer],
  ])('where it is %s: everything is saved', async (_, damage) => {
    await damage()
    const { sandbox, saved } = await save()
    expect(sandbox.damages).toMatchObject([{ at: expect.stringContaining(file('sandbox.json')) }])
    expect(saved).toEqual({ state: states[CUSTOMERS], ...documents })
  })

  it('and what is damaged of the files that it names is reported', async () => {
    await rm(file('sandbox.json'))
    await truncate(file(AT_5), 10)
    await change(V5, '"gzip"', '"interaction_"')
    const { sandbox, saved } = await save()
    expect(sandbox.checkpoints).toMatchObject([
      { name: 'at-5', sound: false },
      { name: 'at-10', sound: true },
    ])
    expect(sandbox.pacts).toMatchObject([
      { name: 'web v5 for shop', sound: false },
      { name: 'web v10 for shop', sound: true },
      { name: 'branches and tags', sound: true },
    ])
    expect(saved).toEqual({ state: states[CUSTOMERS], checkpoints: ['at-10'], pacts: ['v10'] })
  })

  it('and without that, nothing can be saved', async () => {
    await rm(file('sandbox.json'))
    await truncate(file('sandbox.copy.json'), 100)
    const { sandbox } = await examine('--save-to', target)
    expect(sandbox.damages.map(({ at }) => at)).toEqual(
      ['sandbox.json', 'sandbox.copy.json'].map(file),
    )
    expect(sandbox).toMatchObject({ savable: null, saved: null })
    const told = run(['doctor', '--data', folder, '--save-to', `${target}-2`])
    await told.ended
    expect(told.output()).toMatch(/Damaged: default\. Nothing could be saved\./)
  })
})

it('is stopped by no folder in place of a file, and by no file in place of a sandbox', async () => {
  for (const name of await readdir(file('.'))) {
    const other = join(folder, 'sandboxes', name.replace(/\.[a-z]*$/, '').replace('.', '-'))
    await cp(join(original.path, 'sandboxes', 'default'), other, { recursive: true })
    await makeFolder(join(other, name))
  }
  await writeFile(join(folder, 'sandboxes', 'file'), 'no folder')
  const { code, report } = await doctor(folder, '--save-to', target)
  expect(code).toBe(1)
  const saved = report.sandboxes.map((each) => [
    each.sandbox_id,
    [each.sound, each.saved?.from ?? null, each.checkpoints.length, each.pacts.length],
  ])
  expect(Object.fromEntries(saved)).toEqual({
    default: [true, 'state', 2, 3],
    'checkpoints-000002': [false, 'state', 2, 3],
    'checkpoints-000005': [false, 'state', 2, 3],
    'journal-000001': [false, 'state', 2, 3],
    'pacts-000003': [false, 'state', 2, 3],
    'pacts-000006': [false, 'state', 2, 3],
    'pacts-000007': [false, 'state', 2, 3],
    'state-000001': [false, 'checkpoint', 2, 3],
    sandbox: [false, 'state', 2, 3],
    'sandbox-copy': [true, 'state', 2, 3],
    file: [false, null, 0, 0],
  })
  expect((await doctor(target)).report.sound).toBe(true)
})

it('only warns of a torn last line, which a start drops', async () => {
  await appendFile(file(JOURNAL), '{"sum":"00')
  const { code, sandbox } = await examine()
  expect(code).toBe(0)
  expect(sandbox.warnings[0]).toContain(`${JOURNAL} goes on after its end mark`)
  expect((await contentsOf(folder)).state).toBe(states[CUSTOMERS])
})

it('prints the same in sentences, and what to do next', async () => {
  await change(JOURNAL, 'made-13', 'made-31')
  await truncate(file(V5), 100)
  const told = run(['doctor', '--data', folder])
  expect(await told.ended).toBe(1)
  expect(told.output()).toContain(`${JOURNAL}:13 does not match its checksum`)
  expect(told.output()).toContain('its state up to virtual time 2027-01-01T00:00:00.000Z')
  expect(told.output()).toContain('what is after the damage cannot')
  expect(told.output()).toMatch(/pact "web v5 for shop": .*pacts-000003\.ndjson is cut short/)
  expect(told.output()).toContain('Pacts that can be saved: "web v10 for shop"')
  expect(told.output()).toContain(`doctor --data ${folder} --save-to NEWDIR`)
})
