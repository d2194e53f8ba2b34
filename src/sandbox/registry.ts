/**
 * The registry: every sandbox of one process. Owns making, finding and deleting them; `default` always exists.
 */
import type { Settings } from '../assumptions/register.ts'
import type { Instant } from '../billing/instant.ts'
import { isRefusal, type Refusal, refuse } from '../billing/refusal.ts'
import { type Store, StoreError } from '../store/store.ts'
import { find } from './answer.ts'
import { Checkpoints } from './checkpoints.ts'
import { type FixtureLibrary, worldFromFixture } from './fixtures.ts'
import { Sandbox } from './sandbox.ts'
import { StateDocumentError } from './state-checks.ts'
import { documentOf, worldFrom, worldOf } from './state-document.ts'
import type { World } from './world.ts'

/** The id of the sandbox that always exists. */
const DEFAULT_SANDBOX = 'default'

/** The most sandboxes that one process keeps unless told otherwise. */
export const SANDBOXES_MAX = 1000

/** Where a fork begins: a sandbox as it is now, or at one of its checkpoints. */
export interface ForkPoint {
  readonly sandbox: string
  readonly checkpoint?: string | undefined
}

/** How a new sandbox begins: from a fixture, or as a fork of another sandbox. */
export interface SandboxOrder {
  /** Null has one generated. */
  readonly sandboxId: string | null
  /** Null for `starter`. */
  readonly fixture: string | null
  /** Null for the fixture's own start. */
  readonly now: Instant | null
  readonly settings: Partial<Settings>
  /** What to fork; null to begin from the fixture. */
  readonly from: ForkPoint | null
}

export interface RegistryParts {
  readonly store: Store
  readonly fixtures: FixtureLibrary
  readonly sandboxesMax: number
}

export class Registry {
  readonly #parts: RegistryParts
  readonly #sandboxes = new Map<string, Sandbox>()
  readonly #underway = new Set<string>()
  #generated = 0

  private constructor(parts: RegistryParts) {
    this.#parts = parts
  }

  /** Loads every sandbox that the store keeps, and makes the default one where it keeps none: refuses where that cannot be. */
  static async open(
    parts: RegistryParts,
    initial: Omit<SandboxOrder, 'sandboxId'>,
  ): Promise<Registry | Refusal> {
    const registry = new Registry(parts)
    for (const id of await parts.store.list()) await registry.#load(id)
    if (!registry.#sandboxes.has(DEFAULT_SANDBOX)) {
      const made = await registry.create({ ...initial, sandboxId: DEFAULT_SANDBOX })
      if (isRefusal(made)) return made
    }
    return registry
  }

  get fixtures(): FixtureLibrary {
    return this.#parts.fixtures
  }

  /** The sandbox that everything without another one belongs to. */
  get default(): Sandbox {
    const sandbox = this.#sandboxes.get(DEFAULT_SANDBOX)
    if (sandbox === undefined) throw new Error('The default sandbox is gone')
    return sandbox
  }

  get(sandboxId: string): Sandbox | null {
    return this.#sandboxes.get(sandboxId) ?? null
  }

  /** Every sandbox, oldest first. */
  list(): Sandbox[] {
    return [...this.#sandboxes.values()]
  }

  /** Makes a sandbox and keeps it. Refuses an id that is taken, and one too many. */
  async create(order: SandboxOrder): Promise<Sandbox | Refusal> {
    const sandboxId = order.sandboxId ?? this.#generateId()
    const refusal = this.#refuse(sandboxId)
    if (refusal !== null) return refusal
    // Making a world takes turns of the event loop, in which nobody else may take the id.
    this.#underway.add(sandboxId)
    try {
      const world = await this.#makeWorld(sandboxId, order)
      if (isRefusal(world)) return world
      const stored = await this.#parts.store.open(sandboxId)
      const sandbox = new Sandbox(world, stored, await Checkpoints.open(stored.shelf))
      const unkept = await sandbox.save()
      if (unkept !== null) return unkept
      this.#sandboxes.set(sandboxId, sandbox)
      return sandbox
    } finally {
      this.#underway.delete(sandboxId)
    }
  }

  /** Deletes a sandbox with all that it holds; the default one stays. */
  async remove(sandboxId: string): Promise<Refusal | null> {
    const sandbox = find(this.#sandboxes, { field: 'sandbox_id', id: sandboxId })
    if (isRefusal(sandbox)) return sandbox
    if (sandboxId === DEFAULT_SANDBOX) {
      return refuse('in_use', 'sandbox_id "default" always exists; any other would be accepted.')
    }
    this.#sandboxes.delete(sandboxId)
    await sandbox.close()
    await this.#parts.store.remove(sandboxId)
    return null
  }

  /** Has every advance under way stop at a whole due item, and every watcher go. */
  stop(): void {
    for (const sandbox of this.list()) sandbox.stop()
  }

  /** Waits for every call under way and for what it changed to be kept. */
  async close(): Promise<void> {
    await Promise.all(this.list().map((sandbox) => sandbox.close()))
    await this.#parts.store.close()
  }

  async #load(sandboxId: string): Promise<void> {
    const stored = await this.#parts.store.open(sandboxId)
    const kept = await stored.read()
    if (kept === null) return
    try {
      const world = worldOf(kept.document, sandboxId, kept.entries)
      const checkpoints = await Checkpoints.open(stored.shelf)
      const sandbox = new Sandbox(world, stored, checkpoints)
      const unkept = await sandbox.resume()
      if (unkept !== null) throw new StoreError(unkept.message)
      this.#sandboxes.set(sandboxId, sandbox)
    } catch (error) {
      if (!(error instanceof StateDocumentError)) throw error
      throw new StoreError(`The state of sandbox "${sandboxId}" cannot be used: ${error.message}`)
    }
  }

  async #makeWorld(sandboxId: string, order: SandboxOrder): Promise<World | Refusal> {
    if (order.from !== null) return this.#fork(sandboxId, { ...order, from: order.from })
    const name = order.fixture ?? 'starter'
    const fixture = find(this.#parts.fixtures, { field: 'fixture', id: name })
    if (isRefusal(fixture)) return fixture
    const { now: startAt, settings } = order
    return worldFromFixture(fixture, { sandboxId, name, startAt, settings })
  }

  async #fork(
    sandboxId: string,
    { from, settings }: SandboxOrder & { readonly from: ForkPoint },
  ): Promise<World | Refusal> {
    const source = find(this.#sandboxes, { field: 'from.sandbox', id: from.sandbox })
    if (isRefusal(source)) return source
    const named = from.checkpoint
    const fork =
      named === undefined
        ? await source.ask((world) => worldFrom(documentOf(world), sandboxId))
        : await source.checkpoint((checkpoints) =>
            checkpoints.worldAt({ field: 'from.checkpoint', name: named }, sandboxId),
          )
    if (isRefusal(fork)) return fork
    fork.settings = { ...fork.settings, ...settings }
    return fork
  }

  #refuse(sandboxId: string): Refusal | null {
    if (this.#sandboxes.has(sandboxId) || this.#underway.has(sandboxId)) {
      return refuse(
        'exists',
        `sandbox_id "${sandboxId}" exists already; another would be accepted.`,
      )
    }
    const { sandboxesMax } = this.#parts
    if (this.#sandboxes.size + this.#underway.size < sandboxesMax) return null
    return refuse(
      'sandbox_limit',
      `There are ${sandboxesMax} sandboxes already, the most allowed; delete one first.`,
    )
  }

  #generateId(): string {
    for (;;) {
      this.#generated += 1
      const sandboxId = `sbx-${String(this.#generated).padStart(6, '0')}`
      if (!this.#sandboxes.has(sandboxId) && !this.#underway.has(sandboxId)) return sandboxId
    }
  }
}
