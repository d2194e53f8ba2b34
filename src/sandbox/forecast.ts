/**
 * Looking ahead: what will fall due, and what a subscription will be invoiced. Both run the real engine on a fork,
 * so that they cannot disagree with what an advance would do.
 */
import { type Instant, plus } from '../billing/instant.ts'
import type { Invoice } from '../billing/invoice.ts'
import { isRefusal, type Refusal } from '../billing/refusal.ts'
import type { NextDue } from './advance.ts'
import { find } from './answer.ts'
import { subjectOf } from './due-queue.ts'
import { advanceTo } from './engine.ts'
import { forkWorld, type World } from './world.ts'

/** Nobody asked for what happens on a fork. */
const cause = { kind: 'clock', requestId: null } as const

/** What will fall due before an instant, in the order in which it will be settled; at most `limit` items. */
export async function agenda(world: World, before: Instant, limit: number): Promise<NextDue[]> {
  const fork = forkWorld(world)
  const items: NextDue[] = []
  if (before <= fork.clock.now()) return items
  await advanceTo(fork, plus(before, -1), {
    cause,
    isDone: () => items.length >= limit,
    onSettled: (item) => items.push({ at: item.at, kind: item.due.kind, subject: subjectOf(item) }),
  })
  return items.slice(0, limit)
}

/**
 * The invoices that a subscription will get up to an instant, as they will stand then. Everybody else's due items are
 * settled too: subscriptions share balances, payment scripts and the counting of invoices.
 */
export async function forecast(
  world: World,
  subscriptionId: string,
  until: Instant,
): Promise<Invoice[] | Refusal> {
  const subscription = find(world.subscriptions, { field: 'subscription_id', id: subscriptionId })
  if (isRefusal(subscription)) return subscription
  const fork = forkWorld(world)
  const newest = fork.sequences.invoices
  if (until > fork.clock.now()) await advanceTo(fork, until, { cause, isDone: () => false })
  return [...fork.invoices.values()].filter(
    (invoice) => invoice.sequence > newest && invoice.subscriptionId === subscriptionId,
  )
}
