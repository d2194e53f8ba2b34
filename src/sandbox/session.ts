/**
 * The session on one sandbox's world: runs calls one after another. Each sees a world that matches the store and, if
 * its clock runs, real time. Owns committing the changes of a call, and the return to the stored world if the store
 * refuses them.
 */
import {
  type DocumentKind,
  type StoredSandbox,
  StoreError,
  StoreUnavailable,
} from '../store/store.ts'
import { millisOf } from '../time/instant.ts'
import { CLOCK_MAX } from '../world/advance.ts'
import { advanceTo, DueItemError, isHeadBlocked, type Pace, settleDue } from '../world/engine.ts'
import { clockCause } from '../world/event.ts'
import { holdMeter } from '../world/hold-meter.ts'
import { StateDocumentError } from '../world/state-document-error.ts'
import type { World } from '../world/world.ts'
import {
  entriesOfWorld,
  type JournalPosition,
  journalPosition,
  markJournaled,
  takeJournalEntry,
  worldFromEntries,
} from '../world/world-entries.ts'
import { clockNow } from './running-clock.ts'
import type { SandboxOptions } from './sandbox-types.ts'
import { serialQueue } from './serial-queue.ts'
import { SandboxClosed } from './store-failure.ts'

export type WorldTask<Value> = (world: World) => Value | Promise<Value>

export interface SessionOptions
  extends Pick<SandboxOptions, 'world' | 'stored' | 'time' | 'report'> {
  readonly onCommit: () => void
}

/**
 * The most slices of an advance that may wait for the disk. Their changes wait in memory, and the disk may be slower
 * than the engine throughout a million due items.
 */
const SLICES_AHEAD = 64

/** A machine that sleeps does not count it as waiting. So no wait is longer than this, which is the most delay. */
const WAIT_MAX_MS = 30_000

const RETRY_MS = 1000

/** The stored world of a sandbox. Throws `StoreError` if it is unusable. */
export async function readStored(stored: StoredSandbox, sandboxId: string): Promise<World> {
  try {
    return await worldFromEntries(stored.read(), sandboxId, 'unknown')
  } catch (error) {
    if (!(error instanceof StateDocumentError)) throw error
    throw new StoreError(`The state of sandbox "${sandboxId}" cannot be used: ${error.message}`)
  }
}

export class Session {
  readonly #options: SessionOptions
  readonly #queue = serialQueue()
  #world: World
  /** The part of the world's changes that the store has received. */
  #taken: JournalPosition
  /** Whether memory may hold changes that the store does not. */
  #isAhead = false
  #slices = 0
  /** Ends the wait for the next due item. */
  #callOff = () => {}
  #isStopping = false
  #isClosed = false
  /** The last due item that could not be settled, as it was reported. */
  #reported: string | null = null

  /** The pace of an advance here: its changes are committed as it runs, and it stops with the sandbox. */
  readonly pace: Pace = {
    onPause: () => this.#commitSlice(),
    isCut: () => this.#isStopping || this.#isAhead,
  }

  constructor(options: SessionOptions) {
    this.#options = options
    this.#world = options.world
    this.#taken = markJournaled(options.world)
  }

  get world(): World {
    return this.#world
  }

  /** Runs work on the world at the current real time. */
  run<Value>(work: WorldTask<Value>): Promise<Value> {
    return this.runAsLeft((world) =>
      world.clock.offsetMs === null ? work(world) : this.#catchUp(world).then(() => work(world)),
    )
  }

  /** Runs work on the world as it is, which may first have to `goBack`. If it throws, the next call undoes its changes. */
  runAsLeft<Value>(work: WorldTask<Value>, goBack = () => this.#fallBack()): Promise<Value> {
    return this.#queue(async () => {
      if (this.#isClosed) throw new SandboxClosed(this.#world.sandboxId)
      if (this.#isAhead) await goBack()
      try {
        return await work(this.#world)
      } catch (error) {
        const { isVolatile } = this.#options.stored
        this.#isAhead ||= !isVolatile && takeJournalEntry(this.#world, this.#taken) !== null
        throw error
      } finally {
        this.#setAlarm()
      }
    })
  }

  /** Runs a function on the world, again where a commit fails: its result contains only committed changes. */
  async read<Value>(question: WorldTask<Value>): Promise<Value> {
    try {
      const answer = await this.run(question)
      const again = () => this.runAsLeft(question)
      return await this.#options.stored.committed().then(() => answer, again)
    } catch (error) {
      const isFrozen = this.#world.clock.offsetMs === null
      const isRefused = error instanceof StoreUnavailable && !(error instanceof SandboxClosed)
      // The stored now of a running clock lies before what answers have shown.
      if (!isFrozen || !isRefused) throw error
      // What an advance left of an instant cannot be settled while the disk refuses it: what is stored is shown.
      return this.runAsLeft(question, () => this.#readBack())
    }
  }

  /** Runs work that changes the world, and resolves once the changes are committed. */
  async execute<Value>(work: WorldTask<Value>): Promise<Value> {
    try {
      const { answer, committed } = await this.run(async (world) => {
        const answer = await work(world)
        return { answer, committed: this.#commit() }
      })
      await committed
      return answer
    } catch (error) {
      // Undone before it is refused: settings and the virtual now are also read outside the queue.
      if (this.#isAhead) await this.runAsLeft(() => undefined).catch(() => undefined)
      throw error
    }
  }

  /** Within a call: stores a world whole and replaces this one by it; if that fails, this one stays. */
  async replace(world: World, emptied?: readonly DocumentKind[]): Promise<void> {
    // Only the store knows which one it has: the disk may have failed after the rename.
    this.#isAhead = !this.#options.stored.isVolatile
    await this.#options.stored.replace(entriesOfWorld(world), emptied)
    this.#isAhead = false
    this.#put(world)
    this.#options.onCommit()
  }

  /** Within a call: settles what is due at the world's now. An advance that was cut short may have left some of it. */
  async settleLeft(): Promise<void> {
    await settleDue(this.#world)
    await this.#commit()
  }

  /** Stops a running advance after a whole due item, and the alarm. */
  stop(): void {
    this.#isStopping = true
    this.#callOff()
  }

  /** Waits for the running calls, and for their changes to be on disk. No call runs after it. */
  async close(before?: 'removal'): Promise<void> {
    this.stop()
    await this.#queue(() => {
      this.#isClosed = true
    })
    await this.#options.stored.close(before)
  }

  /** Passes the changes to the store; resolves once they and all before them are committed. */
  #commit(): Promise<void> {
    const { stored, onCommit } = this.#options
    const entry = takeJournalEntry(this.#world, this.#taken)
    if (entry === null) return stored.committed()
    this.#taken = journalPosition(this.#world)
    const committed = stored.append(entry)
    committed.then(onCommit, () => {
      this.#isAhead = true
    })
    if (stored.isOutgrown()) void this.runAsLeft(() => this.#fold()).catch(() => undefined)
    return committed
  }

  /** Commits the changes of a slice of an advance; now and then it waits for the store. */
  async #commitSlice(): Promise<void> {
    // `isAhead` shows whether it is committed.
    this.#commit().catch(() => undefined)
    this.#slices += 1
    if (this.#slices % SLICES_AHEAD === 0) {
      await this.#options.stored.flushed().catch(() => undefined)
      await this.#fold()
    }
  }

  /** Writes the state again if its journal has outgrown it. If the disk refuses that, the journal continues. */
  async #fold(): Promise<void> {
    if (this.#isStopping || !this.#options.stored.isOutgrown()) return
    try {
      await this.replace(this.#world)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) this.#options.report(error)
    }
  }

  /** Returns to the stored world after the store refused changes that are in memory. */
  async #fallBack(): Promise<void> {
    await this.#readBack()
    this.#isAhead = false
    await this.settleLeft()
  }

  async #readBack(): Promise<void> {
    this.#put(await readStored(this.#options.stored, this.#world.sandboxId))
  }

  /** Unanswered requests may have caused transitions in the world before; keeps those. */
  #put(world: World): void {
    world.transitions = this.#world.transitions
    this.#world = world
    this.#taken = markJournaled(world)
  }

  /** Settles what real time has reached. No answer contains that before it is committed. */
  async #catchUp(world: World): Promise<void> {
    const target = clockNow(world.clock, this.#options.time.now())
    const hooks = { cause: clockCause, pace: this.pace }
    try {
      while ((await advanceTo(world, target, hooks)) === 'item_limit') {
        await this.pace.onPause()
      }
    } catch (error) {
      this.#reportOnce(error)
    }
    await this.pace.onPause()
  }

  /** An unsettleable due item stops the clock there, but no call: every call catches up first. */
  #reportOnce(error: unknown): void {
    if (!(error instanceof DueItemError)) throw error
    if (error.message !== this.#reported) this.#options.report(error)
    this.#reported = error.message
  }

  async #wake(): Promise<void> {
    holdMeter.mark(null)
    try {
      await this.run(() => undefined)
    } catch (error) {
      if (this.#isStopping) return
      if (error instanceof StoreUnavailable) this.#wait(RETRY_MS)
      else this.#options.report(error)
    }
  }

  /** Wakes for what falls due next, while the clock runs. Each call sets the alarm again. */
  #setAlarm(): void {
    this.#callOff()
    const { offsetMs } = this.#world.clock
    if (this.#isStopping || offsetMs === null) return
    if (this.#isAhead) {
      this.#wait(RETRY_MS)
      return
    }
    const dueAt = this.#world.due.head()?.at
    // Only a call can change what blocks it; the clock ends before what is due later.
    if (dueAt === undefined || dueAt > CLOCK_MAX || isHeadBlocked(this.#world)) return
    this.#wait(millisOf(dueAt) - (this.#options.time.now() + offsetMs))
  }

  #wait(afterMs: number): void {
    this.#callOff()
    const waitMs = Math.min(Math.max(afterMs, 0), WAIT_MAX_MS)
    this.#callOff = this.#options.time.wake(waitMs, () => void this.#wake())
  }
}
