/**
 * The turns of one sandbox: calls one after another, each on a world that has caught up with real time where its clock
 * runs, and that is what the store keeps. Owns both, and the alarm; what a turn is for is the sandbox's business.
 */
import { type ShelfName, type StoredSandbox, StoreUnavailable } from '../store/store.ts'
import { advanceTo, DueItemError, isHeld, type Pace, settleDue } from './engine.ts'
import { KeptWorld } from './kept-world.ts'
import { oneByOne } from './one-by-one.ts'
import { Alarm, type RealTime, standsAt } from './running-clock.ts'
import type { World } from './world.ts'

/** What is done in a turn. */
export type TurnWork<Value> = (world: World) => Value | Promise<Value>

export interface TurnsParts {
  readonly world: World
  readonly stored: StoredSandbox
  readonly time: RealTime
  /** Told whenever a change came to be kept. */
  readonly onKept: () => void
  /** Told of a defect that shows while nobody waits for an answer. */
  readonly report: (defect: unknown) => void
}

/** A call that came to a sandbox which was deleted, or whose process ends, before its turn did. */
export class SandboxClosed extends StoreUnavailable {
  constructor(sandboxId: string) {
    super(`Sandbox "${sandboxId}" was deleted or stopped`)
  }
}

/**
 * How many slices of an advance may be on their way to the disk: what they changed waits in memory, and a disk may be
 * slower than the engine for as long as a million due items take.
 */
const SLICES_AHEAD = 64

/** Due items that nobody asked for: real time reached them. */
const byItself = { kind: 'clock', requestId: null } as const

export class Turns {
  readonly #inTurn = oneByOne()
  readonly #parts: TurnsParts
  readonly #kept: KeptWorld
  readonly #alarm: Alarm
  #slices = 0
  #isStopping = false
  #isClosed = false
  /** The due item that could not be settled last, as it was reported. */
  #reported: string | null = null

  /** How the engine works here: what it settled is handed on as it goes, and it stops with the sandbox. */
  readonly pace: Pace = {
    onPause: () => this.#handOn(),
    isCut: () => this.#isStopping || this.#kept.isAhead,
  }

  constructor(parts: TurnsParts) {
    this.#parts = parts
    this.#kept = new KeptWorld(parts.world, parts.stored, parts.onKept)
    this.#alarm = new Alarm(parts.time, () => void this.#wake())
  }

  /** The world as the last turn left it. */
  get world(): World {
    return this.#kept.world
  }

  /** A turn on the world as real time has it. */
  take<Value>(work: TurnWork<Value>): Value | Promise<Value> {
    return this.takeAsLeft((world) =>
      world.clock.offsetMs === null ? work(world) : this.#catchUp(world).then(() => work(world)),
    )
  }

  /**
   * A turn on the world as it was left. What a turn changed that breaks off is undone before the next. Most turns wait
   * for nothing, and for them nobody makes a promise.
   */
  takeAsLeft<Value>(work: TurnWork<Value>): Value | Promise<Value> {
    return this.#inTurn(() => {
      if (this.#isClosed) throw new SandboxClosed(this.#kept.world.sandboxId)
      if (this.#kept.isAhead) return this.#fallBack().then(() => this.#carryOut(work))
      return this.#carryOut(work)
    })
  }

  /** Hands what changed to the store, in a turn; the promise is that it is kept. */
  keep(): Promise<void> {
    const kept = this.#kept.keep()
    // At once, also within an advance: whoever is next does not wait for the disk.
    if (!this.#isStopping && this.#parts.stored.isOutgrown()) void this.#fold()
    return kept
  }

  /** Writes a world whole and puts it in place, in a turn; when that fails, the one before stays in both. */
  replace(world: World, emptied?: readonly ShelfName[]): Promise<void> {
    return this.#kept.replace(world, emptied)
  }

  /** Settles what is due at the world's now, in a turn: an advance that was cut short may have left some of it. */
  async settleLeft(): Promise<void> {
    await settleDue(this.#kept.world)
    await this.keep()
  }

  /** Has an advance under way stop at a whole due item, and rings no alarm any more. */
  stop(): void {
    this.#isStopping = true
    this.#alarm.clear()
  }

  /** Waits for the turns under way, and for what they changed to be kept. There are none after it. */
  async close(): Promise<void> {
    this.stop()
    await this.#inTurn(() => {
      this.#isClosed = true
    })
    await this.#parts.stored.settled().catch(() => undefined)
    await this.#parts.stored.close()
  }

  #carryOut<Value>(work: TurnWork<Value>): Value | Promise<Value> {
    try {
      const done = work(this.#kept.world)
      if (done instanceof Promise) return done.then(this.#finish, this.#breakOff)
      return this.#finish(done)
    } catch (error) {
      return this.#breakOff(error)
    }
  }

  readonly #finish = <Value>(done: Value): Value => {
    this.#setAlarm()
    return done
  }

  readonly #breakOff = (error: unknown): never => {
    this.#kept.abandon()
    this.#setAlarm()
    throw error
  }

  /** Settles what real time has reached. What that changes shapes no answer before it is kept. */
  async #catchUp(world: World): Promise<void> {
    const target = standsAt(world.clock, this.#parts.time.now())
    const watch = { cause: byItself, pace: this.pace, isDone: () => false }
    try {
      while ((await advanceTo(world, target, watch)) === 'cut' && !this.pace.isCut()) {
        await this.pace.onPause()
      }
    } catch (error) {
      this.#reportOnce(error)
    }
    await this.pace.onPause()
  }

  /** Hands what a slice changed to the store, which has to catch up now and then. */
  #handOn(): void | Promise<void> {
    // Whether it is kept shows in `isAhead`.
    this.keep().catch(() => undefined)
    this.#slices += 1
    if (this.#slices % SLICES_AHEAD !== 0) return undefined
    return this.#parts.stored.settled().catch(() => undefined)
  }

  /** A due item that cannot be settled stops the clock there, and no call: all of them catch up first. */
  #reportOnce(error: unknown): void {
    if (!(error instanceof DueItemError)) throw error
    if (error.message !== this.#reported) this.#parts.report(error)
    this.#reported = error.message
  }

  /** What the alarm rings for. */
  async #wake(): Promise<void> {
    try {
      await this.take(() => undefined)
    } catch (error) {
      if (this.#isStopping) return
      if (error instanceof StoreUnavailable) this.#alarm.setForRetry()
      else this.#parts.report(error)
    }
  }

  #setAlarm(): void {
    const { clock, due } = this.#kept.world
    if (this.#isStopping || clock.offsetMs === null) this.#alarm.clear()
    else if (this.#kept.isAhead) this.#alarm.setForRetry()
    // Nobody but a call changes what holds it up, and each call sets the alarm anew.
    else if (isHeld(this.#kept.world)) this.#alarm.clear()
    else this.#alarm.setFor(clock, due.head()?.at ?? null)
  }

  /** Folds the journals; where the disk does not take that, they go on. */
  async #fold(): Promise<void> {
    try {
      await this.#kept.fold()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#parts.report(error)
    }
  }

  /** Returns to what the store keeps, after it did not take what was changed in memory. */
  async #fallBack(): Promise<void> {
    await this.#kept.fallBack()
    await this.settleLeft()
  }
}
