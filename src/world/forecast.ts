/**
 * Looking ahead: what will fall due, and what a subscription will be invoiced. Both run the real engine on a fork,
 * which they use up, so that they cannot disagree with what an advance would do.
 */

import { numberedId } from '../billing/id.ts'
import type { Invoice } from '../billing/invoice.ts'
import { isRefusal } from '../billing/refusal.ts'
import type { Status } from '../billing/status.ts'
import { type Instant, plus } from '../time/instant.ts'
import type { NextDue } from './advance.ts'
import { find } from './answer.ts'
import { DueQueue, subjectOf } from './due-queue.ts'
import { accountOf, advanceTo, type Ending, type Pace, type Watch } from './engine.ts'
import { paced } from './paced.ts'
import type { Refusal } from './refusal.ts'
import { openInvoicesOf, scriptsFor, type World } from './world.ts'

/** How far a look ahead came. */
export interface Outlook {
  /** Nothing is missing that happens before this instant. */
  readonly completeUntil: Instant
  readonly stoppedBecause: 'reached' | 'item_limit' | 'sandbox_full'
}

/** What falls due, and the status that it leaves its subscription in. */
export interface AgendaItem extends NextDue {
  readonly subscriptionId: string
  readonly status: Status
}

export interface Agenda extends Outlook {
  readonly items: readonly AgendaItem[]
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
  const items: AgendaItem[] = []
  if (before <= fork.clock.now()) {
    return { items, completeUntil: before, stoppedBecause: 'reached' }
  }
  const wanted = subscriptionIds && new Set(subscriptionIds)
  const watch: Watch = {
    cause,
    ...(pace && { pace }),
    isDone: () => items.length >= limit,
    onSettled: (item) => {
      const { at, due, subscriptionId } = item
      if (wanted?.has(subscriptionId) === false) return
      const { status } = accountOf(fork, subscriptionId).subscription
      items.push({ at, kind: due.kind, subject: subjectOf(item), subscriptionId, status })
    },
  }
  const last = plus(before, -1)
  const ending = await (wanted === undefined
    ? advanceTo(fork, last, watch)
    : advanceSome(fork, { subscriptionIds: wanted, target: last }, watch))
  return { items: items.slice(0, limit), ...outlookOf(fork, ending, before) }
}

/**
 * Advances to an instant, and settles nothing but what the customers of some subscriptions have. They share nothing with
 * other customers but the outcomes that are scripted for all payments, in turn: while any are left, everything is settled.
 */
async function advanceSome(
  fork: World,
  order: { readonly subscriptionIds: ReadonlySet<string>; readonly target: Instant },
  watch: Watch,
): Promise<Ending> {
  const { subscriptionIds, target } = order
  if (isDrawnInTurn(fork)) {
    const isDone = () => watch.isDone() || !isDrawnInTurn(fork)
    const ending = await advanceTo(fork, target, { ...watch, isDone })
    if (ending !== 'done' || watch.isDone()) return ending
  }
  const due = await paced(queueFor(fork, subscriptionIds))
  return advanceTo({ ...fork, due }, target, watch)
}

/** Whether the payments of all customers draw from one list of outcomes. */
function isDrawnInTurn(world: World): boolean {
  return (scriptsFor(world, '', null).sandbox?.outcomes.length ?? 0) > 0
}

/** A due queue of what the customers of some subscriptions have, who share a balance among all of theirs. */
function* queueFor(world: World, subscriptionIds: ReadonlySet<string>): Generator<void, DueQueue> {
  const { subscriptions } = world
  const customers = new Set<string>()
  for (const id of subscriptionIds) {
    const subscription = subscriptions.get(id)
    if (subscription !== undefined) customers.add(subscription.customerId)
  }
  const queue = new DueQueue()
  for (const customerId of customers) {
    for (const [id, subscription] of subscriptions.listed({ filter: { customerId } })) {
      queue.scheduleBoundary(subscription)
      for (const invoice of openInvoicesOf(world, id)) {
        queue.scheduleRetry(invoice, subscription.sequence)
      }
      yield
    }
  }
  return queue
}

/**
 * The invoices that a subscription will get up to an instant, as they will stand then. All subscriptions of its customer
 * are settled, because they share a balance and payment scripts.
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
  const order = { subscriptionIds: new Set([subscriptionId]), target: until }
  const ending = until > fork.clock.now() ? await advanceSome(fork, order, watch) : 'target'
  const after = newest === 0 ? undefined : numberedId('inv_', newest)
  const found = fork.invoices.listed({ filter: { subscriptionId }, after })
  return { invoices: found.map(([, invoice]) => invoice), ...outlookOf(fork, ending, until) }
}

function outlookOf(fork: World, ending: Ending, target: Instant): Outlook {
  if (ending === 'target') return { completeUntil: target, stoppedBecause: 'reached' }
  const completeUntil = fork.clock.now()
  if (ending === 'full') return { completeUntil, stoppedBecause: 'sandbox_full' }
  return { completeUntil, stoppedBecause: ending === 'cut' ? 'item_limit' : 'reached' }
}
