import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { PublishedPacts } from '../../src/provider/published-pacts.ts'
import { Checkpoints } from '../../src/sandbox/checkpoints.ts'
import { readStored } from '../../src/sandbox/session.ts'
import { type Store, type StoredSandbox, StoreError } from '../../src/store/store.ts'
import { Instant } from '../../src/time/instant.ts'
import type { World } from '../../src/world/world.ts'
import { type Damage, damagesOf, kinds } from '../support/damages.ts'
import { documentOf } from '../support/document.ts'
import { inMemory, temporaryFolder } from '../support/folders.ts'
import { type Known, type Leaving, leaveFolder } from '../support/kept-folder.ts'
import { storeIn } from '../support/store.ts'

let place: Awaited<ReturnType<typeof temporaryFolder>>
let store: Store
let warnings: string[]

beforeEach(async () => {
  place = await temporaryFolder(inMemory)
  warnings = []
})

afterEach(async () => {
  await store.close()
  await place.remove()
})

const folder = (id = 'default') => join(place.path, 'sandboxes', id)
const bytesOf = (world: World) => JSON.stringify(documentOf(world))

type Files = Map<string, Buffer | 'folder'>

function filesIn(path: string): Files {
  const names = readdirSync(path).sort()
  return new Map(
    names.map((name) => {
      const file = join(path, name)
      return [name, statSync(file).isDirectory() ? 'folder' : readFileSync(file)]
    }),
  )
}

/** Has the folder be as it was left, but for one file. */
function leave(files: Files, file: string, damage: Damage): Files {
  const damaged: Files = new Map(files)
  if (damage.bytes === null) damaged.delete(file)
  else damaged.set(file, damage.bytes)
  const there = filesIn(folder())
  for (const [name, content] of there) {
    if (!isSame(damaged.get(name), content)) rmSync(join(folder(), name), { recursive: true })
  }
  for (const [name, content] of damaged) {
    if (isSame(there.get(name), content)) continue
    if (content === 'folder') mkdirSync(join(folder(), name))
    else writeFileSync(join(folder(), name), content)
  }
  return damaged
}

function isSame(one: Buffer | 'folder' | undefined, other: Buffer | 'folder'): boolean {
  return one === other || (Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other))
}

/** What a start finds: everything as it was answered, or refused, or, where `mayLose`, less with a warning. */
async function look(known: Known, file: string, mayLose: boolean): Promise<string> {
  warnings.length = 0
  const stored = await store.open('default').catch((error: unknown) => refusal(error, file))
  if (typeof stored === 'string') return stored
  try {
    const world = await readStored(stored, 'default').catch((error: unknown) =>
      refusal(error, file),
    )
    if (typeof world === 'string') return world
    const found = bytesOf(world)
    const isWhole = found === known.states.at(-1)
    if (!isWhole && !(mayLose && known.states.includes(found))) return 'WRONG STATE'
    if (
      !isWhole &&
      !warnings.some((line) => line.includes(file) && /what follows is dropped/.test(line))
    )
      return 'LOST IN SILENCE'
    const documents = await lookAtDocuments(stored, known, file)
    return isWhole ? documents : 'lost the end, with a warning'
  } finally {
    await stored.close()
  }
}

async function lookAtDocuments(stored: StoredSandbox, known: Known, file: string) {
  const outcomes = [
    ...(await lookAtCheckpoints(stored, known, file)),
    ...(await lookAtPacts(stored, known, file)),
  ]
  return outcomes.find((each) => !sound.test(each)) ?? outcomes[0] ?? 'whole'
}

async function lookAtCheckpoints(stored: StoredSandbox, known: Known, file: string) {
  const checkpoints = new Checkpoints(stored)
  const names = [...checkpoints.byName.keys()]
  if (names.join() !== [...known.checkpoints.keys()].join()) return ['A CHECKPOINT IS GONE']
  const outcomes: string[] = []
  for (const name of names) {
    const world = await checkpoints.worldAt(name, 'default')
    if (isRefusal(world)) outcomes.push(world.message.includes(file) ? refused : world.message)
    else if (bytesOf(world) !== known.checkpoints.get(name)) outcomes.push('WRONG CHECKPOINT')
  }
  return outcomes
}

async function lookAtPacts(stored: StoredSandbox, known: Known, file: string) {
  const pacts = new PublishedPacts(
    stored.documents('pacts'),
    Instant.parse('2027-01-01T00:00:00.000Z'),
  )
  if (pacts.list().pacts.length !== known.pacts.length) return ['A PACT IS GONE']
  const outcomes: string[] = []
  for (const [index, pact] of pacts.list().pacts.entries()) {
    const read = await pacts.read(pact).catch((error: unknown) => refusal(error, file))
    if (read === 'refused') outcomes.push(refused)
    else if (typeof read === 'string') outcomes.push(read)
    else if (JSON.stringify(read) !== JSON.stringify(known.pacts[index])) {
      outcomes.push('WRONG PACT')
    }
  }
  return outcomes
}

const refused = 'refuses the document'

/** What is wrong is told in capitals. */
const sound = /^[a-z]/

function refusal(error: unknown, file: string): string {
  if (!(error instanceof StoreError)) return `DEFECT: ${(error as Error).stack}`
  // Where the manifest is another sandbox's, it is any other file that does not fit it.
  return error.message.includes(file) || file === 'sandbox.json'
    ? 'refused'
    : `UNNAMED: ${error.message}`
}

/** Counts outcomes by the kind of damage. */
class Tally {
  readonly #counts = new Map<string, Map<string, number>>()

  count(kind: string, outcome: string): void {
    const counts = this.#counts.get(kind) ?? new Map<string, number>()
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    this.#counts.set(kind, counts)
  }

  get kinds(): string[] {
    return [...this.#counts.keys()]
  }

  print(title: string): void {
    let sum = 0
    const lines = [...this.#counts].map(([kind, counts]) => {
      for (const count of counts.values()) sum += count
      return `  ${kind}: ${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`
    })
    process.stdout.write(`${title}: ${sum} cases\n${lines.join('\n')}\n`)
  }
}

/** How many bytes lie between two damages; `DAMAGE_EVERY=1` for a long run. */
const EVERY = Number(process.env['DAMAGE_EVERY'] ?? 17)

interface Left {
  readonly leaving: Leaving
  readonly journals: number
  readonly every: number
  /** The files that are damaged. */
  readonly damaged: RegExp
}

// The documents, and the copy of the manifest, do not depend on how a process ended.
const ofTheEnd = /^(sandbox\.json|state-.*|journal-.*)$/

it.each<Left>([
  { leaving: 'closed', journals: 1, every: EVERY, damaged: /./ },
  { leaving: 'killed', journals: 1, every: 3 * EVERY, damaged: ofTheEnd },
  { leaving: 'killed while it folds', journals: 2, every: 3 * EVERY, damaged: ofTheEnd },
])(
  'refuses, or finds all that was answered, whatever becomes of a file ($leaving)',
  { timeout: 600_000 },
  async (how) => {
    const known = await leaveFolder(place.path, how.leaving)
    store = await storeIn(place.path, { warnings })
    const [files, others] = [filesIn(folder()), filesIn(folder('other'))]
    expect([...files.keys()].filter((name) => name.startsWith('journal'))).toHaveLength(
      how.journals,
    )
    const tally = new Tally()
    const wrong: string[] = []
    for (const { file, damage } of everyDamage(files, others, how)) {
      const damaged = leave(files, file, damage)
      const isCut = damage.kind === 'cut within a line' && file.startsWith('journal')
      const outcome = await look(known, file, isCut && how.leaving !== 'closed')
      tally.count(damage.kind, outcome)
      if (!sound.test(outcome)) wrong.push(`${file} ${damage.kind} at ${damage.at}: ${outcome}`)
      if (outcome === 'refused' && !sameFiles(filesIn(folder()), damaged)) {
        wrong.push(`${file} ${damage.kind} at ${damage.at}: was overwritten`)
      }
    }
    tally.print(how.leaving)
    expect(wrong).toEqual([])
    expect(tally.kinds.sort()).toEqual([...kinds].sort())
  },
)

function* everyDamage(files: Files, others: Files, { every, damaged }: Left) {
  for (const [file, bytes] of files) {
    const other = others.get(file)
    if (!Buffer.isBuffer(bytes) || !damaged.test(file)) continue
    const parts = { bytes, others: Buffer.isBuffer(other) ? other : undefined, every }
    for (const damage of damagesOf(parts)) yield { file, damage }
  }
}

function sameFiles(one: Files, other: Files): boolean {
  return (
    one.size === other.size && [...one].every(([name, content]) => isSame(other.get(name), content))
  )
}
