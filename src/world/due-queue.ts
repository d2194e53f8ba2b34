/**
 * The due queue: which trial end, period end or payment retry comes first. A heap with one total order, rebuilt
 * from state on load, so that neither a restart nor the size of a jump can change what is settled when.
 */
import TinyQueue from 'tinyqueue'
import type { Invoice } from '../billing/invoice.ts'
import type { Due } from '../billing/settle.ts'
import { boundaryDueAt, type Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import { LargeMap } from './large-map.ts'

/** One thing that will fall due. */
export interface DueItem {
  readonly at: Instant
  readonly subscriptionId: string
  readonly due: Due
  /** Retries come before ends of trials and periods of the same instant: the last one may end the subscription. */
  readonly rank: 1 | 2
  readonly subscriptionSequence: number
  /** Zero for ends of trials and periods. */
  readonly invoiceSequence: number
}

/** What an item is about: an invoice for a retry, else the subscription. */
export function subjectOf(item: DueItem): { kind: 'subscription' | 'invoice'; id: string } {
  return item.due.kind === 'payment_retry'
    ? { kind: 'invoice', id: item.due.invoiceId }
    : { kind: 'subscription', id: item.subscriptionId }
}

/** Keeps at most one live item for each subscription and each open invoice; outdated ones are dropped when met. */
export class DueQueue {
  readonly #heap = new TinyQueue<DueItem>([], compare)
  #live = new LargeMap<DueItem>()

  /** An independent queue with the same items. */
  fork(): DueQueue {
    const fork = new DueQueue()
    fork.#live = this.#live.fork()
    // The order within is that of a heap already, which its constructor would make anew.
    fork.#heap.data = [...this.#heap.data]
    fork.#heap.length = this.#heap.length
    return fork
  }

  /** Queues the end of the subscription's trial or period, in place of what was queued for it. */
  scheduleBoundary(subscription: Subscription): void {
    const { subscriptionId, sequence, status } = subscription
    const at = boundaryDueAt(subscription)
    const due = { kind: status === 'trialing' ? 'trial_end' : 'period_end' } as const
    const order = { rank: 2, subscriptionSequence: sequence, invoiceSequence: 0 } as const
    this.#put(subscriptionId, at && { at, subscriptionId, due, ...order })
  }

  /** Queues the next attempt of an invoice, in place of what was queued for it. */
  scheduleRetry(invoice: Invoice, subscriptionSequence: number): void {
    const { invoiceId, subscriptionId, nextAttemptAt: at, sequence: invoiceSequence } = invoice
    const due = { kind: 'payment_retry', invoiceId } as const
    const order = { rank: 1, subscriptionSequence, invoiceSequence } as const
    this.#put(retryKey(invoiceId), at && { at, subscriptionId, due, ...order })
  }

  /** The item that falls due first; null when nothing ever will. */
  head(): DueItem | null {
    for (;;) {
      const item = this.#heap.peek()
      if (item === undefined) return null
      if (this.#live.get(keyOf(item)) === item) return item
      this.#heap.pop()
    }
  }

  /** Takes the head out. */
  take(): DueItem | null {
    const item = this.head()
    if (item === null) return null
    this.#heap.pop()
    this.#live.delete(keyOf(item))
    return item
  }

  #put(key: string, item: DueItem | null): void {
    const queued = this.#live.get(key)
    if (item === null) {
      this.#live.delete(key)
    } else if (queued === undefined || queued.at !== item.at || queued.due.kind !== item.due.kind) {
      this.#live.set(key, item)
      this.#heap.push(item)
    }
  }
}

function keyOf({ due, subscriptionId }: DueItem): string {
  return due.kind === 'payment_retry' ? retryKey(due.invoiceId) : subscriptionId
}

/** A subscription may have the id of an invoice, because callers choose it; no id holds a space. */
function retryKey(invoiceId: string): string {
  return `retry ${invoiceId}`
}

function compare(one: DueItem, other: DueItem): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1
  return (
    one.rank - other.rank ||
    one.subscriptionSequence - other.subscriptionSequence ||
    one.invoiceSequence - other.invoiceSequence
  )
}
