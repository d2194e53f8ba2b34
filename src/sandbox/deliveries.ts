/**
 * Delivers events to webhooks in the background, to each webhook one event after another, so that a slow receiver
 * slows nobody else. Owns the retries, in real time, and the pause while an advance in lockstep delivers itself. The
 * result of each delivery is in the world, from which a restart goes on.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import { isRefusal, refuse } from '../billing/refusal.ts'
import { StoreUnavailable } from '../store/store.ts'
import { countText } from '../wire/common/text.ts'
import { presentEvent } from '../wire/events/event.ts'
import type { WireMessage } from '../wire/events/webhook.ts'
import { catchUpWebhook, recordAttempt, recordRedelivery } from '../world/commands/webhooks.ts'
import type { Event } from '../world/event.ts'
import type { Refusal } from '../world/refusal.ts'
import { findRecord, notFound } from '../world/results.ts'
import {
  type DueDelivery,
  isFarBehind,
  messageIdOf,
  nextDelivery,
  type Receipt,
  type Webhook,
  type WebhookDelivery,
} from '../world/webhook.ts'
import type { World } from '../world/world.ts'
import type { Receivers } from './receivers.ts'
import type { DeliveryTiming, SandboxOptions } from './sandbox-types.ts'
import type { Session } from './session.ts'

export const deliveryTiming: DeliveryTiming = {
  retryAfterMs: [500, 1000, 2000, 5000, 10_000],
  timeoutMs: 5000,
}

/** `report` is called with the events that a webhook skipped too. */
export interface DeliveryOptions extends Pick<SandboxOptions, 'stored' | 'report'> {
  readonly session: Session
  readonly receivers: Receivers
  readonly timing: DeliveryTiming
}

/** Why an attempt or a wait ends. Without a reason, Node makes an error with a stack for each sandbox that ends. */
const STOPPED = 'stopped'

export class Deliveries {
  readonly #options: DeliveryOptions
  readonly #stopped = new AbortController()
  /** The work for each webhook that is behind. */
  readonly #workers = new Map<string, Promise<void>>()
  /** Aborted while background deliveries are paused. */
  #paused = new AbortController()

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Looks for events to deliver: called after each committed change. */
  deliverPending(): void {
    const { stored, session, report } = this.#options
    const { webhooks } = session.world
    if (webhooks.size === 0) return
    stored.markUndelivered(true)
    // Looks for each, also while there are workers or none may run: an advance drops events from the log.
    const behind = [...webhooks.values()].filter((webhook) => this.#isBehind(webhook))
    if (this.#paused.signal.aborted) return
    for (const webhook of behind.filter((each) => !this.#workers.has(workerOf(each)))) {
      this.#workers.set(workerOf(webhook), this.#deliver(webhook).catch(report))
    }
  }

  /** Pauses background deliveries until `resume`, once the running attempts have ended. */
  async pause(): Promise<void> {
    this.#paused.abort(STOPPED)
    await Promise.all(this.#workers.values())
  }

  resume(): void {
    if (this.isStopped) return
    this.#paused = new AbortController()
    this.deliverPending()
  }

  /** Ends every attempt; its event is delivered after the next start. */
  stop(): void {
    this.#stopped.abort(STOPPED)
    this.#paused.abort(STOPPED)
  }

  /** Stores for the next start whether something is left to deliver, once no call is running. */
  markPending(): void {
    const { stored, session } = this.#options
    const webhooks = [...session.world.webhooks.values()]
    const isRunning = session.world.clock.offsetMs !== null
    stored.markUndelivered(
      webhooks.some((each) => isRunning || nextDelivery(session.world, each) !== null),
    )
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted
  }

  /** Makes one attempt of at most `attemptsMax`, and stores its result. Null if it was ended without a result. */
  async deliver(due: DueDelivery, timeoutMs: number, attemptsMax: number) {
    const receipt = await this.#attempt(due, timeoutMs)
    if (receipt === null) return null
    const attempt = { receipt, attemptsMax }
    const delivery = await this.#options.session.execute((world) =>
      recordAttempt(world, due, attempt),
    )
    if (delivery !== null && delivery.status !== 'pending') {
      this.#reportSkipped(due.webhook.webhookId, due.skipped)
    }
    return { receipt, delivery }
  }

  /** Repeats a delivery that succeeded or failed: one attempt, whose result it waits for. */
  async redeliver(deliveryId: string): Promise<WebhookDelivery | Refusal> {
    const { session, timing } = this.#options
    const due = await session.read((world) => findRedelivery(world, deliveryId))
    if (isRefusal(due)) return due
    const receipt = await this.#attempt(due, timing.timeoutMs)
    if (receipt === null) return refuse('storage_unavailable', 'The sandbox was stopped meanwhile.')
    // After a reset, the same identifier may belong to another delivery.
    const delivery = await session.execute((world) =>
      findEvent(world, due.event.seq) === due.event
        ? recordRedelivery(world, deliveryId, receipt)
        : null,
    )
    return delivery ?? notFound(session.world.webhookDeliveries, 'delivery_id', deliveryId)
  }

  #attempt(due: DueDelivery, timeoutMs: number): Promise<Receipt | null> {
    const { receivers, session } = this.#options
    const { sandboxId } = session.world
    const { url, secret } = due.webhook
    const { type, at } = due.event
    const id = messageIdOf(due, sandboxId)
    const data = presentEvent(due.event)
    const message: WireMessage = { type, timestamp: at, sandbox_id: sandboxId, data }
    const body = JSON.stringify(message)
    return receivers.deliver({ id, url, secret, body }, timeoutMs, this.#stopped.signal)
  }

  /** Whether an event waits for a webhook, or its stored position is far back. */
  #isBehind({ webhookId, series }: Webhook): boolean {
    const { world } = this.#options.session
    const webhook = world.webhooks.get(webhookId)
    // Another one may have its id by now.
    if (webhook?.series !== series) return false
    return nextDelivery(world, webhook) !== null || isFarBehind(world, webhook)
  }

  /** Delivers one event after another to a webhook until it has all of them. */
  async #deliver(webhook: Webhook): Promise<void> {
    try {
      do {
        const waitMs = await this.#deliverNext(webhook.webhookId).catch((error) =>
          this.#afterFailure(error),
        )
        const options = { signal: this.#paused.signal, ref: false }
        if (waitMs > 0) await pause(waitMs, undefined, options).catch(() => undefined)
      } while (!this.#paused.signal.aborted && this.#isBehind(webhook))
    } finally {
      // In the same turn as the last look: later commits start a new worker.
      this.#workers.delete(workerOf(webhook))
    }
  }

  /** Delivers the next event to a webhook. Returns the delay before the one after it. */
  async #deliverNext(webhookId: string): Promise<number> {
    const { session, timing } = this.#options
    const { retryAfterMs, timeoutMs } = timing
    const due = await session.read((world) => {
      const webhook = world.webhooks.get(webhookId)
      return webhook === undefined ? null : nextDelivery(world, webhook)
    })
    if (due === null) {
      const skipped = await session.execute((world) => catchUpWebhook(world, webhookId))
      this.#reportSkipped(webhookId, skipped)
      return 0
    }
    const attempt = await this.deliver(due, timeoutMs, retryAfterMs.length + 1)
    const delivery = attempt?.delivery
    return delivery?.status === 'pending' ? (retryAfterMs[delivery.attempts - 1] ?? 0) : 0
  }

  /** A disk that refuses the result of a delivery may accept it later. */
  #afterFailure(error: unknown): number {
    if (this.isStopped) return 0
    if (!(error instanceof StoreUnavailable)) throw error
    return this.#options.timing.timeoutMs
  }

  #reportSkipped(webhookId: string, skipped: number): void {
    if (skipped === 0) return
    const { sandboxId } = this.#options.session.world
    const why = `sandbox "${sandboxId}" keeps the newest ${EVENTS_KEPT} events`
    this.#options.report(`Webhook "${webhookId}" skipped ${countText(skipped, 'event')}: ${why}.`)
  }
}

/** The event of an earlier delivery, for another attempt. */
function findRedelivery(world: World, deliveryId: string): DueDelivery | Refusal {
  const delivery = findRecord(world.webhookDeliveries, 'delivery_id', deliveryId)
  if (isRefusal(delivery)) return delivery
  const { webhookId, eventSeq, status } = delivery
  if (status === 'pending') {
    return refuse('in_use', `delivery_id "${deliveryId}" is still being delivered.`)
  }
  const webhook = findRecord(world.webhooks, 'webhook_id', webhookId)
  if (isRefusal(webhook)) return webhook
  const event = findEvent(world, eventSeq)
  if (event !== null) return { webhook, event, skipped: 0 }
  return refuse(
    'not_found',
    `delivery_id "${deliveryId}" is of event ${eventSeq}, which is no longer kept.`,
  )
}

/** The event with a number; null if it was dropped. */
function findEvent({ events }: World, seq: number): Event | null {
  const [event] = events.after(seq - 1, 1)
  return event?.seq === seq ? event : null
}

/** Of a webhook; another one may have its id by now. */
function workerOf({ webhookId, series }: Webhook): string {
  return `${webhookId} ${series}`
}
