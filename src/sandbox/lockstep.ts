/**
 * Advances in lockstep with webhooks: stops at each instant that has events for a webhook, delivers them in order, and
 * serves the calls of the receivers, before time continues. Another advance is one turn in the queue of its sandbox;
 * this one is many, and other calls run between them. Owns the limits, which hold whatever receivers do.
 */
import { isRefusal, refuse } from '../billing/refusal.ts'
import {
  type Advance,
  type AdvanceEnding,
  type AdvanceRun,
  beginAdvance,
  type Destination,
  endAdvance,
  runAdvance,
} from '../world/advance.ts'
import type { Cause } from '../world/event.ts'
import type { Refusal } from '../world/refusal.ts'
import {
  type DueDelivery,
  deliveryIdOf,
  nextFor,
  type Receipt,
  waitingFor,
} from '../world/webhook.ts'
import type { World } from '../world/world.ts'
import type { Deliveries } from './deliveries.ts'
import type { Session } from './session.ts'

/** The most deliveries at one instant of events that receivers cause, or ten for each one that time caused. */
export const CAUSED_MAX = 1000
const CAUSED_FOR_EACH = 10

/** The number of timeouts of a receiver before the advance continues without it. */
export const HANGS_MAX = 3

/** The most failures in one answer. */
const FAILURES_LISTED = 100

export interface LockstepOrder {
  readonly destination: Destination
  readonly receiverTimeoutMs: number
  readonly cause: Cause
  /** Aborted when the client is gone. */
  readonly client: AbortSignal | undefined
}

interface LockstepFailure {
  readonly webhookId: string
  readonly deliveryId: string
  readonly eventSeq: number
  readonly reason: string
}

export interface LockstepDeliveries {
  readonly delivered: number
  readonly failed: number
  /** The first failed deliveries. */
  readonly failures: readonly LockstepFailure[]
  /** The webhooks that the advance continued without. */
  readonly leftOut: string[]
}

export interface LockstepAdvance extends Advance {
  readonly deliveries: LockstepDeliveries
}

export interface LockstepParts {
  readonly session: Session
  readonly deliveries: Deliveries
  /** The number of replacements of the world. */
  readonly replacements: () => number
}

/** Advances in lockstep. Refuses a running clock, and what every advance refuses. */
export async function lockstep(
  parts: LockstepParts,
  order: LockstepOrder,
): Promise<LockstepAdvance | Refusal> {
  const { session, deliveries, replacements } = parts
  const before = replacements()
  const run = await session.read((world) => begin(world, order.destination))
  if (isRefusal(run)) return run
  const isReplaced = () => replacements() !== before
  const steps = new LockstepRun(parts, order, isReplaced)
  await deliveries.hold()
  try {
    const ending = await steps.runToEnd(run)
    const advance = await session.read((world) =>
      endAdvance(world, run, isReplaced() ? 'replaced' : ending),
    )
    return { ...advance, deliveries: steps.report }
  } finally {
    deliveries.release()
  }
}

function begin(world: World, destination: Destination): AdvanceRun | Refusal {
  if (world.clock.offsetMs === null) return beginAdvance(world, destination)
  return refuse(
    'clock_running',
    'lockstep must be false while the clock runs; freeze it first with PUT /sandbox/clock {"mode":"frozen"}.',
  )
}

/** One advance in lockstep: how far it is, and the results of its deliveries. */
class LockstepRun {
  readonly #parts: LockstepParts
  readonly #order: LockstepOrder
  readonly #isReplaced: () => boolean
  readonly #failures: LockstepFailure[] = []
  readonly #hangs = new Map<string, number>()
  #delivered = 0
  #failed = 0

  constructor(parts: LockstepParts, order: LockstepOrder, isReplaced: () => boolean) {
    this.#parts = parts
    this.#order = order
    this.#isReplaced = isReplaced
  }

  get report(): LockstepDeliveries {
    const leftOut = [...this.#hangs.keys()].filter((webhookId) => this.#isLeftOut(webhookId))
    const [delivered, failed, failures] = [this.#delivered, this.#failed, this.#failures]
    return { delivered, failed, failures, leftOut }
  }

  /** Advances from instant to instant; events at the first and at the last instant are delivered too. */
  async runToEnd(run: AdvanceRun): Promise<AdvanceEnding> {
    for (;;) {
      const stopped = await this.#deliverAll()
      if (stopped !== null) return stopped
      const ending = await this.#advanceOnce(run)
      if (run.isBetween) continue
      return (await this.#deliverAll()) ?? ending
    }
  }

  /** One turn in the queue: advances to the next instant that has events to deliver. */
  #advanceOnce(run: AdvanceRun): Promise<AdvanceEnding> {
    const { session } = this.#parts
    const { pace } = session
    return session.execute(async (world) => {
      run.isBetween = false
      if (this.#isReplaced()) return 'replaced'
      const { cause } = this.#order
      return runAdvance(world, run, { cause, pace, stopsAt: () => this.#nextOf(world) !== null })
    })
  }

  /** Delivers the events of this instant, and those that receivers cause. Answers why the advance must end, or null. */
  async #deliverAll(): Promise<AdvanceEnding | null> {
    const { session } = this.#parts
    const waiting = await session.read((world) => this.#waitingIn(world))
    const most = waiting + Math.max(CAUSED_MAX, CAUSED_FOR_EACH * waiting)
    for (let delivered = 0; ; delivered += 1) {
      const due = await session.read((world) => this.#nextOf(world))
      if (this.#isReplaced()) return 'replaced'
      if (due === null) return null
      if (delivered === most) return 'receiver_loop'
      if (this.#isCut() || !(await this.#deliver(due)))
        return this.#isReplaced() ? 'replaced' : 'stopped'
    }
  }

  /** Makes one attempt: a second one would depend on real time. False if the sandbox is stopped during it. */
  async #deliver(due: DueDelivery): Promise<boolean> {
    const { session, deliveries } = this.#parts
    const { receiverTimeoutMs } = this.#order
    const receipt = await deliveries.attempt(session.world, due, receiverTimeoutMs)
    if (receipt === null) return false
    await deliveries.note(due, { receipt, attemptsMax: 1 })
    this.#count(due, receipt)
    return true
  }

  #count(due: DueDelivery, receipt: Receipt): void {
    const { webhookId } = due.webhook
    if (receipt.isDelivered) {
      this.#delivered += 1
      return
    }
    this.#failed += 1
    const { isHanging, reason } = receipt
    if (isHanging) this.#hangs.set(webhookId, (this.#hangs.get(webhookId) ?? 0) + 1)
    if (this.#failures.length >= FAILURES_LISTED) return
    const deliveryId = deliveryIdOf(due)
    this.#failures.push({ webhookId, deliveryId, eventSeq: due.event.seq, reason })
  }

  #isCut(): boolean {
    return this.#order.client?.aborted === true || this.#parts.deliveries.isStopped
  }

  #isLeftOut(webhookId: string): boolean {
    return (this.#hangs.get(webhookId) ?? 0) >= HANGS_MAX
  }

  /** The oldest event that a webhook has not received; of several webhooks, the oldest comes first. */
  #nextOf(world: World): DueDelivery | null {
    let first: DueDelivery | null = null
    for (const webhook of world.webhooks.values()) {
      const due = this.#isLeftOut(webhook.webhookId) ? null : nextFor(world, webhook)
      if (due !== null && (first === null || due.event.seq < first.event.seq)) first = due
    }
    return first
  }

  #waitingIn(world: World): number {
    let waiting = 0
    for (const webhook of world.webhooks.values()) waiting += waitingFor(world, webhook)
    return waiting
  }
}
