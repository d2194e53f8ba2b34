import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Store, type StoredSandbox, StoreUnavailable } from '../../src/store/store.ts'
import { type Faults, withFaults } from '../support/faults.ts'
import { temporaryFolder } from '../support/process.ts'
import { seeded, seedFrom } from '../support/random.ts'
import { copySandboxes, documentsIn, entriesIn, storeIn } from '../support/store.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 300)
const FIRST = 50
/** What a short run may come without. */
const rare = ['folded', 'unshelved', 'undeleted']
const FOLD_AT_BYTES = 2000

interface Entry {
  readonly n: number
}

/** A sandbox whose state is a list of numbers, to which each change adds one, with documents beside it. */
class Numbers {
  readonly #parts: Parts
  #kept: StoredSandbox
  #memory = Array.from({ length: FIRST }, (_, index) => -index)
  #isAhead = false
  readonly acknowledged = new Set<number>()
  readonly refused = new Set<number>()
  /** The descriptions of its documents, or what they may be where a change of it failed. */
  #described: string[] = ['[]']
  readonly count = {
    appended: 0,
    folded: 0,
    replaced: 0,
    shelved: 0,
    unshelved: 0,
    readBack: 0,
    killed: 0,
    restarted: 0,
  }

  constructor(parts: Parts) {
    this.#parts = parts
    this.#kept = parts.kept
  }

  /** Some changes at once. */
  async append(): Promise<void> {
    const { random } = this.#parts
    for (let left = 1 + random() * 4; left > 0; left -= 1) {
      this.count.appended += 1
      const n = this.count.appended
      this.#memory.push(n)
      const pad = 'x'.repeat(random() < 0.1 ? 3000 : 50)
      this.#kept.append({ n, pad }).then(
        () => this.acknowledged.add(n),
        () => {
          this.refused.add(n)
          this.#isAhead = true
        },
      )
    }
    if (this.#kept.isOutgrown()) await this.#fold()
    await pause(random() < 0.5 ? 0 : 2)
  }

  async #fold(): Promise<void> {
    const before = this.count.replaced
    await this.replace()
    this.count.folded += this.count.replaced - before
  }

  async replace(): Promise<void> {
    try {
      await this.#kept.replace(entriesOf(this.#memory))
      this.count.replaced += 1
    } catch (error) {
      unlessUnavailable(error)
      this.#isAhead = true
    }
  }

  /** Stores other documents, of which some were there before. */
  async shelve(): Promise<void> {
    const { random } = this.#parts
    const folder = this.#kept.documents('pacts')
    this.count.shelved += 1
    const about = { name: this.count.shelved }
    const added = { about, entries: [{ of: this.count.shelved }] }
    const stay = folder.documents.filter(() => random() < 0.7)
    const next = [...stay.map((each) => each.about), about]
    const before = folder.documents.map((each) => each.about)
    try {
      await folder.set([...stay, added])
      this.#described = [JSON.stringify(next)]
    } catch (error) {
      unlessUnavailable(error)
      this.count.unshelved += 1
      this.#described = [JSON.stringify(before), JSON.stringify(next)]
    }
  }

  /** Looks what would be there if the process were killed now. */
  async kill(): Promise<void> {
    await this.#parts.faults.without(async () => {
      const copy = await temporaryFolder()
      const acknowledged = [...this.acknowledged]
      copySandboxes(this.#parts.folder, copy.path)
      const other = await storeIn(copy.path)
      const stored = await other.open('default')
      const there = new Set((await entriesIn<Entry>(stored)).map(({ n }) => n))
      expect(acknowledged.filter((n) => !there.has(n))).toEqual([])
      await this.#checkShelf(stored)
      await stored.close()
      await other.close()
      await copy.remove()
    })
    this.count.killed += 1
  }

  async restart(): Promise<void> {
    await this.#kept.flushed().catch(unlessUnavailable)
    await this.#parts.faults.without(async () => {
      await this.#kept.close()
      this.#kept = await this.#parts.store.open('default')
      await this.#readBack()
      await this.#checkShelf(this.#kept)
      // One of the two it was: what is there now stays.
      this.#described = [
        JSON.stringify(this.#kept.documents('pacts').documents.map(({ about }) => about)),
      ]
    })
    this.count.restarted += 1
  }

  /** Returns to what is kept, where memory is ahead of it. */
  async fallBack(): Promise<void> {
    while (this.#isAhead) await this.#readBack().catch(unlessInjected)
  }

  async close(): Promise<void> {
    await this.restart()
    await this.#kept.close()
  }

  async #checkShelf(stored: StoredSandbox): Promise<void> {
    const documents = await documentsIn(stored, 'pacts')
    expect(this.#described).toContain(JSON.stringify(documents.map(({ about }) => about)))
    for (const { about, entries } of documents) {
      expect(entries).toEqual([{ of: (about as { name: number }).name }])
    }
  }

  async #readBack(): Promise<void> {
    const found = (await entriesIn<Entry>(this.#kept)).map(({ n }) => n)
    const there = new Set(found)
    expect(there.size).toBe(found.length)
    expect([...this.acknowledged].filter((n) => !there.has(n))).toEqual([])
    expect([...this.refused].filter((n) => there.has(n))).toEqual([])
    this.#memory = found
    this.#isAhead = false
    this.count.readBack += 1
  }
}

interface Parts {
  readonly folder: string
  readonly store: Store
  readonly kept: StoredSandbox
  readonly faults: Faults
  readonly random: () => number
}

const entriesOf = (numbers: readonly number[]): Entry[] => numbers.map((n) => ({ n }))

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}

function unlessInjected(error: Error): void {
  if (!error.message.includes('injected')) throw error
}

/** Does so many steps, of which each kind comes as often as it is listed. */
async function live(numbers: Numbers, random: () => number): Promise<void> {
  const often = (times: number, step: () => Promise<void>) => Array(times).fill(step)
  const steps: (() => Promise<void>)[] = [
    ...often(40, () => numbers.append()),
    ...often(2, () => numbers.replace()),
    ...often(4, () => numbers.shelve()),
    ...often(2, () => numbers.kill()),
    ...often(2, () => numbers.restart()),
  ]
  for (let round = 0; round < ROUNDS; round += 1) {
    await numbers.fallBack()
    await steps[Math.floor(random() * steps.length)]?.()
  }
}

it('keeps what it acknowledged and nothing that it refused, whichever call of the system fails', async () => {
  const seed = seedFrom('FAULT_SEED')
  const random = seeded(seed)
  const folder = await temporaryFolder()
  const store = await storeIn(folder.path, { foldAtBytes: FOLD_AT_BYTES })
  const kept = await store.create('default')
  await kept.replace(entriesOf(Array.from({ length: FIRST }, (_, index) => -index)))
  const faults = withFaults(random)
  const numbers = new Numbers({ folder: folder.path, store, kept, faults, random })
  try {
    await live(numbers, random)
    faults.remove()
    await numbers.close()
  } catch (error) {
    throw new Error(`FAULT_SEED=${seed}: ${(error as Error).stack}; see ${folder.path}`)
  } finally {
    faults.remove()
  }
  const { acknowledged, refused, count } = numbers
  for (const [what, times] of Object.entries(count)) {
    if (!rare.includes(what)) expect(times, `${what} with FAULT_SEED=${seed}`).toBeGreaterThan(0)
  }
  expect(acknowledged.size).toBeGreaterThan(100)
  expect(refused.size).toBeGreaterThan(5)
  expect(faults.count()).toBeGreaterThan(20)
  const left = readdirSync(join(folder.path, 'sandboxes', 'default'))
  expect(left.filter((name) => /^state|new$/.test(name))).toHaveLength(1)
  await store.close()
  await folder.remove()
})

it('makes and deletes sandboxes whole or not at all, whichever call of the system fails', async () => {
  const seed = seedFrom('FAULT_SEED')
  const random = seeded(seed)
  const folder = await temporaryFolder()
  const store = await storeIn(folder.path)
  const faults = withFaults(random)
  const count = { made: 0, unmade: 0, deleted: 0, undeleted: 0 }
  const there = new Map<string, number>()
  mkdirSync(join(folder.path, 'sandboxes'), { recursive: true })
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = `s${Math.floor(random() * 3)}`
      const made = there.get(id)
      if (made === undefined) {
        const sandbox = await store.create(id).catch(unlessInjected)
        await sandbox?.replace([{ round }]).then(
          () => {
            count.made += 1
            there.set(id, round)
          },
          (error) => {
            unlessUnavailable(error)
            count.unmade += 1
          },
        )
        await sandbox?.close()
      } else {
        await store.remove(id).then(
          () => {
            count.deleted += 1
            there.delete(id)
          },
          (error) => {
            unlessUnavailable(error)
            count.undeleted += 1
          },
        )
      }
      await faults.without(async () => {
        // What was refused may be there all the same, where undoing it was refused as well; but then it is whole.
        const listed = await store.list()
        if (made === undefined && listed.includes(id)) there.set(id, round)
        if (made !== undefined && !listed.includes(id)) there.delete(id)
        expect(listed.sort()).toEqual([...there.keys()].sort())
        for (const [each, round] of there) {
          const stored = await store.open(each)
          expect(await entriesIn(stored)).toEqual([{ round }])
          await stored.close()
        }
      })
    }
  } catch (error) {
    throw new Error(`FAULT_SEED=${seed}: ${(error as Error).stack}; see ${folder.path}`)
  } finally {
    faults.remove()
  }
  for (const [what, times] of Object.entries(count)) {
    if (!rare.includes(what)) expect(times, `${what} with FAULT_SEED=${seed}`).toBeGreaterThan(0)
  }
  await store.close()
  await folder.remove()
})
