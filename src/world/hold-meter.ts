/**
 * Measures how long the operations of this process block the event loop, each in one stretch: between two marks, or
 * between a mark and a tick of a timer. Nothing is measured until it is started. Code that resumes work marks it.
 */

/** The longest time that one operation may block the event loop; a longer one is logged. */
export const HOLD_MAX_MS = 50

/** A stretch without a mark ends at this interval. An idle process waits no longer than that between two marks. */
const TICK_MS = 10

/** A shorter stretch cannot be distinguished from waiting for the next tick. */
const NOTED_MS = 2 * TICK_MS

/** Every so many ticks the processor time is read, which takes half a millisecond on some machines. */
const CPU_TICKS = 5

/** The timer stops after so many ticks without a mark or a running operation. */
const QUIET_TICKS = 100

/** One operation, from its request to its answer. */
export interface OperationRun {
  readonly operation: string
}

/** A stretch in which nothing else of this process ran, without the time in which it did not run at all. */
export interface Hold {
  /** Null if no operation was running, or if several were and the right one is unknown. */
  readonly operation: string | null
  readonly ms: number
  /** Its end, in real milliseconds since 1970. */
  readonly at: number
}

/** Where the meter reads the time, in milliseconds. */
interface Clocks {
  /** Real time, as `performance.now` returns it. */
  readonly now: () => number
  /** How long this process has been on a processor. */
  readonly cpu: () => number
}

const ownClocks: Clocks = {
  now: () => performance.now(),
  cpu: () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}

interface Watch extends Clocks {
  /** Receives each hold of more than `HOLD_MAX_MS`. */
  readonly onLong: (hold: Hold) => void
}

class HoldMeter {
  readonly #active = new Set<OperationRun>()
  readonly #longest = new Map<string | null, Hold>()
  #watch: Watch | null = null
  #timer: NodeJS.Timeout | null = null
  #quietTicks = 0
  #running: OperationRun | null = null
  #since = 0
  /** The processor time at its last reading: what was used since bounds each hold. */
  #cpuBefore = 0
  #ticks = 0

  /** The longest hold of each operation, longest first; null before `start`. */
  get longest(): readonly Hold[] | null {
    if (this.#watch === null) return null
    return [...this.#longest.values()].sort((one, other) => other.ms - one.ms)
  }

  /** The operation whose code runs. Code that pauses it marks it again when it continues. */
  get running(): OperationRun | null {
    return this.#running
  }

  /** Starts measuring. Not for a process that also runs other code, which would be counted as our operations. */
  start(onLong: Watch['onLong'], clocks: Clocks = ownClocks): void {
    this.#watch = { onLong, ...clocks }
  }

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

  /** The rest of the same turn still counts for it: its answer is being written. */
  end(run: OperationRun): void {
    this.#active.delete(run)
  }

  mark(run: OperationRun | null): void {
    if (this.#watch === null) return
    this.#quietTicks = 0
    if (this.#timer === null) this.#startTicking(this.#watch)
    else this.#measure(this.#watch)
    this.#running = run
  }

  #startTicking(watch: Watch): void {
    this.#since = watch.now()
    this.#cpuBefore = watch.cpu()
    this.#timer = setInterval(() => this.#tick(watch), TICK_MS).unref()
  }

  #stopTicking(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#running = null
  }

  #tick(watch: Watch): void {
    this.#measure(watch)
    this.#ticks += 1
    if (this.#ticks % CPU_TICKS === 0) this.#cpuBefore = watch.cpu()
    const [only = null] = this.#active
    this.#running = this.#active.size === 1 ? only : null
    this.#quietTicks += 1
    if (this.#quietTicks > QUIET_TICKS && this.#active.size === 0) this.#stopTicking()
  }

  #measure({ now, cpu, onLong }: Watch): void {
    const until = now()
    const realMs = until - this.#since
    this.#since = until
    if (realMs <= NOTED_MS) return
    // On a busy machine a process waits for a processor; that is nobody's doing.
    const used = cpu()
    const ms = Math.min(realMs, used - this.#cpuBefore)
    this.#cpuBefore = used
    if (ms <= NOTED_MS) return
    const operation = this.#running?.operation ?? null
    const hold = { operation, ms, at: performance.timeOrigin + until }
    if (ms > (this.#longest.get(operation)?.ms ?? 0)) this.#longest.set(operation, hold)
    if (ms > HOLD_MAX_MS) onLong(hold)
  }
}

export const holdMeter = new HoldMeter()

export function longHoldText({ operation, ms }: Hold): string {
  const by = operation ?? 'no single operation'
  return `The event loop was held for ${Math.round(ms)} ms by ${by}; the most is ${HOLD_MAX_MS} ms.`
}
