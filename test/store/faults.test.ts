import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Kept, Store, StoredSandbox } from '../../src/store/store.ts'
import { type Faults, withFaults } from '../support/faults.ts'
import { temporaryFolder } from '../support/process.ts'
import { storeIn } from '../support/store.ts'

const TRIED_FOR_MS = 12_000
const FIRST = 1000

/** A sandbox whose state is a list of numbers, to which each change adds one. */
class Numbers {
  readonly #folder: string
  readonly #store: Store
  readonly #faults: Faults
  #kept: StoredSandbox
  #memory = Array.from({ length: FIRST }, (_, index) => -index)
  #isAhead = false
  #isFolding = false
  readonly acknowledged = new Set<number>()
  readonly refused = new Set<number>()
  readonly count = { appended: 0, folded: 0, readBack: 0, killed: 0, restarted: 0 }

  constructor(folder: string, { store, kept, faults }: Parts) {
    this.#folder = folder
    this.#store = store
    this.#kept = kept
    this.#faults = faults
  }

  /** Some changes at once. */
  async append(): Promise<void> {
    for (let left = 1 + Math.random() * 4; left > 0; left -= 1) {
      this.count.appended += 1
      const n = this.count.appended
      this.#memory.push(n)
      const pad = 'x'.repeat(Math.random() < 0.1 ? 90_000 : 50)
      this.#kept.append({ n, pad }).then(
        () => this.acknowledged.add(n),
        () => {
          this.refused.add(n)
          this.#isAhead = true
        },
      )
    }
    await pause(Math.random() < 0.5 ? 0 : 3)
  }

  async fold(): Promise<void> {
    if (this.#isFolding) return
    this.#isFolding = true
    const end = (folded: number) => {
      this.count.folded += folded
      this.#isFolding = false
    }
    void this.#kept.fold(documentOf(this.#memory)).then(
      () => end(1),
      () => end(0),
    )
  }

  async replace(): Promise<void> {
    await this.#kept.replace(documentOf(this.#memory)).catch(() => {
      this.#isAhead = true
    })
  }

  /** Looks what would be there if the process were killed now. */
  async kill(): Promise<void> {
    const told = [...this.acknowledged]
    const copy = await temporaryFolder()
    cpSync(join(this.#folder, 'default'), join(copy.path, 'default'), { recursive: true })
    await this.#faults.without(async () => {
      const other = await storeIn(copy.path)
      const there = new Set(numbersOf(await (await other.open('default')).read()))
      expect(told.filter((n) => !there.has(n))).toEqual([])
      await other.close()
    })
    await copy.remove()
    this.count.killed += 1
  }

  async restart(): Promise<void> {
    await this.#kept.close()
    this.#kept = await this.#store.open('default')
    await this.#faults.without(() => this.#readBack())
    this.count.restarted += 1
  }

  /** Returns to what is kept, where memory is ahead of it. */
  async fallBack(): Promise<void> {
    while (this.#isAhead) await this.#readBack().catch(unlessInjected)
  }

  async close(): Promise<void> {
    await this.fallBack()
    await this.#kept.settled()
    await this.#kept.close()
  }

  async #readBack(): Promise<void> {
    const found = numbersOf(await this.#kept.read())
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
  readonly store: Store
  readonly kept: StoredSandbox
  readonly faults: Faults
}

const documentOf = (numbers: readonly number[]) => ({ list: numbers.map((n) => ({ n })) })

function numbersOf(kept: Kept | null): number[] {
  if (kept === null) return []
  const { list } = kept.document as ReturnType<typeof documentOf>
  return [...list, ...(kept.entries as { n: number }[])].map(({ n }) => n)
}

function unlessInjected(error: Error): void {
  if (!error.message.includes('injected')) throw error
}

it('keeps what it acknowledged and nothing that it refused, whichever call of the system fails', async () => {
  const folder = await temporaryFolder()
  const store = await storeIn(folder.path)
  const kept = await store.open('default')
  await kept.replace(documentOf(Array.from({ length: FIRST }, (_, index) => -index)))
  const faults = withFaults()
  const numbers = new Numbers(folder.path, { store, kept, faults })
  const often = (times: number, step: () => Promise<void>) => Array(times).fill(step)
  const steps: (() => Promise<void>)[] = [
    ...often(40, () => numbers.append()),
    ...often(4, () => numbers.fold()),
    ...often(1, () => numbers.replace()),
    ...often(1, () => numbers.kill()),
    ...often(1, () => numbers.restart()),
  ]
  const until = Date.now() + TRIED_FOR_MS
  while (Date.now() < until) {
    await numbers.fallBack()
    await steps[Math.floor(Math.random() * steps.length)]?.()
  }
  faults.remove()
  await numbers.close()
  for (const [what, times] of Object.entries(numbers.count)) {
    expect(times, what).toBeGreaterThan(3)
  }
  expect(numbers.acknowledged.size).toBeGreaterThan(100)
  expect(numbers.refused.size).toBeGreaterThan(20)
  await store.close()
  await folder.remove()
})
