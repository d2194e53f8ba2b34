/**
 * What a state document must not contradict itself in, beyond the shape of its records and the books that an audit
 * reads: references, counted ids, schedules and currencies. What slips through here would break later, under someone
 * else's request.
 */
import { intervalOf } from '../billing/catalog.ts'
import type { Invoice } from '../billing/invoice.ts'
import { boundary } from '../billing/period.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Sequences } from './sequences.ts'
import type { World } from './world.ts'

/** Why a state document cannot be taken: `field` is the path, or the id of the record at fault. */
export class StateDocumentError extends Error {
  override readonly name = 'StateDocumentError'
  readonly field: string

  constructor(field: string, reason: string) {
    super(`${field} ${reason}`)
    this.field = field
  }
}

/** Throws `StateDocumentError` for the first record that contradicts another. */
export function checkWorld(world: World): void {
  checkReferences(world)
  checkSequences(world)
  for (const subscription of world.subscriptions.values()) checkSchedule(world, subscription)
  for (const invoice of world.invoices.values()) checkInvoice(world, invoice)
}

/** Throws where a record refers to one that is not there. */
export function refer(records: { has(id: string): boolean }, id: string, referrer: string): void {
  if (records.has(id)) return
  throw new StateDocumentError(referrer, `refers to "${id}", which is not there`)
}

function checkReferences(world: World): void {
  for (const { productId, planId } of world.plans.values()) refer(world.products, productId, planId)
  for (const { couponId, code } of world.promotions.values()) refer(world.coupons, couponId, code)
  for (const each of world.subscriptions.values()) {
    refer(world.customers, each.customerId, each.subscriptionId)
    refer(world.plans, each.planId, each.subscriptionId)
    if (each.pendingPlanId !== null) refer(world.plans, each.pendingPlanId, each.subscriptionId)
    if (each.billed !== null) refer(world.invoices, each.billed.invoiceId, each.subscriptionId)
  }
  for (const { customerId, chargeId } of world.charges.values()) {
    refer(world.customers, customerId, chargeId)
  }
  for (const { familyId } of world.tokens.values()) refer(world.families, familyId, 'tokens')
}

/** Counted ids stay below the number that the next one gets. */
function checkSequences(world: World): void {
  const { sequences } = world
  const numbers: readonly [keyof Sequences, readonly number[]][] = [
    ['subscriptions', [...world.subscriptions.values()].map((each) => each.sequence)],
    ['invoices', [...world.invoices.values()].map((each) => each.sequence)],
    ['charges', [...world.charges.keys()].map(numberOf)],
    ['families', [...world.families.keys()].map(numberOf)],
    ['events', [...world.events].map((event) => event.seq)],
  ]
  for (const [name, given] of numbers) {
    if (new Set(given).size !== given.length) {
      throw new StateDocumentError(`sequences.${name}`, 'gave out a number twice')
    }
    if (given.some((number) => number > sequences[name])) {
      throw new StateDocumentError(`sequences.${name}`, 'is below a number that was given out')
    }
  }
}

/** A period ends at a boundary of its schedule; the next one would not follow on it otherwise. */
function checkSchedule(world: World, subscription: Subscription): void {
  const { subscriptionId, planId, customerId, anchor, cycle, currentPeriodEnd } = subscription
  const plan = world.plans.get(planId)
  const customer = world.customers.get(customerId)
  if (plan === undefined || customer === undefined) return
  if (boundary(anchor, intervalOf(plan), cycle) !== currentPeriodEnd) {
    throw new StateDocumentError(subscriptionId, 'ends its period off the schedule of its anchor')
  }
  if (plan.currency !== customer.currency) {
    throw new StateDocumentError(subscriptionId, 'has a plan in another currency than its customer')
  }
}

function checkInvoice(world: World, invoice: Invoice): void {
  const { invoiceId, subscriptionId, customerId, currency } = invoice
  const subscription = world.subscriptions.get(subscriptionId)
  if (subscription?.customerId !== customerId) {
    throw new StateDocumentError(invoiceId, 'bills another customer than its subscription has')
  }
  if (world.customers.get(customerId)?.currency !== currency) {
    throw new StateDocumentError(invoiceId, 'is in another currency than its customer')
  }
}

function numberOf(countedId: string): number {
  return Number(/_(\d{1,15})$/.exec(countedId)?.[1] ?? 0)
}
