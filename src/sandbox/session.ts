/**
 * The session on one sandbox's world: calls one after another, each on a world that has caught up with real time where
 * its clock runs, and that is what the store holds. Owns committing what a call changed, and the return to what is
 * stored when the store did not take it.
 */
import {
  type DocumentKind,
  type StoredSandbox,
  StoreError,
  StoreUnavailable,
} from '../store/store.ts'
import { advanceTo, DueItemError, isHeld, type Pace, settleDue } from '../world/engine.ts'
import { holdMeter } from '../world/hold-meter.ts'
import { reachOf, type Taken, takeAll, takeEntry } from '../world/journal-entry.ts'
import { StateDocumentError } from '../world/state-document-error.ts'
import type { World } from '../world/world.ts'
import { entriesOfWorld, worldFromEntries } from '../world/world-entries.ts'
import { Alarm, type RealTime, standsAt } from './running-clock.ts'
import { serialQueue } from './serial-queue.ts'
import { SandboxClosed } from './store-failure.ts'

/** What a call does with the world. */
export type Work<Value> = (world: World) => Value | Promise<Value>

export interface SessionParts {
  readonly world: World
  readonly stored: StoredSandbox
  readonly time: RealTime
  /** Called whenever a change was committed. */
  readonly onCommit: () => void
  /** Called with a defect that shows while nobody waits for an answer. */
  readonly report: (defect: unknown) => void
}

/**
 * How many slices of an advance may be on their way to the disk: what they changed waits in memory, and a disk may be
 * slower than the engine for as long as a million due items take.
 */
const SLICES_AHEAD = 64

/** Due items that nobody asked for: real time reached them. */
const byItself = { kind: 'clock', requestId: null } as const

/** The world that the store holds of a sandbox. Throws `StoreError` where it cannot be used. */
export async function readStored(stored: StoredSandbox, sandboxId: string): Promise<World> {
  try {
    return await worldFromEntries(stored.read(), { sandboxId, shape: 'unknown' })
  } catch (error) {
    if (!(error instanceof StateDocumentError)) throw error
    throw new StoreError(`The state of sandbox "${sandboxId}" cannot be used: ${error.message}`)
  }
}

export class Session {
  readonly #parts: SessionParts
  readonly #queue = serialQueue()
  readonly #alarm: Alarm
  #world: World
  /** How far the world's changes were handed to the store. */
  #taken: Taken
  /** Whether memory may hold what the store does not. */
  #isAhead = false
  #slices = 0
  #isStopping = false
  #isClosed = false
  #isBusy = false
  /** The due item that could not be settled last, as it was reported. */
  #reported: string | null = null

  /** How an advance runs here: what it settled is committed as it goes, and it stops with the sandbox. */
  readonly pace: Pace = {
    onPause: () => this.#commitSlice(),
    isCut: () => this.#isStopping || this.#isAhead,
  }

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.#world = parts.world
    this.#taken = takeAll(parts.world)
    this.#alarm = new Alarm(parts.time, () => void this.#wake())
  }

  /** The world as the last call left it. */
  get world(): World {
    return this.#world
  }

  /** Whether a call is under way. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Runs work on the world as real time has it. */
  run<Value>(work: Work<Value>): Promise<Value> {
    return this.runAsLeft((world) =>
      world.clock.offsetMs === null ? work(world) : this.#catchUp(world).then(() => work(world)),
    )
  }

  /** Runs work on the world as it was left. Where it throws, the next call undoes what it changed. */
  runAsLeft<Value>(work: Work<Value>): Promise<Value> {
    return this.#queue(async () => {
      if (this.#isClosed) throw new SandboxClosed(this.#world.sandboxId)
      if (this.#isAhead) await this.#fallBack()
      this.#isBusy = true
      try {
        return await work(this.#world)
      } catch (error) {
        this.#abandon()
        throw error
      } finally {
        this.#isBusy = false
        this.#setAlarm()
      }
    })
  }

  /** Answers a question about the world; what is not committed yet does not shape the answer. */
  async read<Value>(question: Work<Value>): Promise<Value> {
    const answer = await this.run(question)
    return this.#parts.stored.committed().then(
      () => answer,
      () => this.runAsLeft(question),
    )
  }

  /** Runs work that changes the world, and resolves once that is committed. */
  async execute<Value>(work: Work<Value>): Promise<Value> {
    const { answer, committed } = await this.run(async (world) => {
      const answer = await work(world)
      return { answer, committed: this.#commit() }
    })
    await committed
    return answer
  }

  /** Within a call: writes a world whole and puts it in place of this one; where that fails, this one stays. */
  async replace(world: World, emptied?: readonly DocumentKind[]): Promise<void> {
    // Only what is stored can say which it is: the disk may have failed when the new one had its name already.
    this.#isAhead = !this.#parts.stored.isVolatile
    await this.#parts.stored.replace(entriesOfWorld(world), emptied)
    this.#isAhead = false
    this.#put(world)
    this.#parts.onCommit()
  }

  /** Within a call: settles what is due at the world's now. An advance that was cut short may have left some of it. */
  async settleLeft(): Promise<void> {
    await settleDue(this.#world)
    await this.#commit()
  }

  /** Has an advance under way stop at a whole due item, and rings no alarm any more. */
  stop(): void {
    this.#isStopping = true
    this.#alarm.clear()
  }

  /** Waits for the calls under way, and for what they changed to be on disk. None run after it. */
  async close(before?: 'removal'): Promise<void> {
    this.stop()
    await this.#queue(() => {
      this.#isClosed = true
    })
    await this.#parts.stored.close(before)
  }

  /** Hands what changed to the store; resolves once it is committed, and all that came before it. */
  #commit(): Promise<void> {
    const { stored, onCommit } = this.#parts
    const entry = takeEntry(this.#world, this.#taken)
    if (entry === null) return stored.committed()
    this.#taken = reachOf(this.#world)
    const committed = stored.append(entry)
    committed.then(onCommit, () => {
      this.#isAhead = true
    })
    if (stored.isOutgrown()) void this.runAsLeft(() => this.#fold()).catch(() => undefined)
    return committed
  }

  /** Commits what a slice of an advance changed; the store has to catch up now and then. */
  async #commitSlice(): Promise<void> {
    // Whether it is committed shows in `isAhead`.
    this.#commit().catch(() => undefined)
    this.#slices += 1
    if (this.#slices % SLICES_AHEAD === 0) {
      await this.#parts.stored.flushed().catch(() => undefined)
      await this.#fold()
    }
  }

  /** Writes the state anew where its journal has outgrown it. Where the disk does not take that, the journal goes on. */
  async #fold(): Promise<void> {
    if (this.#isStopping || !this.#parts.stored.isOutgrown()) return
    try {
      await this.replace(this.#world)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#parts.report(error)
    }
  }

  /** Has the next call undo what was changed since the last commit, if anything was: work broke off half-way. */
  #abandon(): void {
    if (!this.#parts.stored.isVolatile && takeEntry(this.#world, this.#taken) !== null) {
      this.#isAhead = true
    }
  }

  /** Returns to what is stored, after the store did not take what was changed in memory. */
  async #fallBack(): Promise<void> {
    this.#put(await readStored(this.#parts.stored, this.#world.sandboxId))
    this.#isAhead = false
    await this.settleLeft()
  }

  /** Requests that are still to be answered may have moved something in the world before. */
  #put(world: World): void {
    world.transitions = this.#world.transitions
    this.#world = world
    this.#taken = takeAll(world)
  }

  /** Settles what real time has reached. What that changes shapes no answer before it is committed. */
  async #catchUp(world: World): Promise<void> {
    const target = standsAt(world.clock, this.#parts.time.now())
    const watch = { cause: byItself, pace: this.pace, isDone: () => false }
    try {
      while ((await advanceTo(world, target, watch)) === 'cut') {
        await this.pace.onPause()
      }
    } catch (error) {
      this.#reportOnce(error)
    }
    await this.pace.onPause()
  }

  /** A due item that cannot be settled stops the clock there, and no call: all of them catch up first. */
  #reportOnce(error: unknown): void {
    if (!(error instanceof DueItemError)) throw error
    if (error.message !== this.#reported) this.#parts.report(error)
    this.#reported = error.message
  }

  /** What the alarm rings for. */
  async #wake(): Promise<void> {
    holdMeter.mark(null)
    try {
      await this.run(() => undefined)
    } catch (error) {
      if (this.#isStopping) return
      if (error instanceof StoreUnavailable) this.#alarm.setForRetry()
      else this.#parts.report(error)
    }
  }

  #setAlarm(): void {
    const { clock, due } = this.#world
    if (this.#isStopping || clock.offsetMs === null) this.#alarm.clear()
    else if (this.#isAhead) this.#alarm.setForRetry()
    // Nobody but a call changes what holds it up, and each call sets the alarm anew.
    else if (isHeld(this.#world)) this.#alarm.clear()
    else this.#alarm.setFor(clock, due.head()?.at ?? null)
  }
}
