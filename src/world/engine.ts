/**
 * The engine: moves a world from one due item to the next. Owns the account that a step receives, and the loop that
 * moves the clock. Billing decides what a due item does.
 */
import { ITEMS_MAX } from '../assumptions/bounds.ts'
import { settle } from '../billing/settle.ts'
import type { Account, Changes, Outcome } from '../billing/step.ts'
import { boundaryDueAt } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import { countAdded, hasCapacity } from './capacity.ts'
import { type DueItem, subjectOf } from './due-queue.ts'
import { type Cause, clockCause } from './event.ts'
import { TimeSlice } from './time-slice.ts'
import { applyOutcome, circumstancesOf, openInvoicesOf, scriptsFor, type World } from './world.ts'

/** A due item that cannot be settled, because the world contradicts itself. It stays due, and nothing has changed. */
export class DueItemError extends Error {
  override readonly name = 'DueItemError'

  constructor(item: DueItem, why: string, cause?: unknown) {
    const { kind, id } = subjectOf(item)
    super(`The ${item.due.kind} of ${kind} "${id}" at ${item.at} cannot be settled: ${why}`, {
      cause,
    })
  }
}

/** The records of the world that one step on a subscription needs. */
export function accountOf(world: World, subscriptionId: string): Account {
  const subscription = getRecord(world.subscriptions, subscriptionId)
  const { planId, pendingPlanId, customerId, billed } = subscription
  return {
    subscription,
    plan: getRecord(world.plans, planId),
    pendingPlan: pendingPlanId === null ? null : getRecord(world.plans, pendingPlanId),
    customer: getRecord(world.customers, customerId),
    openInvoices: openInvoicesOf(world, subscriptionId),
    billedInvoice: billed === null ? null : getRecord(world.invoices, billed.invoiceId),
    scripts: scriptsFor(world, customerId, subscriptionId),
    invoicesMade: world.sequences.invoices,
  }
}

/**
 * Settles the head of the due queue, which the clock must have reached, and returns it; null if the world has no room
 * for the records that it would add. Throws `DueItemError` if it cannot be settled.
 */
export function settleNext(world: World, cause: Cause): DueItem | null {
  const item = world.due.head()
  if (item === null) throw new Error(`Nothing is due at ${world.clock.now()}`)
  const outcome = outcomeOf(world, item)
  if (!hasCapacity(world, countAdded(world, outcome.changes))) return null
  world.due.take()
  applyOutcome(world, outcome, cause)
  return item
}

/** Whether an item due now cannot be settled: waiting does not change that. */
export function isHeadBlocked(world: World): boolean {
  const item = headBy(world, world.clock.now())
  if (item === null) return false
  try {
    return !hasCapacity(world, countAdded(world, outcomeOf(world, item).changes))
  } catch (error) {
    if (error instanceof DueItemError) return true
    throw error
  }
}

/** What happens when the engine yields to the rest of the process. */
export interface Pace {
  /** Called before each yield, between two due items; the engine awaits the result. */
  readonly onPause: () => void | Promise<void>
  /** Called after each yield; true ends the advance. */
  readonly isCut: () => boolean
}

/** A pace that also hears which share of the work is done, from 0 to 1. */
export interface ReportedPace extends Pace {
  readonly onShare: (share: number) => void
}

export interface RunHooks {
  readonly pace?: Pace
  readonly cause: Cause
  /** Called after every settled instant; true ends the advance. */
  readonly isDone?: () => boolean
  readonly onSettled?: (item: DueItem) => void
}

/** How an advance ended; `sandbox_full` is before a due item whose records a full world cannot hold. */
export type Ending = 'target' | 'done' | 'item_limit' | 'stopped' | 'sandbox_full'

/**
 * Moves the clock to `target` and settles everything due by then, oldest first. Yields to the rest of the process now
 * and then. Throws `DueItemError` at an item that cannot be settled, after all items before it are.
 */
export async function advanceTo(world: World, target: Instant, hooks: RunHooks): Promise<Ending> {
  const slice = new TimeSlice()
  let settled = 0
  while (world.clock.moveTo(target, headBy(world, target)?.at ?? null)) {
    while (headBy(world, world.clock.now()) !== null) {
      const item = settleNext(world, hooks.cause)
      if (item === null) return 'sandbox_full'
      hooks.onSettled?.(item)
      settled += 1
      if (slice.isOver() && (await pause(slice, hooks)) === 'stopped') return 'stopped'
    }
    if (hooks.isDone?.()) return 'done'
    if (settled >= ITEMS_MAX) return 'item_limit'
  }
  return 'target'
}

async function pause(slice: TimeSlice, { pace }: RunHooks): Promise<'stopped' | 'on'> {
  await pace?.onPause()
  await slice.next()
  return pace?.isCut() ? 'stopped' : 'on'
}

/** Settles the items due now, which a cut advance may have left. One that cannot be settled stays due. */
export async function settleDue(world: World): Promise<void> {
  try {
    await advanceTo(world, world.clock.now(), { cause: clockCause })
  } catch (error) {
    if (!(error instanceof DueItemError)) throw error
  }
}

/** The outcome of settling the head of the queue. Throws if that fails, or if the item would be due again at once. */
function outcomeOf(world: World, item: DueItem): Outcome {
  const now = world.clock.now()
  // An item that does not move forward would make the loop endless.
  if (item.at !== now) throw new DueItemError(item, `the clock stands at ${now}`)
  const outcome = settleItem(world, item)
  const again = dueAgainAt(item, outcome.changes)
  if (again === null || again > now) return outcome
  throw new DueItemError(item, `it would be due again at ${again}`)
}

function settleItem(world: World, item: DueItem): Outcome {
  try {
    return settle(accountOf(world, item.subscriptionId), item.due, circumstancesOf(world))
  } catch (error) {
    throw new DueItemError(item, error instanceof Error ? error.message : String(error), error)
  }
}

/** The next due instant of an item's subject; null if there is none, or if the step did not change the subject. */
function dueAgainAt({ due }: DueItem, { subscription, invoices = [] }: Changes): Instant | null {
  if (due.kind !== 'payment_retry') return subscription ? boundaryDueAt(subscription) : null
  return invoices.find(({ invoiceId }) => invoiceId === due.invoiceId)?.nextAttemptAt ?? null
}

/** The head of the queue, if it is due by an instant. In a world that contradicts itself it may lie in the past. */
export function headBy({ due }: World, at: Instant): DueItem | null {
  const item = due.head()
  return item !== null && item.at <= at ? item : null
}

/** A record that another refers to. Throws if it does not exist. */
export function getRecord<Value>(records: ReadonlyMap<string, Value>, id: string): Value {
  const value = records.get(id)
  if (value === undefined) throw new Error(`"${id}" is referred to but not there`)
  return value
}
