/**
 * Checks that a subscription agrees with the rest of its world: its schedule, its plans, and the invoice that billed
 * it.
 */
import { intervalOf, type Plan } from '../billing/catalog.ts'
import type { Invoice } from '../billing/invoice.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Instant } from '../time/instant.ts'
import { boundary } from '../time/period.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'

/** A period starts and ends at boundaries of its schedule; else the next one would not follow it. */
export function checkSchedule(world: World, subscription: Subscription): void {
  const { subscriptionId, planId, anchor, cycle } = subscription
  const { currentPeriodStart, currentPeriodEnd } = subscription
  const plan = world.plans.get(planId)
  if (plan === undefined) return
  const isEnd = boundaryOf(anchor, plan, cycle) === currentPeriodEnd
  // A trial, a resume and an extension end a period at the start of the next schedule.
  const isStart = cycle === 0 || boundaryOf(anchor, plan, cycle - 1) === currentPeriodStart
  if (isEnd && isStart) return
  throw new StateDocumentError(subscriptionId, 'has its period off the schedule of its anchor')
}

/** Null beyond the last writable instant. */
function boundaryOf(anchor: Instant, plan: Plan, cycle: number): Instant | null {
  try {
    return boundary(anchor, intervalOf(plan), cycle)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

/** Its plans have the currency of its customer, who has one after the first subscription. */
export function checkPlans(world: World, subscription: Subscription): void {
  const { subscriptionId, planId, pendingPlanId, customerId } = subscription
  const currency = world.customers.get(customerId)?.currency
  const plans = pendingPlanId === null ? [planId] : [planId, pendingPlanId]
  if (plans.every((each) => world.plans.get(each)?.currency === currency)) return
  throw new StateDocumentError(subscriptionId, 'has a plan in another currency than its customer')
}

export function* newestInvoices({ invoices }: World): Generator<void, Map<string, Invoice>> {
  const newest = new Map<string, Invoice>()
  for (const invoice of invoices.values()) yield void newest.set(invoice.subscriptionId, invoice)
  return newest
}

/** An upgrade is prorated by the line that billed the running period: the last line of the newest invoice. */
export function checkBilled(subscription: Subscription, newest: Invoice | null): void {
  const { subscriptionId, billed, planId, currentPeriodStart: start } = subscription
  if (billed === null && newest === null) return
  const isNewest = newest !== null && billed?.invoiceId === newest.invoiceId
  if (isNewest && newest.lines.at(-1)?.planId === planId) {
    const { reason, createdAt } = newest
    if (reason === 'period' ? createdAt === start : createdAt >= start) return
  }
  throw new StateDocumentError(
    subscriptionId,
    'was billed with something else than its newest invoice',
  )
}
