import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type Store, type StoredSandbox, StoreUnavailable } from '../../src/store/store.ts'
import { type Chance, chanceOf, oneOf, seeded, upTo } from '../support/chance.ts'
import { type Faults, withFaults } from '../support/faults.ts'
import { temporaryFolder } from '../support/folders.ts'
import { copySandboxes, documentsIn, entriesIn, storeIn } from '../support/store.ts'

/** How many steps are done amid faults: `FAULT_ROUNDS=5000` for a long run, `SEED` repeats one. */
const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 300)
const FOLD_AT_BYTES = 2000
const START = Array.from({ length: 50 }, (_, index) => -index)

interface Place {
  readonly folder: string
  readonly store: Store
  readonly faults: Faults
  readonly chance: Chance
  /** Counts what came about; a kind that never did fails the test. */
  readonly count: Record<string, number>
}

/** Does work in a folder where calls of the system fail now and then. */
async function amidFaults(count: Place['count'], work: (place: Place) => Promise<void>) {
  await seeded(async (seed) => {
    const { path: folder, remove } = await temporaryFolder()
    const store = await storeIn(folder, { foldAtBytes: FOLD_AT_BYTES })
    const chance = chanceOf(seed)
    const faults = withFaults(chance)
    try {
      await work({ folder, store, faults, chance, count })
    } catch (error) {
      throw new Error(`${(error as Error).stack}; see ${folder}`)
    } finally {
      faults.remove()
    }
    for (const [what, times] of Object.entries(count)) expect(times, what).toBeGreaterThan(0)
    await store.close()
    await remove()
  })
}

function unlessUnavailable(error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}

function unlessInjected(error: Error): void {
  if (!error.message.includes('injected')) throw error
}

const entriesOf = (numbers: readonly number[]) => numbers.map((n) => ({ n }))

/** A sandbox whose state is a list of numbers, to which each change adds one, with documents beside it. */
class Numbers {
  readonly #place: Place
  #stored: StoredSandbox
  #memory = START
  #isAhead = false
  #last = 0
  readonly acknowledged = new Set<number>()
  readonly refused = new Set<number>()
  /** The names of its documents, or what they may be where a change of them failed. */
  #names = ['[]']

  constructor(place: Place, stored: StoredSandbox) {
    this.#place = place
    this.#stored = stored
  }

  /** Some changes at once. */
  async append(): Promise<void> {
    const { chance, count } = this.#place
    for (let left = upTo(4, chance); left > 0; left -= 1) {
      this.#last += 1
      const n = this.#last
      this.#memory = [...this.#memory, n]
      const pad = 'x'.repeat(chance() < 0.1 ? 3000 : 50)
      this.#stored.append({ n, pad }).then(
        () => this.acknowledged.add(n),
        () => {
          this.refused.add(n)
          this.#isAhead = true
        },
      )
    }
    count['appended'] = this.#last
    if (this.#stored.isOutgrown()) await this.replace()
    await pause(chance() < 0.5 ? 0 : 2)
  }

  async replace(): Promise<void> {
    try {
      await this.#stored.replace(entriesOf(this.#memory))
      add(this.#place, 'replaced')
    } catch (error) {
      unlessUnavailable(error)
      this.#isAhead = true
    }
  }

  /** Stores other documents, of which some were there before. */
  async document(): Promise<void> {
    const { chance } = this.#place
    const folder = this.#stored.documents('pacts')
    const name = add(this.#place, 'documented')
    const stay = folder.documents.filter(() => chance() < 0.7)
    const next = JSON.stringify([...stay.map(({ about }) => about), { name }])
    try {
      await folder.set([...stay, { about: { name }, entries: [{ of: name }] }])
      this.#names = [next]
    } catch (error) {
      unlessUnavailable(error)
      this.#names.push(next)
    }
  }

  /** Looks what would be there if the process were killed now. */
  async kill(): Promise<void> {
    await this.#place.faults.without(async () => {
      const copy = await temporaryFolder()
      const acknowledged = [...this.acknowledged]
      copySandboxes(this.#place.folder, copy.path)
      const store = await storeIn(copy.path)
      const stored = await store.open('default')
      await numbersIn(stored, acknowledged)
      await this.#checkDocuments(stored)
      await stored.close()
      await store.close()
      await copy.remove()
    })
    add(this.#place, 'killed')
  }

  async restart(): Promise<void> {
    await this.#stored.flushed().catch(unlessUnavailable)
    await this.#place.faults.without(async () => {
      await this.#stored.close()
      this.#stored = await this.#place.store.open('default')
      await this.#readBack()
      // One of the two it was: what is there now stays.
      this.#names = [await this.#checkDocuments(this.#stored)]
    })
    add(this.#place, 'restarted')
  }

  /** Returns to what is kept, where memory is ahead of it. */
  async fallBack(): Promise<void> {
    while (this.#isAhead) await this.#readBack().catch(unlessInjected)
  }

  async close(): Promise<void> {
    await this.restart()
    await this.#stored.close()
  }

  async #readBack(): Promise<void> {
    const found = await numbersIn(this.#stored, this.acknowledged)
    expect(found.filter((n) => this.refused.has(n))).toEqual([])
    this.#memory = found
    this.#isAhead = false
  }

  async #checkDocuments(stored: StoredSandbox): Promise<string> {
    const documents = await documentsIn(stored, 'pacts')
    const names = JSON.stringify(documents.map(({ about }) => about))
    expect(this.#names).toContain(names)
    for (const { about, entries } of documents) {
      expect(entries).toEqual([{ of: (about as { name: number }).name }])
    }
    return names
  }
}

/** The numbers that are stored: each once, and all that were acknowledged. */
async function numbersIn(stored: StoredSandbox, acknowledged: Iterable<number>): Promise<number[]> {
  const found = (await entriesIn<{ readonly n: number }>(stored)).map(({ n }) => n)
  const there = new Set(found)
  expect(there.size).toBe(found.length)
  expect([...acknowledged].filter((n) => !there.has(n))).toEqual([])
  return found
}

function add({ count }: Place, what: string): number {
  count[what] = (count[what] ?? 0) + 1
  return count[what]
}

it('keeps what it acknowledged and nothing that it refused, whichever call of the system fails', () =>
  amidFaults({ replaced: 0, documented: 0, killed: 0, restarted: 0 }, async (place) => {
    const { folder, store, faults, chance } = place
    const stored = await faults.without(() => store.create('default'))
    await faults.without(() => stored.replace(entriesOf(START)))
    const numbers = new Numbers(place, stored)
    const steps = [
      ...Array(20).fill(() => numbers.append()),
      ...Array(2).fill(() => numbers.document()),
      () => numbers.replace(),
      () => numbers.kill(),
      () => numbers.restart(),
    ]
    for (let round = 0; round < ROUNDS; round += 1) {
      await numbers.fallBack()
      await oneOf(steps, chance)()
    }
    await numbers.close()
    expect(numbers.acknowledged.size).toBeGreaterThan(100)
    expect(numbers.refused.size).toBeGreaterThan(5)
    expect(faults.count()).toBeGreaterThan(20)
    const left = readdirSync(join(folder, 'sandboxes', 'default'))
    expect(left.filter((name) => /^state|new$/.test(name))).toHaveLength(1)
  }))

it('makes and deletes sandboxes whole or not at all, whichever call of the system fails', () =>
  amidFaults({ made: 0, unmade: 0, deleted: 0 }, async (place) => {
    const { folder, store, faults, chance } = place
    const there = new Map<string, number>()
    await faults.without(async () => mkdirSync(join(folder, 'sandboxes'), { recursive: true }))
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = `s${upTo(3, chance)}`
      const isNew = !there.has(id)
      try {
        if (isNew) await create(store, id, round)
        else await store.remove(id)
        add(place, isNew ? 'made' : 'deleted')
      } catch (error) {
        unlessInjected(error as Error)
        add(place, isNew ? 'unmade' : 'undeleted')
      }
      await faults.without(async () => {
        // What was refused may be there all the same, where undoing it was refused as well; but then it is whole.
        const listed = await store.list()
        if (!listed.includes(id)) there.delete(id)
        else if (isNew) there.set(id, round)
        expect(listed.sort()).toEqual([...there.keys()].sort())
        for (const [each, made] of there) {
          const stored = await store.open(each)
          expect(await entriesIn(stored)).toEqual([{ round: made }])
          await stored.close()
        }
      })
    }
  }))

async function create(store: Store, id: string, round: number): Promise<void> {
  const stored = await store.create(id)
  await stored.replace([{ round }]).finally(() => stored.close())
}
