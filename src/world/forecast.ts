/**
 * Looking ahead: what will fall due, and what a subscription will be invoiced. Both run the real engine on a fork,
 * which they use up, so that they cannot disagree with what an advance would do.
 */

import type { Invoice } from '../billing/invoice.ts'
import { isRefusal } from '../billing/refusal.ts'
import { type Instant, plus } from '../time/instant.ts'
import type { NextDue } from './advance.ts'
import { find } from './answer.ts'
import { subjectOf } from './due-queue.ts'
import { advanceTo, type Ending, type Pace } from './engine.ts'
import { paced } from './paced.ts'
import type { Refusal } from './refusal.ts'
import type { World } from './world.ts'

/** How far a look ahead came. */
export interface Outlook {
  /** Nothing is missing that happens before this instant. */
  readonly completeUntil: Instant
  readonly stoppedBecause: 'reached' | 'item_limit' | 'sandbox_full'
}

export interface Agenda extends Outlook {
  readonly items: readonly NextDue[]
}

export interface Forecast extends Outlook {
  readonly invoices: readonly Invoice[]
}

/** Nobody asked for what happens on a fork. */
const cause = { kind: 'clock', requestId: null } as const

/** What will fall due before an instant, in the order in which it will be settled; at most `limit` items. */
export async function agenda(
  fork: World,
  { before, limit }: { readonly before: Instant; readonly limit: number },
  pace?: Pace,
): Promise<Agenda> {
  const items: NextDue[] = []
  if (before <= fork.clock.now()) {
    return { items, completeUntil: before, stoppedBecause: 'reached' }
  }
  const ending = await advanceTo(fork, plus(before, -1), {
    cause,
    ...(pace && { pace }),
    isDone: () => items.length >= limit,
    onSettled: (item) => items.push({ at: item.at, kind: item.due.kind, subject: subjectOf(item) }),
  })
  return { items: items.slice(0, limit), ...outlookOf(fork, ending, before) }
}

/**
 * The invoices that a subscription will get up to an instant, as they will stand then. Everybody else's due items are
 * settled too: subscriptions share balances, payment scripts and the counting of invoices.
 */
export async function forecast(
  fork: World,
  { subscriptionId, until }: { readonly subscriptionId: string; readonly until: Instant },
  pace?: Pace,
): Promise<Forecast | Refusal> {
  const subscription = find(fork.subscriptions, { field: 'subscription_id', id: subscriptionId })
  if (isRefusal(subscription)) return subscription
  const newest = fork.sequences.invoices
  const watch = { cause, isDone: () => false, ...(pace && { pace }) }
  const ending = until > fork.clock.now() ? await advanceTo(fork, until, watch) : 'target'
  const invoices = await paced(invoicesOf(fork, subscriptionId, newest))
  return { invoices, ...outlookOf(fork, ending, until) }
}

/** The invoices of a subscription that were made after the one with a number. */
function* invoicesOf(
  { invoices }: World,
  subscriptionId: string,
  newest: number,
): Generator<void, Invoice[]> {
  const found: Invoice[] = []
  for (const invoice of invoices.values()) {
    if (invoice.sequence > newest && invoice.subscriptionId === subscriptionId) found.push(invoice)
    yield
  }
  return found
}

function outlookOf(fork: World, ending: Ending, target: Instant): Outlook {
  if (ending === 'target') return { completeUntil: target, stoppedBecause: 'reached' }
  const completeUntil = fork.clock.now()
  if (ending === 'full') return { completeUntil, stoppedBecause: 'sandbox_full' }
  return { completeUntil, stoppedBecause: ending === 'cut' ? 'item_limit' : 'reached' }
}
