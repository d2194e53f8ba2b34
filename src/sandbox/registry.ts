/**
 * The registry: every sandbox of one process, oldest first. Owns creating, forking, loading and deleting them. A
 * sandbox is loaded by its first request, so that a start costs the same for any number, and a damaged one does not
 * affect the others. `default` always exists.
 */
import type { Settings } from '../assumptions/register.ts'
import { numberedId } from '../billing/id.ts'
import { isRefusal, refuse } from '../billing/refusal.ts'
import { memoryStore } from '../store/memory-store.ts'
import { type Store, type StoredSandbox, StoreError } from '../store/store.ts'
import { checkSize } from '../world/capacity.ts'
import { clearWebhooks } from '../world/commands/webhooks.ts'
import type { Refusal } from '../world/refusal.ts'
import { findRecord, notFound } from '../world/results.ts'
import { copyWorld, type World } from '../world/world.ts'
import type { RecordingGap } from './call-recording.ts'
import { Checkpoints } from './checkpoints.ts'
import { Coverage } from './coverage.ts'
import { type FixtureLibrary, worldFromFixture } from './fixtures.ts'
import { Sandbox } from './sandbox.ts'
import type { SandboxOptions, SandboxOrder } from './sandbox-types.ts'
import { readStored } from './session.ts'
import { storeRefusal } from './store-failure.ts'

/** The id of the sandbox that always exists. */
export const DEFAULT_SANDBOX = 'default'

/** The most sandboxes of one process, unless its start sets another limit. */
export const SANDBOXES_MAX = 1000

/** `report` is called with damage too. */
export interface RegistryOptions extends Pick<SandboxOptions, 'time' | 'webhooks' | 'report'> {
  readonly store: Store
  readonly fixtures: FixtureLibrary
  readonly sandboxesMax: number
  /** What every new sandbox begins with, unless its order says otherwise; forks keep the settings of their source. */
  readonly settings?: Partial<Settings>
}

export class Registry {
  readonly #options: RegistryOptions
  /** Null for a sandbox without a request so far. */
  readonly #sandboxes: Map<string, Sandbox | null>
  readonly #loading = new Map<string, Promise<Sandbox>>()
  /** The ids of those that are being created or deleted. */
  readonly #pending = new Set<string>()
  readonly #reported = new Set<string>()
  /** The coverage of deleted sandboxes. */
  readonly #coverage = new Coverage()
  /** The sandboxes of examples, which no client tests. */
  readonly #uncounted = new WeakSet<Sandbox>()
  #generated = 0
  /** Why the store accepts no change; null if it does. */
  readonly storeFailure = () => this.#options.store.failure()

  private constructor(options: RegistryOptions, ids: readonly string[]) {
    this.#options = options
    this.#sandboxes = new Map(ids.map((id) => [id, null]))
  }

  /** Loads the default sandbox, or creates it. Throws `StoreError` if it is damaged. */
  static async open(
    options: RegistryOptions,
    initial: Omit<SandboxOrder, 'sandboxId'>,
  ): Promise<Registry | Refusal> {
    const registry = new Registry(options, await options.store.list())
    const sandbox = registry.#sandboxes.has(DEFAULT_SANDBOX)
      ? await registry.#load(DEFAULT_SANDBOX)
      : await registry.create({ ...initial, sandboxId: DEFAULT_SANDBOX })
    return isRefusal(sandbox) ? sandbox : registry
  }

  /** Loads those that may have events to deliver, one after another, until it is stopped. */
  async loadUndelivered(): Promise<void> {
    const { store, report } = this.#options
    for (const sandboxId of await store.undelivered()) {
      if (this.default.isEnded) return
      await Promise.resolve(this.find(sandboxId)).catch(report)
    }
  }

  get settings(): Partial<Settings> {
    return this.#options.settings ?? {}
  }

  get fixtures(): FixtureLibrary {
    return this.#options.fixtures
  }

  /** The sandbox of every request that names no other. */
  get default(): Sandbox {
    const sandbox = this.#sandboxes.get(DEFAULT_SANDBOX)
    if (!sandbox) throw new Error('The default sandbox is gone')
    return sandbox
  }

  get ids(): readonly string[] {
    return [...this.#sandboxes.keys()]
  }

  /** When a request last used a sandbox, in real time; null for one without a request so far. */
  usedAt(sandboxId: string): number | null {
    return this.#sandboxes.get(sandboxId)?.usedAt() ?? null
  }

  /** A sandbox; at once if it is loaded. Null if it does not exist, and a refusal if it is damaged. */
  find(sandboxId: string): Sandbox | null | Promise<Sandbox | Refusal | null> {
    const sandbox = this.#sandboxes.get(sandboxId)
    if (sandbox === undefined) return null
    return sandbox ?? this.#findStored(sandboxId)
  }

  /** Creates a sandbox and stores it. Refuses an id that is taken, and a sandbox above the limit. */
  async create(order: SandboxOrder): Promise<Sandbox | Refusal> {
    const sandboxId = order.sandboxId ?? this.#generateId()
    const refusal = this.#refuse(sandboxId)
    if (refusal !== null) return refusal
    return this.#whilePending(sandboxId, async () => {
      const world = await this.#makeWorld(sandboxId, order)
      if (isRefusal(world)) return world
      const store = order.isVolatile ? memoryStore() : this.#options.store
      const gap = order.from === null ? undefined : 'forked'
      const sandbox = this.#sandboxOf(world, await store.create(sandboxId), gap)
      if (order.isVolatile) this.#uncounted.add(sandbox)
      const failure = await sandbox.begin()
      if (failure !== null) {
        await sandbox.close()
        return failure
      }
      this.#sandboxes.set(sandboxId, sandbox)
      return sandbox
    })
  }

  /** The coverage of all its sandboxes, including deleted ones. */
  coverage(): Coverage {
    const sum = new Coverage()
    for (const each of this.#coverages()) sum.add(each)
    return sum
  }

  clearCoverage(): void {
    for (const each of this.#coverages()) each.clear()
  }

  #coverages(): Coverage[] {
    const sandboxes = [...this.#sandboxes.values()].filter((each) => each !== null)
    const counted = sandboxes.filter((each) => !this.#uncounted.has(each))
    return [this.#coverage, ...counted.map(({ coverage }) => coverage)]
  }

  /** Deletes a sandbox with all its documents; refuses the default one. If the store fails, it stays. */
  async remove(sandboxId: string): Promise<Refusal | null> {
    if (!this.#sandboxes.has(sandboxId) || this.#pending.has(sandboxId)) {
      return notFound(new Set(this.ids), 'sandbox_id', sandboxId)
    }
    if (sandboxId === DEFAULT_SANDBOX) {
      return refuse('in_use', 'sandbox_id must not be "default": that sandbox always exists.')
    }
    return this.#whilePending(sandboxId, async () => {
      await this.#loading.get(sandboxId)?.catch(() => undefined)
      const sandbox = this.#sandboxes.get(sandboxId)
      await sandbox?.close('removal')
      if (sandbox && !this.#uncounted.has(sandbox)) this.#coverage.add(sandbox.coverage)
      this.#sandboxes.set(sandboxId, null)
      await this.#options.store.remove(sandboxId)
      this.#sandboxes.delete(sandboxId)
      return null
    })
  }

  /** Stops running advances after a whole due item, and disconnects every watcher. */
  stop(): void {
    for (const sandbox of this.#sandboxes.values()) sandbox?.stop()
  }

  /** Waits for running calls and for their changes to be stored. */
  async close(): Promise<void> {
    await Promise.all([...this.#sandboxes.values()].map((sandbox) => sandbox?.close()))
    await this.#options.store.close()
  }

  /** Creates or deletes a sandbox, while no other call may take or use its id. */
  async #whilePending<Value>(
    sandboxId: string,
    work: () => Promise<Value>,
  ): Promise<Value | Refusal> {
    this.#pending.add(sandboxId)
    try {
      return await work()
    } catch (error) {
      return storeRefusal(error)
    } finally {
      this.#pending.delete(sandboxId)
    }
  }

  /** Damage is reported once; repaired files are found by the next call. */
  async #findStored(sandboxId: string): Promise<Sandbox | Refusal | null> {
    if (this.#pending.has(sandboxId)) return null
    try {
      return await this.#load(sandboxId)
    } catch (error) {
      if (!(error instanceof StoreError)) return storeRefusal(error)
      if (!this.#reported.has(error.message)) this.#options.report(error.message)
      this.#reported.add(error.message)
      return refuse(
        'storage_damaged',
        `Sandbox "${sandboxId}" cannot be used: ${error.message}. It can be deleted; other sandboxes are not concerned.`,
      )
    }
  }

  #load(sandboxId: string): Promise<Sandbox> {
    const loading =
      this.#loading.get(sandboxId) ??
      this.#read(sandboxId).finally(() => this.#loading.delete(sandboxId))
    this.#loading.set(sandboxId, loading)
    return loading
  }

  async #read(sandboxId: string): Promise<Sandbox> {
    const stored = await this.#options.store.open(sandboxId)
    try {
      const sandbox = this.#sandboxOf(await readStored(stored, sandboxId), stored, 'restarted')
      const failure = await sandbox.resume()
      // On a full disk it answers reads, and tries again.
      if (failure !== null && failure.refused !== 'storage_unavailable') {
        sandbox.stop()
        throw new StoreError(failure.message)
      }
      this.#sandboxes.set(sandboxId, sandbox)
      return sandbox
    } catch (error) {
      await stored.close()
      throw error
    }
  }

  #sandboxOf(world: World, stored: StoredSandbox, gap: RecordingGap | undefined): Sandbox {
    const checkpoints = new Checkpoints(stored)
    return new Sandbox({ ...this.#options, world, stored, checkpoints, gap })
  }

  async #makeWorld(sandboxId: string, order: SandboxOrder): Promise<World | Refusal> {
    if (order.from !== null) return this.#fork(sandboxId, order.from, order.settings)
    const name = order.fixture ?? 'starter'
    const fixture = findRecord(this.fixtures, 'fixture', name)
    if (isRefusal(fixture)) return fixture
    const settings = order.isVolatile ? order.settings : { ...this.settings, ...order.settings }
    return worldFromFixture(fixture, { ...order, settings, sandboxId, name, startAt: order.now })
  }

  async #fork(
    sandboxId: string,
    from: NonNullable<SandboxOrder['from']>,
    settings: SandboxOrder['settings'],
  ): Promise<World | Refusal> {
    const source = await this.find(from.sandbox)
    if (source === null) {
      return notFound(new Set(this.ids), 'from.sandbox', from.sandbox)
    }
    if (isRefusal(source)) return source
    source.use()
    const { checkpoint: name } = from
    const fork = await (name === undefined
      ? source.read((world) => copyWorld(world, sandboxId))
      : source.checkpoint((all) => all.worldAt(name, sandboxId, 'from.checkpoint')))
    if (isRefusal(fork)) return fork
    const oversized = checkSize(fork)
    if (oversized !== null) return oversized
    clearWebhooks(fork)
    const chosenSettings = { ...fork.chosenSettings, ...settings }
    const origin = { ...fork.origin, settings: { ...fork.origin.settings, ...settings } }
    return { ...fork, origin, chosenSettings }
  }

  #refuse(sandboxId: string): Refusal | null {
    if (this.#sandboxes.has(sandboxId) || this.#pending.has(sandboxId)) {
      return refuse('exists', `sandbox_id "${sandboxId}" exists already; choose another one.`)
    }
    const { sandboxesMax } = this.#options
    // One that is being deleted is among both.
    if (new Set([...this.#sandboxes.keys(), ...this.#pending]).size < sandboxesMax) return null
    return refuse(
      'sandbox_limit',
      `A server can have at most ${sandboxesMax} sandboxes; delete one first, or serve with --expire, which deletes unused ones.`,
    )
  }

  #generateId(): string {
    for (;;) {
      this.#generated += 1
      const sandboxId = numberedId('sbx-', this.#generated)
      if (!this.#sandboxes.has(sandboxId) && !this.#pending.has(sandboxId)) return sandboxId
    }
  }
}
