/**
 * One sandbox: a world, the queue that serialises every call on it, and the store that keeps it. Sandboxes share
 * nothing, so none waits for another.
 */
import pLimit from 'p-limit'
import type { Settings } from '../assumptions/register.ts'
import type { Cause } from '../billing/event.ts'
import type { Instant } from '../billing/instant.ts'
import { isRefusal, type Refusal } from '../billing/refusal.ts'
import type { StoredSandbox } from '../store/store.ts'
import { type Advance, type AdvanceOrder, advance } from './advance.ts'
import type { Told } from './answer.ts'
import { documentOf } from './state-document.ts'
import { record, type World } from './world.ts'

/** A change to the world that a request asks for. */
export type WorldCommand<Value> = (world: World, cause: Cause) => Told<Value> | Refusal

/** Somebody who wants to know when something happened. */
export interface Watcher {
  readonly onChange: () => void
  /** Nothing will happen here any more. */
  readonly onEnd: () => void
}

export class Sandbox {
  readonly #inTurn = pLimit(1)
  readonly #watchers = new Set<Watcher>()
  readonly #stored: StoredSandbox
  #world: World
  #requests: number
  #isClosed = false

  constructor(world: World, stored: StoredSandbox) {
    this.#world = world
    this.#stored = stored
    this.#requests = newestRequest(world)
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

  /** Answers a question about the world, in its turn. */
  ask<Value>(question: (world: World) => Value | Promise<Value>): Promise<Value> {
    return this.#inTurn(() => question(this.#world))
  }

  /** Carries out a command in its turn, and answers once the store has kept what it changed. */
  async tell<Value>(
    command: WorldCommand<Value>,
    requestId: string,
  ): Promise<Told<Value> | Refusal> {
    const { answer, changed } = await this.#inTurn(() => {
      const eventsBefore = this.#world.sequences.events
      const answer = command(this.#world, { kind: 'request', requestId })
      // A refused refresh may still have revoked a token family, which must not be forgotten.
      const changed = !isRefusal(answer) || this.#world.sequences.events !== eventsBefore
      return { answer, changed }
    })
    if (changed) await this.#commit()
    return answer
  }

  /** Moves the virtual clock and settles what falls due; a dry run moves a fork instead. */
  async advance(order: AdvanceOrder, requestId: string): Promise<Advance | Refusal> {
    const cause = { kind: 'clock', requestId } as const
    const answer = await this.#inTurn(() => advance(this.#world, order, cause))
    if (!order.dryRun && !isRefusal(answer)) await this.#commit()
    return answer
  }

  /**
   * Puts another world in place of this one and tells of it. With a reset the counting of requests starts anew,
   * so that the same script gives the same bytes; hence the id is asked for only then.
   */
  async replace(
    make: (world: World) => World | Promise<World>,
    told: { readonly as: 'reset' | 'restored'; readonly requestId: () => string },
  ): Promise<void> {
    await this.#inTurn(async () => {
      const world = await make(this.#world)
      this.#world = world
      if (told.as === 'reset') this.#requests = 0
      const subject = { kind: 'sandbox', id: world.sandboxId } as const
      const fact = {
        type: `sandbox.${told.as}`,
        subject,
        detail: { fixture: world.origin.fixture },
      } as const
      record(world, [fact], { kind: 'request', requestId: told.requestId() })
    })
    await this.#commit()
  }

  /** Keeps the world as it is now. */
  async save(): Promise<void> {
    await this.#commit()
  }

  /** Tells a watcher of every change from now on; call what it answers to be told no more. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Tells every watcher that it is over. */
  endWatches(): void {
    for (const watcher of this.#watchers) watcher.onEnd()
    this.#watchers.clear()
  }

  /** Waits for the calls under way and keeps what they changed. */
  async close(): Promise<void> {
    this.endWatches()
    await this.#inTurn(() => undefined)
    await this.#commit()
    this.#isClosed = true
  }

  async #commit(): Promise<void> {
    // What a call changes in a sandbox that was deleted meanwhile has nowhere to be kept.
    if (this.#isClosed) return
    await this.#stored.commit(() => documentOf(this.#world))
    for (const watcher of this.#watchers) watcher.onChange()
  }
}

/** Requests are counted on from the last one that changed anything. */
function newestRequest(world: World): number {
  const counted = /^req_(\d{1,15})$/
  const event = world.events.findLast(({ cause }) => counted.test(cause.requestId ?? ''))
  return Number(counted.exec(event?.cause.requestId ?? '')?.[1] ?? 0)
}
