/**
 * The registry: every sandbox of one process. Owns making, forking and deleting them; `default` always exists.
 */
import type { Settings } from '../assumptions/register.ts'
import { isRefusal, refuse } from '../billing/refusal.ts'
import type { Instant } from '../time/instant.ts'
import { find, notFound } from './answer.ts'
import { refuseOversized } from './capacity.ts'
import { Checkpoints } from './checkpoints.ts'
import { type FixtureLibrary, worldFromFixture } from './fixtures.ts'
import type { Refusal } from './refusal.ts'
import { Roster, type RosterParts } from './roster.ts'
import { Sandbox } from './sandbox.ts'
import { copyOf } from './state-document.ts'
import { refuseUnkept } from './unkept.ts'
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
  /** Whether the clock runs from the start on; a fork's does as that of its source. */
  readonly startsRunning: boolean
  /** What to fork; null to begin from the fixture. */
  readonly from: ForkPoint | null
}

export interface RegistryParts extends RosterParts {
  readonly fixtures: FixtureLibrary
  readonly sandboxesMax: number
}

export class Registry {
  readonly #parts: RegistryParts
  readonly #roster: Roster
  readonly #underway = new Set<string>()
  #generated = 0

  private constructor(parts: RegistryParts, roster: Roster) {
    this.#parts = parts
    this.#roster = roster
  }

  /**
   * Loads the default sandbox, and makes it where the store keeps none: refuses where that cannot be, and throws
   * `StoreError` where it is damaged. Every other one is loaded when it is first asked for.
   */
  static async open(
    parts: RegistryParts,
    initial: Omit<SandboxOrder, 'sandboxId'>,
  ): Promise<Registry | Refusal> {
    const registry = new Registry(parts, await Roster.open(parts))
    if ((await registry.#roster.load(DEFAULT_SANDBOX)) === null) {
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
    const sandbox = this.#roster.loaded(DEFAULT_SANDBOX)
    if (sandbox === null) throw new Error('The default sandbox is gone')
    return sandbox
  }

  /** The id of every sandbox, oldest first. */
  get ids(): readonly string[] {
    return this.#roster.ids
  }

  /** A sandbox; at once where it was asked for before. Null where there is none, and a refusal for a damaged one. */
  find(sandboxId: string): Sandbox | null | Promise<Sandbox | Refusal | null> {
    return this.#roster.loaded(sandboxId) ?? this.#roster.find(sandboxId)
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
      const stored = await this.#parts.store.create(sandboxId)
      const checkpoints = new Checkpoints(stored)
      const { time, report } = this.#parts
      const sandbox = new Sandbox({ world, stored, checkpoints, time, report })
      const unkept = await sandbox.begin()
      if (unkept !== null) return unkept
      this.#roster.add(sandbox)
      return sandbox
    } finally {
      this.#underway.delete(sandboxId)
    }
  }

  /** Deletes a sandbox with all that it holds; the default one stays. */
  async remove(sandboxId: string): Promise<Refusal | null> {
    if (!this.#roster.has(sandboxId)) return notFound({ field: 'sandbox_id', id: sandboxId })
    if (sandboxId === DEFAULT_SANDBOX) {
      return refuse('in_use', 'sandbox_id "default" always exists; any other would be accepted.')
    }
    // Until the folder is gone, nobody may take the id.
    this.#underway.add(sandboxId)
    try {
      await this.#roster.remove(sandboxId)
      return null
    } catch (error) {
      return refuseUnkept(error)
    } finally {
      this.#underway.delete(sandboxId)
    }
  }

  /** Has every advance under way stop at a whole due item, and every watcher go. */
  stop(): void {
    for (const sandbox of this.#roster.everyLoaded()) sandbox.stop()
  }

  /** Waits for every call under way and for what it changed to be kept. */
  async close(): Promise<void> {
    await Promise.all(this.#roster.everyLoaded().map((sandbox) => sandbox.close()))
    await this.#parts.store.close()
  }

  async #makeWorld(sandboxId: string, order: SandboxOrder): Promise<World | Refusal> {
    if (order.from !== null) return this.#fork(sandboxId, { ...order, from: order.from })
    const name = order.fixture ?? 'starter'
    const fixture = find(this.#parts.fixtures, { field: 'fixture', id: name })
    if (isRefusal(fixture)) return fixture
    const { now: startAt, settings, startsRunning } = order
    return worldFromFixture(fixture, { sandboxId, name, startAt, startsRunning, settings })
  }

  async #fork(
    sandboxId: string,
    { from, settings }: SandboxOrder & { readonly from: ForkPoint },
  ): Promise<World | Refusal> {
    const source = await this.find(from.sandbox)
    if (source === null) return notFound({ field: 'from.sandbox', id: from.sandbox })
    if (isRefusal(source)) return source
    const named = from.checkpoint
    const fork =
      named === undefined
        ? await source.ask((world) => copyOf(world, sandboxId))
        : await source.checkpoint((checkpoints) =>
            checkpoints.worldAt({ field: 'from.checkpoint', name: named }, sandboxId),
          )
    if (isRefusal(fork)) return fork
    const oversized = refuseOversized(fork)
    if (oversized !== null) return oversized
    fork.settings = { ...fork.settings, ...settings }
    return fork
  }

  #refuse(sandboxId: string): Refusal | null {
    if (this.#roster.has(sandboxId) || this.#underway.has(sandboxId)) {
      return refuse(
        'exists',
        `sandbox_id "${sandboxId}" exists already; another would be accepted.`,
      )
    }
    const { sandboxesMax } = this.#parts
    if (this.#roster.size + this.#underway.size < sandboxesMax) return null
    return refuse(
      'sandbox_limit',
      `There are ${sandboxesMax} sandboxes already, the most allowed; delete one first.`,
    )
  }

  #generateId(): string {
    for (;;) {
      this.#generated += 1
      const sandboxId = `sbx-${String(this.#generated).padStart(6, '0')}`
      if (!this.#roster.has(sandboxId) && !this.#underway.has(sandboxId)) return sandboxId
    }
  }
}
