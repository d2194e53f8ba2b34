/**
 * Looks ahead: what will fall due, and the next invoices of a subscription. Both run the real engine on a fork, which
 * they consume, so they always agree with an advance.
 */
import { numberedId } from '../billing/id.ts'
import type { Invoice } from '../billing/invoice.ts'
import { isRefusal } from '../billing/refusal.ts'
import type { Status } from '../billing/status.ts'
import { addMillis, type Instant } from '../time/instant.ts'
import type { NextDue } from './advance.ts'
import { DueQueue, subjectOf } from './due-queue.ts'
import { accountOf, advanceTo, type Ending, type Pace, type RunHooks } from './engine.ts'
import { clockCause } from './event.ts'
import type { Refusal } from './refusal.ts'
import { findRecord } from './results.ts'
import { runInSlices } from './time-slice.ts'
import { openInvoicesOf, scriptsFor, type World } from './world.ts'

/** Until when a look-ahead is complete. */
export interface Outlook {
  /** Everything before this instant is included. */
  readonly completeUntil: Instant
  readonly stoppedBecause: 'reached' | 'item_limit' | 'sandbox_full'
}

/** A due item, and the status and the plan of its subscription afterwards. */
export interface AgendaItem extends NextDue {
  readonly subscriptionId: string
  readonly status: Status
  readonly plan: string
  /** The amount of the invoice that it makes or pays, in minor units of `currency`; null if there is none. */
  readonly amountDue: number | null
  readonly discountTotal: number | null
  readonly currency: string | null
  /** After the item. */
  readonly invoiceStatus: Invoice['status'] | null
}

export interface Agenda extends Outlook {
  readonly items: readonly AgendaItem[]
}

export interface Forecast extends Outlook {
  readonly invoices: readonly Invoice[]
}

export interface AgendaRequest {
  readonly before: Instant
  readonly limit: number
  /** Omit it for all subscriptions. */
  readonly subscriptionIds?: readonly string[] | undefined
}

/** The items due before an instant, in the order of settlement; at most `limit`. */
export async function agenda(
  fork: World,
  { before, limit, subscriptionIds }: AgendaRequest,
  pace?: Pace,
): Promise<Agenda> {
  const items: AgendaItem[] = []
  if (before <= fork.clock.now()) {
    return { items, completeUntil: before, stoppedBecause: 'reached' }
  }
  const selected = subscriptionIds && new Set(subscriptionIds)
  let newest = fork.sequences.invoices
  const hooks: RunHooks = {
    cause: clockCause,
    ...(pace && { pace }),
    isDone: () => items.length >= limit,
    onSettled: (item) => {
      const { at, due, subscriptionId } = item
      const made = fork.sequences.invoices
      const madeId = made > newest ? numberedId('inv_', made) : null
      newest = made
      if (selected?.has(subscriptionId) === false) return
      const { status, planId: plan } = accountOf(fork, subscriptionId).subscription
      const subject = subjectOf(item)
      const invoiceId = subject.kind === 'invoice' ? subject.id : madeId
      const invoice = invoiceId === null ? undefined : fork.invoices.get(invoiceId)
      const { amountDue = null, discountTotal = null, currency = null } = invoice ?? {}
      const { status: invoiceStatus = null } = invoice ?? {}
      const amounts = { amountDue, discountTotal, currency, invoiceStatus }
      items.push({ at, kind: due.kind, subject, subscriptionId, status, plan, ...amounts })
    },
  }
  const last = addMillis(before, -1)
  const ending = await (selected === undefined
    ? advanceTo(fork, last, hooks)
    : advanceCustomers(fork, { subscriptionIds: selected, target: last }, hooks))
  return { items: items.slice(0, limit), ...outlookOf(fork, ending, before) }
}

/**
 * Advances to an instant and settles only the items of the customers of some subscriptions. Customers share nothing but
 * the outcomes scripted for all payments, in turn; while any of these are left, everything is settled.
 */
async function advanceCustomers(
  fork: World,
  order: { readonly subscriptionIds: ReadonlySet<string>; readonly target: Instant },
  hooks: RunHooks,
): Promise<Ending> {
  const { subscriptionIds, target } = order
  if (hasSharedOutcomes(fork)) {
    const isDone = () => hooks.isDone?.() === true || !hasSharedOutcomes(fork)
    const ending = await advanceTo(fork, target, { ...hooks, isDone })
    if (ending !== 'done' || hooks.isDone?.()) return ending
  }
  const due = await runInSlices(queueFor(fork, subscriptionIds))
  return advanceTo({ ...fork, due }, target, hooks)
}

/** Whether the payments of all customers use one list of outcomes. */
function hasSharedOutcomes(world: World): boolean {
  return (scriptsFor(world, '', null).sandbox?.outcomes.length ?? 0) > 0
}

/** A due queue with the items of the customers of some subscriptions. All subscriptions of a customer share a balance. */
function* queueFor(world: World, subscriptionIds: ReadonlySet<string>): Generator<void, DueQueue> {
  const { subscriptions } = world
  const customers = new Set<string>()
  for (const id of subscriptionIds) {
    const subscription = subscriptions.get(id)
    if (subscription !== undefined) customers.add(subscription.customerId)
  }
  const queue = new DueQueue()
  for (const customerId of customers) {
    for (const [id, subscription] of subscriptions.list({ filter: { customerId } })) {
      queue.scheduleBoundary(subscription)
      for (const invoice of openInvoicesOf(world, id)) {
        queue.scheduleRetry(invoice, subscription.sequence)
      }
      yield
    }
  }
  return queue
}

/** Whose invoices are forecast: those of a subscription, or of all subscriptions of a customer. */
export type ForecastScope = { readonly subscriptionId: string } | { readonly customerId: string }

/**
 * The invoices that a subscription or a customer will get up to an instant, in their state at that instant. Settles all
 * subscriptions of the customer, because they share a balance and payment scripts.
 */
export async function forecast(
  fork: World,
  { scope, until }: { readonly scope: ForecastScope; readonly until: Instant },
  pace?: Pace,
): Promise<Forecast | Refusal> {
  const subscriptionIds = subscriptionsIn(fork, scope)
  if (isRefusal(subscriptionIds)) return subscriptionIds
  const newest = fork.sequences.invoices
  const hooks = { cause: clockCause, ...(pace && { pace }) }
  const order = { subscriptionIds, target: until }
  const ending = until > fork.clock.now() ? await advanceCustomers(fork, order, hooks) : 'target'
  const after = newest === 0 ? undefined : numberedId('inv_', newest)
  const found = fork.invoices.list({ filter: scope, after })
  return { invoices: found.map(([, invoice]) => invoice), ...outlookOf(fork, ending, until) }
}

function subscriptionsIn(fork: World, scope: ForecastScope): ReadonlySet<string> | Refusal {
  if ('customerId' in scope) {
    const customer = findRecord(fork.customers, 'customer_id', scope.customerId)
    if (isRefusal(customer)) return customer
    return new Set(fork.subscriptions.list({ filter: scope }).map(([id]) => id))
  }
  const { subscriptionId: id } = scope
  const subscription = findRecord(fork.subscriptions, 'subscription_id', id)
  return isRefusal(subscription) ? subscription : new Set([id])
}

function outlookOf(fork: World, ending: Ending, target: Instant): Outlook {
  const isLimited = ending === 'item_limit' || ending === 'sandbox_full'
  const completeUntil = ending === 'target' ? target : fork.clock.now()
  return { completeUntil, stoppedBecause: isLimited ? ending : 'reached' }
}
