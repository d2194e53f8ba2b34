/**
 * Moves the clock of one sandbox: sets it, and advances it in one turn of the queue or in lockstep with webhooks. An
 * advance in lockstep is many turns, and other calls run between them: it stops at each instant that has events for a
 * webhook, delivers them in order, and serves the calls of the receivers, before time continues. Owns that no other call
 * moves the clock meanwhile, and the limits, which hold whatever receivers do.
 */
import { isRefusal, refuse } from '../billing/refusal.ts'
import {
  type Advance,
  type AdvanceEnding,
  type AdvanceRun,
  advance,
  beginAdvance,
  type Destination,
  endAdvance,
  runAdvance,
} from '../world/advance.ts'
import type { Cause } from '../world/event.ts'
import type { Refusal } from '../world/refusal.ts'
import {
  countWaiting,
  type DueDelivery,
  deliveryIdOf,
  nextDelivery,
  type Receipt,
} from '../world/webhook.ts'
import type { World } from '../world/world.ts'
import type { Deliveries } from './deliveries.ts'
import { type ClockChange, keepOffset, runClock } from './running-clock.ts'
import type { SandboxOptions } from './sandbox-types.ts'
import type { Session, WorldTask } from './session.ts'
import { storeRefusal } from './store-failure.ts'

/** The most deliveries at one instant of events that receivers cause, or ten for each one that time caused. */
export const CAUSED_MAX = 1000
const CAUSED_FOR_EACH = 10

/** The number of timeouts of a receiver before the advance continues without it. */
export const HANGS_MAX = 3

/** The most failures in one answer. */
const FAILURES_LISTED = 100

export interface LockstepRequest {
  readonly destination: Destination
  readonly receiverTimeoutMs: number
  readonly cause: Cause
  /** Aborted when the client is gone. */
  readonly client: AbortSignal | undefined
}

/** The results of the deliveries of an advance in lockstep. */
interface DeliveryCounts {
  delivered: number
  failed: number
  /** The first failed deliveries. */
  readonly failures: {
    readonly webhookId: string
    readonly deliveryId: string
    readonly eventSeq: number
    readonly reason: string
  }[]
}

export interface LockstepAdvance extends Advance {
  /** `leftOut` are the webhooks that the advance continued without. */
  readonly deliveries: Readonly<DeliveryCounts> & { readonly leftOut: string[] }
}

export interface ClockMovesOptions extends Pick<SandboxOptions, 'time'> {
  readonly session: Session
  readonly deliveries: Deliveries
  /** The number of replacements of the world. */
  readonly replacements: () => number
}

export class ClockMoves {
  readonly #options: ClockMovesOptions
  #isInLockstep = false

  constructor(options: ClockMovesOptions) {
    this.#options = options
  }

  /** Moves the virtual clock and settles what falls due. */
  advance(destination: Destination, requestId: () => string): Promise<Advance | Refusal> {
    return this.#execute((world) => this.#advance(world, destination, requestId()))
  }

  /** The same in lockstep with the receivers of webhooks. Refuses a running clock too. */
  async lockstep(order: LockstepRequest): Promise<LockstepAdvance | Refusal> {
    if (this.#isInLockstep) return busyRefusal()
    this.#isInLockstep = true
    try {
      return await new LockstepRun(this.#options, order).run()
    } catch (error) {
      return this.#refuse(error)
    } finally {
      this.#isInLockstep = false
    }
  }

  /** Sets the clock, and reads the answer before any other call. Refuses to go backwards, and then changes nothing. */
  set<Value>(
    { now, mode }: ClockChange,
    requestId: () => string | null,
    answer: (world: World) => Value,
  ): Promise<Value | Refusal> {
    return this.#execute(async (world) => {
      if (now !== null) {
        const advanced = await this.#advance(world, { to: now, field: 'now' }, requestId())
        if (isRefusal(advanced)) return advanced
        // Stopped before it: from here the clock goes on as it did, until somebody asks again.
        if (advanced.to < now) return answer(world)
      }
      const { clock } = world
      if (mode === 'frozen') clock.offsetMs = null
      if (mode === 'running' && clock.offsetMs === null) runClock(clock, this.#options.time.now())
      return answer(world)
    })
  }

  async #execute<Value>(work: WorldTask<Value>): Promise<Value | Refusal> {
    if (this.#isInLockstep) return busyRefusal()
    return this.#options.session.execute(work).catch((error) => this.#refuse(error))
  }

  /** What a move settled before the disk refused more is stored. */
  #refuse(error: unknown): Refusal {
    return storeRefusal(error, `The virtual now is ${this.#options.session.world.clock.now()}`)
  }

  /** Moves the clock. A running clock keeps the added offset, also if the advance is cut short. */
  async #advance(world: World, destination: Destination, requestId: string | null) {
    const { pace } = this.#options.session
    const cause = { kind: 'clock', requestId } as const
    const onMoved = keepOffset(world.clock)
    const onPause = () => {
      onMoved()
      return pace.onPause()
    }
    const answer = await advance(world, destination, { cause, pace: { ...pace, onPause } })
    onMoved()
    return answer
  }
}

function busyRefusal(): Refusal {
  return refuse(
    'clock_busy',
    'An advance in lockstep is running, and nothing else can move the clock; try again when it has ended, or reset the sandbox.',
  )
}

/** One advance in lockstep: how far it is, and the results of its deliveries. */
class LockstepRun {
  readonly #options: ClockMovesOptions
  readonly #order: LockstepRequest
  readonly #replacementsBefore: number
  readonly #counts: DeliveryCounts = { delivered: 0, failed: 0, failures: [] }
  readonly #hangs = new Map<string, number>()

  constructor(options: ClockMovesOptions, order: LockstepRequest) {
    this.#options = options
    this.#order = order
    this.#replacementsBefore = options.replacements()
  }

  async run(): Promise<LockstepAdvance | Refusal> {
    const { session, deliveries } = this.#options
    const run = await session.read((world) => beginLockstep(world, this.#order.destination))
    if (isRefusal(run)) return run
    await deliveries.pause()
    try {
      const ending = await this.#runToEnd(run)
      const advance = await session.read((world) =>
        endAdvance(world, run, this.#isReplaced() ? 'replaced' : ending),
      )
      const leftOut = [...this.#hangs.keys()].filter((webhookId) => this.#isLeftOut(webhookId))
      return { ...advance, deliveries: { ...this.#counts, leftOut } }
    } finally {
      deliveries.resume()
    }
  }

  /** Advances from instant to instant; events at the first and at the last instant are delivered too. */
  async #runToEnd(run: AdvanceRun): Promise<AdvanceEnding> {
    const { session } = this.#options
    const { cause } = this.#order
    for (;;) {
      const stopped = await this.#deliverAll()
      if (stopped !== null) return stopped
      // One turn in the queue: to the next instant that has events to deliver.
      const ending = await session.execute(async (world) => {
        run.isPaused = false
        if (this.#isReplaced()) return 'replaced'
        const stopsAt = () => this.#nextOf(world) !== null
        return runAdvance(world, run, { cause, pace: session.pace, stopsAt })
      })
      if (run.isPaused) continue
      return (await this.#deliverAll()) ?? ending
    }
  }

  /** Delivers the events of this instant, and those that receivers cause. Answers why the advance must end, or null. */
  async #deliverAll(): Promise<AdvanceEnding | null> {
    const { session, deliveries } = this.#options
    const { receiverTimeoutMs: timeoutMs, client } = this.#order
    const isCut = () => client?.aborted === true || deliveries.isStopped
    const waiting = await session.read((world) =>
      [...world.webhooks.values()].reduce((sum, webhook) => sum + countWaiting(world, webhook), 0),
    )
    const most = waiting + Math.max(CAUSED_MAX, CAUSED_FOR_EACH * waiting)
    for (let delivered = 0; ; delivered += 1) {
      const due = await session.read((world) => this.#nextOf(world))
      if (this.#isReplaced()) return 'replaced'
      if (due === null) return null
      if (delivered === most) return 'receiver_loop'
      // A second attempt would depend on real time.
      const attempt = isCut() ? null : await deliveries.deliver(due, timeoutMs, 1)
      if (attempt === null) return this.#isReplaced() ? 'replaced' : 'stopped'
      this.#count(due, attempt.receipt)
    }
  }

  #count(due: DueDelivery, receipt: Receipt): void {
    const counts = this.#counts
    if (receipt.isDelivered) {
      counts.delivered += 1
      return
    }
    const { webhookId } = due.webhook
    const { isHanging, reason } = receipt
    counts.failed += 1
    if (isHanging) this.#hangs.set(webhookId, (this.#hangs.get(webhookId) ?? 0) + 1)
    if (counts.failures.length >= FAILURES_LISTED) return
    const deliveryId = deliveryIdOf(due)
    counts.failures.push({ webhookId, deliveryId, eventSeq: due.event.seq, reason })
  }

  #isReplaced(): boolean {
    return this.#options.replacements() !== this.#replacementsBefore
  }

  #isLeftOut(webhookId: string): boolean {
    return (this.#hangs.get(webhookId) ?? 0) >= HANGS_MAX
  }

  /** The oldest event that a webhook has not received; of several webhooks, the oldest comes first. */
  #nextOf(world: World): DueDelivery | null {
    let first: DueDelivery | null = null
    for (const webhook of world.webhooks.values()) {
      const due = this.#isLeftOut(webhook.webhookId) ? null : nextDelivery(world, webhook)
      if (due !== null && (first === null || due.event.seq < first.event.seq)) first = due
    }
    return first
  }
}

function beginLockstep(world: World, destination: Destination): AdvanceRun | Refusal {
  if (world.clock.offsetMs === null) return beginAdvance(world, destination)
  return refuse(
    'clock_running',
    'lockstep must be false while the clock runs; freeze it first with PUT /sandbox/clock {"mode":"frozen"}.',
  )
}
