/**
 * How long the operations of this process held the event loop, each in one stretch. Owns the measuring: between two marks,
 * or a mark and a tick of a timer, and nothing is measured unless it was started. Whoever resumes work marks it.
 */

/** How long one operation may hold the event loop: longer is logged. */
export const HOLD_MAX_MS = 50

/** How often a stretch is ended that no mark ends. An idle process waits no longer than that between two marks. */
const TICK_MS = 10

/** What is shorter is not told from waiting for the next tick. */
const NOTED_MS = 2 * TICK_MS

/** After so many ticks without a mark or an operation under way, the timer stops. */
const QUIET_TICKS = 100

/** One operation, from its request to its answer. */
export interface OperationRun {
  readonly operation: string
}

/** A stretch in which nothing else had a turn. */
export interface Hold {
  /** Null where no operation was under way, or it is not known which of several it was. */
  readonly operation: string | null
  readonly ms: number
  /** When it ended, in real milliseconds since 1970. */
  readonly at: number
}

interface Watch {
  /** Real milliseconds, as `performance.now` has them. */
  readonly now: () => number
  /** Receives each hold of more than `HOLD_MAX_MS`. */
  readonly onLong: (hold: Hold) => void
}

/** A meter. Its identity is what the process is doing. */
class HoldMeter {
  readonly #active = new Set<OperationRun>()
  readonly #longest = new Map<string | null, Hold>()
  #watch: Watch | null = null
  #timer: NodeJS.Timeout | null = null
  #quietTicks = 0
  #running: OperationRun | null = null
  #since = 0

  /** The longest hold of each operation, the longest first; null before `start`. */
  get longest(): readonly Hold[] | null {
    if (this.#watch === null) return null
    return [...this.#longest.values()].sort((one, other) => other.ms - one.ms)
  }

  /** Whose code runs: what pauses it marks it again when it goes on. */
  get running(): OperationRun | null {
    return this.#running
  }

  /** Measures from now on. Not for a process that runs code beside ours, which would count for our operations. */
  start(onLong: Watch['onLong'], now: Watch['now'] = () => performance.now()): void {
    this.#watch = { onLong, now }
  }

  /** Measures no more, and forgets what was measured. */
  stop(): void {
    this.#watch = null
    this.#longest.clear()
    this.#stopTicking()
  }

  begin(operation: string): OperationRun {
    const run = { operation }
    this.#active.add(run)
    this.mark(run)
    return run
  }

  /** What follows in the same turn counts for it still: its answer is being written. */
  end(run: OperationRun): void {
    this.#active.delete(run)
  }

  /** What runs from here on counts for this operation. */
  mark(run: OperationRun | null): void {
    if (this.#watch === null) return
    this.#quietTicks = 0
    if (this.#timer === null) this.#startTicking(this.#watch)
    else this.#measure(this.#watch)
    this.#running = run
  }

  #startTicking(watch: Watch): void {
    this.#since = watch.now()
    this.#timer = setInterval(() => this.#tick(watch), TICK_MS).unref()
  }

  #stopTicking(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#running = null
  }

  #tick(watch: Watch): void {
    this.#measure(watch)
    const [only = null] = this.#active
    this.#running = this.#active.size === 1 ? only : null
    this.#quietTicks += 1
    if (this.#quietTicks > QUIET_TICKS && this.#active.size === 0) this.#stopTicking()
  }

  /** Ends a stretch, and begins the next one. */
  #measure({ now, onLong }: Watch): void {
    const until = now()
    const ms = until - this.#since
    this.#since = until
    if (ms <= NOTED_MS) return
    const operation = this.#running?.operation ?? null
    const hold = { operation, ms, at: performance.timeOrigin + until }
    if (ms > (this.#longest.get(operation)?.ms ?? 0)) this.#longest.set(operation, hold)
    if (ms > HOLD_MAX_MS) onLong(hold)
  }
}

/** The meter of this process. */
export const holdMeter = new HoldMeter()

/** What the log says of a long hold. */
export function longHoldText({ operation, ms }: Hold): string {
  const by = operation ?? 'no single operation'
  return `The event loop was held for ${Math.round(ms)} ms by ${by}; the most is ${HOLD_MAX_MS} ms.`
}
