/**
 * The due queue: which trial end, period end or payment retry comes first. A sorted tree with one total order, rebuilt
 * from the state on load, so that neither a restart nor the length of an advance changes the order.
 */
import type { Invoice } from '../billing/invoice.ts'
import type { Due } from '../billing/settle.ts'
import { boundaryDueAt, type Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import { compareTexts, sortedTree } from './sorted-tree.ts'

export interface DueItem {
  readonly at: Instant
  readonly subscriptionId: string
  readonly due: Due
  /** Retries come before the ends of trials and periods at the same instant: the last retry may end the subscription. */
  readonly rank: 1 | 2
  readonly subscriptionSequence: number
  /** Zero for the ends of trials and periods. */
  readonly invoiceSequence: number
}

/** The subject of an item: the invoice of a retry, else the subscription. */
export function subjectOf(item: DueItem): { kind: 'subscription' | 'invoice'; id: string } {
  return item.due.kind === 'payment_retry'
    ? { kind: 'invoice', id: item.due.invoiceId }
    : { kind: 'subscription', id: item.subscriptionId }
}

/** Keeps at most one item for each subscription and each open invoice. */
export class DueQueue {
  #items = sortedTree<DueItem>(compare)
  #bySubject = sortedTree<string, DueItem>(compareTexts)

  fork(): DueQueue {
    const fork = new DueQueue()
    fork.#items = this.#items.clone()
    fork.#bySubject = this.#bySubject.clone()
    return fork
  }

  /** Queues the end of the subscription's trial or period, and replaces the item queued before. */
  scheduleBoundary(subscription: Subscription): void {
    const { subscriptionId, sequence, status } = subscription
    const at = boundaryDueAt(subscription)
    const due = { kind: status === 'trialing' ? 'trial_end' : 'period_end' } as const
    const order = { rank: 2, subscriptionSequence: sequence, invoiceSequence: 0 } as const
    this.#put(subscriptionId, at && { at, subscriptionId, due, ...order })
  }

  /** Queues the next attempt of an invoice, and replaces the item queued before. */
  scheduleRetry(invoice: Invoice, subscriptionSequence: number): void {
    const { invoiceId, subscriptionId, nextAttemptAt: at, sequence: invoiceSequence } = invoice
    const due = { kind: 'payment_retry', invoiceId } as const
    const order = { rank: 1, subscriptionSequence, invoiceSequence } as const
    this.#put(retryKey(invoiceId), at && { at, subscriptionId, due, ...order })
  }

  /** The item that falls due first; null if nothing will fall due. */
  head(): DueItem | null {
    return this.#items.minKey() ?? null
  }

  take(): DueItem | null {
    const item = this.head()
    if (item !== null) this.#put(keyOf(item), null)
    return item
  }

  #put(key: string, item: DueItem | null): void {
    const queued = this.#bySubject.get(key)
    if (queued !== undefined) this.#items.delete(queued)
    if (item === null) this.#bySubject.delete(key)
    else {
      this.#items.set(item, undefined)
      this.#bySubject.set(key, item)
    }
  }
}

function keyOf({ due, subscriptionId }: DueItem): string {
  return due.kind === 'payment_retry' ? retryKey(due.invoiceId) : subscriptionId
}

/** Callers choose subscription ids, and one may equal the id of an invoice; no id contains a space. */
function retryKey(invoiceId: string): string {
  return `retry ${invoiceId}`
}

function compare(one: DueItem, other: DueItem): number {
  return (
    compareTexts(one.at, other.at) ||
    one.rank - other.rank ||
    one.subscriptionSequence - other.subscriptionSequence ||
    one.invoiceSequence - other.invoiceSequence
  )
}
