/**
 * The roster: which sandboxes there are, oldest first. Owns bringing one to life when it is first asked for, so that a
 * start costs the same however many are kept, and one that is damaged stands in nobody else's way.
 */
import { isRefusal, refuse } from '../billing/refusal.ts'
import { type Store, StoreError } from '../store/store.ts'
import { Checkpoints } from './checkpoints.ts'
import { readKept } from './kept-world.ts'
import type { Refusal } from './refusal.ts'
import type { RealTime } from './running-clock.ts'
import { Sandbox } from './sandbox.ts'

export interface RosterParts {
  readonly store: Store
  readonly time: RealTime
  /** Told of what is damaged, and of a defect that shows while nobody waits for an answer. */
  readonly report: (defect: unknown) => void
}

export class Roster {
  readonly #parts: RosterParts
  /** Null for one that nobody asked for yet. */
  readonly #sandboxes: Map<string, Sandbox | null>
  readonly #loading = new Map<string, Promise<Sandbox | null>>()
  /** Those that are being deleted. */
  readonly #leaving = new Set<string>()
  /** The damage that was reported already. */
  readonly #reported = new Set<string>()

  private constructor(parts: RosterParts, ids: readonly string[]) {
    this.#parts = parts
    this.#sandboxes = new Map(ids.map((id) => [id, null]))
  }

  /** The roster of everything that a store keeps; nothing of it is loaded yet. */
  static async open(parts: RosterParts): Promise<Roster> {
    return new Roster(parts, await parts.store.list())
  }

  /** The id of every sandbox, oldest first. */
  get ids(): readonly string[] {
    return [...this.#sandboxes.keys()]
  }

  get size(): number {
    return this.#sandboxes.size
  }

  has(sandboxId: string): boolean {
    return this.#sandboxes.has(sandboxId)
  }

  /** A sandbox that was asked for before, at once; null for any other. */
  loaded(sandboxId: string): Sandbox | null {
    return this.#sandboxes.get(sandboxId) ?? null
  }

  everyLoaded(): Sandbox[] {
    return [...this.#sandboxes.values()].filter((sandbox) => sandbox !== null)
  }

  /** A sandbox, loaded where it has to be; null where there is none. Throws `StoreError` for a damaged one. */
  async load(sandboxId: string): Promise<Sandbox | null> {
    if (!this.has(sandboxId) || this.#leaving.has(sandboxId)) return null
    const loaded = this.loaded(sandboxId)
    if (loaded !== null) return loaded
    const underway = this.#loading.get(sandboxId)
    if (underway !== undefined) return underway
    const loading = this.#load(sandboxId).finally(() => this.#loading.delete(sandboxId))
    this.#loading.set(sandboxId, loading)
    return loading
  }

  /** The same, where damage is a refusal. The damage is reported once; mended files are found at the next call. */
  async find(sandboxId: string): Promise<Sandbox | Refusal | null> {
    try {
      return await this.load(sandboxId)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      if (!this.#reported.has(error.message)) this.#parts.report(error.message)
      this.#reported.add(error.message)
      return refuse(
        'storage_damaged',
        `Sandbox "${sandboxId}" cannot be used: ${error.message}. Every other sandbox would be accepted; this one can be deleted.`,
      )
    }
  }

  add(sandbox: Sandbox): void {
    this.#sandboxes.set(sandbox.id, sandbox)
  }

  /** Forgets a sandbox and deletes what is kept of it. Where that cannot be, it stays, and is loaded when asked for. */
  async remove(sandboxId: string): Promise<void> {
    await this.#loading.get(sandboxId)?.catch(() => undefined)
    const sandbox = this.loaded(sandboxId)
    this.#leaving.add(sandboxId)
    try {
      await sandbox?.close()
      this.#sandboxes.set(sandboxId, null)
      await this.#parts.store.remove(sandboxId)
      this.#sandboxes.delete(sandboxId)
    } finally {
      this.#leaving.delete(sandboxId)
    }
  }

  async #load(sandboxId: string): Promise<Sandbox> {
    const { store, time, report } = this.#parts
    const stored = await store.open(sandboxId)
    try {
      const world = await readKept(stored, sandboxId)
      const checkpoints = new Checkpoints(stored)
      const sandbox = new Sandbox({ world, stored, checkpoints, time, report })
      const unkept = await sandbox.resume()
      if (isRefusal(unkept)) throw new StoreError(unkept.message)
      this.#sandboxes.set(sandboxId, sandbox)
      return sandbox
    } catch (error) {
      await stored.close()
      throw error
    }
  }
}
