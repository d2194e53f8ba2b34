/**
 * What a world must not contradict itself in, beyond the shape of its records: references, counted ids, schedules,
 * currencies, the place in time of everything, and the books that an audit reads. What slips through here would break
 * later, under someone else's request.
 */
import { auditInSteps } from '../billing/audit.ts'
import { intervalOf } from '../billing/catalog.ts'
import type { Instant } from '../billing/instant.ts'
import type { Invoice } from '../billing/invoice.ts'
import { boundary } from '../billing/period.ts'
import type { Subscription } from '../billing/subscription.ts'
import { paced } from './paced.ts'
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

/** Throws `StateDocumentError` for the first record that contradicts another, or the books. */
export async function checkWorld(world: World): Promise<void> {
  await paced(checks(world))
  const [violation] = await paced(auditInSteps({ ...booksOf(world), dueNow: 'waiting' }))
  if (violation === undefined) return
  const { id, invariant, message } = violation
  throw new StateDocumentError(id, `breaks ${invariant}: ${message}`)
}

/** The records of a world that an audit reads. */
export function booksOf(world: World) {
  return {
    now: world.clock.now(),
    customers: world.customers.values(),
    subscriptions: world.subscriptions.values(),
    invoices: world.invoices.values(),
    events: world.events,
  }
}

/** Throws where a record refers to one that is not there. */
export function refer(records: { has(id: string): boolean }, id: string, referrer: string): void {
  if (records.has(id)) return
  throw new StateDocumentError(referrer, `refers to "${id}", which is not there`)
}

/** Checks a record with each step. */
function* checks(world: World): Generator<void> {
  for (const { productId, planId } of world.plans.values()) {
    yield refer(world.products, productId, planId)
  }
  for (const { couponId, code } of world.promotions.values()) {
    yield refer(world.coupons, couponId, code)
  }
  for (const { customerId, chargeId } of world.charges.values()) {
    yield refer(world.customers, customerId, chargeId)
  }
  for (const { familyId } of world.tokens.values()) yield refer(world.families, familyId, 'tokens')
  for (const each of world.subscriptions.values()) yield checkSubscription(world, each)
  for (const each of world.invoices.values()) yield checkInvoice(world, each)
  yield* checkSequences(world)
}

/** Counted ids and numbers stay below the number that the next one gets, and each is given out once. */
function* checkSequences(world: World): Generator<void> {
  const { sequences } = world
  const numbers: readonly [keyof Sequences, Iterable<number>][] = [
    ['subscriptions', mapped(world.subscriptions.values(), ({ sequence }) => sequence)],
    ['invoices', mapped(world.invoices.values(), ({ sequence }) => sequence)],
    ['charges', numbersIn(world.charges, 'ch')],
    ['families', numbersIn(world.families, 'fam')],
    ['events', mapped(world.events, ({ seq }) => seq)],
  ]
  for (const [name, given] of numbers) {
    const seen = new Set<number>()
    for (const number of given) {
      yield
      if (number > sequences[name]) {
        throw new StateDocumentError(`sequences.${name}`, 'is below a number that was given out')
      }
      if (seen.has(number)) {
        throw new StateDocumentError(`sequences.${name}`, 'gave out a number twice')
      }
      seen.add(number)
    }
  }
}

function checkSubscription(world: World, subscription: Subscription): void {
  const { subscriptionId: id, planId, pendingPlanId, customerId, billed } = subscription
  refer(world.customers, customerId, id)
  refer(world.plans, planId, id)
  if (pendingPlanId !== null) refer(world.plans, pendingPlanId, id)
  if (billed !== null) refer(world.invoices, billed.invoiceId, id)
  checkSchedule(world, subscription)
  const currency = world.customers.get(customerId)?.currency
  const plans = [planId, ...(pendingPlanId === null ? [] : [pendingPlanId])]
  if (plans.some((each) => world.plans.get(each)?.currency !== currency)) {
    throw new StateDocumentError(id, 'has a plan in another currency than its customer')
  }
  if (billed !== null && world.invoices.get(billed.invoiceId)?.subscriptionId !== id) {
    throw new StateDocumentError(id, "was billed by another subscription's invoice")
  }
  const { createdAt, currentPeriodStart, canceledAt, endedAt, pausedAt, discounts } = subscription
  const past = [createdAt, currentPeriodStart, canceledAt, endedAt, pausedAt]
  checkPast(world, id, [...past, ...discounts.map(({ appliedAt }) => appliedAt)])
}

/** A period ends at a boundary of its schedule; the next one would not follow on it otherwise. */
function checkSchedule(world: World, subscription: Subscription): void {
  const { subscriptionId, planId, anchor, cycle, currentPeriodEnd } = subscription
  const plan = world.plans.get(planId)
  if (plan === undefined || boundaryOf(anchor, plan, cycle) === currentPeriodEnd) return
  throw new StateDocumentError(subscriptionId, 'ends its period off the schedule of its anchor')
}

/** Null beyond the years that instants can write. */
function boundaryOf(anchor: Instant, plan: Parameters<typeof intervalOf>[0], cycle: number) {
  try {
    return boundary(anchor, intervalOf(plan), cycle)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function checkInvoice(world: World, invoice: Invoice): void {
  const { invoiceId, sequence, subscriptionId, customerId, currency, attempts } = invoice
  if (invoiceId !== `inv_${String(sequence).padStart(6, '0')}`) {
    throw new StateDocumentError(invoiceId, 'does not have the id of its number')
  }
  if (world.subscriptions.get(subscriptionId)?.customerId !== customerId) {
    throw new StateDocumentError(invoiceId, 'bills another customer than its subscription has')
  }
  if (world.customers.get(customerId)?.currency !== currency) {
    throw new StateDocumentError(invoiceId, 'is in another currency than its customer')
  }
  checkPast(world, invoiceId, [invoice.createdAt, invoice.paidAt, ...attempts.map(({ at }) => at)])
}

/** What happened lies before the now, or at it. */
function checkPast(world: World, id: string, instants: readonly (Instant | null)[]): void {
  const now = world.clock.now()
  const later = instants.find((instant) => instant !== null && instant > now)
  if (later === undefined) return
  throw new StateDocumentError(id, `has something at ${later}, after the virtual now ${now}`)
}

function* mapped<Value>(
  values: Iterable<Value>,
  numberOf: (value: Value) => number,
): Generator<number> {
  for (const value of values) yield numberOf(value)
}

/** The numbers in the ids that look counted; others were chosen. */
function* numbersIn(records: ReadonlyMap<string, unknown>, prefix: string): Generator<number> {
  const counted = new RegExp(`^${prefix}_(\\d{6,15})$`)
  for (const id of records.keys()) {
    const [, number] = counted.exec(id) ?? []
    if (number !== undefined) yield Number(number)
  }
}
