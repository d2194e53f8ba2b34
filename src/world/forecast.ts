/**
 * Looking ahead: what will fall due, and what a subscription will be invoiced. Both run the real engine on a fork,
 * which they use up, so that they cannot disagree with what an advance would do.
 */

import type { Invoice } from '../billing/invoice.ts'
import { isRefusal } from '../billing/refusal.ts'
import { type Instant, plus } from '../time/instant.ts'
import type { NextDue } from './advance.ts'
import { find } from './answer.ts'
import { DueQueue, subjectOf } from './due-queue.ts'
import { advanceTo, type Ending, type Pace } from './engine.ts'
import { paced } from './paced.ts'
import type { Refusal } from './refusal.ts'
import { scriptsFor, type World } from './world.ts'

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

/** Which part of the agenda to look at. */
export interface AgendaOrder {
  readonly before: Instant
  readonly limit: number
  /** All where it is absent. */
  readonly subscriptionIds?: readonly string[] | undefined
}

/** What will fall due before an instant, in the order in which it will be settled; at most `limit` items. */
export async function agenda(
  fork: World,
  { before, limit, subscriptionIds }: AgendaOrder,
  pace?: Pace,
): Promise<Agenda> {
  const items: NextDue[] = []
  if (before <= fork.clock.now()) {
    return { items, completeUntil: before, stoppedBecause: 'reached' }
  }
  const wanted = subscriptionIds && new Set(subscriptionIds)
  const world = wanted === undefined ? fork : await narrowed(fork, wanted)
  const ending = await advanceTo(world, plus(before, -1), {
    cause,
    ...(pace && { pace }),
    isDone: () => items.length >= limit,
    onSettled: (item) => {
      if (wanted?.has(item.subscriptionId) === false) return
      items.push({ at: item.at, kind: item.due.kind, subject: subjectOf(item) })
    },
  })
  return { items: items.slice(0, limit), ...outlookOf(world, ending, before) }
}

/**
 * A world in which nothing falls due but for the customers of some subscriptions, where what they will be charged does
 * not hang on others: all payments draw from one list of outcomes in turn.
 */
async function narrowed(fork: World, subscriptionIds: ReadonlySet<string>): Promise<World> {
  const { sandbox } = scriptsFor(fork, '', null)
  if (sandbox !== null && sandbox.outcomes.length > 0) return fork
  return { ...fork, due: await paced(queueFor(fork, subscriptionIds)) }
}

/** A due queue of what the customers of some subscriptions have, who share a balance among all of theirs. */
function* queueFor(
  { subscriptions, openInvoices }: World,
  subscriptionIds: ReadonlySet<string>,
): Generator<void, DueQueue> {
  const ids = [...subscriptionIds]
  const customers = new Set(ids.map((id) => subscriptions.get(id)?.customerId))
  const queue = new DueQueue()
  for (const subscription of subscriptions.values()) {
    yield
    if (!customers.has(subscription.customerId)) continue
    queue.scheduleBoundary(subscription)
    const open = openInvoices.get(subscription.subscriptionId)
    for (const invoice of open?.values() ?? []) queue.scheduleRetry(invoice, subscription.sequence)
  }
  return queue
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
