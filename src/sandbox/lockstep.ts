/**
 * Advancing in lockstep: stops at each instant that has events for a webhook, delivers them in order, and serves what
 * the receivers ask meanwhile, before time goes on. An advance is one turn in the queue of its sandbox elsewhere; here
 * it is many, between which other calls have theirs. Owns what bounds it, whatever receivers do.
 */
import { isRefusal, refuse } from '../billing/refusal.ts'
import {
  type Advance,
  type Arrival,
  arrive,
  type Destination,
  depart,
  type Journey,
  travel,
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

/** How many deliveries of events that receivers cause are made at one instant, or ten for each one that time caused. */
export const CAUSED_MAX = 1000
const CAUSED_FOR_EACH = 10

/** How often a receiver may let an advance wait in vain, before that goes on without it. */
export const HANGS_MAX = 3

/** The most failures that an answer lists. */
const FAILURES_LISTED = 100

export interface LockstepOrder {
  readonly destination: Destination
  readonly receiverTimeoutMs: number
  readonly cause: Cause
  /** Aborted once nobody waits for the answer. */
  readonly client: AbortSignal | undefined
}

/** A delivery that failed in lockstep. */
interface LockstepFailure {
  readonly webhookId: string
  readonly deliveryId: string
  readonly eventSeq: number
  readonly reason: string
}

/** What came of the deliveries of an advance in lockstep. */
export interface LockstepDeliveries {
  readonly delivered: number
  readonly failed: number
  /** The first of those that failed. */
  readonly failures: readonly LockstepFailure[]
  /** The webhooks that the advance went on without. */
  readonly leftOut: string[]
}

export interface LockstepAdvance extends Advance {
  readonly deliveries: LockstepDeliveries
}

export interface LockstepParts {
  readonly session: Session
  readonly deliveries: Deliveries
  /** How often another world took the place of this one. */
  readonly replacements: () => number
}

/** Advances in lockstep. Refuses a clock that runs, and what every advance refuses. */
export async function lockstep(
  parts: LockstepParts,
  order: LockstepOrder,
): Promise<LockstepAdvance | Refusal> {
  const { session, deliveries, replacements } = parts
  const before = replacements()
  const journey = await session.read((world) => begin(world, order.destination))
  if (isRefusal(journey)) return journey
  const isReplaced = () => replacements() !== before
  const run = new Run(parts, order, isReplaced)
  await deliveries.hold()
  try {
    const ending = await run.toItsEnd(journey)
    const arrival = () => (isReplaced() ? 'replaced' : ending)
    const advance = await session.read((world) => arrive(world, journey, arrival()))
    return { ...advance, deliveries: run.report }
  } finally {
    deliveries.release()
  }
}

function begin(world: World, destination: Destination): Journey | Refusal {
  if (world.clock.offsetMs === null) return depart(world, destination)
  return refuse(
    'clock_running',
    'lockstep must be false while the clock runs; freeze it first with PUT /sandbox/clock {"mode":"frozen"}.',
  )
}

/** One advance in lockstep. Its identity is how far it is, and what came of its deliveries. */
class Run {
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

  /** Goes from instant to instant; what is to be told at the first one and at the last is told too. */
  async toItsEnd(journey: Journey): Promise<Arrival> {
    for (;;) {
      const stopped = await this.#tellAll()
      if (stopped !== null) return stopped
      const ending = await this.#goOn(journey)
      if (journey.isBetween) continue
      return (await this.#tellAll()) ?? ending
    }
  }

  /** One turn in the queue: on to the next instant that has something to tell. */
  #goOn(journey: Journey): Promise<Arrival> {
    const { session } = this.#parts
    const { pace } = session
    return session.execute(async (world) => {
      journey.isBetween = false
      if (this.#isReplaced()) return 'replaced'
      const { cause } = this.#order
      return travel(world, journey, { cause, pace, stopsAt: () => this.#nextOf(world) !== null })
    })
  }

  /** Tells what there is to tell at this instant, and what comes of that. Answers why the advance must end, if it must. */
  async #tellAll(): Promise<Arrival | null> {
    const { session } = this.#parts
    const waiting = await session.read((world) => this.#waitingIn(world))
    const most = waiting + Math.max(CAUSED_MAX, CAUSED_FOR_EACH * waiting)
    for (let told = 0; ; told += 1) {
      const due = await session.read((world) => this.#nextOf(world))
      if (this.#isReplaced()) return 'replaced'
      if (due === null) return null
      if (told === most) return 'receiver_loop'
      if (this.#isCut() || !(await this.#tell(due)))
        return this.#isReplaced() ? 'replaced' : 'stopped'
    }
  }

  /** Makes one attempt: a second one would depend on real time. False where the sandbox is stopped meanwhile. */
  async #tell(due: DueDelivery): Promise<boolean> {
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

  /** The oldest event that a webhook was not told of; of several webhooks, the oldest comes first. */
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
