/**
 * The engine: carries a world from one due item to the next. Owns the account that a step is given, and the loop
 * that moves the clock. What a due item does is billing's word.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Cause } from '../billing/event.ts'
import type { Instant } from '../billing/instant.ts'
import { settle } from '../billing/settle.ts'
import type { Account } from '../billing/step.ts'
import { type DueItem, subjectOf } from './due-queue.ts'
import { apply, scriptsFor, type World } from './world.ts'

/** The most due items that one advance settles; it stops at a whole instant then. */
const ITEMS_MAX = 1_000_000

/** How long the engine works before it lets the rest of the process have a turn. */
const SLICE_MS = 8

/** The part of the world that one step on a subscription needs. */
export function accountOf(world: World, subscriptionId: string): Account {
  const subscription = existing(world.subscriptions, subscriptionId)
  const { planId, pendingPlanId, customerId, billed } = subscription
  return {
    subscription,
    plan: existing(world.plans, planId),
    pendingPlan: pendingPlanId === null ? null : existing(world.plans, pendingPlanId),
    customer: existing(world.customers, customerId),
    openInvoices: [...(world.openInvoices.get(subscriptionId)?.values() ?? [])],
    billedInvoiceStatus: billed === null ? null : existing(world.invoices, billed.invoiceId).status,
    scripts: scriptsFor(world, customerId, subscriptionId),
    invoicesMade: world.sequences.invoices,
  }
}

/** Settles the head of the due queue, which the clock must have reached, and answers what it was. */
export function settleNext(world: World, cause: Cause): DueItem {
  const item = world.due.take()
  if (item === null || item.at !== world.clock.now()) {
    throw new Error(`Nothing is due at ${world.clock.now()}`)
  }
  const circumstances = { now: item.at, settings: world.settings }
  apply(world, settle(accountOf(world, item.subscriptionId), item.due, circumstances), cause)
  const { id } = subjectOf(item)
  const nextAt = world.due.dueAt(id)
  // Settled over and over at one instant, it would stop the whole process.
  if (nextAt !== null && nextAt <= item.at) throw new Error(`${id} is due again at ${nextAt}`)
  return item
}

/** What happens when the engine gives the rest of the process a turn. */
export interface Pace {
  /** Told before each turn given, at a whole due item. */
  readonly onPause: () => void
  /** Asked after each turn given; true ends the advance there. */
  readonly isCut: () => boolean
}

/** How an advance is watched and cut short. */
export interface Watch {
  readonly pace?: Pace
  readonly cause: Cause
  /** Asked after every instant that was settled whole; true ends the advance there. */
  readonly isDone: () => boolean
  /** Told of every item that was settled. */
  readonly onSettled?: (item: DueItem) => void
}

/**
 * Moves the clock to `target`, settling everything due on the way, oldest first, and yielding to the rest of the
 * process now and then. Answers whether it came to the target, or the watch or its pace ended it before.
 */
export async function advanceTo(
  world: World,
  target: Instant,
  watch: Watch,
): Promise<'target' | 'done' | 'cut'> {
  let sliceStartedAt = performance.now()
  let settled = 0
  while (world.clock.moveTo(target, dueBy(world, target))) {
    const now = world.clock.now()
    while (world.due.head()?.at === now) {
      const item = settleNext(world, watch.cause)
      watch.onSettled?.(item)
      settled += 1
      if (performance.now() - sliceStartedAt > SLICE_MS) {
        watch.pace?.onPause()
        await nextTurn()
        if (watch.pace?.isCut()) return 'cut'
        sliceStartedAt = performance.now()
      }
    }
    if (watch.isDone()) return 'done'
    if (settled >= ITEMS_MAX) return 'cut'
  }
  return 'target'
}

/** Settles what is due at the world's now: an advance that was cut short may have left some of it. */
export async function settleDue(world: World): Promise<void> {
  const cause = { kind: 'clock', requestId: null } as const
  await advanceTo(world, world.clock.now(), { cause, isDone: () => false })
}

function dueBy(world: World, target: Instant): Instant | null {
  const at = world.due.head()?.at ?? null
  const now = world.clock.now()
  // The clock would stand still before it for ever.
  if (at !== null && at < now) throw new Error(`Something was due at ${at}, before ${now}`)
  return at !== null && at <= target ? at : null
}

function existing<Value>(records: ReadonlyMap<string, Value>, id: string): Value {
  const value = records.get(id)
  if (value === undefined) throw new Error(`"${id}" is referred to but not there`)
  return value
}
