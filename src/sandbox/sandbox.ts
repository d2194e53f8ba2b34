/**
 * One sandbox: a world, the queue that serialises every call on it, and the store that keeps it. Sandboxes share
 * nothing, so none waits for another.
 */
import type { Settings } from '../assumptions/register.ts'
import type { Cause, EventDetail } from '../billing/event.ts'
import type { Instant } from '../billing/instant.ts'
import { isRefusal, type Refusal, refuse } from '../billing/refusal.ts'
import { type StoredSandbox, StoreUnavailable } from '../store/store.ts'
import { type Advance, type AdvanceOrder, advance } from './advance.ts'
import type { Told } from './answer.ts'
import type { Checkpoint, Checkpoints } from './checkpoints.ts'
import { type Pace, settleDue } from './engine.ts'
import { type Taken, takeAll, takeEntry } from './journal-entry.ts'
import { documentOf, worldOf } from './state-document.ts'
import { turns } from './turns.ts'
import { type Watcher, Watchers } from './watchers.ts'
import { record, type World } from './world.ts'

/** A change to the world that a request asks for. */
export type WorldCommand<Value> = (world: World, cause: Cause) => Told<Value> | Refusal

/** Makes the world that takes the place of another. */
export type WorldMaker = (
  before: World,
  checkpoints: Checkpoints,
) => World | Refusal | Promise<World | Refusal>

/** What is told of a world that takes the place of another. */
interface Replacement {
  readonly as: 'reset' | 'restored'
  readonly requestId: () => string
  /** Facts for the event beside the fixture. */
  readonly detail?: EventDetail
}

export class Sandbox {
  readonly #inTurn = turns()
  readonly #watchers = new Watchers()
  readonly #stored: StoredSandbox
  readonly #checkpoints: Checkpoints
  #world: World
  #requests: number
  /** How far the world's changes were handed to the store. */
  #taken: Taken
  /** Whether memory holds what the store did not take. */
  #isAhead = false
  #isStopping = false
  #isFolding = false

  constructor(world: World, stored: StoredSandbox, checkpoints: Checkpoints) {
    this.#world = world
    this.#stored = stored
    this.#checkpoints = checkpoints
    this.#requests = newestRequest(world)
    this.#taken = takeAll(world)
  }

  get id(): string {
    return this.#world.sandboxId
  }

  /** The key that opens /v1 for this sandbox; further keys add a suffix. */
  get apiKey(): string {
    return `sk_sandbox_${this.#world.sandboxId}`
  }

  get settings(): Settings {
    return this.#world.settings
  }

  /** The moments that it can return to, by name, oldest first. */
  get checkpoints(): ReadonlyMap<string, Checkpoint> {
    return this.#checkpoints.byName
  }

  /** The virtual now. */
  now(): Instant {
    return this.#world.clock.now()
  }

  /** Whether an API key with this suffix (empty for the sandbox's own) exists and was not revoked. */
  hasKey(suffix: string): boolean {
    if (suffix === '') return true
    return this.#world.apiKeys.some((key) => key.suffix === suffix && !key.revoked)
  }

  /** Answers whether this holds of the world at this very moment, without waiting for a turn. */
  holds(question: (world: World) => boolean): boolean {
    return question(this.#world)
  }

  /** The next request's id: counted, so that a script run twice gives the same ones. */
  nextRequestId(): string {
    this.#requests += 1
    return `req_${String(this.#requests).padStart(6, '0')}`
  }

  /** Answers a question about the world, in its turn; nothing that is not kept yet shapes the answer. */
  async ask<Value>(question: (world: World) => Value | Promise<Value>): Promise<Value> {
    const answer = await this.#turn(question)
    return this.#stored.kept().then(
      () => answer,
      () => this.#turn(question),
    )
  }

  /** Carries out a command in its turn, and answers once the store has kept what it changed. */
  async tell<Value>(
    command: WorldCommand<Value>,
    requestId: string,
  ): Promise<Told<Value> | Refusal> {
    try {
      const { answer, kept } = await this.#turn((world) => {
        const answer = command(world, { kind: 'request', requestId })
        return { answer, kept: this.#keep() }
      })
      await kept
      return answer
    } catch (error) {
      return refuseUnavailable(error)
    }
  }

  /** Moves the virtual clock and settles what falls due; a dry run moves a fork instead. */
  async advance(order: AdvanceOrder, requestId: string): Promise<Advance | Refusal> {
    const cause = { kind: 'clock', requestId } as const
    const pace: Pace = {
      onPause: order.dryRun ? () => undefined : () => void this.#keep().catch(() => undefined),
      isCut: () => this.#isStopping || this.#isAhead,
    }
    return this.#unlessUnavailable(async () => {
      const { answer, kept } = await this.#turn(async (world) => {
        const answer = await advance(world, order, { cause, pace })
        return { answer, kept: this.#keep() }
      })
      await kept
      await this.#stored.kept()
      return answer
    })
  }

  /** Works on the checkpoints in its turn, once everything that the world holds is on disk. */
  async checkpoint<Value>(
    work: (checkpoints: Checkpoints, world: World) => Promise<Value | Refusal>,
  ): Promise<Value | Refusal> {
    return this.#unlessUnavailable(() =>
      this.#turn(async (world) => {
        await this.#stored.settled()
        return work(this.#checkpoints, world)
      }),
    )
  }

  /**
   * Puts another world in place of this one and tells of it. With a reset the counting of requests starts anew,
   * so that the same script gives the same bytes, and hence the id is asked for only then; the checkpoints go for the
   * same reason.
   */
  async replace(make: WorldMaker, told: Replacement): Promise<Refusal | null> {
    return this.#unlessUnavailable(() =>
      this.#turn(async (before) => {
        const world = await make(before, this.#checkpoints)
        if (isRefusal(world)) return world
        await settleDue(world)
        const requests = this.#requests
        if (told.as === 'reset') this.#requests = 0
        const subject = { kind: 'sandbox', id: world.sandboxId } as const
        const detail = { fixture: world.origin.fixture, ...told.detail }
        const fact = { type: `sandbox.${told.as}`, subject, detail } as const
        record(world, [fact], { kind: 'request', requestId: told.requestId() })
        await this.#write(world).catch((error) => {
          this.#requests = requests
          throw error
        })
        if (told.as === 'reset') await this.#checkpoints.clear()
        return null
      }),
    )
  }

  /** Settles what an advance left that was cut short, before anything is asked at that instant. */
  resume(): Promise<Refusal | null> {
    return this.#unlessUnavailable(() =>
      this.#turn(async () => {
        await this.#settleLeft()
        return null
      }),
    )
  }

  /** Keeps the whole world as it is now. */
  async save(): Promise<Refusal | null> {
    return this.#unlessUnavailable(() =>
      this.#turn(async (world) => {
        await this.#write(world)
        return null
      }),
    )
  }

  /** Tells a watcher of every change from now on; call what it answers to be told no more. */
  watch(watcher: Watcher): () => void {
    return this.#watchers.add(watcher)
  }

  /** Has an advance under way stop at a whole due item. */
  stop(): void {
    this.#isStopping = true
    this.#watchers.end()
  }

  /** Waits for the calls under way, and for what they changed to be kept. */
  async close(): Promise<void> {
    this.stop()
    await this.#inTurn(() => undefined)
    await this.#stored.settled().catch(() => undefined)
    await this.#stored.close()
  }

  /** A turn on a world that is what the store keeps, or may still come to keep. */
  #turn<Value>(work: (world: World) => Value | Promise<Value>): Promise<Value> {
    return this.#inTurn(() =>
      this.#isAhead ? this.#fallBack().then(() => work(this.#world)) : work(this.#world),
    )
  }

  /** Hands what changed to the store; the promise is that it is kept. */
  #keep(): Promise<void> {
    const entry = takeEntry(this.#world, this.#taken)
    if (entry === null) return Promise.resolve()
    const { settings, events } = this.#world
    this.#taken = { now: this.now(), settings, events: events.length }
    const kept = this.#stored.append(entry)
    kept.then(
      () => this.#watchers.tellOfChange(),
      () => {
        this.#isAhead = true
      },
    )
    this.#foldWhenOutgrown()
    return kept
  }

  /** Writes the whole anew once the journal has outgrown it; when the disk does not take it, the journal goes on. */
  #foldWhenOutgrown(): void {
    if (this.#isFolding || !this.#stored.isOutgrown()) return
    this.#isFolding = true
    void this.save().finally(() => {
      this.#isFolding = false
    })
  }

  /** Writes a world whole and puts it in place; when that fails, the one before stays in both. */
  async #write(world: World): Promise<void> {
    await this.#stored.replace(documentOf(world))
    this.#world = world
    this.#taken = takeAll(world)
    this.#watchers.tellOfChange()
  }

  /** Returns to what the store keeps, after it did not take what was changed in memory. */
  async #fallBack(): Promise<void> {
    const kept = await this.#stored.read()
    if (kept === null) throw new StoreUnavailable('Nothing is kept of this sandbox any more')
    this.#world = worldOf(kept.document, this.id, kept.entries)
    this.#taken = takeAll(this.#world)
    this.#isAhead = false
    await this.#settleLeft()
  }

  async #settleLeft(): Promise<void> {
    await settleDue(this.#world)
    await this.#keep()
  }

  async #unlessUnavailable<Value>(call: () => Promise<Value>): Promise<Value | Refusal> {
    try {
      return await call()
    } catch (error) {
      return refuseUnavailable(error)
    }
  }
}

/** The refusal of a change that the store does not keep; anything else thrown is a defect. */
function refuseUnavailable(error: unknown): Refusal {
  if (!(error instanceof StoreUnavailable)) throw error
  return refuse(
    'storage_unavailable',
    `The change was not made, because it cannot be kept: ${error.message}. It would be accepted once the disk takes it.`,
  )
}

/** Requests are counted on from the last one that changed anything. */
function newestRequest(world: World): number {
  const counted = /^req_(\d{1,15})$/
  const event = world.events.findLast(({ cause }) => counted.test(cause.requestId ?? ''))
  return Number(counted.exec(event?.cause.requestId ?? '')?.[1] ?? 0)
}
